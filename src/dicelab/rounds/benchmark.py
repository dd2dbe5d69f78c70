"""The benchmark: policies side by side, as a share of what a first player can get at best.

For each utility every policy makes a strategy for the first player and for a next one, and what it
earns is worked out exactly. Optimality is that value over the first player's best. A utility is
**fuzzy** for a player when horizon and revision without serendipity do harm: ``h1s0`` earns less
than ``h0s0``. The study asks this of the first player only; the answer need not be the same for
the next.

The study prints its decimals cut, not rounded, after five digits; so does ``cut``.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", section 5.4.

>>> from dicelab.rounds import Round
>>> table = benchmark(Round(), ["sum"], ["h0s0", "h1s0", "optimal"])[0]
>>> cut(table.best), [cut(cell.optimality) for cell in table.cells if cell.player == "next"]
('14', ['0.92599', '0.85875', '0.97321'])
>>> table.fuzzy
{'first': True, 'next': True}
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dicelab.rounds.costs import Effort, effort
from dicelab.rounds.evaluation import evaluate
from dicelab.rounds.goals import NOTATION
from dicelab.rounds.induction import solve
from dicelab.rounds.policies import policy
from dicelab.rounds.results import Play, combination_classes
from dicelab.rounds.rules import Player, Round
from dicelab.rounds.strategies import Ties
from dicelab.rounds.utilities import AnyUtility, Utility, utility

UTILITIES = ("goal:123", "goal:123+224+345", "transfer", "sum")
"""The utilities of the study's tables 1 to 4, ever fuzzier."""
POLICIES = ("h0s0", "h0s1", "h1s0", "h1s1", "optimal")
"""The policies of the study's tables 1 to 4."""
PLAYERS: tuple[Player, ...] = ("first", "next")


def default_utilities(game: Round) -> tuple[str, ...]:
    """Return the study's utilities for the dice of 421, and for others their like: one goal of
    equal faces, one of different faces, and the sum.
    """
    if game.dice == 3 and game.die.faces == (1, 2, 3, 4, 5, 6):
        return UTILITIES
    goals = list(combination_classes(game))
    write = game.numbers.write
    return f"goal:{write(goals[0])}", f"goal:{write(goals[-1])}", "sum"


@dataclass(frozen=True)
class Cell:
    """What one policy earns for one player."""

    policy: str
    player: Player
    value: Fraction
    optimality: Fraction | None
    """The value over the first player's best; None where that best is not above 0."""
    beyond: bool
    """Whether the study leaves the cell empty: serendipity for a next player."""
    effort: Effort | None = None


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The table of one utility."""

    utility: Utility
    best: Fraction
    """What the first player gets at best."""
    cells: tuple[Cell, ...]
    fuzzy: dict[Player, bool]

    def cell(self, policy: str, player: Player) -> Cell:
        """Return the cell of a policy and a player."""
        return next(each for each in self.cells if (each.policy, each.player) == (policy, player))


def benchmark(
    game: Round,
    utilities: Sequence[AnyUtility] = UTILITIES,
    policies: Sequence[Any] = POLICIES,
    *,
    casts_imposed: int | None = None,
    ties: Ties = "fewest",
    play: Play = "ratchet",
    costs: bool = False,
) -> list[Benchmark]:
    """Return a table for each utility; next players cast ``casts_imposed`` times, or as often."""
    tables = []
    games = {"first": game, "next": game.imposed(casts_imposed or game.casts)}
    for asked in utilities:
        ours = utility(asked, game)
        best = Fraction(solve(game, ours).value)
        values: dict[tuple[str, Player], Fraction] = {}
        cells = []
        for name in policies:
            for player in PLAYERS:
                here = games[player]
                plan = policy(name, here, ours, player, ties, play)
                value = values[plan.name, player] = evaluate(plan, ours).value
                cells.append(
                    Cell(
                        plan.name,
                        player,
                        value,
                        value / best if best > 0 else None,
                        player == "next" and _is_serendipitous(plan.name),
                        effort(name, here, ours, player, ties, play) if costs else None,
                    )
                )
        fuzzy = {}
        for player in PLAYERS:
            for name in ("h1s0", "h0s0"):
                if (name, player) not in values:
                    plan = policy(name, games[player], ours, player, ties, play)
                    values[name, player] = evaluate(plan, ours).value
            fuzzy[player] = values["h1s0", player] < values["h0s0", player]
        tables.append(Benchmark(ours, best, tuple(cells), fuzzy))
    return tables


def _is_serendipitous(name: str) -> bool:
    read = NOTATION.fullmatch(name.strip())
    return read is not None and read[2] == "1"


def cut(number: Fraction, digits: int = 5) -> str:
    """Return a decimal of so many digits, the rest cut off and not rounded.

    A zero before the point does not count; a number with fewer decimals is written in full.

    >>> cut(Fraction(3, 4)), cut(Fraction(2, 3)), cut(Fraction(349621, 93312))
    ('0.75', '0.66666', '3.7467')
    """
    sign, number = ("-" if number < 0 else ""), abs(number)
    whole = int(number)
    places = digits - len(str(whole)) if whole else digits
    scaled = number * 10 ** max(places, 0)
    shown = f"{int(scaled):0{max(places, 0) + 1}d}"
    if places <= 0:
        return sign + shown
    text = f"{shown[:-places]}.{shown[-places:]}"
    if scaled.denominator == 1:
        text = text.rstrip("0").rstrip(".")
    return sign + text
