"""How close does a learner come to the exact optimum?

A table of worths learns Piglet by playing it, against an opponent that plays perfectly: Q-learning,
in an environment of Gymnasium. It is never told the rules. From time to time its strategy is taken
as it is and evaluated exactly, without playing.

    python examples/learner.py [games]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from dicelab import compile, evaluate, game, solve
from dicelab.exchange.gymnasium import DiceGame, environment


class Learner:
    """What each move seems to be worth at each position, learned by playing."""

    def __init__(self, env: DiceGame, seed: int = 1) -> None:
        self.env, self.rng = env, np.random.default_rng(seed)
        shape = (*(env.observation_space.high + 1), env.action_space.n)
        self.worth, self.tried = np.full(shape, 0.5), np.zeros(shape)
        env.reset(seed=seed)

    def best(self, seen: Any, mask: Any) -> int:
        """Return the legal move that is worth most, as far as is known."""
        return int(np.argmax(np.where(mask, self.worth[tuple(seen)], -1.0)))

    def play(self) -> None:
        """Play a game, try something else now and then, and learn from it."""
        seen, info = self.env.reset()
        over = False
        while not over:
            mask = info["action_mask"]
            trying = self.rng.random() < 0.2
            move = self.rng.choice(np.flatnonzero(mask)) if trying else self.best(seen, mask)
            here = (*seen, move)
            seen, worth, over, _, info = self.env.step(move)
            if not over:
                worth = self.worth[(*seen, self.best(seen, info["action_mask"]))]
            self.tried[here] += 1
            self.worth[here] += (worth - self.worth[here]) / self.tried[here] ** 0.6


def main(arguments: Sequence[str]) -> None:
    """Let a learner play, and print how good it is on the way."""
    games = int(arguments[0]) if arguments else 2000
    table = compile(game("piglet", target=10))
    learner = Learner(environment(table, against="optimal"))

    def learned(at: Any) -> str:
        mask = [bool(table.game.legal(at, move)) for move in table.moves]
        return table.moves[learner.best(at, mask)]

    played = 0
    for until in [0, *(n for n in (500, 2000, 10_000, 40_000) if n <= games)]:
        for _ in range(until - played):
            learner.play()
        played = until
        wins = evaluate(table.game, learned, "optimal").first
        print(f"after {played:6,} games the learner wins {wins:.2%}")
    print(f"the optimum wins {solve(table.game).value:.2%}")


if __name__ == "__main__":
    main(sys.argv[1:])
