"""Can't Stop: pair four dice, climb two columns, and stop before a throw lets you climb none.

The board has a column for every sum of two dice. Those at the edge have ``shortest`` steps, and
each is two steps longer than its neighbour further out; with six-sided dice from 3 to 13 steps. You
roll four dice, put them into two pairs, and climb one step in the column of each pair. You have
``markers`` (three) for the columns that you climb in a turn. If only one column of the two
pairs can be climbed, you climb that one; if one marker is left for two new columns, you say which.
Then you roll again or stop. If you stop, you keep the steps. If no pairing lets you climb, the turn
ends and its steps are lost. A column whose top was kept is closed to everybody, and the steps of
others in it are gone. Who has climbed ``columns`` (three) of them has won.

Alone (``players=1``) you want the fewest turns. You throw before you pair, and you choose again
before the next throw. A lost turn leads back to where it began, so there are cycles; but steps that
were kept stay.

A position holds the steps of a player as one number, each column a digit with its own base.

Source: a game by Sid Sackson, Parker Brothers 1980. Small boards were solved by J. Glenn, H. Fang
& C. P. Kruskal, "A Retrograde Approximation Algorithm for One-Player Can't Stop", Computers and
Games 2006. The rule of 28 is M. Keller's, as told by J. Glenn & C. Aloi, "A Generalized Heuristic
for Can't Stop", FLAIRS 2009.

>>> from dicelab import solve
>>> from dicelab.games.cant_stop import CantStop
>>> round(solve(CantStop(sides=2, columns=1)).value, 6)  # no throw fails before a column is done
1.0
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark
from dicelab.core.lazy import lazy
from dicelab.games.seats import AloneOrForTwo
from dicelab.rules import (
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Game,
    Ints,
    Outcome,
    Position,
    Throw,
    Way,
    before_throw,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die
from dicelab.rules.dice_laws import combinations_law
from dicelab.rules.speech import by_side

ROLL, STOP, BUST = "roll", "stop", mark("bust")
CLIMB = "climb "
DICE = 4
MOST_SIDES, MOST_STEPS = 12, 20


class CantStopPosition(NamedTuple):
    """My steps, the other's, and mine with those of this turn: ``0 2+1 0 - 1 0 0``."""

    mine: Ints
    yours: Ints
    now: Ints


def climb(*columns: int) -> str:
    """Return the way that climbs these columns, one of them twice if it is named twice."""
    return " ".join(["climb", *map(str, columns)])


@dataclass(frozen=True)
class CantStopRules(AloneOrForTwo):
    """The board, the pairs of four dice, and what they let one climb."""

    sides: int = 3
    shortest: int = 2
    columns: int = 3
    markers: int = 3
    players: int = 1  # type: ignore[misc]  # a parameter here

    moves: ClassVar[tuple[str, ...]] = (ROLL, STOP)
    worth: ClassVar[Mapping[int, Fraction]] = dict(Game.worth)  # alone, the turn in which it comes

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(
            2 <= self.sides <= MOST_SIDES, f"dice of 2 to {MOST_SIDES} sides: got {self.sides}"
        )
        self.needs(
            1 <= self.shortest <= MOST_STEPS,
            f"a shortest column of 1 to {MOST_STEPS} steps: got shortest={self.shortest}",
        )
        self.needs(self.players in (1, 2), f"1 or 2 players: got players={self.players}")
        # With fewer columns left than somebody needs, two players could go on for ever.
        most = (len(self.lengths) + self.players - 1) // self.players
        self.needs(
            1 <= self.columns <= most,
            f"1 to {most} columns to climb, of {len(self.lengths)}: got columns={self.columns}",
        )
        self.needs(self.markers >= 1, f"a marker or more: got markers={self.markers}")

    @property
    def die(self) -> Die:
        """Each of the four dice."""
        return Die(self.sides)

    @lazy
    def lengths(self) -> tuple[int, ...]:
        """The steps of each column, from the least sum of two dice on."""
        last = 2 * self.sides - 2
        return tuple(self.shortest + 2 * min(place, last - place) for place in range(last + 1))

    @lazy
    def _bases(self) -> tuple[int, ...]:
        """What a step in each column adds to the number that holds all steps."""
        bases = [1]
        for length in self.lengths:
            bases.append(bases[-1] * (length + 1))
        return tuple(bases)

    def steps(self, code: Ints, column: int) -> Ints:
        """Return the steps in one column."""
        return code // self._bases[column - 2] % (self.lengths[column - 2] + 1)

    @property
    def board(self) -> range:
        """The columns by their numbers, which are sums of two dice."""
        return range(2, 2 * self.sides + 1)

    def length(self, column: int) -> int:
        """Return the steps to the top of a column."""
        return self.lengths[column - 2]

    def climbed(self, code: Ints) -> Ints:
        """Return how many columns are climbed to the top."""
        return sum((self.steps(code, each) == self.length(each) for each in self.board), 0)

    def placed(self, at: CantStopPosition) -> Ints:
        """Return how many markers stand on the board in this turn."""
        return sum((self.steps(at.now, c) != self.steps(at.mine, c) for c in self.board), 0)

    def start(self) -> CantStopPosition:
        """Return the position the game starts from."""
        return CantStopPosition(0, 0, 0)

    def legal(self, at: CantStopPosition, move: str) -> Bools:
        """Return whether the move is allowed: one rolls at least once in a turn."""
        return at.mine >= 0 if move == ROLL else at.now != at.mine

    @lazy
    def _law(self) -> list[tuple[Fraction, tuple[int, ...]]]:
        """What four dice may show, lowest first, with its chance."""
        law = combinations_law(self.die, DICE)
        return [(chance, shown[::-1]) for shown, chance in law.items()]

    def outcomes(self, at: CantStopPosition, move: str) -> Iterator[Outcome | Throw]:
        """Yield what the dice may show; to stop keeps the steps of the turn."""
        if move == STOP:
            yield Outcome(1, *self._next(at, at.now))
            return
        for chance, dice in self._law:
            yield Throw(chance, dice)

    def _next(self, at: CantStopPosition, kept: Ints) -> tuple[CantStopPosition, int, int]:
        """Return the next turn, when these steps are kept, and the turn that is counted alone."""
        if self.players == 1:
            return CantStopPosition(kept, at.yours, kept), OTHER, 1
        yours = at.yours
        for column in self.board:  # what the other had there is gone
            gone = self.steps(yours, column) * self._bases[column - 2]
            yours = yours - where(self.steps(kept, column) == self.length(column), gone, 0)
        return CantStopPosition(yours, kept, yours), OTHER, 0

    def ways(self, at: CantStopPosition, move: str, dice: tuple[int, ...]) -> Iterator[Way]:
        """Yield what may be climbed with each pairing of the dice."""
        free = self.markers - self.placed(at)
        stuck = at.mine >= 0
        for one, other in self.pairings(dice):
            (can, new), (can_other, new_other) = (self._open(at, c, free) for c in (one, other))
            if one == other:
                twice = self.steps(at.now, one) + 2 <= self.length(one)
                yield self._way(at, (one, one), both(can, twice))
                yield self._way(at, (one,), both(can, twice == 0))
            else:
                short = both(new, new_other, free == 1)
                yield self._way(at, (one, other), both(can, can_other, short == 0))
                yield self._way(at, (one,), both(can, either(short, can_other == 0)))
                yield self._way(at, (other,), both(can_other, either(short, can == 0)))
            stuck = both(stuck, can == 0, can_other == 0)
        yield Way(BUST, *self._next(at, at.mine), stuck)

    @staticmethod
    def pairings(dice: Sequence[int]) -> list[tuple[int, int]]:
        """Return the sums of the two pairs that four dice make, the lower one first."""
        a, b, c, d = dice
        found = {tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))}
        return sorted(found)  # type: ignore[arg-type]

    def _open(self, at: CantStopPosition, column: int, free: Ints) -> tuple[Bools, Bools]:
        """Return whether a column can be climbed, and whether that takes a new marker."""
        top, now = self.length(column), self.steps(at.now, column)
        new = now == self.steps(at.mine, column)
        going = both(now < top, self.steps(at.yours, column) < top)
        return both(going, either(new == 0, free > 0)), new

    def _way(self, at: CantStopPosition, columns: tuple[int, ...], allowed: Bools) -> Way:
        """Return the way that climbs a step in each of some columns."""
        now = at.now + sum(self._bases[column - 2] for column in columns)
        # Where the column ends the number is none; nobody is let there.
        return Way(climb(*columns), at._replace(now=now), SAME, 0, allowed)

    def result(self, at: CantStopPosition) -> Ints:
        """Return who has climbed enough columns; the last turn need not be stopped."""
        over = where(self.climbed(at.yours) >= self.columns, LOSS, ONGOING)
        return where(self.climbed(at.now) >= self.columns, WIN, over)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move rolls."""
        return DICE if move == ROLL else 0

    def size(self) -> int:
        """Return about how many positions there are, counted column by column."""
        last, most = self.columns - 1, self.columns + 1  # two columns may be done at once
        # By the columns that I kept, that the other kept, that are done now, and by the markers.
        found: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
        for length in self.lengths:
            theirs = length if self.players == 2 else 1
            here = {
                (0, 0, 0, 0): length * theirs,
                (1, 0, 0, 0): 1,
                (0, 1, 0, 0): self.players - 1,
                (0, 0, 0, 1): length * (length - 1) // 2 * theirs,
                (0, 0, 1, 1): length * theirs,
            }
            before, found = found, Counter()
            for one, times in before.items():
                for other, ways in here.items():
                    kept, others, done, placed = total = tuple(map(int.__add__, one, other))
                    if max(kept, others) <= last and kept + done <= most and placed <= self.markers:
                        found[total] += times * ways
        return sum(found.values())

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the steps in each column: kept by you, by the other player, and of this turn."""
        at = before_throw(at)
        kept, others, now = ([int(self.steps(code, c)) for c in self.board] for code in at)
        turn = [after - before for after, before in zip(now, kept, strict=True)]
        if self.players == 1:
            return {"kept": kept, "turn": turn}
        return {**by_side((kept, others), mine), "turn": turn}

    def notation(self, at: Position) -> str:
        """Return the steps in each column, those of this turn after a plus: ``0 2+1 0 - 1 0 0``."""
        told = self.counters(at)
        kept = told["mine" if self.players == 2 else "kept"]
        pairs = zip(kept, told["turn"], strict=True)
        written = " ".join(f"{step}+{more}" if more else str(step) for step, more in pairs)
        return f"{written} - {' '.join(map(str, told['yours']))}" if self.players == 2 else written

    def parse(self, text: str) -> CantStopPosition:
        """Return the position that ``0 2+1 0`` or ``0 2+1 0 - 1 0 0`` stands for."""
        mine, dash, yours = text.partition("-")
        found = [re.fullmatch(r"(\d{1,3})(?:\+(\d{1,3}))?", part) for part in mine.split()]
        others = [int(part) for part in yours.split() if re.fullmatch(r"\d{1,3}", part)]
        wanted = len(self.lengths)
        if bool(dash) != (self.players == 2) or None in found or len(found) != wanted:
            raise self.unreadable(text)
        if len(yours.split()) != len(others) or len(others) != (wanted if dash else 0):
            raise self.unreadable(text)
        kept = [int(each[1]) for each in found if each]
        now = [int(each[1]) + int(each[2] or 0) for each in found if each]
        for heights in (now, others):
            if any(step > top for step, top in zip(heights, self.lengths, strict=False)):
                raise self.unreadable(text)
        codes = (sum(map(int.__mul__, steps, self._bases)) for steps in (kept, others, now))
        return CantStopPosition(*codes)

    def danger(self, at: CantStopPosition) -> Ints:
        """Return the points of this turn by the rule of 28.

        A column counts its distance from the middle and 1 more, for each step of this turn and once
        for its marker. When all markers are placed, odd columns alone count 2 more, even ones alone
        2 less, and columns on one side of the middle (that one included) 4 more.
        """
        middle, points = self.sides + 1, 0 * at.mine
        odd = even = low = high = at.mine >= 0
        for column in self.board:
            more = self.steps(at.now, column) - self.steps(at.mine, column)
            points = points + where(more > 0, (more + 1) * (abs(column - middle) + 1), 0)
            odd = both(odd, either(more == 0, column % 2 == 1))
            even = both(even, either(more == 0, column % 2 == 0))
            low = both(low, either(more == 0, column <= middle))
            high = both(high, either(more == 0, column >= middle))
        side = where(odd, 2, 0) - where(even, 2, 0) + where(either(low, high), 4, 0)
        return points + where(self.placed(at) == self.markers, side, 0)
