"""What a game in which both choose at once must keep to; beside `contract`, which is for all games.

Both players look at one game: what one wins the other loses, and what the rules say at a position
they must say at its mirror image with the two moves exchanged. Otherwise the rules are about two
different games, and a value of one says nothing about the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.errors import RulesError
from dicelab.rules import (
    BOTH,
    ONGOING,
    SEEN_BY_OTHER,
    HouseRules,
    Outcome,
    Position,
    RaceAtOnce,
    SimultaneousGame,
    Throw,
    exact_chance,
)
from dicelab.rules.answers import wrong_chance, wrong_sum
from dicelab.rules.contract import RESULTS
from dicelab.rules.failure import is_whole, noted, one_of

BELIEFS = "at once both look at the same game"


def outcome_at_once(
    game: SimultaneousGame, at: Position, move: str, each: Any
) -> tuple[Any, Position, Any]:
    """Return chance, next position and gain of an outcome, refused where it is none of a pair."""
    if isinstance(each, Throw):
        raise RulesError(
            f"{game} throws and leaves a choice after {move} at {_somewhere(game, at)}: at once "
            f"nobody chooses after a throw; lead to a position where one of the two has a choice"
        )
    outcome = Outcome(*each)
    if not (is_whole(outcome.mover) and outcome.mover == BOTH):
        raise RulesError(
            f"{game} says that {outcome.mover!r} moves next after {move} at "
            f"{_somewhere(game, at)}: at once it is BOTH; who has nothing to choose there has one "
            f"move, such as to wait"
        )
    return outcome.chance, outcome.at, outcome.gain


def _somewhere(game: SimultaneousGame, at: Position) -> str:
    """Return the notation of one of some positions."""
    return noted(game, at if isinstance(game, HouseRules) else one_of(at, 0))


def check_seat(game: SimultaneousGame, after: Position, move: str) -> None:
    """Refuse a next position that is not seen by who sits first, where the seats differ."""
    if not hasattr(after, "seat") or np.any(np.asarray(after.seat) != 0):
        raise RulesError(
            f"{game} leads to {repr(after)[:80]} after {move}: it is asked where who sits first "
            f"looks, and tells what that player sees next, with seat=0"
        )


def check_mirror(game: SimultaneousGame, found: Ints, position: Callable[[int], Position]) -> None:
    """Refuse a mirror that leads out of the game, or not back. `found` [positions] are numbers."""
    lost = np.flatnonzero(found < 0)
    if lost.size:
        here = position(int(lost[0]))
        raise RulesError(
            f"{game} comes to {noted(game, here)}, which the other player sees as "
            f"{noted(game, game.mirror(here))}, and never to that: {BELIEFS}, so that rules which "
            f"treat them differently need a field 'seat' in place of mirror()"
        )
    away = np.flatnonzero(found[found] != np.arange(found.size))
    if away.size:
        here = position(int(away[0]))
        there = game.mirror(here)
        raise RulesError(
            f"mirror() of {game} makes {noted(game, there)} of {noted(game, here)}, and of that "
            f"{noted(game, game.mirror(there))}: seen twice from the other side a position is "
            f"what it was"
        )


def check_results_alike(
    game: SimultaneousGame,
    results: Ints,
    mirrored: Ints,
    mirror: Ints,
    position: Callable[[int], Position],
) -> None:
    """Refuse results that the two players see differently. Each is `[positions]`."""
    wrong = np.flatnonzero(results != mirrored)
    if wrong.size:
        here = int(wrong[0])
        there = int(mirror[here])
        raise _unlike(game, results[here], results[there], position(here), position(there))


def _unlike(
    game: SimultaneousGame, one: int, other: int, here: Position, there: Position
) -> RulesError:
    return RulesError(
        f"result() of {game} says {RESULTS[int(one)]} at {noted(game, here)} and "
        f"{RESULTS[int(other)]} at {noted(game, there)}: {BELIEFS}, so that one player's win is "
        f"the other's loss and a draw is a draw for both"
    )


def check_paid_alike(
    game: SimultaneousGame,
    payoffs: tuple[Fraction, ...],
    end: Ints,
    over: Ints,
    mirror: Ints,
    position: Callable[[int], Position],
) -> None:
    """Refuse ends that do not pay one pot to both. `end` [positions] is which of the payoffs."""
    sums = np.add.outer(np.array(payoffs, object), np.array(payoffs, object)) == game.total
    wrong = over[~sums.astype(bool)[end[over], end[mirror[over]]]]
    if wrong.size:
        here, there = int(wrong[0]), int(mirror[wrong[0]])
        one, two = payoffs[end[here]], payoffs[end[there]]
        raise RulesError(
            f"payoff() of {game} pays {one} at {noted(game, position(here))} and {two} at "
            f"{noted(game, position(there))}, which is the same end seen by the other player: "
            f"together they must be {game.total}, since what one gets the other does not"
        )


def not_alike(
    game: SimultaneousGame, mine: str, yours: str, at: Position, there: Position
) -> RulesError:
    """Return the error for rules that tell the players different things about one position."""
    return RulesError(
        f"{game} does not treat both alike: {mine} against {yours} at {noted(game, at)} is not "
        f"{yours} against {mine} at {noted(game, there)} seen by the other player; where the seats "
        f"differ, give positions a field 'seat' in place of mirror()"
    )


def check_laws(game: RaceAtOnce) -> list[Mapping[int, Fraction]]:
    """Return the law of each throw of a game at once, refused where it is none."""
    laws: list[Mapping[int, Fraction]] = []
    for move in game.moves:
        law = {points: exact_chance(chance) for points, chance in game.points(move).items()}
        if not all(map(is_whole, law)):
            raise RulesError(f"{move} in {game} scores {list(law)!r}: points are whole numbers")
        total = sum(law.values(), Fraction(0))
        if total != 1:
            raise wrong_sum(total, f"after {move}")
        if min(law.values()) < 0:
            raise wrong_chance(game, min(law.values()), f"after {move}")
        if law.get(0) == 1 or min(law) < 0:
            raise RulesError(
                f"{game} cannot be played at once with {move}: a throw scores 0 points or more, "
                f"and sometimes more than 0"
            )
        laws.append(law)
    return laws


def check_scores(game: RaceAtOnce) -> None:
    """Refuse a game at once whose highest score, or whose start, is no score that plays on."""
    highest, start = game.highest(), game.start()
    if not is_whole(highest) or not all(0 <= score <= highest for score in start):
        raise RulesError(
            f"{game} starts at {game.notation(start)} and says highest() = {highest!r}: "
            f"scores that play on are whole numbers from 0 to the highest"
        )
    if start[0] != start[1]:
        raise RulesError(
            f"{game} starts at {game.notation(start)}: at once nobody goes first, so that both "
            f"players start from the same score"
        )


def check_race(game: RaceAtOnce, results: Array, reached: Callable[[], Array]) -> None:
    """Refuse a game at once whose map of results, or whose `legal`, cannot be honoured.

    `results` [scores, scores] has the result for the player of the first score; `reached` tells
    where play can come, once it is known that the game ends above the highest score.
    """
    kind, highest = type(game.start()), game.highest()
    scores = np.arange(results.shape[0])
    everywhere = kind(scores[:, None], scores[None, :])
    plays = (everywhere[0] <= highest) & (everywhere[1] <= highest)
    wrong = np.argwhere(plays != (results == ONGOING))
    if wrong.size:
        i, j = (int(score) for score in wrong[0])
        says = "goes on" if results[i, j] == ONGOING else f"is {RESULTS[int(results[i, j])]}"
        raise RulesError(
            f"result() of {game} says that the game {says} at {game.notation(kind(i, j))}, and "
            f"highest() = {highest} that it goes on while both scores are up to that: "
            f"make the two agree"
        )
    there = reached()
    mirror = np.array([SEEN_BY_OTHER[result] for result in range(4)])
    wrong = np.argwhere((there | there.T) & (results != mirror[results.T]))
    if wrong.size:
        i, j = (int(score) for score in wrong[0])
        raise _unlike(game, results[i, j], results[j, i], kind(i, j), kind(j, i))
    for move in game.moves:
        wrong = np.argwhere(there & plays & ~np.asarray(game.legal(everywhere, move), bool))
        if wrong.size:
            at = game.notation(kind(*(int(score) for score in wrong[0])))
            raise RulesError(
                f"{game} forbids {move} at {at}: in a race at once every move is allowed "
                f"everywhere; derive from SimultaneousGame, or leave {move} out of the moves"
            )
