"""Chance for the compiled walks: 64 random bits at a time, and whole numbers without bias.

The generator is xoshiro256++ (Blackman & Vigna, "Scrambled Linear Pseudorandom Number Generators",
ACM Transactions on Mathematical Software 47(4), 2021). NumPy's own generators can be called from a
kernel too, but through a function pointer, which costs ten times as much as the draw. Seeds still
come from NumPy: `seeded` asks a `SeedSequence` for the four words of the state.

A chance is a whole number of parts out of `whole`, and `below` picks one part, each exactly as
likely as any other (Lemire, "Fast Random Integer Generation in an Interval", 2019).
"""

from __future__ import annotations

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.core.jit import inlined

WORD = 2**64 - 1


def seeded(seed: int, *block: int) -> Ints:
    """Return the generator's state for one block of games of a seed. `[4]`"""
    return np.random.SeedSequence(seed, spawn_key=block).generate_state(4, np.uint64)


@inlined
def draw(state: Ints) -> np.uint64:
    """Return 64 random bits and move the state on."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    mixed = a + d
    bits = ((mixed << np.uint64(23)) | (mixed >> np.uint64(41))) + a
    kept = b << np.uint64(17)
    c ^= a
    d ^= b
    state[1] = b ^ c
    state[0] = a ^ d
    state[2] = c ^ kept
    state[3] = (d << np.uint64(45)) | (d >> np.uint64(19))
    return bits


@inlined
def high_word(one: np.uint64, two: np.uint64) -> np.uint64:
    """Return the upper 64 bits of the product of two words."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a, b, c, d = one >> half, one & low, two >> half, two & low
    middle = a * d + ((b * d) >> half)
    other = b * c + (middle & low)
    return a * c + (middle >> half) + (other >> half)


@inlined
def below(state: Ints, whole: np.uint64) -> np.uint64:
    """Return a whole number from 0 to `whole` - 1, each with the same chance."""
    bits = draw(state)
    rest = bits * whole
    if rest < whole:
        unfair = (np.uint64(0) - whole) % whole
        while rest < unfair:
            bits = draw(state)
            rest = bits * whole
    return high_word(bits, whole)


class PlainDraws:
    """The same generator in plain Python, for the walk through the rules themselves."""

    def __init__(self, state: Array) -> None:
        self.state = [int(word) for word in state]

    def draw(self) -> int:
        """Return 64 random bits."""
        a, b, c, d = self.state
        mixed = (a + d) & WORD
        bits = (((mixed << 23) | (mixed >> 41)) + a) & WORD
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ (b << 17) & WORD, ((d << 45) | (d >> 19)) & WORD]
        return bits

    def below(self, whole: int) -> int:
        """Return a whole number from 0 to `whole` - 1, each with the same chance."""
        product = self.draw() * whole
        while product & WORD < (2**64 - whole) % whole:
            product = self.draw() * whole
        return product >> 64
