"""What the rules answer when they are asked, refused where it cannot be honoured.

Beside `contract`, which looks at what a game says about itself. Each refusal names the position.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from fractions import Fraction
from itertools import combinations
from numbers import Rational
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.errors import RulesError
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    Amount,
    Game,
    HouseRules,
    Position,
    Way,
    exact_amount,
    shown_by,
)
from dicelab.rules.contract import RESULTS
from dicelab.rules.failure import is_whole, noted, one_of, shape_of
from dicelab.rules.game import MOST_WINNERS


def check_results(game: Game, answer: Ints, at: Position) -> Ints:
    """Return what result() says about an array of positions, refused where that is no result."""
    results, players = np.asarray(answer), game.players
    whole = results.dtype.kind in "iub" and results.min(initial=0) >= 0
    if whole and results.max(initial=0) <= 3 and (players <= 2 or not (results == LOSS).any()):
        return results
    allowed = results_of(game)
    for number, each in enumerate(np.broadcast_to(results, shape_of(at)).ravel().tolist()):
        if each not in allowed:
            raise wrong_result(game, each, one_of(at, number))
    return results.astype(np.int8)


def results_of(game: Game) -> Collection[int]:
    """Return what result() may answer: of three players and more, somebody is said to have won."""
    if game.players <= 2:
        return RESULTS
    return {ONGOING, DRAW, *(game.won_by(*seats) for seats in winners_of(game))}


def winners_of(game: Game) -> list[tuple[int, ...]]:
    """Return who may have won at an end of three players and more, in seats from who is to move."""
    most = game.players if game.players <= MOST_WINNERS else 1
    return [
        seats for size in range(1, most + 1) for seats in combinations(range(game.players), size)
    ]


def ends_of(game: Game, worth: Mapping[int, Fraction]) -> dict[int, tuple[Fraction, ...]]:
    """Return what each end of three players and more is worth to everybody, the mover first."""
    seats = range(game.players)
    ends = {DRAW: tuple(exact_amount(worth[DRAW]) for _ in seats)}
    for winners in winners_of(game):
        told = tuple(exact_amount(worth[WIN if seat in winners else LOSS]) for seat in seats)
        ends[game.won_by(*winners)] = told
    return ends


def winners_at(game: Game, result: int) -> tuple[int, ...]:
    """Return who has won by a result, in seats from who is to move; nobody where it is a draw."""
    if game.players <= 2:
        return tuple(seat for seat in range(game.players) if game.won_by(seat) == result)
    return next((who for who in winners_of(game) if game.won_by(*who) == result), ())


def wrong_result(game: Game, answer: object, at: Position) -> RulesError:
    """Return the error for an answer of result() that is none."""
    if game.players > 2:
        says = "LOSS" if answer == LOSS and not isinstance(answer, bool) else repr(answer)
        return RulesError(
            f"result() of {game} answers {says} at {noted(game, at)}: of {game.players} players "
            f"somebody has won, self.won_by(seat) counted from the player about to move; or it is "
            f"DRAW or ONGOING"
        )
    return RulesError(
        f"result() of {game} answers {answer!r} at {noted(game, at)}: "
        f"it must be WIN, LOSS, DRAW or ONGOING"
    )


def payoffs(game: Game, answer: Any, at: Position) -> tuple[Array, list[Fraction]]:
    """Return which of several amounts payoff() says at each of an array of positions, and these.

    The answer is a number, an array of whole numbers, or an `Amount`. A game of house rules is
    asked about one position.
    """
    whole = 1
    if isinstance(answer, Amount):
        answer, whole = answer
    elif isinstance(answer, Rational):
        return np.zeros(1, np.int32), [exact_amount(answer)]
    numbers = np.asarray(answer)
    if numbers.dtype.kind not in "iub" or not is_whole(whole) or whole < 1:
        here = at if isinstance(game, HouseRules) else one_of(at, 0)
        raise RulesError(
            f"payoff() of {game} answers {repr(answer)[:80]} at {noted(game, here)}: what an end "
            f"pays is exact, a whole number or Amount(numerator, denominator)"
        )
    distinct, place = np.unique(numbers, return_inverse=True)
    return place, [Fraction(int(number), int(whole)) for number in distinct]


def shares(
    game: Game, answer: Any, at: Position
) -> tuple[Array, list[Fraction] | list[tuple[Fraction, ...]]]:
    """Return the same for any number of players: three and more are each told what they get."""
    if game.players <= 2:
        return payoffs(game, answer, at)
    if not isinstance(answer, tuple | list) or len(answer) != game.players:
        here = at if isinstance(game, HouseRules) else one_of(at, 0)
        raise RulesError(
            f"payoff() of {game} answers {repr(answer)[:80]} at {noted(game, here)}: it says what "
            f"each of {game.players} players gets, the one about to move first"
        )
    each = [payoffs(game, told, at) for told in answer]
    size = () if isinstance(game, HouseRules) else shape_of(at)
    places = np.stack([np.broadcast_to(place.reshape(-1), size or 1) for place, _ in each])
    distinct, place = np.unique(places, axis=1, return_inverse=True)
    amounts = [amount for _, amount in each]
    return place.ravel(), [
        tuple(amount[number] for amount, number in zip(amounts, column, strict=True))
        for column in distinct.T.tolist()
    ]


def check_shares(game: Game, paid: list[tuple[Fraction, ...]]) -> None:
    """Refuse ends that do not share out one pot among three and more."""
    for each in paid:
        if sum(each) != sum(paid[0]):
            raise RulesError(
                f"payoff() of {game} shares out {sum(paid[0])} at one end and {sum(each)} at "
                f"another: all ends share out one pot"
            )


def check_after(game: Game, at: Position, move: str, after: Position) -> None:
    """Refuse an array of next positions that have other fields, or hold no whole numbers."""
    fields = type(at)._fields
    if getattr(type(after), "_fields", None) != fields:
        raise RulesError(
            f"{game} leads to {repr(after)[:80]} after {move}: every position has the fields "
            f"{', '.join(fields)}"
        )
    for name, values in zip(fields, after, strict=True):
        if np.size(values) != 1 and np.shape(values) != shape_of(at):
            raise RulesError(
                f"{game} gives {np.size(values):,} values of {name} after {move} where it is asked "
                f"about {np.size(at[0]):,}: one for each position, or one for all"
            )
        if (isinstance(values, np.ndarray) and values.dtype.kind in "iub") or is_whole(values):
            continue
        array = np.broadcast_to(np.asarray(values), shape_of(at))
        broken = [number for number, each in enumerate(array.tolist()) if each != _floor(each)]
        if broken:
            where = noted(game, one_of(at, broken[0]))
            raise RulesError(
                f"{game} leads to {name}={array[broken[0]]} after {move} at {where}: "
                f"fields are whole numbers; divide with //"
            )


def _floor(number: Any) -> Any:
    try:
        return int(number)
    except (TypeError, ValueError, OverflowError):
        return None


def no_way(game: Game, at: Position, move: str, dice: Hashable) -> RulesError:
    """Return the error for a throw after which nothing is open."""
    return RulesError(
        f"{game} leaves no way open after {move} at {noted(game, at)} when the dice show "
        f"{shown_by(dice)}: yield one in ways(), such as to pass"
    )


def check_ways(game: Game, at: Position, move: str, dice: Hashable, ways: list[Way]) -> None:
    """Refuse a throw at one position after which nothing is open, or two ways have one name."""
    if not ways:
        raise no_way(game, at, move, dice)
    twice = [name for name, times in Counter(way.name for way in ways).items() if times > 1]
    if twice:
        raise RulesError(
            f"{game} has two ways called {twice[0]!r} after {move} at {noted(game, at)} when the "
            f"dice show {shown_by(dice)}: give each its own name"
        )


def check_same(game: Game, at: Position, known: Position) -> None:
    """Refuse two positions that Python takes for one and rules need not, such as 1 and True."""
    kinds = type(at), type(known)
    if kinds[0] is kinds[1] or not (bool in kinds or all(hasattr(one, "_fields") for one in kinds)):
        return
    raise RulesError(
        f"{game} has the positions {known!r} and {at!r}, which Python takes for one: give one of "
        f"them another field or word, so that they differ"
    )


def check_choices(game: HouseRules, at: Position, choices: Any) -> list[str]:
    """Return the moves that house rules allow at a position, refused where they are no words."""
    moves = [] if isinstance(choices, str) else list(choices)
    if isinstance(choices, str) or not all(isinstance(move, str) for move in moves):
        raise RulesError(
            f"choices() of {game} answers {choices!r} at {noted(game, at)}: "
            f"it must be a list of words, such as ['roll', 'hold']"
        )
    twice = [move for move, times in Counter(moves).items() if times > 1]
    if twice:
        raise RulesError(
            f"choices() of {game} has {twice[0]!r} twice at {noted(game, at)}: "
            f"each move is listed once"
        )
    return moves


def dead_end(game: Game, at: str) -> RulesError:
    """Return the error for a position, as people write it, where nobody can move."""
    return RulesError(
        f"{game} has no legal move at {at}: allow one, or say in result() how the game ends there"
    )


def wrong_chance(game: Game, chance: Fraction, after: str) -> RulesError:
    """Return the error for a chance that is none, after a move at a position."""
    return RulesError(
        f"the rules of {game} give the chance {chance} to an outcome {after}: "
        f"a chance lies between 0 and 1"
    )


def wrong_sum(total: Fraction, after: str) -> RulesError:
    """Return the error for chances that do not sum to 1, after a move at a position."""
    return RulesError(f"the chances {after} sum to {total}: they must sum to 1")


def another_answer(game: Game, asked: str) -> RulesError:
    """Return the error for rules that answer the same question in two ways."""
    return RulesError(
        f"the rules of {game} answer otherwise when they are asked again about {asked}: "
        f"yield everything that the dice may do with its chance, and throw none"
    )


def other_order(game: Game, at: Position, move: str) -> RulesError:
    """Return the error for rules that tell outcomes in another order of one position."""
    return RulesError(
        f"the rules of {game} tell what follows {move} at {noted(game, at)} in another order than "
        f"for arrays of positions: yield outcomes and ways in one order, whatever the position"
    )


def check_edges(game: Game, edges: Any, position: Callable[[int], Position]) -> None:
    """Refuse rules that leave nobody a move, or whose chances are none or do not sum to exactly 1.

    `edges` are all that the rules said (`table.expand.Edges`); `position` tells one by its number.
    """

    def where(places: Array) -> str:
        """Return the first of some positions, as people write it."""
        return noted(game, position(int(np.flatnonzero(places)[0])))

    def after(row: int) -> str:
        """Return the move of a row of a shape, and the first position of that shape."""
        shape = np.searchsorted(rows.first, row, side="right") - 1
        return f"after {edges.moves[rows.move[row]]} at {where(edges.shape == shape)}"

    stuck = (edges.outcomes == 0)[edges.shape] & (edges.result == ONGOING)
    if stuck.any():
        raise dead_end(game, where(stuck))
    rows, kinds = edges.rows, list(edges.kinds)
    if game.players > 2 and any(kind.gain for kind in kinds):
        raise RulesError(
            f"{game} gains points on the way, and of {game.players} players nobody is said to pay "
            f"them: keep them in the position and say in payoff() what each gets at the end"
        )
    for number, kind in enumerate(kinds):
        if not 0 < kind.chance <= 1:
            outcome = int(np.flatnonzero(rows.kind == number)[0])
            row = int(np.searchsorted(rows.outcome_first, outcome, side="right")) - 1
            raise wrong_chance(game, kind.chance, after(row))
    if not rows.move.size:
        return
    whole = math.lcm(*(kind.chance.denominator for kind in kinds))
    # The ways after a throw share its chance, which the first of them brings.
    parts = np.array([0 if kind.another else int(kind.chance * whole) for kind in kinds], object)
    sums = np.add.reduceat(parts[rows.kind], rows.outcome_first[:-1])
    wrong = np.flatnonzero(sums != whole)
    if wrong.size:
        row, total = int(wrong[0]), Fraction(int(sums[wrong[0]]), whole)
        raise wrong_sum(total, after(row))
