"""What every game must keep to, checked before anything is solved.

A certificate is worth something only if it is about the game that was asked about. So rules that
the solvers cannot honour are refused here, with the rule that is broken and what would work:

- here what a game says about itself: its players, its worths, its moves, its start;
- in `answers`, and for games at once in `contract_at_once`, what the rules answer.

`compile` asks all of them, and every verb works on what `compile` returns.

What nobody can check is whether the players see everything. A position has no hidden part: two
players who each hide their dice cannot be written as a game here.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections import Counter
from fractions import Fraction
from numbers import Rational
from typing import Any

from dicelab.errors import DicelabError, RulesError
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, Game, HouseRules, RaceAtOnce, SimultaneousGame
from dicelab.rules.failure import HASHABLE, failure, is_whole

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
        _check_made_again(game)
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


def _check_made_again(game: Game) -> None:
    """Refuse a game that its parameters do not make again, as other aims and starts ask for."""
    unknown = [
        name for name in inspect.signature(type(game)).parameters if name not in game.parameters
    ]
    if unknown:
        raise RulesError(
            f"{game} is made from {unknown[0]!r}, which is no field of its dataclass: write "
            f"@dataclass(frozen=True) above the class and {unknown[0]}: int = 3, or the like, in it"
        )
    again = type(game)(**game.parameters)
    if again != game:
        raise RulesError(
            f"{game}, made again from its parameters, is {again}: leave them as they were given"
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
    if _is_race(game):
        _check_known_by_laws(game)
    if _is_race(game) and len(start) != 2:
        raise RulesError(
            f"{game} is a race at once and its positions have {len(start)} fields: they must have "
            f"two, the score of the player who looks and the other's"
        )


def _check_known_by_laws(game: Game) -> None:
    """Refuse a race at once with outcomes of its own: it is solved from points() alone."""
    for method in ("outcomes", "mirror"):
        kind = next(kind for kind in type(game).__mro__ if method in vars(kind))
        # A game that is also played by turns says there what happens then.
        if kind is not RaceAtOnce and "is_simultaneous" not in vars(kind):
            raise RulesError(
                f"{game} is a race at once and has {method}() of its own: it is known by points() "
                f"and highest() alone; derive from SimultaneousGame"
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
