"""Craps, against closed forms, a sum over lengths of games, and the same game as house rules.

The chances of the bets are those of every text on probability: 244/495 for the pass line; don't
pass wins 949/1980, loses 244/495 and draws 1/36.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

import pytest

from dicelab import DRAW, LOSS, WIN, Die, HouseRules, compile, game, simulate, solve
from dicelab.errors import RulesError, UnreadablePosition
from dicelab.games.craps import Craps, CrapsPosition
from dicelab.rules import ONGOING, SAME
from dicelab.rules.dice import d6

LOADED = Die({1: "1/12", 2: "1/6", 3: "1/6", 4: "1/6", 5: "1/6", 6: "1/4"})


def sums(die):
    """Return how likely each sum of two dice is, every throw listed."""
    law = Counter()
    for (one, p), (two, q) in product(die, repeat=2):
        law[one + two] += p * q
    return law


def chances(die, bet):
    """Return the chances to win, to lose and to draw: a point n comes before a 7 with n/(n + 7)."""
    law = sums(die)
    points = {4, 5, 6, 8, 9, 10}
    made = sum(law[n] * law[n] / (law[n] + law[7]) for n in points if law[n])
    missed = sum(law[n] * law[7] / (law[n] + law[7]) for n in points if law[n])
    if bet == "pass":
        return law[7] + law[11] + made, law[2] + law[3] + law[12] + missed, 0
    return law[2] + law[3] + missed, law[7] + law[11] + made, law[12]


def test_the_bets_win_as_often_as_every_text_says():
    assert solve(Craps(), exact=True).value == Fraction(244, 495)
    assert solve(Craps(bet="dont-pass"), exact=True).value == Fraction(949, 1980)
    assert chances(d6, "pass") == (Fraction(244, 495), Fraction(251, 495), 0)
    assert chances(d6, "dont-pass") == (Fraction(949, 1980), Fraction(244, 495), Fraction(1, 36))


@pytest.mark.parametrize("die", [d6, LOADED, Die({1: "1/2", 6: "1/2"}), Die(4)], ids=str)
@pytest.mark.parametrize("bet", ["pass", "dont-pass"])
def test_every_die_wins_as_the_sum_over_points_says(bet, die):
    wins, loses, draws = chances(die, bet)
    assert solve(Craps(bet=bet, die=die), exact=True).value == wins
    assert wins + loses + draws == 1


@pytest.mark.parametrize(
    ("point", "chance"), [(4, "1/3"), (5, "2/5"), (6, "5/11"), (8, "5/11"), (9, "2/5"), (10, "1/3")]
)
def test_a_point_is_made_with_the_odds_of_the_table(point, chance):
    solution = solve(Craps(), exact=True)
    assert solution.value_at(f"point {point}") == Fraction(chance)
    against = solve(Craps(bet="dont-pass"), exact=True)
    assert against.value_at(f"point {point}") == 1 - Fraction(chance)


@dataclass(frozen=True)
class PlainCraps(HouseRules):
    """The same game in plain Python; a position is the point, or how the bet ended."""

    bet: str = "pass"
    die: Die = d6
    name: ClassVar[str] = "plain craps"
    players: ClassVar[int] = 1
    worth: ClassVar[dict] = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(0)}

    def start(self):
        return "come-out"

    def choices(self, at):
        return ["roll"]

    def outcomes(self, at, move):
        for total, chance in sums(self.die).items():
            if at == "come-out":
                shooter = "won" if total in (7, 11) else "lost" if total in (2, 3, 12) else None
            else:
                point = int(at.split()[1])
                shooter = "won" if total == point else "lost" if total == 7 else None
            if shooter is None:
                yield chance, f"point {total}" if at == "come-out" else at, SAME
            elif self.bet == "pass":
                yield chance, shooter, SAME
            elif at == "come-out" and total == 12:
                yield chance, "drawn", SAME
            else:
                yield chance, "lost" if shooter == "won" else "won", SAME

    def result(self, at):
        return {"won": WIN, "lost": LOSS, "drawn": DRAW}.get(at, ONGOING)


@pytest.mark.parametrize("die", [d6, LOADED, Die(4)], ids=str)
@pytest.mark.parametrize("bet", ["pass", "dont-pass"])
def test_arrays_and_house_rules_are_the_same_game(bet, die):
    house, arrays = solve(PlainCraps(bet, die), exact=True), solve(Craps(bet, die), exact=True)
    assert len(house.table) == len(arrays.table)
    for number in range(len(house.table)):
        at = house.table.position(number)
        assert arrays.value_at(at) == house.values[number], at


def test_games_with_random_dice_agree_with_the_exact_chance():
    table, p = compile(Craps()), 244 / 495
    found = simulate(table, "optimal", games=4000, seed=3)
    assert abs(found.value.value - p) < 4 * (p * (1 - p) / 4000) ** 0.5


def test_what_happened_is_told():
    craps, start, six = Craps(), Craps().start(), Craps().parse("point 6")
    assert [craps.describe(at) for at in (start, six, craps.parse("lost"))] == [
        "The come-out.",
        "The point is 6.",
        "The bet is lost.",
    ]
    assert [craps.label(at, "roll") for at in (start, six)] == ["Come out", "Roll for 6"]

    def told(at, faces, bet="pass"):
        craps = Craps(bet)
        return craps.narrate(at, "roll", faces, craps.after(at, "roll", faces).at, True, True).text

    assert told(start, [2, 4]) == "You roll 2 and 4: 6, the point."
    assert told(six, [2, 2]) == "You roll 2 and 2: 4."
    assert told(six, [3, 3]) == "You roll 3 and 3: 6, and the bet is won."
    assert told(six, [3, 4]) == "You roll 3 and 4: 7, and the bet is lost."
    assert told(start, [6, 6]) == "You roll 6 and 6: 12, and the bet is lost."
    assert told(start, [6, 6], "dont-pass") == "You roll 6 and 6: 12, and the bet is drawn."
    assert craps.ending(craps.parse("won"), True, "won", 3) == "You won the bet."


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"bet": "field"}, "craps needs a bet among pass, dont-pass: got bet=field"),
        ({"die": Die(8)}, "craps needs faces 1 to 6: got die=8"),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("craps", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["point 7", "point", "6", "point 6 6"])
def test_a_position_is_the_come_out_a_point_or_an_end(text):
    with pytest.raises(UnreadablePosition) as refused:
        Craps().parse(text)
    assert str(refused.value) == (
        f"cannot read {text!r} as a position of craps: write it like 'come-out'"
    )
    assert Craps().parse(" point  6 ") == CrapsPosition(6, ONGOING)
