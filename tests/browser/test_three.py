"""A table of three on the page: set up with the form, played to its end, and reviewed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import drawn, match, move_on, ready, serious_faults, settled, visit

WIDTHS = (390, 1280)


def looked_at(page: Page, name: str) -> None:
    """Check that nothing has to be scrolled sideways, wide and narrow, and keep a picture."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        cut = "[...document.querySelectorAll('.log .who')].some(e => e.scrollWidth > e.clientWidth)"
        assert not page.evaluate(cut), (
            name,
            width,
        )  # "the regular A" and "the regular B" are told apart
        if folder := os.environ.get("DICELAB_PICTURES"):
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize(
    ("game", "limit", "second", "name", "title"),
    [
        ("pig", "target", "hold-at", "the classic", "Pig to 12, 3 players"),
        ("greed", "max", "aim-at", "the reckoner", "Greed up to 12, 3 players"),
    ],
)
def test_a_game_of_three_is_set_up_played_and_reviewed(
    open_page: Any, game: str, limit: str, second: str, name: str, title: str
) -> None:
    page = open_page()
    visit(page, "/play")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.locator(f"[data-game='{game}']").check()
    page.locator(f"form [data-field='{limit}']").fill("12")
    page.locator("form [data-field='players']").fill("3")
    expect(page.locator("[data-field='opponent'] legend")).to_have_text(["Next after you", "Then"])
    last = page.locator("[data-field='opponent']").last
    assert last.locator("[data-choice]").count() == 2  # people are known for one or two
    last.locator("[data-choice='strategy']").check()
    page.locator("[data-field='opponent-strategy']").select_option(second)
    page.locator("[data-field='starts'] [data-choice='me']").check()
    looked_at(page, f"{game}-form")
    page.get_by_role("button", name="Throw the dice", exact=True).click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    expect(page.locator("h1")).to_have_text(title)
    assert page.locator("[data-score]").count() == 3
    assert page.locator("[data-score='me'].turn").count() == 1
    named = page.locator("[data-score='them'] b").all_inner_texts()
    assert named[0] == "Equilibrium play"
    assert named[1] == name.capitalize()
    assert not serious_faults(page)
    looked_at(page, f"{game}-begun")
    while settled(page) == "you":
        document = match(page)
        scores = page.locator("[data-score] .points").all_inner_texts()
        fields = document["position"]["fields"]
        told = [str(fields[seat["field"]]) for seat in document["seats"]]
        assert [text.split("of")[0].strip() for text in scores] == told
        move = document["coach"]["moves"][0]["move"]
        page.locator(f".actions-place [data-move='{move}']").click()
        move_on(page, document["ply"])
    looked_at(page, f"{game}-over")
    page.locator("[data-do='review']").click()
    page.wait_for_url("**/review/m*")
    ready(page)
    drawn(page)
    review = page.request.get(f"/api/reviews/{page.url.rstrip('/').split('/')[-1]}").json()
    # Five of yours, two of each other player; no accuracy where nothing hung on a decision.
    missing = 1 if review["you"]["accuracy"] is None else 0
    assert page.locator(".stat").count() == 9 - missing
    looked_at(page, f"{game}-review")
