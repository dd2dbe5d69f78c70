"""Pig as people play it: by how much risk they like, and not always the same way twice.

A player of Pig who thinks of one turn only, and of nothing but its points, maximises the expected
utility u of what the turn banks. With r at risk, holding is worth u(r). So going back from the most
a turn can bring,

    V(r) = max( u(r),  bust x u(0) + sum over scores s of chance(s) x V(r + s) ).

- ``risk:neutral``   u(x) = x. It holds at 20 with a six-sided die, where both are worth the same.
- ``risk:crra,G``    u(x) = x^(1-G) / (1-G): averse for G > 0, seeking for G < 0. From G = 1 on,
                     nothing is infinitely bad, and the player holds the first points there are.
- ``risk:cara,A``    u(x) = (1 - exp(-A x)) / A: averse for A > 0, seeking for A < 0.
- ``risk:prospect,L``        prospect theory's value of gains and losses. What is at risk already
                     feels owned: a roll gains s or loses r, and is taken if its value is above 0.
- ``risk:prospect-level,L``  the same value of gains and losses, counted from level: being behind
                     is a loss. The turn's points bring you level, or they do not.

The value of a gain x is x^0.88 and that of a loss x is -L x^0.88, with L = 2.25 unless you say
otherwise: Tversky & Kahneman, "Advances in prospect theory", Journal of Risk and Uncertainty 5,
1992. Chances are not weighted.

``noisy:H,B,N`` wavers: it wants to hold at H points, plus B for every point behind the other
player, and the log odds that it holds are what is at risk beyond that, divided by N.

>>> threshold(Pig(), "neutral"), threshold(Pig(), "prospect")
(20, 10)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Array, Bools, Floats, Ints
from dicelab.core.exact import PARTS
from dicelab.errors import RulesError
from dicelab.games.pig.rules import HOLD, ROLL, Pig, PigPosition
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import Chance, Position, where
from dicelab.rules.registry import did_you_mean, read, strategy

KINDS = {"neutral": 0.0, "crra": 0.5, "cara": 0.05, "prospect": 2.25, "prospect-level": 2.25}
"""Every kind of preference, with the amount it has unless you say otherwise."""

KINDS_IN_WORDS = {
    "kind": {
        "neutral": "neutral: the most points a turn on average",
        "crra": "constant relative risk aversion, by the amount",
        "cara": "constant absolute risk aversion, by the amount",
        "prospect": "prospect theory: losing what is at risk hurts more than points please",
        "prospect-level": "prospect theory, counted from level: being behind is a loss",
    }
}
CURVATURE = 0.88
SAME = 1e-12  # holding is chosen where rolling is not better by more than this share


def _strategy(game: Pig, kind: str, amount: str) -> Callable[[Position], object]:
    if kind not in KINDS:
        raise RulesError(f"risk has no kind {kind!r}{did_you_mean(kind, KINDS)}")
    much = float(read(Fraction, amount, f"risk:{kind}")) if amount else KINDS[kind]
    if kind == "prospect-level":
        if game.players != 2:
            raise RulesError(f"risk:prospect-level looks at the other player: {game} has none")
        level = level_holds(game, much)
        return lambda at: where(level[np.maximum(at.yours - at.mine, 0), at.at_risk], HOLD, ROLL)
    holds = turn_holds(game, kind, much)
    return lambda at: where(holds[at.at_risk], HOLD, ROLL)


@strategy(Pig, "risk", "a risk preference", KINDS_IN_WORDS)
def risk(game: Pig, kind: str = "neutral", amount: str = "") -> Callable[[Position], object]:
    """Hold as a risk preference says: neutral, crra,G, cara,A, prospect,L or prospect-level,L."""
    return _strategy(game, kind, amount)


@strategy(SoloPig, "risk", "a risk preference", KINDS_IN_WORDS)
def solo_risk(
    game: SoloPig, kind: str = "neutral", amount: str = ""
) -> Callable[[Position], object]:
    """Hold as a risk preference says: neutral, crra,G, cara,A or prospect,L."""
    return _strategy(game, kind, amount)


def turn_holds(game: Pig, kind: str, amount: float) -> Bools:
    """Return whether the preference holds with r at risk, for every r. `[at risk]`"""
    width = _width(game)
    if kind == "prospect":
        return _holds_one_roll_ahead(game, amount, width)
    if kind == "crra" and amount >= 1:
        may_bust = any(throw.busts for throw in game.throws())
        return np.full(width, may_bust) & (np.arange(width) > 0)
    utility = _utility(kind, amount, np.arange(width), width)
    return _holds(game, utility[None, :], utility[:1])[0]


def level_holds(game: Pig, amount: float) -> Array:
    """Return whether it holds, by what one is behind and what is at risk. `[behind, at risk]`"""
    width = _width(game)
    behind = np.arange(game.target)[:, None]
    utility = prospect(np.arange(width)[None, :] - behind, amount)
    return _holds(game, utility, utility[:, 0])


def prospect(change: Ints | Floats, loss_aversion: float) -> Floats:
    """Return what a gain, or a loss below 0, is worth."""
    size = np.abs(change) ** CURVATURE
    return np.where(np.asarray(change) >= 0, size, -loss_aversion * size)


def amount_of(name: str) -> tuple[str, float]:
    """Return the kind and the amount of a preference such as ``risk:crra,0.5``.

    >>> amount_of("risk:neutral"), amount_of("risk:crra,0.5")
    (('neutral', 0.0), ('crra', 0.5))
    """
    stem, _, told = name.partition(":")
    kind, _, amount = told.partition(",")
    if stem != "risk" or kind not in KINDS:
        raise RulesError(f"a preference is written risk:crra,0.5 and the like: got {name!r}")
    return kind, float(read(Fraction, amount, f"risk:{kind}")) if amount else KINDS[kind]


def utility_of(kind: str, amount: float, points: Ints) -> Floats:
    """Return u(x) of a preference; for prospect theory, of gains counted from nothing."""
    if kind.startswith("prospect"):
        return prospect(points, amount)
    if kind == "crra" and amount >= 1:
        raise RulesError(f"risk:crra of 1 or more is minus infinity at 0 points: got {amount:g}")
    return _utility(kind, amount, points, int(points.max()) + 1)


def _width(game: Pig) -> int:
    """Return one more than the most that can be at risk while the game goes on, or just won."""
    return game.target + max(throw.points for throw in game.throws())


def _utility(kind: str, amount: float, points: Ints, width: int) -> Floats:
    most = 600.0  # powers of e that a float still holds, with room for their sums
    if kind == "neutral":
        return points.astype(float)
    if kind == "crra":
        power = 1 - amount
        if power * math.log(width) > most:
            raise RulesError(
                f"risk:crra is too large to compute: got {amount:g}, "
                f"use {1 - most / math.log(width):.0f} or more"
            )
        return points.astype(float) ** power
    if abs(amount) * width > most:
        raise RulesError(
            f"risk:cara is too large to compute: got {amount:g}, "
            f"use {-most / width:.2f} to {most / width:.2f}"
        )
    return points.astype(float) if amount == 0 else -np.expm1(-amount * points) / amount


def _holds(game: Pig, utility: Floats, nothing: Floats) -> Bools:
    """Return where holding is best, going back from the most a turn can bring.

    `utility` is `[cases, at risk]`, `nothing` what a bust is worth in each case.
    """
    throws = game.throws()
    bust = float(sum(throw.chance for throw in throws if throw.busts))
    again = float(sum(throw.chance for throw in throws if not throw.busts and throw.points == 0))
    scores = [(float(t.chance), t.points) for t in throws if not t.busts and t.points > 0]
    value = utility.copy()
    holds = np.ones(utility.shape, bool)
    for risk in range(game.target - 1, -1, -1):
        # a throw that scores nothing leaves the player where it was, to throw again
        rolling = bust * nothing
        for chance, points in scores:
            rolling = rolling + chance * value[:, risk + points]
        rolling = rolling / (1 - again)
        holding = utility[:, risk]
        better = rolling > holding + SAME * (np.abs(rolling) + np.abs(holding))
        value[:, risk] = np.where(better, rolling, holding)
        holds[:, risk] = ~better
    holds[:, 0] = False  # there is nothing to hold yet
    return holds


def _holds_one_roll_ahead(game: Pig, loss_aversion: float, width: int) -> Bools:
    risk = np.arange(width)
    worth = np.zeros(width)
    for throw in game.throws():
        change = -risk if throw.busts else np.full(width, throw.points)
        worth += float(throw.chance) * prospect(change, loss_aversion)
    return (worth <= SAME) & (risk > 0)


def threshold(game: Pig, kind: str, amount: float | None = None) -> int | None:
    """Return the least at risk at which a preference holds, or None where it never does.

    `prospect-level` has no single one; this is where it holds when it is not behind.
    """
    much = KINDS[kind] if amount is None else amount
    level = kind == "prospect-level"
    holds = level_holds(game, much)[0] if level else turn_holds(game, kind, much)
    found = np.flatnonzero(holds[: game.target])
    return int(found[0]) if found.size else None


@strategy(Pig, "noisy", "one who wavers")
def noisy(
    game: Pig,
    holds_at: Fraction = Fraction(20),
    behind: Fraction = Fraction(0),
    noise: Fraction = Fraction(3),
) -> Callable[[PigPosition], object]:
    """Waver around a holding point, raised by so much for every point behind."""
    if noise <= 0:
        raise RulesError(f"noisy needs a noise above 0: got {noise}")
    wanted, slope, width = float(holds_at), float(behind), float(noise)

    def choose(at: PigPosition) -> dict[str, Chance]:
        odds = (at.at_risk - (wanted + slope * (at.yours - at.mine))) / width
        chance = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
        parts = np.rint(PARTS * chance).astype(np.int64)
        parts = where(game.legal(at, HOLD), parts, 0)
        return {HOLD: Chance(parts, PARTS), ROLL: Chance(PARTS - parts, PARTS)}

    return choose
