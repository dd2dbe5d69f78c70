"""How good are the methods for people? Simulated people have known numbers, so it can be measured.

python benchmarks/people.py [coverage] [alarms] [adapting] [--studies 200]

- coverage: how often 95% intervals hold the number a simulated person was made with;
- alarms: how often the tests find something in people who were made without it, at 5%;
- adapting: what an opponent that adapts gains against three simulated people, exactly.

Each study is 15 games of Pig to 100, as in the Exeter study. Everything is seeded.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator

import numpy as np

from dicelab import Table, compile
from dicelab.games.pig import Pig
from dicelab.games.pig.study.interplay import influence, mirroring
from dicelab.games.pig.study.slopes import differ_in, slopes_by_player
from dicelab.games.pig.study.threshold import Steady, Threshold
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.adaptive import Adaptive, gain
from dicelab.people.decisions import Decisions
from dicelab.people.fit import evidence_of, fit
from dicelab.people.models import Model, Quantal, plan_of
from dicelab.people.sampling import Sampler
from dicelab.verbs.solve import solve

GAMES = 15
SEED = 1
PEOPLE = {"cautious": (10.0, 0.0, 2.0), "reckless": (35.0, 0.0, 5.0), "chaser": (18.0, 0.6, 3.0)}
BLIND = [((20, 0, 3), (20, 0, 3)), ((12, 0, 2), (25, 0, 4)), ((25, 0, 1), (15, 0, 0.5))]


def studies(sampler: Sampler, count: int, rng: np.random.Generator) -> Iterator[Decisions]:
    """Yield records of 15 games each."""
    for _ in range(count):
        yield sampler.play(GAMES, rng)


def interval(hits: int, count: int) -> str:
    """Return a share with its standard error."""
    share = hits / count
    return f"{100 * share:.1f}% ± {100 * math.sqrt(share * (1 - share) / count):.1f}"


def coverage(table: Table, count: int) -> None:
    """Print how often intervals hold the truth."""
    solution = solve(table)
    cases: list[tuple[Model, tuple[float, ...]]] = [
        (Threshold(), (20.0, 0.1, 3.0)),
        (Steady(), (15.0, 2.0)),
        (Quantal(solution), (60.0,)),
    ]
    print("| model | number | truth | from decisions | from tracker forms |\n|---|---|---|---|---|")
    for model, true in cases:
        rng = np.random.default_rng(SEED)
        person = plan_of(model, true, table)
        held = np.zeros((2, len(true)), int)
        for record in studies(Sampler(table, [person, person]), count, rng):
            for i, seen in enumerate((record, turns_of(as_tracker(record), table))):
                estimates = fit(model, evidence_of(seen)).estimates
                held[i] += [e.low <= t <= e.high for e, t in zip(estimates, true, strict=True)]
        for j, parameter in enumerate(model.parameters):
            told = " | ".join(interval(int(row[j]), count) for row in held)
            print(f"| {model.name} | {parameter.name} | {true[j]:g} | {told} |", flush=True)


def alarms(table: Table, count: int) -> None:
    """Print how often the tests find what is not there."""
    names = ("influence", "mirroring by turn", "mirroring by game", "slopes: permutation")
    names += ("slopes: Welch", "slopes: Kruskal-Wallis")
    print(f"| people | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for one, two in BLIND:
        rng = np.random.default_rng(SEED)
        plans = [plan_of(Threshold(), numbers, table) for numbers in (one, two)]
        cried = np.zeros(len(names), int)
        for record in studies(Sampler(table, plans), count, rng):
            tracker = renamed(as_tracker(record))
            turns = turns_of(tracker, table)
            slopes = rng.permutation(list(slopes_by_player(tracker.sheets).values()))
            alike = mirroring(turns, rng, 199)
            apart = differ_in({str(k): list(slopes[k::3]) for k in range(3)}, rng, 199)
            found = (influence(turns).p, alike.p_by_turn, alike.p_by_game)
            found += (apart.permutation, apart.welch, apart.kruskal)
            cried += [p <= 0.05 for p in found]
        told = " | ".join(interval(int(c), count) for c in cried)
        print(f"| holds at {one[0]} and {two[0]} | {told} |", flush=True)


def renamed(tracker: Tracker) -> Tracker:
    """Return forms where every seat of every game is another person."""
    return Tracker(
        tracker.game,
        tuple(
            Form(f.name, tuple(Sheet(f"{s.player}{f.name}", s.seat, s.turns) for s in f.sheets))
            for f in tracker.forms
        ),
    )


def adapting(table: Table, games: int = 20, margin: float = 0.01) -> None:
    """Print what adapting gains."""
    solution = solve(table)
    print("| person | found | optimum wins | adapted wins | gain | of at most | worst loss |")
    print("|---|---|---|---|---|---|---|")
    for name, numbers in PEOPLE.items():
        person = plan_of(Threshold(), numbers, table, name)
        lab = Adaptive(solution, margin)
        record = Sampler(table, [person, lab.plan]).play(
            games, np.random.default_rng(SEED), (name, "lab")
        )
        found = lab.watch(record, name).numbers
        got = gain(lab, person)
        told = ", ".join(f"{number:.3g}" for number in found)
        print(
            f"| {name} {numbers} | {told} | {100 * got.optimal:.2f}% | {100 * got.adapted:.2f}% | "
            f"{100 * got.gain:.2f}% | {100 * (got.most - got.optimal):.2f}% | "
            f"{100 * got.worst:.2f}% |",
            flush=True,
        )


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=["coverage", "alarms", "adapting", []])
    parser.add_argument("--studies", type=int, default=200)
    asked = parser.parse_args()
    table = compile(Pig())
    for part in asked.parts or ["coverage", "alarms", "adapting"]:
        began = time.perf_counter()
        print(f"\n{part}:\n")
        if part == "adapting":
            adapting(table)
        else:
            (coverage if part == "coverage" else alarms)(table, asked.studies)
        print(f"\n({time.perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
