"""Why the coach advises what it does: the fan of the next throw, and the rule of thumb."""

import time
from dataclasses import dataclass
from fractions import Fraction

import pytest

from dicelab import LOSS, OTHER, HouseRules, solve
from dicelab.errors import DicelabError
from dicelab.games.farkle import Farkle
from dicelab.lab import catalogue, fan
from dicelab.lab.arguments import game_of
from lab_rooms import Visitor, best, open_lab, worst

CHANCE = Fraction(1, 6)


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    return Visitor(open_lab(tmp_path_factory.mktemp("why"), seed=4))


def at(name, position, **given):
    """Return the fan at a position of a game."""
    game = game_of(name, given, 10**9)
    return fan.fan(solve(game), game.read(position))


def test_piglet_by_hand():
    """At Piglet to 2 with heads thrown, rolling is worth 5/7 and holding 3/5, as review.md says.

    Heads wins; so tails, which passes the turn, leaves 2 (5/7) - 1 = 3/7.
    """
    found = at("piglet", "0-0 +1", target=2)
    won, bust = found["rows"]
    assert (won["kind"], won["chance"], won["value"]) == ("won", 0.5, 1.0)
    assert (bust["kind"], bust["chance"]) == ("bust", 0.5)
    assert bust["value"] == pytest.approx(3 / 7)
    assert found["title"] == "If you roll"
    (held,) = found["still"]
    assert held["value"] == pytest.approx(3 / 5)
    assert held["sentence"] == "Holding leaves 60.0% to win."
    assert found["sentence"] == "On average that is 71.4% to win against perfect play."


def test_pig_has_six_faces_and_one_bust():
    found = at("pig", "30-12 +9")
    assert [row["throws"] for row in found["rows"]] == [[[face]] for face in (6, 5, 4, 3, 2, 1)]
    assert [row["kind"] for row in found["rows"]] == ["", "", "", "", "", "bust"]
    assert [row["label"] for row in found["rows"]][:2] == ["at risk 15", "at risk 14"]
    assert {row["chance"] for row in found["rows"]} == {float(CHANCE)}


def test_faces_that_win_stand_together():
    won, two, bust = at("pig", "85-80 +12")["rows"]
    assert won["throws"] == [[3], [4], [5], [6]]
    assert won["label"] == "you win"
    assert won["chance"] == pytest.approx(4 / 6)
    assert two["throws"] == [[2]]
    assert bust["kind"] == "bust"


@dataclass(frozen=True)
class Heap(HouseRules):
    """Take one or two matches; a coin may take one more. Who takes the last wins."""

    matches: int = 7

    def start(self):
        return self.matches

    def choices(self, at):
        return ["take 1", "take 2"] if at > 1 else ["take 1"]

    def outcomes(self, at, move):
        left = at - int(move[-1])
        yield Fraction(2, 3), left, OTHER
        yield Fraction(1, 3), max(0, left - 1), OTHER

    def result(self, at):
        return LOSS if at == 0 else None


def test_a_game_of_ones_own_has_a_fan_too():
    """From two matches, taking both wins; else one is left for the other, or none."""
    two = fan.fan(solve(Heap()), 2)
    assert two["move"] == "take 1"
    won, left = sorted(two["rows"], key=lambda row: -row["value"])
    assert (won["kind"], won["label"], won["chance"]) == ("won", "you win", pytest.approx(1 / 3))
    assert (left["kind"], left["label"], left["value"]) == ("", "1", 0.0)
    assert [each["sentence"] for each in two["still"]] == ["Taking 2 leaves 100.0% to win."]


WHERE = [
    ("pig", "30-12 +9", {}),
    ("pig", "3-2-0 +4", {"target": 10, "players": 3}),
    ("two-dice-pig", "30-12 +9", {"target": 50}),
    ("solo-pig", "30 +9", {}),
    ("dice-battle", "60-70", {}),
    ("greed", "60-70", {}),
    ("hog", "60-70", {}),
    ("farkle", "400-500 +200 (3 dice)", {}),
    ("421-round", "651, 2 left", {}),
    ("yahtzee-round", "65111, 2 left", {}),
    ("shut-the-box", "1 2 3 4 5 6 7 8 9 threw 7", {}),
    ("ur", "0-0 7/10", {}),
    ("craps", "come-out", {}),
]


@pytest.mark.parametrize(("name", "position", "given"), WHERE, ids=str)
def test_the_mean_over_a_fan_is_what_the_move_is_worth(name, position, given):
    """The chances add up to 1, and the solver found the same value without looking at rows."""
    found = at(name, position, **given)
    rows = found["rows"]
    assert 1 < len(rows) <= fan.MOST_ROWS
    assert sum(row["chance"] for row in rows) == pytest.approx(1, abs=1e-12)
    assert sum(row["chance"] * row["value"] for row in rows) == pytest.approx(found["value"])
    assert all(row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9 for row in rows)
    assert all(row["label"] or row["throws"] for row in rows)


def test_a_fan_asks_the_rules_of_a_throw_once(monkeypatch):
    """Once for the rows, and once for the values of all throws: not again for each of them."""
    asked = []
    rules = Farkle.outcomes
    found = solve(Farkle(target=300))
    monkeypatch.setattr(Farkle, "outcomes", lambda *given: asked.append(given[2]) or rules(*given))
    fan.rows_of(found, found.game.start(), "roll")
    assert len(asked) <= 3


def test_a_fan_follows_a_choice_to_the_next_throw():
    found = at("shut-the-box", "1 2 3 4 5 6 7 8 9 threw 7")
    assert found["title"] == "If you shut 7 and then throw 2 dice"


def test_a_game_at_once_has_no_next_throw():
    assert at("undercut", "24-28") is None


def test_every_game_of_the_lab_has_a_fan_or_none():
    """Whatever a game is like, its start can be asked about."""
    for told in catalogue.games(()):
        name = told["name"]
        try:
            game = game_of(name, {}, 10**9)
            if game.engine or (game.size() or 0) > 20_000 or game.solver:
                continue
            found = fan.fan(solve(game), game.start())
        except DicelabError:
            continue
        assert found is None or found["rows"], name


def test_the_reasons_of_a_match(ann):
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20}, start="5-3 +6")
    why = ann.get(f"/api/matches/{match['id']}/why")
    assert why["ply"] == 0
    assert why["fan"]["move"] == "roll"
    assert why["fan"]["value"] == pytest.approx(match["coach"]["moves"][0]["value"])


def ruled(ann, match):
    """Return the reasons of a match once its rule of thumb is found."""
    end = time.monotonic() + 120
    while (why := ann.get(f"/api/matches/{match['id']}/why"))["pending"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    return why


def test_the_rule_of_thumb_tells_its_cost_and_what_it_says_here(ann):
    """To 20, it is best never to hold (the page of distil has it): so that costs nothing."""
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20})
    rule = ruled(ann, match)["rule"]
    assert rule["sentence"] == (
        "Rule of thumb: roll. Who always follows it gives away 0.0% of the game. "
        "Here it says to roll, and so does best play."
    )
    assert (rule["move"], rule["fits"]) == ("roll", True)
    assert rule["cost"] == pytest.approx(0, abs=1e-9)


def test_a_rule_of_thumb_says_where_it_is_wrong(ann):
    """At Solo Pig to 30 a rule of two numbers errs somewhere; there it says what that costs."""
    match = ann.begin("solo-pig", "nobody", parameters={"target": 30})
    assert ruled(ann, match)["rule"] is not None
    for at_risk in range(2, 30):
        match = ann.begin("solo-pig", "nobody", parameters={"target": 30}, start=f"0 +{at_risk}")
        rule = ruled(ann, match)["rule"]
        good = {one["move"] for one in match["coach"]["moves"] if one["status"] != "worse"}
        assert rule["fits"] == (rule["move"] in good)
        assert rule["fits"] or "which costs" in rule["sentence"]


def test_reasons_are_told_where_the_coach_may_speak(ann):
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20}, coach="after")
    assert ann.refused("GET", f"/api/matches/{match['id']}/why", 400) == (
        "the coach tells its reasons while it sits beside you in a game under way"
    )
    bob = Visitor(ann.app)
    assert bob.refused("GET", f"/api/matches/{match['id']}/why", 404) == (
        f"you have no match {match['id']!r}"
    )


def test_the_reasons_of_a_game_that_is_over(ann):
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20})
    seen = ann.finish(match, best)
    first = ann.get(f"/api/reviews/{match['id']}/why", ply=1)
    assert first["fan"]["title"] == "If you roll"
    assert ann.refused("GET", f"/api/reviews/{match['id']}/why", 404, params={"ply": 10**6}) == (
        "there is no decision 1000000 of the player in this match"
    )
    assert seen[-1]["over"]


def test_a_review_tells_the_worth_against_this_opponent(ann):
    """Where the player is to move it is what the coach said at the table; at the end the result."""
    match = ann.begin("pig", "hold-at:20", parameters={"target": 45})
    seen = [ann.get(f"/api/matches/{match['id']}?wait=60")]
    while not seen[-1]["over"]:
        ann.move(seen[-1], worst(seen[-1]))
        seen.append(ann.get(f"/api/matches/{match['id']}?wait=60"))
    review = ann.get(f"/api/reviews/{match['id']}")
    told = ann.get(f"/api/reviews/{match['id']}/against")
    assert told["label"] == "the classic"
    assert len(told["values"]) == len(review["curve"])
    places = {point["ply"]: place for place, point in enumerate(review["curve"])}
    for one in seen[:-1]:
        assert told["values"][places[one["ply"]]] == one["coach"]["against"]["value"]
    assert told["values"][-1] == review["result"]["value"]
    held = [
        (before, after)
        for before, after, point in zip(
            told["values"], told["values"][1:], review["curve"][1:], strict=False
        )
        if (point["who"], point["move"]) == ("opponent", "hold")
    ]
    assert held
    assert all(before == pytest.approx(after) for before, after in held)  # it holds from 20 on


def test_against_perfect_play_there_is_nothing_to_add(ann):
    match = ann.begin("pig", "optimal", parameters={"target": 20})
    ann.finish(match, best)
    told = ann.get(f"/api/reviews/{match['id']}/against")
    assert told == {"label": "perfect play", "values": [], "sentence": None}


def test_play_on_from_every_decision_of_a_review(ann):
    """Who was to move then is to move now, at the same place."""
    # An opponent who holds at 5 cannot reach 20 before the player has had a turn.
    match = ann.begin("pig", "hold-at:5", parameters={"target": 20}, starts="opponent")
    ann.finish(match, worst)
    review = ann.get(f"/api/reviews/{match['id']}")
    seen = set()
    for point in review["curve"][1:]:
        if point["play_on"]["starts"] in seen:
            continue
        seen.add(point["play_on"]["starts"])
        body = {"game": "pig", "parameters": review["parameters"], **point["play_on"]}
        began = ann.post("/api/matches?wait=60", body, 201)
        assert began["opponent"]["kind"] == "optimal"
        assert began["practice"] is not None
        if point["who"] == "you":
            assert began["position"]["notation"] == point["before"]["notation"]
        else:
            assert began["events"][1]["who"] == "opponent"
    assert seen == {"me", "opponent"}


def test_marks_are_told_once_for_all(ann):
    """The page offers what the review marks; by docs/review.md a mistake is 1% and a blunder 4%."""
    told = {one["mark"]: one["from"] for one in ann.get("/api/games")["marks"]}
    assert (told["inaccuracy"], told["mistake"], told["blunder"]) == (0.001, 0.01, 0.04)
    match = ann.begin("pig", "hold-at:20", parameters={"target": 20}, coach="warn")
    assert match["warn_at"] == told["mistake"]


def test_the_coach_warns_in_shares_of_what_is_at_stake(ann):
    """At a round of 421 that is how far values reach (10 tokens at most), and not one token."""
    match = ann.begin("421-round", "nobody", start="421, 2 left", coach="warn", warn_at=0.5)
    said = ann.move(match, "keep -")
    assert said["warning"] is not None
    low = ann.begin("421-round", "nobody", start="651, 2 left", coach="warn", warn_at=0.5)
    assert ann.move(low, "stop")["warning"] is None  # it costs 2.9 tokens of 9
