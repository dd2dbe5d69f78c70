"""Matrix games: our kernel beside HiGHS, and whole games of Dice Battle and Greed.

`python benchmarks/at_once.py` solves Dice Battle to 100 with up to ten dice, both players at once:
ten thousand matrix games of 10 x 10. A sample of these matrices is then solved again, each by our
kernel and by HiGHS, and the bounds that their mixtures prove are compared. At last, Greed.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from dicelab import game, solve
from dicelab.solvers.matrix_game import by_highs, guaranteed, mix
from dicelab.table.races import RaceTable
from dicelab.verbs.mixtures import SimultaneousSolution


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result and the seconds it took."""
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def matrices(solution: SimultaneousSolution, count: int) -> list[Any]:
    """Return the matrices at some positions, drawn at random with a fixed seed."""
    table = solution.table
    assert isinstance(table, RaceTable)
    law, points = table.law, table.law.shape[1]
    value = np.zeros(table.results.shape)
    known = table.number_at >= 0
    value[known] = solution.values[table.number_at[known]]
    here = np.flatnonzero(table.is_ongoing)
    mine, yours = table.scores
    found = []
    for number in np.random.default_rng(1).choice(here, count, replace=False):
        i, j = mine[number], yours[number]
        found.append(law @ value[i : i + points, j : j + points] @ law.T)
    return found


def by_kernel(payoffs: Any) -> tuple[Any, Any]:
    """Return optimal mixtures as our kernel finds them."""
    x, y = np.empty(payoffs.shape[0]), np.empty(payoffs.shape[1])
    assert mix(payoffs, x, y, x.copy(), y.copy(), 0.0, 1.0, 1e-11) != 2
    return x, y


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="matrices solved both ways")
    options = parser.parse_args()
    console = Console()
    whole = Table("game", "positions", "seconds", "bounds apart")
    for name, parameters in (
        ("dice-battle", {"variant": "simultaneous"}),
        ("dice-battle", {"variant": "simultaneous-zero"}),
        ("dice-battle", {"variant": "zero"}),
        ("greed", {"max": 100, "sides": 6}),
        ("greed", {"max": 500, "sides": 20}),
    ):
        rules = game(name, **parameters)
        solve(game(name, **{**parameters, **({"max": 9} if name == "greed" else {"target": 3})}))
        solution, seconds = timed(lambda rules=rules: solve(rules))
        apart = f"{solution.upper - solution.lower:.0e}"
        whole.add_row(str(rules), f"{solution.positions:,}", f"{seconds:.2f}", apart)
        if isinstance(solution, SimultaneousSolution) and parameters["variant"] == "simultaneous":
            sample = matrices(solution, options.sample)
    console.print(whole)
    both = Table("10 x 10 matrix games", "microseconds each", "bounds apart, worst")
    for name, method in (("our kernel", by_kernel), ("HiGHS", by_highs)):
        method(sample[0])
        mixtures, seconds = timed(lambda method=method: [method(one) for one in sample])
        gaps = [
            upper - lower
            for one, pair in zip(sample, mixtures, strict=True)
            for lower, upper in [guaranteed(one, *pair)]
        ]
        both.add_row(name, f"{1e6 * seconds / len(sample):.1f}", f"{max(gaps):.0e}")
    console.print(both)
    console.print(f"{platform.platform()}, Python {platform.python_version()}")


if __name__ == "__main__":
    main()
