"""Choices after throws: `python benchmarks/after_throws.py JOB GAME`.

*folded* is how such a game is solved: what lies between the throw and the choice has no number.
*numbered* is the same game with a numbered position for every such moment, as the first edition
needed it. Pig stands beside them: a game without choices, for what an outcome costs.
"""

from __future__ import annotations

import sys
from typing import Any

from job import Watch, memory, run

GAMES = {
    "Farkle to 1000": ("farkle", {"target": 1000}),
    "Ur with 3 pieces": ("ur", {"pieces": 3}),
    "Pig to 100": ("pig", {}),
}


def _solved(watch: Watch, number: int, folded: bool) -> dict[str, Any]:
    from dicelab import compile
    from dicelab.rules.registry import game
    from dicelab.solvers.unfold import unfolded
    from dicelab.verbs.solve import solve_graph

    name, parameters = list(GAMES.values())[number]
    small = {"farkle": {"target": 300}, "ur": {"pieces": 1}, "pig": {"target": 20}}[name]
    solve_graph(compile(game(name, **small)), folded=folded)
    before = memory("VmRSS")
    watch.ready()
    table = compile(game(name, **parameters))
    watch.lap("build")
    solution = solve_graph(table, folded=folded)
    watch.lap("solve")
    arrays = table if folded or not table.has_choices else unfolded(table).arrays
    return {
        "value": (solution.upper + solution.lower) / 2,
        "error": float((solution.uppers - solution.lowers).max() / 2),
        "positions": len(arrays),
        "outcomes": int(table.target.size),
        "grown": memory("VmHWM") - before,
        "packages": ("dicelab", "numba", "numpy", "scipy"),
    }


def folded(watch: Watch, number: int) -> dict[str, Any]:
    """Solve a game with its choices folded, from rules to certified values."""
    return _solved(watch, number, folded=True)


def numbered(watch: Watch, number: int) -> dict[str, Any]:
    """Solve the same with a number for every moment after a throw."""
    return _solved(watch, number, folded=False)


JOBS = {"folded": folded, "numbered": numbered}

if __name__ == "__main__":
    run(JOBS, sys.argv[1:])
