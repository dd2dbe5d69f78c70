"""Speed and memory, measured side by side in one run: `make bench`, or `python benchmarks/run.py`.

Every job runs in a process of its own with the compile caches filled, and is repeated; the table
shows the median. Peers do the same job in the same run. Nothing here is a test: see the README of
this folder for numbers of one machine, and rerun it on yours.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))


def solve(target: int) -> dict[str, Any]:
    """Pig from rules to certified strategy."""
    from dicelab import solve as solver
    from dicelab.games.pig import Pig

    solver(Pig(target=5))  # loading the compiled code is shown apart, in the cold run
    solution, seconds = timed(lambda: solver(Pig(target=target)))
    return {
        "seconds": seconds,
        "positions": solution.positions,
        "error": solution.upper - solution.lower,
        "value": solution.value,
    }


def specialist(target: int) -> dict[str, Any]:
    """Value iteration for Pig alone, until changes fall below 1e-12."""
    import specialist as peer

    peer.solve(5, 1e-12)  # compilation is not counted
    (value, _), seconds = timed(lambda: peer.solve(target, 1e-12))
    return {"seconds": seconds, "value": float(value[0, 0, 0])}


def evaluation(target: int) -> dict[str, Any]:
    """hold-at:20 against hold-at:21, on a compiled table, strategies read anew."""
    from dicelab.evaluate import evaluate_table

    table = _table(target)
    evaluate_table(table, "hold-at:10", "hold-at:11")
    result, seconds = timed(lambda: evaluate_table(table, "hold-at:20", "hold-at:21"))
    return {"seconds": seconds, "value": result.first, "error": result.error}


def response(target: int) -> dict[str, Any]:
    """The best reply to hold-at:20, certified, on a compiled table."""
    from dicelab.best_response import respond_on

    table = _table(target)
    respond_on(_table(5), "hold-at:20")
    reply, seconds = timed(lambda: respond_on(table, "hold-at:20"))
    error = reply.solution.upper - reply.solution.lower
    return {"seconds": seconds, "value": reply.first, "error": error}


def cold(target: int) -> dict[str, Any]:
    """`dicelab solve pig` in a new process, start-up and all."""
    command = [sys.executable, "-m", "dicelab", "solve", "pig", f"target={target}", "--json"]
    done, seconds = timed(lambda: subprocess.run(command, check=True, capture_output=True))
    return {"seconds": seconds, "value": json.loads(done.stdout)["value"]}


def _table(target: int) -> Any:
    from dicelab import compile
    from dicelab.games.pig import Pig

    return compile(Pig(target=target))


JOBS: dict[str, Callable[[int], dict[str, Any]]] = {
    "solve": solve,
    "specialist": specialist,
    "evaluation": evaluation,
    "response": response,
    "cold": cold,
}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return a result and the seconds it took."""
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def measure(job: str, target: int, repeats: int) -> dict[str, Any]:
    """Return the median run of a job, each run in its own process on one core."""
    runs = []
    for _ in range(repeats):
        command = [sys.executable, __file__, "--job", job, "--target", str(target)]
        env = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
        runs.append(json.loads(done.stdout))
    median = statistics.median_low([run["seconds"] for run in runs])
    return next(run for run in runs if run["seconds"] == median)


def report(repeats: int, largest: int) -> None:
    """Measure everything and print the tables."""
    console = Console()
    sizes = [size for size in (50, 100, 150, 200, 300) if size <= largest]
    plan = [(job, 100) for job in JOBS] + [("solve", size) for size in sizes]
    runs = {
        (job, size): measure(job, size, repeats if size <= 100 else 1)
        for job, size in track(plan, "measuring", transient=True)
    }
    peer = runs["specialist", 100]["seconds"]
    exact = runs["solve", 100]["value"]
    table = Table("Pig to 100", "seconds", "against the specialist", "peak MB", "off by")
    for job, work in JOBS.items():
        run = runs[job, 100]
        off = (
            f"{run['error']:.0e} (certified)"
            if "error" in run
            else f"{abs(run['value'] - exact):.0e}"
        )
        ratio = f"{run['seconds'] / peer:.2f} x"
        label = str(work.__doc__).splitlines()[0]
        table.add_row(label, f"{run['seconds']:.3f}", ratio, f"{run['peak']:.0f}", off)
    console.print(table)
    growth = Table("target", "positions", "seconds", "ns a position", "against 50", "peak MB")
    base = runs["solve", 50]["seconds"] / runs["solve", 50]["positions"]
    for size in sizes:
        run = runs["solve", size]
        each = run["seconds"] / run["positions"]
        cells = [f"{run['positions']:,}", f"{run['seconds']:.2f}", f"{each * 1e9:.0f}"]
        growth.add_row(str(size), *cells, f"{each / base:.2f} x", f"{run['peak']:.0f}")
    console.print(growth)
    console.print(f"{platform.platform()}, Python {platform.python_version()}, one core")


def main() -> None:
    """Run the report, or one job of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--job", choices=JOBS)
    parser.add_argument("--target", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--largest", type=int, default=300)
    options = parser.parse_args()
    if options.job is None:
        report(options.repeats, options.largest)
        return
    result = JOBS[options.job](options.target)
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps(result))


if __name__ == "__main__":
    main()
