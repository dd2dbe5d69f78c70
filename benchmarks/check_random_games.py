"""Thousands of random small games: our solver, exact mode and brute force must agree on all.

    python benchmarks/check_random_games.py                  # about 3000 games
    python benchmarks/check_random_games.py --games 20000 --seed 3
    python benchmarks/check_random_games.py --only best-reply:17 --seed 3
    python benchmarks/check_random_games.py --peers .venv-peers/bin/python

The seed is printed. Each case has a generator of its own, made from the seed, the kind of check and
its number, so any one of them can be looked at alone. Where something disagrees the game is printed
as code that can be pasted into a test, and the exit code is 1.

With `--peers`, the same kind of games are also given to Storm (a fixed opponent makes a game a
one-player problem, which is what Storm solves), and small Pig to the value iteration of OpenSpiel;
both run in the Python named, so nothing of them is needed here.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).parent)]

import agreement  # noqa: E402
import at_once_brute as at_once  # noqa: E402
import certificates  # noqa: E402
import choices  # noqa: E402
import random_games as make  # noqa: E402
from brute import (  # noqa: E402
    CostSketch,
    PayingSketch,
    PayingSolo,
    SeatedSketch,
    Sketch,
    SoloSketch,
)
from dicelab.errors import NotSolved  # noqa: E402

Case = Callable[[make.Pick], Any]


def best_play(pick: make.Pick) -> Any:
    """Two players, by turns: best play against all pure strategies."""
    return agreement.two_players(make.random_sketch(pick))


def one_pot(pick: make.Pick) -> Any:
    """Two players, whose ends are worth anything of any sign that adds up to one pot."""
    return agreement.two_players(make.random_sketch(pick, worths=make.one_pot))


def points(pick: make.Pick) -> Any:
    """Two players, who gain on the way what the other pays, or whose ends pay; also in circles."""
    return agreement.two_players(make.points_between_two(pick, most=3))


def points_met(pick: make.Pick) -> Any:
    """Two strategies for points, mixed ones too; play without an end may be worth anything."""
    game = make.points_between_two(pick, most=6, never=pick(make.NEVERS))
    a, b = (make.random_strategy(pick, game) for _ in "ab")
    return agreement.evaluation(game, a, b)


def points_reply(pick: make.Pick) -> Any:
    """The best reply for points, where play without an end may be worth anything."""
    game = make.points_between_two(pick, most=4, never=pick(make.NEVERS))
    return agreement.best_reply(game, make.random_strategy(pick, game))


def strategies(pick: make.Pick) -> Any:
    """Two strategies, mixed ones too, against a linear system in fractions; seats may differ."""
    kind, worths = pick([(Sketch, None), (Sketch, make.one_pot), (SeatedSketch, make.by_seat)])
    never = pick(make.NEVERS) if kind is Sketch else None
    game = make.random_sketch(pick, kind, most=8, worths=worths, never=never)
    a, b = (make.random_strategy(pick, game) for _ in "ab")
    return agreement.evaluation(game, a, b)


def reply(pick: make.Pick) -> Any:
    """The best reply to a strategy, against all pure replies; ends may be worth anything."""
    worths, never = pick([None, make.any_worths]), pick(make.NEVERS)
    game = make.random_sketch(pick, worths=worths, never=never)
    return agreement.best_reply(game, make.random_strategy(pick, game))


def solo(pick: make.Pick) -> Any:
    """One player who wants to win, or to have the best of ends that are worth anything."""
    worths, never = pick([None, make.any_worths]), pick(make.NEVERS)
    kind = pick([SoloSketch, SoloSketch, PayingSolo])
    game = make.random_sketch(pick, kind, movers=(make.SAME,), worths=worths, never=never)
    return agreement.alone(game, make.random_strategy(pick, game))


def gain(pick: make.Pick) -> Any:
    """One player who collects or loses points on the way, also in circles."""
    return _for_points(pick, SoloSketch)


def cost(pick: make.Pick) -> Any:
    """One player who wants it to cost little, or nothing."""
    return _for_points(pick, CostSketch)


def _for_points(pick: make.Pick, kind: Any) -> Any:
    gains, worths = pick(make.GAINS), pick([None, make.any_worths])
    kind, never = pick([kind, kind, PayingSolo]), pick(make.NEVERS)
    game = make.random_sketch(
        pick, kind, movers=(make.SAME,), gains=gains, worths=worths, never=never
    )
    return agreement.alone(game, make.random_strategy(pick, game))


def broken(pick: make.Pick) -> Any:
    """Games that break the contract: refused in a sentence."""
    return agreement.refused(*make.broken_game(pick))


def race(pick: make.Pick) -> Any:
    """Both at once: bounds proved by kernels of matrix games, exact mode where there is one."""
    return agreement.at_once(make.random_race(pick, worths=pick([None, make.one_pot])))


def race_fixed(pick: make.Pick) -> Any:
    """Both at once: two strategies, and the best reply to one."""
    game = make.random_race(pick, worths=pick([None, make.one_pot]))
    a, b = (make.random_mixtures(pick, game) for _ in "ab")
    return agreement.at_once_fixed(game, a, b)


def pairs(pick: make.Pick) -> Any:
    """Both at once on any positions, without circles, for points too: values from the end."""
    return at_once.without_circles(at_once.any_game(pick, False, pick(((0,), (0, 0, 1, -2)))))


def pairs_circle(pick: make.Pick) -> Any:
    """Both at once in circles: bounds close, and mixtures prove them against all replies."""
    return at_once.with_circles(at_once.any_game(pick, True))


def pairs_fixed(pick: make.Pick) -> Any:
    """Both at once in circles: two mixtures that meet, and the best reply to one."""
    game = at_once.any_game(pick, True)
    one, two = (at_once.random_mixture(pick, game) for _ in "ab")
    return at_once.given_mixtures(game, one, two)


def pairs_wrong(pick: make.Pick) -> Any:
    """Both at once: wrong mixtures prove only what they are sure of."""
    game = at_once.any_game(pick, True)
    return at_once.planted(game, at_once.random_mixture(pick, game))


def choice(pick: make.Pick) -> Any:
    """Choices after throws, folded and unfolded: best play, for two, alone and for points."""
    kind, options = pick(ALONE_OR_NOT)
    whole, game = _both_forms(pick, make.random_sketch(pick, kind, most=6, **options(pick)))
    return choices.best_play(whole, game)


def choice_fixed(pick: make.Pick) -> Any:
    """Choices after throws: two strategies that meet, and the best reply to one."""
    sketch = make.random_sketch(pick, most=7)
    if pick((True, False)):
        sketch = make.points_between_two(pick, most=7, never=pick(make.NEVERS))
    whole, game = _both_forms(pick, sketch)
    a, b = (make.random_strategy(pick, whole) for _ in "ab")
    choices.reply(whole, game, a)
    return choices.strategies(whole, game, a, b)


def _both_forms(pick: make.Pick, sketch: Any) -> tuple[Any, Any]:
    whole, moments = choices.with_moments(pick, sketch)
    return whole, choices.folded(whole, moments)


ALONE_OR_NOT = [
    (Sketch, lambda pick: {"worths": pick([None, make.one_pot])}),
    (Sketch, lambda pick: {"worths": pick([None, make.one_pot]), "gains": pick(make.GAINS)}),
    (PayingSketch, lambda pick: {"gains": pick([None, *make.GAINS])}),
    (SoloSketch, lambda pick: {"movers": (make.SAME,), "worths": pick([None, make.any_worths])}),
    (SoloSketch, lambda pick: {"movers": (make.SAME,), "gains": pick(make.GAINS)}),
    (CostSketch, lambda pick: {"movers": (make.SAME,), "gains": pick(make.GAINS)}),
]


def certificate(pick: make.Pick) -> Any:
    """Wrong values: refused, or given bounds so wide that they hold the truth."""
    kind, options = pick(certificates.KINDS)
    return certificates.perturbed(make.random_sketch(pick, kind, most=6, **options), pick)


def certified_reply(pick: make.Pick) -> Any:
    """Wrong values of a best reply, likewise."""
    worths, never = pick([None, make.any_worths]), pick(make.NEVERS)
    game = make.random_sketch(pick, most=6, worths=worths, never=never)
    if pick((True, False)):
        game = make.points_between_two(pick, most=5, never=never)
    return certificates.perturbed(game, pick, make.random_strategy(pick, game))


KINDS: dict[str, tuple[Case, float]] = {
    "best-play": (best_play, 0.1),
    "one-pot": (one_pot, 0.1),
    "evaluation": (strategies, 0.1),
    "best-reply": (reply, 0.1),
    "points": (points, 0.1),
    "points-met": (points_met, 0.1),
    "points-reply": (points_reply, 0.1),
    "alone": (solo, 0.1),
    "gain": (gain, 0.1),
    "cost": (cost, 0.05),
    "broken": (broken, 0.05),
    "at-once": (race, 0.05),
    "at-once-fixed": (race_fixed, 0.05),
    "pairs": (pairs, 0.1),
    "pairs-circle": (pairs_circle, 0.1),
    "pairs-fixed": (pairs_fixed, 0.1),
    "pairs-wrong": (pairs_wrong, 0.05),
    "choices": (choice, 0.1),
    "choices-fixed": (choice_fixed, 0.05),
    "certificate": (certificate, 0.15),
    "its-reply": (certified_reply, 0.05),
}
"""The kinds of check, and what share of the games each gets."""


def generator(seed: int, kind: str, number: int) -> make.Pick:
    """Return the pick of one case: the same whatever else is checked."""
    return random.Random(f"{seed} {kind} {number}").choice


def checked(kind: str, number: int, seed: int) -> str:
    """Return how one case went: agreed, refused (by floats), unsolved, or the disagreement."""
    case, _ = KINDS[kind]
    try:
        return "refused" if case(generator(seed, kind, number)) else "agreed"
    except agreement.Disagreement as trouble:
        print(f"\n{kind}:{number} (seed {seed}) disagrees: {trouble}\n", flush=True)
        return "disagreed"
    except NotSolved as trouble:
        print(f"{kind}:{number} (seed {seed}) was not solved: {trouble}", flush=True)
        return "unsolved"


def check(kind: str, count: int, seed: int) -> dict[str, int]:
    """Check so many games of a kind and print a line about them."""
    began, tally = time.perf_counter(), {"agreed": 0, "refused": 0, "unsolved": 0, "disagreed": 0}
    for number in range(count):
        tally[checked(kind, number, seed)] += 1
    told = ", ".join(f"{n} {what}" for what, n in tally.items() if n or what == "disagreed")
    print(f"{kind:14} {count:6} games: {told} ({time.perf_counter() - began:.1f} s)", flush=True)
    return tally


def main() -> int:
    """Run the checks and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--kind", choices=KINDS, action="append", help="only these kinds")
    parser.add_argument("--only", metavar="KIND:NUMBER", help="only this one")
    parser.add_argument("--peers", metavar="PYTHON", help="a Python that has stormpy, open_spiel")
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    if asked.only:
        kind, _, number = asked.only.partition(":")
        how = checked(kind, int(number), asked.seed)
        print(f"{asked.only}: {how}")
        return int(how == "disagreed")
    kinds = asked.kind or list(KINDS)
    scale = sum(KINDS[kind][1] for kind in kinds)
    total: dict[str, int] = {}
    for kind in kinds:
        count = round(asked.games * KINDS[kind][1] / scale)
        for what, number in check(kind, count, asked.seed).items():
            total[what] = total.get(what, 0) + number
    wrong = total["disagreed"]
    if asked.peers:
        from check_peers import check_peers

        wrong += check_peers(asked.peers, asked.seed, max(10, asked.games // 10))
    games = sum(total.values())
    print(
        f"seed {asked.seed}: {games} random games, {total['agreed']} agree, {total['refused']} "
        f"agree in fractions and are refused in floats, {total['unsolved']} not solved, "
        f"{wrong} disagree"
    )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
