"""Matches that begin elsewhere: from any position, of every game, and out of all statistics."""

from fractions import Fraction

import pytest

import dicelab
from dicelab.errors import UnknownPosition
from lab_rooms import Visitor, best, open_lab, worst

STARTS = {
    "pig": ({"target": 50}, "30-12 +9"),
    "two-dice-pig": ({"target": 25}, "3-20 +4"),
    "greed": ({"max": 15}, "3-14 last"),
    "dice-battle": ({"target": 20, "dice": 3, "variant": "simultaneous"}, "12-7"),
    "solo-pig": ({"target": 20}, "5 +3"),
    "421-round": ({"utility": "goal:421"}, "651, 2 left"),
    "farkle": ({"target": 500}, "400-300 +50 (3 dice)"),
    "bear-off": ({"chequers": 2}, "0,1,0,0,1,0/0,1,1,0,0,0"),
    "shut-the-box": ({}, "1 2 3 4 5 6 7 8 9 threw 7"),
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=11)


def worth(game, at):
    """Return what a position is worth, solved from there if play from the start never comes by."""
    try:
        return dicelab.solve(game).value_at(at)
    except UnknownPosition:
        return dicelab.solve(game.starting(at)).value


@pytest.fixture
def ann(lab):
    return Visitor(lab)


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("starts", ["me", "opponent"])
def test_a_match_begins_at_any_position_and_its_review_adds_up(ann, name, starts):
    parameters, at = STARTS[name]
    game = dicelab.game(name, **parameters)
    opponent = {"kind": "nobody" if game.players == 1 else "optimal"}
    match = ann.begin(name, opponent, parameters=parameters, start=at, starts=starts)
    assert match["start"] == at
    assert match["title"] == f"{game} from {at}"
    assert match["events"][0]["text"] == f"The game begins at {at}."
    assert match["practice"] == (f"Practice: this game began at {at}. It counts in no statistics.")
    if starts == "me" or game.players == 1 or game.is_simultaneous:
        assert match["position"]["notation"] == at
        assert match["coach"]["value"] == pytest.approx(float(worth(game, at)), abs=1e-12)
    last = ann.finish(match, best)[-1]
    assert ann.get(f"/api/matches/{last['id']}")["events"][0]["effect"] == "start"
    review = ann.get(f"/api/reviews/{last['id']}")
    assert review["start"] == at
    assert review["practice"] == match["practice"]
    you, other = review["you"], review["opponent_score"]
    sign = -1 if game.fewest else 1
    total = review["start_value"] + sign * (you["luck"] - you["cost"])
    if other is not None:
        total += other["cost"] - (0 if game.is_simultaneous else other["luck"])
    assert total == pytest.approx(you["result"], abs=1e-9)
    assert last["result"]["value"] == pytest.approx(you["result"], abs=1e-9)


def test_who_is_about_to_move_sees_the_position_from_their_side(ann):
    match = ann.begin(
        "pig", "hold-at:2", parameters={"target": 50}, start="40-3 +6", starts="opponent"
    )
    first = match["events"][1]
    assert (first["who"], first["move"]) == ("opponent", "hold")
    assert match["position"]["notation"] == "3-46 +0"


def test_a_match_may_begin_at_a_throw(ann):
    game = dicelab.game("farkle", target=500)
    _, last = game.law(game.start(), "roll")[-1]
    at = game.write(last.at)  # six sixes
    match = ann.begin("farkle", parameters={"target": 500}, start=at)
    assert match["position"]["threw"] == [6] * 6
    assert {move["move"] for move in match["moves"]} == set(game.legal_moves(game.read(at)))
    after = ann.move(match, match["moves"][0]["move"])
    assert after["ply"] == 1
    review = ann.get(f"/api/reviews/{ann.finish(after, best)[-1]['id']}")
    assert review["start_value"] == pytest.approx(float(dicelab.solve(game).value_at(at)))


def test_what_is_no_position_is_refused_in_a_sentence(ann):
    def refused(start, game="pig", **more):
        body = {"game": game, "parameters": {"target": 50}, "start": start, **more}
        return ann.refused("POST", "/api/matches", 400, json=body)

    assert refused("nonsense") == (
        "cannot read 'nonsense' as a position of pig: write it like '0-0 +0'"
    )
    assert refused("50-3 +0") == (
        "pig target=50 is over at 50-3 +0: start where there is a move to make"
    )
    assert refused("30-12 +9 threw 3") == "no throw at 30-12 +9 shows '3'"
    assert ann.get("/api/matches")["matches"] == []


def test_a_position_that_play_never_comes_to_is_solved_from_there(ann):
    # Nobody has 19 of 20 with 1 at risk at the usual die: the first points are 2 at least.
    begun = dicelab.game("solo-pig", target=20, from_="18 +1")
    match = ann.begin("solo-pig", {"kind": "nobody"}, parameters={"target": 20}, start="18 +1")
    assert match["coach"]["value"] == pytest.approx(float(dicelab.solve(begun).value))
    # With one point missing, rolling has 5 chances in 6 each turn: 6/5 turns.
    last = ann.begin("solo-pig", {"kind": "nobody"}, parameters={"target": 20}, start="19 +0")
    assert last["coach"]["value"] == pytest.approx(Fraction(6, 5))


def test_practice_counts_in_no_statistics(lab, ann):
    rules = {"parameters": {"target": 20}}
    for _ in range(2):
        ann.finish(ann.begin("pig", "hold-at:9", **rules), best)
    for _ in range(3):
        ann.finish(ann.begin("pig", "hold-at:9", start="3-9 +4", **rules), worst)
    history = ann.get("/api/history", wait=60)
    assert [one["practice"] for one in history["games"]] == [False] * 2 + [True] * 3
    assert history["practice"] == ("3 practice games are in the list and count in no statistics.")
    (total,) = history["totals"]
    assert (total["title"], total["played"], total["cost_per_game"]) == ("pig target=20", 2, 0)
    assert [len(one["points"]) for one in history["progress"]] == [2]
    (fitted,) = ann.get("/api/people")["people"]
    assert fitted["games"] == 2
    told = ann.ask("GET", "/api/me/decisions.csv", params={"game": "pig", "target": 20}).text
    assert {row.split(",")[0] for row in told.splitlines() if row[:1].isdigit()} == {"1", "2"}
    overview = ann.get("/api/admin/overview")
    assert [(one["title"], one["over"]) for one in overview["games"]] == [("pig target=20", 2)]


def test_a_match_from_a_position_is_there_after_a_restart(tmp_path):
    lab = open_lab(tmp_path)
    ann = Visitor(lab)
    match = ann.begin("pig", parameters={"target": 50}, start="30-12 +9")
    lab.state.lab.store.close()
    again = Visitor(open_lab(tmp_path), ann.headers)
    assert again.get(f"/api/matches/{match['id']}")["position"]["notation"] == "30-12 +9"
