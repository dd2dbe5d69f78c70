"""Rounds."""
from dicelab.rounds.rules import Round
from dicelab.rounds.induction import solve, solve_batch
from dicelab.rounds.strategies import *
from dicelab.rounds.evaluation import *
from dicelab.rounds.results import *
from dicelab.rounds.policies import *
from dicelab.rounds.goals import *
from dicelab.rounds.mistakes import *
from dicelab.rounds.costs import *
from dicelab.rounds.simulate import *
from dicelab.rounds.history import *
from dicelab.rounds.theorem import *
from dicelab.rounds.utilities import *
