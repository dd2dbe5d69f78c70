"""python -m dicelab.warm: compile the inner loops now, so that the first answer does not wait.

Numba compiles a kernel when it first meets arguments of some types, and keeps the machine code on
disk. Small games, played through every verb, meet all the types that large ones do: each game says
in a module `warm` of its folder what is worth running. What the command line and the figures
import is imported too, so that its byte code is there as well.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing import get_context

from dicelab.rounds.induction import solve as solve_round
from dicelab.rounds.rules import Round
from dicelab.rules import LOSS, ONGOING, OTHER, SAME, WIN, HouseRules
from dicelab.rules.registry import load_at_home
from dicelab.table import compile
from dicelab.verbs.best_response import best_response
from dicelab.verbs.simulate import simulate
from dicelab.verbs.solve import solve

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

    def outcomes(self, at: int, move: str) -> Iterator[tuple[Fraction, int, int]]:
        """Yield heads, which wins, and tails, which passes the coin on."""
        yield Fraction(1, 2), 1, OTHER
        yield Fraction(1, 2), 0, OTHER

    def result(self, at: int) -> int:
        """Return that the player before won, to the one who gets the coin after heads."""
        return self.won_by(self.players - 1) if at else ONGOING


@dataclass(frozen=True)
class CoinRaceOfThree(CoinRace):
    """The same for three, whose seats have kernels of their own."""

    players = 3


@dataclass(frozen=True)
class Lots(HouseRules):
    """Draw a lot, or be sure of an even chance: more kinds of outcomes than a byte can number."""

    players: int = 2  # type: ignore[misc]  # a parameter here
    lots: int = 300

    name = "lots"

    def start(self) -> int:
        """Return the position the game starts from."""
        return 0

    def choices(self, at: int) -> list[str]:
        """Return both moves."""
        return ["draw", "toss"]

    def outcomes(self, at: int, move: str) -> Iterator[tuple[Fraction, int, int]]:
        """Yield lots, each with a chance of its own, or the sides of a coin; odd ones win."""
        after = SAME if self.players == 1 else OTHER
        total = self.lots * (self.lots + 1)
        for lot in range(1, self.lots + 1) if move == "draw" else ():
            yield Fraction(2 * lot, total), lot % 2, after
        for side in range(2) if move == "toss" else ():
            yield Fraction(1, 2), side, after

    def result(self, at: int) -> int:
        """Return that an odd lot has won."""
        won = WIN if self.players == 1 else LOSS
        return won if at else ONGOING


def main() -> None:
    """Fill the caches and say how long that took."""
    began = time.perf_counter()
    # A process takes the next part when it has done with one; neighbours share the fewest kernels.
    parts = [two_seats, *_at_home("playing"), *_at_home("solving"), many_kinds, three_seats, faces]
    # Not joblib: it replaces a process that has grown, as each does here, and warns of it.
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for part in [pool.submit(run) for run in parts]:
            part.result()
    print(f"dicelab is warm: inner loops compiled in {time.perf_counter() - began:.0f} s")


def two_seats() -> None:
    """Run what finds best play by turns, and what plays games."""
    race = compile(CoinRace())
    solve(race)
    simulate(race, "random", "random", games=10)


def many_kinds() -> None:
    """Run what finds best play and best replies where outcomes are of many kinds."""
    solve(Lots(players=1))
    many = compile(Lots())
    for opponent in ("random", solve(many).plan):
        best_response(many, opponent)


def three_seats() -> None:
    """Run the same for three players."""
    race = compile(CoinRaceOfThree())
    solve(race)
    best_response(race, "random")
    simulate(race, "random", "random", games=10)


def faces() -> None:
    """Run what is left, which is short, and import what the faces need."""
    solve_round(Round(1), "sum", exact=False)
    for module in IMPORTED:
        importlib.import_module(module)


def _at_home(part: str) -> list[Callable[[], None]]:
    """Return what the games' own modules have to run."""
    return [getattr(module, part) for module in load_at_home("warm") if hasattr(module, part)]


if __name__ == "__main__":
    main()
