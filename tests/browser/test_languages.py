"""The page speaks the language of its reader, who may choose another."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.person import ready


def test_the_browser_chooses_and_the_reader_may_switch(open_page: Any) -> None:
    page = open_page("/play", locale="fr-CA")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("[data-tab='play']")).to_have_text("Jouer")
    page.get_by_role("button", name="English").click()
    page.wait_for_function("document.documentElement.lang === 'en'")
    ready(page)
    expect(page.locator("[data-tab='play']")).to_have_text("Play")
    page.reload()  # the choice is kept
    ready(page)
    expect(page.get_by_role("button", name="Français")).to_be_visible()
