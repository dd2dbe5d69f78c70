"""Figures of the studies, drawn by the same kinds that `dicelab plot` offers."""

from __future__ import annotations

from collections.abc import Sequence

from dicelab.plots.kinds import command_of, draw
from dicelab.plots.style import as_bytes
from dicelab.studies.checks import Drawn


def drawn(game: str, kind: str, caption: str, arguments: Sequence[str] = ()) -> Drawn:
    """Return a figure as files, with the command that makes it."""
    figure = draw(game, kind, arguments)
    svg, png = as_bytes(figure, "svg"), as_bytes(figure, "png")
    rules = [word.replace("=", "-") for word in arguments if "=" in word]
    name = "-".join([game, kind, *rules])  # the same kind for two games makes two files
    return Drawn(name, caption, command_of(game, kind, arguments), svg, png)
