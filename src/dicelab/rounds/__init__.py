"""Rounds."""
from dicelab.rounds.round import Round
from dicelab.rounds.induction import solve, solve_batch
