"""How much work a question is, told before the work: what it goes through, memory and time."""

from __future__ import annotations

from typing import NamedTuple

from dicelab.errors import TooLarge

LONG = 120.0
"""Seconds of work that are told beforehand."""


class Forecast(NamedTuple):
    """How much work it is to solve a game."""

    things: str  # what is gone through, such as "3,213 openings of sets"
    bytes: float
    seconds: float  # on this machine, all its cores at work

    def times(self, often: int) -> Forecast:
        """Return what it takes to go through everything so often."""
        return self._replace(seconds=often * self.seconds)

    @property
    def is_long(self) -> bool:
        """Whether somebody would want to know before."""
        return self.seconds > LONG

    @property
    def sentence(self) -> str:
        """What it takes, in words."""
        return f"{self.things}, about {self.bytes / 1e9:.2g} GB and {_lasting(self.seconds)}"


def refuse_more(needed: float, limit: float, what: str) -> None:
    """Refuse what needs more memory than it may have; `what` ends in the verb."""
    if needed > limit:
        raise TooLarge(
            f"{what} about {needed / 10**9:.2g} GB; the limit is {limit / 10**9:.3g} GB (--memory)"
        )


def _lasting(seconds: float) -> str:
    """Return a time as one says it."""
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
