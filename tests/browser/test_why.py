"""Why at the table, "show me" on the map, and a review that can be clicked and played on from."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import match, pick, ready, serious_faults, settled, visit

CLASSIC = {"kind": "strategy", "name": "hold-at:20"}


def begin(page: Page, **body: Any) -> str:
    """Begin a match as the page does, and go there; return its id."""
    match = page.evaluate(
        """async body => { for (;;) {
             const answer = await fetch('/api/matches?wait=20', { method: 'POST',
               headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
             if (answer.status !== 202) return answer.json();
        } }""",
        body,
    )
    visit(page, f"/play/{match['id']}")
    settled(page)
    return str(match["id"])


def test_why_and_show_me(open_page: Any) -> None:
    page = open_page()
    begin(page, game="pig", parameters={"target": 50}, start="20-12 +9", opponent=CLASSIC)
    rows = page.locator(".fan tbody tr")
    expect(rows).to_have_count(6)
    expect(rows.last).to_have_attribute("data-kind", "bust")
    chances = [float(row.get_attribute("data-chance") or 0) for row in rows.all()]
    assert sum(chances) == pytest.approx(1)
    expect(page.locator("[data-still=hold]")).to_contain_text("Holding leaves")
    expect(page.locator("[data-rule]")).to_contain_text("Rule of thumb:")
    assert serious_faults(page) == []
    page.locator("[data-do=show-me]").click()
    dots = page.locator("[data-dot]")
    expect(dots.first).to_have_attribute("data-dot", "12 20")  # the other's bank, and mine
    expect(dots.nth(1)).to_have_attribute("data-dot", "20 9")  # my bank, and what is at risk
    expect(page.locator("#at")).to_have_value("20-12 +9")
    assert serious_faults(page) == []


def test_the_reasons_of_another_position_are_not_seen(open_page: Any) -> None:
    page = open_page(new=True)
    begin(page, game="pig", parameters={"target": 50}, start="20-12 +9", opponent=CLASSIC)
    expect(page.locator(".fan")).to_be_visible()
    page.route("**/why*", lambda route: None)  # it does not answer
    pick(page, "hold")
    settled(page)
    expect(page.locator("[data-advice]")).to_be_visible()
    expect(page.locator(".fan")).not_to_be_visible()
    page.unroute_all()


def test_a_review_is_clicked_and_played_on_from(open_page: Any) -> None:
    page = open_page()
    id = begin(page, game="pig", parameters={"target": 20}, opponent=CLASSIC)
    while settled(page) != "over":  # a player who holds whenever that is allowed
        pick(page, match(page)["moves"][-1]["move"])
    visit(page, f"/review/{id}")
    at = page.locator("[data-walk-at]")
    expect(at).to_have_attribute("data-walk-at", "1")
    # The chart is drawn once more when the chances against this opponent have come.
    expect(page.get_by_text("against the classic, with the best reply").first).to_be_visible()
    chart = page.locator(".chart.pick[data-drawn]")
    expect(chart).to_be_visible()
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] - 20, "y": box["height"] / 2})
    last = len(page.request.get(f"/api/reviews/{id}").json()["curve"]) - 1
    expect(at).to_have_attribute("data-walk-at", str(last))
    page.keyboard.press("Home")
    expect(page.locator(".chart circle.here")).to_have_attribute("visibility", "visible")
    page.get_by_text("What the marks mean").click()
    expect(page.locator("[data-marks] dd")).to_have_count(7)
    page.locator(".why > summary").click()
    expect(page.locator(".why .fan")).to_be_visible()
    assert serious_faults(page) == []
    page.locator("[data-do=play-on]").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    expect(page.locator("[data-score=them] .name")).to_contain_text("Perfect play")
