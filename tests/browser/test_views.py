"""What the other pages show, and that anybody can use them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.person import drawn, pick, played, ready, serious_faults, settled, start, visit
from dicelab import best_response, evaluate, game, solve, tournament

DATA = Path(__file__).parents[2] / "docs" / "data"


def near(page: Page, name: str, known: float, apart: bool = False) -> None:
    """Wait until a number on the page is the one known, or is no longer."""
    page.wait_for_function(
        "([name, known, apart]) => { const node = document.querySelector(`[data-${name}]`);"
        " return node && (Math.abs(node.dataset[name] - known) > 1e-9) === apart }",
        arg=[name, known, apart],
    )


@pytest.fixture
def reviewed(open_page: Any) -> str:
    """The address of the review of a game somebody has played."""
    return f"/review/{played(open_page())}"


def test_the_link_to_a_review_reopens_it_for_anybody(open_page: Any, reviewed: str) -> None:
    page = open_page(reviewed)
    told, stats = page.locator("h1").inner_text(), page.locator(".stats").inner_text()
    assert page.locator(".stat").count() == 7
    # The arrow keys walk from the first decision to the second, and back no further than the first.
    place = page.locator("[data-walk-at]")
    for key, at in [("ArrowRight", "2"), ("ArrowLeft", "1"), ("ArrowLeft", "1")]:
        page.keyboard.press(key)
        expect(place).to_have_attribute("data-walk-at", at)
    name = page.request.get("/api/me").json()["player"]["name"]
    other = open_page(reviewed, new=True)
    # The friend is told who played, and never "you".
    assert told.startswith("You ")
    begins = f"{name[:1].upper()}{name[1:]}"
    assert other.locator("h1").inner_text() == told.replace("You", begins, 1)
    assert other.locator(".stats").inner_text() == stats.replace("your luck", f"{name}'s luck")
    assert "You" not in other.locator("main").inner_text().replace("Play a game yourself", "")


def test_the_review_orders_mistakes_by_cost_and_adds_them_up(open_page: Any) -> None:
    # Piglet to 4, held after every point: surely some mistakes. Costs are from the server's review.
    page = open_page()
    start(page, "piglet", opponent="strategy hold-at:2", starts="me", coach="off", target=4)
    while settled(page) == "you":
        buttons = page.locator(".actions-place [data-move]").evaluate_all(
            "all => all.map(each => each.dataset.move)"
        )
        pick(page, "hold" if "hold" in buttons else "roll")
    number = page.url.split("/")[-1]
    review = page.request.get(f"/api/reviews/{number}").json()
    visit(page, f"/review/{number}")
    costs = page.locator(".mistake [data-cost]").evaluate_all(
        "all => all.map(each => Number(each.dataset.cost))"
    )
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) == pytest.approx(review["you"]["cost"], abs=1e-9)
    assert page.locator(".mistake .position").count() == len(costs) > 0
    # Moves count from 1, as the points of the curve do after its start.
    plies = [point["ply"] for point in review["curve"]]
    places = [plies.index(mistake["ply"]) for mistake in review["mistakes"]]
    heads = [text.partition(":")[0] for text in page.locator(".mistake h3").all_inner_texts()]
    assert heads == [f"Move {place}" for place in places]
    drawn(page)


def test_history_tells_progress_style_and_the_change_that_helps(open_page: Any) -> None:
    page = open_page(new=True)
    played(page)
    visit(page, "/history")
    # One game tells nothing about a style.
    expect(page.locator("[data-style]")).to_have_count(0)
    expect(page.locator(".note")).to_have_text(re.compile("^Your style can be told after 3 games"))
    for _ in range(5):
        played(page)
    visit(page, "/history")
    expect(page.locator(".totals tbody tr")).to_have_count(1)
    expect(page.locator(".totals tbody tr")).to_be_visible()
    expect(page.locator(".items a")).to_have_count(6)
    expect(page.locator("[data-style] .advice")).to_have_text(re.compile("^You hold at about"))
    drawn(page)


def test_history_is_kind_to_who_has_none(open_page: Any) -> None:
    page = open_page("/history", new=True)
    expect(page.locator(".empty h2")).to_have_text("Nothing here yet")


def test_a_name_is_shown_as_text_whatever_is_in_it(open_page: Any) -> None:
    page = open_page("/history", new=True)
    page.evaluate("window.bitten = 0")
    name = "<img src=x onerror=bitten=1>"
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".hint")).to_have_text(f"You are {name} now.")
    assert page.locator(".hint img").count() == 0
    assert page.evaluate("window.bitten") == 0


def test_the_slider_solves_pig_anew_while_you_look(open_page: Any) -> None:
    page = open_page("/explore?game=pig&target=20")
    near(page, "worth", solve(game("pig", target=20)).value)
    page.locator("[data-field='target']").press("ArrowRight")
    near(page, "worth", solve(game("pig", target=21)).value)
    assert page.url.endswith("target=21")


def test_an_answer_about_a_position_is_renewed_when_a_rule_changes(open_page: Any) -> None:
    page = open_page("/explore?game=pig&target=30")
    page.locator("#at").fill("10-12 +9")
    page.get_by_role("button", name="Ask", exact=True).click()
    near(page, "answer", solve(game("pig", target=30)).value_at("10-12 +9"))
    page.locator("[data-field='target']").press("ArrowLeft")
    near(page, "answer", solve(game("pig", target=29)).value_at("10-12 +9"))
    expect(page.locator("#at")).to_have_value("10-12 +9")


def test_an_address_that_leads_nowhere_is_a_page(open_page: Any) -> None:
    page = open_page("/study", new=True)
    answer = page.goto("/nonsense")
    assert answer.status == 404
    ready(page)
    expect(page.locator("h1")).to_have_text("There is no such page")
    assert page.request.get("/nonsense").json()["error"]["kind"] == "NotFound"


def test_only_a_surface_to_turn_fetches_a_library(open_page: Any) -> None:
    page = open_page("/study", new=True)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    visit(page, "/explore?game=pig&target=20")
    drawn(page)
    assert [one for one in fetched if "vendor" in one] == []
    page.locator("[data-choice='surface']").check()
    expect(page.locator(".chart.tall[data-drawn]")).to_have_count(1, timeout=60_000)
    assert any("plotly" in one for one in fetched)


def test_a_map_can_be_walked_with_the_arrow_keys(open_page: Any) -> None:
    page = open_page("/explore?game=dice-battle&dice=2&target=8")
    board = page.locator("[data-walk]").first
    board.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    said = page.locator(".readout").first
    expect(said).to_have_text(re.compile(r"^You have 1, the other player 2: throw 2 dice; "))
    value = float(re.search(r"; (\S+)% to win\.$", said.inner_text()).group(1))
    known = solve(game("dice-battle", dice=2, target=8)).value_at("1-2")
    # A gain of -1 is a game lost for sure, one of 1 a game won.
    assert value == pytest.approx(50 * (float(known) + 1), abs=0.05)


def test_a_map_tells_what_the_pointer_is_on(open_page: Any) -> None:
    page = open_page("/explore?game=dice-battle&dice=2&target=8")
    drawn(page)
    page.locator(".chart.map").first.hover()
    said = page.locator(".readout").first
    expect(said).to_have_text(re.compile(r"^You have [34], the other player [34]: throw \d "))


def test_solving_shows_its_progress(open_page: Any) -> None:
    page = open_page("/study", new=True)
    job = {"id": "j1", "what": "solving pig target=20", "progress": 0.42, "seconds": 1.0}
    asked = []

    def slow(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) < 4:
            route.fulfill(status=202, json={"job": job})
        else:
            route.continue_()

    page.route(re.compile("/api/explore/pig[?]"), slow)
    visited = "document.querySelector('.progress-place span')?.textContent"
    page.evaluate(
        "() => { window.told = []; setInterval(() => window.told.push("
        + visited
        + "), 10); history.pushState(null, '', '/explore?game=pig&target=20');"
        " dispatchEvent(new PopStateEvent('popstate')); }"
    )
    ready(page)
    assert "Solving pig target=20: 42%" in page.evaluate("window.told")
    expect(page.locator(".progress-place")).to_be_hidden()
    expect(page.locator("[data-summary]")).to_be_visible()


def test_a_browser_without_webgl_gets_the_map_and_a_sentence(open_page: Any) -> None:
    page = open_page("/study", new=True)
    page.add_init_script(
        "const real = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest); }"
    )
    page.goto("/explore?game=pig&target=20")
    ready(page)
    page.locator("[data-choice='surface']").check()
    expect(page.locator(".note")).to_have_text(re.compile("^This browser has no WebGL"))
    page.locator("[data-choice='map']").check()
    drawn(page)


@pytest.mark.parametrize("name", ["greed&max=10&die=3", "solo-pig&target=20", "piglet"])
def test_every_kind_of_game_has_its_maps(open_page: Any, name: str) -> None:
    page = open_page(f"/explore?game={name}")
    drawn(page)
    expect(page.locator("[data-summary]")).to_be_visible()
    assert page.locator(".error").count() == 0


def test_what_to_keep_in_421_can_be_asked_in_words_and_with_dice(open_page: Any) -> None:
    # 53/324 with a 1 kept of 6 5 1 and two casts to come: 1 - ... by the exact round, see docs.
    page = open_page("/explore?game=421-round&utility=goal:421")
    card = page.locator("section", has_text="Ask about a position")
    advice = page.locator("[data-answer]")
    expect(advice).to_contain_text("Keep 1. Keeping nothing would cost you 4.8% of the game")
    expect(card).to_contain_text("Chance to make it 16.4%, exactly 53/324.")
    page.locator("#at").fill("goal 421, have 4, threw 61, 1 cast left")
    page.get_by_role("button", name="Ask", exact=True).click()
    # One die to show a 2: 1/6, as docs and README have it.
    expect(advice).to_contain_text("Keep 41.")
    expect(card).to_contain_text("16.7%, exactly 1/6.")
    page.get_by_role("button", name=re.compile("^Die 2 shows 6")).click()
    expect(page.locator("#at")).to_have_value("4+11, 1 left")
    expect(advice).to_contain_text("Keep 41.")


def test_two_named_strategies_meet_exactly(open_page: Any) -> None:
    page = open_page("/versus?game=pig&target=20")
    page.locator("[data-field='a'] [data-choice='named']").check()
    page.locator("[data-field='a-strategy']").select_option("hold-at")
    page.locator("[data-field='points']").first.fill("10")
    page.locator("[data-field='points']").nth(1).fill("15")
    pig = game("pig", target=20)
    said = page.locator("[data-overall]")
    known = evaluate(pig, "hold-at:10", "hold-at:15").overall
    near(page, "overall", known)
    expect(said).to_contain_text("Hold at 10")
    reply = best_response(pig, "hold-at:10").overall
    near(page, "reply", reply)


def test_a_painted_map_is_a_strategy_like_any_other(open_page: Any) -> None:
    # Untouched, the map rolls below 20: that is hold-at:20. One stroke, and it is another.
    page = open_page("/versus?game=pig&target=30")
    known = evaluate(game("pig", target=30), "hold-at:20", "hold-at:20").overall
    near(page, "overall", known)
    page.locator("[data-field='brush'] [data-choice='1']").check()
    page.locator("canvas.paint").focus()
    for key in ["Shift+ArrowLeft"] * 3 + ["Space"]:  # to the first turn, with nothing banked
        page.keyboard.press(key)
    near(page, "overall", known, apart=True)


def test_a_tournament_finds_its_champion(open_page: Any) -> None:
    page = open_page("/versus?game=pig&target=20")
    page.get_by_role("button", name="Hold the tournament").click()
    said = page.locator("[data-champion]")
    names = ["hold-at:10", "hold-at:15", "hold-at:20", "hold-at:25", "random", "optimal"]
    champion = tournament(game("pig", target=20), names).champion
    expect(said).to_have_attribute("data-champion", champion or "")


def test_the_questions_of_the_study_are_kept(open_page: Any) -> None:
    page = open_page("/study", new=True)
    page.locator("[data-choice='averse']").check()
    page.locator("[data-field='lottery_10'] [data-choice='b']").check()
    page.get_by_role("button", name="Keep my answers").click()
    expect(page.locator("form .hint")).to_have_text(re.compile("^Thank you"))
    page.reload()
    ready(page)
    expect(page.locator("[data-choice='averse']")).to_be_checked()
    expect(page.locator("[data-field='lottery_10'] [data-choice='b']")).to_be_checked()


def test_the_administrator_reads_records_in_and_sees_the_study(open_page: Any) -> None:
    page = open_page("/admin")
    page.locator("#csv").set_input_files(DATA / "forms.csv")
    # 15 games of 30 made-up people, as docs/people.md has them.
    expect(page.locator("[data-study]")).to_have_text(re.compile("30 players"), timeout=90_000)
    expect(page.locator("table.data tbody tr").first).to_contain_text("averse")
    page.locator(".plots").scroll_into_view_if_needed()
    expect(page.locator("img.plot")).to_have_count(2, timeout=90_000)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Tracker form", exact=True).click()
    assert "player,preference" in Path(waiting.value.path()).read_text()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)


def test_a_record_with_a_wrong_row_is_refused_with_its_number(
    open_page: Any, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("game,seat,player,turn,rolls,banked\n14,1,ann,1,2,3\n")
    page = open_page("/admin")
    page.locator("#csv").set_input_files(wrong)
    expect(page.locator("[role=status] .error")).to_have_text(
        "row 2 cannot be: 3 points in 2 rolls: they score 4 to 12, or bust"
    )


def test_no_page_is_wider_than_a_small_phone(open_page: Any, places: list[str]) -> None:
    page = open_page()
    page.set_viewport_size({"width": 360, "height": 740})
    found = {}
    for path in places:
        visit(page, path)
        small = page.locator("main").evaluate(
            "main => [...main.querySelectorAll('a.button, button, select, summary')].filter("
            "node => node.offsetParent && node.getBoundingClientRect().height < 44)"
            ".map(node => node.textContent)"
        )
        found[path] = page.evaluate("document.documentElement.scrollWidth"), small
    page.set_viewport_size({"width": 1280, "height": 900})
    assert found == dict.fromkeys(places, (360, []))


def test_axe_finds_nothing_serious_on_any_page(open_page: Any, places: list[str]) -> None:
    page = open_page()
    for path in places:
        visit(page, path)
        assert serious_faults(page) == []
        page.emulate_media(color_scheme="dark")
        assert serious_faults(page, only="color-contrast") == []
        page.emulate_media(color_scheme="light")


def test_help_is_a_dialog_that_gives_the_focus_back(open_page: Any) -> None:
    page = open_page()
    page.locator("#help-button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert serious_faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#help-button")).to_be_focused()


def test_the_dice_to_press_show_the_position_asked_about(open_page: Any) -> None:
    page = open_page("/explore?game=421-round")
    shown = page.locator(".tray .die")

    def faces() -> list[int]:
        return [int(face) for face in shown.evaluate_all("all => all.map(x => x.dataset.face)")]

    expect(page.locator("#at")).to_have_value("651, 2 left")
    expect(page.locator("[data-answer]")).to_be_visible()
    assert faces() == [6, 5, 1]
    page.locator("#at").fill("4+21, 1 left")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("button", name="aside")).to_have_count(1)
    assert faces() == [4, 2, 1]
    page.get_by_role("button", name="Die 3 shows 1").click()  # stays in its place
    expect(page.locator("#at")).to_have_value("4+22, 1 left")
    assert faces() == [4, 2, 2]


def test_a_die_of_other_faces_and_every_rule_is_kept_in_explore(open_page: Any) -> None:
    page = open_page("/explore?game=pig&target=10&die=1,2,2,3&passing=yes")
    known = solve(game("pig", target=10, die="1,2,2,3", passing="yes"))
    worth = re.compile(re.escape(f"{known.value:.9f}"[:9]))
    expect(page.locator("[data-summary]")).to_have_attribute("data-worth", worth)
    expect(page.locator("[data-field='die']")).to_have_value("1,2,2,3")
    expect(page.locator("[data-field='passing']")).to_be_checked()
