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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from dicelab.errors import NotSolved
from dicelab.games.pig.study.threshold import Steady
from dicelab.games.pig.study.tracker import as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.fit import evidence_of, fit
from dicelab.people.sampling import Sampler
from dicelab.rounds.induction import solve as solve_round
from dicelab.rounds.rules import Round
from dicelab.rules import LOSS, ONGOING, OTHER, HouseRules
from dicelab.rules.registry import game
from dicelab.strategies.file import load_strategy, save_strategy
from dicelab.strategies.named import plan
from dicelab.table import compile
from dicelab.verbs.best_response import best_response, iterate
from dicelab.verbs.density import density
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.simulate import simulate
from dicelab.verbs.solve import solve
from dicelab.verbs.tournament import tournament

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
    Parallel(n_jobs=len(PARTS))(delayed(_run)(part) for part in PARTS)
    print(f"dicelab is warm: inner loops compiled in {time.perf_counter() - began:.0f} s")


def _run(part: Iterable[Callable[[], None]]) -> None:
    for work in part:
        work()


def warm_solving() -> None:
    """Run what finds best play and best replies."""
    small = compile(game("pig", target=12))
    best = solve(small).plan
    for opponent in ("hold-at:5", "random"):  # one that plays, one that mixes
        best_response(small, opponent, best)
    iterate(small, "hold-at:5")
    waiting = compile(game("pig", target=12, passing=True))  # play that may never end
    solve(waiting)
    best_response(waiting, "skip-when-level:5")
    for alone in (game("solo-pig", target=12), game("solo-pig", target=12, turns=3)):
        solve(alone)
    large = compile(game("two-dice-pig", target=LARGE_TARGET))
    solve(large)
    best_response(large, "hold-at:20")
    solve(compile(CoinRace()))
    battle = compile(game("dice-battle", dice=3, target=6, variant="one"))
    best_response(battle, solve(battle).plan)
    solve_round(Round(1), "sum", exact=False)


def warm_at_once() -> None:
    """Run what plays games in which both throw at once."""
    for variant in ("simultaneous", "simultaneous-zero"):
        best = solve(game("dice-battle", dice=3, target=6, variant=variant)).plan
        best_response(best.table, best)
        for one in (best, "blind:1"):
            simulate(best.table, one, "blind:2", games=10)


def warm_playing() -> None:
    """Run what follows two players who have decided, and people."""
    small = compile(game("pig", target=12))
    players = ("hold-at:5", "end-race-or-keep-pace", "random")  # sees little, sees all, mixes
    for opponent in players:
        evaluate(small, "turtle", opponent)
        density(small, "turtle", opponent)
        for by in ("turns", "moves"):
            simulate(small, opponent, "turtle", games=10, by=by)
    evaluate(small, "random", "random")
    tournament(small.game, list(players))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("saved.csv", "saved.npz"):
            save_strategy(plan(small, "turtle"), Path(folder) / name)
            load_strategy(Path(folder) / name, small)
    waiting = compile(game("pig", target=12, passing=True))
    evaluate(waiting, "skip-when-level:5", "skip-when-level:5")
    density(waiting, "skip-when-level:5", "skip-when-level:5")
    simulate(waiting, "skip-when-level:5", "skip-when-level:5", games=10)
    for alone in (game("solo-pig", target=12), game("solo-pig", target=12, turns=3)):
        table = compile(alone)
        evaluate(table, "hold-at:5")
        density(table, "hold-at:5")
        simulate(table, "hold-at:5", games=10)
    large = compile(game("two-dice-pig", target=LARGE_TARGET))
    evaluate(large, "hold-at:20", "random")
    with contextlib.suppress(NotSolved):  # whoever asks for it hears it; here kernels matter
        density(large, "hold-at:20", "random")
    battle = compile(game("dice-battle", dice=3, target=6, variant="one"))
    simulate(battle, "blind:1", "blind:2", games=10)
    simulate(compile(CoinRace()), "random", "random", games=10)
    sampler = Sampler(small, ["hold-at:5", "random"])
    turns = turns_of(as_tracker(sampler.play(5, np.random.default_rng(1))), small)
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


PARTS = ((warm_solving, warm_faces), (warm_at_once, warm_playing))
"""What is run side by side: about as much to compile, and little that both need."""


if __name__ == "__main__":
    main()
