"""Games that a stranger wrote, played in the lab: nothing there may ask which game it is."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest

import dicelab
from dicelab import LOSS, SAME, WIN, DicelabError, HouseRules
from dicelab.lab import arguments, catalogue
from dicelab.rules import registry
from lab_rooms import Visitor, best, whole_lab, worst
from strange_games import Heap, Ladder


@dataclass(frozen=True)
class Mute(Ladder):
    """A ladder whose words fail."""

    def narrate(self, *_):
        raise ZeroDivisionError("no words")

    def describe(self, *_):
        raise ZeroDivisionError("no words")


@dataclass(frozen=True)
class Purse(HouseRules):
    """Alone: draw coins and stop in time; what is in the purse when you stop is yours."""

    players: ClassVar[int] = 1
    unit: ClassVar[str] = "coins"
    worth: ClassVar[dict] = {WIN: Fraction(0), LOSS: Fraction(0), dicelab.DRAW: Fraction(0)}

    def start(self):
        return 0

    def choices(self, at):
        return ["draw a coin", "stop"] if at < 4 else ["stop"]

    def outcomes(self, at, move):
        if move == "stop":
            yield 1, -1, SAME, at
        else:
            yield Fraction(2, 3), at + 1, SAME
            yield Fraction(1, 3), -1, SAME

    def result(self, at):
        return LOSS if at < 0 else None


STRANGE = {"ladder": Ladder, "heap": Heap, "mute": Mute, "purse": Purse}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    def forget():
        arguments.known_games.cache_clear()
        catalogue._games.cache_clear()

    for name, kind in STRANGE.items():
        registry.register(name)(kind)
    forget()
    with whole_lab(tmp_path_factory.mktemp("lab"), sends_all=False, seed=3) as app:
        yield app
    for name in STRANGE:
        del registry._GAMES[name]
    forget()


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("pick", [best, worst])
def test_a_game_nobody_knows_is_played_coached_and_reviewed(ann, name, pick):
    solution = dicelab.solve(STRANGE[name]())
    alone = STRANGE[name].players == 1
    opponent = {"kind": "nobody"} if alone else "random"
    match = ann.begin(name, opponent, starts="me")
    at = match["position"]["notation"]
    assert match["coach"]["value"] == float(solution.value_at(at))
    seen = ann.finish(match, pick)
    for one in seen:
        assert all(event["text"].endswith(".") for event in one["events"])
        again = ann.get(f"/api/matches/{one['id']}")
        assert again["ply"] == seen[-1]["ply"]
    review = ann.get(f"/api/reviews/{match['id']}")
    assert review["you"]["result"] == pytest.approx(seen[-1]["result"]["value"], abs=1e-9)
    total = sum(one["cost"] for one in review["mistakes"])
    assert total == pytest.approx(review["you"]["cost"], abs=1e-12)
    if pick is best:
        assert review["you"]["cost"] == 0
    told = ann.get("/api/history", game=name)
    assert told["totals"][0]["played"] == 1
    assert [one["score"] for one in ann.get("/api/matches")["matches"]] == [
        seen[-1]["position"]["notation"]
    ]


def test_moves_and_positions_are_told_in_plain_words(ann):
    match = ann.begin("ladder", "random", starts="me")
    assert match["position"]["words"] == "Here 0, there 0, pot 0."
    assert [one["label"] for one in match["moves"]] == ["Climb"]
    while match["position"]["fields"]["pot"] == 0 and not match["over"]:
        match = ann.move(match, "climb")
    first = match["events"][-1]
    assert first["text"] == "You climb: pot 1."
    taken = ann.move(match, "take")
    assert taken["events"][0]["text"] == "You take."  # what is whose cannot be told
    heap = ann.begin("heap", "random", starts="me")
    assert heap["position"]["words"] == "The position is (7, 0)."
    assert [(one["label"], one["key"]) for one in heap["moves"]] == [("1", "1"), ("2", "2")]
    told = ann.move(heap, "2")["events"][0]["text"]
    assert re.fullmatch(r"You play 2: \([45], 1\), seen by the other player\.", told)
    purse = ann.begin("purse", {"kind": "nobody"})
    assert purse["coach"]["said"] == "0.89 coins"


def test_a_match_whose_words_fail_is_played_and_opens_again(ann):
    match = ann.begin("mute", "random", starts="me")
    assert match["position"]["words"] == "The position is here=0 there=0 pot=0."
    after = ann.move(match, "climb")
    assert after["events"][0]["text"] == "You: climb."
    again = ann.get(f"/api/matches/{match['id']}")
    assert (again["ply"], again["events"]) == (after["ply"], after["events"])
    assert ann.get("/api/me")["player"]["unfinished"][0]["id"] == match["id"]


def test_nothing_is_written_down_that_cannot_be_told(ann, lab, monkeypatch):
    match = ann.begin("ladder", "random", starts="me")

    def broken(*_):
        raise DicelabError("no words at all")

    monkeypatch.setattr("dicelab.lab.matches.Play.position", broken)
    body = {"move": "climb", "ply": 0}
    told = ann.refused("POST", f"/api/matches/{match['id']}/moves", 400, json=body)
    assert told == "no words at all"
    assert lab.state.lab.store.decisions(match["id"]) == []


def test_the_chance_against_a_stranger_is_that_of_the_best_reply(ann):
    for name in ("ladder", "heap"):
        match = ann.begin(name, "random", starts="me")
        told = ann.get(f"/api/matches/{match['id']}", wait=60)["coach"]["against"]
        expected = dicelab.best_response(STRANGE[name](), "random").solution
        assert told["value"] == float(expected.value)
        assert told["label"] == "pure chance"


def test_a_game_nobody_knows_is_in_the_catalogue_and_explored(ann):
    told = {game["name"]: game for game in ann.get("/api/games")["games"]}
    assert told["ladder"]["title"] == "Ladder"
    assert told["ladder"]["rules"].startswith("Put a step")
    about = ann.get("/api/explore/ladder")
    assert about["value"] == dicelab.solve(Ladder()).value
    for name in STRANGE:
        at = told[name]["examples"][0]
        position = ann.get(f"/api/explore/{name}/position", at=at)
        assert position["value"] == float(dicelab.solve(STRANGE[name]()).value_at(at))


def test_a_game_nobody_knows_begins_at_any_position(ann):
    for name, at in (("ladder", "here=2 there=4 pot=1"), ("purse", "3")):
        game = STRANGE[name]()
        opponent = {"kind": "nobody" if game.players == 1 else "optimal"}
        match = ann.begin(name, opponent, start=at)
        assert match["position"]["notation"] == at
        assert match["coach"]["value"] == float(dicelab.solve(game).value_at(at))
        ann.finish(match, best)
    said = ann.refused("POST", "/api/matches", 400, json={"game": "heap", "start": "('x', 2)"})
    assert said == (
        "the rules of heap fail at \"('x', 2)\": start from a position that play comes to"
    )


def test_a_newcomer_drills_a_game_nobody_knows(lab):
    bob = Visitor(lab)
    for name, kind in STRANGE.items():
        game = kind()
        for _ in range(40):
            asked = bob.client.get("/api/drills/next", params={"game": name}, headers=bob.headers)
            if asked.status_code == 404:  # few positions have a close call, and all were answered
                break
            card = asked.json()
            solution = dicelab.solve(game)
            best = solution.moves_at(card["position"]["notation"])[0]
            body = {"card": card["card"], "number": card["number"], "move": best.move}
            told = bob.post("/api/drills/answers", {**body, "allowed": 10})
            assert told["found"], (name, told)
        assert asked.status_code == 404
