"""The peers' side of the benchmarks: `python benchmarks/peers/jobs.py JOB SIZE`, in .venv-peers.

dicelab is not installed there; `run.py` puts its folder on the path, for `job`. Models that Storm
and PAYNT read are in the folder $BENCH_MODELS, written by `dicelab export` beforehand; the others
build the game themselves.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from job import Watch, run

HOLD = 20
DISCOUNT = 1 - 1e-13
"""Solvers that insist on a discount get one that matters less than rounding."""


def model(name: str) -> str:
    """Return the path of a model."""
    return str(Path(os.environ["BENCH_MODELS"]) / name)


def openspiel(watch: Watch, target: int) -> dict[str, Any]:
    """OpenSpiel's Pig (C++) and value iteration (Python), until changes fall below 1e-12."""
    import pyspiel
    from open_spiel.python.algorithms.value_iteration import value_iteration

    watch.ready()
    game = pyspiel.load_game(f"pig(players=2,winscore={target},horizon=1000000)")
    start = str(game.new_initial_state())
    values = value_iteration(game, depth_limit=-1, threshold=1e-12, cyclic_game=True)
    watch.lap("solve")
    return {"value": (1 + values[start]) / 2, "positions": len(values), "packages": ["open_spiel"]}


def paynt(watch: Watch, target: int) -> dict[str, Any]:
    """PAYNT's solver of stochastic games, on the model in PRISM's language."""
    import payntbind
    import stormpy

    watch.ready()
    program = stormpy.parse_prism_program(model(f"pig{target}.prism"))
    (asked,) = stormpy.parse_properties('<<first>> Pmax=? [F "paid"]', program)
    built = stormpy.build_model(program, [asked])
    watch.lap("build")
    answer = payntbind.synthesis.model_check_smg(
        built,
        asked.get_raw_formula(),
        only_initial_states=False,
        set_produce_schedulers=True,
        env=stormpy.Environment(),
    )
    watch.lap("solve")
    value = answer.get_value(built.initial_states[0])
    return {"value": value, "positions": built.nr_states, "packages": ["paynt", "stormpy"]}


def storm(watch: Watch, target: int, digits: int = 0) -> dict[str, Any]:
    """Storm on the model in PRISM's language; `digits` asks for a precision of so many."""
    import stormpy

    watch.ready()
    program = stormpy.parse_prism_program(model(f"reply{target}.prism"))
    (asked,) = stormpy.parse_properties('Pmax=? [F "paid"]', program)
    built = stormpy.build_model(program, [asked])
    watch.lap("build")
    how = stormpy.environments.default(built)
    if digits:
        solver = how.solver().min_max()
        solver.precision = stormpy.Rational(f"1/{10**digits}")
        solver.relative_termination_criterion = False
    answer = stormpy.model_checking(built, asked, extract_scheduler=True, environment=how)
    watch.lap("solve")
    value = answer.get_value(built.initial_states[0])
    return {"value": value, "positions": built.nr_states, "packages": ["stormpy"]}


def quantecon(watch: Watch, target: int) -> dict[str, Any]:
    """QuantEcon's policy iteration, on a sparse matrix."""
    import one_player
    from quantecon.markov import DiscreteDP
    from scipy.sparse import csr_matrix

    small = _program(DiscreteDP, csr_matrix, one_player.arrays(5, 2))
    small.solve(method="policy_iteration")
    watch.ready()
    program = _program(DiscreteDP, csr_matrix, one_player.arrays(target, HOLD))
    watch.lap("build")
    found = program.solve(method="policy_iteration")
    watch.lap("solve")
    packages = ["quantecon", "scipy", "numba"]
    return {"value": float(found.v[0]), "positions": program.num_states, "packages": packages}


def _program(kind: Any, matrix: Any, rows: dict[str, Any]) -> Any:
    size = int(rows["state"].max()) + 1
    moves = matrix((rows["chance"], rows["column"], rows["first"]), (len(rows["state"]), size))
    return kind(rows["reward"], moves, DISCOUNT, rows["state"], rows["action"])


def mdpsolver(watch: Watch, target: int) -> dict[str, Any]:
    """mdpsolver's modified policy iteration, on lists, until changes fall below 1e-10."""
    import mdpsolver as peer
    import one_player

    watch.ready()
    rows = one_player.arrays(target, HOLD)
    size = int(rows["state"].max()) + 1
    chances, columns, rewards = ([[] for _ in range(size)] for _ in range(3))  # type: ignore[var-annotated]
    firsts, states, gains = (rows[name].tolist() for name in ("first", "state", "reward"))
    every_chance, every_column = rows["chance"].tolist(), rows["column"].tolist()
    for row, (state, gain) in enumerate(zip(states, gains, strict=True)):
        part = slice(firsts[row], firsts[row + 1])
        chances[state].append(every_chance[part])
        columns[state].append(every_column[part])
        rewards[state].append(gain)
    solver = peer.model()
    solver.mdp(discount=DISCOUNT, rewards=rewards, tranMatProbs=chances, tranMatColumns=columns)
    watch.lap("build")
    solver.solve(algorithm="mpi", tolerance=1e-10, parallel=False)
    watch.lap("solve")
    return {"value": solver.getValue(0), "positions": size, "packages": ["mdpsolver"]}


JOBS = {
    "openspiel": openspiel,
    "paynt": paynt,
    "storm": storm,
    "quantecon": quantecon,
    "mdpsolver": mdpsolver,
}

if __name__ == "__main__":
    run(JOBS, sys.argv[1:])
