"""Figures of 421 and other rounds: charts, what thinking costs, mistakes, the ratchet theorem."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from dicelab.plots.kinds import Asked, kind
from dicelab.plots.style import COLOURS, GREY, blank, headline
from dicelab.rounds import Round, benchmark, charts, failures, mistakes, policy
from dicelab.rounds.benchmark import POLICIES, default_utilities
from dicelab.rounds.figures import chart_figure, cost_figure
from dicelab.rounds.mistakes import Mistake
from dicelab.rounds.theorem import STUDIED

STUDY = "the study of 421"


@kind(Round, "charts", "the chance of every result with every goal", f"{STUDY}, tables 6 to 10")
def charts_(asked: Asked) -> Figure:
    """Return the charts, a panel for each goal."""
    game = asked.game
    figure = chart_figure(charts(game), "")
    headline(figure, f"{_named(game)}: what comes of a goal, by the number of casts")
    return figure


@kind(Round, "costs", "what each policy earns, and the arithmetic it takes", f"{STUDY}, section 5")
def costs(asked: Asked) -> Figure:
    """Return optimality against operations per decision."""
    game = asked.game
    figure = cost_figure(benchmark(game, default_utilities(game), POLICIES, costs=True))
    headline(figure, f"{_named(game)}: what a policy earns, and the arithmetic it takes")
    return figure


@kind(Round, "mistakes", "what the wrong decisions of each policy cost", f"{STUDY}, tables 1 to 4")
def mistakes_(asked: Asked) -> Figure:
    """Return what each policy loses, decision by decision, for the first player."""
    game = asked.game
    names = default_utilities(game)
    wrong = {worth: _wrong(game, worth) for worth in names}
    shown = [worth for worth in names if any(wrong[worth].values())]
    fine = [worth for worth in names if worth not in shown]
    figure = blank(10, 2.0 + 1.3 * max(len(shown), 1))
    panels = figure.subplots(max(len(shown), 1), 1, squeeze=False).ravel()
    for axes, worth in zip(panels, shown, strict=False):
        _losses(axes, game, worth, wrong[worth])
    panels[-1].set_xlabel("lost by the decisions after a cast, in % of the best")
    told = f" (none with {', '.join(fine)})" if fine else ""
    headline(figure, f"{_named(game)}: what wrong decisions cost the first player{told}")
    marks = [
        matplotlib.patches.Patch(color=COLOURS[cast], label=f"after cast {cast + 1}")
        for cast in range(game.casts - 1)
    ]
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks), fontsize=9)
    return figure


def _wrong(game: Round, worth: str) -> dict[str, list[Mistake]]:
    """Return the wrong decisions of every policy but the optimal one."""
    thinkers = [name for name in POLICIES if name != "optimal"]
    return {name: mistakes(policy(name, game, worth), worth) for name in thinkers}


def _losses(axes: Any, game: Round, worth: str, wrong: dict[str, list[Mistake]]) -> None:
    """Draw a bar for each policy: its loss, split by cast, and how many decisions are wrong."""
    best = float(benchmark(game, [worth], ["optimal"])[0].best)
    thinkers = list(wrong)
    ends = []
    for row, found in enumerate(wrong.values()):
        left = 0.0
        for cast in range(1, game.casts):
            loss = 100 * sum(float(each.loss) for each in found if each.cast == cast) / best
            axes.barh(row, loss, left=left, color=COLOURS[cast - 1], height=0.65)
            left += loss
        ends.append((left, len(found)))
    for row, (end, count) in enumerate(ends):
        told = "none wrong" if not count else f"{end:.2f}%, {count} wrong"
        axes.annotate(
            told, (end, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_yticks(range(len(thinkers)), thinkers)
    axes.invert_yaxis()
    axes.set_xlim(0, max(1.0, 1.25 * max(end for end, _ in ends)))
    axes.set_title(worth)


@kind(
    Round,
    "theorem",
    "the fewest casts with which the ratchet is not the best way to some goal",
    f"{STUDY}, section 4.1",
    most_casts=20,
)
def theorem(asked: Asked) -> Figure:
    """Return the first failures of the ratchet, by dice and faces."""
    game, given = asked.game, asked.given
    most = asked.numbers["most_casts"]
    if "casts" in given and "most_casts" not in given:
        most = game.casts
    dice = game.dice if "dice" in given else STUDIED[0]
    faces = game.die.sides if "faces" in given else STUDIED[1]
    found = failures(dice, faces, most)
    grid = np.full((dice, faces), np.nan)
    for (each, sides), failure in found.items():
        if failure is not None:
            grid[each - 1, sides - 1] = failure.casts
    figure = blank(1.4 + 0.85 * faces, 1.9 + 0.72 * dice)
    axes = figure.subplots()
    colours = matplotlib.colormaps["cividis"].with_extremes(bad="#f2f2f2")
    image = axes.imshow(grid, cmap=colours, vmin=1, aspect="auto")
    middle = np.nanmax(grid) / 2 if np.isfinite(grid).any() else 0
    for (row, column), casts in np.ndenumerate(grid):
        text = f"{casts:.0f}" if np.isfinite(casts) else "-"
        colour = GREY if text == "-" else "white" if casts < middle else "black"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=12)
    right = np.tril(np.ones((dice, faces), bool), 0)
    for each in range(dice):  # the theorem says: best on and to the right of this line
        column = int(np.argmax(right[each][::-1])) if not right[each].all() else 0
        edge = faces - column - 1.5 if not right[each].all() else -0.5
        axes.plot([edge, edge], [each - 0.5, each + 0.5], color=COLOURS[4], linewidth=2.2)
        if each:
            axes.plot([edge - 1, edge], [each - 0.5, each - 0.5], color=COLOURS[4], linewidth=2.2)
    axes.set_xticks(range(faces), [str(side + 1) for side in range(faces)])
    axes.set_yticks(range(dice), [str(each + 1) for each in range(dice)])
    axes.set(xlabel="faces of a die", ylabel="dice")
    axes.set_title(f"-: best up to {most} casts. The theorem says so right of the line", fontsize=9)
    figure.colorbar(image, ax=axes).set_label("casts")
    headline(figure, "The fewest casts with which the ratchet is not best")
    return figure


def _named(game: Round) -> str:
    if (game.dice, game.die.sides, game.casts) == (3, 6, 3):
        return "421"
    return f"{game.dice} dice with {game.die.sides} faces, {game.casts} casts"
