"""Records and results of one's own games, as the pages tell them and hand them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from browser.person import visit
from dicelab import evaluate, game

HEAD = '# {"format": "dicelab decisions 1", "game": "pig"'
AT_ONCE = {"target": 5, "dice": 2, "variant": "simultaneous"}


def ended(page: Page, name: str, moves: int = 1, **parameters: Any) -> str:
    """Begin a match, make so many moves, the first of those there are, and give up; return its id.

    A match that is over earlier has its own end.
    """
    body = {"game": name, "parameters": parameters, "coach": "off"}
    match = page.request.post("/api/matches?wait=60", data=body).json()
    address = f"/api/matches/{match['id']}"
    while not match["over"] and moves:
        move = {"move": match["moves"][0]["move"], "ply": match["ply"]}
        match = page.request.post(f"{address}/moves", data=move).json()
        moves -= 1
    page.request.post(f"{address}/resign")
    return str(match["id"])


def download(page: Page, button: str) -> Path:
    """Press a button that saves a file; return where that is."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(waiting.value.path())


def saved(page: Page, button: str) -> str:
    """Press a button that saves a file; return what is in it."""
    return download(page, button).read_text()


def test_only_records_that_there_are_are_offered_and_all_can_be_had(open_page: Any) -> None:
    page = open_page("/study", new=True)
    ended(page, "dice-battle", **AT_ONCE)
    ended(page, "pig", moves=99, target=10)
    visit(page, "/study")
    assert page.locator(".record b").all_inner_texts() == ["Pig to 10"]
    assert saved(page, "Decisions").startswith(HEAD)
    assert "dicelab tracker 1" in saved(page, "Tracker form")


def test_a_file_that_takes_some_work_is_waited_for(open_page: Any) -> None:
    page = open_page("/study", new=True)
    ended(page, "pig", target=10)
    visit(page, "/study")
    asked = []

    def still_working(route: Route) -> None:
        asked.append(route.request.url)
        job = {"id": "j1", "what": "solving pig", "progress": 0.5}
        if len(asked) == 1:
            route.fulfill(
                status=202, content_type="application/json", body=json.dumps({"job": job})
            )
        else:
            route.continue_()

    page.route("**/api/me/decisions.csv*", still_working)
    assert saved(page, "Decisions").startswith(HEAD)
    assert len(asked) == 2


def test_who_plays_alone_plays_against_nobody_and_nobody_is_named(open_page: Any) -> None:
    page = open_page("/history", new=True)
    number = ended(page, "solo-pig", target=10)
    visit(page, "/history")
    expect(page.locator(".items li")).to_have_count(1)
    told = page.locator("main").inner_text()
    page.locator("input[type='file']").set_input_files(download(page, "Export my games"))
    expect(page.locator("p.note", has_text="1 was here already.")).to_be_visible()
    visit(page, f"/review/{number}")
    told += page.locator("main").inner_text()
    assert "Solo Pig" in told
    assert "nobody" not in told
    assert "null" not in told  # the first roll was forced, and what is forced has no grade


def test_a_map_of_greed_is_painted_for_every_score(open_page: Any) -> None:
    def three(at: Any) -> str:  # what an untouched map says: 5 dice are the most worth throwing
        return f"throw {min(3, 10 - at.mine)}"

    page = open_page("/versus?game=greed&max=10&die=3")
    known = evaluate(game("greed", max=10, sides=3), three, "aim-at").overall
    page.wait_for_selector("[data-overall]")
    assert abs(float(page.locator("[data-overall]").get_attribute("data-overall")) - known) < 1e-9


def test_a_link_that_is_no_text_leads_to_a_sentence(open_page: Any) -> None:
    page = open_page("/review/%E0%A4%A", new=True)
    expect(page.locator("p.error")).to_have_text("there is no finished match '%E0%A4%A'")


def test_one_meets_oneself_once_whatever_rules_one_played_by(open_page: Any) -> None:
    page = open_page("/study", new=True)
    for target in (10, 11):
        ended(page, "pig", moves=99, target=target)
    visit(page, "/play")
    page.locator("[data-game='pig']").check()
    page.locator("[data-field='opponent'] [data-choice='person']").check()
    whom = page.locator("[data-field='person'] option").all_inner_texts()
    assert whom.count("You, as your games show you") == 1
