"""What dice score in Farkle: tables of combinations, what may be put aside, and how likely it is.

A table is written as its entries: ``1:100`` is a single 1, ``111:1000`` three of them and
``three:100`` three of any face for 100 times the face. ``four:1000`` or ``four:x2`` are four of any
face for 1000 points, or for twice what three are worth. ``straight`` is 123456, ``pairs`` are three
different pairs, ``four-and-pair`` and ``triplets`` are what they say. A set of dice scores as much
as it can when it is split into such combinations.

>>> scores = Scores("standard", 6, Die(6))
>>> scores.worth_of[1, 1, 1, 5], scores.worth_of.get((2, 2))
(1050, None)
>>> scores.sets_of[1, 1, 5]         # of a 1 and a 5 nobody would keep the 5
(((1,), 100), ((1, 1), 200), ((1, 1, 5), 250))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from dicelab.core.arrays import Ints
from dicelab.core.lazy import lazy
from dicelab.rules.dice import Die
from dicelab.rules.dice_laws import combinations_law

TABLES = {
    "standard": "1:100,5:50,three:100,111:1000",
    "facebook": "1:100,5:50,three:100,111:1000,four:x2,five:x3,six:x4,straight:1500,pairs:750",
    "patch": "1:100,5:50,three:100,111:300,four:1000,five:2000,six:3000,straight:1500,pairs:1500,"
    "four-and-pair:1500,triplets:2500",
    "kingdom-come": "1:100,5:50,three:100,111:1000,four:x2,five:x4,six:x8,12345:500,23456:750,"
    "straight:1500",
}
"""What scores, by the name of a table: that of most rules; of the game on Facebook, as McKenna has
it; of the box by Patch Products; of the video game Kingdom Come: Deliverance."""

OF_A_KIND = {"three": 3, "four": 4, "five": 5, "six": 6}
FAMILIES = (*OF_A_KIND, "straight", "pairs", "four-and-pair", "triplets")
ENTRY = re.compile(rf"([1-6]{{1,6}}|{'|'.join(FAMILIES)}):(x?\d{{1,6}})")

Dice = tuple[int, ...]
"""What some dice show, in rising order."""


def combinations_of(scoring: str) -> dict[Dice, int] | None:
    """Return the points of every combination that a text tells; None where it cannot be read.

    The text is the name of a table, entries, or both: ``facebook,straight:1000,pairs:0``.
    """
    entries: dict[str, str] = {}
    pieces = [piece.strip() for piece in scoring.split(",")]
    if pieces[0] in TABLES:
        pieces[:1] = TABLES[pieces[0]].split(",")
    for piece in pieces:
        found = ENTRY.fullmatch(piece)
        if found is None or ("x" in found[2] and found[1] not in ("four", "five", "six")):
            return None
        entries["".join(sorted(found[1])) if found[1].isdigit() else found[1]] = found[2]
    points: dict[Dice, int] = {}

    def score(dice: Sequence[int], family: str, three: int = 0) -> None:
        told = entries.get(family, "0")
        points[tuple(sorted(dice))] = three * int(told[1:]) if told[0] == "x" else int(told)

    for face in range(1, 7):
        three = int(entries.get(3 * str(face), face * int(entries.get("three", "0"))))
        for family, number in OF_A_KIND.items():
            score([face] * number, family, three)
        points[face, face, face] = three
    score(range(1, 7), "straight")
    for faces in combinations(range(1, 7), 3):
        score(2 * faces, "pairs")
    for one, two in permutations(range(1, 7), 2):
        score([one] * 4 + [two] * 2, "four-and-pair")
        score([one] * 3 + [two] * 3, "triplets")
    points.update({tuple(map(int, e)): int(entries[e]) for e in entries if e.isdigit()})
    return {dice: worth for dice, worth in points.items() if worth}


def without(dice: Dice, some: Dice) -> Dice | None:
    """Return the dice that are left when some are taken; None where they are not all there."""
    left = list(dice)
    for face in some:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


@dataclass(frozen=True)
class Scores:
    """The scores of a table with so many dice, alike and perhaps loaded."""

    scoring: str
    dice: int
    die: Die

    @lazy
    def worth_of(self) -> dict[Dice, int]:
        """The points of every set of dice in which each die scores."""
        points, found = combinations_of(self.scoring) or {}, dict[Dice, int]({(): 0})
        for number in range(1, self.dice + 1):
            for dice in combinations_with_replacement(self.die.faces, number):
                rests = ((worth, without(dice, some)) for some, worth in points.items())
                sums = [worth + found[rest] for worth, rest in rests if rest in found]
                if sums:
                    found[dice] = max(sums)
        del found[()]
        return found

    @lazy
    def step(self) -> int:
        """The largest number of points that divides all scores."""
        return math.gcd(*self.worth_of.values())

    def scoring_dice(self, faces: Sequence[int]) -> Dice:
        """Return the dice of a throw that may be put aside; none where it is a farkle."""
        dice = tuple(sorted(faces))
        if dice not in self._scoring:
            self._scoring[dice] = self._found_scoring(dice)
        return self._scoring[dice]

    @lazy
    def _scoring(self) -> dict[Dice, Dice]:
        """What was found to score, by throw: few different ones come up again and again."""
        return {}

    def _found_scoring(self, dice: Dice) -> Dice:
        found = set[int]()
        for number in range(1, len(dice) + 1):
            for places in combinations(range(len(dice)), number):
                if tuple(dice[place] for place in places) in self.worth_of:
                    found.update(places)
        return tuple(dice[place] for place in sorted(found))

    @lazy
    def sets_of(self) -> dict[Dice, tuple[tuple[Dice, int], ...]]:
        """By the dice of a throw that score: what may be put aside, and its points.

        Of sets with as many dice only the best is there; the set of the fewest dice comes first.
        """
        found: dict[Dice, tuple[tuple[Dice, int], ...]] = {}
        for number in range(1, self.dice + 1):
            for dice in combinations_with_replacement(self.die.faces, number):
                kept = self.scoring_dice(dice)
                if kept and kept not in found:
                    found[kept] = tuple(self._best_sets(kept))
        return found

    def _best_sets(self, dice: Dice) -> Iterator[tuple[Dice, int]]:
        for number in range(1, len(dice) + 1):
            sets = [some for some in combinations(dice, number) if some in self.worth_of]
            if sets:
                best = max(sets, key=lambda some: self.worth_of[some])
                yield best, self.worth_of[best]

    @property
    def every(self) -> int:
        """How many throws there are, each as likely as another; see `times_of`."""
        return self.die.denominator**self.dice

    @lazy
    def times_of(self) -> dict[Dice, Ints]:
        """How many of `every` throws show these scoring dice, () for a farkle, by dice thrown."""
        found: dict[Dice, list[int]] = {(): [0] * (self.dice + 1)}
        found |= {dice: [0] * (self.dice + 1) for dice in self.sets_of}
        for number in range(1, self.dice + 1):
            for dice, chance in combinations_law(self.die, number).items():
                found[self.scoring_dice(dice)][number] += int(chance * self.every)
        return {dice: np.array(times) for dice, times in found.items()}
