"""A whole game of each kind, played in the browser on a seeded server."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import match, move_on, pick, ready, settled, start, visit
from dicelab import best_response, explain, game, solve
from dicelab.verbs.explain import per_cent, sentence

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "pig": ("pig", {"target": 12, "opponent": "optimal", "starts": "me"}),
    "piglet": ("piglet", {"target": 4, "opponent": "strategy hold-at:2", "starts": "opponent"}),
    "two-dice-pig": ("two-dice-pig", {"target": 20, "opponent": "adaptive", "starts": "coin"}),
    "big-pig": ("big-pig", {"target": 20, "opponent": "strategy random", "starts": "me"}),
    "solo-pig": ("solo-pig", {"target": 15}),
    "battle": ("dice-battle", {"dice": 3, "target": 12, "opponent": "optimal", "starts": "me"}),
    "hog": (
        "dice-battle",
        {"dice": 3, "target": 12, "variant": "zero", "opponent": "strategy blind:2"},
    ),
    "at once": (
        "dice-battle",
        {"dice": 3, "target": 12, "variant": "simultaneous", "opponent": "optimal"},
    ),
    "greed": ("greed", {"max": 15, "opponent": "optimal", "starts": "opponent"}),
    "421": ("421-round", {"utility": "goal:421"}),
    "yahtzee": ("yahtzee-round", {"dice": 3, "utility": "goal:666"}),
}


def advised(page: Page) -> str:
    """The move the coach finds best, as the page shows it."""
    found = page.locator(".moves tr.best").first.get_attribute("data-move")
    assert found
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_can_be_played_and_reviewed(open_page: Any, kind: str) -> None:
    name, rules = KINDS[kind]
    page = open_page()
    start(page, name, coach="on", **rules)
    while settled(page) == "you":
        pick(page, advised(page))
    document = match(page)
    assert document["over"]
    assert document["result"]["outcome"] == page.locator("[data-outcome]").get_attribute(
        "data-outcome"
    )
    page.get_by_role("link", name="Review").click()
    page.wait_for_url("**/review/*")
    ready(page)
    expect(page.locator("h1")).to_have_text(document["result"]["sentence"])
    # Who follows the coach to the letter gives nothing away.
    review = page.request.get(f"/api/reviews/{document['id']}").json()
    assert (review["mistakes"], review["you"]["cost"]) == ([], pytest.approx(0, abs=1e-9))
    expect(page.locator("[data-grade]")).to_have_text("A+")
    expect(page.locator("#mistakes-title")).to_have_text("No mistakes")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pig", {"target": 20}),
        ("dice-battle", {"dice": 3, "target": 25}),
        ("greed", {"max": 20}),
    ],
)
def test_the_coach_says_what_the_solver_says(
    open_page: Any, name: str, rules: dict[str, int]
) -> None:
    # The numbers on the page against those of `explain`, worked out here without the server.
    solution = solve(game(name, **rules))
    page = open_page()
    start(page, name, coach="on", opponent="optimal", starts="me", **rules)
    told = 0
    while settled(page) == "you" and told < 6:
        at = match(page)["position"]["notation"]
        known = explain(solution, at)
        rules_, position = solution.game, solution.game.parse(at)
        said = sentence(rules_, known.moves, per_cent, partial(rules_.spoken, position))
        expect(page.locator("[data-advice]")).to_have_text(solution.advice_at(at) or said)
        rows = page.locator(".moves tr[data-move]")
        page_says = rows.evaluate_all(
            "rows => rows.map(row => [row.dataset.move, ...['value', 'cost'].map("
            "name => Number(row.querySelector(`[data-${name}]`).dataset[name]))])"
        )
        assert len(page_says) == len(known.moves)
        solver_says = {move.move: (float(move.value), float(move.cost)) for move in known.moves}
        for move, value, cost in page_says:
            assert (value, cost) == pytest.approx(solver_says[move], abs=1e-11)
        told += 1
        pick(page, known.moves[0].move)
    assert told >= 2


def test_the_dice_on_the_table_are_those_of_the_server(open_page: Any) -> None:
    page = open_page()
    start(page, "two-dice-pig", opponent="strategy hold-at:5", starts="me", coach="off", target=60)
    pick(page, "roll")
    thrown = [event["dice"] for event in match(page)["events"] if event["dice"]][-1]
    faces = page.locator(".tray .die").evaluate_all("dice => dice.map(die => die.dataset.face)")
    assert [int(face) for face in faces] == thrown


def test_a_reload_in_mid_game_loses_nothing(open_page: Any) -> None:
    page = open_page()
    start(page, "pig", opponent="strategy hold-at:5", starts="me", coach="on", target=40)
    for move in ("roll", "hold", "roll"):
        if any(each["move"] == move for each in match(page)["moves"]):
            pick(page, move)
    before = match(page)
    scores = page.locator(".scores").inner_text()
    advice = page.locator("[data-advice]").inner_text()
    history = page.locator(".log li").all_inner_texts()
    page.reload()
    ready(page)
    settled(page)
    assert match(page) == before
    assert page.locator(".scores").inner_text() == scores
    assert page.locator("[data-advice]").inner_text() == advice
    assert page.locator(".log li").all_inner_texts() == history
    pick(page, before["moves"][0]["move"])
    assert match(page)["ply"] > before["ply"]


def test_dice_roll_where_motion_is_welcome_and_lie_still_where_not(open_page: Any) -> None:
    moving = "document.getAnimations().length"
    for motion, rolls in (("no-preference", True), ("reduce", False)):
        page = open_page(new=True)
        page.emulate_media(reduced_motion=motion)
        page.evaluate("localStorage.setItem('dicelab-pace', 'calm')")
        page.add_init_script("localStorage.setItem('dicelab-pace', 'calm')")
        start(page, "pig", opponent="strategy hold-at:5", starts="me", coach="off", target=40)
        page.keyboard.press("r")
        page.wait_for_selector(".tray .die[data-face]")
        assert (page.evaluate(moving) > 0) == rolls


def test_a_lab_that_is_away_for_a_moment_is_told_and_forgiven(open_page: Any) -> None:
    page = open_page(new=True)
    before = start(page, "pig", opponent="optimal", starts="me", coach="off", target=30)
    page.context.set_offline(True)
    page.locator(".actions-place [data-move='roll']").click()
    expect(page.locator("p.error")).to_have_text(re.compile("^the lab does not answer"))
    page.context.set_offline(False)
    pick(page, "roll")
    assert match(page)["ply"] > before["ply"]
    expect(page.locator("p.error")).to_have_count(0)


def test_a_game_under_way_is_offered_again(open_page: Any) -> None:
    page = open_page(new=True)
    begun = start(page, "pig", opponent="optimal", starts="me", coach="off", target=30)
    visit(page, "/play")
    page.get_by_role("navigation", name="Games under way").get_by_role("link").click()
    page.wait_for_url(f"**/play/{begun['id']}")
    assert match(page) == begun


def tab_to(page: Page, name: str, value: str) -> None:
    """Press Tab until what has the focus is marked with that name and value."""
    for _ in range(60):
        if page.evaluate("name => document.activeElement.dataset[name]", name) == value:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {name} {value}")


def test_everything_can_be_done_with_the_keyboard(open_page: Any) -> None:
    page = open_page(new=True)
    page.locator("body").press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    # To "Change" and to the fields by Tab alone, wherever they are; then the game by its letters.
    tab_to(page, "game", "pig")
    page.keyboard.press("Space")
    tab_to(page, "field", "target")
    page.keyboard.press("Control+a")
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/m*")
    ready(page)
    for _ in range(80):
        if settled(page) == "over":
            break
        ply = match(page)["ply"]
        at_risk = match(page)["position"]["fields"]["at_risk"]
        page.keyboard.press("h" if at_risk >= 5 else "r")
        move_on(page, ply)
    assert match(page)["over"]
    page.keyboard.press("v")
    page.wait_for_url("**/review/*")
    ready(page)
    expect(page.locator("[data-grade]")).to_be_visible()


def test_dice_are_kept_with_number_keys_and_cast_with_enter(open_page: Any) -> None:
    page = open_page()
    start(page, "421-round", coach="off")
    pick(page, "cast")
    document = match(page)
    first = document["position"]["fields"]["thrown"][0]
    page.keyboard.press("1")
    expect(page.locator("[data-die='1']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    move_on(page, document["ply"])
    assert match(page)["position"]["fields"]["aside"] == [first]


def test_dice_once_kept_stay_picked_where_any_die_may_be_cast_again(open_page: Any) -> None:
    page = open_page()
    start(page, "yahtzee-round", coach="off")
    pick(page, "cast")
    page.locator("[data-die='2']").click()
    page.locator("[data-die='4']").click()
    kept = [
        page.locator(f"[data-die='{number}'] [data-face]").get_attribute("data-face")
        for number in (2, 4)
    ]
    ply = match(page)["ply"]
    page.locator(".actions-place [data-move]").click()
    move_on(page, ply)
    for _ in range(2):  # also when the page is opened again
        pressed = page.locator("[data-die][aria-pressed='true'] [data-face]")
        expect(pressed).to_have_count(2)
        assert [die.get_attribute("data-face") for die in pressed.all()] == kept
        page.reload()
        ready(page)
        settled(page)


def test_a_warning_comes_only_for_a_large_mistake(open_page: Any) -> None:
    page = open_page()
    start(page, "pig", opponent="optimal", starts="me", coach="warn", warn_at="0.01", target=10)
    pick(page, "roll")
    assert page.locator(".warning").count() == 0
    # At the target in hand, to roll again would be mad; to hold 2 of 10 is a large mistake.
    while settled(page) == "you" and match(page)["position"]["fields"]["at_risk"] == 0:
        pick(page, "roll")
    ply = match(page)["ply"]
    page.locator(".actions-place [data-move='hold']").click()
    warned = page.locator(".warning")
    expect(warned).to_have_text(re.compile(r"^Holding would cost you \d+\.\d% of the game\.$"))
    assert match(page)["ply"] == ply
    page.get_by_role("button", name="Think again").click()
    expect(warned).to_have_count(0)
    page.locator(".actions-place [data-move='hold']").click()
    page.get_by_role("button", name="Play it all the same").click()
    move_on(page, ply)


@pytest.mark.parametrize(
    ("mode", "said"),
    [("after", "I keep quiet until the game is over."), ("off", "Off. You are on your own.")],
)
def test_a_silent_coach_shows_no_numbers(open_page: Any, mode: str, said: str) -> None:
    page = open_page()
    start(page, "pig", opponent="optimal", starts="me", coach=mode, target=20)
    expect(page.locator(".coach p")).to_have_text(said)
    assert page.locator(".bar, .moves").count() == 0
    page.locator("#coach-mode").select_option("on")
    expect(page.locator("[data-advice]")).to_be_visible()


def test_what_the_engine_refuses_is_told_in_its_words(open_page: Any) -> None:
    page = open_page()
    page.locator("[data-game='pig']").check()
    page.locator("form [data-field='die']").fill("1")
    page.get_by_role("button", name="Throw the dice", exact=True).click()
    expect(page.locator(".error")).to_have_text(re.compile("^pig needs a face besides the 1"))


def test_giving_up_asks_once_more_and_leaves_a_review(open_page: Any) -> None:
    page = open_page()
    start(page, "pig", opponent="optimal", starts="me", coach="off", target=30)
    pick(page, "roll")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really give up?").click()
    expect(page.locator("[data-outcome]")).to_have_attribute("data-outcome", "stopped")
    page.keyboard.press("v")
    page.wait_for_url("**/review/*")
    ready(page)
    expect(page.locator("h1")).to_have_text("The game was stopped before its end.")
    expect(page.locator(".grade")).to_contain_text("You had nothing to decide.")


def test_the_coach_tells_both_chances_and_which_is_which(open_page: Any) -> None:
    page = open_page()
    start(page, "pig", opponent="strategy turtle", starts="me", coach="on", target=50)
    pig = game("pig", target=50)
    perfect, theirs = page.locator("[data-perfect]"), page.locator("[data-against] .bar")
    known, reply = solve(pig).value, best_response(pig, "turtle").solution.value
    expect(theirs).to_have_attribute("data-value", re.compile(f"^{reply:.6f}"[:7]))
    expect(page.locator("[data-against]")).to_contain_text(
        f"Against the turtle, with the best reply to itYou {100 * reply:.1f}%"
    )
    expect(perfect).to_contain_text(f"Against perfect playYou {100 * known:.1f}%")
    expect(page.locator(".coach")).to_contain_text("Advice and costs are those against perfect")


def test_an_opponent_that_chooses_its_own_number_can_be_met(open_page: Any) -> None:
    page = open_page()
    start(page, "dice-battle", opponent="strategy blind", dice=3, target=12)
    assert match(page)["opponent"]["name"] == "blind"


def test_the_newest_games_under_way_are_in_front_and_none_is_lost(open_page: Any) -> None:
    page = open_page(new=True)
    begun = []
    for target in (11, 12, 13, 14, 15):
        visit(page, "/play")
        begun.append(
            start(page, "pig", opponent="optimal", starts="me", coach="off", target=target)
        )
    visit(page, "/play")
    links = page.get_by_role("navigation", name="Games under way").locator("a")
    assert [link.get_attribute("href") for link in links.all()] == [
        f"/play/{one['id']}" for one in reversed(begun)
    ]
    assert [link.is_visible() for link in links.all()] == [True] * 3 + [False] * 2


def test_the_last_score_is_that_of_the_sentence(open_page: Any) -> None:
    page = open_page()
    start(page, "pig", opponent="optimal", starts="me", coach="on", target=12)
    while settled(page) == "you":
        pick(page, advised(page))
    mine, yours = (
        page.locator(f"[data-score='{who}'] .points").inner_text().split("of")[0].strip()
        for who in ("me", "them")
    )
    assert match(page)["result"]["sentence"].endswith(f", {mine} to {yours}.")


def test_a_roll_made_in_another_tab_is_in_the_log(open_page: Any) -> None:
    page = open_page()
    before = start(page, "pig", opponent="strategy turtle", starts="me", coach="off", target=60)
    path = f"/api/matches/{before['id']}/moves"
    page.request.post(path, data={"move": "roll", "ply": before["ply"]})
    page.locator(".actions-place [data-move='roll']").click()
    expect(page.locator("p.error")).to_have_text(re.compile("^the match has moved on"))
    told = [event["text"] for event in match(page)["events"]]
    assert page.locator(".log li span:last-child").all_inner_texts() == told[::-1]


def test_greed_offers_as_many_buttons_as_the_coach_lists(open_page: Any) -> None:
    page = open_page()
    start(page, "greed", opponent="optimal", starts="me", coach="on", max=30)
    listed = page.locator(".moves tr[data-move]").evaluate_all(
        "all => all.map(x => x.dataset.move)"
    )
    assert page.locator(".stepper").count() == 1  # 31 are allowed; those never better are not told
    document = match(page)
    front = [each["move"] for each in document["moves"] if each["front"]]
    assert sorted(front) == sorted(listed)
    expect(page.locator(".actions-place [data-move='throw 0']")).to_have_text("Stop here")


def test_a_newcomer_taps_a_tile_and_is_playing_and_comes_back_to_the_same_game(
    open_page: Any,
) -> None:
    page = open_page("/play", new=True)
    expect(page.locator("form")).to_be_hidden()
    page.locator("[data-play='pig']").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    assert match(page)["opponent"]["label"] == "the classic"
    visit(page, "/play")
    page.get_by_role("button", name="Play again: Pig").click()
    page.wait_for_url("**/play/m*")
    ready(page)
    assert match(page)["opponent"]["name"] == "hold-at:20"
    page.locator("details.rules summary").click()
    rules = page.locator("[data-rules]")
    expect(rules).to_be_visible()
    page.get_by_role("button", name="Keys and help").click()
    expect(page.locator("dialog .rules")).to_have_text(rules.inner_text())
    page.get_by_role("button", name="Close").click()
    visit(page, "/play?game=piglet&target=1")
    page.locator("form [data-field='target']").fill("1")
    page.locator("[data-field='opponent'] [data-choice='strategy']").check()
    page.locator("[data-field='opponent-strategy']").select_option("random")
    expect(page.locator("form [data-strength='random']")).to_have_text(
        re.compile(r"Wins \d+% against perfect play\.")
    )
    expect(page.locator("[data-field='rival'] input:checked")).to_have_value("random")
