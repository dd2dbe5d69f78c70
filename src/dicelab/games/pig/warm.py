"""What the first answers about Pig and its kin would wait for: small games through every verb."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import numpy as np

from dicelab.errors import NotSolved
from dicelab.games.pig.family import TwoDicePig
from dicelab.games.pig.rules import Pig
from dicelab.games.pig.solo import SoloPig
from dicelab.games.pig.study.threshold import Steady
from dicelab.games.pig.study.tracker import as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.fit import evidence_of, fit
from dicelab.people.sampling import Sampler
from dicelab.strategies.file import load_strategy, save_strategy
from dicelab.strategies.named import plan
from dicelab.table import compile
from dicelab.verbs.best_response import best_response, iterate
from dicelab.verbs.density import density
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.simulate import simulate
from dicelab.verbs.solve import solve
from dicelab.verbs.tournament import tournament

SMALL = 12
LARGE = TwoDicePig(target=40)
"""One component with too many cuts for elimination."""

ALONE = (SoloPig(target=SMALL), SoloPig(target=SMALL, turns=3))


def solving() -> None:
    """Run what finds best play and best replies."""
    small = compile(Pig(target=SMALL))
    best = solve(small).plan
    for opponent in ("hold-at:5", "random"):  # one that plays, one that mixes
        best_response(small, opponent, best)
    iterate(small, "hold-at:5")
    waiting = compile(Pig(target=SMALL, passing=True))  # play that may never end
    solve(waiting)
    best_response(waiting, "skip-when-level:5")
    for alone in ALONE:
        solve(alone)
    large = compile(LARGE)
    solve(large)
    best_response(large, "hold-at:20")


def playing() -> None:
    """Run what follows two players who have decided, and people."""
    small = compile(Pig(target=SMALL))
    players = ("hold-at:5", "end-race-or-keep-pace", "random")  # sees little, sees all, mixes
    for opponent in players:
        evaluate(small, "turtle", opponent)
        density(small, "turtle", opponent)
        for by in ("turns", "moves"):
            simulate(small, opponent, "turtle", games=10, by=by)
    evaluate(small, "random", "random")
    tournament(small.game, list(players))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("saved.csv", "saved.npz"):
            save_strategy(plan(small, "turtle"), Path(folder) / name)
            load_strategy(Path(folder) / name, small)
    waiting = compile(Pig(target=SMALL, passing=True))
    evaluate(waiting, "skip-when-level:5", "skip-when-level:5")
    density(waiting, "skip-when-level:5", "skip-when-level:5")
    simulate(waiting, "skip-when-level:5", "skip-when-level:5", games=10)
    for alone in ALONE:
        table = compile(alone)
        evaluate(table, "hold-at:5")
        density(table, "hold-at:5")
        simulate(table, "hold-at:5", games=10)
    large = compile(LARGE)
    evaluate(large, "hold-at:20", "random")
    with contextlib.suppress(NotSolved):  # whoever asks for it hears it; here kernels matter
        density(large, "hold-at:20", "random")
    sampler = Sampler(small, ["hold-at:5", "random"])
    turns = turns_of(as_tracker(sampler.play(5, np.random.default_rng(1))), small)
    fit(Steady(), evidence_of(turns))
