"""Pars of scorecards: what is written, what is played, what is refused."""

from fractions import Fraction

import pytest

from dicelab import evaluate, game
from dicelab.errors import UnknownStrategy
from dicelab.rounds.card_pars import Pars, read_pars

CARD = game("yahtzee", dice=2, casts=1, enough=12, bonus=10, only="sixes+chance")


def test_pars_are_read_as_they_are_written():
    pars = read_pars(CARD, "chance=7+sixes=4+counted=3/2")
    assert pars == Pars((("sixes", 4), ("chance", 7)), Fraction(3, 2))
    assert read_pars(CARD, str(pars)) == pars
    assert pars.size == 3
    assert pars.name == "pars:sixes=4+chance=7+counted=3/2"


def test_pars_of_two_boxes_bring_what_is_counted_by_hand():
    # Two dice, one cast, no choice but the box. Sixes are filled first where their points less 4
    # are at least those of chance less 7; the other box takes the second cast.
    first = second = Fraction(0)
    rolls = [(one, two) for one in range(1, 7) for two in range(1, 7)]
    sixes = [6 * (roll.count(6)) for roll in rolls]
    bonus = [10 * (points >= 12) for points in sixes]
    for roll, points, more in zip(rolls, sixes, bonus, strict=True):
        takes_sixes = points + more - 4 >= sum(roll) - 7
        first += Fraction(points + more if takes_sixes else sum(roll), 36)
        rest = 7 if takes_sixes else Fraction(sum(sixes) + sum(bonus), 36)
        second += Fraction(rest) / 36
    found = evaluate(CARD, "pars:sixes=4+chance=7")
    assert float(found.value) == pytest.approx(float(first + second), abs=1e-9)


def test_no_pars_are_greed():
    assert evaluate(CARD, "pars").value == pytest.approx(evaluate(CARD, "greedy").value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sixs=4", "has no box 'sixs' for a par; did you mean 'sixes'?"),
        ("sixes=4+sixes=5", "sixes has two pars in 'sixes=4+sixes=5': a box has one"),
        ("sixes=many", "sixes takes a whole number of points in pars: got 'many'"),
        ("counted=1/0", "counted takes a number such as 3/2 in pars: got '1/0'"),
        ("counted=1/2", "points towards the bonus count once or more often: got 1/2"),
    ],
)
def test_what_are_no_pars_is_refused(text, sentence):
    with pytest.raises(UnknownStrategy) as refused:
        evaluate(CARD, f"pars:{text}")
    assert str(refused.value).endswith(sentence)
