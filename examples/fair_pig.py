"""Is my variant of Pig fair, and how do I make it fair?

Who starts has the better chances. Points given to the second player before the game begins, a head
start, make up for it. Solve the game for a head start of 0, 1, 2 ... points until the second player
is the better off. The fair one lies between the last two. Leave it to chance which of them is
given, with the right odds, and the game is fair on the whole.

    python examples/fair_pig.py                     Pig to 100
    python examples/fair_pig.py die=8 target=60     another variant, with any parameters of Pig
    python examples/fair_pig.py target=20 --exact   in fractions, for small games
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import dicelab
from dicelab.games.pig import Pig, PigPosition
from dicelab.verbs.evaluate import evaluate


@dataclass(frozen=True)
class HeadStart(Pig):
    """Pig in which the player who does not start has some points already."""

    name: ClassVar[str] = "pig-with-a-head-start"
    ahead: int = 0

    def __post_init__(self):
        """Refuse parameters that make no game."""
        super().__post_init__()
        self.needs(0 <= self.ahead < self.target, f"a head start below the target: {self.ahead}")

    def start(self):
        """Return the position the game starts from; all other rules are those of Pig."""
        return PigPosition(0, self.ahead, 0)


def solved(rules, exact):
    """Yield each head start with the solution of its game, until the second player is ahead."""
    for ahead in range(int(rules.get("target", 100))):
        game = dicelab.game(f"{__name__}:HeadStart", ahead=ahead, **rules)
        solution = dicelab.solve(game, exact=exact)
        yield ahead, solution
        if solution.value < 0.5:
            return


def main(arguments):
    """Print the table of values, the nearest head start, and the odds that make it fair."""
    exact = "--exact" in arguments
    rules = dict(given.split("=") for given in arguments if given != "--exact")
    variant = " ".join(["pig", *(f"{name}={value}" for name, value in rules.items())])
    print(f"{variant}: how often the player who starts wins, by the other's head start")
    print("head start   both play best   both hold at 20   both hold at 25")
    values = {}
    for ahead, solution in solved(rules, exact):
        values[ahead] = solution.value
        cells = [f"{float(solution.value):.4%}"]
        for rule in ("hold-at:20", "hold-at:25"):
            # the duel that A starts is the one with the head start for B
            cells.append(f"{evaluate(solution.table, rule, rule).first:.4%}")
        print(f"{ahead:>10}   {cells[0]:>14}   {cells[1]:>15}   {cells[2]:>15}")
    nearest = min(values, key=lambda ahead: abs(values[ahead] - 0.5))
    starts = float(values[nearest])
    print(f"\nNearest to fair: a head start of {nearest}, {starts:.4%} for who starts.")
    more = max(values)
    if values[more] >= 0.5 or more == 0:
        print("Who starts is ahead whatever you give." if more else "No points will even it.")
        return
    fewer, half = more - 1, Fraction(1, 2) if exact else 0.5
    chance = (half - values[more]) / (values[fewer] - values[more])
    shown = chance if exact else f"{chance:.6f}"
    print(f"Fair on the whole: a head start of {fewer} with chance {shown}, otherwise {more}.")


if __name__ == "__main__":
    main(sys.argv[1:])
