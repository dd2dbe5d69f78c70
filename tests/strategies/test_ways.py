"""Ways after throws, of strategies that mix."""

from fractions import Fraction

import numpy as np

from dicelab.strategies.ways import _numbered


def test_equal_chances_have_one_number_though_they_are_different_objects():
    half, third = Fraction(1, 2), Fraction(1, 3)
    which, chances = _numbered(np.array([half, third, Fraction(2, 4), half, Fraction(0)], object))
    assert [chances[number] for number in which] == [half, third, half, half, 0]
    assert len(chances) == 3
