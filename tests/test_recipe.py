"""The recipe of CONTRIBUTING.md, "Adding a game", followed to the letter in a copy of the house.

Three files are added and nothing else is touched; then the tests that look after every game, every
page and every face are run on the new one.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import dicelab

ROOT = Path(__file__).parent.parent

RULES = '''"""Long Shot: flip for the pot, or leave with it.

The pot begins with nothing. Flip: heads puts one into it, tails empties it and ends the turn. Take:
the pot is yours and the turn ends. Who has ``goal`` first wins.

Source: written for the tests of dicelab.

>>> from dicelab import solve
>>> solve(LongShot(goal=1), exact=True).value
Fraction(2, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from dicelab.rules import ONGOING, OTHER, SAME, WIN, Game, Outcome, where
from dicelab.rules.registry import register, strategy

HALF = Fraction(1, 2)


class Shot(NamedTuple):
    """What I have, what the other player has, and the pot."""

    mine: int
    yours: int
    pot: int


@register("long-shot")
@dataclass(frozen=True)
class LongShot(Game):
    """Flip for the pot, or leave with it."""

    goal: int = 4
    moves: ClassVar[tuple[str, ...]] = ("flip", "take")

    def start(self) -> Shot:
        """Return the position before the first flip."""
        return Shot(0, 0, 0)

    def size(self) -> int:
        """Return about how many positions there are."""
        return self.goal**3 // 2

    def legal(self, at: Any, move: str) -> Any:
        """Return whether a move is allowed: only a pot can be taken."""
        return at.pot >= (0 if move == "flip" else 1)

    def outcomes(self, at: Any, move: str) -> Iterable[Outcome]:
        """Return what a move may lead to."""
        if move == "take":
            yield Outcome(Fraction(1), Shot(at.yours, at.mine + at.pot, 0 * at.pot), OTHER)
        else:
            yield Outcome(HALF, Shot(at.mine, at.yours, at.pot + 1), SAME)
            yield Outcome(HALF, Shot(at.yours, at.mine, 0 * at.pot), OTHER)

    def result(self, at: Any) -> Any:
        """Return who has won."""
        return where(at.mine + at.pot >= self.goal, WIN, ONGOING)


@strategy(LongShot, "take-at")
def take_at(game: LongShot, coins: int = 1) -> Callable[[Any], Any]:
    """Take the pot once it holds this many."""
    return lambda at: where(at.pot >= coins, "take", "flip")
'''

TEST = '''"""Long Shot: what is true of it."""

from fractions import Fraction

from dicelab import game, solve


def test_the_first_flip_decides_a_game_to_one():
    # v = 1/2 + (1 - v)/2, hence v = 2/3
    assert solve(game("long-shot", goal=1), exact=True).value == Fraction(2, 3)
'''

PAGE = """# Long Shot

## Rules

Flip for the pot, or leave with it.

## Notation

`mine=0 yours=0 pot=0`: what I have, what the other player has, and the pot.

## What is known

To one, the player who starts wins 2/3.

## Strategies

| name | does |
|---|---|
| `take-at:COINS` | takes the pot once it holds this many |
| `optimal` | the best way to play |
| `random` | any move, each as likely |

## Commands

```console
$ dicelab solve long-shot goal=1 --exact
long-shot goal=1: the first player wins 66.6667% with best play (exactly 2/3)
...
```

## Sources

Written for the tests of dicelab.
"""


def test_a_game_is_three_files(tmp_path):
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"^\d\. `(\S*NAME\S*)`", told, re.MULTILINE)
    assert len(named) == 3
    house = tmp_path / "house"
    for folder in ("src", "tests", "docs", "examples", "benchmarks", "tools"):
        leave = shutil.ignore_patterns("vendor", "images", "out")
        shutil.copytree(ROOT / folder, house / folder, ignore=leave)
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy2(path, house)
    for place, text in zip(named, (RULES, TEST, PAGE), strict=True):
        python = place.endswith(".py")
        new = house / place.replace("NAME", "long_shot" if python else "long-shot")
        assert not new.exists()
        new.write_text(text, encoding="utf-8")
    wanted = "long_shot or long-shot or LongShot or longshot"
    files = ["src/dicelab/games", "tests/games", "tests/test_docs.py"]
    files += ["tests/test_every_game.py", "tests/test_every_face.py"]
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    found = subprocess.run(
        [*pytest, *files, "-k", wanted],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house / "src")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    passed = int(re.search(r"(\d+) passed", found.stdout)[1])
    # its example, its test, what every game keeps to, every verb and face, its page
    assert passed >= 36, found.stdout
    assert "long-shot" not in dicelab.all_games()
