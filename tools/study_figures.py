"""Redraw the figures of the Exeter study that come from playing: 15, 16 and 18.

python tools/study_figures.py            writes docs/images/study-*.png
"""

from __future__ import annotations

from pathlib import Path

from dicelab import game, plots
from dicelab.fair_test import fair_tests, scatter
from dicelab.plots import play as plots_play
from dicelab.tournament import members, tournament

IMAGES = Path(__file__).parent.parent / "docs" / "images"
COMMAND = "python tools/study_figures.py"
SIZES = range(20, 4001, 20)
SEED = 1


def main() -> None:
    """Play, draw and write."""
    pig, strategy = game("pig"), "hold-at:20"
    shares = scatter(pig, strategy, SIZES, seed=SEED)
    plots.save(plots_play.scatter_picture(SIZES, shares, COMMAND), IMAGES / "study-15.png")
    means = fair_tests(pig, strategy, seed=SEED)
    plots.save(plots_play.fair_tests_picture(means, COMMAND), IMAGES / "study-16.png")
    found = tournament(pig, members(["hold-at:1..100"]), workers=-1)
    figure = plots_play.one_against_all_picture(found, "hold-at:25", COMMAND)
    plots.save(figure, IMAGES / "study-18.png")
    plots.save(plots_play.heat_map(found, COMMAND), IMAGES / "hold-at.png")


if __name__ == "__main__":
    main()
