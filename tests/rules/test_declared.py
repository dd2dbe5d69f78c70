"""Games that somebody declares: the answer is about that game, or there is none."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import (
    BOTH,
    DRAW,
    LOSS,
    ONGOING,
    SAME,
    WIN,
    Amount,
    Chance,
    Game,
    HouseRules,
    RaceAtOnce,
    solve,
    where,
)
from dicelab.errors import RulesError


@dataclass(frozen=True)
class Once(HouseRules):
    """One step with these chances, to a win, then to losses."""

    chances: Any = (1,)
    gain: Any = 0
    name: ClassVar[str] = "once"
    players: ClassVar[int] = 1

    def start(self):
        return 0

    def choices(self, at):
        return ["go"]

    def outcomes(self, at, move):
        for place, chance in enumerate(self.chances, 1):
            yield chance, place, SAME, self.gain

    def result(self, at):
        return ONGOING if at == 0 else WIN if at == 1 else LOSS


class Place(NamedTuple):
    step: int


@dataclass(frozen=True)
class OnceOnArrays(Game):
    """The same on arrays."""

    chances: Any = (1,)
    gain: Any = 0
    name: ClassVar[str] = "once"
    players: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]] = ("go",)

    def start(self):
        return Place(0)

    def legal(self, at, move):
        return at.step == 0

    def outcomes(self, at, move):
        for place, chance in enumerate(self.chances, 1):
            yield chance, Place(0 * at.step + place), SAME, self.gain

    def result(self, at):
        return where(at.step == 0, ONGOING, where(at.step == 1, WIN, LOSS))


@pytest.mark.parametrize("kind", [Once, OnceOnArrays])
@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({"chances": (Chance(1, 2.5), Chance(1.5, 2.5))}, "2.5"),
        ({"gain": Amount(3, 2.5)}, "2.5"),
    ],
)
def test_shares_that_are_not_whole_are_refused_and_not_cut_down(kind, told, shown):
    # Cut down to whole numbers these are 1/2 and 1/2, and 3/2: another game.
    with pytest.raises(RulesError) as refused:
        solve(kind(**told))
    assert str(refused.value).endswith(
        f"Chance and Amount are exact, whole numbers over a whole denominator: got {shown}"
    )


def test_gains_that_are_numbers_of_numpy_do_not_overflow():
    thirds = (Fraction(1, 3), Fraction(2, 3))
    for gain in (np.int64(2**62 + 1), np.int32(2**31 - 1)):
        assert solve(Once(thirds, gain), exact=True).value == int(gain)
        assert solve(Once(thirds, gain), exact=True, for_=f"at least {gain}").value == 1


class MadeByHand(Once):
    def __init__(self, chance=Fraction(1, 3)):
        self.chance = chance

    def outcomes(self, at, move):
        yield self.chance, 1, SAME, 3
        yield 1 - self.chance, 2, SAME


@dataclass(frozen=True)
class Doubled(Once):
    def __post_init__(self):
        object.__setattr__(self, "gain", 2 * self.gain)


@dataclass(frozen=True)
class WorksOut(Once):
    twice: int = field(init=False, default=0)

    def __post_init__(self):
        object.__setattr__(self, "twice", 2 * self.gain)

    def payoff(self, at):
        return self.twice


def refusal(game):
    with pytest.raises(RulesError) as refused:
        solve(game)
    return str(refused.value)


def test_a_game_that_its_parameters_do_not_make_again_is_refused():
    # For another aim it was made again with the usual 1/3, and with 4 times the gain.
    assert refusal(MadeByHand(Fraction(1, 5))) == (
        "once is made from 'chance', which is no field of its dataclass: write "
        "@dataclass(frozen=True) above the class and chance: int = 3, or the like, in it"
    )
    assert refusal(Doubled(gain=1)) == (
        "once gain=2, made again from its parameters, is once gain=4: leave them as they were given"
    )


def test_what_a_game_works_out_for_itself_is_no_parameter():
    assert solve(WorksOut(gain=3), exact=True).value == 9
    assert solve(WorksOut(gain=3), exact=True, for_="at least 9").value == 1


class Scores(NamedTuple):
    mine: int
    yours: int


@dataclass(frozen=True)
class Sprint(RaceAtOnce):
    chance: Any = Fraction(1, 4)
    name: ClassVar[str] = "sprint"
    moves: ClassVar[tuple[str, ...]] = ("step", "leap")

    def start(self):
        return Scores(0, 0)

    def points(self, move):
        return {1: 1} if move == "step" else {0: 1 - self.chance, 3: self.chance}

    def highest(self):
        return 2

    def result(self, at):
        ended = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        return where((at.mine < 3) & (at.yours < 3), ONGOING, ended)


class Bumping(Sprint):
    def outcomes(self, at, mine, yours=""):
        yield 1, Scores(at.mine + 1, at.yours + 1), BOTH


def test_a_race_at_once_with_outcomes_of_its_own_is_refused():
    assert refusal(Bumping()) == (
        "sprint is a race at once and has outcomes() of its own: it is known by points() and "
        "highest() alone; derive from SimultaneousGame"
    )


def test_chances_of_a_race_that_are_floats_are_taken_exactly():
    at = "mine=0 yours=1"
    exact = solve(Sprint(), exact=True).value_at(at)
    assert solve(Sprint(chance=0.25), exact=True).value_at(at) == exact


@dataclass(frozen=True)
class Paying(Once):
    def payoff(self, at):
        return np.int64(2**62 if at == 1 else 0)


@dataclass(frozen=True)
class Worth(Once):
    worth: ClassVar[Any] = {WIN: np.int64(2**62), LOSS: np.int64(0), DRAW: np.int64(0)}


@pytest.mark.parametrize("kind", [Paying, Worth])
def test_ends_that_are_numbers_of_numpy_do_not_overflow(kind):
    sevenths = (Fraction(3, 7), Fraction(4, 7))
    assert solve(kind(sevenths), exact=True).value == Fraction(3 * 2**62, 7)


class Before(NamedTuple):
    step: int
    left: int


class After(NamedTuple):
    step: int
    left: int


class Kinds(Once):
    """Two kinds of positions; what follows goes by the kind, and so does how it ends."""

    def start(self):
        return Before(1, 2)

    def outcomes(self, at, move):
        yield Fraction(1, 2), After(1, 2), SAME
        yield Fraction(1, 2), After(1, 3), SAME

    def result(self, at):
        return ONGOING if isinstance(at, Before) else WIN if at.left == 2 else LOSS


class Truths(Once):
    def start(self):
        return True

    def outcomes(self, at, move):
        yield 1, 1, SAME

    def result(self, at):
        return ONGOING if at is True else WIN


def test_positions_that_rules_tell_apart_and_python_does_not_are_refused():
    # The first is won half of the time and was told to be lost: Before(1, 2) == After(1, 2).
    for kind, known, at in [(Kinds, Before(1, 2), After(1, 2)), (Truths, True, 1)]:
        assert refusal(kind()) == (
            f"once has the positions {known!r} and {at!r}, which Python takes for one: give one of "
            f"them another field or word, so that they differ"
        )


@pytest.mark.parametrize(("answer", "told"), [("go", "'go'"), ([1], "[1]")])
def test_choices_that_are_no_list_of_words_are_refused(answer, told):
    game = type("Worded", (Once,), {"choices": lambda self, at: answer})()
    assert refusal(game) == (
        f"choices() of once answers {told} at 0: it must be a list of words, such as "
        f"['roll', 'hold']"
    )


class TooMany(OnceOnArrays):
    def outcomes(self, at, move):
        yield 1, Place(np.array([1, 2, 3])), SAME


def test_fields_have_a_value_for_each_position():
    assert refusal(TooMany()) == (
        "once gives 3 values of step after go where it is asked about 1: one for each position, "
        "or one for all"
    )
