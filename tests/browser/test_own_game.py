"""Games of one's own in the browser: named at the terminal, played by clicking, as any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Lab, newcomer
from browser.person import match, pick, ready, serious_faults, settled, start
from dicelab import game, solve

BOX = Path(__file__).parents[2] / "docs" / "write-your-own-game.md"
HEAP = """
from dataclasses import dataclass
from fractions import Fraction

from dicelab import LOSS, OTHER, HouseRules


@dataclass(frozen=True)
class Heap(HouseRules):
    '''Take one or two matches; a coin may take one more. Who takes the last wins.'''

    matches: int = 7
    coin: str = "fair"

    def start(self):
        return self.matches

    def choices(self, at):
        return ["take 1", "take 2"] if at > 1 else ["take 1"]

    def outcomes(self, at, move):
        left = at - int(move[-1])
        more = {"fair": Fraction(1, 2), "heavy": Fraction(2, 3)}[self.coin]
        yield 1 - more, left, OTHER
        yield more, max(0, left - 1), OTHER

    def result(self, at):
        return LOSS if at == 0 else None
"""
WIDTHS = [1280, 390]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own")
    box = re.search(r"^```python\n(# box\.py\n.*?)^```$", BOX.read_text("utf-8"), re.M | re.S)
    assert box
    (place / "box.py").write_text(box[1], encoding="utf-8")
    (place / "heaps.py").write_text(HEAP, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def own_lab(folder: Path) -> Iterator[Lab]:
    server = Lab(folder, "heaps:Heap", "box:ShutTheBox")
    yield server
    server.stop()


@pytest.fixture
def opened(browser: Browser, own_lab: Lab) -> Iterator[Any]:
    """What opens a page of the lab in a width; an error in the page fails the test."""
    wrong: list[str] = []
    pages: list[Page] = []

    def open_it(path: str, width: int) -> Page:
        page = newcomer(browser, own_lab, viewport={"width": width, "height": 900})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        pages.append(page)
        page.goto(path)
        ready(page)
        return page

    yield open_it
    for page in pages:
        page.context.close()
    assert wrong == []


def well_made(page: Page) -> None:
    """Nothing is seriously wrong with a view, and it needs no scrolling to the side."""
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("name", "width"),
    [
        ("heaps:Heap", 390),
        ("my-box", 1280),
        pytest.param("heaps:Heap", 1280, marks=pytest.mark.slow),
        pytest.param("my-box", 390, marks=pytest.mark.slow),
    ],
)
def test_a_whole_match_by_clicking_with_coach_and_review(
    opened: Any, own_lab: Lab, folder: Path, monkeypatch: Any, name: str, width: int
) -> None:
    monkeypatch.syspath_prepend(folder)
    solution = solve(game({"my-box": "box:ShutTheBox"}.get(name, name)))
    page = opened("/play", width)
    first = page.locator("[data-game]").first
    assert first.get_attribute("data-game") == "heaps:Heap"
    well_made(page)
    sides = {} if name == "my-box" else {"opponent": "strategy random", "starts": "me"}
    start(page, name, coach="on", **sides)
    seen = 0
    while settled(page) == "you":
        at = match(page)["position"]["notation"]
        row = page.locator(".moves tr.best").first
        worth = float(row.locator("[data-value]").get_attribute("data-value") or "nan")
        assert worth == pytest.approx(float(solution.value_at(at)), abs=1e-9)
        if not seen:
            well_made(page)
        seen += 1
        pick(page, row.get_attribute("data-move") or "")
    assert seen > 1
    expect(page.locator("[data-outcome]")).to_be_visible()
    well_made(page)
    page.get_by_role("link", name="Review").click()
    page.wait_for_url("**/review/*")
    ready(page)
    expect(page.locator("[data-grade]")).to_have_text("A+")
    well_made(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_explore_has_a_field_for_every_parameter_whatever_its_name(
    opened: Any, folder: Path, monkeypatch: Any, width: int
) -> None:
    monkeypatch.syspath_prepend(folder)
    page = opened("/explore?game=my-box", width)
    worth = page.locator("[data-summary]")

    def told(name: str, **rules: Any) -> None:
        value = float(solve(game(name, **rules)).value)
        expect(worth).to_have_attribute("data-worth", re.compile(re.escape(f"{value:.9f}"[:9])))

    told("box:ShutTheBox")
    tiles = page.locator("[data-field='tiles']")
    assert (tiles.get_attribute("type"), tiles.input_value()) == ("number", "9")
    tiles.fill("6")
    tiles.press("Enter")
    told("box:ShutTheBox", tiles=6)
    assert page.url.endswith("tiles=6")
    well_made(page)
    page.goto("/explore?game=heaps:Heap&coin=heavy")
    ready(page)
    coin = page.locator("[data-field='coin']")
    assert (coin.get_attribute("type"), coin.input_value()) == ("text", "heavy")
    told("heaps:Heap", coin="heavy")
    page.locator("[data-field='matches']").fill("4")
    page.keyboard.press("Tab")
    told("heaps:Heap", matches=4, coin="heavy")


def test_a_position_that_has_only_words_says_them_once(opened: Any) -> None:
    page = opened("/position?game=heaps:Heap&at=5", 390)
    expect(page.get_by_text("The position is 5.", exact=True)).to_have_count(1)
