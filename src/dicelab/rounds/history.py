"""Utilities of the whole history: carry what they need to know in the position.

A utility may depend on everything that happened, equation (12) of the study. Two rounds in the same
position then differ in what they remember. So the memory joins the position: say what it is before
the first cast, how a cast and a decision change it, and what a result is worth with that memory.
Backward induction then runs over kept combinations with memories, and stays exact.

A worked example: each die thrown costs a tenth of a token, and the result pays as in 421. Two ways
to have 66 aside after two casts may have cost 4, 5 or 6 dice, so the kept dice alone do not tell
what the round will have been worth. The memory is the number of dice thrown so far.

>>> from dicelab.rounds import Round, solve, solve_history, utility
>>> game, tokens = Round(), utility("transfer", Round())
>>> paying = solve_history(
...     game,
...     start=0,
...     after=lambda thrown_so_far, step: thrown_so_far + len(step.thrown),
...     worth=lambda dice, result, cast: tokens.of(result) - Fraction(dice, 10),
... )
>>> float(paying.value), float(solve(game, "transfer").value)
(3.1859..., 3.7467...)
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dicelab.core.exact import exactly
from dicelab.errors import RulesError, TooLarge
from dicelab.rounds.combinations import Combination
from dicelab.rounds.rules import Player, Round, check_player

MOST_CASTS = 200
"""Casts beyond which the recursion would be deeper than Python allows."""


@dataclass(frozen=True)
class Step:
    """One cast and the decision after it, faces highest first."""

    cast: int
    aside: tuple[int, ...]
    thrown: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HistorySolution:
    """The best worth of every position with its memory, and the decisions that reach it."""

    game: Round
    player: Player
    start: Hashable
    worths: dict[tuple[int, int, Hashable], Fraction] = field(repr=False)
    """By casts made, kept combination and memory."""
    decisions: dict[tuple[int, int, Hashable], tuple[int, ...]] = field(repr=False)
    """All best decisions, by cast, table and memory before the cast."""

    @property
    def value(self) -> Fraction:
        """What the round is worth before the first cast."""
        return self.worths[0, 0, self.start]

    def best(
        self, aside: Combination, thrown: Combination, cast: int, memory: Hashable
    ) -> list[str]:
        """Return all best decisions at a table with a memory."""
        key = (cast, self.game.table_of(aside, thrown), memory)
        if key not in self.decisions:
            raise RulesError(
                f"nobody decides at {self.game.write_table(key[1])} after cast {cast} "
                f"with the memory {memory!r}"
            )
        return [self.game.numbers.write(kept) for kept in self.decisions[key]]


def solve_history(
    game: Round,
    start: Hashable,
    after: Callable[[Any, Step], Hashable],
    worth: Callable[[Any, tuple[int, ...], int], object],
    player: Player = "first",
) -> HistorySolution:
    """Return the solution against a utility of memory, result and cast.

    ``after(memory, step)`` is the memory once a cast is thrown and decided upon;
    ``worth(memory, result, cast)`` is what the round paid. In a round where all dice may be thrown
    again (Yahtzee's rule) a step has nothing aside and throws what lies on the table.
    """
    check_player(player)
    if game.casts > MOST_CASTS:
        raise TooLarge(
            f"a history is followed through at most {MOST_CASTS} casts: got casts={game.casts}"
        )
    numbers, matrices = game.numbers, game.matrices
    worths: dict[tuple[int, int, Hashable], Fraction] = {}
    decisions: dict[tuple[int, int, Hashable], tuple[int, ...]] = {}

    def faces(number: int) -> tuple[int, ...]:
        return numbers.faces_of(number)[::-1]

    def value(cast: int, kept: int, memory: Hashable) -> Fraction:
        key = (cast, kept, memory)
        if key not in worths:
            if numbers.sizes[kept] == game.dice:
                found = exactly(worth(memory, faces(kept), cast))
                if found is None:
                    raise RulesError(
                        f"the worth of {numbers.write(kept)} with the memory {memory!r} "
                        f"is not a number"
                    )
                worths[key] = found
            else:
                throws = range(int(matrices.row[kept]), int(matrices.row[kept + 1]))
                worths[key] = sum(
                    (
                        game.chance(int(matrices.thrown[throw])) * decide(cast + 1, throw, memory)
                        for throw in throws
                    ),
                    Fraction(0),
                )
        return worths[key]

    def decide(cast: int, throw: int, memory: Hashable) -> Fraction:
        table = int(matrices.table[throw])
        options = [int(kept) for kept in game.options_of(table)]
        if cast == game.casts:
            options = options[-1:]
        elif player == "next":
            options = options[:-1]
        aside, thrown = int(matrices.caster[throw]), int(matrices.thrown[throw])
        found = [
            value(cast, kept, after(memory, Step(cast, faces(aside), faces(thrown), faces(kept))))
            for kept in options
        ]
        best = max(found)
        decisions[cast, table, memory] = tuple(
            kept for kept, each in zip(options, found, strict=True) if each == best
        )
        return best

    value(0, 0, start)
    return HistorySolution(game, player, start, worths, decisions)
