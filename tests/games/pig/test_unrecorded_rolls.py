"""Turns whose rolls nobody wrote down: their chance, against a list of all rolls there may be."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dicelab import Die, compile
from dicelab.core.jit import interpreted
from dicelab.errors import RecordError
from dicelab.games.pig import BigPig, Pig
from dicelab.games.pig.study.example import figure_6
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, Turn
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.solvers.turn_likelihood import likelihood

ROLL_ON = [Fraction(1), *(Fraction(1, risk) for risk in range(1, 60))]
"""A player who rolls on with chance 1/r: simple, and different at every r."""


def turns(game, *taken):
    """Return the turns of one player whose opponent always busts at once."""
    pairs = [Turn(rolls, banked) for rolls, banked in taken]
    sheets = (
        Sheet("ann", 1, tuple(pairs)),
        Sheet("ben", 2, tuple(Turn(1, 0) for _ in pairs[:-1]) or (Turn(1, 0),)),
    )
    return turns_of(Tracker(game, (Form("1", sheets),)), compile(game))


def by_listing(game, bank, rolls, banked):
    """Return the chance of a turn, adding up every sequence of throws that gives it."""
    total = Fraction(0)
    for throws in product(game.throws(), repeat=rolls):
        chance, risk = Fraction(1), 0
        for number, throw in enumerate(throws, start=1):
            if bank + risk >= game.target:
                chance = Fraction(0)  # it was over
            chance *= ROLL_ON[risk] * throw.chance
            risk += throw.points
            if throw.busts and number < rolls:
                chance = Fraction(0)
        if throws[-1].busts:
            total += chance if banked == 0 else 0
        elif risk == banked and banked:
            wins = bank + risk >= game.target
            total += chance * (1 if wins else 1 - ROLL_ON[risk])
    return total


@pytest.mark.parametrize(
    ("game", "taken"),
    [
        (Pig(target=20), (1, 0)),
        (Pig(target=20), (1, 5)),
        (Pig(target=20), (3, 0)),
        (Pig(target=20), (3, 11)),
        (Pig(target=20), (4, 21)),  # wins
        (Pig(target=20), (5, 18)),
        (Pig(target=15, die=Die({1: "1/2", 2: "1/3", 5: "1/6"})), (4, 11)),
        (BigPig(target=30), (2, 29)),
    ],
    ids=str,
)
def test_the_chance_of_a_turn_adds_up_all_rolls_it_may_have_had(game, taken):
    here = turns(game, taken).pick([0])
    roll_on = np.array([[float(ROLL_ON[r]) for r in range(here.numbers.shape[1])]])
    found = here.likelihood(roll_on, 1 - roll_on)[0]
    assert found == pytest.approx(float(by_listing(game, 0, *taken)), abs=1e-15)


def test_in_rationals_it_is_the_same_number_exactly():
    game, rolls, banked = Pig(target=20), 4, 14
    scored = [throw for throw in game.throws() if not throw.busts]
    chance = np.empty(1, object)
    rolling = np.array([ROLL_ON[:26]], object)
    interpreted(likelihood)(
        rolling,
        1 - rolling,
        np.array([rolls]),
        np.array([banked]),
        np.array([throw.points for throw in scored]),
        np.array([throw.chance for throw in scored], object),
        Fraction(1, 6),
        np.zeros((2, 26), object),
        chance,
    )
    assert chance[0] == by_listing(game, 0, rolls, banked)


def test_all_turns_there_may_be_have_chance_one_together():
    game = Pig(target=8)
    every = [
        (rolls, banked)
        for rolls in range(1, 6)
        for banked in (0, *range(2 * rolls, 14))
        if by_listing(game, 0, rolls, banked)
    ]
    total = sum(by_listing(game, 0, rolls, banked) for rolls, banked in every)
    assert total == 1
    found = 0.0
    for taken in every:
        here = turns(game, taken).pick([0])
        roll_on = np.array([[float(ROLL_ON[r]) for r in range(here.numbers.shape[1])]])
        found += float(here.likelihood(roll_on, 1 - roll_on)[0])
    assert found == pytest.approx(1)


def test_turns_know_both_banks():
    one = Sheet("ann", 1, (Turn(2, 9), Turn(1, 0), Turn(2, 11)))
    two = Sheet("ben", 2, (Turn(1, 3), Turn(2, 8)))
    here = turns_of(Tracker(Pig(target=20), (Form("7", (one, two)),)), compile(Pig(target=20)))
    assert list(zip(here.seat, here.mine, here.yours, strict=True)) == [
        (0, 0, 0),
        (1, 0, 9),
        (0, 9, 3),
        (1, 3, 9),
        (0, 9, 11),
    ]
    assert here.wins.tolist() == [False, False, False, False, True]


def test_one_players_turns_alone_do_not_tell_the_gap():
    with pytest.raises(RecordError) as trouble:
        turns_of(figure_6(), compile(Pig(target=20)))
    assert str(trouble.value) == (
        "game 'figure 6' has the turns of one player only: this needs those of both"
    )
