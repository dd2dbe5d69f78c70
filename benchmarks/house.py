"""House rules, from plain Python to a table: `python benchmarks/house.py`.

The games are those of `tests/house_games.py`. Three times stand side by side: what the rules take
by themselves, asked about every position and nothing done with the answers; what the first edition
of dicelab took, whose loop is kept here; and what `compile` takes now. The first is a floor for one
process: rules are asked about every position, since nobody can know that the answer will be the
same again. Where that takes long, `compile` lets every core ask, so times are by the clock.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from dicelab import HouseRules, compile
from dicelab.rules import ONGOING, OTHER, Outcome
from dicelab.rules.failure import check_mover
from dicelab.solvers.arrays import Kind
from dicelab.table.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from house_games import Hog, Ur

GAMES = {
    "Hog, the chances of a throw kept": Hog(),
    "Hog, the chances of a throw made anew": Hog(once=False),
    "Ur with 2 pieces": Ur(2),
    "Ur with 3 pieces": Ur(3),
}
REPEATS = 2


def alone(game: HouseRules, table: Table) -> None:
    """Ask the rules about every position, and do nothing with what they say."""
    for number in range(len(table)):
        at = table.position(number)
        if (game.result(at) or ONGOING) == ONGOING:
            for move in game.choices(at):
                deque(game.outcomes(at, move), 0)


def first_edition(game: HouseRules) -> None:
    """Expand a game as the first edition did: every outcome read by itself, as exact numbers."""
    positions = [game.start()]
    number = {positions[0]: 0}
    kinds: dict[Kind, int] = {}
    names: dict[str, int] = {}
    sources, moves, coded, targets = [], [], [], []
    for source, at in enumerate(positions):  # grows while it is read
        for move in [] if (game.result(at) or ONGOING) != ONGOING else game.choices(at):
            for each in game.outcomes(at, move):
                chance, after, mover, gain = Outcome(*each)
                if not chance:
                    continue
                if after not in number:
                    number[after] = len(positions)
                    positions.append(after)
                check_mover(mover)
                kind = Kind(Fraction(chance), mover == OTHER, Fraction(gain))
                sources.append(source)
                moves.append(names.setdefault(move, len(names)))
                coded.append(kinds.setdefault(kind, len(kinds)))
                targets.append(number[after])


def seconds(work: Callable[[], object]) -> float:
    """Return the time that some work takes, at best."""
    found = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return min(found)


def main() -> None:
    """Measure, and print a table."""
    compile(Hog(dice=1, target=3))  # loads the compiled loops
    print("| game | positions | outcomes | rules alone | first edition | now | times as fast |")
    print("|---|---|---|---|---|---|---|")
    for name, game in GAMES.items():
        table = compile(game)
        times = [
            seconds(lambda: alone(game, table)),  # noqa: B023 -- called at once
            seconds(lambda: first_edition(game)),  # noqa: B023
            seconds(lambda: compile(game)),  # noqa: B023
        ]
        told = " | ".join(f"{each:.2f} s" for each in times)
        sizes = f"{len(table):,} | {len(table.target):,}"
        print(f"| {name} | {sizes} | {told} | {times[1] / times[2]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
