"""The sequential test, measured: how often it errs and how many games it takes.

Pairs of hold-at strategies of Pig whose true difference is known exactly, from none to large. Each
is put to the sequential test many times, with other seeds; beside it stand the study's protocol
(100 x 3000 games, better from 1575 wins on average) and a single sample of 3000, whose answers
follow from the normal law. A pair with a true difference between none and the margin may be
answered either way; only the wrong sign is an error there.

python benchmarks/sprt.py [TESTS]
"""

from __future__ import annotations

import sys
import time

import numpy as np
from scipy.stats import norm

from dicelab import compile, game, plan
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.fair_test import (
    A_BETTER,
    B_BETTER,
    GAMES,
    REPEATS,
    Rule,
    sequential,
    wins_needed,
)
from dicelab.verbs.sampler import walker

PAIRS = [
    (20, 20), (25, 25), (50, 50), (5, 5), (25, 24), (20, 21), (25, 22), (25, 18), (25, 28),
    (25, 17), (25, 29), (25, 16), (25, 30), (25, 15), (25, 34), (25, 12), (25, 40), (25, 8),
]  # fmt: skip


def fixed(first: float, second: float, games: int) -> float:
    """Return the chance that a sample of games calls A better, from A's chances in each seat."""
    mean = (first + second) / 2
    spread = ((first * (1 - first) + second * (1 - second)) / 2 / games) ** 0.5
    return float(norm.sf((wins_needed(GAMES) / GAMES - mean) / spread))


def main() -> None:
    """Print the table."""
    tests = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rule = Rule()
    table = compile(game("pig"))
    began = time.perf_counter()
    print(f"margin {rule.margin}, alpha {rule.alpha}, beta {rule.beta}; {tests} tests a pair")
    print(
        f"{'pair':>9} {'true':>8} {'A':>7} {'neither':>8} {'B':>7} {'error':>7} {'allowed':>8} "
        f"{'games':>7} {'95%':>7} {'saved':>7} {'3000: A':>8} {'300000: A':>10}"
    )
    errors = 0
    for number, (a, b) in enumerate(PAIRS):
        plans = plan(table, f"hold-at:{a}"), plan(table, f"hold-at:{b}")
        exact = evaluate(table, *plans)
        truth = exact.overall - 0.5
        ready = walker(table, plans)
        answers, games = [], []
        for seed in range(tests):
            answer, tally = sequential(ready, rule, 1_000_000 * (number + 1) + seed)
            answers.append(answer)
            games.append(int(tally.ends.sum()))
        said = {each: answers.count(each) / tests for each in ("A", "neither", "B")}
        if abs(truth) < 1e-9:
            error, allowed = said[A_BETTER] + said[B_BETTER], rule.alpha
        elif truth < rule.margin:
            error, allowed = said[B_BETTER], rule.alpha / 2
        else:
            error, allowed = 1 - said[A_BETTER], rule.beta
        errors += error > allowed
        chances = exact.first, exact.b_first.a_wins
        saved = 1 - np.mean(games) / (REPEATS * GAMES)
        print(
            f"{a:>4}v{b:<4} {truth:>8.4f} {said['A']:>7.4f} {said['neither']:>8.4f} "
            f"{said['B']:>7.4f} {error:>7.4f} {allowed:>8.3f} {np.mean(games):>7.0f} "
            f"{np.quantile(games, 0.95):>7.0f} {saved:>7.1%} {fixed(*chances, GAMES):>8.4f} "
            f"{fixed(*chances, GAMES * REPEATS):>10.4f}",
            flush=True,
        )
    print(f"{errors} of {len(PAIRS)} above what is allowed; {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
