"""Boards in the browser: a card, tiles, dice and pieces, played by pointing at them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import match, move_on, ready, serious_faults, settled, start

WIDTHS = (360, 390, 1280)


def looked_at(page: Page, name: str) -> None:
    """Check that nothing has to be scrolled sideways and axe finds nothing, wide and narrow."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        if folder := os.environ.get("DICELAB_PICTURES"):
            page.screenshot(path=Path(folder) / f"board-{name}-{width}.png", full_page=True)
    assert serious_faults(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_card_is_filled_by_clicking_its_boxes(open_page: Any) -> None:
    page = open_page(new=True)
    start(page, "yahtzee", coach="on", only="aces+sixes+chance")
    looked = False
    for box in ("chance", "aces", "sixes"):
        before = match(page)["ply"]
        page.locator(".actions-place [data-move='cast']").click()
        move_on(page, before)
        document = match(page)
        told = next(
            item for item in document["position"]["board"][0]["items"] if item["key"] == box
        )
        place = page.locator(f"[data-box='{box}']")
        assert "would score" in place.inner_text()
        assert place.locator("b").inner_text() == str(told["would"])
        if not looked:
            looked_at(page, "card")
            looked = True
        place.focus()
        page.keyboard.press("Enter")  # a box is a button: the keyboard fills it too
        move_on(page, document["ply"])
        expect(page.locator(f"[data-box='{box}'].filled b")).to_have_text(str(told["would"]))
    assert settled(page) == "over"
    total = match(page)["result"]["value"]
    expect(page.locator(".board-card .sum b").last).to_have_text(f"{total:.0f}")
    page.get_by_role("link", name="Review").click()
    page.wait_for_url("**/review/*")
    ready(page)
    page.keyboard.press("End")
    expect(page.locator("[aria-labelledby='walk-title'] .box.filled")).to_have_count(2)
    looked_at(page, "card-review")


def test_tiles_that_go_together_are_picked_and_then_shut(open_page: Any) -> None:
    page = open_page(new=True)
    start(page, "shut-the-box", coach="off")
    picked = False
    while settled(page) == "you" and not picked:
        document = match(page)
        offers = {each["move"]: each["touches"] for each in document["moves"]}
        wanted = next((move for move, keys in offers.items() if len(keys) > 1), None)
        move = wanted or document["moves"][0]["move"]
        if wanted:
            for key in offers[wanted]:
                page.locator(f"[data-tile='{key}']").click()
                expect(page.locator(f"[data-tile='{key}']")).to_have_attribute(
                    "aria-pressed", "true"
                )
            primary = page.locator(".actions-place .primary")
            expect(primary).to_have_attribute("data-move", wanted)
            looked_at(page, "tiles")
            primary.click()
            picked = True
        else:
            page.locator(f".actions-place [data-move='{move}']").click()
        move_on(page, document["ply"])
    assert picked
    for key in offers[wanted]:
        expect(page.locator(f".board-tile.down[data-tile='{key}']")).to_have_count(1)


def test_dice_are_picked_to_be_kept_and_tokens_lie_on_the_table(open_page: Any) -> None:
    page = open_page(new=True)
    start(page, "421", opponent="strategy random", starts="me", coach="off", tokens=3)
    page.locator(".actions-place [data-move='cast']").click()
    move_on(page, 0)
    document = match(page)
    keep = next(each for each in document["moves"] if len(each["touches"]) == 1)
    page.locator(f"[data-face-key='{keep['touches'][0]}']").first.click()
    expect(page.locator(".actions-place .primary")).to_have_attribute("data-move", keep["move"])
    looked_at(page, "tokens")
    page.keyboard.press("Escape")
    expect(page.locator(".actions-place [data-move]")).to_have_count(len(document["moves"]))
    page.locator(f"[data-face-key='{keep['touches'][0]}']").first.click()
    page.locator(".actions-place .primary").click()
    move_on(page, document["ply"])
    heaps = page.locator("[data-heap] b").all_inner_texts()
    assert sum(map(int, heaps)) == 3


@pytest.mark.parametrize("game", ["ur", "bear-off"])
def test_pieces_are_moved_by_clicking_them(open_page: Any, game: str) -> None:
    page = open_page(new=True)
    start(page, game, opponent="strategy random", starts="me", coach="off")
    moved = 0
    while settled(page) == "you" and moved < 2:
        document = match(page)
        button = page.locator(".boards button[data-move]").first
        if button.count():
            button.click()
            moved += 1
        else:
            move = document["moves"][0]["move"]
            page.locator(f".actions-place [data-move='{move}']").click()
        move_on(page, document["ply"])
    assert moved == 2 or game == "bear-off"  # where one play at a time may need two points
    looked_at(page, game)
