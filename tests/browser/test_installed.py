"""The page without its lab: what was kept opens, and says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from browser.conftest import Lab
from browser.person import ready, serious_faults, settled


def kept(page: Page) -> list[str]:
    """Wait until the page is kept; return the addresses of all that is."""
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    found: list[str] = page.evaluate(
        "async () => { const found = []; for (const name of await caches.keys())"
        " for (const one of await (await caches.open(name)).keys())"
        " found.push(new URL(one.url).pathname);"
        " return found }"
    )
    return found


def test_the_page_opens_offline_and_says_that_the_lab_is_out_of_reach(open_page: Any) -> None:
    page = open_page("/play", service_workers="allow", locale="fr")
    kept(page)
    page.reload()  # now the worker stands between the page and the lab
    ready(page)
    begun = start_in_french(page)
    names = kept(page)
    assert [name for name in names if name.startswith("/api")] == ["/api/text/fr"]
    assert not any("matches" in name or name.startswith("/static/vendor") for name in names)
    page.context.set_offline(True)
    page.goto(begun)
    ready(page)
    expect(page.locator("[data-away] h1")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")  # in the language of the reader
    assert page.evaluate("document.fonts.check('16px Inter')")
    assert serious_faults(page) == []
    page.context.set_offline(False)
    settled(page)  # it comes back by itself


def start_in_french(page: Page) -> str:
    """Tap the first tile; return the address of the game."""
    page.locator("[data-play]").first.click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    return page.url


def test_a_lab_that_was_stopped_is_told_and_found_again(browser: Any, tmp_path: Path) -> None:
    server = Lab(tmp_path)
    context = browser.new_context(base_url=server.address, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/play")
    ready(page)
    kept(page)
    server.stop()
    page.goto("/history")
    expect(page.locator("[data-away] h1")).to_have_text("The lab is out of reach")
    server = Lab(tmp_path, port=server.port)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Your games")
    context.close()
    server.stop()
