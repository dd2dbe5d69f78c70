"""Rounds of keep-and-reroll: 421, Yahtzee and their kin, solved exactly.

A `Round` is so many dice and so many casts. `solve` finds the best play against any utility of the
result, `policy` makes strategies by name, `evaluate` and `presence` say what a strategy earns and
where it leads, `benchmark` and `charts` make the tables of the 421 study for any dice.

>>> from dicelab.rounds import Round, evaluate, policy, solve
>>> game = Round()
>>> solve(game, "goal:421").value
Fraction(42571, 186624)
>>> evaluate(policy("ratchet:421", game), "goal:421").value
Fraction(42571, 186624)
"""

from dicelab.rounds.advice import Advice, Choice, advise, ask
from dicelab.rounds.benchmark import Benchmark, Cell, benchmark, cut
from dicelab.rounds.charts import ChartLine, charts
from dicelab.rounds.combinations import Combinations
from dicelab.rounds.costs import Effort, Tally, Thinker, effort
from dicelab.rounds.evaluation import (
    Evaluation,
    Presence,
    duality,
    evaluate,
    galton_watson,
    presence,
)
from dicelab.rounds.goals import Identification, Identified, Thinking, identified, identify
from dicelab.rounds.history import HistorySolution, Step, solve_history
from dicelab.rounds.induction import RoundSolution, solve, solve_batch
from dicelab.rounds.mistakes import Mistake, mistakes
from dicelab.rounds.policies import policy
from dicelab.rounds.results import Couple, combination_classes, couple_classes, result_probability
from dicelab.rounds.rules import Round
from dicelab.rounds.simulate import RoundEstimate, simulate
from dicelab.rounds.strategies import (
    RoundStrategy,
    bernoulli,
    from_function,
    optimal,
    random,
    ratchet,
)
from dicelab.rounds.theorem import Failure, failures, first_failure, goal_values
from dicelab.rounds.utilities import Utility, utility

__all__ = [
    "Advice",
    "Benchmark",
    "Cell",
    "ChartLine",
    "Choice",
    "Combinations",
    "Couple",
    "Effort",
    "Evaluation",
    "Failure",
    "HistorySolution",
    "Identification",
    "Identified",
    "Mistake",
    "Presence",
    "Round",
    "RoundEstimate",
    "RoundSolution",
    "RoundStrategy",
    "Step",
    "Tally",
    "Thinker",
    "Thinking",
    "Utility",
    "advise",
    "ask",
    "benchmark",
    "bernoulli",
    "charts",
    "combination_classes",
    "couple_classes",
    "cut",
    "duality",
    "effort",
    "evaluate",
    "failures",
    "first_failure",
    "from_function",
    "galton_watson",
    "goal_values",
    "identified",
    "identify",
    "mistakes",
    "optimal",
    "policy",
    "presence",
    "random",
    "ratchet",
    "result_probability",
    "simulate",
    "solve",
    "solve_batch",
    "solve_history",
    "utility",
]
