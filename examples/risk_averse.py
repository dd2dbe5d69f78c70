"""How much does a risk-averse player lose?

A player of Pig who thinks of one turn at a time, and likes x points as much as u(x), goes back from
the most a turn can bring: V(r) = max(u(r), the mean of V after one more roll). With the utility of
constant relative risk aversion g, u(x) = x^(1-g) / (1-g), that gives one number to hold at for each
g. 0 is neutral, above 0 is averse, below 0 is seeking. From 1 on, an empty turn is infinitely bad.

These players are the strategies ``risk:crra,G`` of Pig. How each fares against the best player, and
against one who holds at 20, is worked out exactly.

    python examples/risk_averse.py              Pig to 100
    python examples/risk_averse.py target=50    or any other parameters of Pig
"""

import sys
from fractions import Fraction

import dicelab
from dicelab.games.pig.people import threshold
from dicelab.people.price import price
from dicelab.verbs.evaluate import evaluate

AVERSIONS = (0.9, 0.75, 0.5, 0.25, 0.0, -0.2, -0.5, -1.0)


def points_a_turn(pig, hold):
    """Return what a turn brings on average to a player who holds at so many points."""
    scores = [throw for throw in pig.throws() if not throw.busts]
    most = max(throw.points for throw in scores)
    mean = {points: Fraction(points) for points in range(hold, hold + most)}
    for points in range(hold - 1, -1, -1):
        mean[points] = sum(throw.chance * mean[points + throw.points] for throw in scores)
    return mean[0]


def main(arguments):
    """Print where each player holds, what that earns a turn, and how often it wins."""
    pig = dicelab.game("pig", **dict(given.split("=") for given in arguments))
    best = dicelab.solve(pig)
    print(f"{pig}: players averse to risk by g, and how often they win")
    print("    g   holds at   points a turn   against best   costs   against hold-at:20")
    won = {}
    for aversion in AVERSIONS:
        # one who never holds stops at the target, like everybody
        hold = threshold(pig, "crra", aversion) or pig.target
        ours = dicelab.plan(best.table, f"risk:crra,{aversion}")
        paid = price(best, ours)
        won[aversion] = paid.overall
        neutral = evaluate(best.table, ours, "hold-at:20").overall
        print(
            f"{aversion:>5}   {hold:>8}   {float(points_a_turn(pig, hold)):>13.4f}   "
            f"{paid.overall:>12.4%}   {paid.cost:>5.1%}   {neutral:>18.4%}"
        )
    least = max(won, key=won.get)
    print(f"\nOf these, g = {least} loses the least.")


if __name__ == "__main__":
    main(sys.argv[1:])
