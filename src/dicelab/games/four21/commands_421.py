"""dicelab 421: what the match of 421 can be asked beyond what every game can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import Given, Json, Memory, only, read_known, table_of
from dicelab.console.arguments import given as read_given
from dicelab.console.files import a_file, check_csv
from dicelab.console.output import emit, percent, progress, say, show, within, write_text, wrote
from dicelab.core.csv_cells import csv_text
from dicelab.errors import RulesError
from dicelab.rules import ONGOING, Moment

if TYPE_CHECKING:
    from dicelab.games.four21.match_costs import Costs
    from dicelab.games.four21.match_rules import MatchPosition
    from dicelab.verbs.solution import Solution
    from dicelab.verbs.table_solution import TableSolution

match = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(match, name="421")

USUAL = ("transfer", "transfer:h1s1", "rank", "goal", "beat")
SHOWN = 12  # lines of costs for people; a file has them all

Tokens = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION|NAME=VALUE",
        help="Where the round begins, such as 3-2, or '3-2, other 654 in 2' for a next player; and "
        "parameters of the match.",
    ),
]
Strategies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STRATEGY|NAME=VALUE",
        help="Strategies that play rounds whatever the tokens, and parameters of the match. "
        f"[default: {' '.join(USUAL)}]",
    ),
]
Csv = Annotated[
    str | None, typer.Option("--out", metavar="FILE", help="Write the table to FILE.csv.")
]


@match.callback()
def match_() -> None:
    """Study the match of 421: first throws, what results are worth, what strategies give away.

    `dicelab solve 421`, `explain 421` and all other commands take it as any other game.
    """


@match.command("keep")
def keep(
    tokens: Tokens = None,
    known: Annotated[
        str | None,
        a_file(
            "A finished --checkpoint of a match for three and more, so that nothing is solved "
            "again."
        ),
    ] = None,
    out: Csv = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell what to keep at each first throw of a round, by the tokens.

    Beside it stands what a player for tokens keeps (`transfer`), and what that costs in chance of
    the match.

    JSON keys: game, parameters, position, differ, throws (throw, chance, best, value, transfer,
    cost).

    Examples:

        dicelab 421 keep 0-0

        dicelab 421 keep "5-6, other 654 in 2" --out late.csv
    """
    from dicelab.games.four21.first_throws import first_throws

    check_csv(out, "the table of throws is")
    given, at = _asked(tokens)
    if at.left == 1:
        raise RulesError(f"there is nothing to keep at {given.game.notation(at)}: one cast is all")
    found = first_throws(_solved_by_all(given, memory, known), at)
    rows = [
        [each.throw, each.chance, " or ".join(each.best), each.value, each.transfer, each.cost]
        for each in found
    ]
    columns = ["throw", "chance", "best", "value", "transfer", "cost"]
    if out:
        write_text(out, csv_text([columns, *rows]))
    differ = sum(each.cost > 0 for each in found)
    if json:
        throws = [dict(zip(columns, row, strict=True)) for row in rows]
        answer = {"position": given.game.notation(at), "differ": differ, "throws": throws}
        emit(given.header | answer)
        return
    say(f"{given.game} at {given.game.notation(at)}: what to keep at the first throw")
    show(
        ["throw", "best", "wins", "transfer", "costs"],
        [
            [
                each.throw,
                " or ".join(each.best),
                percent(each.value),
                each.transfer if each.cost else "",
                percent(each.cost) if each.cost else "",
            ]
            for each in found
        ],
        left=2,
    )
    say(f"transfer keeps something else at {differ} of {len(found)} throws")
    wrote(out)


@match.command("worth")
def worth(
    tokens: Tokens = None, out: Csv = None, memory: Memory = None, json: Json = False
) -> None:
    """Tell what each result of a round is worth in chance of the match, by the tokens.

    The file that --out writes is a utility: `dicelab round value --utility FILE` then tells the
    goals, dilemmas, mistakes and strategies of that round, as of any other.

    JSON keys: game, parameters, position, player, worths (combination, cast, value; there is no
    cast for a next player).

    Examples:

        dicelab 421 worth 5-6 --out late.csv

        dicelab 421 worth "3-2, other 654 in 2"
    """
    from dicelab.games.four21.match_costs import next_worths_at, worths_at

    check_csv(out, "a utility is")
    given, at = _asked(tokens)
    _for_two(given, "what each result is worth")
    solution, game = _solved(given, memory), given.game
    numbers = game.numbers  # type: ignore[attr-defined]
    named = [numbers.write(full) for full in numbers.full]
    if at.other:
        first = game.dice.places.index(int(at.other))  # type: ignore[attr-defined]
        worths = next_worths_at(solution, at.yours, at.mine)[[first]]
    else:
        worths = worths_at(solution, at.mine, at.yours)
    columns = ["combination", "value"] if at.other else ["combination", "cast", "value"]
    rows = [
        [name, *([] if at.other else [cast + 1]), float(worths[cast, place])]
        for place, name in enumerate(named)
        for cast in range(len(worths))
    ]
    if out:
        write_text(out, csv_text([columns, *rows]))
    if json:
        told = [dict(zip(columns, row, strict=True)) for row in rows]
        player = "next" if at.other else "first"
        emit(given.header | {"position": game.notation(at), "player": player, "worths": told})
        return
    say(f"{game} at {game.notation(at)}: the chance of the match with each result")
    casts = [1] if at.other else list(range(1, len(worths) + 1))
    order = sorted(range(len(named)), key=lambda place: -worths[-1, place])
    show(
        ["result", *(["wins"] if at.other else [f"{cast} in" for cast in casts])],
        [[named[p], *(percent(worths[cast - 1, p]) for cast in casts)] for p in order],
    )
    wrote(out)


@match.command("costs")
def costs(
    strategies: Strategies = None,
    out: Csv = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell what strategies give away in a set and in the match, at all tokens.

    In a set: what it costs to play this one set so, as its first or its next player, if both play
    their best otherwise. In the match: what a player who knows the strategy takes from it from
    here on.

    JSON keys: game, parameters, strategies (strategy, error, tokens: mine, yours, pot, value,
    set_first, set_next, match_first, match_next).

    Examples:

        dicelab 421 costs transfer rank:h1s1 tokens=3 --out costs.csv

        dicelab 421 costs transfer tokens=4
    """
    from dicelab.games.four21.match_costs import costs as given_away

    check_csv(out, "the table of costs is")
    given = read_given("421", strategies)
    _for_two(given, "what a strategy gives away")
    names = given.others or list(USUAL)
    solution = _solved(given, memory)
    found = []
    with progress("replying to strategies") as report:
        for number, name in enumerate(names):
            found.append(given_away(solution, name))
            report((number + 1) / len(names))
    fields = ["mine", "yours", "pot", "value", "set_first", "set_next", "match_first", "match_next"]
    if out:
        rows = [
            [each.strategy, *(getattr(row, field) for field in fields)]
            for each in found
            for row in each.rows
        ]
        write_text(out, csv_text([["strategy", *fields], *rows]))
    if json:
        told = [
            {"strategy": each.strategy, "error": each.error, "tokens": [vars(r) for r in each.rows]}
            for each in found
        ]
        emit(given.header | {"strategies": told})
        return
    for each in found:
        _tell(given, each)
    wrote(out)


def _tell(given: Given, found: Costs) -> None:
    """Print what a strategy gives away: at the start, and where it costs most."""
    say(f"{given.game}: what {found.strategy} gives away (certified {within(found.error)})")
    start, *others = found.rows
    worst = sorted(others, key=lambda row: -max(row.match_first, row.match_next))[: SHOWN - 1]
    show(
        ["tokens", "pot", "set, first", "set, next", "match, first", "match, next"],
        [
            [
                f"{row.mine}-{row.yours}",
                str(row.pot),
                *(
                    percent(each)
                    for each in (row.set_first, row.set_next, row.match_first, row.match_next)
                ),
            ]
            for row in [start, *worst]
        ],
    )
    if len(others) > len(worst):
        say(f"The start and the {len(worst)} tokens where it costs most, of {len(found.rows)}.")


def _asked(tokens: list[str] | None) -> tuple[Given, MatchPosition]:
    """Return the match that was asked about, and where a round of it begins."""
    given = read_given("421", tokens)
    only("one position, in quotes", given.others, 0, 1)
    at = given.game.read(given.others[0]) if given.others else given.game.start()
    if isinstance(at, Moment) or at.left < at.bound:
        raise RulesError(
            f"a round begins before its first cast, such as at 3-2: got {given.others[0]!r}"
        )
    if int(given.game.result(at)) != ONGOING:
        raise RulesError(f"the match is over at {given.game.notation(at)}: no round begins there")
    return given, at


def _for_two(given: Given, what: str) -> None:
    """Refuse a match for more than two, where what one gets is not what the other does not."""
    if given.game.players > 2:
        raise RulesError(
            f"{given.game} is played by {given.game.players}: {what} is told of a match for two"
        )


def _solved(given: Given, memory: int | None) -> TableSolution:
    """Return the solved match behind a bar."""
    from dicelab.verbs.solve import solve
    from dicelab.verbs.table_solution import TableSolution

    with progress(f"solving {given.game}") as report:
        found = solve(table_of(given.game, memory, report))
    assert isinstance(found, TableSolution)
    return found


def _solved_by_all(given: Given, memory: int | None, known: str | None) -> Solution:
    """Return how any number of players play, read from a file where one is named."""
    from dicelab.verbs.solve import solve

    if given.game.players == 2:
        if known is not None:
            raise RulesError("--known is for three players and more: two are solved in seconds")
        return _solved(given, memory)
    if known is not None:
        found: Solution = read_known(known, given.game)
        return found
    with progress(f"solving {given.game}") as report:
        return solve(given.game, memory=memory, progress=report)
