"""What three dice may show in a match of 421, beside those that lie aside, and what may be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from dicelab.games.four21.utilities import rank, transfer
from dicelab.rounds.rules import Round
from dicelab.rules.dice import Die

CAST, KEEP, NOTHING = "cast", "keep ", "nothing"
DICE = 3


def keep(written: str) -> str:
    """Return what keeping dice is called, all that are aside then together."""
    return KEEP + (NOTHING if written == "-" else written)


class Fall(NamedTuple):
    """One thing that a cast may show beside the dice put aside."""

    chance: Fraction
    dice: tuple[int, ...]  # rising
    keeps: tuple[tuple[str, int], ...]  # what may be kept: its name, and the number of all aside
    result: int  # the place of all dice among the results, from 1, the lowest


@dataclass(frozen=True)
class Casts:
    """What the dice of a match may show, beside each combination that may lie aside."""

    names: tuple[str, ...]  # what casting is called, by the number of the combination aside
    falls: tuple[tuple[Fall, ...], ...]  # in the same order
    places: tuple[int, ...]  # the place of each result among all, from 1, the lowest
    tokens: Any  # what a result moves, by its place; the first entry is no result
    alike: Any  # by place, the highest of those around it that move as many tokens
    written: tuple[str, ...]  # a result in notation, by its place
    shown: Mapping[tuple[int, ...], Any]  # the place of a throw and what is aside, by that


@lru_cache(maxsize=16)
def casts_of(die: Die) -> Casts:
    """Return what the dice may show; made once for each kind of die."""
    game = Round(DICE, die, 1)
    numbers = game.numbers
    places = [int(place) + 1 for place in rank(game)]
    moved = dict(zip(places, map(int, transfer(game)), strict=True))
    named = {place: numbers.write(full) for place, full in zip(places, numbers.full, strict=True)}
    names, falls = [], []
    for aside in range(numbers.full.start):
        kept = numbers.faces_of(aside)
        names.append(f"{CAST} beside {numbers.write(aside)}" if kept else CAST)
        found = []
        for thrown in numbers.of_size(DICE - len(kept)):
            dice = numbers.faces_of(thrown)
            parts = {part for size in range(len(dice)) for part in combinations(dice, size)}
            options = sorted(numbers.number(kept + part) for part in parts)
            full = numbers.number(kept + dice) - numbers.full.start
            keeps = tuple((keep(numbers.write(option)), option) for option in options)
            found.append(Fall(game.chance(thrown), dice, keeps, places[full]))
        falls.append(tuple(found))
    tokens = np.array([0, *(moved[place] for place in sorted(moved))])
    last = np.append(np.flatnonzero(np.diff(tokens)), tokens.size - 1)  # of as many tokens
    alike = last[np.searchsorted(last, np.arange(tokens.size))]
    written = "", *(named[place] for place in sorted(named))
    shown: dict[tuple[int, ...], Any] = {}
    for aside, each in enumerate(falls):
        for fall in each:
            shown.setdefault(fall.dice, np.zeros(len(falls), np.int64))[aside] = fall.result
    return Casts(tuple(names), tuple(falls), tuple(places), tokens, alike, written, shown)
