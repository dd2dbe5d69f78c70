"""Pig and its kin: published numbers to all printed digits, and the rules at the table."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from typing import ClassVar

import pytest

from dicelab import Die, best_response, compile, evaluate, solve
from dicelab.errors import RulesError, UnknownStrategy, UnreadablePosition
from dicelab.games.pig import BigPig, Pig, Piglet, PigPosition, TwoDicePig
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import Outcome
from dicelab.studies.printed import printed as read_printed

KNOWN = read_printed("pig")
EXETER = KNOWN["pig"]["exeter"]
NELLER = KNOWN["pig"]["neller_presser_2004"]


@cache
def pig():
    return compile(Pig())


@cache
def optimum():
    return solve(Pig())


def printed(number, like: str) -> str:
    """Return a number with as many digits as someone printed."""
    if isinstance(number, Fraction):
        number = Decimal(number.numerator) / Decimal(number.denominator)
    step = Decimal(1).scaleb(Decimal(like).as_tuple().exponent)
    return str(Decimal(number).quantize(step, ROUND_HALF_UP))


def outcomes(game, at, move):
    """Return what may happen after a move, in notation: {position: chance}."""
    found = {}
    for outcome in game.outcomes(game.parse(at), move):
        chance, after, _, _ = Outcome(*outcome)
        written = game.notation(after)
        found[written] = found.get(written, Fraction(0)) + chance
    return found


# Published values


def test_optimal_play_is_worth_what_neller_and_presser_and_the_study_print():
    value = optimum().value
    assert printed(value, NELLER["optimal_first"]) == NELLER["optimal_first"]
    assert printed(value, EXETER["optimal_first"]) == EXETER["optimal_first"]
    assert optimum().upper - optimum().lower < 1e-12


def test_two_players_who_hold_at_20_give_the_first_a_little():
    both = evaluate(pig(), "hold-at:20", "hold-at:20")
    assert printed(both.first, "0.0001") == NELLER["both_hold_at_20_first"]
    assert both.first == pytest.approx(both.second, abs=1e-12)


def test_the_best_reply_to_hold_at_20_wins_what_neller_and_presser_print():
    reply = best_response(Pig(), "hold-at:20")
    assert printed(reply.first, "0.0001") == NELLER["best_reply_to_hold_at_20_first"]
    assert printed(reply.second, "0.0001") == NELLER["hold_at_20_first_against_it"]


@pytest.mark.parametrize(("at", "value"), KNOWN["piglet"]["neller_presser_2004"]["values"].items())
def test_piglet_to_two_has_the_printed_values(at, value):
    assert solve(Piglet(target=2), exact=True).value_at(at) == Fraction(value)


@pytest.mark.parametrize("pair", EXETER["hold_at_pairs"])
def test_holding_at_one_number_against_another_wins_what_the_study_prints(pair):
    a, b = pair.split("v")
    first, second, overall = EXETER["hold_at_pairs"][pair]
    found = evaluate(pig(), f"hold-at:{a}", f"hold-at:{b}")
    assert printed(found.first, first) == first
    assert printed(found.second, second) == second
    assert found.overall == pytest.approx((found.first + 1 - found.second) / 2, abs=1e-12)
    # The study's third number is the mean of the two already rounded ones, rounded once more. In
    # 15v20, 1v80, 80v85, 1v100 and 13v31 that shifts its last digit.
    twice = (Fraction(first) + 1 - Fraction(second)) / 2
    assert printed(twice, overall) == overall
    assert abs(Fraction(found.overall) - Fraction(overall)) <= Fraction(1, 10**4)


def test_the_study_rounds_twice_in_five_of_its_ten_pairs():
    shifted = []
    for pair, (_, _, overall) in EXETER["hold_at_pairs"].items():
        a, b = pair.split("v")
        found = evaluate(pig(), f"hold-at:{a}", f"hold-at:{b}").overall
        if printed(found, overall) != overall:
            shifted.append(pair)
    assert shifted == ["15v20", "1v80", "80v85", "1v100", "13v31"]


@pytest.mark.parametrize(
    "pair", EXETER["more_pairs"].values(), ids=lambda pair: " v ".join(pair[:2])
)
def test_the_longer_numbers_of_the_study_hold_to_every_digit(pair):
    a, b, *numbers = pair
    found = evaluate(pig(), a, b)
    for number, known in zip((found.first, found.second, found.overall), numbers, strict=True):
        assert not known or printed(number, known) == known


def test_turtle_against_roll_to_win_overall_was_printed_from_simulated_numbers():
    found = evaluate(pig(), "turtle", "roll-to-win").overall
    known = EXETER["turtle_overall"]
    turtle, roller = (Fraction(number) for number in known["simulated"])
    assert (turtle + 1 - roller) / 2 == Fraction(known["printed"])
    # Its theoretical numbers, 0.812840 and 0.195448, give (0.812840 + 1 - 0.195448)/2.
    assert printed(found, "0.000001") == "0.808696"


def test_hold_at_25_beats_every_other_holding_point():
    best = EXETER["best_hold_at"]
    for other in {*range(1, 101)} - {best}:
        assert evaluate(pig(), f"hold-at:{best}", f"hold-at:{other}").overall > 0.5, other


def test_at_41_to_49_optimal_play_holds_from_22_on_but_not_at_27():
    known = KNOWN["pig"]["possibly_wrong_2014"]
    assert [optimum().best_moves(at) for at in known["hold"]] == [["hold"]] * len(known["hold"])
    assert [optimum().best_moves(at) for at in known["roll"]] == [["roll"]] * len(known["roll"])


# Equations solved by hand


@dataclass(frozen=True)
class PigFrom(Pig):
    """Pig that starts in the middle."""

    at: str = "0-0 +0"

    def start(self):
        return self.parse(self.at)


def chance(at, a, b, mover):
    """Return the exact chance to win of whoever moves at a position of Pig to 100."""
    found = evaluate(PigFrom(at=at), a, b, exact=True)
    return found.first if mover == "A" else found.second


def always_roll(at):
    return "roll"


def bank_two_at_97(at):
    return "hold" if at == (97, 99, 2) else "roll"


def test_level_at_99_the_next_to_roll_wins_six_games_of_seven():
    # P = 1 - Q/6 and Q = 1 - P/6.
    known = Fraction(EXETER["hand_solved"]["level_at_99"])
    assert chance("99-99 +0", always_roll, always_roll, "A") == known
    assert chance("99-99 +0", always_roll, always_roll, "B") == known
    assert solve(PigFrom(at="99-99 +0"), exact=True).value == known


@pytest.mark.parametrize(
    ("case", "a", "exact"),
    # The three equations of the study, solved in fractions by hand.
    [
        ("both_roll", always_roll, ["174/209", "179/209", "180/209"]),
        ("a_banks", bank_two_at_97, ["174/245", "1/7", "216/245"]),
    ],
)
def test_the_study_s_equations_by_hand_come_out_exactly(case, a, exact):
    for (mover, at, known), fraction in zip(EXETER["hand_solved"][case], exact, strict=True):
        found = chance(at, a, always_roll, mover)
        assert found == Fraction(fraction)
        assert printed(found, known) == known


# Alone with two dice


@dataclass(frozen=True)
class SoloTwoDicePig(TwoDicePig, SoloPig):
    """Two-dice Pig alone, as Bill Butler analyses it."""

    players: ClassVar[int] = 1


def test_two_dice_alone_reach_100_within_n_turns_as_often_as_durango_bill_prints():
    known = dict(KNOWN["two-dice-pig"]["durango_bill"])
    del known["source"]
    solution = solve(SoloTwoDicePig(target=100, turns=15))
    for bank, percents in known.items():
        for turns, percent in enumerate(percents, start=1):
            value = solution.value_at(f"{bank} +0 ({turns} left)")
            assert round(100 * value, 1) == percent, (bank, turns)


# The rules at the table


def test_a_one_costs_the_turn_but_not_the_bank():
    after = outcomes(Pig(), "30-12 +9", "roll")
    assert after["12-30 +0"] == Fraction(1, 6)
    assert after == {"12-30 +0": Fraction(1, 6)} | {
        f"30-12 +{9 + face}": Fraction(1, 6) for face in range(2, 7)
    }


def test_holding_banks_what_is_at_risk_and_passes_the_dice():
    assert outcomes(Pig(), "30-12 +9", "hold") == {"12-39 +0": 1}


def test_nobody_holds_nothing_unless_passing_is_allowed():
    assert not Pig().legal(PigPosition(5, 5, 0), "hold")
    assert Pig(passing=True).legal(PigPosition(5, 5, 0), "hold")


def test_two_dice_bust_as_soon_as_one_shows_the_losing_face():
    after = outcomes(Pig(dice=2), "30-12 +0", "roll")
    assert after["12-30 +0"] == Fraction(11, 36)
    assert after["30-12 +4"] == Fraction(1, 36)
    assert after["30-12 +7"] == Fraction(4, 36)  # 2-5, 3-4 and back: no 1 and 6


def test_two_ones_cost_the_bank_in_two_dice_pig():
    after = outcomes(TwoDicePig(), "30-12 +9", "roll")
    assert after["12-0 +0"] == Fraction(1, 36)
    assert after["12-30 +0"] == Fraction(10, 36)


def test_big_pig_pays_25_for_two_ones_and_doubles_the_doubles():
    after = outcomes(BigPig(), "30-12 +0", "roll")
    assert after["30-12 +25"] == Fraction(1, 36)
    assert after["12-30 +0"] == Fraction(10, 36)
    assert after["30-12 +8"] == Fraction(5, 36)  # a double 2; 2-6, 3-5 and back
    assert after["30-12 +24"] == Fraction(1, 36)  # a double 6


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"target": 0}, "pig needs a target of at least 1: got target=0"),
        ({"target": -5}, "pig needs a target of at least 1: got target=-5"),
        ({"dice": 0}, "pig needs 1 to 100 dice a roll: got dice=0"),
        ({"die": Die(1)}, "pig needs a face besides the 1: got die=1"),
        (
            {"die": Die({1: "1/2", -3: "1/2"})},
            "pig needs faces that score 0 or more, one of them above 0: got die=-3:1/2,1:1/2",
        ),
    ],
)
def test_parameters_that_make_no_game_are_refused(parameters, message):
    with pytest.raises(RulesError) as refused:
        Pig(**parameters)
    assert str(refused.value) == message


def test_big_pig_and_solo_pig_refuse_their_own_nonsense():
    with pytest.raises(RulesError) as refused:
        BigPig(dice=3)
    assert str(refused.value) == "big-pig needs exactly 2 dice: got dice=3"
    with pytest.raises(RulesError) as refused:
        SoloPig(turns=-1)
    assert str(refused.value) == "solo-pig needs 0 turns (no limit) or more: got turns=-1"


def test_a_position_that_is_not_in_the_notation_is_refused():
    with pytest.raises(UnreadablePosition) as refused:
        Pig().parse("30:12")
    assert str(refused.value) == (
        "cannot read '30:12' as a position of pig: write it like '0-0 +0'"
    )
    assert Pig().parse(" 30-12 ") == PigPosition(30, 12, 0)


def test_strategies_that_pass_need_a_game_with_passing():
    with pytest.raises(UnknownStrategy) as refused:
        evaluate(Pig(target=20), "skip-when-level", "hold-at:5")
    assert str(refused.value) == (
        "skip-when-level passes with nothing at risk: play pig passing=yes"
    )


def test_points_beyond_the_target_count_as_the_target():
    # To 2 every roll but a 1 wins: v = (s - 1)/s + (1 - v)/s, hence v = s/(s + 1).
    table = compile(Pig(target=2, die=Die(1000)))
    assert len(table) < 20
    assert solve(table, exact=True).value == Fraction(1000, 1001)
    assert sum(throw.chance for throw in Pig(target=100, die=Die(1000)).throws()) == 1
    assert Pig(target=2).after(PigPosition(0, 0, 0), "roll", [6]).at.at_risk == 2
