"""Boards: what a game says is to be drawn, in parts that the page knows, and played by pointing."""

import logging
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from dicelab import game
from dicelab.errors import TooLarge
from dicelab.lab import arguments, narration
from dicelab.rules import LOSS, ONGOING, OTHER, HouseRules, Moment, registry
from dicelab.rules.board import Done, keys_of
from dicelab.rules.throw import play
from lab_rooms import Visitor, best, open_lab

PARTS = {"card", "heaps", "tiles", "squares", "dice"}
TURNS = [name for name, kind in registry.all_games().items() if not kind().is_simultaneous]


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    return Visitor(open_lab(tmp_path_factory.mktemp("boards"), seed=5))


def drawn(rules, at, seat=0, past=()):
    """Return the parts of a board by their kind."""
    return {part["part"]: part for part in rules.board_parts(at, seat, past)}


def walk(rules, seed, most=60):
    """Yield positions of a random game, moments after throws too."""
    rng, at = np.random.default_rng(seed), rules.start()
    for _ in range(most):
        yield at
        if not isinstance(at, Moment) and int(rules.result(at) or ONGOING) != ONGOING:
            return
        move = str(rng.choice(rules.legal_moves(at)))
        at = play(rules, at, move, rng)[1].at


@pytest.mark.parametrize("name", sorted(TURNS))
def test_every_game_draws_parts_that_the_page_knows(name):
    rules = registry.registered_game(name)
    for at in walk(rules, seed=1):
        parts = rules.board_parts(at, 0, [])
        assert {part["part"] for part in parts} <= PARTS
        for part in parts:
            assert part["items"]
            assert part["label"]


def test_a_move_touches_only_what_is_there():
    for name in ("421", "farkle", "shut-the-box", "ur", "bear-off", "yahtzee"):
        rules = registry.registered_game(name)
        seen = 0
        for at in (at for seed in range(4) for at in walk(rules, seed)):
            if not isinstance(at, Moment) and int(rules.result(at) or ONGOING) != ONGOING:
                continue
            keys = keys_of(rules.board_parts(at, 0, []))
            for move in rules.legal_moves(at):
                touched = rules.touched(at, move)
                assert set(touched) - {"shut"} <= keys, (name, at, move)
                seen += bool(touched)
        assert seen, name


@pytest.mark.parametrize("name", ["yahtzee", "kniffel"])
def test_an_open_box_tells_what_the_rules_pay(name):
    rules = game(name)
    at = rules.parse("aces chance counted=3 | 66655, 0 left")
    boxes = {item["key"]: item for item in drawn(rules, at)["card"]["items"]}
    # By the printed rules: three sixes are 18, three of a kind the sum of all dice.
    wanted = {"sixes": 18, "three-of-a-kind": 28, "full-house": 25, "large-straight": 0}
    assert {name: boxes[name]["would"] for name in wanted} == wanted
    assert boxes["aces"]["filled"]
    assert boxes["aces"]["would"] is None
    assert rules.touched(at, "score sixes") == ["sixes"]


def test_a_full_card_adds_up_with_bonus_and_a_further_yahtzee():
    rules = game("yahtzee")
    past = [
        Done(0, "empty counted=0 | 66666, 0 left", "score yahtzee", ()),
        Done(0, "yahtzee=50 counted=0 | 66666, 0 left", "score sixes", ()),
        Done(0, "sixes yahtzee=50 counted=30 | 55551, 0 left", "score fives", ()),
        Done(0, "fives sixes yahtzee=50 counted=50 | 44442, 0 left", "score fours", ()),
    ]
    at = rules.parse("fours fives sixes yahtzee=50 counted=63")
    card = drawn(rules, at, past=past)["card"]
    points = {item["key"]: item["points"] for item in card["items"] if item["filled"]}
    assert points == {"fours": 16, "fives": 20, "sixes": 30, "yahtzee": 50}
    # 116 in the boxes, 35 for 63 above, 100 for the second five of a kind.
    assert [(line["name"], line["text"]) for line in card["sums"]] == [
        ("Bonus of 35", "+35"),
        ("Once more", "+100"),
        ("Total", "251"),
    ]


def test_a_card_that_began_elsewhere_tells_no_total():
    rules = game("yahtzee")
    card = drawn(rules, rules.parse("aces counted=3"))["card"]
    assert [line["name"] for line in card["sums"]] == ["Bonus of 35"]
    assert card["sums"][0]["text"] == "3 of 63"


def test_tokens_are_turned_to_you_and_say_who_throws_first():
    rules = game("421", tokens="7")
    at = rules.parse("4-2 pot 1, other 654, cast 1 of 2")
    for seat, counts, first in ((0, [4, 1, 2], 2), (1, [2, 1, 4], 0)):
        part = drawn(rules, at, seat)["heaps"]
        assert [heap["count"] for heap in part["items"]] == counts
        assert [place for place, heap in enumerate(part["items"]) if heap["tag"]] == [first]
    assert part["says"] == [
        "Charge: tokens come out of the pot.",
        "To beat: 654.",
        "Cast 1 of 2.",
    ]
    late = drawn(rules, rules.parse("4-3 pot 0"))["heaps"]
    assert late["says"][0] == "Discharge: the highest combination gives tokens to the lowest."


def test_dice_beside_those_put_aside_can_be_kept():
    rules = game("421")
    at = rules.read("0-0 pot 11, 4 aside, cast 2 of 3, threw 21")
    part = drawn(rules, at)["dice"]
    assert ([item["face"] for item in part["items"]], part["aside"]) == ([2, 1], [4])
    assert rules.touched(at, "keep 42") == ["2"]
    assert sorted(rules.touched(at, "stop")) == ["1", "2"]
    assert rules.touched(at, "keep 4") == []


def test_of_a_throw_at_farkle_only_what_scores_can_be_picked():
    rules = game("farkle")
    at = Moment(rules.start(), "roll", (1, 5))
    past = [Done(0, rules.notation(rules.start()), "roll", (1, 2, 3, 3, 5, 6))]
    items = drawn(rules, at, past=past)["dice"]["items"]
    assert [item["face"] for item in items if item["key"]] == [1, 5]
    assert len(items) == 6


def test_tiles_are_up_or_down_and_a_throw_is_about_none():
    rules = game("shut-the-box")
    at = rules.parse("1 2 5 9")
    tiles = drawn(rules, Moment(at, "throw 2", 8))["tiles"]["items"]
    assert [tile["name"] for tile in tiles if tile["up"]] == ["1", "2", "5", "9"]
    assert rules.touched(Moment(at, "throw 2", 8), "shut 1 2 5") == ["shut", "1", "2", "5"]
    assert rules.touched(at, "throw 2") == []


@pytest.mark.parametrize("rules", ["finkel", "blitz", "masters"])
def test_squares_that_players_share_are_one_place(rules):
    ur = game("ur", rules=rules, pieces="7")
    meets = ur.board.meets
    for mine in ur.path:
        at = type(ur.start())(1 << mine, 0)
        (place,) = [each for each in drawn(ur, at)["squares"]["items"] if each["key"] == str(mine)]
        assert place["mine"] == 1
        if mine in meets:  # where the other player's piece would be captured
            other = type(ur.start())(0, 1 << meets[mine])
            items = drawn(ur, other)["squares"]["items"]
            (there,) = [each for each in items if each["yours"] == 1 and each["name"][:2] == "Sq"]
            assert (there["row"], there["column"]) == (place["row"], place["column"])
    # Twenty squares, and for each side a place to wait and one for those that are home.
    assert len(drawn(ur, ur.start())["squares"]["items"]) == 24


def test_pieces_are_all_somewhere():
    for name in ("ur", "bear-off"):
        rules = registry.registered_game(name)
        for at in walk(rules, seed=3):
            items = drawn(rules, at)["squares"]["items"]
            turned = drawn(rules, at, seat=1)["squares"]["items"]
            mine, yours = (sum(item[side] for item in items) for side in ("mine", "yours"))
            assert mine == sum(item["yours"] for item in turned)
            if name == "ur":
                assert mine == yours == rules.pieces


@dataclass(frozen=True)
class Heap(HouseRules):
    """Take one or two matches; who takes the last wins."""

    name: ClassVar[str] = "heap"

    def start(self):
        return 7

    def choices(self, at):
        return ["take 1", "take 2"] if at > 1 else ["take 1"]

    def outcomes(self, at, move):
        yield 1, at - int(move[-1]), OTHER

    def result(self, at):
        return LOSS if at == 0 else None


@dataclass(frozen=True)
class Letters(HouseRules):
    """Take letters from a row; who takes the last wins."""

    name: ClassVar[str] = "letters"

    def start(self):
        return frozenset("abc"), 5

    def choices(self, at):
        return sorted(at[0])

    def outcomes(self, at, move):
        yield 1, (at[0] - {move}, 5), OTHER

    def result(self, at):
        return None if at[0] else LOSS


def test_a_game_of_a_stranger_is_drawn_from_its_positions():
    (heap,) = Heap().board_parts(4, 0, [])
    assert [item["count"] for item in heap["items"]] == [4]
    (row,) = Letters().board_parts((frozenset("ac"), 0), 0, [])
    assert [(item["key"], item["up"]) for item in row["items"]] == [
        ("a", True), ("b", False), ("c", True),
    ]  # fmt: skip
    assert Letters().touched((frozenset("ac"), 0), "a+c") == ["a", "c"]


def test_a_board_that_fails_is_no_board(caplog):
    class Torn(type(game("shut-the-box"))):
        def board_parts(self, at, seat, past):
            raise ZeroDivisionError("no board")

    torn = Torn()
    with caplog.at_level(logging.CRITICAL):
        assert narration.board(torn, torn.start(), 0, [], []) == []


def test_a_card_too_large_to_wait_for_is_refused():
    with pytest.raises(TooLarge) as refused:
        arguments.game_of("maxi-yatzy", {}, 10**9)
    assert str(refused.value) == (
        "maxi-yatzy is too large for the lab: about 79,763,374,080 positions, and up to "
        "5,000,000,000 are solved while people wait; choose smaller numbers, or ask dicelab solve"
    )


def test_a_yahtzee_is_played_by_boxes_and_reviewed(ann):
    match = ann.begin("yahtzee", {"kind": "nobody"}, parameters={"only": "aces+sixes+chance"})
    seen = ann.finish(match, best)
    last = seen[-1]
    (card,) = last["position"]["board"]
    assert card["part"] == "card"
    total = sum(event["points"] for one in seen for event in one["events"])
    assert card["sums"][-1] == {"section": 1, "name": "Total", "text": str(total)}
    assert total == last["result"]["value"]
    review = ann.get(f"/api/reviews/{match['id']}")
    boards = [point["before"]["board"][0] for point in review["curve"][1:]]
    filled = [sum(item["filled"] for item in board["items"]) for board in boards]
    assert filled == sorted(filled)
    assert set(filled) == {0, 1, 2}


def test_a_421_of_three_is_played_to_its_end(ann):
    body = {"game": "421", "parameters": {"players": 3, "tokens": 3}, "starts": "me", "coach": "on"}
    match = ann.post("/api/matches?wait=60", {**body, "opponents": [{"kind": "optimal"}]}, 201)
    seen = ann.finish(match, best)
    for one in seen:
        heaps = one["position"]["board"][0]
        assert sum(item["count"] for item in heaps["items"]) == 3
        names = [item["name"] for item in heaps["items"]]
        assert names == ["You", "Pot", "Equilibrium play A", "Equilibrium play B"]
        assert not any("other player" in event["text"].lower() for event in one["events"])
    assert ann.get(f"/api/reviews/{match['id']}")["you"]["cost"] == pytest.approx(0, abs=1e-9)


def test_moves_say_which_dice_they_are_about(ann):
    match = ann.begin("421", parameters={"tokens": 3}, starts="me", coach="off")
    match = ann.move(match, "cast")
    thrown = Counter(str(face) for face in match["position"]["threw"])
    for offer in match["moves"]:
        assert Counter(offer["touches"]) <= thrown
    assert Counter(next(m for m in match["moves"] if m["move"] == "stop")["touches"]) == thrown
