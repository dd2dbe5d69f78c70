"""House rules expanded: laws followed once, and a limit on memory that is kept."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

import house_games
from dicelab import LOSS, ONGOING, OTHER, SAME, Chance, HouseRules, compile, solve
from dicelab.errors import TooLarge
from dicelab.games.hog import Hog
from dicelab.table import met
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


@dataclass(frozen=True)
class Told(HouseRules):
    """Three steps by a coin, whose law is told in one of several ways."""

    way: str = "kept"
    players = 1
    unit = "points"
    name = "told"

    def start(self):
        return 3

    def result(self, at):
        return ONGOING if at else LOSS

    def choices(self, at):
        return ["toss"]

    def outcomes(self, at, move):
        heads, tails = {
            "kept": (HALF, HALF),
            "anew": (Fraction(at, 2 * at), Fraction(3 * at, 6 * at)),
            "chances": (Chance(at, 2 * at), Chance(1, 2)),
            "floats": (0.5, 0.5),
            "words": ("1/2", HALF),
        }.get(self.way, (HALF, HALF))
        if self.way == "and never":
            yield Fraction(0), -1, SAME, 0
        yield heads, at - 1, SAME, at
        if self.way == "some gains":
            yield tails, at - 1, OTHER
        else:
            yield tails, at - 1, OTHER, 0


WAYS = ["kept", "anew", "chances", "floats", "words", "and never", "some gains"]


@pytest.mark.parametrize("way", WAYS)
def test_a_law_is_the_same_however_it_is_told(way):
    # Every toss gains what it started from in half of the cases: (3 + 2 + 1)/2.
    table = compile(Told(way))
    assert [str(kind.chance) for kind in table.kinds] == ["1/2"] * 4
    assert sorted(int(kind.gain) for kind in table.kinds) == [0, 1, 2, 3]
    assert len(table) == 4
    assert solve(table, exact=True).value == 3


@dataclass(frozen=True)
class Turning(HouseRules):
    """The very same chances, and now one player moves next, now the other."""

    name = "turning"

    def start(self):
        return 4

    def result(self, at):
        return ONGOING if at else LOSS

    def choices(self, at):
        return ["go"]

    def outcomes(self, at, move):
        return [(1, at - 1, OTHER if at % 2 else SAME)]


def test_a_law_is_another_one_where_another_player_moves_next():
    # From 4 the turn passes at 3 and at 1, so that the one who starts is left at 0.
    table = compile(Turning())
    assert [kind.passes for kind in table.kinds] == [False, True]
    assert solve(table, exact=True).value == 0


def test_laws_may_be_more_than_are_remembered(monkeypatch):
    monkeypatch.setattr(met, "MOST_KNOWN", 1)
    assert solve(Told("anew"), exact=True).value == 3


def test_hog_in_plain_python_is_hog():
    # The rules on arrays are checked against every throw listed, in tests/games/test_hog.py.
    for once in (True, False):
        house = solve(house_games.Hog(3, 15, once), exact=True)
        arrays = solve(Hog(dice=3, target=15, zero="free-bacon", swine_swap=False), exact=True)
        assert house.value == arrays.value


def test_a_piece_of_ur_runs_home_as_equations_say():
    # One piece each, both on their last square: it goes home with a 1, in 4 throws of 16, and a 0
    # or more than 1 passes. v = 1/4 + 3/4 (1 - v) before the throw, hence v = 4/7.
    at = house_games.Board((14,), (14,), None)
    assert solve(house_games.Ur(1).starting(at), exact=True).value == Fraction(4, 7)
