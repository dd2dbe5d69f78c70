"""The page as it is served: plain files, nothing inline, everything with its licence."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dicelab.lab.app import STATIC
from dicelab.rules.registry import all_games

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))


class Seen(HTMLParser):
    """Collects what a content security policy would refuse, and what is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (tag == "script" and "src" not in given) or tag == "style":
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]
        if tag in ("script", "link", "img"):
            self.fetched.append(given.get("src") or given.get("href") or "")


def test_the_page_has_nothing_inline_and_asks_only_its_own_server() -> None:
    seen = Seen()
    seen.feed((STATIC / "index.html").read_text(encoding="utf-8"))
    assert seen.inline == []
    assert seen.fetched
    seen.fetched.remove("/manifest.webmanifest")  # made for each language
    for address in seen.fetched:
        assert address.startswith("/static/")
        assert (STATIC / address.removeprefix("/static/")).is_file()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_writes_no_markup_and_runs_no_text(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    dangerous = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    assert re.findall(dangerous, text) == []
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []
    for name in re.findall(r"""(?:from|import\()\s*"(\.[^"]+)\"""", text):
        assert (script.parent / name).resolve() in SCRIPTS
    assert len(text.splitlines()) < 400


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_knows_no_game_by_name(script: Path) -> None:
    text = re.sub(r"(?m)^\s*(//|/?\*).*$|/\*\*.*?\*/", "", script.read_text(encoding="utf-8"))
    known = all_games()
    names = [*known, "421", "yahtzee", *(kind.__name__ for kind in known.values())]
    found = [name for name in names if re.search(rf"[\"'`/ ]{re.escape(name)}[\"'`/ ]", text)]
    assert found == []


def test_whatever_others_wrote_comes_with_its_licence() -> None:
    licences = {
        "vendor/plotly-LICENSE.txt": "MIT",
        "fonts/inter-LICENSE.txt": "SIL",
        "fonts/fraunces-LICENSE.txt": "SIL",
    }
    for name, word in licences.items():
        assert word in (STATIC / name).read_text(encoding="utf-8")
    named = (STATIC / "vendor" / "README.md").read_text(encoding="utf-8")
    for file in [*(STATIC / "vendor").iterdir(), *(STATIC / "fonts").iterdir()]:
        if file.name != "README.md":
            assert file.name in named


def run_without_chromium(**more: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"]
    kept = {name: value for name, value in os.environ.items() if name != "DICELAB_CHROMIUM"}
    kept = {name: value for name, value in kept.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [*words, "tests/browser"],
        cwd=ROOT,
        env={**kept, "PATH": str(ROOT / "docs"), **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_run_without_a_browser_says_in_a_line_what_it_left_out() -> None:
    done = run_without_chromium(DICELAB_BROWSER_TESTS="")
    assert "test_games" not in done.stdout
    assert (
        "left out the browser tests: no chromium found; "
        "apt-get install chromium, or name one in DICELAB_CHROMIUM"
    ) in done.stdout.splitlines()


@pytest.mark.slow
def test_a_run_that_must_have_a_browser_does_not_start_without() -> None:
    done = run_without_chromium(DICELAB_BROWSER_TESTS="required")
    assert done.returncode == 4
    assert (
        "cannot run the browser tests without chromium: "
        "apt-get install chromium, or name one in DICELAB_CHROMIUM"
    ) in done.stderr
