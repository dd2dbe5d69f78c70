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

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.games.pig.study.unrecorded_rolls import Turns
from dicelab.people.shuffles import affordable, shufflings, shufflings_within

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
    place = _differing(np.unique(stratum, return_inverse=True)[1], ahead, on)
    here = place >= 0
    if not here.any():
        return Influence(math.nan, math.nan, 1.0, 0)
    _, place = np.unique(place[here], return_inverse=True)
    count = np.bincount(place)
    x, y = (part - (np.bincount(place, part) / count)[place] for part in (ahead[here], on[here]))
    push = float((x * y).sum())
    both = np.bincount(place, x**2) * np.bincount(place, y**2)
    spread = float((both / (count - 1)).sum())  # of the push over all ways to hand out the answers
    weight = float((both / count).sum())
    p = 2 * float(ndtr(-abs(push) / math.sqrt(spread)))
    return Influence(10 * push / weight, 10 * math.sqrt(spread) / weight, p, place.size)


def _differing(place: Ints, *columns: Array) -> Ints:
    """Return the stratum of each decision, -1 in those where a column is all the same."""
    size = int(place.max(initial=-1)) + 1
    tells = np.ones(size, bool)
    for column in columns:
        low, high = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(low, place, column)
        np.maximum.at(high, place, column)
        tells &= high > low
    return np.where(tells[place], place, -1)


def _decisions(turns: Turns) -> tuple[Ints, Floats, Floats]:
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
    game, place, one, two = _rounds(turns)
    counts = np.bincount(game)
    x, y = (side - (np.bincount(game, side) / np.maximum(counts, 1))[game] for side in (one, two))
    many = affordable(shuffles, one.size)
    others = [shuffled @ x for shuffled in shufflings_within(game, y, many, rng)]
    scale = math.sqrt(float(x @ x) * float(y @ y))
    by_turn, p_by_turn = _verdict(float(x @ y), _together(others), scale)
    by_game, p_by_game = math.nan, 1.0
    if len(counts) > 2:
        # A long game is one where both bust often, and a bust cuts a turn short: only as many
        # rounds as every game has are compared.
        early = place < counts.min()
        first = game[early]
        x, y = (np.bincount(first, side[early]) / np.bincount(first) for side in (one, two))
        x, y = x - x.mean(), y - y.mean()
        others = [shuffled @ x for shuffled in shufflings(y, affordable(shuffles, y.size), rng)]
        scale = math.sqrt(float(x @ x) * float(y @ y))
        by_game, p_by_game = _verdict(float(x @ y), _together(others), scale)
    return Mirroring(by_turn, p_by_turn, one.size, by_game, p_by_game, len(counts), many)


def _together(parts: list[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.zeros(0)


def _rounds(turns: Turns) -> tuple[Array, Array, Array, Array]:
    """Return game, place and both players' rolls of the rounds that both finished without winning.

    Games are numbered anew: those with two such rounds or more. `[rounds]` each
    """
    here = ~turns.wins
    game, seat, rolls = turns.game[here], turns.seat[here], turns.rolls[here].astype(float)
    sides = []
    for which in (0, 1):
        own = game[seat == which]
        first = np.searchsorted(own, own)  # turns stand in the order of their games
        sides.append((own, np.arange(own.size) - first, rolls[seat == which]))
    both = np.minimum(*(np.bincount(own, minlength=len(turns.names)) for own, _, _ in sides))
    kept = [(both[own] > 1) & (place < both[own]) for own, place, _ in sides]
    number = np.cumsum(both > 1) - 1
    own, place, one = (column[kept[0]] for column in sides[0])
    return number[own], place, one, sides[1][2][kept[1]]


def _verdict(true: float, others: Floats, scale: float) -> tuple[float, float]:
    """Return a correlation and how often chance does as much."""
    if scale == 0:
        return math.nan, 1.0
    p = (1 + int((np.abs(others) >= abs(true) - 1e-9 * scale).sum())) / (1 + len(others))
    return true / scale, p
