"""What the first figure of Greed would wait for."""

from __future__ import annotations

import tempfile
from pathlib import Path

from dicelab import plots
from dicelab.rules.registry import game
from dicelab.verbs.solve import solve


def solving() -> None:
    """Solve a small game and draw it."""
    figure = plots.picture(solve(game("greed", max=12, sides=3)), "dicelab solve greed")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("svg", "png"):
            plots.save(figure, Path(folder) / f"figure.{ending}")
