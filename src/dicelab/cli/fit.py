"""dicelab fit: a person in a few numbers, and which model tells them best."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from dicelab.console.app import app
from dicelab.console.arguments import Json, Plot
from dicelab.console.files import a_file, check_out, is_folder, save_figure
from dicelab.console.output import emit, note, picked, say, show, writing, wrote
from dicelab.console.records import Record, RecordGame, Seed, game_given, interval
from dicelab.core.json_object import JsonObject
from dicelab.people.fit import Evidence, Fit, HeldOut, held_out
from dicelab.people.fit import fit as fit_model
from dicelab.people.forms import evidence_in
from dicelab.people.models import Coin, Model, Quantal
from dicelab.people.models import models as own_models
from dicelab.people.read_record import read_record
from dicelab.rules.registry import told
from dicelab.strategies.file import save_strategy
from dicelab.verbs.solve import on_table, solve

GENERAL = ("quantal", "coin")
"""The models that suit every game."""


@app.command("fit")
def fit(
    file: Record,
    game: RecordGame = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="One player only. [default: all]")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One model; a wrong name lists them. [default: all]"),
    ] = None,
    out: Annotated[
        str | None,
        a_file("Write the best model as a strategy, FILE.csv or FILE.npz, to play as file:FILE."),
    ] = None,
    plot: Plot = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Describe a person by a model, fitted by maximum likelihood.

    Models are compared by how likely they find games they were not fitted to.

    JSON keys: game, parameters, file, player, unit, units, games, fits, held_out, best, seed.

    Examples:

        dicelab fit forms.csv

        dicelab fit games.csv --player ann --model threshold --plot ann.svg

        dicelab fit games.csv --player ann --out ann.npz --json
    """

    known = [*own_models(), *GENERAL]
    if model is not None and model not in known:
        raise typer.BadParameter(f"a model is one of {', '.join(known)}: got {model!r}")
    if out and is_folder(out):
        raise typer.BadParameter(f"a strategy table ends in .csv or .npz: got {out!r}")
    check_out(out, plot)
    evidence = evidence_in(read_record(file, game_given(game)), player)
    models = _models(evidence, model)
    fits = [fit_model(one, evidence) for one in models]
    compared: list[HeldOut] = []
    if len(models) > 1 and len(np.unique(evidence.game)) > 1:
        compared = held_out(models, evidence, np.random.default_rng(seed))
    name = compared[0].model if compared else max(fits, key=lambda f: f.log_likelihood).model.name
    best = next(found for found in fits if found.model.name == name)
    written = _write(best, evidence, out, plot, f"dicelab fit {file}")
    rules = evidence.table.game
    if json:
        head = {"game": rules.name, "parameters": told(rules), "file": file, "player": player}
        emit({**head, **numbers(evidence, fits, compared), "best": name, "seed": seed})
    else:
        _tell(evidence, fits, compared, player)
        wrote(*written)


def _models(evidence: Evidence, name: str | None) -> list[Model]:
    made: JsonObject = own_models() | {"coin": Coin}
    table = evidence.table
    wanted = [name] if name else [*own_models(table.game), *GENERAL]
    return [made[m]() if m in made else Quantal(on_table(solve(table))) for m in wanted]


def _write(
    best: Fit, evidence: Evidence, out: str | None, plot: str | None, command: str
) -> list[str]:
    written = []
    if out:
        with writing(out):
            save_strategy(best.plan(evidence.table), out)
        written.append(out)
    picture = getattr(best.model, "picture", None)
    if plot and picture is None:
        others = [name for name in own_models(evidence.table.game) if name != best.model.name]
        instead = f"; try --model {others[0]}" if others else ""
        note(f"note: no figure: {best.model.name} has none to draw{instead}")
    elif plot and picture:
        written += save_figure(picture(best.numbers, evidence.table.game, command), plot)
    return written


def numbers(evidence: Evidence, fits: list[Fit], compared: list[HeldOut]) -> JsonObject:
    """Return what `--json` says about fits."""
    return {
        "unit": evidence.unit,
        "units": len(evidence),
        "games": fits[0].games,
        "fits": {
            found.model.name: {
                "log_likelihood": found.log_likelihood,
                "numbers": {
                    e.name: picked(e, "value error")
                    | {"error_of": "logarithm" if p.positive else "value"}
                    | {"interval": [e.low, e.high]}
                    for e, p in zip(found.estimates, found.model.parameters, strict=True)
                },
                "at_edge": found.at_edge,
            }
            for found in fits
        },
        "held_out": [picked(o, "model log_likelihood per_unit behind error") for o in compared],
    }


def _tell(evidence: Evidence, fits: list[Fit], compared: list[HeldOut], player: str | None) -> None:
    who = player or "everybody"
    say(f"{evidence.table.game}: {who}, {len(evidence)} {evidence.unit} in {fits[0].games} games")
    rows = [
        [found.model.name, e.name, f"{e.value:.4g}", interval(e.low, e.high, 3)]
        for found in fits
        for e in found.estimates
    ]
    if rows:
        show(["model", "", "estimate", "95%"], rows, left=2)
    for found in fits:
        if found.at_edge:
            say(
                f"note: {found.model.name} does not bound {', '.join(found.at_edge)}: "
                f"the record is as likely at the end of the range, so no interval is given"
            )
    if compared:
        say("games left out in turn:")
        rows = [
            [
                one.model,
                f"{one.log_likelihood:.1f}",
                f"{one.per_unit:.4f}",
                f"{one.behind:.1f}",
                f"{one.error:.1f}",
            ]
            for one in compared
        ]
        show(["model", "log likelihood", "each", "behind", "+-"], rows)
