"""What each single end pays, asked of the rules once a game's positions are known."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np

from dicelab.errors import DicelabError
from dicelab.rules import HouseRules, answers
from dicelab.rules.failure import failure
from dicelab.table.expand import AT_ONCE
from dicelab.table.table import Table


def with_payoffs(table: Table) -> Table:
    """Return a table that knows what its ends pay, refused where the rules do not say it exactly.

    Ends that pay the same have one number. Arrays are asked many ends at a time, house rules one.
    """
    game, numbers = table.game, dict[Fraction | tuple[Fraction, ...], int]()
    over = np.flatnonzero(~table.is_ongoing)
    found = np.zeros(len(table), np.int32)
    is_house = isinstance(game, HouseRules)
    for begin in range(0, over.size, 1 if is_house else AT_ONCE):
        some = over[begin : begin + (1 if is_house else AT_ONCE)]
        at = table.position(int(some[0])) if is_house else table.positions(some)
        try:
            place, amounts = answers.shares(game, game.payoff(at), at)
        except DicelabError:
            raise
        except Exception as trouble:  # the rules are somebody's own code
            raise failure(game, trouble, at if is_house else None) from trouble
        found[some] = np.array([numbers.setdefault(paid, len(numbers)) for paid in amounts])[place]
    answers.check_shares(game, [paid for paid in numbers if isinstance(paid, tuple)])
    return dataclasses.replace(table, end_kind=found, payoffs=tuple(numbers))
