"""421, the match: tokens out of a pot, then from hand to hand, for two players.

Eleven tokens lie in a pot. Play goes in sets. In each set the first player casts three dice up to
three times, putting dice aside as he likes, and may stop after any cast; the next player must cast
as often as he did. The lower combination takes tokens, as many as the higher one says: 10 for a
421, 7 for 111, f for f11 and fff, 2 for a sequence, 1 for any other. Where both are equal, the
player who threw last takes them.

In the charge the tokens come out of the pot. Who has none when the pot is empty has won. Else the
discharge begins: now the tokens come from the player with the higher combination, and whoever is
rid of all tokens first has won.

The source leaves two things open, which are parameters here. ``starts`` says who throws first in
the next set: the ``loser`` of the last one, its ``winner``, both by turns (``alternate``), or
always the same (``fixed``). ``short`` says what happens where fewer tokens are in the pot than are
due: the ``rest`` of it is taken, the ``highest`` combination gives what is missing, or the set is
``void`` and nothing is taken.

A position is seen by the player about to cast: the tokens of both, what the other has thrown in
this set and in how many casts, the dice aside and the casts left. A throw leaves a choice, which is
what to keep. Tokens go back and forth in the discharge, so the match has cycles.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.games.four21.utilities import rank, transfer
from dicelab.rounds.combinations import Combinations
from dicelab.rounds.rules import Round
from dicelab.rules import (
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Game,
    Ints,
    Throw,
    Way,
    both,
    where,
)
from dicelab.rules.dice import Die, d6

STARTS = ("loser", "winner", "alternate", "fixed")
SHORT = ("rest", "highest", "void")
CAST, STOP, KEEP, NOTHING = "cast", "stop", "keep ", "nothing"
DICE = 3
MOST_TOKENS, MOST_CASTS = 60, 9


def keep(written: str) -> str:
    """Return what keeping dice is called, all that are aside then together."""
    return KEEP + (NOTHING if written == "-" else written)


class MatchPosition(NamedTuple):
    """What the player about to cast sees, written ``3-2 pot 6, other 654, cast 1 of 2``."""

    mine: Ints
    yours: Ints
    other: Ints  # the place of what the other has thrown, from 1, the lowest; 0: nothing yet
    bound: Ints  # casts of this round: at most for the first player, exactly for the next
    aside: Ints  # the number of the combination that was put aside
    left: Ints  # casts still to be made


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
    tokens: Any  # what a result moves, by its place; the first entry is no result
    written: tuple[str, ...]  # a result in notation, by its place


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
    return Casts(
        tuple(names), tuple(falls), tokens, ("", *(named[place] for place in sorted(named)))
    )


@dataclass(frozen=True)
class MatchRules(Game):
    """The match of 421 for two: what is thrown, what may be kept, who takes tokens."""

    tokens: int = 11
    players: int = 2  # type: ignore[misc]  # a parameter here
    starts: str = "loser"
    short: str = "rest"
    casts: int = 3
    die: Die = d6

    aliases: ClassVar[Mapping[str, str]] = {"faces": "die", "sides": "die", "pot": "short"}

    def __post_init__(self) -> None:
        """Refuse parameters that make no match."""
        self.needs(
            1 <= self.tokens <= MOST_TOKENS,
            f"1 to {MOST_TOKENS} tokens: got tokens={self.tokens}",
        )
        self.needs(
            self.players == 2,
            f"2 players, for more it cannot be solved: got players={self.players}",
        )
        self.needs(self.starts in STARTS, f"starts to be {_any(STARTS)}: got starts={self.starts}")
        self.needs(self.short in SHORT, f"short to be {_any(SHORT)}: got short={self.short}")
        self.needs(
            1 <= self.casts <= MOST_CASTS, f"1 to {MOST_CASTS} casts: got casts={self.casts}"
        )
        faces = self.die.faces
        self.needs(
            len(faces) >= 4 and faces == tuple(range(1, len(faces) + 1)),
            f"a die with the faces 1 to 4 or more: got die={self.die}",
        )

    @lazy
    def dice(self) -> Casts:
        """What the dice may show."""
        return casts_of(self.die)

    @property
    def numbers(self) -> Combinations:
        """The combinations of the dice, numbered."""
        return Round(DICE, self.die, 1).numbers

    @property
    def moves(self) -> tuple[str, ...]:  # type: ignore[override]
        """To cast the dice that are not aside, named by those that are."""
        return self.dice.names if self.casts > 1 else (CAST,)

    def start(self) -> MatchPosition:
        """Return the position before the first cast of the match."""
        return self.opening(0, 0)

    def opening(self, mine: Ints, yours: Ints) -> MatchPosition:
        """Return the position before the first cast of a set."""
        none = 0 * mine
        return MatchPosition(mine, yours, none, none + self.casts, none, none + self.casts)

    def everywhere(self) -> MatchPosition:
        """Return the openings of sets with all tokens that two players may have."""
        pairs = [(mine, held - mine) for held in range(self.tokens + 1) for mine in range(held + 1)]
        return self.opening(*np.array(pairs).T)

    def pot(self, at: MatchPosition) -> Ints:
        """Return how many tokens are in the pot."""
        return self.tokens - at.mine - at.yours

    def legal(self, at: MatchPosition, move: str) -> Bools:
        """Return whether the move is allowed: all dice that are not aside are cast."""
        return at.aside == self.moves.index(move)

    def outcomes(self, at: MatchPosition, move: str) -> Iterator[Throw]:
        """Yield what the dice show, rising, each with its chance."""
        for fall in self.dice.falls[self.moves.index(move)]:
            yield Throw(fall.chance, fall.dice)

    def ways(self, at: MatchPosition, move: str, dice: Any) -> Iterator[Way]:
        """Yield what may be kept, fewest dice first; to stop is to keep all of them."""
        fall = next(fall for fall in self.dice.falls[self.moves.index(move)] if fall.dice == dice)
        is_first, casts_on = at.other == 0, at.left > 1
        for name, aside in fall.keeps:
            kept = at._replace(aside=0 * at.aside + aside, left=at.left - 1)
            yield Way(name, kept, SAME, 0, casts_on)
        none = 0 * at.mine
        used = self.casts + 1 - at.left
        imposed = MatchPosition(at.yours, at.mine, none + fall.result, used, none, used)
        yield Way(STOP, imposed, OTHER, 0, is_first)
        mine, yours, goes_first = self.settled(at, fall.result)
        ends = both(at.other > 0, at.left == 1)
        yield Way(STOP, self.opening(mine, yours), SAME, 0, both(ends, goes_first))
        yield Way(STOP, self.opening(yours, mine), OTHER, 0, both(ends, goes_first == False))  # noqa: E712  arrays too

    def settled(self, at: MatchPosition, result: int) -> tuple[Ints, Ints, Bools]:
        """Return the tokens after a set that the next player ends, and whether he begins another.

        Of equal combinations the last takes the tokens, and here that is the next player's.
        """
        takes, pot = result <= at.other, self.pot(at)
        due = where(takes, self.dice.tokens[at.other], int(self.dice.tokens[result]))
        drawn = where(due < pot, due, pot)
        held = where(takes, at.yours, at.mine)
        missing = where(due - drawn < held, due - drawn, held)
        if self.short == "rest":
            missing = where(pot > 0, 0, missing)
        elif self.short == "void":
            lacks = both(pot > 0, pot < due)
            drawn, missing = where(lacks, 0, drawn), where(pot > 0, 0, missing)
        taken = drawn + missing
        mine = at.mine + where(takes, taken, -missing)
        yours = at.yours + where(takes, -missing, taken)
        begins = {"loser": takes, "winner": takes == False, "alternate": takes == takes}  # noqa: E712
        return mine, yours, begins.get(self.starts, takes != takes)

    def result(self, at: MatchPosition) -> Ints:
        """Return WIN or LOSS where the pot is empty and somebody has no token."""
        empty = self.pot(at) == 0
        lost = where(both(empty, at.yours == 0), LOSS, ONGOING)
        return where(both(empty, at.mine == 0), WIN, lost)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return len(self.dice.falls[self.moves.index(move)][0].dice) if move in self.moves else 0

    def size(self) -> int:
        """Return how many positions there are."""
        kept, results = len(self.moves), len(self.dice.written) - 1
        first = 1 + (self.casts - 1) * kept
        after = sum(1 + (casts - 1) * kept for casts in range(1, self.casts + 1))
        return self._held * (first + results * after) + 2  # where all tokens are in one hand

    def branching(self) -> float:
        """Return how many outcomes a position has, every way after a throw counted."""
        keeps = [sum(len(fall.keeps) for fall in falls) for falls in self.dice.falls]
        ends, results = sum(map(len, self.dice.falls)), len(self.dice.written) - 1

        def outcomes(casts: int, stops: int) -> int:
            """Count those of one round: a first cast, others beside any dice, the last."""
            first = results * stops + keeps[0]
            later = ends * stops + sum(keeps)
            return results if casts == 1 else first + (casts - 2) * later + ends

        after = sum(outcomes(casts, 0) for casts in range(1, self.casts + 1))
        return self._held * (outcomes(self.casts, 1) + results * after) / self.size()

    @property
    def _held(self) -> int:
        """How many pairs of tokens play goes on with: all but all of them in one hand."""
        return (self.tokens + 1) * (self.tokens + 2) // 2 - 2


def _any(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
