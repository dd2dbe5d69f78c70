"""Shapes: positions with the same moves and chances share them, whatever they lead to."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import LOSS, ONGOING, OTHER, SAME, WIN, Chance, Game, HouseRules, compile, solve
from dicelab.core.jit import interpreted
from dicelab.games.pig import Pig
from dicelab.rules import where
from dicelab.table import expand_kernels
from dicelab.table.expand import explore
from dicelab.table.expand_house import explore_house
from dicelab.table.shapes import Shapes

ROOM = 10**9


class Rung(NamedTuple):
    at: int


LENGTH = 300


@dataclass(frozen=True)
class Ladder(Game):
    """Climb a ladder on which every rung is shakier than the last; who falls has lost.

    From rung k a step succeeds with chance (LENGTH - k) / (LENGTH + 1): no two rungs are alike.
    """

    name: ClassVar[str] = "ladder"
    moves: ClassVar[tuple[str, ...]] = ("climb", "wait")

    def start(self):
        return Rung(0)

    def legal(self, at, move):
        return at.at >= 0 if move == "climb" else at.at % 3 == 1

    def outcomes(self, at, move):
        if move == "wait":
            yield 1, Rung(at.at + 1), OTHER
            return
        yield Chance(LENGTH - at.at, LENGTH + 1), Rung(at.at + 1), SAME
        yield Chance(at.at + 1, LENGTH + 1), Rung(-1 + 0 * at.at), SAME

    def result(self, at):
        return where(at.at < 0, LOSS, where(at.at >= LENGTH, WIN, ONGOING))


class PlainLadder(HouseRules):
    """The same ladder, one rung at a time."""

    name = "plain-ladder"

    def start(self):
        return 0

    def choices(self, at):
        return ["climb", "wait"] if at % 3 == 1 else ["climb"]

    def outcomes(self, at, move):
        if move == "wait":
            yield 1, at + 1, OTHER
            return
        yield Fraction(LENGTH - at, LENGTH + 1), at + 1, SAME
        yield Fraction(at + 1, LENGTH + 1), -1, SAME

    def result(self, at):
        return LOSS if at < 0 else WIN if at >= LENGTH else ONGOING


def test_all_positions_of_pig_have_one_of_three_shapes():
    edges, _ = explore(Pig(target=30), ROOM)
    # over; at the beginning of a turn, where one can only roll; and in the middle of it
    assert edges.outcomes.tolist() == [0, 6, 7]
    assert np.diff(edges.rows.first).tolist() == [0, 1, 2]
    assert np.bincount(edges.shape)[0] == (edges.result != ONGOING).sum()


def test_where_every_position_is_different_there_are_as_many_shapes():
    edges, _ = explore(Ladder(), ROOM)
    assert edges.rows.first.size - 1 == LENGTH + 1  # the rungs, and what is over
    assert edges.kinds[0].chance == Fraction(LENGTH, LENGTH + 1)


def test_rules_on_arrays_and_plain_rules_have_the_same_shapes():
    array, _ = explore(Ladder(), ROOM)
    plain, _ = explore_house(PlainLadder(), ROOM)
    assert array.moves == plain.moves
    assert np.bincount(array.shape).tolist() == np.bincount(plain.shape).tolist()
    assert sorted(kind.chance for kind in array.kinds) == sorted(
        kind.chance for kind in plain.kinds
    )
    assert solve(Ladder(), exact=True).value == solve(PlainLadder(), exact=True).value


@pytest.mark.parametrize("at_once", [1, 7, 100])
def test_a_layer_asked_in_parts_is_the_same_game(monkeypatch, at_once):
    whole = solve(Pig(target=12))
    monkeypatch.setattr("dicelab.table.expand.AT_ONCE", at_once)
    parts = solve(Pig(target=12))
    assert len(parts.table) == len(whole.table)
    numbers, at = parts.table.ongoing
    there = whole.table.numbers(at)
    assert (there >= 0).all()
    assert np.abs(parts.values[numbers] - whole.values[there]).max() < 1e-13


def test_a_table_holds_what_the_rules_say():
    table = compile(Ladder())
    for rung in (0, 1, 5, LENGTH - 1):
        number = table.number(Rung(rung))
        assert table.legal_moves(number) == (["climb", "wait"] if rung % 3 == 1 else ["climb"])
        row = int(table.move_first[number])
        outcomes = range(table.outcome_first[row], table.outcome_first[row + 1])
        told = {
            table.position(int(table.target[o])).at: table.chances[table.kind[o]] for o in outcomes
        }
        stays = Fraction(LENGTH - rung, LENGTH + 1)
        assert told == {rung + 1: stays, -1: 1 - stays}


@pytest.mark.parametrize("game", [Pig(target=15), Ladder()])
def test_shapes_are_the_same_where_nothing_is_compiled(monkeypatch, game):
    known, _ = explore(game, ROOM)
    monkeypatch.setattr(expand_kernels, "follow", interpreted(expand_kernels.follow))
    found, _ = explore(game, ROOM)
    assert found.shape.tolist() == known.shape.tolist()
    assert [array.tolist() for array in found.rows] == [array.tolist() for array in known.rows]


def test_shapes_are_found_again_after_their_tree_has_grown():
    shapes, source = Shapes(2), np.arange(500, dtype=np.int32)
    first, again = np.zeros(500, np.int32), np.zeros(500, np.int32)
    for shape in (first, again):
        for move in (0, 1):
            shapes.follow(move, np.arange(500) % 250, source, shape)
    assert again.tolist() == first.tolist()
    assert len(set(first.tolist())) == 250
    assert shapes.outcomes(first).tolist() == [2] * 500
