"""The game of the day in the browser: from the start page to the line, once."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from browser.person import ready, serious_faults, settled


def played_on(page: Page) -> None:
    """Play the match of this page to its end, by whatever rules: a move from the middle."""
    address = f"/api/matches/{page.url.split('/')[-1].split('?')[0]}"
    match = page.request.get(address).json()
    while not match["over"]:
        move = match["moves"][len(match["moves"]) // 2]["move"]
        answer = page.request.post(f"{address}/moves", data={"move": move, "ply": match["ply"]})
        if answer.status == 429:  # faster than people
            page.wait_for_timeout(200)
            continue
        assert answer.ok
        match = answer.json()


def test_one_try_and_a_line_to_paste(open_page: Any) -> None:
    page = open_page(
        "/play",
        viewport={"width": 390, "height": 844},
        permissions=["clipboard-read", "clipboard-write"],
    )
    page.locator("[data-do='daily']").click()
    ready(page)
    expect(page.locator("[data-daily]")).to_have_attribute("data-daily", "new")
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-do='begin']").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    expect(page.locator("#coach-mode")).to_be_hidden()  # nobody is asked for advice here

    # Whoever comes back goes on with the same game.
    table = page.url
    page.goto("/daily")
    ready(page)
    page.get_by_role("link", name="Go on").click()
    page.wait_for_url(table.split("?")[0])
    ready(page)
    settled(page)
    played_on(page)
    page.reload()
    ready(page)
    assert settled(page) == "over"
    assert page.locator("[data-do='again']").count() == 0
    page.locator("[data-do='daily']").click()
    line = page.locator("[data-line]")
    expect(line).to_be_visible()
    assert re.fullmatch(
        r"dicelab \d{4}-\d\d-\d\d, [\w -]+: (won|lost|drawn), accuracy \d+\.\d%\n[·?! ]+",
        line.inner_text(),
    )
    assert serious_faults(page) == []
    page.locator("[data-do='copy']").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == line.inner_text()

    # There is no second try, neither on the page nor beside it.
    assert page.locator("[data-do='begin']").count() == 0
    again = page.request.post("/api/daily")
    assert again.status == 400
    assert again.json()["error"]["message"].startswith("you have had your try at the game of ")
    page.goto("/play")
    ready(page)
    expect(page.get_by_role("link", name="Your result")).to_be_visible()
