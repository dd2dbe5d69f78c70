"""House rules: plain Python, one position at a time, gives what array rules give."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import (
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Chance,
    Game,
    HouseRules,
    best_response,
    compile,
    density,
    evaluate,
    solve,
)
from dicelab.errors import RulesError, TooLarge, UnknownPosition, UnreadablePosition
from dicelab.games.pig import Pig, PigPosition


class Place(NamedTuple):
    mine: int
    yours: int
    at_risk: int


@dataclass(frozen=True)
class PlainPig(HouseRules):
    """Pig as one would write it who has never heard of arrays."""

    target: int = 20
    name: ClassVar[str] = "plain-pig"

    def start(self):
        return Place(0, 0, 0)

    def choices(self, at):
        return ["roll", "hold"] if at.at_risk else ["roll"]

    def outcomes(self, at, move):
        if move == "hold":
            yield 1, Place(at.yours, at.mine + at.at_risk, 0), OTHER
            return
        for face in range(1, 7):
            if face == 1:
                yield Fraction(1, 6), Place(at.yours, at.mine, 0), OTHER
            else:
                yield Fraction(1, 6), Place(at.mine, at.yours, at.at_risk + face), SAME

    def result(self, at):
        if at.mine + at.at_risk >= self.target:
            return WIN
        return None  # as good as ONGOING


def hold_at_eight(at):
    return "hold" if at.at_risk >= 8 else "roll"


def test_plain_rules_give_the_values_of_array_rules_at_every_position():
    plain, arrays = solve(PlainPig()), solve(Pig(target=20))
    assert plain.positions == arrays.positions
    for number in range(plain.positions):
        at = arrays.table.position(number)
        place = Place(*at)
        assert plain.value_at(place) == pytest.approx(arrays.value_at(at), abs=1e-13)
        if arrays.table.is_ongoing[number]:
            assert plain.best_moves(place) == arrays.best_moves(at)
    low, high = plain.bounds_at(Place(0, 0, 0))
    assert low <= arrays.value <= high


def test_plain_rules_give_the_exact_values_too():
    plain = solve(PlainPig(target=10), exact=True)
    arrays = solve(Pig(target=10), exact=True)
    for number in range(plain.positions):
        at = plain.table.position(number)
        assert plain.values[number] == arrays.value_at(PigPosition(*at))


@pytest.mark.slow
def test_every_verb_takes_plain_rules():
    plain, arrays = PlainPig(), Pig(target=20)
    known = evaluate(arrays, hold_at_eight, "random")
    found = evaluate(plain, hold_at_eight, "random")
    assert (found.first, found.second) == pytest.approx((known.first, known.second), abs=1e-13)
    reply = best_response(plain, hold_at_eight)
    assert reply.first == pytest.approx(best_response(arrays, hold_at_eight).first, abs=1e-13)
    visits = density(plain, hold_at_eight, "random").visits_at(Place(0, 0, 0))
    assert visits == pytest.approx(density(arrays, hold_at_eight, "random").visits_at("0-0 +0"))


def test_a_named_tuple_of_integers_gets_a_notation_for_free():
    table = compile(PlainPig())
    number = table.number("mine=0 yours=0 at_risk=5")
    assert table.position(number) == Place(0, 0, 5)
    assert table.notation(number) == "mine=0 yours=0 at_risk=5"
    with pytest.raises(UnreadablePosition) as refused:
        table.number("mine=0")
    assert str(refused.value) == (
        "cannot read 'mine=0' as a position of plain-pig: write it like 'mine=0 yours=0 at_risk=0'"
    )
    with pytest.raises(UnknownPosition) as refused:
        table.number(Place(0, 0, 1))
    assert str(refused.value) == (
        "no play of plain-pig leads to mine=0 yours=0 at_risk=1: "
        "try the start, 'mine=0 yours=0 at_risk=0'"
    )


def test_any_hashable_thing_may_be_a_position():
    @dataclass(frozen=True)
    class Word(HouseRules):
        name: ClassVar[str] = "word"

        def start(self):
            return "begin"

        def choices(self, at):
            return ["say"]

        def outcomes(self, at, move):
            yield Chance(2, 3), ("won", frozenset({1})), SAME
            yield Chance(1, 3), "begin", OTHER

        def result(self, at):
            return WIN if at != "begin" else ONGOING

    solution = solve(Word(), exact=True)
    assert solution.value == Fraction(3, 4)  # v = 2/3 + (1 - v)/3
    assert solution.value_at("'begin'") == Fraction(3, 4)
    with pytest.raises(UnreadablePosition) as refused:
        solution.value_at("end")
    assert str(refused.value) == (
        "cannot read 'end' as a position of word: write it like \"'begin'\""
    )


# The same mistakes in plain rules and in array rules meet the same words


class Spot(NamedTuple):
    place: int


class Faulty:
    """A walk from 0 to 3 with one thing wrong."""

    fault: str
    name: ClassVar[str] = "faulty"
    moves: ClassVar[tuple[str, ...]] = ("go",)

    def start(self):
        return Spot(0)

    def outcomes(self, at, move):
        share = Fraction(1, 3) if self.fault == "chances" else Fraction(1, 2)
        step = 10**12 if self.fault == "endless" else 1
        yield share, Spot(at.place + step), SAME
        yield Fraction(1, 2), Spot(0 * at.place), OTHER


@dataclass(frozen=True)
class PlainFaulty(Faulty, HouseRules):
    fault: str = ""

    def choices(self, at):
        return [] if self.fault == "stuck" and at.place == 2 else ["go"]

    def result(self, at):
        return WIN if at.place == 3 else ONGOING


@dataclass(frozen=True)
class ArrayFaulty(Faulty, Game):
    fault: str = ""

    def legal(self, at, move):
        return at.place != (2 if self.fault == "stuck" else -1)

    def result(self, at):
        return np.where(at.place == 3, WIN, ONGOING)


@pytest.mark.parametrize("kind", [PlainFaulty, ArrayFaulty])
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            "chances",
            "the chances after go at place=0 sum to 5/6: they must sum to 1",
        ),
        (
            "stuck",
            "faulty fault=stuck has no legal move at place=2: "
            "allow one, or say in result() how the game ends there",
        ),
    ],
)
def test_a_mistake_in_the_rules_is_told_in_the_same_words(kind, fault, message):
    with pytest.raises(RulesError) as refused:
        compile(kind(fault=fault))
    assert str(refused.value) == message
    assert solve(kind(), exact=True).value == solve(PlainFaulty(), exact=True).value


@pytest.mark.parametrize("kind", [PlainFaulty, ArrayFaulty])
def test_rules_without_end_are_refused_when_the_memory_is_full(kind):
    with pytest.raises(TooLarge) as refused:
        compile(kind(fault="endless"), memory=10**6)
    assert str(refused.value).startswith("faulty fault=endless has more than ")
    assert str(refused.value).endswith("; the limit is 1 MB (--memory)")


def test_a_field_that_does_not_fit_in_its_bits_is_told():
    @dataclass(frozen=True)
    class Giant(ArrayFaulty):
        def outcomes(self, at, move):
            yield 1, Spot(at.place + 2**62), SAME

    with pytest.raises(RulesError) as refused:
        compile(Giant())
    assert str(refused.value) == (
        f"faulty reaches place={2**62}, which does not fit in 63 bits: "
        f"keep every field within {2**62 - 1}"
    )


# Positions as they are written


@dataclass(frozen=True)
class Count(HouseRules):
    """Count to three; positions are pairs, or what `of` makes of a number."""

    name: ClassVar[str] = "count"

    def of(self, number):
        return (number, ("left", 3 - number))

    def start(self):
        return self.of(0)

    def choices(self, at):
        return ["on"]

    def outcomes(self, at, move):
        yield 1, self.of(self.number(at) + 1), SAME

    def number(self, at):
        return at[0]

    def result(self, at):
        return WIN if self.number(at) == 3 else None


class Stack(NamedTuple):
    who: str
    tiles: Any


class Stacked(Count):
    def of(self, number):
        return Stack("bob", (number, 0))

    def number(self, at):
        return at.tiles[0]


class Sets(Count):
    def of(self, number):
        return frozenset(range(number))

    def number(self, at):
        return len(at)


class Spelled(Count):
    def notation(self, at):
        return f"at {at[0]} of 3"


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (Count(), "(2, ('left', 1))"),
        (Count(), "(2,('left',1))"),
        (Count(), ' ( 2, ("left", 1) ) '),
        (Stacked(), "who=bob tiles=(2, 0)"),
        (Stacked(), "tiles=(2,0), who = bob"),
        (Sets(), "frozenset({0, 1})"),
        (Sets(), "frozenset({0,1})"),
        (Spelled(), "at 2 of 3"),
        (Spelled(), "at  2 of 3 "),
        (Spelled(), "(2, ('left', 1))"),
    ],
)
def test_a_position_is_read_however_it_is_spaced(made, written):
    table = compile(made)
    assert table.position(table.number(written)) == made.of(2)


@pytest.mark.parametrize(
    ("made", "written", "told", "shown"),
    [
        (Count(), "(5,('left',1))", "(5, ('left', 1))", "\"(0, ('left', 3))\""),
        (Stacked(), "who=bob tiles=(7, 0)", "who=bob tiles=(7, 0)", "'who=bob tiles=(0, 0)'"),
        (Stacked(), "who=ann  tiles=(1,0)", "who=ann tiles=(1, 0)", "'who=bob tiles=(0, 0)'"),
        (Spelled(), "at 9 of 3", "at 9 of 3", "'at 0 of 3'"),
    ],
)
def test_a_position_that_play_cannot_reach_is_told_from_one_that_cannot_be_read(
    made, written, told, shown
):
    with pytest.raises(UnknownPosition) as refused:
        compile(made).number(written)
    assert str(refused.value) == f"no play of count leads to {told}: try the start, {shown}"


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (Count(), "(2, ('left', 1)"),
        (Count(), "[2]"),
        (Count(), "two"),
        (Stacked(), "who=bob"),
        (Stacked(), "who=bob who=ann tiles=(1, 0)"),
        (Stacked(), "says who=bob tiles=(1, 0)"),
        (PlainPig(), "mine=0 yours=0 at_risk=5x"),
        (PlainPig(), "mine=0 yours=0.5 at_risk"),
    ],
)
def test_what_is_no_position_cannot_be_read(made, written):
    with pytest.raises(UnreadablePosition) as refused:
        compile(made).number(written)
    start = made.notation(made.start())
    assert str(refused.value) == (
        f"cannot read {written!r} as a position of {made.name}: write it like {start!r}"
    )


@pytest.mark.parametrize("written", ["place=1.5", "place=1 or so", "place=1 place=2", "1"])
def test_fields_of_arrays_are_whole_numbers_and_nothing_else(written):
    with pytest.raises(UnreadablePosition) as refused:
        compile(ArrayFaulty()).number(written)
    assert str(refused.value) == (
        f"cannot read {written!r} as a position of faulty: write it like 'place=0'"
    )
