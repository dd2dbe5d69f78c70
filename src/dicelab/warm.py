"""python -m dicelab.warm: compile the inner loops now, so that the first answer does not wait.

Numba compiles a kernel when it first meets arguments of some types, and keeps the machine code on
disk. Small games, played through every verb, meet all the types that large ones do. What the
command line and the figures import is imported too, so that its byte code is there as well.
"""

from __future__ import annotations

import contextlib
import importlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from dicelab.best_response import best_response, iterate
from dicelab.density import density
from dicelab.errors import NotSolved
from dicelab.evaluate import evaluate
from dicelab.people.decisions import as_tracker
from dicelab.people.fit import evidence_of, fit
from dicelab.people.models import Steady
from dicelab.people.sampling import Sampler
from dicelab.people.unseen import turns_of
from dicelab.registry import game
from dicelab.rounds.induction import solve as solve_round
from dicelab.rounds.rules import Round
from dicelab.rules import LOSS, ONGOING, OTHER, HouseRules
from dicelab.simulate import simulate
from dicelab.solve import solve
from dicelab.strategy_file import load_strategy, save_strategy
from dicelab.table import Table, compile
from dicelab.tournament import tournament

LARGE_TARGET = 40
"""Two-dice Pig to this target is one component with too many cuts for elimination."""

IMPORTED = (
    "dicelab.cli",
    "scipy.stats",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "joblib",
    "choix",
)


@dataclass(frozen=True)
class CoinRace(HouseRules):
    """The first to throw heads wins: the smallest game of house rules with a cycle."""

    name = "coin-race"

    def start(self) -> int:
        """Return the position the game starts from."""
        return 0

    def choices(self, at: int) -> list[str]:
        """Return the only move."""
        return ["throw"]

    def outcomes(self, at: int, move: str) -> Iterator[Any]:
        """Yield heads, which wins, and tails, which passes the coin on."""
        yield Fraction(1, 2), 1, OTHER
        yield Fraction(1, 2), 0, OTHER

    def result(self, at: int) -> int:
        """Return LOSS for the player who gets the coin after heads."""
        return LOSS if at else ONGOING


def main() -> None:
    """Fill the caches and say how long that took."""
    began = time.perf_counter()
    Parallel(n_jobs=len(PARTS))(delayed(part)() for part in PARTS)
    print(f"dicelab is warm: inner loops compiled in {time.perf_counter() - began:.0f} s")


def warm_turns() -> None:
    """Run what solves and plays games in which the players take turns."""
    small = compile(game("pig", target=12))
    best = solve(small).plan
    for opponent in ("hold-at:5", "random"):  # one that plays, one that mixes
        best_response(small, opponent, best)
        evaluate(small, best, opponent)
    evaluate(small, "random", "random")
    iterate(small, "hold-at:5")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("best.csv", "best.npz"):
            save_strategy(best, Path(folder) / name)
            load_strategy(Path(folder) / name, small)
    tournament(small.game, ["hold-at:5", "random"])

    waiting = compile(game("pig", target=12, passing=True))  # play that may never end
    solve(waiting)
    best_response(waiting, "skip-when-level:5")
    evaluate(waiting, "skip-when-level:5", "skip-when-level:5")

    for alone in (game("solo-pig", target=12), game("solo-pig", target=12, turns=3)):
        table = compile(alone)
        solve(table)
        evaluate(table, "hold-at:5")

    large = compile(game("two-dice-pig", target=LARGE_TARGET))
    plan = solve(large).plan
    best_response(large, "hold-at:20")
    evaluate(large, plan, "random")
    with contextlib.suppress(NotSolved):  # whoever asks for it hears it; here kernels matter
        density(large, plan, "random")
    solve(compile(CoinRace()))
    battle = compile(game("dice-battle", dice=3, target=6, variant="one"))
    best_response(battle, solve(battle).plan)


def warm_the_rest() -> None:
    """Run what else there is, and last what needs kernels of the other part, kept by then."""
    at_once = [
        solve(game("dice-battle", dice=3, target=6, variant=variant)).plan
        for variant in ("simultaneous", "simultaneous-zero")
    ]
    solve_round(Round(1), "sum", exact=False)
    warm_faces()

    small = compile(game("pig", target=12))
    for opponent in ("hold-at:5", "random"):
        density(small, "turtle", opponent)
        for by in ("turns", "moves"):
            simulate(small, opponent, "turtle", games=10, by=by)
    waiting = compile(game("pig", target=12, passing=True))
    density(waiting, "skip-when-level:5", "skip-when-level:5")
    simulate(waiting, "skip-when-level:5", "skip-when-level:5", games=10)
    for alone in (game("solo-pig", target=12), game("solo-pig", target=12, turns=3)):
        table = compile(alone)
        density(table, "hold-at:5")
        simulate(table, "hold-at:5", games=10)
    battle = compile(game("dice-battle", dice=3, target=6, variant="one"))
    simulate(battle, "blind:1", "blind:2", games=10)
    simulate(compile(CoinRace()), "random", "random", games=10)
    warm_people(small)
    for plan in at_once:
        simulate(plan.table, plan, "blind:2", games=10)
        simulate(plan.table, "blind:1", "blind:2", games=10)
        best_response(plan.table, plan)


def warm_people(table: Table) -> None:
    """Run the kernel for unseen rolls once."""
    sampler = Sampler(table, ["hold-at:5", "random"])
    turns = turns_of(as_tracker(sampler.play(5, np.random.default_rng(1))), table)
    fit(Steady(), evidence_of(turns))


def warm_faces() -> None:
    """Import what the command line and the figures need, and draw one."""
    for module in IMPORTED:
        importlib.import_module(module)
    from dicelab import plots

    figure = plots.picture(solve(game("greed", max=12, sides=3)), "dicelab solve greed")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("svg", "png"):
            plots.save(figure, Path(folder) / f"figure.{ending}")


PARTS = (warm_turns, warm_the_rest)
"""What is run side by side: about as much to compile, and little that both need."""


if __name__ == "__main__":
    main()
