"""Games that somebody declares: the answer is about that game, or there is none."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import LOSS, ONGOING, SAME, WIN, Amount, Chance, Game, HouseRules, solve, where
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
