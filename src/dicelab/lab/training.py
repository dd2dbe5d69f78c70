"""What training remembers of a player: when a position comes back, a rating, a streak of days.

When a position comes back is left to FSRS, a scheduler that is fitted to how people forget. How
strong a player is is told by Glicko-2 (Glickman, "Example of the Glicko-2 system", 2012), where
each position plays as an opponent and a day is a rating period. Days are those of UTC.

**The strength of a position** follows from the chance p that people miss it, who play as the
average does, at 1500: whoever is as strong as the position finds it every second time, so that its
rating is 1500 + 173.72 ln(p / (1 - p)). Before anybody has met it, p is what a `Quantal` person
would miss, who feels costs with `PRECISION`. That counts as `EXPECTED`
people, and everybody who meets the position for the first time counts as one more. So many trials
leave an uncertainty of 173.72 / sqrt(n p (1 - p)), which is the deviation of its rating.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from dicelab.people import marks
from dicelab.verbs.solution import WORSE, MoveValue

SECONDS = 10.0
"""How long a position may be thought about, for who asks for no more time."""

AGAIN = timedelta(minutes=1)
"""After what time a position that was missed may come back: in the same sitting."""

PRECISION = 50.0
"""How a `Quantal` person feels costs, as shares of the stake: what people are expected to miss."""

EXPECTED = 8
"""How many people the expectation counts for."""

LEAST_MISSED = 0.02  # no position is missed by less than this, or by more than all but this
AVERAGE, UNKNOWN, VOLATILITY = 1500.0, 350.0, 0.06  # Glickman's start
SCALE = 173.7178  # points of a rating in one unit of its logarithm
SURE = 1.96  # deviations to either side that make 95%


class Strength(NamedTuple):
    """A rating and its deviation."""

    rating: float
    deviation: float


class Result(NamedTuple):
    """How a player did against a position: 1 found it, 0 missed it, or was too slow."""

    against: Strength
    score: float


@dataclass(frozen=True)
class Rating:
    """How strong a player is, with what is known about it and how much it goes up and down."""

    rating: float = AVERAGE
    deviation: float = UNKNOWN
    volatility: float = VOLATILITY

    @property
    def limits(self) -> tuple[float, float]:
        """Between what the rating lies with a chance of 95%."""
        return self.rating - SURE * self.deviation, self.rating + SURE * self.deviation

    def rested(self, days: int) -> Rating:
        """Return the rating after so many days without a drill: less is known about it."""
        wider = math.hypot(self.deviation, SCALE * self.volatility * math.sqrt(days))
        return Rating(self.rating, min(UNKNOWN, wider), self.volatility)

    def after(self, results: Sequence[Result]) -> Rating:
        """Return the rating after a day with these results."""
        if not results:
            return self
        from glicko2 import math as glicko  # loaded at the first drill

        met = [
            (glicko.rating_to_mu(one.rating), glicko.rd_to_phi(one.deviation), score)
            for one, score in results
        ]
        mu, phi = glicko.rating_to_mu(self.rating), glicko.rd_to_phi(self.deviation)
        new = glicko.update_rating(mu, phi, self.volatility, met)
        deviation = min(UNKNOWN, glicko.phi_to_rd(new.phi))
        return Rating(glicko.mu_to_rating(new.mu), deviation, new.sigma)


def is_missed(move: MoveValue, stakes: float) -> bool:
    """Return whether who plays a move has missed the position: an inaccuracy or worse."""
    return marks.mark_of(float(move.cost) / stakes, move.status == WORSE) in marks.ERRORS


def expected_misses(moves: Sequence[MoveValue], stakes: float) -> float:
    """Return the chance that a person misses a position whom nobody has seen there yet."""
    weights = [math.exp(-PRECISION * float(move.cost) / stakes) for move in moves]
    missed = [w for w, move in zip(weights, moves, strict=True) if is_missed(move, stakes)]
    return sum(missed) / sum(weights)


def strength(expected: float, tries: int = 0, misses: int = 0) -> Strength:
    """Return how strong a position is that so many people have met, and so many missed."""
    people = EXPECTED + tries
    missed = (EXPECTED * expected + misses) / people
    missed = min(1 - LEAST_MISSED, max(LEAST_MISSED, missed))
    return Strength(
        AVERAGE + SCALE * math.log(missed / (1 - missed)),
        SCALE / math.sqrt(people * missed * (1 - missed)),
    )


def reviewed(memory: str | None, found: bool, at: datetime) -> tuple[str, datetime]:
    """Return what is kept of a position after an answer, right or not, and when it comes back."""
    from fsrs import Card, Rating, Scheduler  # loaded at the first drill

    card = Card(card_id=0, due=at) if memory is None else Card.from_json(memory)
    grade = Rating.Good if found else Rating.Again
    scheduler = Scheduler(
        learning_steps=[AGAIN],
        relearning_steps=[AGAIN],
        enable_fuzzing=False,  # the same answers at the same times lead to the same days
    )
    card, _ = scheduler.review_card(card, grade, at)
    return json.dumps(card.to_dict()), card.due


def day_of(moment: datetime) -> date:
    """Return the day of a moment, by UTC."""
    return moment.astimezone(UTC).date()


def streak(days: Iterable[date], today: date) -> int:
    """Return how many days in a row there are up to today, or to yesterday if today is to come."""
    known = set(days)
    last = today if today in known else today - timedelta(1)
    length = 0
    while last - timedelta(length) in known:
        length += 1
    return length
