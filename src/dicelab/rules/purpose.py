"""Purposes: the same rules, played for another aim.

A game has an aim of its own, which its worths, gains and ends make up. `aimed` returns a game with
the same rules for another one:

- ``points``: the mean of what is gained, which is what a game for points is about anyway;
- ``win``: its ends only, whatever is gained;
- ``fewest turns``: one player who wants it to end soon; a turn ends where the rules pass it on;
- ``at least 300``: the chance of so many points or more, alone; between two, of as many more than
  the other. Where the fewest are wanted it is ``at most 9``, the chance of so many or fewer.

For the last one what was gained so far is a part of the position (`so_far`). Whether a game has an
aim is known once its table is made, which then refuses it (`table.aims`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dicelab.core.exact import exactly
from dicelab.core.results import ONGOING, OTHER
from dicelab.errors import RulesError
from dicelab.rules.chance import Bare, Faces, Gain, Happening, Outcome, Throw, Way
from dicelab.rules.game import NOTHING, Game, where
from dicelab.rules.house_rules import HouseRules
from dicelab.rules.so_far import SoFar, SoFarHouse
from dicelab.rules.speech import Position

POINTS, WINNING, TURNS = "points", "win", "fewest turns"
_SUM = re.compile(r"at (least|most) (\S+)")


def aimed(game: Game, purpose: str | None) -> Game:
    """Return a game for another purpose; as it is, where none is given.

    >>> from dicelab.games.pig import SoloPig
    >>> str(aimed(SoloPig(target=50), "at most 9"))
    'solo-pig target=50 for at most 9'
    """
    if purpose is None:
        return game
    if game.aim:
        return aimed(game.unaimed, purpose)
    said = " ".join(purpose.split())
    words = said.lower()
    if game.is_simultaneous:
        raise RulesError(
            f"{game} is played at once and for its own aim only: got {words!r}; play it by turns"
        )
    if game.players > 2:
        raise RulesError(
            f"{game} is for {game.players} players and for its own aim only: got {words!r}; for "
            f"another they must share out one pot as well, which payoff() can say"
        )
    if words == TURNS and game.players != 1:
        raise RulesError(f"{game} is for two: only who plays alone can want few turns")
    if words in _KINDS:
        made: Game = _kind_for(type(game), words)(**game.parameters)
        return made
    if (own := game.for_words(said)) is not None:
        return own
    told = _SUM.fullmatch(words)
    number = exactly(told[2]) if told else None
    if told is None or number is None:
        raise RulesError(
            f"{game} cannot be played for {purpose!r}: a purpose is '{POINTS}', '{WINNING}', "
            f"'{TURNS}', or 'at least' or 'at most' a number such as 300"
        )
    if game.players == 2 and (number <= 0 or told[1] == "most"):
        raise RulesError(
            f"{game} is for two, who may want at least so many points more than the other, such "
            f"as 'at least 1': got {purpose!r}"
        )
    if (own := game.for_sum(told[1] == "least", number)) is not None:
        return own
    house = isinstance(game, HouseRules)
    return (SoFarHouse if house else SoFar)(game, told[1] == "least", number)


class _Aimed:
    """What all games share whose positions stay as they are."""

    aim: ClassVar[str]
    own_kind: ClassVar[type[Game]]
    solver: ClassVar[str] = ""
    engine: ClassVar[str] = ""

    @property
    def unaimed(self: Any) -> Game:
        """The same game for its own aim."""
        made: Game = self.own_kind(**self.parameters)
        return made

    def starting(self, at: Position | str) -> Game:
        """Return the same game, for the same aim, begun at another position."""
        return aimed(self.unaimed.starting(at), self.aim)

    @property
    def at_usual_start(self) -> Game:
        """The same game, for the same aim, begun where it usually is."""
        return aimed(self.unaimed.at_usual_start, self.aim)

    def __reduce__(self) -> Bare:
        """Return how it is made again in another process."""
        return aimed, (self.unaimed, self.aim)

    def __str__(self) -> str:
        """Return the game and its aim."""
        return f"{self.unaimed} for {self.aim}"

    def gained(self, at: Position, mover: int, gain: Gain) -> Gain:
        """Return what is gained where a step leads to a position."""
        return gain

    def outcomes(self: Any, at: Position, move: str) -> Iterator[Happening]:
        """Yield what chance may do, with what that gains for this aim."""
        for each in super().outcomes(at, move):  # type: ignore[misc]
            yield each if isinstance(each, Throw) else self._counted(Outcome(*each))

    def ways(self: Any, at: Position, move: str, dice: Faces) -> Iterator[Way]:
        """Yield the ways after a throw, with what they gain for this aim."""
        for each in super().ways(at, move, dice):  # type: ignore[misc]
            way = Way(*each)
            yield way._replace(gain=self.gained(way.at, way.mover, way.gain))

    def after(self: Any, at: Position, move: str, faces: Faces) -> Outcome:
        """Return what follows a throw of these faces, with what that gains for this aim."""
        return self._counted(super().after(at, move, faces))  # type: ignore[misc]

    def _counted(self, outcome: Outcome) -> Outcome:
        return outcome._replace(gain=self.gained(outcome.at, outcome.mover, outcome.gain))


class _ForPoints(_Aimed):
    """For the mean of what is gained."""


class _ForWinning(_Aimed):
    """For its ends only."""

    worth = Game.worth
    unit = Game.unit
    fewest = False
    never = None
    payoff = Game.payoff

    def worth_to(self, seat: int) -> Mapping[int, Gain]:
        """Return what each end is worth: a win 1, a draw a half."""
        return self.worth

    def gained(self, at: Position, mover: int, gain: Gain) -> int:
        """Return that nothing counts on the way."""
        return 0


class _ForFewTurns(_Aimed):
    """To end it in few turns."""

    worth = NOTHING
    unit = "turns"
    fewest = True
    never = None
    payoff = Game.payoff

    def worth_to(self, seat: int) -> Mapping[int, Gain]:
        """Return that an end adds nothing."""
        return self.worth

    def gained(self: Any, at: Position, mover: int, gain: Gain) -> Gain:
        """Return 1 where a turn ends: it passes, or the game is over."""
        if mover == OTHER:
            return 1
        result = self.result(at)
        return where((ONGOING if result is None else result) != ONGOING, 1, 0)


_KINDS = {POINTS: _ForPoints, WINNING: _ForWinning, TURNS: _ForFewTurns}


@functools.lru_cache(maxsize=256)
def _kind_for(kind: type[Game], purpose: str) -> type[Game]:
    """Return a kind of game for a purpose; one class for each, so that equals are."""
    told = {"aim": purpose, "own_kind": kind}
    same = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (_KINDS[purpose], kind), {**same, **told})
