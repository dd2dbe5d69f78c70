"""House rules expanded: laws followed once, and a limit on memory that is kept."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from dicelab import LOSS, ONGOING, OTHER, HouseRules, compile, solve
from dicelab.errors import TooLarge
from dicelab.table.numbering import size_of

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Race(HouseRules):
    """A coin a turn: heads is one step; the first at the target wins."""

    target: int = 4
    shared: bool = False  # the law of a throw is made once, as one tuple
    padding: int = 0

    name = "race"

    def start(self):
        return (0, 0, (0,) * self.padding)

    def result(self, at):
        return LOSS if at[1] >= self.target else ONGOING

    def choices(self, at):
        return ["throw"]

    def outcomes(self, at, move):
        mine, yours, _ = at
        rest = tuple(range(mine, mine + self.padding))
        told = (
            (HALF, (yours, mine + 1, rest), OTHER),
            (Fraction(1, 2), (yours, mine, rest), OTHER),
        )
        return LAWS.setdefault(at, told) if self.shared else iter(told)


LAWS: dict = {}


def test_a_law_that_is_told_again_leads_to_the_same_places():
    one, other = compile(Race()), compile(Race(shared=True))
    assert one.target.tolist() == other.target.tolist()
    assert one.kind.tolist() == other.kind.tolist()
    assert solve(one, exact=True).value == solve(other, exact=True).value


def test_equal_chances_are_one_kind_however_they_were_made():
    assert [kind.chance for kind in compile(Race()).kinds] == [HALF]


def test_positions_are_measured_with_their_parts():
    assert size_of((1, (2, 3))) > size_of((1, 2)) > size_of(())


def test_large_positions_count_for_what_they_take():
    # 41 x 41 positions of a thousand numbers each: about 60 MB, where small ones take 1 MB.
    assert len(compile(Race(target=40), memory=4_000_000)) > 1_600
    with pytest.raises(TooLarge, match=r"needs about .* MB; the limit is 4 MB \(--memory\)"):
        compile(Race(target=40, padding=1000), memory=4_000_000)


@dataclass(frozen=True)
class Sized(Race):
    """The same, and it tells its size."""

    def size(self):
        return 10**9

    def choices(self, at):
        raise AssertionError("nobody asks a game that is too large for its moves")


def test_a_game_that_tells_its_size_is_refused_before_the_work():
    with pytest.raises(TooLarge) as refused:
        compile(Sized(), memory=1_000_000)
    assert "about 1e+09 positions" in str(refused.value)
