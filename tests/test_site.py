"""The site: built without a warning, complete, readable without a network."""

import importlib.util
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def load_tool():
    spec = importlib.util.spec_from_file_location("site_pages", ROOT / "tools" / "site_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


site_pages = load_tool()


LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Reader(HTMLParser):
    """What a page of the site loads, links to and calls its parts."""

    def __init__(self):
        super().__init__()
        self.loads, self.links, self.ids = [], [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if given.get(LOADS.get(tag, "-")):
            self.loads.append(given[LOADS[tag]])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        self.ids |= {given["id"]} if "id" in given else set()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built strictly: a warning would abort it."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return folder


@pytest.fixture(scope="module")
def read(site):
    """Every page of the site, by its path."""
    found = {}
    for path in site.rglob("*.html"):
        reader = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        found[path] = reader
    return found


def test_every_page_of_the_repository_has_one_on_the_site(site):
    pages = [*PAGES, *site_pages.OUTSIDE.values()]
    missing = [page for page in pages if not (site / page).with_suffix(".html").exists()]
    assert missing == [], f"not on the site: {', '.join(missing)}"


def test_every_page_can_be_reached_from_the_menu_of_the_front_page(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    menu = front[front.index('class="wy-menu') : front.index("</nav>")]
    pages = [*PAGES, *site_pages.OUTSIDE.values()]
    linked = set(re.findall(r'href="([^"#]+)', menu))
    missing = [page for page in pages if page != "index.md" and f"{page[:-3]}.html" not in linked]
    assert missing == [], f"not in the menu, see tools/site_pages.py: {', '.join(missing)}"


def test_a_new_page_finds_its_section():
    new = ["index.md", "tutorial.md", "people.md", "games/dice-battle.md", "papers/greed.md"]
    assert site_pages.sections([*new, "lab/first-steps.md"]) == {
        "Start here": ["tutorial.md"],
        "Games": ["games/dice-battle.md"],
        "Studies": ["papers/greed.md"],
        "Guides": ["people.md"],
        "Lab": ["lab/first-steps.md"],
    }


def test_every_page_is_in_exactly_one_section():
    listed = [
        page for ours in site_pages.sections(site_pages.all_pages()).values() for page in ours
    ]
    assert sorted(listed) == sorted({*site_pages.all_pages()} - {"index.md"})


def test_every_page_named_in_the_navigation_exists():
    named = [page for ours in site_pages.NAMED.values() if isinstance(ours, list) for page in ours]
    assert [page for page in named if page not in PAGES] == []


def test_no_page_loads_anything_from_elsewhere(read):
    assert sum(len(reader.loads) for reader in read.values()) > len(read)
    for path, reader in read.items():
        outside = [url for url in reader.loads if re.match(r"(?:[a-z]+:)?//", url)]
        assert outside == [], path.name


def test_no_style_or_script_of_ours_fetches_anything_from_elsewhere(site):
    sheets = list(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:@import|url\()\s*['\"]?(?:[a-z]+:)?//[^)'\"]*", text) == [], sheet
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
        assert [script for script in scripts if re.search(r"https?://", script)] == [], page


def test_the_search_needs_no_server(site):
    # A page opened from disk may load scripts; it may neither fetch files nor start workers.
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert '"location":"games/pig.html#rules"' in index
    assert sorted(path.name for path in (site / "search").iterdir()) == [
        "lunr.js",
        "main.js",
        "search_index.js",
    ]
    search = (site / "search" / "main.js").read_text(encoding="utf-8")
    assert not re.search(r"Worker|XMLHttpRequest|fetch|getJSON", search)


def test_every_link_between_pages_leads_to_a_page_and_a_place_on_it(site, read):
    followed = 0
    for path, reader in read.items():
        for link in reader.links:
            if re.match(r"(?:[a-z]+:|/|#$)", link):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.exists(), f"{path.relative_to(site)} links to {link}"
            if anchor and target in read:
                assert anchor in read[target].ids, f"{path.relative_to(site)} links to {link}"
            followed += 1
    assert followed > 100


def test_the_readme_shows_its_picture_and_links_on_the_site(site, read):
    readme = site / "project" / "readme.html"
    reader = read[readme]
    assert "../images/pig.svg" in reader.loads
    assert {"../games/pig.html", "../tutorial.html", "contributing.html"} <= set(reader.links)


def test_the_text_of_a_link_stays_where_the_site_has_no_page():
    text = "[`games`](../src/dicelab/games), [Pig](games/pig.md#rules), [all](games), [see](images)"
    assert site_pages.relinked(text, "tutorial.md") == (
        "`games`, [Pig](games/pig.md#rules), [all](index.md#games), see"
    )


def test_links_in_code_are_left_alone():
    code = "```python\nx = f[0](docs/games)\n```"
    assert site_pages.relinked(code, "project/readme.md") == code


@pytest.mark.parametrize("mark", ["```", "&gt;&gt;&gt;", "|---"])
def test_no_markdown_is_left_over_in_the_text(site, mark):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        bare = re.sub(r"<pre>.*?</pre>|<code>.*?</code>", "", text, flags=re.DOTALL)
        assert mark not in bare, path.relative_to(site)


def test_no_list_is_run_into_a_paragraph(site):
    for path in site.rglob("*.html"):
        for paragraph in re.findall(r"<p>(.*?)</p>", path.read_text(encoding="utf-8"), re.DOTALL):
            assert not re.search(r"^(?:[-*]|\d\d?\.) ", paragraph, re.MULTILINE), path.relative_to(
                site
            )
