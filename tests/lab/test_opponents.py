"""Who sits opposite: strategies by name, people as fitted, and one that adapts."""

import sys

import pytest

import dicelab
from dicelab.people.models import Quantal, plan_of, quantal_at
from lab_rooms import best, whole_lab

PIG = {"target": 20}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=5) as app:
        yield app


def holds_at(points):
    return lambda match: "hold" if match["position"]["fields"]["at_risk"] >= points else "roll"


def play(visitor, game, times, pick, **more):
    for _ in range(times):
        visitor.finish(visitor.begin(game, **more), pick)


def test_there_is_nobody_to_fit_before_the_first_game(ann):
    body = {"game": "pig", "parameters": PIG, "opponent": {"kind": "person"}}
    told = ann.refused("POST", "/api/matches", 400, json=body)
    assert told == "there is no game of pig target=20 of yours to learn from: play one to its end"
    match = ann.begin("pig", {"kind": "adaptive"}, parameters=PIG)
    assert match["opponent"]["says"] == "I have not seen you play this yet, so I play my best."


def test_a_person_who_holds_at_six_is_told_so_and_plays_so(ann):
    play(ann, "pig", 6, holds_at(6), parameters=PIG, opponent="turtle", coach="off")
    match = ann.begin("pig", {"kind": "person"}, parameters=PIG, starts="opponent")
    holds, behind, noise = match["opponent"]["numbers"]
    assert holds == pytest.approx(6, abs=1.5)
    assert abs(behind) < 0.3
    held = [
        event["points"]
        for one in ann.finish(match, best)
        for event in one["events"]
        if event["who"] == "opponent" and event["effect"] == "held"
    ]
    assert held
    assert all(3 <= points <= 12 for points in held)
    assert noise < 3


def test_an_opponent_that_adapts_says_what_it_saw(ann):
    play(ann, "pig", 3, holds_at(2), parameters=PIG, opponent="turtle", coach="off")
    match = ann.begin("pig", {"kind": "adaptive", "margin": 0.05}, parameters=PIG)
    assert match["opponent"]["says"].startswith("I have watched 3 games of yours. You hold at ab")
    assert ann.finish(match, best)[-1]["over"]


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("dice-battle", {"target": 15, "dice": 3}),
        ("dice-battle", {"target": 12, "dice": 3, "variant": "simultaneous"}),
        ("greed", {"max": 12}),
        ("two-dice-pig", {"target": 15}),
    ],
)
@pytest.mark.parametrize("kind", ["person", "adaptive"])
def test_every_game_has_a_person_and_one_that_adapts(ann, game, parameters, kind):
    play(ann, game, 2, best, parameters=parameters, opponent="random")
    match = ann.begin(game, {"kind": kind, "margin": 0.1}, parameters=parameters)
    assert ann.finish(match, best)[-1]["result"]["outcome"] in ("won", "lost", "drawn")
    assert match["opponent"]["numbers"]


def test_asked_at_one_position_a_quantal_person_is_the_plan_of_one():
    solution = dicelab.solve(dicelab.game("dice-battle", target=12, dice=3))
    whole = plan_of(Quantal(solution), [9.0], solution.table)
    for at in ("0-0", "5-9", "11-2"):
        asked = quantal_at(solution, solution.game.parse(at), 9.0)
        for move, chance in whole.move_at(at).items():
            assert float(asked[move]) == pytest.approx(float(chance), abs=2e-6)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "file:/etc/passwd",
            "pig has no strategy 'file'; there is end-race-or-keep-pace, hold-at, noisy, optimal, "
            "random, risk, roll-and-wait, roll-to-win, skip-when-level, turtle",
        ),
        ("os:system", "pig has no strategy 'os'; did you mean 'noisy'?"),
        ("optimal:1", "optimal takes no parameters: got 'optimal:1'"),
        ("hold-at:1,2", "hold-at takes at most 1 parameters: got '1,2'"),
        ("hold-at:x", "hold-at:points must be a whole number: got 'x'"),
        ("roll-and-wait", "roll-and-wait passes with nothing at risk: play pig passing=yes"),
    ],
)
def test_only_strategies_the_game_knows_by_name_are_played(ann, name, told, monkeypatch):
    def never(*_):
        raise AssertionError("nothing may be imported for a visitor")

    monkeypatch.setattr(sys.modules["dicelab.strategies.named"], "imported", never)
    monkeypatch.setattr(sys.modules["dicelab.strategies.named"], "load_strategy", never)
    opponent = {"kind": "strategy", "name": name}
    body = {"game": "pig", "parameters": PIG, "opponent": opponent}
    assert ann.refused("POST", "/api/matches", 400, json=body) == told
    versus = {"game": "pig", "parameters": PIG, "a": name, "b": "turtle"}
    assert ann.refused("POST", "/api/versus", 400, json=versus) == told


def test_a_strategy_that_breaks_the_rules_is_refused_before_the_match(ann):
    body = {"game": "pig", "parameters": PIG, "opponent": {"kind": "strategy", "name": "hold-at:0"}}
    told = ann.refused("POST", "/api/matches", 400, json=body)
    assert told == "hold-at:0 cannot hold at 0-0 +0: you can only roll here"


def test_a_game_for_two_needs_an_opponent(ann):
    body = {"game": "pig", "parameters": PIG, "opponent": {"kind": "nobody"}}
    told = ann.refused("POST", "/api/matches", 400, json=body)
    assert told == "pig target=20 is played by two: name an opponent"


def test_who_never_holds_is_not_told_to_hold_at_more_than_the_target(ann):
    """To 20 nobody can be seen holding at 26: who always rolls is told just that."""
    play(ann, "pig", 6, lambda _: "roll", parameters=PIG, opponent="turtle", coach="off")
    (style,) = ann.get("/api/history", wait=60)["style"]
    assert style["sentence"].startswith("You roll until you win.")
    assert all(point["holds_at"] <= 20 for point in style["curve"])
