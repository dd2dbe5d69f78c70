"""Games compiled and solved once for all these tests."""

from functools import cache

import pytest

from dicelab import compile
from dicelab.games.pig import Pig
from dicelab.verbs.solve import solve


@cache
def solved(target):
    return solve(compile(Pig(target=target)))


@pytest.fixture
def pig():
    """Pig to 100, solved."""
    return solved(100)


@pytest.fixture
def short():
    """Pig to 50, solved."""
    return solved(50)
