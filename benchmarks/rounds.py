"""Rounds: seconds and memory, and checks too heavy for the tests: `python benchmarks/rounds.py`.

Every job runs in a process of its own; the table shows the median of the runs. Claims that a number
must stay below are printed beside it. `--verify` plays a million rounds for each policy and player
and compares them with the exact values; it takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table


def one_utility(casts: int) -> dict[str, Any]:
    """Six dice with six faces, one utility, floats; matrices and all."""
    from dicelab.rounds import Round, solve
    from dicelab.rules.dice import Die

    solve(Round(1), "sum", exact=False)  # compilation is not counted
    solution, seconds = timed(lambda: solve(Round(6, Die(6), casts), "sum", exact=False))
    return {"seconds": seconds, "value": solution.value}


def one_exact(casts: int) -> dict[str, Any]:
    """Six dice with six faces, one utility, exact; matrices and all."""
    from dicelab.rounds import Round, solve
    from dicelab.rules.dice import Die

    solution, seconds = timed(lambda: solve(Round(6, Die(6), casts), "sum"))
    return {"seconds": seconds, "value": float(solution.value)}


def batch(casts: int) -> dict[str, Any]:
    """Five dice with six faces, a batch of 10,000 utilities, two threads."""
    return _batch(casts, "aside")


def batch_yahtzee(casts: int) -> dict[str, Any]:
    """The same with Yahtzee's rule."""
    return _batch(casts, "any")


def _batch(casts: int, keep: Any) -> dict[str, Any]:
    import numpy as np

    from dicelab.rounds import Round, solve, solve_batch
    from dicelab.rules.dice import Die

    solve(Round(1), "sum", exact=False)
    game = Round(5, Die(6), casts, keep)
    worths = np.random.default_rng(1).random((10_000, 252))
    values, seconds = timed(lambda: solve_batch(game, worths, jobs=2))
    return {"seconds": seconds, "value": float(values.mean())}


def study(casts: int) -> dict[str, Any]:
    """All of tables 1 to 4, exact."""
    from dicelab.rounds import Round, benchmark

    tables, seconds = timed(lambda: benchmark(Round(casts=casts)))
    return {"seconds": seconds, "value": float(tables[0].best)}


def growth(casts: int) -> dict[str, Any]:
    """Six dice with six faces, many casts, floats; memory of the solution counted."""
    from dicelab.rounds import Round, solve, utility
    from dicelab.rules.dice import Die

    game = Round(6, Die(6), casts)
    worth = utility("sum", game)
    solve(game, worth, exact=False)  # the matrices serve any number of casts
    seconds = min(busy(lambda: solve(game, worth, exact=False)) for _ in range(9))
    tracemalloc.start()
    solution = solve(game, worth, exact=False)
    held, _ = tracemalloc.get_traced_memory()
    return {"seconds": seconds, "value": solution.value, "held": held / 1e6}


def growth_exact(casts: int) -> dict[str, Any]:
    """Three dice with six faces, many casts, exact: the numbers themselves grow longer."""
    from dicelab.rounds import Round, solve, utility

    game = Round(casts=casts)
    worth = utility("goal:421", game)
    seconds = min(busy(lambda: solve(game, worth)) for _ in range(9))
    return {"seconds": seconds, "value": float(solve(game, worth).value), "held": 0.0}


JOBS: dict[str, Callable[[int], dict[str, Any]]] = {
    "one_utility": one_utility,
    "one_exact": one_exact,
    "batch": batch,
    "batch_yahtzee": batch_yahtzee,
    "study": study,
    "growth": growth,
    "growth_exact": growth_exact,
}
CLAIMS = {"one_utility": "1 s", "one_exact": "1 s", "batch": "10 s, 4000 MB"}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result and the seconds it took."""
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def busy(work: Callable[[], Any]) -> float:
    """Return the seconds of processor time a piece of work took, whoever else was at work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure(job: str, casts: int, repeats: int) -> dict[str, Any]:
    """Return the median run of a job, each run in its own process."""
    runs = []
    for _ in range(repeats):
        command = [sys.executable, __file__, "--job", job, "--casts", str(casts)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        runs.append(json.loads(done.stdout))
    median = statistics.median_low([run["seconds"] for run in runs])
    return next(run for run in runs if run["seconds"] == median)


def report(repeats: int) -> None:
    """Measure everything and print the tables."""
    console = Console()
    sizes = (3, 10, 20, 30, 40, 50)
    single = ["one_utility", "one_exact", "batch", "batch_yahtzee", "study"]
    plan = [(job, 3) for job in single]
    plan += [(job, casts) for job in ("growth", "growth_exact") for casts in sizes]
    runs = {key: measure(*key, repeats) for key in track(plan, "measuring", transient=True)}
    table = Table("three casts", "seconds", "peak MB", "claimed below")
    for job in single:
        run = runs[job, 3]
        label = str(JOBS[job].__doc__).splitlines()[0]
        table.add_row(label, f"{run['seconds']:.3f}", f"{run['peak']:.0f}", CLAIMS.get(job, ""))
    console.print(table)
    grown = Table("casts", "(6, 6) ms", "ms a cast", "held MB", "(3, 6) exact ms", "ms a cast")
    for casts in sizes:
        floats, exact = runs["growth", casts], runs["growth_exact", casts]
        cells = [floats["seconds"] * 1e3, floats["seconds"] * 1e3 / casts, floats["held"]]
        cells += [exact["seconds"] * 1e3, exact["seconds"] * 1e3 / casts]
        grown.add_row(str(casts), *(f"{cell:.2f}" for cell in cells))
    console.print(grown)
    console.print(f"{platform.platform()}, Python {platform.python_version()}")


def verify(rounds: int) -> None:
    """Play many rounds for each policy and player and say how far the exact values are off."""
    import numpy as np

    from dicelab.rounds import Round, evaluate, policy, simulate

    table = Table("utility", "policy", "player", "exact", "played", "standard errors")
    worst = 0.0
    rng = np.random.default_rng(421)
    names = ["optimal", "random", "ratchet:421", "bernoulli:421", "h0s0", "h0s1", "h1s0", "h1s1"]
    for worth in ("transfer", "sum"):
        for name in track(names, worth, transient=True):
            for player in ("first", "next"):
                plan = policy(name, Round(), worth, player)
                value = float(evaluate(plan, worth).value)
                seen = simulate(plan, worth, rounds, rng)
                off = (seen.mean - value) / seen.error
                worst = max(worst, abs(off))
                cells = [f"{value:.6f}", f"{seen.mean:.6f}", f"{off:+.2f}"]
                table.add_row(worth, name, player, *cells)
    Console().print(table)
    print(f"worst: {worst:.2f} standard errors in {rounds} rounds")
    if worst > 4:
        sys.exit(1)


def main() -> None:
    """Run the report, one job of it, or the long check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--job", choices=JOBS)
    parser.add_argument("--casts", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--rounds", type=int, default=1_000_000)
    options = parser.parse_args()
    if options.verify:
        verify(options.rounds)
        return
    if options.job is None:
        report(options.repeats)
        return
    result = JOBS[options.job](options.casts)
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps(result))


if __name__ == "__main__":
    main()
