"""How cost grows: each game at sizes two decades apart. `python benchmarks/growth.py NAME SIZE`.

A size is measured in a process of its own: seconds from rules to certified values, and the memory
that this took at its peak above what the process held before. Straight lines through the logarithms
give the exponents. The figure is drawn in the house style.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from job import Watch, memory, run

SIZES: dict[str, tuple[int, ...]] = {
    "pig": (20, 30, 45, 70, 100, 150, 200),
    "piglet": (20, 30, 45, 70, 100),
    "two-dice-pig": (20, 30, 45, 70, 100),
    "big-pig": (20, 30, 45, 70, 100, 150),
    "solo-pig": (50, 100, 200, 400, 800),
    "dice-battle": (20, 40, 80, 160, 320),
    "dice-battle at once": (10, 30, 70, 150, 350),
    "greed": (15, 30, 60, 120, 200),
}
"""The targets of each game, or the maxima of Greed, such that positions grow at least 100-fold."""


def game_of(name: str, size: int) -> Any:
    """Return a game at a size."""
    from dicelab import game

    plain, _, at_once = name.partition(" ")
    parameters: dict[str, Any] = {"max" if plain == "greed" else "target": size}
    if at_once:
        parameters |= {"variant": "simultaneous", "dice": 4}
    return game(plain, **parameters)


def job(name: str) -> Any:
    """Return the job that measures a game at a size."""

    def grow(watch: Watch, size: int) -> dict[str, Any]:
        from dicelab import solve

        solve(game_of(name, 6))
        before = memory("VmRSS")
        watch.ready()
        solution = solve(game_of(name, size))
        watch.lap("solve")
        held = (memory("VmHWM") - before) * 2**20
        error = float(solution.upper - solution.lower) / 2
        return {"positions": solution.positions, "bytes": max(held, 0.0), "error": error}

    return grow


JOBS = {name: job(name) for name in SIZES}


def exponent(runs: list[dict[str, Any]], what: str) -> float:
    """Return the slope of a line through the logarithms, over the larger sizes."""
    # Small sizes measure what every call costs, whatever its size.
    points = [(math.log(run["positions"]), math.log(run[what])) for run in runs if run[what] > 0]
    points = sorted(points)[len(points) // 2 - 1 :]
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    over = sum((a - x) * (b - y) for a, b in points)
    return over / sum((a - x) ** 2 for a, _ in points)


def draw(found: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Draw seconds and bytes against positions."""
    from dicelab.plots import style

    looks = zip((*style.COLOURS, style.GREY), (*style.MARKS, "*"), strict=True)
    with style.house_style():
        figure = style.blank(9.5, 4.4)
        seconds, held = figure.subplots(1, 2)
        for (name, runs), (colour, mark) in zip(found.items(), looks, strict=True):
            positions = [run["positions"] for run in runs]
            look = {"color": colour, "marker": mark, "markersize": 4}
            seconds.loglog(positions, [run["solve"] for run in runs], label=name, **look)
            held.loglog(positions, [run["bytes"] / run["positions"] for run in runs], **look)
        seconds.set_title("seconds, rules to certified values")
        held.set_title("bytes a position, at the peak")
        for axes in (seconds, held):
            axes.set_xlabel("positions")
        seconds.legend(fontsize=8)
        style.headline(figure, "How cost grows")
        style.small_print(figure, "make bench-page")
        style.save(figure, path)


if __name__ == "__main__":
    run(JOBS, sys.argv[1:])
