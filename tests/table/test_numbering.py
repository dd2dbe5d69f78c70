"""Numbers for positions: by the box of their fields' values, or by a hash table where it is empty.

The game is a walk up to a goal, one step of 1 or 2 at a time. Told in other units and from another
zero it is the same game, whatever numbers its positions.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from dicelab import ONGOING, SAME, WIN, Game, compile
from dicelab.errors import UnknownPosition
from dicelab.games.pig import BigPig
from dicelab.rules import where
from dicelab.table.numbering import Box, Hash


class Place(NamedTuple):
    at: int
    steps: int


@dataclass(frozen=True)
class Walk(Game):
    """Walk to the goal, counting your steps."""

    unit: int = 1
    zero: int = 0
    name: ClassVar[str] = "walk"
    players: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]] = ("walk", "leap")

    def start(self):
        return Place(self.zero, 0)

    def legal(self, at, move):
        return at.steps >= 0

    def outcomes(self, at, move):
        for length in (1, 2) if move == "walk" else (2,):
            chance = Fraction(1, 2) if move == "walk" else 1
            yield chance, Place(at.at + length * self.unit, at.steps + 1), SAME

    def result(self, at):
        return where((at.at - self.zero) // self.unit >= 60, WIN, ONGOING)


def shape(table):
    """Return all that a table says but what its positions are called."""
    return [array.tolist() for array in (table.result, table.move, table.target, table.kind)]


@pytest.mark.parametrize(
    ("walk", "kind"),
    [
        (Walk(), Box),
        (Walk(unit=7, zero=-1000), Box),
        (Walk(unit=-3, zero=5), Box),
        (Walk(unit=10**6), Hash),
        (Walk(unit=-(10**6), zero=10**8), Hash),
    ],
)
def test_the_same_game_in_other_units_is_the_same_table(walk, kind):
    plain, table = compile(Walk()), compile(walk)
    assert isinstance(table.numbering, kind)
    assert shape(table) == shape(plain)
    numbers = np.arange(len(table))
    at, known = table.positions(numbers), plain.positions(numbers)
    assert ((at.at - walk.zero) == known.at * walk.unit).all()
    assert (at.steps == known.steps).all()
    assert (table.numbers(at) == numbers).all()
    assert [table.number(table.position(number)) for number in (0, 17)] == [0, 17]


@pytest.mark.parametrize("walk", [Walk(), Walk(unit=10**6)])
@pytest.mark.parametrize("place", [Place(0, 1), Place(-1, 0), Place(10**9, 0), Place(0, -(2**40))])
def test_a_place_nobody_comes_to_has_no_number(walk, place):
    table = compile(walk)
    assert table.numbers(place) == -1
    with pytest.raises(UnknownPosition) as refused:
        table.number(place)
    assert str(refused.value) == (
        f"no play of {walk} leads to {walk.notation(place)}: "
        f"try the start, {walk.notation(walk.start())!r}"
    )


def test_a_game_that_says_how_large_it_is_keeps_its_box_while_that_is_still_empty():
    # Big Pig scores up to 25 a roll: three rolls span the box, when few positions have been met.
    table = compile(BigPig(target=100))
    assert isinstance(table.numbering, Box)
    assert table.number("99-99 +0") >= 0


class Long(NamedTuple):
    flag: int
    along: int
    across: int


@pytest.mark.parametrize(("first", "last"), [(0, 6000), (3000, 6000), (5999, 0)])
def test_a_box_guessed_in_another_form_grows_into_the_right_one(first, last):
    # It begins as wide as it is long, at least 49 each way. What is met is 2 by 6000 by 3.
    box, numbers = Box(Long, expected=30_000), {}
    inner, outer = sorted((first, last))
    for reach in range(0, 6001, 300):
        along = np.arange(max(inner, first - reach), min(outer, first + reach))
        at = Long(*(each.ravel() for each in np.meshgrid([0, 1], along, [7, 8, 9])))
        met = box.meet([(at, at.flag.size)])
        assert met is not None  # it never gets so empty that a hash table does better
        for place, number in zip(zip(*at, strict=True), met[0].tolist(), strict=True):
            assert numbers.setdefault(place, number) == number
    assert sorted(numbers.values()) == list(range(len(numbers)))
    assert box.needed <= 4 * 8 * max(len(numbers), 30_000)
    order = np.arange(len(numbers), dtype=np.int32)
    box.renumber(order, order)
    assert box.size == [2, outer - inner, 3]
    assert all(int(box.find(Long(*place))) == number for place, number in numbers.items())


def test_a_hash_table_finds_its_positions_again_after_it_has_grown():
    numbers = Hash(Walk())
    at = np.arange(5000)
    walks = [(Place(at % 70, at // 70), at.size)]
    found, fresh = numbers.meet(walks)
    again, none = numbers.meet(walks)
    assert sorted(found.tolist()) == at.tolist()
    assert again.tolist() == found.tolist()
    assert (fresh.at.size, none.at.size) == (at.size, 0)
    assert numbers.find(Place(3, 50)) == found[50 * 70 + 3]
