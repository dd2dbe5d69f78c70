"""Dice in the hand follow the law of the rules."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import dicelab
from dicelab.rules import RaceAtOnce, throw
from dicelab.rules.dice import Die
from forms import SMALL as FORMS

SMALL = {
    "pig": {"target": 30, "die": "1:1/2,2:1/3,5:1/6", "dice": 2},
    "piglet": {"target": 6},
    "two-dice-pig": {"target": 20, "die": "4"},
    "big-pig": {"target": 30},
    "solo-pig": {"target": 20, "turns": 3},
    "dice-battle": {"target": 20, "dice": 3},
    "yahtzee-round": {"dice": 3},
    "farkle": {"target": 300, "dice": 3, "three_farkles": 100},
    "greed": {"max": 12, "die": "3", "tie": "1/4", "second_tie": "1/2"},
}


def law_of_outcomes(game, at, move):
    law = Counter()
    for chance, outcome in game.law(at, move):
        law[outcome.at, outcome.mover, outcome.gain] += chance
    return law


def law_of_faces(game, at, move):
    law = Counter()
    for faces in product(game.die, repeat=game.dice_at(at, move)):
        chance = Fraction(1)
        for _, share in faces:
            chance *= share
        _, after, mover, gain = game.after(at, move, [face for face, _ in faces])
        law[after, mover, gain] += chance
    return law


BY_TURNS = sorted(name for name, kind in dicelab.all_games().items() if not kind().is_simultaneous)


@pytest.mark.parametrize("name", BY_TURNS)
def test_the_dice_lead_where_the_rules_say_as_often_as_they_say(name):
    game = dicelab.game(name, **(SMALL.get(name) or FORMS.get(name, [{}])[0]))
    table = dicelab.compile(game)
    middle = [int(n) for n in np.flatnonzero(table.is_ongoing)[:: max(1, len(table) // 7)]]
    compared = 0
    for number in [table.start, *middle]:
        at = table.position(number)
        for move in table.legal_moves(number):
            if game.die.sides ** game.dice_at(at, move) <= 6**3:
                assert law_of_faces(game, at, move) == law_of_outcomes(game, at, move)
                compared += 1
    assert compared > 5


@pytest.mark.parametrize("variant", ["simultaneous", "simultaneous-zero"])
def test_thrown_at_once_the_dice_score_what_the_rules_say(variant):
    game = dicelab.game("dice-battle", variant=variant, dice=3)
    assert isinstance(game, RaceAtOnce)
    for move in game.moves:
        law = Counter()
        for faces in product(range(1, 7), repeat=game.dice_of(move)):
            law[game.scored(move, faces)] += Fraction(1, 6 ** len(faces))
        assert law == game.points(move)


def test_each_face_comes_as_often_as_its_chance():
    # 4 standard errors of a share p of n throws: 4 sqrt(p (1 - p) / n)
    die, n = Die.parse("1:1/2,4:1/3,9:1/6"), 20_000
    seen = Counter(throw.throw(die, n, np.random.default_rng(5)))
    for face, chance in die:
        p = float(chance)
        assert abs(seen[face] / n - p) < 4 * (p * (1 - p) / n) ** 0.5
    assert set(seen) == {1, 4, 9}


def test_a_number_of_any_length_is_drawn_below_its_bound():
    rng = np.random.default_rng(2)
    whole = 3 * 10**40
    draws = [throw.below(whole, rng) for _ in range(300)]
    assert max(draws) < whole
    assert sum(draw >= whole // 3 for draw in draws) / 300 == pytest.approx(2 / 3, abs=0.11)
    assert throw.below(1, rng) == 0


def test_the_same_seed_throws_the_same_dice():
    throws = [throw.throw(Die(6), 8, np.random.default_rng([7, 3])) for _ in range(2)]
    assert throws[0] == throws[1]
