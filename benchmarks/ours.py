"""Our side of the benchmarks, and that of the specialist: `python benchmarks/ours.py JOB SIZE`.

Loading the compiled code is part of start-up: every job does a small one of its kind first.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

from job import Watch, run

OURS = ("dicelab", "numba", "numpy")


def solve(watch: Watch, target: int) -> dict[str, Any]:
    """Pig from rules to certified values and moves."""
    from dicelab import compile
    from dicelab.games.pig import Pig
    from dicelab.verbs.solve import solve

    solve(compile(Pig(target=5)))
    watch.ready()
    table = compile(Pig(target=target))
    watch.lap("build")
    solution = solve(table)
    watch.lap("solve")
    error = (solution.upper - solution.lower) / 2
    return {
        "value": (solution.upper + solution.lower) / 2,
        "error": error,
        "positions": solution.positions,
        "packages": OURS,
    }


def exact(watch: Watch, target: int) -> dict[str, Any]:
    """Pig in fractions: the reference for small targets."""
    from dicelab import solve as solver
    from dicelab.games.pig import Pig

    watch.ready()
    value = solver(Pig(target=target), exact=True).value
    watch.lap("solve")
    return {"value": float(value), "error": 0.0, "packages": OURS}


def specialist(watch: Watch, target: int) -> dict[str, Any]:
    """Value iteration in Numba for Pig alone, until changes fall below 1e-12."""
    import specialist as peer

    peer.solve(5, 1e-12)
    watch.ready()
    value, _ = peer.solve(target, 1e-12)
    watch.lap("solve")
    return {"value": float(value[0, 0, 0]), "packages": ("numba", "numpy")}


def pure_python(watch: Watch, target: int) -> dict[str, Any]:
    """The same in plain Python."""
    import pure_python as peer

    watch.ready()
    value = peer.solve(target, 1e-12)
    watch.lap("solve")
    return {"value": value[0][0][0]}


def response(watch: Watch, target: int) -> dict[str, Any]:
    """The best reply to hold-at:20, from rules to certified values and moves."""
    from dicelab import compile
    from dicelab.games.pig import Pig
    from dicelab.verbs.best_response import best_response

    best_response(compile(Pig(target=5)), "hold-at:20")
    watch.ready()
    table = compile(Pig(target=target))
    watch.lap("build")
    reply = best_response(table, "hold-at:20")
    watch.lap("solve")
    solution = reply.solution
    error = (solution.upper - solution.lower) / 2
    return {
        "value": (solution.upper + solution.lower) / 2,
        "error": error,
        "positions": len(table),
        "packages": OURS,
    }


def evaluation(watch: Watch, target: int) -> dict[str, Any]:
    """hold-at:20 against hold-at:21 on a compiled table: the first evaluation there (build), any
    other of two names (solve), and one of strategies that have met others before (known)."""
    from dicelab import compile, plan
    from dicelab.games.pig import Pig
    from dicelab.verbs.evaluate import evaluate

    small, table = compile(Pig(target=5)), compile(Pig(target=target))
    evaluate(small, "hold-at:2", "hold-at:3")
    watch.ready()
    evaluate(table, "hold-at:10", "hold-at:11")
    watch.lap("build")
    result = evaluate(table, "hold-at:20", "hold-at:21")
    watch.lap("solve")
    plans = [plan(table, f"hold-at:{points}") for points in (20, 21, 22)]
    for other in plans[:2]:
        evaluate(table, other, plans[2])
    watch.lap("others")
    evaluate(table, *plans[:2])
    watch.lap("known")
    return {"value": result.first, "error": result.error, "packages": OURS}


def tournament(watch: Watch, target: int) -> dict[str, Any]:
    """100 strategies, everybody against everybody, exact, on two cores."""
    from dicelab import game
    from dicelab import tournament as play

    names = [f"hold-at:{points}" for points in range(1, 101)]
    watch.ready()
    played = play(game("pig", target=target), names, workers=2)
    watch.lap("solve")
    return {"value": float(played.first[19, 24]), "packages": OURS}


def cold(watch: Watch, target: int) -> dict[str, Any]:
    """`dicelab solve pig` in a new process, start-up and all."""
    command = [sys.executable, "-m", "dicelab", "solve", "pig", f"target={target}", "--json"]
    began = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True)
    watch.laps["startup"] = time.perf_counter() - began
    told = json.loads(done.stdout)
    return {"value": told["value"], "error": (told["upper"] - told["lower"]) / 2, "packages": OURS}


JOBS = {
    "solve": solve,
    "exact": exact,
    "specialist": specialist,
    "pure_python": pure_python,
    "response": response,
    "evaluation": evaluation,
    "tournament": tournament,
    "cold": cold,
}

if __name__ == "__main__":
    run(JOBS, sys.argv[1:])
