"""Maps and ladders of any game: values and best moves over two fields, strategies by worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.errors import DicelabError, RulesError
from dicelab.plots.kinds import Asked, kind, solved_on_table
from dicelab.plots.style import (
    BLUE,
    COLOURS,
    GREY,
    PALE,
    blank,
    headline,
    label,
    scaled,
    whole_numbers,
)
from dicelab.rules import Game
from dicelab.rules.parts import part_of, parts_of
from dicelab.rules.registry import did_you_mean
from dicelab.strategies.named import AnyStrategy
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.seats import SeatedEvaluation
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve_graph

AXES = ("x", "y")
"""The words that name the fields of a map's axes."""


MOST_CELLS = 1_000
"""Values that an axis shows as they are; where they lie further apart, one after another."""

MOST_FIELDS = 6
"""Fields that are tried in pairs to find where the best move changes."""

MOST_MAPPED = 1_000_000
"""Positions up to which a table is made for a map where the game's own engine needs none."""


def fields_of(table: Table) -> dict[str, Ints]:
    """Return every field that is a whole number, at the positions where the game goes on.

    The parts of a position that is a plain tuple are called part_1, part_2 and so on.
    """
    here = np.flatnonzero(table.is_ongoing)
    each = list(table.each(here))
    found: dict[str, Ints] = {}
    for name in parts_of(each[0]):
        values = [part_of(at, name) for at in each]
        if all(hasattr(value, "__index__") for value in values):
            found[name] = np.array([int(value) for value in values], np.int64)
    return found


def _best(solution: Solution) -> tuple[Floats, Array]:
    """Return what each position where the game goes on is worth, and the move played there."""
    here = np.flatnonzero(solution.table.is_ongoing)
    values = np.array([float(value) for value in solution.measures()[0]])
    return values, likeliest_moves(solution.plan, here)


def likeliest_moves(plan: Plan, here: Ints) -> Array:
    """Return the move that a plan makes at some positions; the likeliest where it mixes."""
    table = plan.table
    if not plan.is_mixed:
        return table.move[plan.choice[here]]
    weights = plan.weights(exact=False)
    first, last = table.move_first[here], table.move_first[here + 1]
    pairs = zip(first.tolist(), last.tolist(), strict=True)
    return table.move[[one + int(weights[one:two].argmax()) for one, two in pairs]]


@kind(
    Game,
    "map",
    "value and best move over two fields, as x=mine y=yours; other fields as given",
    fields=AXES,
    many=True,
)
def field_map(asked: Asked) -> Figure:
    """Return what positions are worth and how to play there, over two of their fields."""
    return map_figure(_on_table(asked.game), asked)


def map_figure(solution: Solution, asked: Asked, upright: bool = False) -> Figure:
    """Return the map of a solution; `upright` puts both panels one above the other."""
    table = solution.table
    fields = fields_of(table)
    values, moves = _best(solution)
    across, up, kept = _chosen(asked, fields, table)
    shown = np.ones(values.size, bool)
    for name, value in kept.items():
        shown &= fields[name] == value
    if shown.sum() == 1 < shown.size and not asked.fields and up is not None:
        named = dict(zip(AXES, telling_fields(solution), strict=True))
        return map_figure(solution, replace(asked, fields=named), upright)
    if not shown.any():
        told = ", ".join(f"{name}={value}" for name, value in kept.items())
        raise RulesError(f"{asked.game} has no position with {told} where somebody moves")
    figure = blank(4.6, 7.4) if upright else blank(11, 5.2)
    left, right = figure.subplots(*((2, 1) if upright else (1, 2)))
    scale, unit = scaled(solution.unit)
    if across is None:
        _sorted(left, right, scale * values, moves, table, unit)
    elif up is None:
        _strip(left, right, fields[across][shown], scale * values[shown], moves[shown], table)
        left.set_ylabel(unit)
        for axes in (left, right):
            axes.set_xlabel(label(across))
    else:
        places = _packed(fields[across][shown]), _packed(fields[up][shown])
        image = grid_of(left, *places, scale * values[shown], "cividis")
        figure.colorbar(image, ax=left, pad=0.02).set_label(unit)
        _moves(figure, right, places, moves[shown], table)
        for axes in (left, right):
            axes.set(xlabel=label(across), ylabel=label(up))
            whole_numbers(axes.xaxis, axes.yaxis)
    left.set_title("what positions are worth to who moves")
    right.set_title("the best move")
    told = ", ".join(f"{label(name)} = {value}" for name, value in kept.items())
    headline(figure, ": ".join(filter(None, [str(asked.game), told])))
    return figure


def telling_fields(solution: Solution) -> tuple[str, ...]:
    """Return the two fields over which the best move changes most, the others as at the start.

    Of pairs alike in this it is the one with most positions to show.
    """
    table = solution.table
    fields = fields_of(table)
    _, moves = _best(solution)
    start = int(np.flatnonzero(np.flatnonzero(table.is_ongoing) == table.start)[0])
    varied = [name for name in fields if np.ptp(fields[name]) > 0][:MOST_FIELDS]
    found, most = tuple(varied[:2]), (-1.0, 0)
    for pair in combinations(varied, 2):
        shown = np.ones(moves.size, bool)
        for name in fields:
            if name not in pair:
                shown &= fields[name] == fields[name][start]
        counts = np.unique(moves[shown], return_counts=True)[1]
        rest = float(counts.sum() - counts.max(initial=0))  # where another move is best
        if (rest, counts.sum()) > most:
            found, most = pair, (rest, counts.sum())
    return found


def _on_table(game: Game) -> Solution:
    """Return the solution on the table of positions; a game without such a table is refused."""
    if not game.engine:
        return solved_on_table(game)
    if (game.size() or MOST_MAPPED) >= MOST_MAPPED:
        raise RulesError(
            f"{game} has an engine of its own and no table of positions to map: "
            f"draw its ladder, or ask explain about one position"
        )
    return solve_graph(compile(game))


def _chosen(
    asked: Asked, fields: Mapping[str, Ints], table: Table
) -> tuple[str | None, str | None, dict[str, int]]:
    """Return the fields of both axes, and the values of the others."""
    axes = axes_of(asked, list(fields), [name for name in fields if np.ptp(fields[name]) > 0])
    kept = {}
    for name, part in parts_of(table.position(table.start)).items():
        if name in fields and name not in axes:
            text = asked.fields.get(name)
            if text is None:
                kept[name] = int(part)
            elif not text.lstrip("-").isdigit() or len(text) > 9:
                raise RulesError(f"{name} is a whole number: got {text!r}")
            else:
                kept[name] = int(text)
    return axes[0], axes[1], kept


def axes_of(asked: Asked, known: Sequence[str], varied: Sequence[str]) -> list[str | None]:
    """Return the fields of both axes: those that were asked for, or the first that are free."""
    axes: list[str | None] = []
    for word in AXES:
        taken = [*axes, *asked.fields, *asked.fields.values()]
        name = asked.fields.get(word, next((name for name in varied if name not in taken), None))
        if name is not None and name not in known:
            hint = did_you_mean(name, known)
            raise RulesError(f"{asked.game} has no field {name!r} to map{hint}")
        axes.append(name)
    if axes[0] == axes[1] and axes[0] is not None:
        raise RulesError(f"a map is over two fields: got {axes[0]} twice")
    return axes


def _packed(values: Ints) -> Ints:
    """Return a field for an axis: its values, or their order where they are codes far apart."""
    if np.ptp(values) < MOST_CELLS:
        return values
    order: Ints = np.unique(values, return_inverse=True)[1]
    return order


def grid_of(
    axes: Axes,
    x: Ints,
    y: Ints,
    shown: Floats,
    colours: Any,
    norm: Any = None,
    limits: tuple[float, float] | None = None,
) -> Any:
    """Draw numbers over two fields; what has none stays white."""
    grid = np.full((int(np.ptp(y)) + 1, int(np.ptp(x)) + 1), np.nan)
    grid[y - y.min(), x - x.min()] = shown
    edges = (x.min() - 0.5, x.max() + 0.5, y.min() - 0.5, y.max() + 0.5)
    square: Any = "equal" if 0.4 < grid.shape[0] / grid.shape[1] < 2.5 else "auto"
    return axes.imshow(
        grid,
        origin="lower",
        extent=edges,
        cmap=colours,
        aspect=square,
        interpolation="nearest",
        norm=norm,
        vmin=None if limits is None else limits[0],
        vmax=None if limits is None else limits[1],
    )


def _colours(moves: Ints) -> tuple[list[int], Any]:
    """Return the moves that are played, and a colour for each."""
    played = sorted(set(moves.tolist()))
    if len(played) <= len(COLOURS):
        return played, ListedColormap(list(COLOURS[: len(played)]))
    return played, "viridis"


def move_colours(moves: Ints, count: int) -> tuple[Any, Any]:
    """Return colours by the number of a move, the same in every panel, and their norm."""
    if count <= len(COLOURS):
        shown = ListedColormap(list(COLOURS[:count]))
        return shown, BoundaryNorm(np.arange(count + 1) - 0.5, count)
    return "viridis", Normalize(0, count - 1)


def move_legend(axes: Axes, moves: Ints, table: Table) -> None:
    """Tell which colour of `move_colours` stands for which move, of those that are played."""
    played, count = sorted(set(moves.astype(int).tolist())), len(table.moves)
    colours, norm = move_colours(moves, count)
    map_ = colormaps[colours] if isinstance(colours, str) else colours
    hands = [Patch(color=map_(norm(move)), label=table.moves[move]) for move in played]
    axes.legend(handles=hands, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)


def _moves(
    figure: Figure, axes: Axes, places: tuple[Ints, Ints], moves: Ints, table: Table
) -> None:
    """Draw which move is best over two fields."""
    played, colours = _colours(moves)
    shown = np.searchsorted(played, moves).astype(float)
    norm = BoundaryNorm(np.arange(len(played) + 1) - 0.5, len(played))
    few = len(played) <= len(COLOURS)
    image = grid_of(axes, *places, shown, colours, norm if few else None)
    if few:
        hands = [
            Patch(color=COLOURS[place], label=table.moves[move])
            for place, move in enumerate(played)
        ]
        axes.legend(handles=hands, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
        return
    bar = figure.colorbar(image, ax=axes, pad=0.02)
    ticks = np.linspace(0, len(played) - 1, min(12, len(played))).astype(int)
    bar.set_ticks(ticks.tolist(), labels=[table.moves[played[tick]] for tick in ticks])


def _strip(left: Axes, right: Axes, x: Ints, values: Floats, moves: Ints, table: Table) -> None:
    """Draw values and moves over a single field."""
    left.scatter(x, values, color=BLUE, s=14)
    played, _ = _colours(moves)
    right.scatter(x, np.searchsorted(played, moves), color=BLUE, s=14)
    right.set_yticks(range(len(played)), [table.moves[move] for move in played])


def _sorted(left: Axes, right: Axes, values: Floats, moves: Ints, table: Table, unit: str) -> None:
    """Draw all positions by their worth, where no field is a number; and how often each move."""
    left.plot(np.sort(values), color=BLUE)
    left.set(xlabel="positions, the worst first", ylabel=unit)
    played, counts = np.unique(moves, return_counts=True)
    order = np.argsort(-counts)[:20]
    right.barh([table.moves[played[place]] for place in order], counts[order], color=BLUE)
    right.invert_yaxis()
    right.set_xlabel("positions")


def _subject(game: Game) -> tuple[Game | Table, AnyStrategy]:
    """Return what is evaluated, and best play there: a plan, or its name where an engine has it."""
    if game.engine:
        return game, "optimal"
    solution = solved_on_table(game)
    return solution.table, solution.plan


MOST_RUNGS = 24
"""Strategies that a ladder shows."""


def _rungs(asked: Asked) -> tuple[str, ...]:
    """Return the strategies of a ladder: those asked for, or all that have names."""
    every = ("random", *list(asked.game.strategies)[: MOST_RUNGS - 2], "optimal")
    return asked.strategies or every


@kind(
    Game,
    "ladder",
    "what strategies get, from random to the optimum",
    most=MOST_RUNGS,
    many=True,
    often=lambda asked: 1 + len(_rungs(asked)) if asked.game.engine else 0,
)
def ladder(asked: Asked) -> Figure:
    """Return what each strategy gets from the optimal player, or brings alone."""
    game = asked.game
    subject, best = _subject(game)
    rungs: list[tuple[str, float]] = []
    unit = game.unit
    for name in _rungs(asked):
        try:
            rest = [best] * (game.players - 1)
            found = evaluate(subject, name, rest if game.players > 2 else best if rest else None)
        except DicelabError:
            if name in asked.strategies:
                raise
            continue  # one that needs other rules
        value = float(found.overall[0] if isinstance(found, SeatedEvaluation) else found.value)
        if np.isfinite(value):
            rungs.append((name, value))
        unit = found.game.unit if isinstance(found, Evaluation) else found.unit
    scale, told = scaled(unit)
    rungs.sort(key=lambda rung: rung[1], reverse=bool(game.fewest))
    figure = blank(7.6, 1.6 + 0.32 * len(rungs))
    axes = figure.subplots()
    colours = [
        GREY if name == "random" else PALE if name == "optimal" else BLUE for name, _ in rungs
    ]
    axes.barh([name for name, _ in rungs], [scale * value for _, value in rungs], color=colours)
    for place, (_, value) in enumerate(rungs):
        axes.text(scale * value, place, f" {scale * value:.4g}", va="center", fontsize=8)
    against = ["", ", against the optimal player, both seats"][min(1, game.players - 1)]
    if game.players > 2:
        against = ", against players of the strategy found, in every seat"
    axes.set_xlabel(f"{told}{against}")
    headline(figure, f"{game}: the ladder")
    return figure
