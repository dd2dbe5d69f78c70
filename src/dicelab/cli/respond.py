"""dicelab respond: the best reply to a strategy, and to that reply, and so on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Annotated, Any

import typer

from dicelab.cli.solve import advice
from dicelab.console.app import app
from dicelab.console.arguments import (
    Exact,
    GameName,
    Given,
    Jobs,
    Json,
    Memory,
    only,
    table_of,
    warn_if_slow,
)
from dicelab.console.arguments import given as read_given
from dicelab.console.files import Out, check_out, write_out
from dicelab.console.output import (
    bounded,
    emit,
    halves,
    in_unit,
    never_counts,
    percent,
    picked,
    progress,
    say,
    show,
    within,
    wrote,
)
from dicelab.console.seats import reply_json, tell_reply
from dicelab.core.exact import exactly
from dicelab.core.jobs import results, share_of
from dicelab.core.json_object import JsonObject
from dicelab.rules import contract, registry
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile, memory_limit
from dicelab.verbs.best_response import BestResponse, Iteration, best_response
from dicelab.verbs.best_response import iterate as climb_from
from dicelab.verbs.density import density_on
from dicelab.verbs.exploitability import exploited
from dicelab.verbs.solve import solve
from dicelab.verbs.tournament import members


@app.command("respond")
def respond(
    game: GameName,
    opponent: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY|NAME=VALUE",
            help="Whom to reply to, and parameters of the game. With --iterate a range such as "
            "hold-at:1..100 runs from each of them.",
        ),
    ],
    start: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help="Improve this strategy into the reply.")
    ] = None,
    iterate: Annotated[
        bool,
        typer.Option("--iterate", help="Reply to the reply, and so on, until nothing changes."),
    ] = False,
    never: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER",
            help="What the reply gets from play without an end. [default: as the rules say]",
        ),
    ] = None,
    jobs: Jobs = -1,
    exact: Exact = False,
    out: Out = None,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Find the best reply to a strategy.

    `first` is how often the reply wins when it starts, `second` how often the strategy wins when
    that starts, `overall` how often the reply wins when they take turns in starting. With
    --iterate, --out writes the last reply.

    JSON keys: game, parameters, opponent, first, second, overall, never_ends, never (what that is
    worth to the reply), value, lower, upper, unit, positions, method, sweeps, exploitability (what
    a perfect opponent takes from the strategy per game, in that unit, or null where a draw is not
    half of a win and a loss), exact, seconds; with --iterate also orders and settled; with --exact
    also fractions. For a range: game, parameters, starts. Of three players and more one replies to
    all others, named in order of their turns, or one strategy for all: game, parameters, opponent,
    seats (what the reply gets as the first to play, the second, ...), overall, values (of all,
    where the reply starts), unit, positions, method, sweeps, lower, upper, exact, seconds.

    Examples:

        dicelab respond pig hold-at:20

        dicelab respond pig turtle target=50 --out reply.csv --json

        dicelab respond pig hold-at:20 target=20 --iterate

        dicelab respond pig hold-at:1..5 target=20 --iterate --jobs 1
    """
    given = read_given(game, opponent)
    contract.refuse_alone(given.game, "there is nobody to reply to")
    many = given.game.players > 2
    if many:
        if iterate or never is not None:
            raise typer.BadParameter(
                f"{given.game} is played by {given.game.players}: one replies to all others, "
                f"without --iterate and --never"
            )
        most = given.game.players - 1
        only(f"{most} strategies to reply to, or one for all of them", given.others, 1, most)
    else:
        only("one strategy to reply to", given.others, 1, 1)
    worth = None if never is None else exactly(never)
    if never is not None and (worth is None or iterate):
        raise typer.BadParameter(
            f"--never is what play without an end is worth, a number, and goes without --iterate: "
            f"got {never!r}"
        )
    if iterate and (start or exact):
        raise typer.BadParameter("--iterate goes by itself: leave out --start and --exact")
    check_out(out)
    names = members(given.others)
    if names != given.others:
        if not iterate or out:
            raise typer.BadParameter("a range of strategies needs --iterate, and takes no --out")
        _climb_from_each(given, names, memory, jobs, json)
        return
    with progress(f"replying to {given.others[0]}") as report:
        before, later = halves(report)
        table = table_of(given.game, memory, before, exact)
        warn_if_slow(table, given.others[0], start)
        if iterate:
            climb = climb_from(
                table, given.others[0], progress=lambda order, _: report(1 - 0.5**order / 2)
            )
            replies, final = climb.orders, climb.orders[-1]
        else:
            climb = None
            whom: Any = given.others if many else given.others[0]
            final = best_response(table, whom, start, exact, later, worth)
            replies = [final]
    told = reply_json(final) if many else numbers(replies[0])
    answer = {**given.header, "opponent": " ".join(given.others), **told}
    if climb is not None:
        orders = [{"order": n, **_three(reply)} for n, reply in enumerate(replies, start=1)]
        answer |= {"orders": orders, "settled": climb.settled}
    command = given.command("respond") + " --iterate" * iterate
    written = write_out(final.solution, answer, out, command) if out else []
    if json:
        emit(answer)
        return
    if many:
        tell_reply(final)
    else:
        _tell(given, replies[0]) if climb is None else _tell_orders(given, climb)
    say(*advice(final.solution))
    wrote(*written)


def _three(reply: BestResponse) -> dict[str, float]:
    return picked(reply, "first second overall")


def numbers(reply: BestResponse) -> JsonObject:
    """Return what `--json` says about a best reply."""
    solution = reply.solution
    taken = float(exploited(reply).value) if _is_shared(reply) else None
    answer = {
        **_three(reply),
        **picked(reply.evaluation, "never_ends"),
        "never": float(reply.evaluation.stakes.never[0]),
        **bounded(solution),
        **picked(solution, "unit positions method"),
        "sweeps": reply.sweeps,
        "exploitability": taken,
        "exact": solution.exact,
        "seconds": reply.seconds,
    }
    if solution.exact:
        answer["fractions"] = {name: str(getattr(reply, name)) for name in _three(reply)}
    return answer


def _tell(given: Given, reply: BestResponse) -> None:
    name, solution = given.others[0], reply.solution
    error = float(max(solution.upper - solution.value, solution.value - solution.lower))
    if given.game.is_simultaneous:
        draws = percent(reply.evaluation.a_first.draws)
        say(
            f"{given.game}: the best reply to {name}",
            f"wins {percent(reply.first)} and draws {draws}; its {given.game.unit} is "
            f"{float(solution.value):.6g} (certified {within(error)})",
        )
        _tell_exploited(name, reply)
        return
    # the bound is one of the game's own unit, and stands beside that
    sure, unit = f"(certified {within(error)})", solution.unit
    value = "" if unit == "chance to win" else f"; its {unit} is then {float(solution.value):.6g}"
    value = f"; it then gets {float(solution.value):.6g} {unit}" if unit.endswith("s") else value
    say(
        f"{given.game}: the best reply to {name}",
        f"wins {percent(reply.first)} when it starts{value} {sure}",
        f"{name} wins {percent(reply.second)} when that starts",
        f"the reply wins {percent(reply.overall)} when they take turns in starting",
    )
    if reply.evaluation.draws:
        say(
            f"the game is drawn in {percent(reply.evaluation.draws)} of cases; "
            f"in all the reply gets {in_unit(solution, reply.evaluation.value)}"
        )
    if reply.evaluation.never_ends:
        share = percent(reply.evaluation.never_ends)
        never = reply.evaluation.stakes.never[0]
        counts = never_counts(solution.game, never, unit)
        say(f"the game never ends in {share} of cases: that {counts}")
    if unit != "chance to win":
        _tell_exploited(name, reply)


def _is_shared(reply: BestResponse) -> bool:
    """Return whether what the reply gets the other loses, also where play never ends."""
    game = reply.solution.game
    return game.is_one_pot and 2 * reply.evaluation.stakes.never[0] == game.total


def _tell_exploited(name: str, reply: BestResponse) -> None:
    if not _is_shared(reply):
        say("what the reply gets here nobody need lose: a draw is not half of a win and a loss")
        return
    taken = exploited(reply)
    error = float(max(taken.upper - taken.value, taken.value - taken.lower))
    sure = f"certified {within(error)}" if error else "exactly"
    unit = reply.solution.game.unit
    say(f"a perfect opponent takes {float(taken.value):.6g} {unit} from {name} per game ({sure})")


def _tell_orders(given: Given, climb: Iteration) -> None:
    say(f"{given.game}: best replies from {given.others[0]} on")
    rows = [
        [str(order), *(percent(part) for part in _three(reply).values())]
        for order, reply in enumerate(climb.orders, start=1)
    ]
    columns = ["order", "reply wins, starting", "the one before wins, starting", "reply overall"]
    show(columns, rows)
    if climb.settled:
        say(f"settled after {climb.taken} orders: the last reply is its own best reply")
    else:
        say(f"not settled after {climb.taken} orders")


def _climb_from_each(
    given: Given, names: list[str], memory: int | None, jobs: int, json: bool
) -> None:
    """Iterate best replies from several strategies and compare where they end."""
    found: list[JsonObject] = []
    with progress(f"{len(names)} starts") as report:
        for one in _climbs(given, names, memory, jobs):
            found.append(one)
            report(len(found) / len(names))
    found.sort(key=lambda one: names.index(one["start"]))
    if json:
        emit({**given.header, "starts": found})
        return
    say(f"{given.game}: best replies, from each strategy until nothing changes")
    yes_no = {True: "yes", False: "no"}
    rows = [
        [one["start"], str(one["orders"]), *(yes_no[one[key]] for key in _ANSWERS)] for one in found
    ]
    show(["start", "orders", "settled", "optimal where play goes", "optimal everywhere"], rows)
    reached = sum(one["optimal_where_play_goes"] for one in found)
    say(f"{reached} of {len(found)} end in a strategy that plays like the optimal one")


Named = tuple[str, tuple[tuple[str, str], ...], int | None]
"""A game by its name and parameters, and the memory it may take: what processes send each other."""

_ANSWERS = ("settled", "optimal_where_play_goes", "optimal_everywhere")


def _climbs(given: Given, names: list[str], memory: int | None, jobs: int) -> Iterator[JsonObject]:
    limit = share_of(memory_limit() if memory is None else memory, jobs, len(names))
    game = (given.name, tuple(sorted(given.parameters.items())), limit)
    yield from results(partial(_climb, game), names, jobs)


def _climb(game: Named, start: str) -> JsonObject:
    """Return how the best replies from one start went; one process does many of these."""
    table, best, reached = _common(*game)
    climb = climb_from(table, start)
    return {
        "start": start,
        "orders": climb.taken,
        "settled": climb.settled,
        "optimal_where_play_goes": climb.plan.plays_like(best, reached),
        "optimal_everywhere": climb.plan.plays_like(best),
        **_three(climb.orders[-1]),
    }


@lru_cache(maxsize=1)
def _common(
    game: str, parameters: tuple[tuple[str, str], ...], memory: int | None
) -> tuple[Table, Plan, Any]:
    """Return the table, the optimal plan and where two optimal players can come."""
    table = compile(registry.game(game, **dict(parameters)), memory)
    best = solve(table).plan
    reached = density_on(table, best, best).visited.any(axis=0)
    return table, best, reached
