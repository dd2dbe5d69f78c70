"""Combinations: what the dice show, whichever die shows it.

A combination is written in two ways. ``421`` names the faces; ``(1,1,0,1,0,0)`` counts the dice
of each face, from the lowest face up. Both are read in any order of the faces. Where a face has
more than one digit, commas part them: ``12,10,3``. No dice at all is ``-``.

Combinations of 0 to D dice are numbered once: fewest dice first, and among equals in the order
of a dictionary of rising lists (111, 112, 113 ... 666). That order is also the first rule for
breaking ties, so "the first of the best" needs no further work.

>>> three = Combinations(3, (1, 2, 3, 4, 5, 6))
>>> three.number("421"), three.write(three.number("421"))
(36, '421')
>>> three.number("(1,1,0,1,0,0)")
36
>>> len(three), int(three.sizes[36])
(84, 3)
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Numbers
from dicelab.core.jit import jit
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge, UnknownPosition, UnreadablePosition

Combination = str | Sequence[int] | int
"""How a combination may be given: its notation, its faces in any order, or its number."""

MOST_BYTES = 4 * 10**9

_DIGITS = re.compile(r"[0-9]+")
_LIST = re.compile(r"-?[0-9]+(?:\s*,\s*-?[0-9]+)*,?")
_COUNTS = re.compile(r"\(\s*[0-9]+(?:\s*,\s*[0-9]+)*\s*,?\s*\)")


class Combinations:
    """Every combination of 0 to ``dice`` dice, numbered."""

    def __init__(self, dice: int, faces: tuple[int, ...]) -> None:
        self.dice = dice
        self.faces = faces
        of_size = [math.comb(n + len(faces) - 1, n) for n in range(dice + 1)]
        self.starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(of_size)])
        """The number of the first combination of each size; one more entry closes the list."""

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __repr__(self) -> str:
        return f"Combinations({self.dice}, {self.faces})"

    @lazy
    def counts(self) -> NDArray[np.int16]:
        """How many dice show each face, by combination: ``[combinations, faces]``."""
        rows = np.zeros((len(self), len(self.faces)), dtype=np.int16)
        row = 0
        for size in range(self.dice + 1):
            for places in combinations_with_replacement(range(len(self.faces)), size):
                for place in places:
                    rows[row, place] += 1
                row += 1
        return rows

    @lazy
    def sizes(self) -> NDArray[np.int64]:
        """The number of dice of each combination."""
        return np.repeat(np.arange(self.dice + 1), np.diff(self.starts))

    def of_size(self, size: int) -> range:
        """Return the numbers of the combinations of so many dice."""
        return range(int(self.starts[size]), int(self.starts[size + 1]))

    @property
    def full(self) -> range:
        """The numbers of the combinations of all the dice."""
        return self.of_size(self.dice)

    def rank(self, counts: Numbers) -> NDArray[np.int64]:
        """Return the numbers of combinations given by their counts: ``[..., faces]``.

        Among n dice, those listed before a combination agree with it on the lowest faces and then
        have more dice of the next one. With m dice left after face f the hockey-stick identity
        counts them: C(m - 1 + g, g), where g faces lie above f.
        """
        flat = np.ascontiguousarray(counts, dtype=np.int16).reshape(-1, len(self.faces))
        number = np.empty(len(flat), dtype=np.int64)
        _rank(flat, self.starts, self._choose, number)
        return number.reshape(np.shape(counts)[:-1])

    @lazy
    def _choose(self) -> NDArray[np.int64]:
        # [m, g] holds C(m - 1 + g, g), and 0 where no die is left
        table = np.zeros((self.dice + 1, len(self.faces)), dtype=np.int64)
        for left in range(1, self.dice + 1):
            for above in range(len(self.faces)):
                table[left, above] = math.comb(left - 1 + above, above)
        return table

    def places_of(self, number: int) -> list[int]:
        """Return the faces of a combination as their places among all faces, rising."""
        return np.repeat(np.arange(len(self.faces)), self.counts[number]).tolist()

    def faces_of(self, number: int) -> tuple[int, ...]:
        """Return the faces of a combination, rising."""
        return tuple(self.faces[place] for place in self.places_of(number))

    def write(self, number: int, rising: bool = False) -> str:
        """Return the notation of a combination, highest face first unless ``rising``."""
        faces = self.faces_of(number)
        if not rising:
            faces = faces[::-1]
        if not faces:
            return "-"
        if all(0 <= face <= 9 for face in self.faces):
            return "".join(map(str, faces))
        # a lone face would read back as digits, so it keeps its comma
        return ",".join(map(str, faces)) + ("," if len(faces) == 1 else "")

    def number(self, combination: Combination, dice: int | None = None) -> int:
        """Return the number of a combination, which must have ``dice`` dice where that is given."""
        if isinstance(combination, str):
            return self._number_of_faces(self._read(combination), combination.strip(), dice)
        if not isinstance(combination, int | np.integer):
            shown = ",".join(map(str, combination))
            return self._number_of_faces(list(combination), shown, dice)
        if not 0 <= combination < len(self):
            raise UnknownPosition(
                f"no combination has the number {combination}: they go from 0 to {len(self) - 1}"
            )
        if dice is not None and self.sizes[combination] != dice:
            raise _wrong_size(self.write(combination), int(self.sizes[combination]), dice)
        return int(combination)

    def _read(self, text: str) -> list[int]:
        text = text.strip()
        if text in ("", "-"):
            return []
        if _COUNTS.fullmatch(text):
            times = [int(number) for number in _DIGITS.findall(text)]
            if len(times) != len(self.faces):
                raise UnknownPosition(
                    f"{text} counts {len(times)} faces and the die has {len(self.faces)}"
                )
            # more dice than the round has are refused by their number, not written out
            if sum(times) > self.dice:
                raise _wrong_size(text, sum(times), self.dice)
            pairs = zip(self.faces, times, strict=True)
            return [face for face, number in pairs for _ in range(number)]
        if _DIGITS.fullmatch(text):
            return [int(digit) for digit in text]
        if _LIST.fullmatch(text):
            return [int(face) for face in re.findall(r"-?[0-9]+", text)]
        raise UnreadablePosition(
            f"cannot read a combination from {text[:60]!r}; write its faces, as in '641', "
            f"or a count for each face, as in '(1,0,0,1,0,1)'"
        )

    def _number_of_faces(self, faces: list[int], shown: str, dice: int | None) -> int:
        for face in faces:
            if face not in self.faces:
                raise UnknownPosition(
                    f"{shown[:60]} has the face {face}, which the die does not: "
                    f"its faces are {', '.join(map(str, self.faces))}"
                )
        if len(faces) > self.dice or (dice is not None and len(faces) != dice):
            raise _wrong_size(shown[:60], len(faces), self.dice if dice is None else dice)
        counts = np.array([faces.count(face) for face in self.faces])
        return int(self.rank(counts))


@jit
def _rank(
    counts: NDArray[np.int16],
    starts: NDArray[np.int64],
    choose: NDArray[np.int64],
    number: NDArray[np.int64],
) -> None:
    """Fill ``number`` with the numbers of combinations given by their counts."""
    for row in range(counts.shape[0]):
        left = 0
        for face in range(counts.shape[1]):
            left += counts[row, face]
        found = starts[left]
        for face in range(counts.shape[1] - 1):
            left -= counts[row, face]
            found += choose[left, counts.shape[1] - 1 - face]
        number[row] = found


def _wrong_size(shown: str, dice: int, wanted: int) -> UnknownPosition:
    return UnknownPosition(
        f"{shown or '-'} has {dice} {'die' if dice == 1 else 'dice'}: {wanted} wanted here"
    )


@lru_cache(maxsize=32)
def combinations(dice: int, faces: tuple[int, ...]) -> Combinations:
    """Return the combinations of so many dice, the same object each time."""
    return Combinations(dice, faces)


def check_dice(dice: Any, casts: Any) -> None:
    """Refuse numbers of dice and casts that make no round."""
    for name, number in (("dice", dice), ("casts", casts)):
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or number < 1:
            raise RulesError(
                f"a round needs a whole number of {name} from 1 up: got {name}={number!r}"
            )


def check_size(dice: int, faces: int, casts: int, keep: str, memory: int = MOST_BYTES) -> int:
    """Return about how many bytes the matrices of a round take, or refuse it.

    A kept combination leaves the rest open, so there are C(D + F, D) of them. What is kept and
    what is thrown make a pair: C(D + 2F - 1, D). With what is kept next, a triple.
    """
    limit = 10**18
    few = min(dice, 3 * faces) < 2000
    kept = math.comb(dice + faces, dice) if few else limit
    pairs = math.comb(dice + 2 * faces - 1, dice) if few else limit
    options = math.comb(dice + 3 * faces - 1, dice) if few and keep == "aside" else pairs
    # numbers of 8 bytes: the options and their pairs, the casts, the counts, a value for each cast
    needed = 8 * (2 * options + 4 * pairs + kept * (faces + casts + 1))
    if needed > memory:
        many = "more than 1e18" if options >= limit else f"about {short(options)}"
        size = "more than 1e10 GB" if needed >= 10**19 else f"about {short(needed / 10**9)} GB"
        raise TooLarge(
            f"a round of {dice} dice with {faces} faces and {casts} casts has {many} decisions "
            f"to weigh, which needs {size}; the limit is {memory / 10**9:g} GB (--memory)"
        )
    return needed


def short(number: float) -> str:
    """Return a number of two digits, as in 1.4e14."""
    return f"{number:.2g}".replace("e+0", "e").replace("e+", "e")
