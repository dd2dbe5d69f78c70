"""What the user gave: a game with its parameters, strategies, and limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from inspect import signature
from typing import Annotated, Any

import typer

from dicelab.console.output import Report, note, progress
from dicelab.core.json_object import JsonObject
from dicelab.rules import Game, HouseRules, registry
from dicelab.strategies.followed import table_of_play
from dicelab.table import Table, compile
from dicelab.verbs.engines import needs_no_table

MANY = 50_000
"""Positions beyond which plain Python is worth a warning."""

MOST_TOLD = 12
"""Arguments beyond which an error tells only how many there were."""

PARAMETER = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kMGT]?)i?B?", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def in_bytes(text: str) -> int:
    """Return the number of bytes that a text such as 4GB stands for."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or float(match[1]) == 0:
        raise typer.BadParameter(f"a size is a number and a unit, such as 4GB: got {text!r}")
    return int(float(match[1]) * _UNITS[match[2].upper()])


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A registered game, or module:Class.")
]
ALSO = "from=POSITION starts elsewhere, for=PURPOSE plays for another aim"
"""What may stand among the parameters of any game."""
Parameters = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=VALUE",
        help=f"Parameters of the game, such as target=50; {ALSO}.",
    ),
]
Players = Annotated[
    list[str],
    typer.Argument(
        metavar="STRATEGY|NAME=VALUE",
        help=f"Strategies (one for a game played alone), and parameters of the game; {ALSO}.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Exact = Annotated[bool, typer.Option("--exact", help="Compute in rationals (small games).")]
Memory = Annotated[
    Any,
    typer.Option(
        "--memory",
        parser=in_bytes,
        metavar="SIZE",
        help="The most memory the game may take, such as 4GB. [default: 80% of the machine's]",
    ),
]


def number_of_jobs(text: str | int) -> int:
    """Return how many processes a text asks for."""
    if not re.fullmatch(r"-1|0*[1-9]\d{0,8}", str(text)):
        raise typer.BadParameter(
            f"--jobs is how many processes, 1 or more, or -1 for one per core: got {text!r}"
        )
    return int(text)


Jobs = Annotated[
    Any,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=number_of_jobs,
        help="Processes, at most one per core, which is also what -1 says; they share the memory.",
    ),
]
Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw a figure there (.svg, .png or .pdf)."),
]


@dataclass(frozen=True)
class Given:
    """A game, how it was named, and the arguments that are not its parameters."""

    game: Game
    name: str
    parameters: dict[str, str]
    others: list[str]

    @property
    def named(self) -> str:
        """The game as a command names it: as it was asked for, with the parameters that differ."""
        game = self.game.unaimed
        told = self.name + str(game).removeprefix(game.name)
        aim = f' --for "{self.game.aim}"' if self.game.aim else ""
        if game.begins_at is None:
            return told + aim
        begins = game.notation(game.begins_at)
        return f'{told.removesuffix(f" from {begins}")} --from "{begins}"{aim}'

    def command(self, name: str) -> str:
        """Return the command of this name that asks about the game and all that was named."""
        return " ".join(["dicelab", name, self.named, *self.others])

    @property
    def header(self) -> JsonObject:
        """What every JSON answer begins with."""
        game = self.game.unaimed
        told = {"game": game.name, "parameters": registry.told(game)}
        if game.begins_at is not None:
            told["from"] = game.notation(game.begins_at)
        return told | ({"for": self.game.aim} if self.game.aim else {})


def given(name: str, arguments: list[str] | None, positions: bool = False) -> Given:
    """Return the game that was asked for; `positions` are allowed to look like parameters."""
    is_other = (lambda word: _is_position(name, word)) if positions else None
    parameters, others = parted(arguments or [], is_other)
    return Given(registry.game(name, **parameters), name, parameters, others)


def parted(
    arguments: list[str], is_other: Callable[[str], bool] | None = None
) -> tuple[dict[str, str], list[str]]:
    """Return the parameters among arguments, and the others; `is_other` tells of a name that is."""
    parameters: dict[str, str] = {}
    others: list[str] = []
    for argument in arguments:
        match = PARAMETER.fullmatch(argument)
        if match is None or (is_other and is_other(match[1])):
            others.append(argument)
            continue
        if match[1] in parameters:
            raise typer.BadParameter(
                f"{match[1]} is given twice: {match[1]}={parameters[match[1]]} and {argument}"
            )
        parameters[match[1]] = match[2]
    return parameters, others


def _is_position(name: str, word: str) -> bool:
    """Return whether a word names a field of a game's positions and not a parameter."""
    game = registry.game(name)
    known = {field.name for field in fields(game)}
    return word not in known and game.begins_position(word)


def only(what: str, others: list[str], least: int, most: int) -> None:
    """Refuse too few or too many arguments, saying what was expected."""
    if not least <= len(others) <= most:
        got = " ".join(map(repr, others[:MOST_TOLD])) or "nothing"
        if len(others) > MOST_TOLD:
            got += f" and {len(others) - MOST_TOLD:,} more"
        raise typer.BadParameter(f"give {what}: got {got}")


def only_a_game(
    name: str, arguments: list[str] | None, what: str = "parameters such as target=50"
) -> Given:
    """Return the game that was asked for; refused where anything but its parameters follows."""
    found = given(name, arguments)
    only(f"only {what} after the game", found.others, 0, 0)
    return found


def two_strategies(given: Given, least: int = 2) -> tuple[str, Any]:
    """Return the two strategies that were named; one may be left out where one is enough."""
    players = given.game.players
    if players > 2:
        only(f"{players} strategies, or two: one and one for all others", given.others, 2, players)
        if 2 < len(given.others) < players:
            only(f"{players} strategies, or two", given.others, players, players)
        return given.others[0], given.others[1:]
    many = "two" if least == 2 else "one or two"
    only(f"{many} strategies, as `dicelab strategies` lists them", given.others, least, 2)
    return given.others[0], given.others[1] if given.others[1:] else None


def read_known(known: str, game: Game) -> Any:
    """Return a solution that was written before, as the game's own loader reads it."""
    return registry.imported(game.loader)(known, game)


def table_of(
    game: Game, memory: int | None, report: Report, exact: bool = False, *followed: Any
) -> Table:
    """Return the compiled game, saying so if it is one that takes long.

    Where strategies are `followed`, it may have only the moves that they make.
    """
    expected, warned = game.size(), False

    def counting(count: int) -> None:
        nonlocal warned
        if isinstance(game, HouseRules) and count > MANY and not warned:
            warned = True
            note(
                f"note: {game} is written in plain Python and has more than {MANY:,} positions; "
                f"rules on arrays (dicelab.Game) are explored many times faster"
            )
        if expected:
            report(min(1.0, count / expected))

    if not followed:
        return compile(game, memory, counting, exact)
    return table_of_play(game, *followed, memory=memory, progress=counting, exact=exact)


def asked_of(
    game: Game, memory: int | None, *strategies: Any, exact: bool = False, whole: bool = False
) -> Table | Game:
    """Return what a verb is asked about: the game where its own engine answers, else its table."""
    if not exact and needs_no_table(game, *strategies):
        return game
    return compiled(game, memory, *strategies, exact=exact, whole=whole)


def compiled(
    game: Game, memory: int | None, *strategies: Any, exact: bool = False, whole: bool = False
) -> Table:
    """Return the compiled game behind a bar, saying so where a strategy will take long on it.

    It may have only the moves of the strategies, unless the `whole` table is asked for.
    """
    with progress(f"compiling {game}") as report:
        table = table_of(game, memory, report, exact, *(() if whole else strategies))
    warn_if_slow(table, *strategies)
    return table


def warn_if_slow(table: Table, *strategies: Any) -> None:
    """Say so where a plain function is going to be asked at very many positions."""
    every = [one for each in strategies for one in (each if isinstance(each, list) else [each])]
    for strategy in dict.fromkeys(every):
        name, colon, function = (strategy or "").partition(":")
        if not colon or len(table) <= MANY or name == "file" or name in table.game.strategies:
            continue
        if not function.isidentifier() or isinstance(table.game, HouseRules):
            continue
        if not getattr(registry.imported(strategy or ""), "on_arrays", False):
            note(
                f"note: {strategy} is asked at each of {len(table):,} positions in turn; "
                f"a function marked @dicelab.on_arrays is asked about many at once"
            )


def tell_long(game: Game, often: int = 1, stops: bool = False) -> None:
    """Say what it takes to solve a game, before the work, where that is long.

    `often` says how often everything is gone through, `stops` that a stopped run would lose its
    work, though a checkpoint could keep it.
    """
    if not (often and game.forecaster):
        return
    expected = registry.imported(game.forecaster)(game).times(often)
    if expected.is_long:
        keeps = stops and "checkpoint" in signature(registry.imported(game.solver)).parameters
        more = "; with --checkpoint FILE a stopped run goes on" if keeps else ""
        note(f"note: {game} has {expected.sentence}{more}")
