"""dicelab: write the rules of a dice game once, and know everything about it."""

from dicelab.best_response import best_response, iterate
from dicelab.density import density
from dicelab.dice import Die, coin, combinations_law, d6, sum_law
from dicelab.errors import DicelabError
from dicelab.evaluate import evaluate
from dicelab.explain import explain
from dicelab.exploitability import exploitability
from dicelab.fair_test import compare, fair_test
from dicelab.registry import game, games, register, strategy
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Chance,
    Game,
    HouseRules,
    Outcome,
    SimultaneousGame,
    both,
    either,
    where,
)
from dicelab.simulate import simulate
from dicelab.solution import Solution
from dicelab.solve import solve
from dicelab.strategy import Plan, on_arrays, plan
from dicelab.strategy_file import load_strategy, save_strategy
from dicelab.table import Table, compile
from dicelab.tournament import tournament

__version__ = "0.1.0"

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "OTHER",
    "SAME",
    "WIN",
    "Chance",
    "DicelabError",
    "Die",
    "Game",
    "HouseRules",
    "Outcome",
    "Plan",
    "SimultaneousGame",
    "Solution",
    "Table",
    "best_response",
    "both",
    "coin",
    "combinations_law",
    "compare",
    "compile",
    "d6",
    "density",
    "either",
    "evaluate",
    "explain",
    "exploitability",
    "fair_test",
    "game",
    "games",
    "iterate",
    "load_strategy",
    "on_arrays",
    "plan",
    "register",
    "save_strategy",
    "simulate",
    "solve",
    "strategy",
    "sum_law",
    "tournament",
    "where",
]
