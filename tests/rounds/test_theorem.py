"""The ratchet is not always best, even where there are no more dice than faces."""

from fractions import Fraction

import pytest

from dicelab.rounds import (
    Round,
    evaluate,
    failures,
    first_failure,
    goal_values,
    mistakes,
    ratchet,
    result_probability,
    solve,
)
from dicelab.rules.dice import Die


def test_the_smallest_counterexample_by_hand():
    # three dice with three faces, three casts, goal 112, and the first throw shows a 2 and no 1.
    # The ratchet keeps the 2 and needs 11 in two casts: each die shows a 1 with 1 - (2/3)**2.
    keep_two = (1 - Fraction(2, 3) ** 2) ** 2
    assert keep_two == Fraction(75, 243)
    # Throwing all three again, then the ratchet. The second throw shows, of 27:
    #   3 times 112 (done), 4 times 11 and no 2 (then 1/3), 9 times 1 and 2 (then 1/3),
    #   3 times one 1 alone (then 2/9), 7 times a 2 and no 1 (then 1/9), once 333 (then 1/9).
    throws = {1: 3, Fraction(1, 3): 4 + 9, Fraction(2, 9): 3, Fraction(1, 9): 7 + 1}
    assert sum(throws.values()) == 27
    throw_all = sum(Fraction(times, 27) * chance for chance, times in throws.items())
    assert throw_all == Fraction(80, 243) > keep_two
    # 7 of 27 first throws show a 2 and no 1, so this is what the ratchet gives away
    game = Round(3, Die(3), 3)
    gap = solve(game, "goal:112").value - evaluate(ratchet(game, "112"), "goal:112").value
    assert gap == Fraction(7, 27) * (throw_all - keep_two) == Fraction(35, 6561)


def test_the_machine_finds_just_these_mistakes():
    game = Round(3, Die(3), 3)
    found = {game.write_table(m.table): m for m in mistakes(ratchet(game, "112"), "goal:112")}
    assert sorted(found) == ["222", "322", "332"]
    for mistake in found.values():
        assert (mistake.cast, mistake.cost) == (1, Fraction(5, 243))
        assert game.numbers.write(mistake.kept) == "2"
        assert [game.numbers.write(kept) for kept in mistake.best] == ["-"]


def test_no_smaller_round_is_a_counterexample_with_dice_up_to_faces():
    for dice, faces in [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]:
        assert first_failure(dice, faces, most=12) is None
    failure = first_failure(3, 3)
    assert (failure.casts, failure.goal, failure.goals) == (3, "112", ("112",))


def test_the_table_of_first_failures():
    # None: none in 20 casts. Found once by a program that shares no code with this one.
    expected = {
        1: [None] * 8,
        2: [None] * 8,
        3: [None, 2, 3, 4, 7, 9, 11, 14],
        4: [None, 2, 2, 3, 3, 4, 5, 6],
    }
    found = failures(4, 8, most=20)
    for dice, row in expected.items():
        casts = [found[dice, faces] and found[dice, faces].casts for faces in range(1, 9)]
        assert casts == row


def test_three_casts_are_few_enough_for_the_real_game():
    # so every table of the study stands: (3, 6) fails only from nine casts on
    for goal in ("111", "112", "123"):
        for ratchet_, best in goal_values(Round(), goal, 8):
            assert ratchet_ == best


@pytest.mark.parametrize("faces", range(2, 9))
def test_two_dice_never_fail(faces):
    # v_c(12) <= v_c(2) by induction: 2/F**2 <= 1/F, so keeping the 1 is at least as good
    assert first_failure(2, faces, most=40) is None


@pytest.mark.parametrize("faces", [2, 3])
def test_with_two_casts_the_theorem_is_right_but_for_brelans(faces):
    # more dice than faces, yet a brelan is always best pursued by the ratchet: p(111) < p(11)
    for dice in (3, 4):
        game = Round(dice, Die(faces), 2)
        for ratchet_, best in goal_values(game, "1" * dice, 6):
            assert ratchet_ == best
        fails = first_failure(dice, faces, most=2)
        assert (fails is not None) == (dice > faces)


def test_the_values_are_those_of_the_whole_engine():
    game = Round(3, Die(3), 4)
    values = goal_values(game, "112", 4)
    assert values[4] == (
        evaluate(ratchet(game, "112"), "goal:112").value,
        solve(game, "goal:112").value,
    )
    single = [result_probability(game, "112", "112", cast) for cast in (1, 2, 3, 4)]
    assert values[4][0] == sum(single)


def test_a_failure_speaks_for_itself():
    assert str(first_failure(3, 3)) == (
        "(3, 3) fails with 3 casts, goal 112: ratchet 3431/6561, best 3466/6561"
    )
