"""What should I keep in 421?

For every throw of three dice, the best dice to put aside: for one goal, and for the tokens that a
combination is worth (``transfer``). Throws with the same advice share a line. All exact.

    python examples/what_to_keep.py                   goal 421, then the tokens
    python examples/what_to_keep.py goal:111 sum      other utilities
    python examples/what_to_keep.py --left 1 --next   one cast left; a player who may not stop early
"""

import argparse
from fractions import Fraction
from math import factorial, prod
from textwrap import wrap

from dicelab.rounds import Round, advise, solve


def throws(game):
    """Yield every throw of all the dice with its chance."""
    numbers = game.numbers
    for number in numbers.full:
        orders = factorial(game.dice) // prod(factorial(int(n)) for n in numbers.counts[number])
        yield numbers.write(number), Fraction(orders, game.die.sides**game.dice)


def advice_table(game, utility, left, player):
    """Return the throws, chance and mean worth of each piece of advice, the most frequent first."""
    table = {}
    for throw, chance in throws(game):
        advice = advise(game, "-", throw, left, utility, player)
        words = {throw: "all", "-": "nothing"}
        keep = " or ".join(words.get(kept, kept) for kept in advice.best)
        shown, often, worth = table.get(keep, ([], 0, 0))
        value = advice.choices[0].value
        table[keep] = [*shown, throw], often + chance, worth + chance * value
    return sorted(table.items(), key=lambda line: -line[1][1])


def show(game, utility, left, player):
    """Print the advice for one utility, and what the rest of the round is worth on the whole."""
    casts = "1 cast" if left == 1 else f"{left} casts"
    print(f"{utility}, {casts} left, nothing aside, {player} player")
    print("  keep               chance   worth   after")
    total = 0
    for keep, (shown, often, worth) in advice_table(game, utility, left, player):
        total += worth
        lines = wrap(" ".join(shown), 60)
        print(f"  {keep:<18} {float(often):>6.4f}  {float(worth / often):>6.4f}   {lines[0]}")
        for line in lines[1:]:
            print(" " * 38 + line)
    print(f"  on the whole: {total} = {float(total):.6f}\n")
    return total


def main(arguments=None):
    """Print a table of advice for each utility asked for."""
    parser = argparse.ArgumentParser(description="What should I keep in 421?")
    parser.add_argument("utility", nargs="*", default=["goal:421", "transfer"])
    parser.add_argument("--left", type=int, default=2, help="casts left, 1 or 2")
    parser.add_argument("--next", action="store_true", help="a player who must use every cast")
    given = parser.parse_args(arguments)
    game = Round()
    player = "next" if given.next else "first"
    for utility in given.utility:
        total = show(game, utility, given.left, player)
        if given.left == game.casts - 1:
            # the mean over all first throws is what the round is worth before any
            assert total == solve(game, utility, player).value


if __name__ == "__main__":
    main()
