"""Rules that are tried: one finding for each thing that is wrong, on its whole text."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import (
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Chance,
    Game,
    HouseRules,
    check,
    compile,
    strategy,
    where,
)
from dicelab.rules import Amount, Throw, Way
from dicelab.verbs.check import Finding
from forms import forms
from strange_games import Heap, Ladder

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Stairs(HouseRules):
    """A coin a turn climbs two steps or one, and whoever is at the top has won."""

    top: int = 3
    name: ClassVar[str] = "stairs"

    def start(self):
        return (0, 0)

    def choices(self, at):
        return ["climb"]

    def outcomes(self, at, move):
        mine, yours = at
        yield HALF, (yours, min(self.top, mine + 1)), OTHER
        yield HALF, (yours, min(self.top, mine + 2)), OTHER

    def result(self, at):
        return LOSS if at[1] >= self.top else ONGOING


class Step(NamedTuple):
    """How far I am, and how far the other is."""

    mine: int
    yours: int


@dataclass(frozen=True)
class FastStairs(Game):
    """The same on arrays."""

    top: int = 3
    name: ClassVar[str] = "fast-stairs"
    moves: ClassVar[tuple[str, ...]] = ("climb",)

    def start(self):
        return Step(0, 0)

    def legal(self, at, move):
        return at.mine >= 0

    def outcomes(self, at, move):
        for steps in (1, 2):
            yield HALF, Step(at.yours, np.minimum(self.top, at.mine + steps)), OTHER

    def result(self, at):
        return where(at.yours >= self.top, LOSS, ONGOING)


def defined(function) -> str:
    return f"test_check.py, line {function.__code__.co_firstlineno}"


def only(game, **options) -> Finding:
    """Return the one finding about a game."""
    (found,) = check(game, **options).findings
    return found


@pytest.mark.parametrize("game", [Stairs(), FastStairs(), Heap(), Ladder()], ids=str)
def test_rules_without_a_fault_are_well_at_all_their_positions(game):
    found = check(game)
    assert (found.findings, found.is_whole) == ((), True)
    assert found.positions == len(compile(game))
    assert found.lines() == [
        f"{game}: all is well at {found.positions} positions, which are all there are"
    ]


@pytest.mark.parametrize("game", forms(), ids=str)
def test_every_game_of_the_house_is_well(game):
    assert check(game, positions=300).findings == ()


def test_a_game_is_looked_at_as_far_as_is_asked():
    assert check(Stairs(top=50), positions=20).lines() == [
        "stairs top=50: all is well at 20 positions, and there are more"
    ]


@dataclass(frozen=True)
class Wide(Stairs):
    """A lottery with a thousand equal prizes, all of which are worth nothing."""

    def outcomes(self, at, move):
        for number in range(1000):
            yield Fraction(1, 1000), (at[1], at[0] + number % 2), OTHER


def test_where_moves_have_very_many_outcomes_fewer_positions_are_looked_at():
    # A thousand outcomes count for twenty positions.
    assert check(Wide(top=50), positions=100).lines() == [
        "stairs top=50: all is well at 5 positions, and there are more"
    ]


class Short(Stairs):
    def outcomes(self, at, move):
        yield HALF, (at[1], self.top), OTHER
        yield Fraction(1, 3), (at[1], at[0] + 1), OTHER


def test_chances_that_do_not_sum_to_one():
    # From (0, 0) one step at a time: (0, 1), (1, 1), (1, 2) and (2, 2) go on as well.
    found = only(Short())
    assert found == Finding(
        "the chances after climb at (0, 0) sum to 5/6: they must sum to 1",
        "(0, 0)",
        "climb",
        defined(Short.outcomes),
        others=4,
    )
    assert str(found) == (
        "the chances after climb at (0, 0) sum to 5/6: they must sum to 1 "
        f"({defined(Short.outcomes)}; and at 4 other positions)"
    )


class Beyond(Stairs):
    def outcomes(self, at, move):
        yield Fraction(3, 2), (at[1], self.top), OTHER
        yield Fraction(-1, 2), (at[1], self.top), OTHER


def test_chances_out_of_range():
    assert str(only(Beyond())) == (
        "the rules of stairs give the chance 3/2 to an outcome after climb at (0, 0): a chance "
        f"lies between 0 and 1 ({defined(Beyond.outcomes)}; and at 1 other position)"
    )


class Stuck(Stairs):
    def choices(self, at):
        return [] if at == (1, 1) else ["climb"]


def test_a_position_where_nobody_can_move():
    assert str(only(Stuck())) == (
        "stairs has no legal move at (1, 1): allow one, or say in result() how the game ends there "
        f"({defined(Stuck.choices)})"
    )


class Lists(Stairs):
    def outcomes(self, at, move):
        yield 1, [self.top, 0], OTHER


def test_positions_that_cannot_be_looked_up():
    assert str(only(Lists())) == (
        "the rules of stairs failed after 'climb' at (0, 0): TypeError: unhashable type: 'list'; a "
        "position is a tuple, a word or a number, and holds no list, set or dictionary "
        f"({defined(Lists.outcomes)})"
    )


class Maybe(Stairs):
    def result(self, at):
        return "won" if at[1] >= self.top else ONGOING


def test_results_that_are_none():
    # Play ends at (1, 3) and at (2, 3).
    assert str(only(Maybe())) == (
        "result() of stairs answers 'won' at (1, 3): it must be WIN, LOSS, DRAW or ONGOING "
        f"({defined(Maybe.result)}; and at 1 other position)"
    )


class Third(Stairs):
    def outcomes(self, at, move):
        yield 1, (at[1], self.top), 2


def test_movers_that_are_none():
    assert str(only(Third())) == (
        "the rules of stairs failed after 'climb' at (0, 0): ValueError: who moves next is SAME or "
        "OTHER, not 2; where that depends on the position, yield both outcomes with chances that "
        f"depend on it ({defined(Third.outcomes)})"
    )


class Word(Stairs):
    def choices(self, at):
        return "climb"


class Twice(Stairs):
    def choices(self, at):
        return ["climb", "climb"]


def test_choices_that_are_no_list_of_words():
    assert str(only(Word())) == (
        "choices() of stairs answers 'climb' at (0, 0): it must be a list of words, such as "
        f"['roll', 'hold'] ({defined(Word.choices)})"
    )
    assert str(only(Twice(), positions=1)) == (
        "choices() of stairs has 'climb' twice at (0, 0): each move is listed once "
        f"({defined(Twice.choices)})"
    )


class Sets(Stairs):
    def start(self):
        return frozenset({0})

    def outcomes(self, at, move):
        yield 1, frozenset({1}), OTHER

    def result(self, at):
        return LOSS if 1 in at else ONGOING


class Backwards(Stairs):
    def notation(self, at):
        return f"{at[0]}-{at[1]}"

    def parse(self, text):
        return tuple(int(part) for part in reversed(text.split("-")))


def test_notation_that_does_not_read_back():
    assert str(only(Sets())) == (
        "the notation of stairs does not read back: cannot read 'frozenset({0})' as a position of "
        "stairs: write it like 'frozenset({0})' (and at 1 other position)"
    )
    # Of nine positions (0, 0), (1, 1) and (2, 2) read the same both ways.
    assert str(only(Backwards())) == (
        "the notation of stairs does not read back: (0, 2) is '0-2', which is (2, 0) "
        f"({defined(Backwards.parse)}; and at 5 other positions)"
    )


class Over(Stairs):
    def start(self):
        return (0, 3)


def test_a_start_that_is_over():
    assert str(only(Over())) == (
        f"stairs is over at (0, 3): start where there is a move to make ({defined(Over.start)})"
    )


class Paid(Stairs):
    def outcomes(self, at, move):
        yield 1, (at[1], self.top), OTHER, 5


def test_gains_between_two_are_well():
    assert check(Paid()).lines() == ["stairs: all is well at 2 positions, which are all there are"]


class Pays(FastStairs):
    def payoff(self, at):
        return Amount(at.mine - self.top, 2)


class PaysRoughly(FastStairs):
    def payoff(self, at):
        return (at.mine - self.top) / 2


class PaysTheLargest(FastStairs):
    def payoff(self, at):
        return np.max(at.mine) + 0 * at.mine


class GainsTheLargest(FastStairs):
    def outcomes(self, at, move):
        for chance, to, mover in super().outcomes(at, move):
            yield chance, to, mover, np.max(at.mine) + 0 * at.mine


class Gains(FastStairs):
    def outcomes(self, at, move):
        for chance, to, mover in super().outcomes(at, move):
            yield chance, to, mover, Amount(at.mine, 3)


def test_gains_and_what_ends_pay_may_depend_on_the_position_and_on_no_other():
    said = "where that position is asked about alone, and"
    assert check(Pays()).findings == check(Gains()).findings == ()
    assert str(only(PaysRoughly())) == (
        "payoff() of fast-stairs answers -1.0 at mine=1 yours=3: what an end pays is exact, a "
        "whole number or Amount(numerator, denominator) "
        f"({defined(PaysRoughly.payoff)}; and at 1 other position)"
    )
    # Play ends at mine=1 and at mine=2.
    assert str(only(PaysTheLargest())) == (
        f"fast-stairs pays 1 at mine=1 yours=3 {said} pays 2 {apart(2)} "
        f"({defined(PaysTheLargest.payoff)})"
    )
    assert str(only(GainsTheLargest())) == (
        "fast-stairs leads to mine=0 yours=1, the other player to move, with chance 1/2 after "
        f"climb at mine=0 yours=0 {said} with chance 0 {apart(7)} "
        f"({defined(GainsTheLargest.outcomes)}; and at 4 other positions)"
    )


class Many(Stairs):
    players = 0


def test_what_a_game_says_about_itself_is_found_before_any_position():
    assert check(Many()).lines() == [
        "stairs: 1 finding before any position",
        "stairs says players = 0: a game is played by 1, by 2, or by as many as sit at the table, "
        "up to 100",
    ]


class Several(Stairs):
    def choices(self, at):
        return ["climb", "fall"]

    def outcomes(self, at, move):
        if move == "fall":
            yield HALF, (0, 1 // at[0]), OTHER  # raises
        yield HALF, (at[1], self.top), OTHER


def test_all_findings_are_told_and_not_only_the_first():
    raised = Several.outcomes.__code__.co_firstlineno + 2
    assert [str(each) for each in check(Several(), positions=1).findings] == [
        "the chances after climb at (0, 0) sum to 1/2: they must sum to 1 "
        f"({defined(Several.outcomes)})",
        "the rules of stairs failed after 'fall' at (0, 0): ZeroDivisionError: integer division or "
        f"modulo by zero (test_check.py, line {raised}: yield HALF, (0, 1 // at[0]), OTHER  "
        "# raises)",
    ]


class Branching(FastStairs):
    def result(self, at):
        return LOSS if at.yours >= self.top else ONGOING


def test_an_if_on_an_array_is_told_with_what_to_write_instead():
    found = only(Branching())
    line = Branching.result.__code__.co_firstlineno + 1
    assert str(found) == (
        "the rules of fast-stairs failed: ValueError: The truth value of an array with more than "
        "one element is ambiguous. Use a.any() or a.all() "
        f"(test_check.py, line {line}: return LOSS if at.yours >= self.top else ONGOING); one call "
        "is about 9 positions: choose with dicelab.where instead of `if`, join with both and "
        "either instead of `and` and `or`, or derive from HouseRules"
    )


def apart(count):
    """Return how a sentence about positions alone and together ends."""
    return f"where it is one of {count}: rules on arrays answer for every position by itself"


class FirstOnly(FastStairs):
    def legal(self, at, move):
        return at.mine == (at.mine if np.ndim(at.mine) == 0 else at.mine[0])


class Shuffled(FastStairs):
    def outcomes(self, at, move):
        mine = at.mine[::-1] if np.ndim(at.mine) else at.mine
        yield 1, Step(at.yours, np.minimum(self.top, mine + 1)), OTHER


class Likelier(FastStairs):
    def outcomes(self, at, move):
        part = 1 if np.ndim(at.mine) else 2
        yield Chance(part, 4), Step(at.yours, self.top + 0 * at.mine), OTHER
        yield Chance(4 - part, 4), Step(at.mine + 1, at.yours), SAME

    def legal(self, at, move):
        return at.mine < self.top

    def result(self, at):
        over = where(at.mine >= self.top, WIN, ONGOING)
        return where(at.yours >= self.top, LOSS, over)


class Rounding(FastStairs):
    def result(self, at):
        return where(at.yours >= (self.top if np.ndim(at.yours) == 0 else 2), LOSS, ONGOING)


def test_positions_that_differ_between_arrays_and_single():
    said = "where that position is asked about alone, and"
    assert str(only(Rounding())) == (
        f"fast-stairs says goes on at mine=0 yours=2 {said} says a loss {apart(9)} "
        f"({defined(Rounding.result)}; and at 2 other positions)"
    )
    assert str(only(FirstOnly())) == (
        f"fast-stairs allows climb at mine=1 yours=2 {said} forbids it {apart(7)} "
        f"({defined(FirstOnly.legal)}; and at 3 other positions)"
    )
    assert str(only(Shuffled())) == (
        f"fast-stairs leads to mine=0 yours=1, the other player to move, with chance 1 after climb "
        f"at mine=0 yours=0 {said} with chance 0 {apart(5)} "
        f"({defined(Shuffled.outcomes)}; and at 3 other positions)"
    )
    assert str(only(Likelier())) == (
        f"fast-stairs leads to mine=0 yours=3, the other player to move, with chance 1/2 after "
        f"climb at mine=0 yours=0 {said} with chance 1/4 {apart(3)} "
        f"({defined(Likelier.outcomes)}; and at 2 other positions)"
    )


@dataclass(frozen=True)
class Pick(FastStairs):
    """A coin is thrown, and the player then climbs what it shows or one step."""

    def outcomes(self, at, move):
        yield Throw(HALF, 1)
        yield Throw(HALF, 2)

    def ways(self, at, move, dice):
        for steps in range(1, dice + 1):
            yield Way(str(steps), Step(at.yours, np.minimum(self.top, at.mine + steps)), OTHER)


class NoWay(Pick):
    def ways(self, at, move, dice):
        for way in super().ways(at, move, dice):
            yield way._replace(allowed=at.mine + dice <= self.top)


class SameNames(Pick):
    def ways(self, at, move, dice):
        return [way._replace(name="on") for way in super().ways(at, move, dice)]


class FartherTogether(Pick):
    def ways(self, at, move, dice):
        for way in super().ways(at, move, dice):
            yield way._replace(mover=SAME if np.ndim(at.mine) and dice == 2 else OTHER)


def test_ways_after_a_throw_are_tried_too():
    assert check(Pick()).findings == ()
    assert str(only(NoWay())) == (
        "fast-stairs leaves no way open after climb at mine=2 yours=1 when the dice show 2: yield "
        f"one in ways(), such as to pass ({defined(NoWay.ways)}; and at 1 other position)"
    )
    assert str(only(SameNames())) == (
        "fast-stairs has two ways called 'on' after climb at mine=0 yours=0 when the dice show 2: "
        f"give each its own name ({defined(SameNames.ways)}; and at 4 other positions)"
    )
    assert str(only(FartherTogether())) == (
        "fast-stairs leads to mine=0 yours=1 by '1' when the dice show 2, the other player to "
        "move, with chance 1/2 after climb at mine=0 yours=0 where that position is asked about "
        f"alone, and with chance 0 {apart(7)} "
        f"({defined(FartherTogether.ways)}; and at 6 other positions)"
    )


@dataclass(frozen=True)
class Choosy(Stairs):
    """Stairs with a rest on the first step."""

    name: ClassVar[str] = "choosy"
    strategies: ClassVar[dict] = {}

    def choices(self, at):
        return ["climb", "rest"] if at[0] == 1 else ["climb"]

    def outcomes(self, at, move):
        return [(1, (at[1], at[0]), OTHER)] if move == "rest" else super().outcomes(at, move)


@strategy(Choosy, "rests")
def rests(game, from_step: int = 0):
    """Rest wherever one is beyond a step."""
    return lambda at: "rest" if at[0] >= from_step else "climb"


@strategy(Choosy, "fails")
def fails(game):
    """Divide by the step one is on."""
    return lambda at: "climb" if 1 / at[0] else "rest"


@strategy(Choosy, "asks")
def asks(game, step: int):
    """Rest on a step that must be told: nobody knows what to ask this one."""
    return lambda at: "rest" if at[0] == step else "climb"


def test_named_strategies_that_are_not_allowed():
    # Without a table, as in a large game: at the start, (0, 2), (0, 1), (2, 2) and (1, 2).
    found = check(Choosy(), positions=5)
    line = fails.__code__.co_firstlineno + 3
    assert [str(each) for each in found.findings] == [
        "rests cannot rest at (0, 0): you can only climb here "
        f"({defined(rests)}; and at 3 other positions)",
        "fails failed at (0, 0): ZeroDivisionError: division by zero (test_check.py, line "
        f'{line}: return lambda at: "climb" if 1 / at[0] else "rest"; and at 2 other positions)',
    ]


def test_named_strategies_of_a_game_that_is_well_are_tried_on_its_table():
    at_the_end, *_ = check(Choosy()).findings
    assert str(at_the_end) == (
        f"rests cannot rest at (2, 2): you can only climb here ({defined(rests)})"
    )


@dataclass(frozen=True)
class ThrowsItself(Stairs):
    """The rules throw a coin, in place of telling its chances."""

    def outcomes(self, at, move):
        mine, yours = at
        yield 1, (yours, min(self.top, mine + next(COINS))), OTHER


COINS = count(1)  # no throw comes twice


def test_rules_that_throw_the_dice_themselves_are_found():
    found = check(ThrowsItself(top=1_000)).findings[0]
    assert str(found).startswith(
        "the rules of stairs top=1000 answer otherwise when they are asked again about climb at "
        "(0, 0): yield everything that the dice may do with its chance, and throw none"
    )
