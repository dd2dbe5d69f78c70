"""One round under the glass: what each decision cost and what each cast gave, exactly.

With m the worth of a table under best play and v that of what is kept,

    cost = m(table) - v(kept)        luck = m(next table) - v(kept),

and the first cast's luck is m(table) less what the round was worth. Along a round everything
cancels: result = value + luck - costs.

>>> from dicelab.rounds import Round, solve
>>> solution = solve(Round(), "goal:421")
>>> judged = judge(solution, "-", "651", 1, "65")
>>> str(judged.cost), judged.best
('53/324', ('1',))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dicelab.errors import IllegalMove
from dicelab.rounds.combinations import Combination
from dicelab.rounds.induction import RoundSolution
from dicelab.rounds.rules import Round


@dataclass(frozen=True)
class Option:
    """One thing to keep after a cast, what it is worth and what it costs against the best."""

    kept: str
    number: int  # of the combination
    value: Fraction
    cost: Fraction


@dataclass(frozen=True)
class Decided:
    """One decision of a round."""

    cast: int
    table: str
    kept: str
    worth: Fraction  # of the table under best play
    value: Fraction  # of what was kept
    best: tuple[str, ...]
    unforced: bool

    @property
    def cost(self) -> Fraction:
        """What it was worth less than the best decision there."""
        return self.worth - self.value


def options(
    solution: RoundSolution, aside: Combination, thrown: Combination, cast: int
) -> list[Option]:
    """Return what may be kept after a cast that is not the last, best first."""
    game: Round = solution.game
    found = game.options_of(game.table_of(aside, thrown))
    if solution.player == "next":
        found = found[:-1]
    worths = [(Fraction(solution.value_of(int(one), cast)), int(one)) for one in found]
    best = max(value for value, _ in worths)
    ranked = sorted(worths, key=lambda pair: (-pair[0], pair[1]))
    write = game.numbers.write
    return [Option(write(number), number, value, best - value) for value, number in ranked]


def worth(solution: RoundSolution, aside: Combination, thrown: Combination, cast: int) -> Fraction:
    """Return what a table is worth under best play, the last cast's included."""
    game = solution.game
    if cast == game.casts:
        shows = int(game.matrices.shows[game.table_of(aside, thrown)])
        return Fraction(solution.value_of(shows, cast))
    return options(solution, aside, thrown, cast)[0].value


def judge(
    solution: RoundSolution, aside: Combination, thrown: Combination, cast: int, kept: Combination
) -> Decided:
    """Return what a decision cost."""
    game = solution.game
    choices = options(solution, aside, thrown, cast)
    number = game.numbers.number(kept)
    table = game.write_table(game.table_of(aside, thrown))
    chosen = next((choice for choice in choices if choice.number == number), None)
    if chosen is None:
        can = " or ".join(choice.kept for choice in choices)
        raise IllegalMove(
            f"cannot keep {game.numbers.write(number)} at {table}: you can keep {can} here"
        )
    best = tuple(choice.kept for choice in choices if not choice.cost)
    return Decided(cast, table, chosen.kept, choices[0].value, chosen.value, best, len(choices) > 1)
