"""A limit on memory is kept while a game is explored, and its size is known before."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from dicelab import SAME, Chance, Outcome, compile, solve
from dicelab.errors import TooLarge
from dicelab.games.greed import Greed
from dicelab.games.pig import Pig
from dicelab.rules.dice import Die
from dicelab.table import expand
from dicelab.table.shapes import Kinds


@dataclass(frozen=True)
class Unmeasured(Greed):
    """Greed that does not say how large it is; it has many outcomes at each position."""

    def size(self):
        return None


def test_fewer_positions_are_followed_at_once_where_each_has_many_outcomes():
    memory = 30_000_000
    parts = expand._Parts(memory)
    layer = Greed().start()._replace(**dict.fromkeys(Greed().start()._fields, np.arange(40_000)))
    sizes = []
    for at in parts.of(layer):
        sizes.append(at[0].size)
        parts.met(at[0].size, 1_000 * at[0].size)
    assert sum(sizes) == 40_000
    assert max(sizes) == memory // (expand.SHARE_IN_WORK * expand.BYTES_IN_WORK) // 1_000
    parts.met(1, 2)
    # Few outcomes: more at once, but not many more, since many may come again.
    assert max(at[0].size for at in parts.of(layer)) == 2 * max(sizes)


def test_the_same_table_comes_of_any_number_followed_at_once():
    small, large = compile(Unmeasured(max=20), memory=2_000_000), compile(Unmeasured(max=20))
    assert len(small) == len(large)
    assert small.target.size == large.target.size
    assert solve(Greed(max=20), exact=True).value == solve(small, exact=True).value


@pytest.mark.slow
def test_memory_is_looked_at_within_a_layer():
    with pytest.raises(TooLarge) as refused:
        compile(Unmeasured(max=60), memory=5_000_000)
    told = str(refused.value)
    assert told.endswith("; the limit is 5 MB (--memory)")
    size, unit = told.split("needs about ")[1].split(";")[0].split()
    assert unit == "MB"
    assert 5 < float(size) <= 6  # seen soon after it was passed


@pytest.mark.parametrize(
    "game", [Greed(max=30), Greed(max=40, die=Die(3)), Greed(max=25, die=Die(20))]
)
def test_greed_knows_its_outcomes_before_they_are_met(game):
    found = compile(game).target.size / game.size()
    assert game.branching() == pytest.approx(found, rel=0.3)


def test_pig_knows_its_outcomes_too():
    assert Pig().branching() == 7


@dataclass(frozen=True)
class Boxed(Greed):
    """Greed that tells how many positions it has, but not how many outcomes they have."""

    def branching(self):
        return None


@pytest.mark.slow
def test_the_first_position_is_not_taken_for_all_of_them():
    table = compile(Boxed(max=30))
    needed = len(table) * expand.BYTES_PER_POSITION + table.target.size * expand.BYTES_PER_OUTCOME
    assert len(compile(Boxed(max=30), memory=2 * needed)) == len(table)


def test_exact_mode_is_refused_as_soon_as_there_are_too_many_positions():
    told = []
    with pytest.raises(TooLarge, match="more than 60,000 positions: exact mode goes up to 60,000"):
        compile(Pig(target=200), progress=told.append, exact=True)
    assert max(told) < 400_000 < Pig(target=200).size()


@pytest.mark.parametrize("exact", [False, True])
def test_the_solver_of_greed_keeps_a_limit_as_well(exact):
    game = replace(Greed(max=30), tie=Fraction(1, 3))
    with pytest.raises(TooLarge, match=r"greed max=30 tie=1/3 has 1,922 positions, which needs"):
        solve(game, exact=exact, memory=10_000)
    assert solve(game, exact=exact, memory=10_000_000).value > 0


def test_chances_that_are_there_or_not_are_coded_without_sorting(monkeypatch):
    kinds, often = Kinds(), Outcome(Chance(np.array([0, 7, 0, 7]), 8), (0,), SAME)
    monkeypatch.setattr(np, "unique", None)
    assert kinds.codes(often, 4).tolist() == [-1, 0, -1, 0]
    assert kinds.codes(often._replace(chance=Chance(7 * 6**30, 8 * 6**30)), 4).tolist() == [0]
    assert kinds.codes(often._replace(chance=Chance(np.zeros(4, int), 8)), 4).tolist() == [-1]
    assert list(kinds.of) == [(Fraction(7, 8), False, 0, False)]
