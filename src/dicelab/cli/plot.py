"""dicelab plot: any figure, of any game it suits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicelab.console.app import app
from dicelab.console.arguments import GameName, tell_long
from dicelab.console.files import FIGURES, a_file, save_figure
from dicelab.console.output import check_folder, check_place, make_folder, progress, show, wrote


@app.command("plot")
def plot(
    game: GameName,
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="What to draw; without it, the kinds are listed."),
    ] = None,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY|NAME=VALUE",
            help="Strategies, parameters of the game, and numbers that the kind takes.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        a_file(
            "Where to draw: .svg, .png or .pdf; without an ending, .svg and .png; "
            "GAME-KIND in a folder. [default: out/plot/GAME-KIND]"
        ),
    ] = None,
) -> None:
    """Draw a figure of a game, or list the kinds of figures it has.

    Every game has the figures best, length, map (value and best move over two fields, as x=mine
    y=yours at_risk=0), ladder (what strategies get) and sweep (its value over parameters, as
    target=10..50:10), also rules of your own.

    Examples:

        dicelab plot pig

        dicelab plot pig map x=mine y=at_risk yours=10 target=40 --out map.svg

        dicelab plot pig boundary target=30 --out boundary.svg

        dicelab plot pig replies hold-at:5 hold-at:20 target=20 --out replies.png

        dicelab plot 421-round theorem most_casts=9 --out theorem
    """
    from dicelab.plots.kinds import draw, kinds_of, takes

    known = kinds_of(game)
    if kind is None:
        rows = [
            [name, each.about, " ".join(takes(game, name))] for name, each in sorted(known.items())
        ]
        show(["kind", "what it shows", "takes, unless you say otherwise"], rows, left=3)
        return
    folder, paths = _places(out, f"{game.replace(':', '-')}-{kind}")
    for path in paths:
        if folder is None:
            check_place(path)
        else:
            check_folder(folder)
    with progress(f"drawing {kind}") as report:
        report(0.0)
        figure = draw(game, kind, arguments or [], tell_long)
    if folder is not None:
        make_folder(folder)
    wrote(*save_figure(figure, *paths))


def _places(out: str | None, name: str) -> tuple[str | None, list[Path]]:
    """Return the folder to make, if one was asked for, and the files: one, or .svg and .png."""
    folder = "out/plot" if out is None else out
    both = [Path(folder) / f"{name}{ending}" for ending in (".svg", ".png")]
    if out is None or out.endswith("/") or Path(out).is_dir():
        return folder, both
    path = Path(out)
    if path.suffix in FIGURES:
        return None, [path]
    if path.suffix or path.exists():  # a device, or a file that is no figure
        raise typer.BadParameter(f"a figure ends in .svg, .png or .pdf: got {out!r}")
    return None, [path.with_name(f"{path.name}{ending}") for ending in (".svg", ".png")]
