"""How much can a player gain at Yahtzee who looks at the other's card?

Two players who see both cards have about 7e13 standings, too many to be solved. But nobody who
looks does better than one who is told, before he begins, with how many points the other will end.
To beat Y points, a draw being half a win, he gets half of his chance of at least Y and half of that
of at least Y + 1. Neither is more than the best chance of so many points. So against a player for
points alone nobody gets more than the mean of these, over the law of that player's score.

The best chance is solved for some scores; between two of them that of the lower one is more than
enough. The more scores, the better the bound. They stand in a file, so a stop loses one of them.

    python examples/looking_at_the_other_card.py chances.csv $(seq 175 5 330)
"""

import csv
import sys
from pathlib import Path

from dicelab import density, game, solve
from dicelab.rules import Game


def best_chances(rules: Game, scores: list[int], path: Path) -> dict[int, float]:
    """Return an upper bound of the best chance of at least so many points, for every score."""
    with path.open("a+", newline="") as file:
        file.seek(0)
        known = {int(score): float(chance) for score, chance in csv.reader(file)}
        for score in scores:
            if score not in known:
                known[score] = float(solve(rules, for_=f"at least {score}").upper)
                csv.writer(file).writerow([score, known[score]])
                file.flush()
                print(f"at least {score}: {known[score]:.6%}", flush=True)
    return known


def most_against(law: dict[int, float], chances: dict[int, float]) -> float:
    """Return what anybody gets, at most, against a player whose score has this law."""

    def enough(points: int) -> float:
        return min((chance for score, chance in chances.items() if score <= points), default=1.0)

    return sum(law[score] * (enough(score) + enough(score + 1)) / 2 for score in law)


def main(path: str, *given: str) -> float:
    """Print the bound for Yahtzee, by the best chances of some scores; also for a smaller card."""
    rules = game("yahtzee", **dict(each.split("=", 1) for each in given if "=" in each))
    scores = [int(each) for each in given if "=" not in each]
    chances = best_chances(rules, scores, Path(path))
    law = density(rules, "optimal").points
    most = most_against(dict(zip(map(int, law.points), law.chances.tolist(), strict=True)), chances)
    most += law.unfinished + law.error
    print(f"{rules}: nobody gets more than {most:.4%} against best play for points")
    return most


if __name__ == "__main__":
    main(*sys.argv[1:])
