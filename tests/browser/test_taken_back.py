"""Taking back a move in the browser: the choice is there again, and the review has it."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from browser.person import begin, match, pick, ready, serious_faults, settled, visit


def test_a_choice_is_taken_back_and_stays_in_the_review(open_page: Any) -> None:
    page = open_page("/play", new=True, viewport={"width": 390, "height": 844})
    begin(page, game="pig", parameters={"target": 10}, coach="off")
    back = page.locator("[data-do='take-back']")
    expect(back).to_be_hidden()  # nothing was chosen yet
    while settled(page) == "you" and len(match(page)["moves"]) < 2:
        pick(page, "roll")
    before = match(page)["position"]
    pick(page, "hold")
    settled(page)
    back.click()
    note = page.locator("[data-taken='hold']")
    expect(note).to_contain_text(
        re.compile(r"You took back: Hold \d+\. It would have cost you [\d.]+%")
    )
    ready(page)
    settled(page)
    assert match(page)["position"] == before
    expect(page.locator(".log li").first).to_contain_text("You took back")
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    while settled(page) == "you":
        moves = [each["move"] for each in match(page)["moves"]]
        pick(page, "hold" if "hold" in moves else "roll")
    expect(note).to_have_count(0)
    expect(back).to_be_hidden()
    page.locator("[data-do='review']").click()
    ready(page)
    expect(page.get_by_role("heading", name="Taken back")).to_be_visible()
    expect(page.locator("[data-taken='hold']")).to_contain_text("It would have cost you")
    assert serious_faults(page) == []
    visit(page, "/history")  # practice alone, so that there are no totals
    expect(page.locator(".items li")).to_have_count(1)
    assert "0" not in page.locator("main").inner_text().splitlines()
