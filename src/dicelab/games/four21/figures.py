"""Figures of 421 and other rounds: charts, what thinking costs, mistakes, the ratchet theorem."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dicelab.errors import RulesError
from dicelab.games.keep_and_reroll import RoundGame
from dicelab.plots.kinds import Asked, kind
from dicelab.plots.rounds import chart_figure, cost_figure
from dicelab.plots.style import COLOURS, GREY, SKY, Look, blank, headline, line_of, whole_numbers
from dicelab.rounds import (
    Cell,
    Round,
    advise,
    benchmark,
    charts,
    combination_classes,
    cut,
    failures,
    galton_watson,
    mistakes,
    policy,
    presence,
    ratchet,
    result_probability,
)
from dicelab.rounds.benchmark import PLAYERS, POLICIES, default_utilities
from dicelab.rounds.mistakes import Mistake
from dicelab.rounds.theorem import STUDIED
from dicelab.rules.dice import d6

STUDY = "the study of 421"


@kind(RoundGame, "charts", "the chance of every result with every goal", f"{STUDY}, tables 6 to 10")
def charts_(asked: Asked) -> Figure:
    """Return the charts, a panel for each goal."""
    game = _round(asked)
    title = f"{_named(game)}: what comes of a goal, by the number of casts"
    return chart_figure(charts(game), title)


@kind(
    RoundGame, "costs", "what each policy earns, and the arithmetic it takes", f"{STUDY}, section 5"
)
def costs(asked: Asked) -> Figure:
    """Return optimality against operations per decision."""
    game = _round(asked)
    title = f"{_named(game)}: what a policy earns, and the arithmetic it takes"
    return cost_figure(benchmark(game, default_utilities(game), POLICIES, costs=True), title)


@kind(
    RoundGame, "mistakes", "what the wrong decisions of each policy cost", f"{STUDY}, tables 1 to 4"
)
def mistakes_(asked: Asked) -> Figure:
    """Return what each policy loses, decision by decision, for the first player."""
    game = _round(asked)
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


def _losses(axes: Axes, game: Round, worth: str, wrong: dict[str, list[Mistake]]) -> None:
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


@kind(RoundGame, "tables", "the shares that policies earn, as tables", f"{STUDY}, tables 1 to 4")
def tables(asked: Asked) -> Figure:
    """Return the benchmark as the study prints it: decimals cut, our own cells in grey."""
    game = _round(asked)
    found = benchmark(game, default_utilities(game))
    columns = min(2, len(found))
    rows = -(-len(found) // columns)
    figure = blank(4.8 * columns, 0.7 + 2.5 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    for place, (axes, table) in enumerate(zip(panels, found, strict=False), start=1):
        cells = {(cell.policy, cell.player): cell for cell in table.cells}
        names = list(dict.fromkeys(cell.policy for cell in table.cells))
        shown = [[_share(cells[name, player]) for player in PLAYERS] for name in names]
        drawn = axes.table(
            shown, rowLabels=names, colLabels=["first", "next"], loc="center", cellLoc="center"
        )
        drawn.scale(0.8, 1.35)
        for row, name in enumerate(names, start=1):
            if cells[name, "next"].beyond:
                drawn[row, 1].get_text().set_color(GREY)
        best = f"the first player's best is {cut(table.best)}"
        axes.set_title(f"table {place}: {table.utility.name}\n{best}", fontsize=10)
        axes.set(xticks=[], yticks=[], xlabel="policies down, players across")
        axes.spines[:].set_visible(False)
    headline(figure, f"{_named(game)}: shares of the first player's best (grey: beyond the study)")
    return figure


def _share(cell: Cell) -> str:
    return "" if cell.optimality is None else cut(cell.optimality)


@kind(
    RoundGame,
    "live",
    "how many dice are left after each cast, on the way to a goal",
    f"{STUDY}, (56)",
)
def live(asked: Asked) -> Figure:
    """Return the law of the dice left, to one face and to different ones, beside the binomial."""
    game = _round(asked)
    goals = [game.numbers.write(goal) for goal in combination_classes(game)]
    figure = blank(4.2 * min(3, len(goals)), 4.2)
    panels = figure.subplots(1, min(3, len(goals)), sharey=True, squeeze=False).ravel()
    dice = np.arange(game.dice + 1)
    casts = range(1, game.casts)
    width = 0.8 / max(1, len(casts))
    for axes, goal in zip(panels, goals, strict=False):
        where = presence(ratchet(game, goal))
        for place, cast in enumerate(casts):
            at = dice + (place - (len(casts) - 1) / 2) * width
            law = [100 * float(chance) for chance in where.live_dice(cast)]
            named = f"after {cast} cast{'s' * (cast > 1)}"
            axes.bar(at, law, width=width, color=COLOURS[place % 7], label=named)
            binomial = galton_watson(game, game.die.faces[0], cast)
            axes.plot(
                at,
                [100 * float(chance) for chance in binomial],
                linestyle="none",
                marker="_",
                markersize=14,
                color="black",
                label="binomial, (56)" if place == 0 else None,
            )
        axes.set_title(f"goal {goal}")
        axes.set_xlabel("dice left")
        axes.set_xticks(dice)
    panels[0].set_ylabel("chance (%)")
    panels[-1].legend(fontsize=9)
    headline(figure, f"{_named(game)}: the dice left are binomial for one face only")
    return figure


@kind(
    RoundGame,
    "players",
    "what a next player has left of the first player's chances",
    f"{STUDY}, (50) and tables 1 to 4",
    most_casts=6,
)
def players(asked: Asked) -> Figure:
    """Return the chance of a goal for both players by the number of casts, and best values."""
    game, most = _round(asked), asked.numbers["most_casts"]
    if most < 1:
        raise RulesError(f"this figure needs at least 1 cast: got most_casts={most}")
    long = Round(game.dice, game.die, most, game.keep, game.memory)
    casts = range(1, most + 1)
    figure = blank(10, 4.4)
    left, right = figure.subplots(1, 2)
    for place, goal in enumerate(combination_classes(long)):
        hits = [result_probability(long, goal, goal, cast) for cast in casts]
        later = [result_probability(long, goal, goal, cast, player="next") for cast in casts]
        look = line_of(place)
        name = long.numbers.write(goal, rising=True)
        left.plot(casts, 100 * np.cumsum([float(p) for p in hits]), label=f"{name}, first", **look)
        left.plot(
            casts,
            [100 * float(p) for p in later],
            linestyle="--",
            markerfacecolor="white",
            label=f"{name}, next",
            **look,
        )
    left.set(xlabel="casts of the round", ylabel="chance to get the goal (%)")
    whole_numbers(left.xaxis)
    left.legend(fontsize=8)
    found = benchmark(game, default_utilities(game), ["optimal"])
    shares = [100 * float(table.cell("optimal", "next").value / table.best) for table in found]
    places = range(len(found))
    right.barh(places, shares, color=SKY, height=0.6)
    for place, share in enumerate(shares):
        right.annotate(f"{share:.2f}%", (share, place), xytext=(4, 0), textcoords="offset points")
    right.set_yticks(places, [table.utility.name for table in found])
    right.invert_yaxis()
    right.set_xlim(0, 115)
    right.set_xlabel("best play of a next player, in % of the first player's")
    headline(figure, f"{_named(game)}: the first player and the next")
    return figure


@kind(RoundGame, "keep", "what to keep at each first throw")
def keep(asked: Asked) -> Figure:
    """Return the best dice to keep of every throw of all dice, coloured by how many they are."""
    utility = asked.game.worths
    game = _round(asked, "utility", "player")
    throws = list(game.numbers.full)
    if len(throws) > MOST_THROWS:
        raise RulesError(
            f"this figure shows up to {MOST_THROWS} throws: {game.dice} dice with "
            f"{game.die.sides} faces have {len(throws)}"
        )
    columns = max(1, math.ceil(math.sqrt(1.6 * len(throws))))
    rows = -(-len(throws) // columns)
    figure = blank(0.95 * columns + 0.6, 0.72 * rows + 1.4)
    axes = figure.subplots()
    colours = matplotlib.colormaps["cividis"](np.linspace(0.25, 1, game.dice + 1))
    used = set()
    for place, throw in enumerate(throws):
        shown = game.numbers.write(throw)
        best = advise(game, "-", shown, game.casts - 1, utility, asked.game.player).best
        count = len(game.numbers.faces_of(game.numbers.number(best[0])))
        used.add(count)
        row, column = divmod(place, columns)
        box = matplotlib.patches.Rectangle((column, row), 0.96, 0.94, color=colours[count])
        axes.add_patch(box)
        look: Look = {
            "ha": "center",
            "va": "center",
            "color": "white" if count <= game.dice / 3 else "black",
        }
        axes.text(column + 0.48, row + 0.3, shown, fontsize=11, fontweight="bold", **look)
        axes.text(column + 0.48, row + 0.68, _kept(best, shown), fontsize=8, **look)
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.set_xlabel("large: the throw; small: what to keep of it")
    marks = [
        matplotlib.patches.Patch(
            color=colours[count], label=f"{count} {'die' if count == 1 else 'dice'} kept"
        )
        for count in sorted(used)
    ]
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks), fontsize=9)
    headline(figure, f"{_named(game)}: what to keep for {utility.name}")
    return figure


MOST_THROWS = 300


def _kept(best: Sequence[str], throw: str) -> str:
    """Return what to keep in words; of several equally good ways the first, and how many more."""
    words = {throw: "all", "-": "nothing"}
    told = words.get(best[0], best[0])
    return told if len(best) == 1 else f"{told} (or {len(best) - 1} more)"


@kind(
    RoundGame,
    "theorem",
    "the fewest casts with which the ratchet is not the best way to some goal",
    f"{STUDY}, section 4.1",
    most_casts=20,
)
def theorem(asked: Asked) -> Figure:
    """Return the first failures of the ratchet, by dice and faces."""
    game, given = _round(asked), asked.given
    most = asked.numbers["most_casts"]
    if "casts" in given and "most_casts" not in given:
        most = game.casts
    dice = game.dice if "dice" in given else STUDIED[0]
    faces = game.die.sides if given & {"die", "faces", "sides"} else STUDIED[1]
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


def _round(asked: Asked, *used: str) -> Round:
    """Return the round to draw, refusing parameters that were given and change nothing here.

    With other dice than those of 421 the game itself may need another utility.
    """
    if asked.given & {"dice", "die", "faces", "sides"}:
        used += ("utility",)
    if idle := (asked.given & {"utility", "player"}).difference(used):
        raise RulesError(
            f"this figure does not depend on {' or '.join(sorted(idle))}: leave that out"
        )
    found: Round = asked.game.round
    return found


def _named(game: Round) -> str:
    if (game.dice, game.die, game.casts, game.keep) == (3, d6, 3, "aside"):
        return "421"
    again = ", any dice cast again" if game.keep == "any" else ""
    return f"{game.dice} dice with {game.die.sides} faces, {game.casts} casts{again}"
