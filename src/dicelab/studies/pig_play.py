"""The parts of the Exeter study of Pig that come from playing: fair tests, the family, figures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dicelab.games.pig import Pig
from dicelab.games.pig.figures_of_play import series, tournament_of
from dicelab.studies.checks import Check, Finding, counted, part, words
from dicelab.studies.figures import drawn
from dicelab.studies.pig import EXETER, meet
from dicelab.verbs.fair_test import fair_tests, games_needed, wins_needed
from dicelab.verbs.tournament import members

FEW = 0.004
"""How far the mean of a fair test may lie from a half: over four standard errors."""


@part("Fair tests")
def fair(quick: bool) -> Iterator[Finding]:
    """Yield the numbers of the fair test, and the study's own simulations beside exact chances."""
    known = EXETER["fair_test"]
    needed = games_needed(known["margin"], known["confidence"])
    wins = wins_needed(known["games_chosen"], known["margin"])
    yield counted(
        "section 3.3.1", "games for 95% within 0.025 of a half", known["games_needed"], needed
    )
    yield counted(
        "section 3.3.4",
        "wins of 3000 that make a strategy better",
        known["wins_to_call_better"],
        wins,
    )
    scores = _scores()
    total = sum(score**2 for score in scores)
    # A sum of squares of so many standard normal numbers has this mean and spread.
    spread = (2 * len(scores)) ** 0.5
    yield words(
        "figure 17, sections 3.3.5, 3.3.6",
        "the simulated chances agree with the theoretical ones",
        f"{len(scores)} chances: at most {max(map(abs, scores)):.2f} standard errors off, "
        f"squares add up to {total:.1f}",
        max(map(abs, scores)) < 4 and abs(total - len(scores)) < 4 * spread,
    )
    yield _deviations()
    tests = 3 if quick else 100
    means = fair_tests(Pig(), "hold-at:20", tests, seed=1)
    yield words(
        "figure 16",
        "fair tests of a strategy against itself stay close to a half",
        f"{tests} tests: {means.min():.4f} to {means.max():.4f}, mean {means.mean():.4f}",
        bool(np.abs(means - 0.5).max() < FEW),
        paper=f"{EXETER['figure_16']['low']} to {EXETER['figure_16']['high']}",
    )
    games, repeats = (1000, 50) if quick else (1000, 1000)
    won, exact = series(Pig(), "hold-at:20", "hold-at:21", games, repeats, 0)
    middle = float(np.median(won)) / games
    near = 4 * 1.2533 * (exact * (1 - exact) / games / repeats) ** 0.5 + 0.5 / games
    yield words(
        "section 2.3.4",
        "the median of 1,000 series of 1,000 games is very close to the exact chance",
        f"median {middle:.4f}, exact {exact:.6f}",
        abs(middle - exact) < near,
    )
    all_pairs = [f"hold-at:{n}" for pair in EXETER["hold_at_pairs"] for n in pair.split("v")]
    for kind, told, small, usual in (
        ("boxplot", "Simulated results beside the exact chance.", ["repeats=50"], []),
        (
            "scatter",
            "Shares won against itself, by the number of games (figure 15).",
            ["sizes=5", "games=500"],
            [],
        ),
        ("fair-tests", "Fair tests of a strategy against itself (figure 16).", ["tests=3"], []),
        (
            "pairs",
            "Our simulated chances of the pairs of figure 17, less the exact ones.",
            ["games=2000"],
            all_pairs,
        ),
    ):
        yield drawn("pig", kind, told, small if quick else usual)


def _scores() -> list[float]:
    """Return how far the study's simulated chances lie from ours, in standard errors."""
    rows = [
        (*(f"hold-at:{n}" for n in pair.split("v")), *told[:2])
        for pair, told in EXETER["simulated_pairs"].items()
    ]
    rows += [tuple(EXETER["simulated_optimal"][name]) for name in ("hold_at_25", "neller")]
    rows.append(("turtle", "roll-to-win", *EXETER["turtle_overall"]["simulated"]))
    games = EXETER["fair_test"]["games_chosen"] * EXETER["fair_test"]["repeats"] / 2
    scores = []
    for a, b, *told in rows:
        found = meet(a, b)
        for seen, chance in zip(told, (found.first, found.second), strict=True):
            scores.append((float(seen) - chance) / (chance * (1 - chance) / games) ** 0.5)
    return scores


def _deviations() -> Check:
    """Return whether all simulated chances of figure 17 are within the margin of exact ones."""
    printed_, ours = [], []
    for pair, (_, _, overall, deviation) in EXETER["simulated_pairs"].items():
        a, b = (f"hold-at:{points}" for points in pair.split("v"))
        printed_.append(float(deviation))
        ours.append(abs(float(overall) - float(meet(a, b).overall)))
    return words(
        "section 3.3.3",
        "all deviations of figure 17 are comfortably below 0.025",
        f"the largest printed one is {max(printed_)}, against exact chances {max(ours):.5f}",
        max(*printed_, *ours) < EXETER["fair_test"]["margin"] / 2,
    )


@part("The best holding point")
def family(quick: bool) -> Iterator[Finding]:
    """Yield the tournament of holding points, exactly."""
    few = ["hold-at:15..30"]
    names = members(few if quick else ["hold-at:1..100"])
    found = tournament_of(Pig(), tuple(names))
    best = f"hold-at:{EXETER['best_hold_at']}"
    row = found.values[found.names.index(best)]
    least = min(float(w) for n, w in zip(found.names, row, strict=True) if n != best)
    yield counted("section 3.3.5", f"the best of {len(names)} holding points", best, found.best)
    yield words(
        "figure 18", f"{best} beats every other", f"it wins at least {least:.6f}", least > 0.5
    )
    yield words(
        "section 3.3.5",
        "the hold-at strategies are transitive",
        f"no circle of three among {len(names)}, all pairs exactly",
        found.is_transitive,
    )
    yield drawn(
        "pig",
        "champion",
        "How hold-at:25 fares against each (figure 18).",
        [best, *few] if quick else [],
    )
    yield drawn("pig", "tournament", "Who beats whom.", few if quick else [])
