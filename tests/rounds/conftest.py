"""What the tests of rounds share: the printed numbers, and fate trees played out whole."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from dicelab.rounds import Round
from dicelab.studies.printed import printed as read_printed


@pytest.fixture(scope="session")
def printed() -> dict[str, Any]:
    """The numbers of the 421 study."""
    return read_printed("421")


@pytest.fixture(scope="session")
def fate_tree() -> Callable[..., Fraction]:
    return play_out


@pytest.fixture(scope="session")
def random_worths() -> Callable[..., Callable[[tuple[int, ...], int], int]]:
    return _random_worths


def _random_worths(game: Round, seed: int) -> Callable[[tuple[int, ...], int], int]:
    """Return a utility of result and cast drawn at random, negative worths among them."""
    random = Random(seed)
    table = {
        (number, cast): random.randint(-5, 9)
        for number in game.numbers.full
        for cast in range(1, game.casts + 1)
    }
    return lambda faces, cast: table[game.numbers.number(faces), cast]


def play_out(
    game: Round,
    worth: Callable[..., Any],
    player: str = "first",
    decide: Callable[..., dict[tuple[int, ...], Fraction]] | None = None,
) -> Fraction:
    """Return what a round is worth by playing out every fate, nothing merged.

    Dice are told apart: every sequence of faces is a fate of its own, and so is every choice of
    which dice to keep. ``worth(result, cast, history)`` sees the whole history of (thrown, kept)
    pairs. Without ``decide`` the best choice is taken; with it, the mean over its chances.
    """
    faces, chances = game.die.faces, dict(game.die)

    def cast_from(kept: tuple[int, ...], cast: int, history: tuple[Any, ...]) -> Fraction:
        total = Fraction(0)
        for thrown in product(faces, repeat=game.dice - len(kept)):
            chance = Fraction(1)
            for face in thrown:
                chance *= chances[face]
            total += chance * choose(kept, thrown, cast + 1, history)
        return total

    def choose(
        aside: tuple[int, ...], thrown: tuple[int, ...], cast: int, history: tuple[Any, ...]
    ) -> Fraction:
        if cast == game.casts:
            return after(aside + thrown, cast, (*history, (thrown, aside + thrown)))
        if decide is not None:
            return sum(
                chance * after(kept, cast, (*history, (thrown, kept)))
                for kept, chance in decide(aside, thrown, cast).items()
            )
        bound, free = (aside, thrown) if game.keep == "aside" else ((), aside + thrown)
        found = []
        for mask in product((False, True), repeat=len(free)):
            kept = bound + tuple(face for face, take in zip(free, mask, strict=True) if take)
            if player == "first" or len(kept) < game.dice:
                found.append(after(kept, cast, (*history, (thrown, kept))))
        return max(found)

    def after(kept: tuple[int, ...], cast: int, history: tuple[Any, ...]) -> Fraction:
        if len(kept) == game.dice:
            return Fraction(worth(tuple(sorted(kept, reverse=True)), cast, history))
        return cast_from(kept, cast, history)

    return cast_from((), 0, ())
