"""Two people in the browser: at one device, and by link with somebody who watches."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from browser.person import ready, serious_faults

PHONE = {"width": 390, "height": 844}


def document(page: Page) -> dict[str, Any]:
    """The match of a page, as the server tells it to this player."""
    number = page.url.rstrip("/").split("/")[-1].split("?")[0]
    told: dict[str, Any] = page.request.get(f"/api/matches/{number}").json()
    return told


def is_well_made(page: Page) -> None:
    assert serious_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def decide(page: Page) -> None:
    """Hold where that is allowed, else roll, and wait for what follows."""
    ply = page.locator("[data-view='table']").get_attribute("data-ply")
    hold = page.locator(".actions-place [data-move='hold']")
    (hold if hold.count() else page.locator(".actions-place [data-move='roll']")).click()
    expect(page.locator("[data-view='table']")).not_to_have_attribute("data-ply", str(ply))


def test_two_at_one_device(open_page: Any) -> None:
    page = open_page("/play", new=True, viewport=PHONE)
    page.locator("[data-do='together']").click()
    ready(page)
    page.locator("[data-field='target']").fill("10")
    page.locator("[data-field='me']").fill("Ann")
    page.locator("[data-field='friend']").fill("Bob")
    is_well_made(page)
    page.get_by_role("button", name="Throw the dice").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    expect(page.locator("[data-score='me']")).to_contain_text("Ann")
    expect(page.locator("[data-score='them']")).to_contain_text("Bob")
    view, turns = page.locator("[data-view='table']"), set()
    expect(view).to_have_attribute("data-ply", "0")
    is_well_made(page)
    while view.get_attribute("data-state") != "over":
        turn = view.get_attribute("data-turn")
        turns.add(turn)
        named = {"0": "Ann", "1": "Bob"}[str(turn)]
        expect(page.locator("[data-to-move]")).to_have_text(f"{named} is to move.")
        decide(page)
    assert turns == {"0", "1"}
    expect(page.locator(".over")).to_contain_text("Ann")
    page.locator("[data-review='1']").click()
    ready(page)
    expect(page.locator(".page-head")).to_contain_text("Bob at Pig")
    page.locator("[data-review='Ann']").click()
    ready(page)
    expect(page.locator("[data-review='Ann']")).to_have_attribute("aria-current", "page")
    is_well_made(page)


def test_a_game_that_one_may_play_alone_is_offered_to_two(open_page: Any) -> None:
    page = open_page("/together?game=shut-the-box", new=True, viewport=PHONE)
    expect(page.locator("[data-field='together-game']")).to_have_value("shut-the-box")
    page.get_by_role("button", name="Throw the dice").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    assert document(page)["parameters"]["players"] == 2
    expect(page.locator("[data-to-move]")).to_be_visible()


def test_at_once_the_device_is_passed_and_choices_stay_hidden(open_page: Any) -> None:
    page = open_page("/together?game=dice-battle", new=True, viewport=PHONE)
    rules = {"target": 6, "dice": 2, "variant": "simultaneous"}
    people = {"where": "here", "me": "Ann", "name": "Bob"}
    body = {"game": "dice-battle", "parameters": rules, "people": people, "coach": "off"}
    begun = page.request.post("/api/matches?wait=60", data=body).json()
    page.goto(f"/play/{begun['id']}")
    ready(page)
    expect(page.locator("h1")).to_have_text("Dice Battle, 2 dice to 6, variant: both at once")
    for name in ("Ann", "Bob"):
        button = page.get_by_role("button", name=f"I am {name}")
        expect(button).to_be_visible()
        assert page.locator(".actions-place [data-move]").count() == 0
        button.click()
        page.locator(".actions-place [data-move]").last.click()
    expect(page.locator("[data-view='table']")).to_have_attribute("data-ply", "1")
    expect(page.locator(".log li")).to_have_count(2)


def test_by_link_a_friend_plays_and_another_watches(open_page: Any) -> None:
    ann = open_page("/together", new=True)
    ann.locator("[data-field='target']").fill("10")
    ann.locator("[data-field='me']").fill("Ann")
    ann.locator("[data-field='where'] [data-choice='link']").check()
    start = ann.get_by_role("button", name="Throw the dice")
    start.click()
    expect(ann).to_have_url(re.compile("/together"))  # the host says so first
    ann.locator("[data-field='consent']").check()
    start.click()
    ann.wait_for_url("**/play/m*")
    ready(ann)
    expect(ann.locator("[data-waiting]")).to_contain_text("Nobody sits opposite yet")
    expect(ann.locator("[data-reach='no']")).to_be_visible()  # on this machine only
    is_well_made(ann)
    link = ann.locator("[data-link='seat']").input_value()

    bob = open_page(link, new=True, viewport=PHONE)
    expect(bob.locator("h1")).to_have_text("Ann invites you to play")
    bob.locator("[data-field='name']").fill("Bob")
    is_well_made(bob)
    bob.get_by_role("button", name="Take the seat").click()
    bob.wait_for_url("**/play/m*")
    ready(bob)
    expect(ann.locator("[data-names='Ann Bob']")).to_be_visible()  # seen without a reload
    expect(ann.locator("[data-score='them']")).to_contain_text("Bob")
    ann.locator("[data-let='watch']").check()
    eve = open_page(ann.locator("[data-link='watch']").input_value(), new=True)
    expect(eve.locator("[data-names='Ann Bob']")).to_be_visible()

    pages = [ann, bob]
    while not (told := document(ann))["over"]:
        mover = pages[told["people"]["turn"]]
        expect(mover.locator("[data-view='table']")).to_have_attribute("data-state", "you")
        expect(mover.locator("[data-view='table']")).to_have_attribute("data-ply", str(told["ply"]))
        decide(mover)
    for page in (ann, bob, eve):
        expect(page.locator("[data-state='over']")).to_be_attached()
    assert eve.locator(".actions-place [data-move]").count() == 0
    assert eve.locator("#coach-mode").is_hidden()
    is_well_made(eve)
    for seat, page in enumerate(pages):
        page.locator(f"[data-review='{seat}']").click()
        ready(page)
        expect(page.locator(".grade")).to_contain_text("You ")
