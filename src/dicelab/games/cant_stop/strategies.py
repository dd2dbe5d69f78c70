"""Named strategies of Can't Stop."""

from __future__ import annotations

from collections.abc import Callable

from dicelab.games.cant_stop.rules import BUST, ROLL, STOP, CantStopPosition
from dicelab.games.cant_stop.speech import CantStop
from dicelab.rules import Bools, both, where
from dicelab.rules.registry import strategy

Choice = Callable[..., object]


def _stopping(game: CantStop, stops: Callable[[CantStopPosition], Bools]) -> Choice:
    """Return who stops where told, and climbs the columns of the middle with few new markers.

    Each step is worth more the nearer its column is to the middle (1 at the edge), and a new marker
    costs as much as a step in the middle.
    """

    def choose(at: CantStopPosition, threw: tuple[int, ...] | None = None) -> object:
        if threw is None:
            return where(both(stops(at), at.now != at.mine), STOP, ROLL)
        answer: object = BUST
        best = where(at.mine >= 0, -100, 0)
        for way in game.ways(at, ROLL, threw):
            if way.name == BUST:
                continue
            near = sum(game.sides - abs(int(c) - game.sides - 1) for c in way.name.split()[1:])
            worth = near - game.sides * (game.placed(way.at) - game.placed(at))
            better = both(way.allowed, worth > best)
            answer, best = where(better, way.name, answer), where(better, worth, best)
        return answer

    return choose


@strategy(CantStop, "rule-of-28")
def rule_of_28(game: CantStop, points: int = 28) -> Choice:
    """Stop once the turn has so many points by Keller's rule, where far columns count most."""
    return _stopping(game, lambda at: game.danger(at) >= points)


@strategy(CantStop, "no-marker-left")
def no_marker_left(game: CantStop) -> Choice:
    """Stop as soon as all markers are placed."""
    return _stopping(game, lambda at: game.placed(at) >= game.markers)


@strategy(CantStop, "stop-after")
def stop_after(game: CantStop, steps: int = 3) -> Choice:
    """Stop once this many steps were climbed in the turn."""

    def climbed(at: CantStopPosition) -> Bools:
        return sum(game.steps(at.now, c) - game.steps(at.mine, c) for c in game.board) >= steps

    return _stopping(game, climbed)
