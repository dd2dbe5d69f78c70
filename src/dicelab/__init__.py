"""dicelab: write the rules of a dice game once, and know everything about it."""

from dicelab.core.version import __version__ as __version__
from dicelab.errors import DicelabError
from dicelab.rules import (
    BOTH,
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Amount,
    Chance,
    Game,
    HouseRules,
    Moment,
    Outcome,
    RaceAtOnce,
    SimultaneousGame,
    Throw,
    Way,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, coin, d6
from dicelab.rules.dice_laws import combinations_law, sum_law
from dicelab.rules.registry import all_games, game, register, strategy
from dicelab.strategies.file import load_strategy, save_strategy
from dicelab.strategies.named import plan
from dicelab.strategies.plan import Plan, on_arrays
from dicelab.table import Table, compile
from dicelab.verbs.balance import balance
from dicelab.verbs.best_response import best_response, iterate
from dicelab.verbs.check import check
from dicelab.verbs.density import density
from dicelab.verbs.distil import distil
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.explain import explain
from dicelab.verbs.exploitability import exploitability
from dicelab.verbs.fair_test import compare, fair_test
from dicelab.verbs.profile import temptation
from dicelab.verbs.report import report
from dicelab.verbs.simulate import simulate
from dicelab.verbs.solution import Solution
from dicelab.verbs.solve import solve
from dicelab.verbs.sweep import sweep
from dicelab.verbs.tournament import tournament

__all__ = [
    "BOTH",
    "DRAW",
    "LOSS",
    "ONGOING",
    "OTHER",
    "SAME",
    "WIN",
    "Amount",
    "Chance",
    "DicelabError",
    "Die",
    "Game",
    "HouseRules",
    "Moment",
    "Outcome",
    "Plan",
    "RaceAtOnce",
    "SimultaneousGame",
    "Solution",
    "Table",
    "Throw",
    "Way",
    "all_games",
    "balance",
    "best_response",
    "both",
    "check",
    "coin",
    "combinations_law",
    "compare",
    "compile",
    "d6",
    "density",
    "distil",
    "either",
    "evaluate",
    "explain",
    "exploitability",
    "fair_test",
    "game",
    "iterate",
    "load_strategy",
    "on_arrays",
    "plan",
    "register",
    "report",
    "save_strategy",
    "simulate",
    "solve",
    "strategy",
    "sum_law",
    "sweep",
    "temptation",
    "tournament",
    "where",
]
