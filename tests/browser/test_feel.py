"""How the table feels: dice start at the click, are quick, stay, and are heard only when asked."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page, Route, expect

from browser.person import begin, ready, settled

SLOW = 1.2  # seconds that an answer takes

HEAR = """
window.heard = 0;
const Real = window.AudioContext;
window.AudioContext = class extends Real { constructor() { super(); window.heard += 1; } };
"""


def lively(open_page: Any, motion: str = "no-preference", pace: str = "calm") -> Page:
    """A page where motion is welcome, or not."""
    page: Page = open_page(new=True)
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    page.add_init_script(f"localStorage.setItem('dicelab-pace', '{pace}');" + HEAR)
    page.goto("/play")
    ready(page)
    return page


def late(route: Route) -> None:
    time.sleep(SLOW)
    route.continue_()


def test_dice_start_at_the_click_and_take_half_a_second_at_most(open_page: Any) -> None:
    page = lively(open_page)
    begin(page, game="pig", parameters={"target": 40}, starts="me", coach="off")
    page.route("**/moves*", late)
    page.locator(".actions-place [data-move='roll']").click(no_wait_after=True)
    page.wait_for_selector(".tray .die.shaken", timeout=1000 * SLOW)  # nothing was answered yet
    page.wait_for_selector(".tray .die[data-face]:not(.shaken)")
    durations = page.evaluate(
        "[...document.querySelectorAll('.tray .die, .tray .die *')].flatMap(node => "
        "node.getAnimations().map(each => each.effect.getTiming().duration))"
    )
    assert all(duration <= 500 for duration in durations)
    settled(page)
    assert page.locator(".tray .die.shaken").count() == 0
    if page.locator(".actions-place [data-move='hold']").count():  # to hold throws nothing
        page.locator(".actions-place [data-move='hold']").click(no_wait_after=True)
        page.wait_for_timeout(300)
        assert page.locator(".tray .die.shaken").count() == 0


def test_dice_that_were_refused_lie_still_again(open_page: Any) -> None:
    page = lively(open_page)
    begin(page, game="pig", parameters={"target": 40}, starts="me", coach="off")
    page.route("**/moves*", lambda route: route.abort())
    page.locator(".actions-place [data-move='roll']").click()
    page.wait_for_selector(".tray .die.shaken")
    page.wait_for_selector(".error")
    assert page.locator(".tray .die.shaken").count() == 0


def test_the_last_dice_stay_and_who_wins_is_cheered_in_silence(open_page: Any) -> None:
    for motion in ("no-preference", "reduce"):
        page = lively(open_page, motion, "brisk")
        # A die without a 1: the first throw wins.
        asked = {"parameters": {"target": 1, "die": "2,3"}, "opponent": {"kind": "optimal"}}
        begin(page, game="pig", starts="me", **asked)
        page.locator(".actions-place [data-move='roll']").click()
        expect(page.locator(".over[data-outcome='won']")).to_be_visible()
        expect(page.locator(".dice-place .die[data-face]")).to_have_count(1)
        assert page.locator(".cheer").count() == (motion == "no-preference")
        assert page.evaluate("window.heard") == 0
        page.reload()
        ready(page)
        expect(page.locator(".over")).to_be_visible()
        assert page.locator(".cheer").count() == 0  # once


def test_dice_are_heard_by_who_asked_for_it(open_page: Any) -> None:
    page = lively(open_page)
    page.keyboard.press("?")
    page.get_by_label("The sound of dice").check()
    page.keyboard.press("Escape")
    assert page.evaluate("window.heard") == 1
    begin(page, game="pig", parameters={"target": 40}, starts="me", coach="off")
    page.locator(".actions-place [data-move='roll']").click()
    settled(page)
    assert page.evaluate("window.heard") == 1  # the same one
