"""Do players look at each other? Influence and mirroring, each with a test.

*Influence*: does a player roll on more readily when the other is far ahead? After k rolls without a
bust the player rolls on or holds. As long as k rolls cannot yet have won, someone who does not look
at the other player rolls on there with one and the same chance, whatever the banks. So decisions
are compared within strata of one player and one k. Decisions after which the game could already be
won are left out, because winning ends a turn by itself.

What is compared with is the opponent's bank, less what players have on average after as many turns.
The gap itself would not do: its other half, the player's own bank, follows from the player's own
earlier decisions. In games this short that alone makes the two hang together: a player who never
looks would be found to react in 8 of 100 studies of 15 games instead of 5.

The measure is the log odds of rolling on per 10 points that the opponent has more, by one step from
0, as Peto takes for survival times. The test compares it with all ways to hand out a stratum's
answers among its decisions; their spread has a closed form, and their sum is close to normal.

*Mirroring*: do two players roll alike? Turn by turn: when one rolls often, does the other in the
same round? The measure is the correlation of their numbers of rolls within games, the test shuffles
one player's turns within each game. Game by game: do players who meet roll alike on average? The
measure is the correlation over games, the test shuffles who met whom.

Winning turns are left out of both, since they are cut short.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.people.unrecorded_rolls import Turns

SHUFFLES = 4_999


@dataclass(frozen=True)
class Influence:
    """Whether rolling on depends on how far the other player is."""

    per_ten_points: float  # log odds of rolling on, per 10 points that the opponent has more
    error: float
    p: float
    decisions: int  # in strata that can tell: the answers differ


@dataclass(frozen=True)
class Mirroring:
    """Whether two players roll alike; nan where there is too little to tell."""

    by_turn: float  # correlation within games
    p_by_turn: float
    rounds: int
    by_game: float  # correlation of means over games
    p_by_game: float
    games: int
    shuffles: int


def influence(turns: Turns) -> Influence:
    """Return whether rolling on depends on how far the other player is."""
    from scipy.special import ndtr

    stratum, ahead, on = _decisions(turns)
    push = spread = weight = 0.0
    telling = 0
    for number in np.unique(stratum):
        here = stratum == number
        count = int(here.sum())
        x, y = ahead[here] - ahead[here].mean(), on[here] - on[here].mean()
        xx, yy = float((x**2).sum()), float((y**2).sum())
        if xx == 0 or yy == 0:
            continue
        telling += count
        push += float((x * y).sum())
        spread += xx * yy / (count - 1)  # of the push over all ways to hand out the answers
        weight += xx * yy / count
    if telling == 0:
        return Influence(math.nan, math.nan, 1.0, 0)
    p = 2 * float(ndtr(-abs(push) / math.sqrt(spread)))
    return Influence(10 * push / weight, 10 * math.sqrt(spread) / weight, p, telling)


def _decisions(turns: Turns) -> tuple[Any, Any, Any]:
    """Return stratum (player and rolls so far), the opponent's lead on pace, whether rolled on."""
    most = max(throw.points for throw in turns.rules.throws())
    held = (turns.banked > 0) & ~turns.wins
    asked = turns.rolls - 1 + held  # decisions in the turn after its first roll
    turn = np.repeat(np.arange(len(turns)), asked)
    rolled = np.arange(turn.size) - np.repeat(np.cumsum(asked) - asked, asked) + 1
    on = ~(held[turn] & (rolled == turns.rolls[turn]))
    open_ = turns.mine[turn] + rolled * most < turns.rules.target
    turn, rolled, on = turn[open_], rolled[open_], on[open_]
    stratum = turns.player[turn] * (int(turns.rolls.max()) + 1) + rolled
    had = (turns.turn - 1 + (turns.seat == 1)).astype(float)  # turns of the opponent so far
    pace = float(had @ turns.yours) / max(float(had @ had), 1.0)
    return stratum, (turns.yours - pace * had)[turn], on.astype(float)


def mirroring(turns: Turns, rng: np.random.Generator, shuffles: int = SHUFFLES) -> Mirroring:
    """Return whether two players roll alike, turn by turn and game by game."""
    pairs = [pair for pair in (_rounds(turns, game) for game in range(len(turns.names))) if pair]
    true, scale = 0.0, [0.0, 0.0]
    others = np.zeros(shuffles)
    for one, two in pairs:
        x, y = one - one.mean(), two - two.mean()
        true += float(x @ y)
        scale[0] += float(x @ x)
        scale[1] += float(y @ y)
        others += rng.permuted(np.tile(y, (shuffles, 1)), axis=1) @ x
    by_turn, p_by_turn = _verdict(true, others, math.sqrt(scale[0] * scale[1]))
    by_game, p_by_game = math.nan, 1.0
    if len(pairs) > 2:
        # A long game is one where both bust often, and a bust cuts a turn short: only as many
        # rounds as every game has are compared.
        early = min(len(one) for one, _ in pairs)
        x, y = (np.array([pair[side][:early].mean() for pair in pairs]) for side in (0, 1))
        x, y = x - x.mean(), y - y.mean()
        others = rng.permuted(np.tile(y, (shuffles, 1)), axis=1) @ x
        by_game, p_by_game = _verdict(float(x @ y), others, math.sqrt((x @ x) * (y @ y)))
    rounds = sum(len(one) for one, _ in pairs)
    return Mirroring(by_turn, p_by_turn, rounds, by_game, p_by_game, len(pairs), shuffles)


def _rounds(turns: Turns, game: int) -> tuple[Any, Any] | None:
    """Return both players' rolls in the rounds that both finished without winning."""
    here = (turns.game == game) & ~turns.wins
    sides = [turns.rolls[here & (turns.seat == seat)].astype(float) for seat in (0, 1)]
    count = min(len(side) for side in sides)
    return (sides[0][:count], sides[1][:count]) if count > 1 else None


def _verdict(true: float, others: Any, scale: float) -> tuple[float, float]:
    """Return a correlation and how often chance does as much."""
    if scale == 0:
        return math.nan, 1.0
    p = (1 + int((np.abs(others) >= abs(true) - 1e-9 * scale).sum())) / (1 + len(others))
    return true / scale, p
