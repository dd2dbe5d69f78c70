"""Drills in the browser, the whole story: a close call, too slow, more time, and an own mistake."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import ready, serious_faults
from dicelab import game, solve

RULES = {"target": 50}


def told(page: Page) -> dict[str, float]:
    """Return what the page says that each move costs."""
    rows = page.locator("[data-answered] tr[data-move]")
    found = (
        "all => all.map(row => [row.dataset.move, row.querySelector('[data-cost]').dataset.cost])"
    )
    return {move: float(cost) for move, cost in rows.evaluate_all(found)}


def lose(page: Page) -> None:
    """Play a game to its end by the worst moves, as a program of the same player does."""
    opponent = {"kind": "strategy", "name": "hold-at:20"}
    body: dict[str, Any] = {"game": "pig", "parameters": RULES, "opponent": opponent}
    match = page.request.post("/api/matches?wait=60", data=body).json()
    while not match["over"]:
        body = {"move": match["coach"]["moves"][-1]["move"], "ply": match["ply"]}
        answer = page.request.post(f"/api/matches/{match['id']}/moves", data=body)
        assert answer.ok
        match = answer.json()


def test_positions_are_drilled_against_the_clock_and_told_exactly(open_page: Any) -> None:
    page = open_page("/train", viewport={"width": 390, "height": 844})
    expect(page.locator("[data-rating]")).to_have_attribute("data-rating", "1500")
    assert page.locator("[data-deck]").count() == 0
    assert serious_faults(page) == []

    # A newcomer is asked about a close call; the answer is that of the verb itself.
    page.clock.install()
    page.goto("/train?game=pig&target=50")
    ready(page)
    card = page.locator("[data-drill]")
    expect(card).to_have_attribute("data-source", "close call")
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    solution = solve(game("pig", **RULES))
    words = card.locator("[role=img]").get_attribute("aria-label")
    page.keyboard.press("h")
    expect(page.locator(".drill-mark")).to_be_visible()
    costs = told(page)
    assert sorted(costs) == ["hold", "roll"]
    assert min(costs.values()) == 0
    assert 0.001 <= max(costs.values()) <= 0.05
    asked = page.request.get("/api/drills").json()
    assert asked["rating"]["positions"] == 1
    assert serious_faults(page) == []

    # Whoever is too slow has missed it, and is told the answer all the same.
    page.keyboard.press("n")
    expect(card).to_be_visible()
    assert card.locator("[role=img]").get_attribute("aria-label") != words
    page.clock.fast_forward(10_500)
    expect(page.locator(".drill-mark")).to_have_text("Too slow")
    expect(page.locator(".drill-mark")).to_have_attribute("data-found", "no")
    assert sorted(told(page)) == ["hold", "roll"]

    # The clock can be switched off, and the rating says so.
    page.get_by_role("link", name="End the drill").click()
    ready(page)
    expect(page.locator("[data-deck='pig target=50']")).to_be_visible()
    page.locator("[data-choice='off']").check()
    page.locator("[data-deck='pig target=50']").click()
    expect(card).to_be_visible()
    assert page.locator(".drill-clock").count() == 0
    page.clock.fast_forward(60_000)
    page.locator("[data-drill] [data-move='roll']").click()
    expect(page.locator(".stats")).to_contain_text("1 with more time")
    expect(page.locator(".stats")).to_contain_text("1day in a row")

    # A game that was lost by mistakes is drilled from them.
    lose(page)
    page.goto("/train?game=pig&target=50")
    ready(page)
    expect(card).to_have_attribute("data-source", "mistake")
    notation = page.evaluate(
        "fetch('/api/drills/next?game=pig&target=50').then(told => told.json())"
        ".then(card => card.position.notation)"
    )
    page.locator("[data-drill] [data-move='roll']").click()
    expect(page.locator(".drill-mark")).to_be_visible()
    known = {one.move: float(one.cost) for one in solution.moves_at(solution.game.read(notation))}
    assert told(page) == pytest.approx(known, abs=1e-12)
