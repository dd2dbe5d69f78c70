"""The position editor in the browser: from a link to numbers, to a game from there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.person import match, ready, serious_faults, settled


def test_a_link_opens_a_position_that_is_changed_and_played(open_page: Any) -> None:
    page = open_page(
        "/position?game=pig&target=50&mine=40&at_risk=9",
        viewport={"width": 390, "height": 844},
        permissions=["clipboard-read", "clipboard-write"],
    )
    view = page.locator("[data-view='position']")
    expect(view).to_have_attribute("data-asked", "40-0 +9")
    expect(page.locator("[data-set='mine']")).to_have_value("40")
    expect(page.locator("[data-set='mine']")).to_have_attribute("max", "49")
    page.locator("[data-set='yours']").fill("30")
    page.locator("[data-set='yours']").press("Enter")
    page.locator("[data-set='yours']").blur()
    expect(view).to_have_attribute("data-asked", "40-30 +9")
    expect(page.locator("#at")).to_have_value("40-30 +9")
    expect(page.locator("[data-move='hold']")).to_contain_text("%")
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # A plus that somebody typed into an address, where it means a space.
    page.goto("/position?game=pig&target=50&at=40-30 +9")
    ready(page)
    expect(view).to_have_attribute("data-asked", "40-30 +9")

    # What cannot be gets the game's sentence, and the last position stays.
    page.locator("#at").fill("60-30 +9")
    page.locator("[data-do='ask']").click()
    expect(page.locator(".error")).to_contain_text("is over at 60-30 +9")
    page.locator("#at").fill("40-30 +9")
    page.locator("[data-do='ask']").click()
    expect(view).to_have_attribute("data-asked", "40-30 +9")

    page.locator("[data-do='link']").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    ready(page)
    expect(view).to_have_attribute("data-asked", "40-30 +9")
    page.locator("[data-do='play']").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    assert match(page)["start"] == "40-30 +9"
