"""Drills over HTTP: which position comes, what an answer changes, and whose it is."""

from datetime import UTC, datetime, timedelta

import pytest

import dicelab
from dicelab.lab import drills
from dicelab.people import marks
from lab_rooms import Visitor, open_lab, whole_lab, worst

PIG = {"target": 50}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=2) as app:
        yield app


@pytest.fixture(scope="module")
def pig():
    return dicelab.solve(dicelab.game("pig", **PIG))


def drill(who, game="pig", **parameters):
    return who.get("/api/drills/next", game=game, wait=60, **(parameters or PIG))


def answered(who, card, move, allowed=10, number=None):
    body = {"card": card["card"], "move": move, "number": number or card["number"]}
    return who.post("/api/drills/answers", body | {"allowed": allowed})


def moves_of(solution, card):
    """Return the moves of a card by the verb itself, the best first."""
    at = solution.game.read(card["position"]["notation"])
    return sorted(solution.moves_at(at), key=lambda move: move.cost)


def test_a_newcomer_gets_a_close_call_without_its_answer(lab, pig):
    bob = Visitor(lab)
    card = drill(bob)
    assert card["source"] == "close call"
    assert card["rating"]["rating"] == 1500  # Glickman's start
    assert card["streak"] == 0
    assert {"coach", "cost", "value"}.isdisjoint({*card, *card["moves"][0]})
    best, second = moves_of(pig, card)
    assert 0.001 <= second.cost <= 0.05
    assert {move["move"] for move in card["moves"]} == {best.move, second.move}
    assert drill(bob)["card"] == card["card"]  # until it is answered


def test_a_mistake_of_a_finished_match_comes_up(lab, pig):
    bob = Visitor(lab)
    match = bob.finish(bob.begin("pig", "hold-at:20", parameters=PIG), worst)[-1]
    review = bob.get(f"/api/reviews/{match['id']}", wait=60)
    card = drill(bob)
    assert card["source"] == "mistake"
    wrong = [
        one["position"]["notation"]
        for one in review["mistakes"]
        if marks.mark_of(one["cost"]) in marks.ERRORS
    ]
    assert card["position"]["notation"] in wrong


def test_an_answer_tells_every_move_and_moves_the_rating_and_the_due_date(lab, pig):
    bob = Visitor(lab)
    card = drill(bob)
    best, second = moves_of(pig, card)
    told = answered(bob, card, best.move)
    assert (told["mark"], told["word"], told["cost"], told["found"]) == ("best", "Best", 0, True)
    assert told["sentence"].startswith("Nothing is better than: ")
    values = {one["move"]: one["cost"] for one in told["coach"]["moves"]}
    assert values == {best.move: 0, second.move: pytest.approx(float(second.cost), abs=1e-12)}
    assert told["rating"]["rating"] > 1500
    assert told["rating"]["deviation"] < 350
    assert told["streak"] == 1
    wait = datetime.fromisoformat(told["due"]) - datetime.now(UTC)
    assert wait.days >= 1
    missed = drill(bob)
    assert missed["card"] != card["card"]
    after = answered(bob, missed, moves_of(pig, missed)[1].move)
    assert after["mark"] in marks.ERRORS
    assert not after["found"]
    assert " costs " in after["sentence"]
    assert after["rating"]["rating"] < told["rating"]["rating"]
    wait = datetime.fromisoformat(after["due"]) - datetime.now(UTC)
    assert wait.total_seconds() <= 60


def test_who_is_too_slow_has_missed_it_and_is_told_the_answer(lab, pig):
    bob = Visitor(lab)
    card = drill(bob)
    told = answered(bob, card, None)
    assert (told["move"], told["cost"], told["mark"]) == (None, None, None)
    assert (told["word"], told["found"]) == ("Too slow", False)
    assert told["sentence"].startswith("The time ran out; best is: ")
    assert {one["move"] for one in told["coach"]["moves"]} == {m["move"] for m in card["moves"]}
    assert told["rating"]["rating"] < 1500


def test_more_time_is_free_and_the_rating_says_so(lab, pig):
    bob = Visitor(lab)
    for allowed in (10, 30, None):
        card = drill(bob)
        told = answered(bob, card, moves_of(pig, card)[0].move, allowed)
        assert told["found"]
    assert (told["rating"]["positions"], told["rating"]["slower"]) == (3, 2)


def test_an_answer_sent_again_counts_once(lab, pig):
    bob = Visitor(lab)
    card = drill(bob)
    best, second = moves_of(pig, card)
    first = answered(bob, card, second.move)
    assert answered(bob, card, second.move) == first
    assert answered(bob, card, best.move) == first  # nor can it be taken back
    body = {"card": card["card"], "move": best.move, "number": 3}
    said = bob.refused("POST", "/api/drills/answers", 400, json=body)
    assert said == "try 2 of this card comes next: got 3"


def test_only_the_first_meeting_with_a_position_is_rated(lab, pig):
    bob = Visitor(lab)
    card = drill(bob)
    best, second = moves_of(pig, card)
    first = answered(bob, card, second.move)
    again = answered(bob, card, best.move, number=2)
    assert again["rating"] == first["rating"]
    assert again["rating"]["positions"] == 1
    assert again["found"]
    assert again["due"] > first["due"]


def test_a_minute_later_what_was_missed_comes_first(tmp_path, pig, monkeypatch):
    app = open_lab(tmp_path)
    bob = Visitor(app)
    card = drill(bob)
    answered(bob, card, moves_of(pig, card)[1].move)
    other = drill(bob)
    assert other["card"] != card["card"]
    later = datetime.now(UTC) + timedelta(minutes=1)
    clock = type("Clock", (datetime,), {"now": classmethod(lambda cls, zone: later)})
    monkeypatch.setattr(drills, "datetime", clock)
    assert bob.get("/api/drills")["decks"][0]["due"] == 1
    back = drill(bob)
    assert (back["card"], back["number"], back["source"]) == (card["card"], 2, "due")


def test_games_that_were_played_or_drilled_are_on_offer(tmp_path, pig):
    bob = Visitor(open_lab(tmp_path, seed=2))
    assert bob.get("/api/drills")["decks"] == []
    assert bob.get("/api/drills")["rating"]["positions"] == 0
    bob.finish(bob.begin("pig", "hold-at:20", parameters={"target": 12}), worst)
    card = drill(bob)
    answered(bob, card, card["moves"][0]["move"])
    decks = bob.get("/api/drills")["decks"]
    assert [deck["title"] for deck in decks] == ["pig target=50", "pig target=12"]
    assert [deck["parameters"]["target"] for deck in decks] == [50, 12]
    assert drill(bob, **decks[0]["parameters"])["title"] == "pig target=50"


def test_who_asks_to_be_forgotten_is_forgotten_with_all_drills(tmp_path):
    app = open_lab(tmp_path)
    store = app.state.lab.store

    def counts():
        tables = ("players", "cards", "drill_answers", "ratings")
        return [store.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables]

    ann, bob = Visitor(app), Visitor(app)
    for who in (ann, bob):
        card = drill(who)
        answered(who, card, card["moves"][0]["move"])
    assert counts() == [2, 2, 2, 2]
    bob.ask("DELETE", "/api/me", 204)
    assert counts() == [1, 1, 1, 1]
    assert ann.get("/api/drills")["rating"]["positions"] == 1
    with store.writing() as file:  # the tables themselves say so too
        file.execute("DELETE FROM players")
    assert counts() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("solo-pig", {"target": 30}),
        ("dice-battle", {"target": 12, "dice": 3}),
        ("dice-battle", {"target": 10, "dice": 3, "variant": "simultaneous"}),
        ("421-round", {"utility": "sum"}),
        ("greed", {"max": 20}),
        ("piglet", {"target": 6, "players": 3}),
    ],
)
def test_every_kind_of_game_can_be_drilled(lab, game, parameters):
    bob = Visitor(lab)
    card = drill(bob, game, **parameters)
    solution = dicelab.solve(dicelab.game(game, **parameters))
    best = moves_of(solution, card)[0]
    told = answered(bob, card, best.move)
    assert told["found"]
    assert told["cost"] == pytest.approx(float(best.cost), abs=1e-9)


def test_the_card_of_somebody_else_is_not_found(lab, pig):
    card = drill(Visitor(lab))
    body = {"card": card["card"], "move": "roll", "number": 1}
    said = Visitor(lab).refused("POST", "/api/drills/answers", 404, json=body)
    assert said == f"you have no card {card['card']!r}"


def test_what_cannot_be_drilled_is_refused_in_a_sentence(lab):
    bob = Visitor(lab)
    card = drill(bob)
    body = {"card": card["card"], "move": "fly", "number": 1}
    said = bob.refused("POST", "/api/drills/answers", 400, json=body)
    assert said.startswith(f"cannot fly at {card['position']['notation']}: you can ")
    params = {"game": "pig", "target": 20}  # one goes for all of it
    assert bob.refused("GET", "/api/drills/next", 404, params=params) == (
        "no close calls were found in pig target=20: there is nothing to drill until a match of "
        "yours has a mistake in it"
    )


def test_cards_answers_and_ratings_are_there_after_a_restart(tmp_path):
    bob = Visitor(open_lab(tmp_path))
    card = drill(bob)
    told = answered(bob, card, card["moves"][0]["move"])
    again = Visitor(open_lab(tmp_path), bob.headers)
    assert answered(again, card, card["moves"][0]["move"]) == told
    assert drill(again)["rating"] == told["rating"]
