"""The pages tell the truth: every game, strategy and command has its page, and every example runs.

A ```python fence is executed. With ``>>>`` prompts it is a doctest; without, it is a piece of a
program, and one that begins with a comment such as ``# box.py`` is saved under that name first. In
a ```console fence, ``$ dicelab ...`` runs through the command line in this process, and the lines
below it are what it must print, with ``...`` for anything. ``$ python examples/...`` runs that
script likewise; ``$ make ...`` must name a target. All fences of a page share one folder and one
set of names.

In a table whose first two columns are strategies, the chances are worked out again.
"""

import contextlib
import doctest
import importlib
import io
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import dicelab
from dicelab.cli import app
from dicelab.strategies.named import GENERAL
from dicelab.verbs.evaluate import evaluate

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
GAMES = {
    n: kind for n, kind in dicelab.all_games().items() if kind.__module__.startswith("dicelab.")
}
HEADINGS = ["Rules", "Notation", "What is known", "Strategies", "Commands", "Sources"]
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

pytestmark = pytest.mark.usefixtures("games_solved_once", "studies_worked_out_once")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def game_page(name: str) -> str:
    return (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")


REFERENCE = runpy.run_path(str(ROOT / "tools" / "cli_reference.py"))
COMMANDS = list(REFERENCE["commands"](typer.main.get_command(app)))
"""Every command by its name, those of a group by both words."""


def section(text: str, heading: str) -> str:
    return re.split(r"^## ", text.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]


# Every game, strategy and command has its page.


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page_with_the_same_headings(name):
    assert re.findall(r"^## (.+)$", game_page(name), re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", GAMES)
def test_every_strategy_is_told_on_the_page_of_its_game(name):
    told = re.findall(r"^\| `([a-z0-9-]+)", section(game_page(name), "Strategies"), re.MULTILINE)
    assert sorted(told) == sorted([*GAMES[name].strategies, *GENERAL])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_page_shows_how_to_solve_it(name):
    assert f"$ dicelab solve {name}" in game_page(name)


@pytest.mark.parametrize("page", sorted((DOCS / "papers").glob("*.md")), ids=named)
def test_every_study_page_tells_the_claims_and_the_errata(page):
    headings = " ".join(re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert re.search(r"claims", headings, re.IGNORECASE)
    assert re.search(r"errata", headings, re.IGNORECASE)


def test_every_command_is_documented_with_its_options():
    reference = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name, command in COMMANDS:
        told = section(reference, name)
        options = [o for p in command.params for o in p.opts if o.startswith("--")]
        assert [option for option in options if f"`{option}" not in told] == [], name


def test_the_readme_shows_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [name for name, command in COMMANDS if " " not in name]
    assert commands
    assert [name for name in commands if f"$ dicelab {name}" not in readme] == []


def test_every_test_that_the_page_on_security_names_is_there():
    named_tests = re.findall(
        r"`(tests/[\w/]+\.py)::(\w+)`", (DOCS / "security.md").read_text("utf-8")
    )
    assert len(named_tests) > 20
    for file, name in named_tests:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=named)
def test_every_file_that_a_page_names_is_there(page):
    paths = re.findall(
        r"`((?:src|tests|tools|examples|benchmarks)/[\w./-]+?)(?:::\w+)?`",
        page.read_text(encoding="utf-8"),
    )
    missing = [path for path in paths if "NAME" not in path and not (ROOT / path).exists()]
    assert missing == []


def test_the_design_names_every_module_and_no_other():
    told = set()
    for line in (DOCS / "design.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            told |= set(re.findall(r"`([a-z0-9_/]+)`", line.split("|")[1]))
    package = Path(dicelab.__file__).parent
    modules = {
        path.relative_to(package).with_suffix("").as_posix() for path in package.rglob("*.py")
    }
    # A new game is three files, and this page is none of them.
    there = {name for name in modules if "__" not in name and not name.startswith("games/")}
    assert told == there | {"games/"}


def test_the_changelog_knows_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(.+?)\]", changelog, re.MULTILINE)[1] == dicelab.__version__


def test_the_citation_names_this_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == dicelab.__version__


# Every example runs.


@dataclass(frozen=True)
class Fence:
    language: str
    body: str
    line: int


def fences(page: Path) -> list[Fence]:
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Fence(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in found]


def commands(fence: Fence) -> Iterator[tuple[list[str], str]]:
    """Yield each command of a console fence with the output shown below it."""
    for part in re.split(r"^\$ ", fence.body, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield shlex.split(command), shown


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)[1].split())


RUNNABLE = [
    page for page in PAGES if any(f.language in ("python", "console") for f in fences(page))
]


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """An empty folder to work in, from which a page's own modules can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():
            del sys.modules[name]


def run_python(fence: Fence, names: dict, folder: Path, where: str) -> None:
    if ">>>" in fence.body:
        test = doctest.DocTestParser().get_doctest(fence.body, names, where, where, fence.line - 1)
        told: list[str] = []
        doctest.DocTestRunner(optionflags=LENIENT).run(test, out=told.append, clear_globs=False)
        names.update(test.globs)
        assert not told, "".join(told)
    elif saved := re.match(r"# (\w+)\.py\n", fence.body):
        (folder / f"{saved[1]}.py").write_text(fence.body, encoding="utf-8")
        importlib.invalidate_caches()
        names.update(vars(importlib.import_module(saved[1])))
    else:
        exec(compile(fence.body, where, "exec"), names)


def run_console(fence: Fence, where: str) -> None:
    for (program, *arguments), shown in commands(fence):
        asked = f"{where}: {program} {shlex.join(arguments)}"
        if program == "make":
            assert arguments[0] in make_targets(), asked
            continue
        if program == "python":
            printed = run_script(arguments)
        else:
            assert program == "dicelab", asked
            answer = CliRunner().invoke(app, arguments)
            assert answer.exit_code == 0, f"{asked}\n{answer.output}"
            printed = answer.stdout
        same = doctest.OutputChecker().check_output(shown, printed, LENIENT)
        assert not shown or same, f"{asked}\nshown:\n{shown}\nprinted:\n{printed}"


def run_script(arguments: list[str]) -> str:
    """Return what a script of the repository prints, run in this process."""
    printed = io.StringIO()
    before, sys.argv = sys.argv, arguments
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(ROOT / arguments[0]), run_name="__main__")
    finally:
        sys.argv = before
    return printed.getvalue()


@pytest.mark.parametrize("page", RUNNABLE, ids=named)
def test_every_example_on_a_page_gives_what_it_shows(page, workshop):
    names = {"__name__": "page"}
    ran = 0
    for fence in fences(page):
        where = f"{named(page)}, line {fence.line}"
        if fence.language == "python":
            run_python(fence, names, workshop, where)
        elif fence.language == "console":
            run_console(fence, where)
        ran += fence.language in ("python", "console")
    assert ran > 0


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_make_command_on_a_page_is_a_target(page):
    asked = re.findall(r"[`$] ?make ([a-z-]+)", page.read_text(encoding="utf-8"))
    assert set(asked) <= make_targets()


# The example of a newcomer's game is small, and right.


def test_the_house_rules_example_has_fewer_than_thirty_lines():
    page = fences(DOCS / "write-your-own-game.md")
    (box,) = [fence.body for fence in page if fence.body.startswith("# box.py")]
    assert len([line for line in box.splitlines() if line.strip()]) < 30


def test_shutting_the_box_is_as_likely_as_a_direct_count_says(workshop):
    # The same game without dicelab: the best of all sets of open tiles, over all 36 throws.
    @cache
    def shut(tiles):
        if not tiles:
            return Fraction(1)
        one = sum(after(tiles, face) for face in range(1, 7)) / 6
        two = sum(after(tiles, a + b) for a in range(1, 7) for b in range(1, 7)) / 36
        return two if max(tiles) > 6 else max(one, two)

    def after(tiles, throw):
        sets = [s for n in range(1, 10) for s in combinations(tiles, n) if sum(s) == throw]
        return max((shut(tuple(sorted(set(tiles) - set(s)))) for s in sets), default=Fraction(0))

    for fence in fences(DOCS / "write-your-own-game.md"):
        if re.match(r"# \w+\.py\n", fence.body):
            run_python(fence, {}, workshop, "write-your-own-game.md")
    expected = shut(tuple(range(1, 8)))
    for name in ("box:ShutTheBox", "fast_box:FastBox"):
        assert dicelab.solve(dicelab.game(name, tiles=7), exact=True).value == expected


# Links and tables.


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_inside_the_repository_leads_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{named(page)} links to {link}"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.M)
                slugs = [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings]
                assert anchor in slugs, f"{named(page)} links to {link}"


@dataclass(frozen=True)
class Row:
    """One line of a table of chances: two strategies, and a cell for each column."""

    a: str
    b: str
    cells: dict[str, str]


def rows_of_chances(page: Path) -> list[Row]:
    header = None
    found = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = None
        elif header is None:
            header = cells
        elif header[:2] == ["A", "B"] and cells[0].startswith("`"):
            a, b = (cell.strip("`") for cell in cells[:2])
            found.append(Row(a, b, dict(zip(header[2:], cells[2:], strict=True))))
    return found


TABLES = {DOCS / "games" / f"{name}.md": dicelab.game(name) for name in GAMES}
TABLES[DOCS / "papers" / "pig.md"] = dicelab.game("pig", passing=True)  # roll-and-wait passes
TABLES = {page: game for page, game in TABLES.items() if rows_of_chances(page)}


@pytest.mark.parametrize("page", TABLES, ids=named)
def test_the_chances_in_tables_are_those_we_find(page):
    table = dicelab.compile(TABLES[page])

    @cache
    def played(strategy):  # so that the optimal one is found once
        return dicelab.plan(table, strategy)

    for row in rows_of_chances(page):
        duel = evaluate(table, played(row.a), played(row.b))
        ours = {"A starting": duel.first, "B starting": duel.second, "overall": duel.overall}
        for column, chance in ours.items():
            if column in row.cells:
                assert row.cells[column] == f"{chance:.6f}", f"{row.a} v {row.b}, {column}"


def test_the_study_agrees_where_its_page_says_so():
    for row in rows_of_chances(DOCS / "papers" / "pig.md"):
        differ = []
        for column in ("A starting", "B starting", "overall"):
            printed, ours = row.cells[f"{column}, paper"], row.cells[column]
            digits = len(printed.partition(".")[2])
            # Ours has six digits: rounding it to the printed ones must not depend on the seventh.
            near = abs(Fraction(printed or ours) - Fraction(ours)) * 10**digits
            if near > Fraction(1, 2):
                differ.append(column)
        assert row.cells["agrees"] == ("not " + ", ".join(differ) if differ else "yes"), row
