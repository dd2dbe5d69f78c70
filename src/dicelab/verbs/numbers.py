"""Numbers about a game that can be asked for by name, whichever verb works them out.

`value` is what `solve` finds, `wins` what `evaluate` does, `length` what `density` does. All that
is asked about one game shares its table and its solution.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Real
from dicelab.core.json_object import JsonObject
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, NotSolved, RulesError, TooLarge
from dicelab.rules import Game, contract
from dicelab.rules.registry import did_you_mean
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import AnyStrategy, plan
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile
from dicelab.table.at_once import SimultaneousTable
from dicelab.verbs.density import Density, density_on
from dicelab.verbs.engines import needs_no_table
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.exploitability import exploitability
from dicelab.verbs.lengths import exact_within, mean_moves, mean_turns, within_error
from dicelab.verbs.profile_solution import Profile
from dicelab.verbs.seats import evaluate_seats, opposite, plans_of
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve

CHANCE = "chance"
"""The unit of a number that is a chance, whatever the game counts."""


@dataclass(frozen=True)
class Number:
    """A number about a game, how far it may be from the truth, and what it counts."""

    value: float | None  # None where it cannot be had; infinite is infinite
    error: float | None  # 0 if it is exact; None where no bound is known
    unit: str
    fraction: str = ""  # the number itself, where it was worked out in rationals
    refused: str = ""  # why it cannot be had
    unfound: bool = False  # refused, though there is such a number

    def as_dict(self) -> JsonObject:
        """Return what a program wants to know."""
        told: JsonObject = {"value": self.value, "error": self.error, "unit": self.unit}
        told |= {"fraction": self.fraction} if self.fraction else {}
        return told | ({"refused": self.refused} if self.refused else {})

    def cells(self) -> list[object]:
        """Return the number and its error, as a table has them."""
        if self.value is None:
            return ["", ""]
        return [self.fraction or self.value, "" if self.error is None else self.error]

    @property
    def is_chance(self) -> bool:
        """Whether it is told in percent."""
        return self.unit in (CHANCE, "chance to win")

    @property
    def known(self) -> float:
        """The value; 0 where its error leaves no digit of it, and where there is none."""
        value = self.value or 0.0
        return value if abs(value) > (self.error or 0.0) else 0.0

    @property
    def in_digits(self) -> str:
        """The number as people say it."""
        if self.is_chance:
            return f"{round(100 * self.known, 4) + 0.0:.4f}%"  # never -0.0000%
        return f"{self.known:.6g}"


def told_as(value: Real, error: float | None, unit: str) -> Number:
    """Return a number as it is told: a fraction has no error."""
    exact = isinstance(value, Fraction)
    return Number(float(value), 0.0 if exact else error, unit, str(value) if exact else "")


def refused(trouble: DicelabError) -> Number:
    """Return a number that cannot be had, and why."""
    unfound = isinstance(trouble, TooLarge | NotSolved)
    return Number(None, None, "", refused=str(trouble), unfound=unfound)


@dataclass(frozen=True)
class Played:
    """One game between given players; what one verb finds serves all its numbers."""

    game: Game
    players: tuple[AnyStrategy, ...]  # empty: best play by all
    shared: Numbers

    @property
    def table(self) -> Table:
        """The compiled game."""
        return self.shared.table

    @lazy
    def seated(self) -> tuple[AnyStrategy, ...]:
        """Who sits where: best play where nobody was named."""
        if self.game.engine:  # which knows strategies by name
            return self.players or ("optimal",) * self.game.players
        if self.players:
            return tuple(self.shared.best if one == "optimal" else one for one in self.players)
        return (self.shared.best,) * self.game.players

    @lazy
    def evaluation(self) -> Evaluation | SoloEvaluation:
        """How they fare."""
        contract.refuse_many(self.game, "be asked how A fares against B")
        if self.players and not self.shared.exact and needs_no_table(self.game, *self.players):
            own = evaluate(self.game, *self.players)
            assert isinstance(own, SoloEvaluation)
            return own
        one, other = (*self.seated, None)[:2]
        found = evaluate(self.shared.subject, one, other, self.shared.exact)
        assert isinstance(found, Evaluation | SoloEvaluation)
        return found

    @lazy
    def pair(self) -> Evaluation:
        """How two fare against each other; a game played alone is refused."""
        if self.game.players == 1:
            raise RulesError(f"{self.game} is played alone: ask for value, or for length")
        found = self.evaluation
        assert isinstance(found, Evaluation)
        return found

    @lazy
    def density(self) -> Density:
        """Where it goes and how long it lasts."""
        one, *others = self.seated
        return density_on(self.table, one, opposite(others))

    @lazy
    def pairing(self) -> Pairing | None:
        """The chain of what can happen, or None where both choose at once: that has no turns."""
        if self.game.is_simultaneous or isinstance(self.table, SimultaneousTable):
            return None
        return Pairing(self.table, self.plans, self.shared.exact)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """How each seat plays."""
        one, *others = self.seated
        exact = self.shared.exact
        if self.game.players > 2:
            return plans_of(self.table, one, others, exact)
        return tuple(plan(self.table, each, exact) for each in self.seated)

    @lazy
    def seats(self) -> tuple[tuple[Real, ...], float, str]:
        """What each seat gets, the first player's first; the error; and the unit."""
        game, shared = self.game, self.shared
        if game.players == 1:
            raise RulesError(f"{game} is played alone: there are no seats to compare")
        if game.players == 2:
            contract.check_one_pot(game, "be asked what each seat gets")
            value, error, unit = _value(self)
            counted = self.pair.game if self.players else shared.solution.game
            total = counted.total if shared.exact else float(counted.total)
            return (value, total - value), error or 0.0, unit
        if self.players:
            met = evaluate_seats(self.table, self.plans, shared.exact)
            return met.values, met.value_error, met.unit
        found = shared.solution
        assert isinstance(found, Profile)
        bounds = found.bounds_by_seat(game.start())
        apart = max(
            farthest(value, *pair) for value, pair in zip(found.shares, bounds, strict=True)
        )
        return tuple(found.shares), apart, found.unit


@dataclass(frozen=True)
class Numbers:
    """All that is asked about one game, its table and its solution made once."""

    game: Game
    exact: bool = False
    memory: int | None = None

    @lazy
    def table(self) -> Table:
        """The compiled game."""
        return compile(self.game, self.memory, exact=self.exact)

    @lazy
    def solution(self) -> Solution:
        """The best way to play."""
        if self.game.solver:
            return solve(self.game, self.exact, self.memory)
        return solve(self.table, self.exact)

    @property
    def best(self) -> Plan:
        """Best play, as a plan on the table."""
        return self.solution.on(self.table).plan

    @property
    def subject(self) -> Game | Table:
        """What verbs are asked about: the table, or the game where its own engine answers."""
        return self.game if self.game.engine else self.table

    def asked(self, players: Sequence[AnyStrategy], names: Sequence[str]) -> list[Number]:
        """Return some numbers of a game between some players, each refused in its own sentence."""
        played, found = Played(self.game, tuple(players), self), []
        for name in names:
            try:
                found.append(_ask(played, name))
            except DicelabError as trouble:
                found.append(refused(trouble))
        return found


def _ask(played: Played, name: str) -> Number:
    """Return one number, as it is told."""
    word, _, argument = name.partition(":")
    value, error, unit = _KNOWN[word](played, argument) if argument else _KNOWN[word](played)
    fraction = str(value) if isinstance(value, Fraction) and played.shared.exact else ""
    return Number(float(value), 0.0 if fraction else error, unit, fraction)


def numbers_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of numbers, each once; an unknown one is refused."""
    for name in names:
        word, colon, argument = name.partition(":")
        if word not in _KNOWN:
            raise RulesError(f"there is no number called {name!r}{did_you_mean(word, _KNOWN)}")
        if (word in WITH_NUMBER) != bool(colon) or (
            colon and not re.fullmatch(r"\d{1,6}", argument)
        ):
            raise RulesError(
                f"a number is asked for by its name, within with the turns, as within:20, and seat "
                f"with its number, as seat:2: got {name!r}"
            )
    if not names:
        raise RulesError(f"name a number to work out: {', '.join(_KNOWN)}")
    return tuple(dict.fromkeys(names))


def farthest(value: Real, low: Real, high: Real) -> float:
    """Return how far from a value the truth may be, by its bounds."""
    return max(float(high - value), float(value - low))


Told = tuple[Real, float | None, str]
WITH_NUMBER = ("within", "seat")
"""Numbers that take a number after a colon: how many turns, which seat."""


def _value(played: Played) -> Told:
    """What A gets when A starts, in the game's own unit."""
    if not played.players:
        found = played.shared.solution
        return found.value, farthest(found.value, found.lower, found.upper), found.unit
    told = played.evaluation
    if isinstance(told, SoloEvaluation):
        return told.value, told.error, told.unit
    return told.values[0], told.value_error, told.game.unit


def _advantage(played: Played) -> Told:
    """What A gets when A starts, less what A gets when B does; of three, best less worst seat."""
    if played.game.players > 2:
        shares, apart, unit = played.seats
        return max(shares) - min(shares), 2 * apart, unit
    if played.players or played.game.is_simultaneous:
        told = played.pair
        return told.values[0] - told.values[1], 2 * told.value_error, told.game.unit
    if played.game.players == 1:
        raise RulesError(f"{played.game} is played alone: nobody has the advantage of going first")
    contract.check_one_pot(played.game, "be asked for the advantage of going first")
    value, error, unit = _value(played)
    total = played.shared.solution.game.total
    return 2 * value - (total if played.shared.exact else float(total)), 2 * (error or 0.0), unit


def _seat(played: Played, number: str) -> Told:
    """What the player of one seat gets when A starts, who has the first: seat:2 is the next."""
    shares, error, unit = played.seats
    if not 1 <= int(number) <= len(shares):
        raise RulesError(f"{played.game} has seats 1 to {len(shares)}: got seat:{number}")
    return shares[int(number) - 1], error, unit


def _overall(played: Played) -> Told:
    """What A gets when they take turns in starting."""
    told = played.evaluation
    if isinstance(told, SoloEvaluation):
        return told.value, told.error, told.unit
    return told.value, told.value_error, told.game.unit


def _wins(played: Played) -> Told:
    """The chance that A wins when A starts."""
    return played.pair.a_first.a_wins, played.pair.error, CHANCE


def _loses(played: Played) -> Told:
    """The chance that B wins when A starts."""
    return played.pair.a_first.b_wins, played.pair.error, CHANCE


def _draws(played: Played) -> Told:
    """The chance of a draw when A starts."""
    return played.pair.a_first.draws, played.pair.error, CHANCE


def _never_ends(played: Played) -> Told:
    """The chance that the game never ends when A starts."""
    told = played.evaluation
    if isinstance(told, SoloEvaluation):
        return told.never_ends, told.error, CHANCE
    return told.a_first.never_ends, told.error, CHANCE


def _length(played: Played) -> Told:
    """The average number of turns of both together, A starting."""
    if played.pairing is None:
        return played.density.mean_length, None, "turns"
    return *mean_turns(played.pairing), "turns"


def _moves(played: Played) -> Told:
    """The average number of moves of both together."""
    if played.pairing is None:
        return played.density.mean_moves, None, "moves"
    return *mean_moves(played.pairing), "moves"


def _throws(played: Played) -> Told:
    """The average number of moves that leave something to chance."""
    return played.density.mean_throws, None, "throws"


def _median(played: Played) -> Told:
    """The turn by which half of the games have ended."""
    turn = played.density.quantile(0.5)
    return math.inf if turn is None else turn, None, "turns"


def _within(played: Played, turns: str) -> Told:
    """The chance that the game is over within so many turns, as in within:20."""
    pairing = played.pairing
    if pairing is not None and pairing.exact:
        chance = exact_within(pairing, int(turns))
        if chance is not None:
            return chance, 0.0, CHANCE
    found = played.density
    over = float(np.sum(found.lengths[: int(turns)]))
    if pairing is None or int(turns) > found.lengths.size:  # its law was followed no further
        return over, None, CHANCE
    return over, within_error(pairing, over, int(turns)), CHANCE


def _points(played: Played) -> Told:
    """The average points of A in a game for points, between two less those of B."""
    value, error, unit = _value(played)
    _refuse_without_points(played)
    return value, error, unit


def _deviation(played: Played) -> Told:
    """The standard deviation of the points of A."""
    _refuse_without_points(played)
    law = played.density.points
    assert law is not None
    return law.deviation, None, played.table.unit


def _refuse_without_points(played: Played) -> None:
    if not played.table.is_for_points:
        raise RulesError(f"{played.game} is not for points: ask for value, or play it for=points")


def _exploitability(played: Played) -> Told:
    """What a perfect opponent takes from A per game, above an even share."""
    if played.game.players == 1:
        raise RulesError(f"{played.game} is played alone: there is nobody to take anything")
    found = exploitability(played.table, played.seated[0], played.shared.exact)
    return found.value, farthest(found.value, found.lower, found.upper), played.game.unit


def _positions(played: Played) -> Told:
    """How many positions the game has."""
    return len(played.table), 0.0, "positions"


_KNOWN: dict[str, Callable[..., Told]] = {
    "value": _value,
    "advantage": _advantage,
    "seat": _seat,
    "overall": _overall,
    "wins": _wins,
    "loses": _loses,
    "draws": _draws,
    "never_ends": _never_ends,
    "length": _length,
    "moves": _moves,
    "throws": _throws,
    "median": _median,
    "within": _within,
    "points": _points,
    "deviation": _deviation,
    "exploitability": _exploitability,
    "positions": _positions,
}

ABOUT = {name: (function.__doc__ or "").rstrip(".") for name, function in _KNOWN.items()}
"""Every number that can be asked for, and what it is."""
