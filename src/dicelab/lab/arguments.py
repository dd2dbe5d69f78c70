"""What the page asked for, believed only as far as it can be checked.

A game is one of those registered, with parameters of their kinds. Dice stay small enough to throw
by hand; for the rest the engine's own estimate of size decides, with the engine's own sentence. A
strategy is a name that the game knows. No file is opened and no code is imported for anybody.
"""

from __future__ import annotations

import math
import re
import typing
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from dicelab.errors import (
    RulesError,
    TooLarge,
    UnknownGame,
    UnknownParameter,
    UnknownStrategy,
)
from dicelab.rounds import Round
from dicelab.rounds.utilities import Utility, named_utility
from dicelab.rules import Game, SimultaneousGame, registry
from dicelab.rules.dice import Die
from dicelab.rules.registry import did_you_mean
from dicelab.strategies.named import GENERAL
from dicelab.table.at_once import refuse_at_once
from dicelab.table.expand import refuse_before

ROUND = "421"
MOST_FACES = 100
MOST_DICE = 30
MOST_SUMS = 100_000  # of the dice of one throw, times the faces: found within half a second
LONGEST = 200  # characters of a parameter or a strategy
MOST_MAX = 300  # what a game with a solver of its own is quick to solve up to
MOST_TARGET = 1000
MOST_TURNS = 200
MOST_ROUND = {"dice": 6, "casts": 10}
MOST_ROUND_FACES = 12
UNBOUNDED = 10**18
"""The memory for what is in the file already: it was bounded when it came in, and is only shown."""

ROUND_PARAMETERS: dict[str, tuple[type, Any]] = {
    "dice": (int, 3),
    "die": (Die, Die(6)),
    "casts": (int, 3),
    "keep": (str, "aside"),
    "utility": (str, "goal:421"),
    "player": (str, "first"),
}


@dataclass(frozen=True)
class RoundGame:
    """A round of keep-and-reroll against a utility, for a first or a next player."""

    round: Round
    worth: str
    player: typing.Literal["first", "next"]

    name = ROUND
    unit = "worth"

    @property
    def utility(self) -> Utility:
        """What each result is worth."""
        return _utility(self.worth, self.round)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        game = self.round
        return {
            "dice": game.dice,
            "die": game.die,
            "casts": game.casts,
            "keep": game.keep,
            "utility": self.worth,
            "player": self.player,
        }

    def __str__(self) -> str:
        told = [
            f"{name}={value}"
            for name, value in self.parameters.items()
            if name != "utility" and value != ROUND_PARAMETERS[name][1]
        ]
        return " ".join([ROUND, self.worth, *told])


@lru_cache(maxsize=64)  # one for many dice is large, and every request about a round asks for it
def _utility(name: str, game: Round) -> Utility:
    return named_utility(name, game)


AnyGame = Game | RoundGame


def kind_of(game: AnyGame) -> str:
    """Return how a game is played: by turns, at once, solo, or as a round."""
    if isinstance(game, RoundGame):
        return "round"
    if game.is_simultaneous:
        return "at-once"
    return "solo" if game.players == 1 else "turns"


def game_of(name: str, parameters: dict[str, Any], memory: int) -> AnyGame:
    """Return the game that was asked for, refused where it makes no game or is too large."""
    texts = {key: _text(key, value) for key, value in parameters.items() if value is not None}
    return _made(name, tuple(sorted(texts.items())), memory)


@lru_cache(maxsize=1024)  # every move of a match asks for its game
def _made(name: str, parameters: tuple[tuple[str, str], ...], memory: int) -> AnyGame:
    texts = dict(parameters)
    if name == ROUND:
        return _round(texts, memory)
    known = known_games()
    if name not in known:
        names = [*known, ROUND]
        raise UnknownGame(f"no game called {name[:60]!r}{did_you_mean(name[:60], names)}")
    kinds = {field.name: field for field in fields(known[name])}
    for key, text in texts.items():
        if known[name].aliases.get(key, key) not in kinds:
            raise UnknownParameter(
                f"{name} has no parameter {key[:60]!r}{did_you_mean(key, kinds)}"
            )
        if known[name].aliases.get(key, key) == "die":
            _small_die(text)
        if key == "dice" and registry.read(int, text, key) > MOST_DICE:
            raise TooLarge(f"the lab throws up to {MOST_DICE} dice: got dice={text[:60]}")
    game = registry.registered_game(name, **texts)
    _few_sums(game)
    if game.size() is not None:
        _refuse(game, memory)
    return game


@lru_cache(maxsize=1)
def known_games() -> dict[str, type[Game]]:
    """Return every registered game by name, looked for once."""
    return registry.all_games()


def _refuse(game: Game, memory: int) -> None:
    """Refuse a game that is too large, by the engine's estimate where that decides."""
    bounds = {"target": MOST_TARGET, "max": MOST_MAX, "turns": MOST_TURNS}
    if isinstance(game, SimultaneousGame) and game.is_simultaneous:
        refuse_at_once(game, memory)
    elif not game.solver:  # which is solved without its graph of positions
        refuse_before(game, memory)
    for name, most in bounds.items():
        value = game.parameters.get(name, 0)
        if value > most:
            raise TooLarge(f"{game} is too large for the lab: {name} goes up to {most}")


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    if len(text) > LONGEST:
        raise RulesError(f"{name[:60]} is longer than {LONGEST} characters: got {text[:60]!r}...")
    return text


def _small_die(text: str) -> None:
    """Refuse a die with too many faces before it is made."""
    sides = re.fullmatch(r"\s*[dD]?(\d+)\s*", text)
    if sides and (len(sides[1]) > 6 or int(sides[1]) > MOST_FACES):
        raise TooLarge(f"the lab throws dice of up to {MOST_FACES} faces: got die={text[:60]}")
    if re.search(r"\d{10}", text):
        raise TooLarge(f"the lab reads faces and chances of up to 9 digits: got die={text[:60]}")


def _few_sums(game: Game) -> None:
    """Refuse dice with so many different sums that counting them would keep everybody waiting."""
    die, dice = game.parameters.get("die"), game.parameters.get("dice", 1)
    if not isinstance(die, Die):
        return
    apart = die.faces[-1] - die.faces[0]
    sums = min(math.comb(dice + die.sides - 1, dice), dice * apart + 1)
    if sums * die.sides > MOST_SUMS:
        raise TooLarge(
            f"the lab throws dice with up to {MOST_SUMS // die.sides} different sums where they "
            f"have {die.sides} faces: got dice={dice}, which has up to {sums}"
        )


def _round(parameters: dict[str, str], memory: int) -> RoundGame:
    values: dict[str, Any] = {name: default for name, (_, default) in ROUND_PARAMETERS.items()}
    for name, text in parameters.items():
        if name not in values:
            raise UnknownParameter(
                f"{ROUND} has no parameter {name[:60]!r}{did_you_mean(name, values)}"
            )
        if name == "die":
            _small_die(text)
        values[name] = registry.read(ROUND_PARAMETERS[name][0], text, name)
    for name, most in MOST_ROUND.items():
        if values[name] > most:
            raise TooLarge(f"the lab plays rounds with up to {most} {name}: got {values[name]}")
    if values["die"].sides > MOST_ROUND_FACES:
        raise TooLarge(
            f"the lab plays rounds with dice of up to {MOST_ROUND_FACES} faces: "
            f"got die={values['die']}"
        )
    if values["player"] not in ("first", "next"):
        raise RulesError(f"the player is first or next: got player={values['player']!r}")
    game = Round(values["dice"], values["die"], values["casts"], values["keep"], memory)
    worth = named_utility(values["utility"], game)  # refused now if there is none of that name
    return RoundGame(game, worth.name, values["player"])


def strategy_name(game: Game, text: str) -> str:
    """Return the name of a strategy the game knows; nothing else is ever looked for."""
    known_games()  # a strategy may live in another file than its game
    name = text.partition(":")[0]
    if len(text) > LONGEST:
        raise UnknownStrategy(
            f"a strategy is a name of up to {LONGEST} characters: got {text[:60]!r}"
        )
    if name in GENERAL and text != name:
        raise UnknownStrategy(f"{name} takes no parameters: got {text!r}")
    if name not in game.strategies and name not in GENERAL:
        known = [*game.strategies, *GENERAL]
        raise UnknownStrategy(
            f"{game.name} has no strategy {name[:60]!r}{did_you_mean(name[:60], known)}"
        )
    return text
