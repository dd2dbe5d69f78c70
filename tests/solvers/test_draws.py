"""Chance: the generator is the published one, and every part is as likely as any other."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab.core.jit import allocating
from dicelab.solvers.draws import PlainDraws, below, draw, seeded
from dicelab.verbs.sampler import FINEST, in_parts

# The first ten outputs from the state 1, 2, 3, 4, as the reference code of xoshiro256++ gives them
# (prng.di.unimi.it; the same list is in the tests of Rust's rand_xoshiro).
REFERENCE = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


@allocating
def words(state, count):
    found = np.empty(count, np.uint64)
    for i in range(count):
        found[i] = draw(state)
    return found


@allocating
def parts(state, whole, count):
    found = np.empty(count, np.uint64)
    for i in range(count):
        found[i] = below(state, whole)
    return found


def test_the_generator_gives_the_published_numbers():
    state = np.array([1, 2, 3, 4], np.uint64)
    assert words(state, 10).tolist() == REFERENCE
    plain = PlainDraws([1, 2, 3, 4])
    assert [plain.draw() for _ in range(10)] == REFERENCE


@pytest.mark.parametrize("whole", [1, 2, 6, 36, 10**9 + 7, 2**61 - 1, 2**62, 2**62 + 2**61 + 1])
def test_compiled_and_plain_draws_are_the_same(whole):
    plain = PlainDraws(seeded(7, 3))
    fast = parts(seeded(7, 3), np.uint64(whole), 300).tolist()
    assert fast == [plain.below(whole) for _ in range(300)]
    assert max(fast) < whole


def test_each_face_of_a_die_is_as_likely_as_any_other():
    counts = np.bincount(parts(seeded(1, 0), np.uint64(6), 600_000).astype(int), minlength=6)
    # chi-square with 5 degrees of freedom is beyond 20.5 once in a thousand
    assert ((counts - 100_000) ** 2 / 100_000).sum() < 20.5


def test_blocks_of_one_seed_have_states_of_their_own():
    states = {tuple(seeded(1, block).tolist()) for block in range(100)}
    assert len(states) == 100
    assert (seeded(1, 2) == seeded(1, 2)).all()
    assert (seeded(1, 2) != seeded(2, 2)).any()


def test_chances_are_whole_parts_of_their_common_denominator():
    assert in_parts([Fraction(1, 6), Fraction(1, 4)]) == ([2, 3], 12)


def test_chances_without_a_small_denominator_are_rounded_finely():
    chances = [Fraction(1, 3**45), Fraction(1, 7**25), Fraction(1, 2)]
    numerators, whole = in_parts(chances)
    assert whole == FINEST
    for numerator, chance in zip(numerators, chances, strict=True):
        assert 0 <= chance - Fraction(numerator, whole) < Fraction(1, whole)
