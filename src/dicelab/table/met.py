"""What was met so far of house rules: positions with their numbers, and the outcomes of moves.

Most of the time goes into what every outcome costs, so nothing is done for one of them in Python
that can be done for all outcomes of a move in C. A *law* is what these have besides the positions
they lead to: their chances, who moves next, what is gained. Rules are asked about every position,
but a law is read once: after that it is known by the very objects it was told with, where the rules
keep the chances of a throw, and else by the same chances made anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress, repeat
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from dicelab.errors import DicelabError
from dicelab.rules import (
    ONGOING,
    Amount,
    Chance,
    HouseRules,
    Moment,
    Outcome,
    Position,
    Throw,
    answers,
    exact_amount,
    exact_chance,
)
from dicelab.rules.failure import failure
from dicelab.table.expand import BYTES_PER_POSITION, Edges
from dicelab.table.numbering import BYTES_PER_ENTRY, SAMPLED, size_of
from dicelab.table.shapes import Kinds, Shapes

Parts = tuple[Any, ...]  # one part of each outcome of a move

BYTES_PER_OUTCOME = 48  # kind and target as they are met, then the arrays that shapes are made from
MOST_KNOWN = 1 << 16
"""Chances in all the laws that are known at a time."""
RATIO = attrgetter("numerator", "denominator")
"""What a chance is, whatever it is made of; far quicker to look up than a `Fraction`."""


class _Law(NamedTuple):
    """What the outcomes of a move have besides where they lead."""

    codes: array[int]  # their kinds, of those that can happen
    happens: list[bool] | None  # which these are, None for all


class _Numbers(dict[Position, int]):
    """The number of each position; one that was not met before gets the next."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.measured = 0

    def __missing__(self, at: Position) -> int:
        found = self[at] = len(self.positions)
        self.positions.append(at)
        if found % SAMPLED == 0:
            self.measured += size_of(at)
        return found


class Met:
    """What was met so far: positions with their numbers, and the outcomes of their moves."""

    def __init__(self, game: HouseRules) -> None:
        self.game = game
        self.number = _Numbers()
        self.positions = self.number.positions
        self.results = array("b")
        self.moves: dict[str, int] = {}
        self.kinds = Kinds(game.players)
        # of every move that some position allows: whose, which, and how many outcomes it has
        self.sources, self.played, self.counts = array("i"), array("i"), array("i")
        # of every outcome: its kind, and where it leads
        self.coded, self.targets = array("i"), array("i")
        self.types: set[type] = set()  # of positions
        self.laws: dict[Parts, _Law] = {}
        self.known = 0
        self.last: dict[str, tuple[Parts, tuple[Parts, ...], _Law]] = {}
        self.numbered((game.start(), *(game.everywhere() or ())))

    @property
    def needed(self) -> int:
        """About how many bytes all this takes, and the table that is made of it."""
        kept = self.copied + len(self.positions) * BYTES_PER_POSITION
        return kept + len(self.targets) * BYTES_PER_OUTCOME

    @property
    def copied(self) -> int:
        """About how many bytes the positions and their numbers take, as every helper has them."""
        count = len(self.positions)
        each = self.number.measured / (1 + (count - 1) // SAMPLED)
        return int(count * (each + BYTES_PER_ENTRY))

    @property
    def waiting(self) -> int:
        """How many positions were met and not expanded."""
        return len(self.positions) - len(self.results)

    def anew(self) -> Met:
        """Return the same rules with nothing met but where play may start."""
        return Met(self.game)

    def taken_out(self) -> tuple[array[int], ...]:
        """Return the outcomes that were met since the last time, and keep them no longer."""
        kept = self.results, self.sources, self.played, self.counts, self.coded, self.targets
        self.results, self.sources, self.played = array("b"), array("i"), array("i")
        self.counts, self.coded, self.targets = array("i"), array("i"), array("i")
        return kept

    def expand(self, at: Position) -> None:
        """Note how a position stands, and every outcome of its moves."""
        game, source, move = self.game, len(self.results), None
        try:
            result = game.result(at) or ONGOING
            if result not in answers.results_of(game):
                raise answers.wrong_result(game, result, at)
            self.results.append(result)
            choices = () if result != ONGOING else game.choices(at)
            for move in choices:
                if move not in self.moves:  # the letters of a word are no moves
                    word = isinstance(choices, str)
                    answers.check_choices(game, at, choices if word else [move])
                before = len(self.targets)
                self.follow(at, move, game.outcomes(at, move))
                if len(self.targets) > before:
                    self.sources.append(source)
                    self.played.append(self.moves.setdefault(move, len(self.moves)))
                    self.counts.append(len(self.targets) - before)
        except (DicelabError, MemoryError):
            raise
        except Exception as trouble:  # the rules are somebody's own code
            raise failure(game, trouble, at, move) from trouble

    def follow(
        self, at: Position, move: str, outcomes: Iterable[Outcome | Throw | tuple[Any, ...]]
    ) -> None:
        """Note what a move may lead to."""
        told = tuple(outcomes)
        try:
            parts = tuple(zip(*told, strict=True))
        except ValueError:  # only some of them tell a gain, or are throws
            parts = ()
        if len(parts) not in (3, 4):  # a throw has two
            parts = tuple(zip(*self.ways(at, move, told), strict=True))
            if not parts:
                return
        law = self.law(move, parts[0], parts[2:])
        self.coded.extend(law.codes)
        possible = tuple(compress(parts[1], law.happens)) if law.happens else parts[1]
        self.targets.extend(self.numbered(possible))

    def numbered(self, places: Sequence[Position]) -> list[int]:
        """Return the numbers of positions, refused where two that the rules tell apart are one."""
        numbers = list(map(self.number.__getitem__, places))
        self.types.update(map(type, places))
        if len(self.types) > 1:
            for at, number in zip(places, numbers, strict=True):
                answers.check_same(self.game, at, self.positions[number])
        return numbers

    def ways(self, at: Position, move: str, told: Iterable[Any]) -> Iterator[Parts]:
        """Yield all outcomes with a gain, and a throw as the ways that are open after it.

        The last part tells another way of the same throw from the first.
        """
        for each in told:
            if not isinstance(each, Throw):
                yield *Outcome(*each), False
            elif exact_chance(each.chance):
                ways = self.game.open_ways(Moment(at, move, each.dice))
                answers.check_ways(self.game, at, move, each.dice, ways)
                for place, way in enumerate(ways):
                    yield each.chance, way.at, way.mover, way.gain, place > 0

    def law(self, move: str, chances: Parts, others: tuple[Parts, ...]) -> _Law:
        """Return the law of a move: the one it had last, one that was read before, or a new one."""
        last = self.last.get(move)
        try:
            # Comparing is quick where tuples hold the same objects, and slow for other fractions.
            if last and last[0][0] is chances[0] and last[0] == chances and last[1] == others:
                return last[2]
        except ValueError:  # a gain of NumPy does not compare with an Amount
            pass
        try:
            key = (*map(RATIO, chances), *others)
        except AttributeError:  # a float, or a word that is read as a fraction
            key = (*chances, *others)
        found = self.laws.get(key)
        if found is None:
            found = self.laws[key] = self.read(chances, *others)
        self.last[move] = chances, others, found
        return found

    def read(self, chances: Parts, movers: Parts, *others: Parts) -> _Law:
        """Return a law; those read before are forgotten where they are too many."""
        self.known += len(chances)
        if self.known > MOST_KNOWN:
            self.laws.clear()
            self.known = len(chances)
        codes = list(map(self.code, chances, movers, *(*others, repeat(0), repeat(False))[:2]))
        happens = [code >= 0 for code in codes]
        return _Law(array("i", compress(codes, happens)), None if all(happens) else happens)

    def code(
        self,
        told: int | Fraction | Chance,
        mover: int,
        gain: int | Fraction | Amount,
        another: bool,
    ) -> int:
        """Return the number of a kind of outcome, -1 for one that cannot happen."""
        chance = exact_chance(told)
        return self.kinds.code(chance, mover, exact_amount(gain), another) if chance else -1

    def edges(self) -> Edges:
        """Return all edges, once every position was expanded."""
        counts = np.frombuffer(self.counts, np.int32) if self.counts else np.empty(0, np.int32)
        moves = np.repeat(np.array(self.played, np.int32), counts)
        sources = np.repeat(np.array(self.sources, np.uint32), counts)
        shapes, shape = Shapes(len(self.moves)), np.zeros(len(self.positions), np.int32)
        shapes.follow(moves, np.array(self.coded, np.int64), sources, shape)
        met, rows = shapes.rows(shape, len(self.kinds.of))
        result, target = np.array(self.results, np.int8), np.array(self.targets, np.int32)
        return Edges(tuple(self.moves), result, met, rows, tuple(self.kinds.of), target)
