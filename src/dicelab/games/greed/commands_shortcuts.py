"""dicelab shortcuts: the searches of the Greed study, how much they save and where they fail."""

from __future__ import annotations

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, Json, Parameters, only_a_game
from dicelab.console.output import emit, progress, say, show
from dicelab.core.json_object import JsonObject
from dicelab.games.greed import Greed
from dicelab.games.greed.search import Shortcuts
from dicelab.games.greed.search import shortcuts as look
from dicelab.games.greed.solver import MOST_EXACT

SHOWN = 3


@app.command("shortcuts")
def shortcuts(game: GameName, parameters: Parameters = None, json: Json = False) -> None:
    """Compare the search shortcuts of the Greed study with trying every number of dice.

    In last turns: `upward` as the study prints it, `downward` as its conjectures support it. On
    ordinary turns: its bound on the number of dice. Also told: how many positions have several best
    numbers of dice, and the smallest margin anywhere else. In rationals up to a maximum of 60.

    JSON keys: game, parameters, searches, normal, ties, closest, exact.

    Examples:

        dicelab shortcuts greed max=10 sides=3

        dicelab shortcuts greed max=20 sides=3 --json
    """
    given = only_a_game(game, parameters, "parameters such as max=20")
    if not isinstance(given.game, Greed):
        raise typer.BadParameter(f"the shortcuts are for greed: got {given.game.name}")
    with progress(f"searching {given.game}") as report:
        found = look(given.game, given.game.max <= MOST_EXACT, report)
    if json:
        emit({**given.header, **numbers(found)})
    else:
        tell(found)


def numbers(found: Shortcuts) -> JsonObject:
    """Return what `--json` says about the searches."""
    return {
        "searches": {
            one.name: {
                "tried": one.tried,
                "wrong": len(one.wrong),
                "worst": [
                    {"at": w.position, "found": w.found, "best": w.best, "loss": float(w.loss)}
                    for w in one.wrong[:SHOWN]
                ],
                "value": one.value,
            }
            for one in found.last
        },
        "normal": {
            "exhaustive": found.all_normal,
            "bounded": found.bounded_normal,
            "wrong": found.bound_misses,
            "tighter": found.tighter_normal,
            "tighter_wrong": found.tighter_misses,
        },
        "ties": len(found.ties),
        "closest": None
        if found.closest is None
        else {"at": found.closest[0], "margin": float(found.closest[1])},
        "exact": found.solution.exact,
    }


def tell(found: Shortcuts) -> None:
    """Print how the searches did."""
    say(f"{found.game}: searching for the best number of dice in last turns")
    every = found.last[0].tried
    rows = [
        [
            one.name,
            f"{one.tried:,}",
            f"{100 * (1 - one.tried / every):.0f}%",
            str(len(one.wrong)),
            f"{one.value:.6f}",
        ]
        for one in found.last
    ]
    show(["search", "ratings", "saved", "wrong", "first player then"], rows)
    for one in found.last:
        for w in one.wrong[:SHOWN]:
            say(
                f"{one.name} is wrong at {w.position}: it throws {w.found}, best is {w.best}, "
                f"which costs {float(w.loss):.4g}"
            )
    saved = 100 * (1 - found.bounded_normal / found.all_normal)
    say(
        f"ordinary turns: the bound on the dice saves {saved:.0f}% of {found.all_normal:,} ratings "
        f"and is wrong at {found.bound_misses} positions",
        "no more dice than most often hit the maximum exactly: saves "
        f"{100 * (1 - found.tighter_normal / found.all_normal):.0f}%, wrong at "
        f"{found.tighter_misses} positions",
        f"{len(found.ties):,} positions have several best numbers of dice",
    )
    if found.closest is not None:
        at, margin = found.closest
        say(f"the smallest margin anywhere else is {float(margin):.3g}, at {at}")
