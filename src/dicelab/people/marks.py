"""How good a decision was and how lucky a throw: one scale of marks, the same everywhere.

A decision is marked by what it cost, as a share of what is at stake in the game, and a throw by
what it gave or took. The review, the history, the coach's warning and the drills all ask here.

>>> mark_of(0.02), mark_of(0.0), luck_mark(-0.15)
('mistake', 'best', 'unlucky')

**Accuracy** is the share kept of what hung on the decisions: let c be what a decision cost and w
what the worst legal move there would have cost, then over all unforced decisions

    accuracy = 1 - sum(c) / sum(w).

So best play has 100%, always the worst move 0%, and a decision counts by what hung on it. No
number in it was chosen by anybody; it depends on which decisions the dice brought, and says nothing
about two different games.

**The luck-adjusted result** is exact: what the game was worth at its start, less what I gave away,
plus what the others did. As a guess at what two who play like this get on average it is one sample,
for the dice also decide which decisions come up. If costly decisions come up at random moments,
each independent of the others (a compound Poisson sum), the variance of the total is the mean of
the sum of c squared; so that is the square of its standard error, and 1.96 of it on either side is
an interval of 95%.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dicelab.core import language
from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.rules import Game
from dicelab.verbs.explain import stake
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import on_table

BEST, FINE, INACCURACY, MISTAKE, BLUNDER = "best", "fine", "inaccuracy", "mistake", "blunder"
LUCKY, UNLUCKY = "lucky", "unlucky"

COSTS = ((BEST, 0.0), (FINE, 0.0), (INACCURACY, 0.001), (MISTAKE, 0.01), (BLUNDER, 0.04))
"""Marks of decisions, and the share of what is at stake from which on each is given.

What is best costs nothing that can be told from nothing; what is fine costs less than anybody
would notice.
"""

ERRORS = (INACCURACY, MISTAKE, BLUNDER)
"""The marks of what counts as a mistake where mistakes are counted."""

LUCK = 0.1
"""The share of what is at stake from which on a throw is lucky, or unlucky."""

WORDS = {
    BEST: language.mark("Best"),
    FINE: language.mark("Fine"),
    INACCURACY: language.mark("Inaccuracy"),
    MISTAKE: language.mark("Mistake"),
    BLUNDER: language.mark("Blunder"),
    LUCKY: language.mark("Lucky"),
    UNLUCKY: language.mark("Unlucky"),
}

GRADES = (
    ("A+", language.mark("perfect"), 1e-6),
    ("A", language.mark("excellent"), 0.002),
    ("B", language.mark("good"), 0.005),
    ("C", language.mark("fair"), 0.01),
    ("D", language.mark("rough"), 0.02),
    ("E", language.mark("costly"), 1.0),
)
"""Letter, word, and the error per unforced decision below which it is given, as a share of what
is at stake."""

FEW = 3
"""Costly decisions below which one game says nothing about how much is given away as a rule."""

SURE = 1.96  # standard errors to either side that make 95%


def mark_of(share: float, is_mistake: bool = True) -> str:
    """Return the mark of a decision that cost such a share of what is at stake.

    `is_mistake`: it surely cost something, as far as the bounds of the solution can tell.
    """
    if not is_mistake or share <= 0:
        return BEST
    return next(mark for mark, least in reversed(COSTS) if share >= least)


def luck_mark(share: float) -> str | None:
    """Return whether a throw was lucky or unlucky, by the share it gave; None for neither."""
    return None if abs(share) < LUCK else LUCKY if share > 0 else UNLUCKY


def counted(marks: Iterable[str]) -> dict[str, int]:
    """Return how often each mark of a decision was given."""
    found = Counter(marks)
    return {mark: found[mark] for mark, _ in COSTS}


def errors(counts: Mapping[str, int]) -> int:
    """Return how many decisions were mistakes in the wide sense: an inaccuracy or worse."""
    return sum(counts[mark] for mark in ERRORS)


def at_stake(solution: Solution) -> float:
    """Return how much can be won or lost; in turns, one; in points, how far values reach."""
    bounds = stake(solution.game)
    if bounds is not None:
        return bounds[1] - bounds[0]
    if solution.game.fewest and solution.game.unit != "points":  # turns, or throws
        return 1.0
    spread = solution.spread()
    if spread is None:
        spread = float(np.ptp(on_table(solution).values.astype(float)))
    return spread or 1.0


def accuracy(costs: Sequence[float], worst: Sequence[float]) -> float | None:
    """Return the share kept of what hung on some decisions; None where nothing did.

    `worst` is what the worst move would have cost at each of them.
    """
    hung = math.fsum(worst)
    return None if hung <= 0 else min(1.0, max(0.0, 1 - math.fsum(costs) / hung))


def interval(
    game: Game, adjusted: float | None, costs: Sequence[float]
) -> tuple[float, float] | None:
    """Return 95% limits around a luck-adjusted result, from what all the decisions cost.

    They stay within what can be got. None where so few decisions cost anything that one game says
    nothing about the next.
    """
    paid = [cost for cost in costs if cost > 0]
    if adjusted is None or len(paid) < FEW:
        return None
    wide = SURE * math.sqrt(math.fsum(cost * cost for cost in paid))
    return within(game, adjusted - wide, adjusted + wide)


def within(game: Game, low: float, high: float) -> tuple[float, float]:
    """Return two limits, kept within the least and the most that a game can bring."""
    least, most = stake(game) or (-math.inf, math.inf)
    return max(least, min(most, low)), max(least, min(most, high))


def interval_of_mean(game: Game, samples: Sequence[float]) -> tuple[float, float] | None:
    """Return 95% limits of what games bring on average, by Student's t; None for a single one."""
    if len(samples) < 2:
        return None
    from scipy.special import stdtrit  # takes long to import

    mean, error = np.mean(samples), np.std(samples, ddof=1) / math.sqrt(len(samples))
    wide = float(stdtrit(len(samples) - 1, 0.975) * error)
    return within(game, float(mean) - wide, float(mean) + wide)


def scale() -> list[JsonObject]:
    """Return every mark with the share from which on it is given, in words."""
    levels = [*COSTS, (LUCKY, LUCK), (UNLUCKY, LUCK)]
    return [{"mark": mark, "from": least, "words": tr(WORDS[mark])} for mark, least in levels]


def grades() -> list[JsonObject]:
    """Return the scale of grades."""
    return [{"letter": letter, "words": tr(word), "below": below} for letter, word, below in GRADES]


def grade_of(error: float) -> tuple[str, str]:
    """Return the letter and the word for an error per unforced decision, a share of the stake."""
    letter, word, _ = next((line for line in GRADES if error < line[2]), GRADES[-1])
    return letter, tr(word)
