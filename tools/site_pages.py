"""The site's pages: which there are, in what order, and where their links lead.

MkDocs calls the functions ``on_...`` below while it builds the site (``make docs``). A page put
under docs/ finds its place in the navigation by itself: games among the games, studies among the
studies, the rest under *Guides* unless `NAMED` gives it another place. A new folder becomes a
section of its own.

The pages are written to be read in the repository too, so their links lead to files of the
repository. Here those are turned into links between pages of the site. README and its kin lie
outside docs/ and become pages as well. Source code has no page: there the words stay and the link
goes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).parent.parent

OUTSIDE = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "benchmarks/README.md": "project/benchmarks.md",
}
"""Pages that lie outside docs/, and what they are called on the site."""

NAMED = {
    "Start here": ["tutorial.md", "examples.md", "write-your-own-game.md"],
    "Games": "games/",
    "Studies": "papers/",
    "Guides": "",  # every page of docs/ itself that no other section names
    "Reference": ["how-it-works.md", "api.md", "cli.md", "words.md", "design.md", "security.md"],
    "Project": "project/",
}
"""The sections: pages by name, or all the pages of a folder."""

TITLES = {"project/readme.md": "README"}
"""What the menu calls a page whose heading would not do there."""

FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
LISTED = re.compile(r"<!-- every page of (\w+)/ -->")


def sections(pages: Iterable[str]) -> dict[str, list[str]]:
    """Return the pages of each section, every page in exactly one, the front page in none."""
    left = sorted(set(pages) - {"index.md"})
    for listed in NAMED.values():
        if isinstance(listed, list):
            left = [page for page in left if page not in listed]
    found: dict[str, list[str]] = {}
    for title, listed in NAMED.items():
        if isinstance(listed, list):
            found[title] = [page for page in listed if page in set(pages)]
        else:
            found[title] = [page for page in left if page[: page.rfind("/") + 1] == listed]
    for page in left:
        if all(page not in ours for ours in found.values()):
            found.setdefault(page.partition("/")[0].replace("-", " ").capitalize(), []).append(page)
    return {title: ours for title, ours in found.items() if ours}


def all_pages() -> list[str]:
    """Return every page of the site, as MkDocs names it."""
    docs = ROOT / "docs"
    return [*(path.relative_to(docs).as_posix() for path in docs.rglob("*.md")), *OUTSIDE.values()]


def place_of(path: str) -> str | None:
    """Return what a file or folder of the repository is called on the site, or None."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    if not path.startswith("docs/"):
        return None
    inside = path.removeprefix("docs/")
    if not (ROOT / path).is_dir():
        return inside
    # A folder has no page of its own: the front page lists what is in it, if it holds pages.
    titles = [title for title, listed in NAMED.items() if listed == f"{inside}/"]
    return f"index.md#{titles[0].lower()}" if titles else None


def relinked(text: str, page: str) -> str:
    """Return a page's text, its links leading from page to page of the site."""
    back = {there: here for here, there in OUTSIDE.items()}
    here = posixpath.dirname(back.get(page, f"docs/{page}"))

    def link(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, hash_, anchor = target.partition("#")
        there = place_of(posixpath.normpath(posixpath.join(here, path)))
        if there is None:
            return words
        uri, own_hash, own_anchor = there.partition("#")
        moved = posixpath.relpath(uri, posixpath.dirname(page) or ".")
        return f"{image}[{words}]({moved}{own_hash or hash_}{own_anchor or anchor})"

    return _outside_fences(text, lambda part: LINK.sub(link, part))


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    parts = FENCE.split(text)
    return "".join(part if part.startswith("```") else change(part) for part in parts)


def coloured(text: str) -> str:
    """Return a page's text, examples with prompts marked as such so that they are coloured so."""
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", text, flags=re.MULTILINE)


def listed(text: str, pages: Iterable[str]) -> str:
    """Return a page's text with its list of the pages of a folder filled in."""

    def titles(match: re.Match[str]) -> str:
        ours = sorted(page for page in pages if page.startswith(f"{match[1]}/"))
        return "\n".join(f"- [{_heading(page)}](docs-page:{page})" for page in ours)

    return LISTED.sub(titles, text).replace("docs-page:", "")


def _heading(page: str) -> str:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1] if found else page


def on_config(config: Any) -> Any:
    """Give the navigation every page there is."""
    ours = sections(all_pages())
    config.nav = [{"Home": "index.md"}]
    for title, pages in ours.items():
        config.nav.append(
            {title: [{TITLES[page]: page} if page in TITLES else page for page in pages]}
        )
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages outside docs/ and the colours of the code."""
    for path, uri in OUTSIDE.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    colours = HtmlFormatter(style="default").get_style_defs(".codehilite")
    files.append(File.generated(config, "css/code.css", content=colours))
    files.append(
        File.generated(config, "css/site.css", abs_src_path=str(ROOT / "tools" / "site.css"))
    )
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the page as the site shows it."""
    return coloured(listed(relinked(markdown, page.file.src_uri), all_pages()))


def on_post_build(config: Any) -> None:
    """Put our search in place of the bundled one, which a page opened from disk may not run."""
    folder = Path(config.site_dir) / "search"
    index = folder / "search_index.json"
    script = f"var search_index = {index.read_text(encoding='utf-8')};\n"
    (folder / "search_index.js").write_text(script, encoding="utf-8")
    (folder / "main.js").write_bytes((ROOT / "tools" / "search.js").read_bytes())
    for unused in (index, folder / "worker.js"):
        unused.unlink()
