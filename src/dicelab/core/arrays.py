"""Types for arrays of numbers, by what they hold; docstrings and comments tell their shapes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
"""Whole numbers of any size, with a sign or without."""
Bools = NDArray[np.bool_]
Array = NDArray[Any]
"""Numbers of whatever kind."""
Numbers = NDArray[Any]
"""Floats or, in exact mode, `Fraction` objects: NumPy has no type for the two."""
Real = float | Fraction
"""A float or, in exact mode, a `Fraction`."""
