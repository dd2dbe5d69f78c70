"""Exploring, strategies against strategies, and the history: the verbs' own numbers."""

import re

import numpy as np
import pytest

import dicelab
from dicelab import WIN
from dicelab.lab.arguments import game_of
from dicelab.rules import Moment
from dicelab.strategies.holding_points import holding_points
from dicelab.verbs.evaluate import evaluate
from lab_rooms import whole_lab

PIG = {"target": 20}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=2) as app:
        yield app


@pytest.fixture(scope="module")
def pig():
    return dicelab.solve(dicelab.game("pig", **PIG))


# The catalogue.


def test_every_registered_game_can_be_chosen_with_all_its_parameters(ann):
    told = {game["name"]: game for game in ann.get("/api/games")["games"]}
    assert set(told) == set(dicelab.all_games())
    for name, kind in dicelab.all_games().items():
        asked = {one["name"]: one["default"] for one in told[name]["parameters"]}
        made = dicelab.game(name)
        # one that is played alone whatever one asks has no such choice
        hidden = {"players"} - set(made.largest) if made.players == 1 else set()
        assert set(asked) == set(made.parameters) - hidden
        given = {key: str(value) for key, value in asked.items() if value is not None}
        assert dicelab.game(name, **given) == dicelab.game(name)
        known = {one["name"] for one in told[name]["strategies"]}
        assert known == {*kind.strategies, "optimal", "random"}
    assert [one["name"] for one in ann.get("/api/strategies", game="pig")["strategies"]] == [
        one["name"] for one in told["pig"]["strategies"]
    ]
    assert (
        ann.refused("GET", "/api/strategies?game=pgi", 404)
        == "no game called 'pgi'; did you mean 'pig'?"
    )


def test_choices_have_words_and_defaults_are_within_their_bounds(ann):
    for game in ann.get("/api/games")["games"]:
        wanted = [*game["parameters"]]
        for strategy in game["strategies"]:
            assert strategy["label"]
            wanted += strategy["parameters"]
        for one in wanted:
            for choice in one.get("choices", []):
                assert set(choice) == {"value", "label"}
                assert choice["label"] != choice["value"]
            if "min" in one and one["default"] is not None:
                assert one["min"] <= one["default"] <= one["max"]


def test_a_checked_game_comes_back_as_it_was_understood(ann):
    told = ann.post("/api/games/check", {"game": "pig", "parameters": {"target": "20", "die": 8}})
    assert (told["title"], told["kind"]) == ("pig target=20 die=8", "turns")
    assert told["parameters"]["die"] == "8"


# Exploring.


def test_a_game_as_a_whole_has_the_value_and_bounds_of_its_solution(ann, pig):
    told = ann.get("/api/explore/pig", **PIG)
    assert (told["value"], told["lower"], told["upper"]) == (pig.value, pig.lower, pig.upper)
    assert (told["positions"], told["opening"]) == (len(pig.table), ["roll"])


def test_the_surface_of_pig_is_its_holding_points(ann, pig):
    points = ann.get("/api/explore/pig/holding", **PIG)["points"]
    expected = holding_points(pig.plan)
    for mine, row in enumerate(points):
        for yours, shown in enumerate(row):
            at = expected.at(mine, yours)
            assert shown == (-1 if np.isnan(at) else None if np.isinf(at) else at)
    fixed = ann.get("/api/explore/pig/holding", strategy="hold-at:7", **PIG)["points"]
    assert fixed[0][0] == 7
    told = ann.refused("GET", "/api/explore/pig/holding?target=20&strategy=random", 400)
    assert told == "random leaves moves to chance: it has no holding points"


def test_a_slice_of_pig_says_what_rolling_and_holding_are_worth(ann, pig):
    told = ann.get("/api/explore/pig/slice", yours=6, **PIG)
    assert (told["axes"], told["yours"], told["most"]) == (["mine", "at_risk"], 6, 19)
    seen = 0
    for mine in range(0, 20, 3):
        for risk in range(2, 20 - mine, 4):
            try:
                values = {one.move: one for one in pig.moves_at(f"{mine}-6 +{risk}")}
            except dicelab.DicelabError:
                assert told["moves"][mine][risk] == "."
                continue
            assert told["roll"][mine][risk] == pytest.approx(values["roll"].value, abs=1e-7)
            assert told["hold"][mine][risk] == pytest.approx(values["hold"].value, abs=1e-7)
            best_move = max(values, key=lambda move: values[move].value)
            assert told["moves"][mine][risk] == best_move[0]
            seen += 1
    assert seen > 10
    told = ann.refused("GET", "/api/explore/pig/slice?target=20&yours=20", 400)
    assert told == "the other bank is 0 to 19: got 20"
    alone = ann.get("/api/explore/solo-pig/slice", turns=3, left=2, **PIG)
    solo = dicelab.solve(dicelab.game("solo-pig", turns=3, **PIG))
    assert alone["values"][5][4] == pytest.approx(solo.value_at("5 +4 (2 left)"), abs=1e-7)
    told = ann.refused("GET", "/api/explore/greed/slice?max=6", 400)
    assert told == "greed max=6 has no slice: ask for boards"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("dice-battle", {"target": 12, "dice": 3}),
        ("dice-battle", {"target": 8, "dice": 3, "variant": "simultaneous"}),
        ("greed", {"max": 10}),
    ],
)
def test_boards_are_those_of_the_solution(ann, name, parameters):
    shown = ann.get(f"/api/explore/{name}/boards", **parameters)["boards"]
    expected = dicelab.solve(dicelab.game(name, **parameters)).boards()
    for one, board in zip(shown, expected, strict=True):
        assert one["name"] == board.name
        assert np.allclose(
            np.array(one["values"], float), board.values.astype(float), atol=1e-6, equal_nan=True
        )
        assert np.array_equal(np.array(one["dice"], float), board.dice, equal_nan=True)
    told = ann.refused("GET", "/api/explore/pig/boards?target=20", 400)
    assert told == "pig target=20 has no board of two scores: ask for holding or slice"


def test_a_position_is_explained_as_the_coach_would(ann, pig):
    told = ann.get("/api/explore/pig/position", at="10-12 +9", **PIG)
    assert told["sentence"] == dicelab.explain(pig, "10-12 +9").sentence
    assert told["value"] == pig.value_at("10-12 +9")
    told = ann.refused("GET", "/api/explore/pig/position?target=20&at=nonsense", 400)
    assert told == "cannot read 'nonsense' as a position of pig: write it like '0-0 +0'"


def test_advice_at_421_answers_a_question_in_words(ann):
    # By hand: with 6 5 1 and goal 421 keep the 1; 53/324 with two casts left.
    path, goal = "/api/explore/421-round/position", {"utility": "goal:421"}
    told = ann.get(path, at="I threw 6 5 1, two casts left, goal 421", **goal)
    assert told["moves"][0]["move"] == "keep 1"
    assert told["exact"] == told["moves"][0]["exact"] == "53/324"
    assert told["sentence"] == (
        "Keep 1. Keeping nothing would cost you 4.8% of the game; the other 6 moves cost more."
    )
    assert ann.get(path, at="651, 2 left", **goal) == told
    about = ann.get("/api/explore/421-round", **goal)
    assert about["exact"] == "42571/186624"  # table 1 of the study
    told = ann.refused("GET", path, 400, params={"at": "threw 651, 2 left, goal 421"})
    assert told == (
        "421-round is played for another worth than the goal 421: "
        "ask with utility=goal:421, or leave the goal out"
    )
    told = ann.refused("GET", path, 400, params={"at": "4+61, 2 left"})
    assert told == "no play of 421-round leads to 4+61, 2 left: try the start, '3 left'"
    told = ann.refused("GET", path, 400, params={"at": "six, two"})
    assert told == (
        "cannot read 'six, two' as a position of 421-round: write the dice aside, those just "
        "thrown and the casts left, like '4+21, 1 left'"
    )
    told = ann.refused("GET", "/api/explore/421-round/boards", 400)
    assert told == "421-round has no board of two scores: ask for a position"


# Strategy against strategy.


def test_a_meeting_is_evaluated_exactly(ann, pig):
    told = ann.post(
        "/api/versus", {"game": "pig", "parameters": PIG, "a": "turtle", "b": "optimal"}
    )
    found = evaluate(pig.table, "turtle", "optimal")
    assert told["overall"] == float(found.overall)
    assert told["a_first"]["a_wins"] == float(found.a_first.a_wins)
    assert told["sentence"] == (
        f"turtle wins {100 * found.overall:.1f}% of games against perfect play when they take "
        f"turns in starting."
    )


def test_a_painted_map_plays_like_the_strategy_it_draws(ann):
    # Every way to paint hold at 7 meets hold-at:7 evenly, and fares alike against another.
    size = PIG["target"]
    ways = [
        {"painted": "holds", "holds": 7},
        {"painted": "holds", "holds": [7] * size},
        {"painted": "holds", "holds": [[7] * size] * size},
        {"painted": "grid", "grid": ["r" * 7 + "h"]},
        {"painted": "grid", "grid": ["r" * 7] * size},
    ]
    asked = {"game": "pig", "parameters": PIG, "b": "roll-to-win"}
    named = ann.post("/api/versus", {**asked, "a": "hold-at:7"})
    for way in ways:
        told = ann.post("/api/versus", {**asked, "a": {**way, "name": "mine"}})
        assert told["overall"] == named["overall"]
        assert told["a"] == "mine"
    never = ann.post("/api/versus", {**asked, "a": {"painted": "holds", "holds": None}})
    assert never["overall"] == pytest.approx(0.5, abs=1e-12)


def test_painted_numbers_of_dice_play_like_a_blind_player(ann):
    battle = {"game": "dice-battle", "parameters": {"target": 12, "dice": 3}}
    painted = {"painted": "dice", "dice": [[2] * 12] * 12}
    told = ann.post("/api/versus", {**battle, "a": painted, "b": "blind:2"})
    assert told["overall"] + told["a_first"]["draws"] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "painted", "told"),
    [
        (
            "pig",
            {"painted": "holds", "holds": [1, 2]},
            "a map of pig target=20 has 20 lines, one for each bank: got 2",
        ),
        (
            "pig",
            {"painted": "holds", "holds": [[1]] * 20},
            "line 0 of a map of pig target=20 has 20 numbers: got 1",
        ),
        (
            "pig",
            {"painted": "grid", "grid": ["rx"]},
            "a grid has r for roll and h for hold: got 'rx'",
        ),
        (
            "pig",
            {"painted": "grid"},
            "a grid of pig target=20 has a line of r and h for each bank: got none",
        ),
        (
            "pig",
            {"painted": "dice", "dice": [[1]]},
            "pig target=20 is painted as a grid of r and h: got 'dice'",
        ),
        (
            "dice-battle",
            {"painted": "grid", "grid": ["r"]},
            "dice-battle target=20 is painted as numbers of dice: got 'grid'",
        ),
        (
            "dice-battle",
            {"painted": "dice", "dice": [[1]]},
            "a map of dice-battle target=20 is 20 x 20: got 1 x 1",
        ),
    ],
)
def test_a_map_that_does_not_fit_is_refused(ann, game, painted, told):
    body = {"game": game, "parameters": PIG, "a": painted, "b": "random"}
    assert ann.refused("POST", "/api/versus", 400, json=body) == told


def test_nobody_beats_a_best_reply(ann):
    body = {"game": "pig", "parameters": PIG, "to": "turtle"}
    reply = ann.post("/api/versus/reply", body)
    expected = dicelab.best_response(dicelab.game("pig", **PIG), "turtle")
    assert reply["overall"] == pytest.approx(expected.overall, abs=1e-12)
    assert reply["holding"]["axes"] == ["mine", "yours"]
    for name in ("optimal", "hold-at:10", "roll-to-win"):
        versus = {"game": "pig", "parameters": PIG, "a": name, "b": "turtle"}
        assert ann.post("/api/versus", versus)["overall"] <= reply["overall"] + 1e-12


def test_who_plays_alone_meets_nobody_in_a_tournament(ann):
    asked = {"game": "421-round", "parameters": {}, "strategies": ["optimal", "random"]}
    told = ann.refused("POST", "/api/versus/tournament", 400, json=asked)
    assert told == (
        "421-round is played alone: nobody meets anybody; dicelab tournament ranks its strategies"
    )


def test_a_tournament_is_the_verbs_own_with_a_painted_strategy_in_it(ann):
    mine = {"painted": "holds", "name": "mine", "holds": 10}
    names = ["optimal", "turtle", "hold-at:8", mine]
    told = ann.post(
        "/api/versus/tournament", {"game": "pig", "parameters": PIG, "strategies": names}
    )
    expected = dicelab.tournament(
        dicelab.game("pig", **PIG), ["optimal", "turtle", "hold-at:8", "hold-at:10"]
    )
    assert np.allclose(told["wins"], expected.wins, atol=1e-8)
    assert told["names"] == ["optimal", "turtle", "hold-at:8", "mine"]
    assert told["champion"] == "optimal"


# History.


def test_before_the_first_game_there_is_no_history(ann):
    told = ann.get("/api/history")
    assert (told["games"], told["enough"]) == ([], False)
    assert told["note"] == "play a game to its end to see how you do"


def test_a_history_without_styles_says_whether_they_are_to_come(ann):
    for number in range(3):
        told = ann.get("/api/history", styles="no")
        assert (told["style"], told["styles_to_come"]) == ([], False)
        assert len(told["games"]) == number
        ann.finish(
            ann.begin("pig", "turtle", parameters=PIG, coach="off"),
            lambda match: match["moves"][-1]["move"],
        )
    told = ann.get("/api/history", styles="no")
    assert (told["style"], told["styles_to_come"]) == ([], True)
    whole = ann.get("/api/history")
    assert {**whole, "style": [], "styles_to_come": True} == told
    assert len(whole["style"]) == 1


def test_a_match_of_a_game_that_is_gone_does_not_close_the_history(ann, lab):
    for _ in range(2):
        ann.finish(ann.begin("pig", "turtle", parameters=PIG, coach="off"), lambda _: "roll")
    store = lab.state.lab.store
    gone = ann.get("/api/matches")["matches"][0]["id"]
    with store.writing() as file:
        file.execute("UPDATE matches SET game = 'gone' WHERE id = ?", (gone,))
    assert [one["id"] for one in ann.get("/api/history")["games"]] != []
    assert gone not in [one["id"] for one in ann.get("/api/history")["games"]]
    assert ann.get("/api/matches")["matches"][0]["score"] == ""


def test_the_history_adds_up_and_names_the_habit_that_costs_most(ann):
    def timid(match):  # holds whatever there is
        return match["moves"][-1]["move"]

    reviews = []
    for _ in range(4):
        last = ann.finish(ann.begin("pig", "turtle", parameters=PIG, coach="off"), timid)[-1]
        reviews.append(ann.get(f"/api/reviews/{last['id']}"))
    told = ann.get("/api/history", game="pig")
    assert [game["id"] for game in told["games"]] == [review["id"] for review in reviews]
    cost = sum(review["you"]["cost"] for review in reviews)
    unforced = sum(review["you"]["unforced"] for review in reviews)
    (total,) = told["totals"]
    assert total["played"] == 4
    assert total["cost_per_game"] == pytest.approx(cost / 4)
    assert total["error_per_decision"] == pytest.approx(cost / unforced)
    assert told["progress"][0]["points"][-1]["average"] == pytest.approx(cost / unforced)
    (style,) = told["style"]
    assert style["sentence"].startswith("You hold at about ")
    assert style["change"]["way"] == "more"
    assert style["change"]["sentence"].startswith("Roll on longer when you are ")
    assert 0 < style["change"]["gain"] <= cost / 4 + 1e-12
    assert 0 < style["costs"]["overall"] < 0.5  # worse than the optimum against itself
    people = ann.get("/api/people")["people"]
    assert [one["title"] for one in people if one["record"] == "me"] == ["pig target=20"]


def test_every_game_tells_its_rules_in_three_sentences(ann):
    for game in ann.get("/api/games")["games"]:
        sentences = re.split(r"(?<=[.?!]) ", game["about"])
        assert len(sentences) == 3, (game["name"], game["about"])
        assert all(one[0].isupper() or one[0].isdigit() for one in sentences), game["about"]


def test_a_few_games_are_in_front_and_each_has_dice_on_its_tile(ann):
    games = ann.get("/api/games")["games"]
    assert [game["front"] for game in games] == [True] * 8 + [False] * (len(games) - 8)
    for game in games:
        faces, sides = game["tile"]["faces"], game["tile"]["sides"]
        assert 1 <= len(faces) <= 5, game["name"]
        assert max(faces) <= sides, game["name"]
    shown = [tuple(game["tile"]["faces"]) for game in games if game["front"]]
    assert len(set(shown)) == len(shown)  # one is told from another before its name is read


def won_at_once(target):
    """Return how often the first throw of Farkle can win."""
    rules = dicelab.game("farkle", target=target)

    def wins(then):
        ways = rules.open_ways(then.at) if isinstance(then.at, Moment) else [then]
        return any(rules.result(way.at) == WIN for way in ways)

    return sum(chance for chance, then in rules.law(rules.start(), "roll") if wins(then))


def test_a_tap_begins_a_game_that_its_first_throw_seldom_wins(ann):
    (farkle,) = (game for game in ann.get("/api/games")["games"] if game["name"] == "farkle")
    assert won_at_once("1000") > 0.06  # by three 1s: 1 - (5^6 + 6 5^5 + 15 5^4) / 6^6 is 6.2%
    assert won_at_once(farkle["tile"]["rules"]["target"]) < 0.001


def test_what_a_game_says_is_the_largest_may_be_asked_for(ann):
    for game in ann.get("/api/games")["games"]:
        bounded = dicelab.game(game["name"]).largest.keys() & {"target", "max", "turns"}
        for each in game["parameters"]:
            if each["name"] in bounded:
                made = game_of(game["name"], {each["name"]: each["max"]}, 10**10)
                assert made.parameters[each["name"]] == each["max"]


def test_opponents_have_names_and_say_how_they_play(ann):
    for game in ann.get("/api/games")["games"]:
        assert [one["strategy"] for one in game["people"]] in ([], game["rivals"])
        for one in game["people"]:
            assert one["name"], game["name"]
            assert one["says"].endswith("."), (game["name"], one)
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20}, coach="off")
    assert match["opponent"]["label"] == "the classic"


def test_how_strong_an_opponent_is_stands_beside_its_name(ann):
    # Holding after every head, at Piglet to 1, is the only play there is: each wins half.
    found = ann.get("/api/versus/piglet/strengths", target=1)["strengths"]
    told = {one["strategy"]: one["sentence"] for one in found}
    assert told["hold-at:1"] == "wins 50% against perfect play"
    assert "optimal" not in told
    drawn = ann.get("/api/versus/greed/strengths", max=10, sides=4)["strengths"][0]
    met = dicelab.evaluate(dicelab.game("greed", max=10, sides=4), "aim-at", "optimal")
    assert drawn["share"] == pytest.approx(met.overall + 0.5 * float(met.draws))
    assert drawn["sentence"].endswith("% against perfect play, a draw counting half")
    # Its solver takes hundreds of points, but to evaluate a strategy its table is written out.
    assert ann.get("/api/versus/greed/strengths", max=250)["strengths"] == []


def test_many_numbers_have_a_sensible_one_among_them(ann):
    match = ann.begin("greed", "optimal", starts="me", coach="off")
    # 26 dice: 91 + sqrt(26 * 35/12) = 99.7 is within 100, and 27 dice are not.
    assert [one["number"] for one in match["moves"] if one["sensible"]] == [26]
    assert [one["number"] for one in match["moves"]] == list(range(101))
