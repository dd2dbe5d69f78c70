"""Games with very many ways back: `python benchmarks/ways_back.py JOB KIND PLACES`.

The games are those of `tests/random_graphs.py`. Beside us stands plain value iteration in NumPy on
the same arrays, until changes fall below 1e-12, which is a stopping rule and no bound.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from job import Watch, run

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from random_graphs import RandomGraph, RandomSolo, by_iteration, ways

KINDS = {
    "two players, 20% back": (RandomGraph, 20),
    "two players, 45% back": (RandomGraph, 45),
    "alone, 20% back": (RandomSolo, 20),
    "alone, 45% back": (RandomSolo, 45),
}
PLACES = (10_000, 100_000, 1_000_000)


def game(kind: int, places: int) -> RandomGraph:
    """Return a game of one of the kinds, by its number."""
    rules, percent = list(KINDS.values())[kind]
    ways(places, percent, 0)  # drawing the game is no part of solving it
    return rules(places, percent)


def solve(watch: Watch, kind: int, places: int) -> dict[str, Any]:
    """Solve a game from rules to certified values and moves; the widest bounds are told."""
    from dicelab import compile
    from dicelab import solve as solver

    solver(compile(game(kind, 2_000)))
    rules = game(kind, places)
    watch.ready()
    table = compile(rules)
    watch.lap("build")
    solution = solver(table)
    watch.lap("solve")
    return {
        "value": (solution.upper + solution.lower) / 2,
        "error": float((solution.uppers - solution.lowers).max() / 2),
        "positions": len(table),
        "packages": ("dicelab", "numba", "numpy", "scipy"),
    }


def iteration(watch: Watch, kind: int, places: int) -> dict[str, Any]:
    """Find the values of a game by plain value iteration."""
    rules = game(kind, places)
    watch.ready()
    values, sweeps = by_iteration(rules)
    watch.lap("solve")
    return {"value": float(values[0]), "sweeps": sweeps, "packages": ("numpy",)}


JOBS = {"solve": solve, "iteration": iteration}

if __name__ == "__main__":
    run(JOBS, sys.argv[1:])
