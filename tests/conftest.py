"""Oracles that more than one test asks: small, slow and written another way than the code."""

import pytest

from brute import value_by_kernels


@pytest.fixture(scope="session")
def by_kernels():
    """What tells the value of a small matrix game, in rationals."""
    return value_by_kernels
