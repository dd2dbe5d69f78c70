"""What every game must keep to, checked before anything is solved.

A certificate is worth something only if it is about the game that was asked about. So rules that
the solvers cannot honour are refused here, with the rule that is broken and what would work:

- `check` looks at what a game says about itself: its players, its worths, its moves, its start;
- `check_moves`, `check_results`, `check_after`, `check_edges`, and what `contract_at_once` has
  for games at once, look at what the rules answer.

`compile` asks all of them, and every verb works on what `compile` returns.

What nobody can check is whether the players see everything. A position has no hidden part: two
players who each hide their dice cannot be written as a game here.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from fractions import Fraction
from itertools import combinations
from numbers import Rational
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.errors import DicelabError, RulesError
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    Amount,
    Game,
    HouseRules,
    Position,
    RaceAtOnce,
    SimultaneousGame,
    Way,
    shown_by,
)
from dicelab.rules.failure import HASHABLE, failure, is_whole, noted, one_of, shape_of
from dicelab.rules.game import MOST_WINNERS

RESULTS = {ONGOING: "goes on", WIN: "a win", LOSS: "a loss", DRAW: "a draw"}

MOST_PLAYERS = 100
"""More never sit at one table; a turn may pass as many seats on."""

DATA = {"name", "moves", "players", "worth", "fewest", "never", "unit", "aim", "is_simultaneous"}
"""What a game says about itself with a plain value: a parameter may have these names."""


def check(game: Game) -> None:
    """Refuse a game that says about itself what cannot be honoured."""
    _check_is_game(game)
    _check_names(game)
    try:
        _check_players(game)
        _check_worths(game)
        _check_start(game)
        _check_size(game)
    except DicelabError:
        raise
    except Exception as trouble:
        raise failure(game, trouble) from trouble


def _check_is_game(game: object) -> None:
    if isinstance(game, Game):
        return
    shown = repr(game)[:80]
    if inspect.isclass(game) and issubclass(game, Game):
        raise RulesError(
            f"a game is asked for and {game.__name__} is a class: write {game.__name__}()"
        )
    if isinstance(game, str):
        raise RulesError(f"a game is asked for and {shown} is its name: write game({shown})")
    if type(game).__module__.startswith("dicelab.rounds"):
        raise RulesError(
            f"{shown} is a round of keep-and-reroll and has no table of positions: "
            f"dicelab.rounds solves, evaluates and simulates it"
        )
    raise RulesError(
        f"a game is asked for: got {shown}; derive from dicelab.Game or dicelab.HouseRules"
    )


def _check_names(game: Game) -> None:
    """Refuse parameters and values that hide what every game has under the same name."""
    kinds = [
        kind for kind in (Game, HouseRules, SimultaneousGame, RaceAtOnce) if isinstance(game, kind)
    ]
    taken = {name for kind in kinds for name in dir(kind) if not name.startswith("_")} - DATA
    for field in dataclasses.fields(game):
        if field.name in taken:
            raise RulesError(
                f"{game.name} has a parameter called {field.name!r}, which every game uses for "
                f"something else: call it 'my_{field.name}' or the like"
            )
    for name in sorted(taken):
        is_method = any(callable(getattr(kind, name, None)) for kind in kinds)
        if is_method and not callable(getattr(game, name)):
            raise RulesError(
                f"{name} of {game} must be a method: got {getattr(game, name)!r}; "
                f"call that value something else"
            )


def _check_players(game: Game) -> None:
    players: Any = game.players
    if not is_whole(players) or isinstance(players, bool) or not 1 <= players <= MOST_PLAYERS:
        raise RulesError(
            f"{game} says players = {players!r}: a game is played by 1, by 2, or by as many as sit "
            f"at the table, up to {MOST_PLAYERS}"
        )
    if players > 1 and game.fewest:
        several = "two" if players == 2 else f"{players} players"
        raise RulesError(
            f"{game} is for {several} and says fewest = True: only who plays alone can want "
            f"little; between {several}, give the end that is wanted the larger worth"
        )
    if not game.is_simultaneous:
        return
    if not isinstance(game, SimultaneousGame):
        kind = "house rules are" if isinstance(game, HouseRules) else "a plain Game is"
        raise RulesError(
            f"{game} says is_simultaneous = True, and {kind} played by turns: "
            f"derive from SimultaneousGame, and tell in outcomes(at, mine, yours) what follows"
        )
    if game.players != 2:
        raise RulesError(f"{game} is played at once, which takes two: got players = {game.players}")


def _check_worths(game: Game) -> None:
    for seat in range(game.players):
        worth = game.worth_to(seat)
        for result in (WIN, LOSS, DRAW):
            if result not in worth:
                raise RulesError(
                    f"{game} does not say what {RESULTS[result]} is worth: "
                    f"worth needs WIN, LOSS and DRAW"
                )
            if not isinstance(worth[result], Rational):
                raise RulesError(
                    f"{game} says that {RESULTS[result]} is worth {worth[result]!r}: "
                    f"a worth is exact, such as 2 or Fraction(1, 3)"
                )
    if game.never is not None and not isinstance(game.never, Rational):
        raise RulesError(
            f"{game} says that play without an end is worth {game.never!r}: "
            f"a worth is exact, such as 2 or Fraction(1, 3)"
        )
    if game.is_simultaneous:
        check_one_pot(game, "be played at once")
        if isinstance(game, RaceAtOnce) and game.pays_ends:
            raise RulesError(
                f"{game} is a race at once and says what each end pays: there an end is worth what "
                f"a win, a loss or a draw is; derive from SimultaneousGame"
            )


def refuse_alone(game: Game, why: str) -> None:
    """Refuse a game that is played alone, before anything is made of it."""
    if game.players == 1:
        raise RulesError(f"{game} is played alone: {why}")


def refuse_many(game: Game, purpose: str) -> None:
    """Refuse a game for three and more where something is known for one player or two only."""
    if game.players > 2:
        raise RulesError(
            f"{game} is played by {game.players} and cannot {purpose}: that is for one player or "
            f"two; solve, evaluate, respond, explain, density, simulate and tournament take more"
        )


def check_one_pot(game: Game, purpose: str) -> None:
    """Refuse a game for two whose ends do not share out one pot, or not alike for both seats."""
    if game.players == 1:
        return
    first, second = game.worth_to(0), game.worth_to(1)
    if game.is_one_pot and first == second:
        return
    if game.players > 2:
        raise _not_one_pot(game, purpose)
    if first != second:
        raise RulesError(
            f"{game} cannot {purpose}: it values its ends differently by seat, and one worth of "
            f"each end is needed"
        )
    if game.never is not None and game.total != 2 * Fraction(game.never):
        raise RulesError(
            f"{game} cannot {purpose}: a win and a loss are worth {game.total} together and play "
            f"without an end {2 * Fraction(game.never)} to both, so that it is not about one pot; "
            f"never must be {game.total / 2}, or be left open"
        )
    raise RulesError(
        f"{game} cannot {purpose}: a win and a loss are worth {game.total} together and two draws "
        f"{2 * first[DRAW]}, so that it is not about one pot; a draw must be worth "
        f"{Fraction(first[WIN] + first[LOSS]) / 2}"
    )


def _not_one_pot(game: Game, purpose: str) -> RulesError:
    """Return the error for a game for three and more that is not about one pot."""
    if any(game.worth_to(seat) != game.worth_to(0) for seat in range(game.players)):
        return RulesError(
            f"{game} cannot {purpose}: it values its ends differently by seat, and one worth of "
            f"each end is needed"
        )
    draw, even = Fraction(game.worth_to(0)[DRAW]), game.total / game.players
    end, worth = ("a draw", draw) if draw != even else ("never", game.never)
    return RulesError(
        f"{game} cannot {purpose}: a win and {game.players - 1} losses are worth {game.total} "
        f"together, so that {end} must be worth {even} to each of {game.players}: got {worth}"
    )


def check_moves(game: Game) -> None:
    """Refuse moves that are no words, or listed twice; a large game is refused before its moves."""
    moves: Any = game.moves
    if isinstance(moves, str) or not all(isinstance(move, str) for move in moves):
        raise RulesError(
            f"the moves of {game} are a tuple of words, such as ('roll', 'hold'): got {moves!r}"
        )
    twice = [move for move, times in Counter(moves).items() if times > 1]
    if twice or not moves:
        got = f"{twice[0]!r} twice" if twice else "none"
        raise RulesError(f"the moves of {game} must each be listed once: got {got}")


def _check_start(game: Game) -> None:
    start = game.start()
    if isinstance(game, SimultaneousGame) and game.is_simultaneous and not _is_race(game):
        game.mirror(start)  # which refuses a game that does not say what the other player sees
    if isinstance(game, HouseRules):
        if not _hashes(start):
            raise RulesError(f"{game} starts from {start!r}, which cannot be looked up: {HASHABLE}")
        return
    if not hasattr(start, "_fields") or not all(map(is_whole, start)):
        raise RulesError(
            f"{game} starts from {start!r}: rules on arrays need a NamedTuple of whole numbers; "
            f"HouseRules take anything that can be hashed"
        )
    if _is_race(game) and len(start) != 2:
        raise RulesError(
            f"{game} is a race at once and its positions have {len(start)} fields: they must have "
            f"two, the score of the player who looks and the other's"
        )


def _is_race(game: Game) -> bool:
    """Return whether a game is a race at once: two scores, known by what each move adds."""
    return isinstance(game, RaceAtOnce) and game.is_simultaneous


def _check_size(game: Game) -> None:
    size = game.size()
    if size is not None and not (is_whole(size) and size >= 0):
        raise RulesError(f"size() of {game} is a number of positions, or None: got {size!r}")


def _hashes(thing: object) -> bool:
    try:
        hash(thing)
    except TypeError:
        return False
    return True


# What the rules answer


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
    ends = {DRAW: tuple(Fraction(worth[DRAW]) for _ in seats)}
    for winners in winners_of(game):
        told = tuple(Fraction(worth[WIN if seat in winners else LOSS]) for seat in seats)
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
        return np.zeros(1, np.int32), [Fraction(answer)]
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
