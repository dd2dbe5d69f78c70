"""Rounds."""
from dicelab.rounds.round import Round
from dicelab.rounds.induction import solve, solve_batch
from dicelab.rounds.strategies import *
from dicelab.rounds.evaluation import *
from dicelab.rounds.results import *
