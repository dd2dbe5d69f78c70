"""Marks, accuracy and the luck-adjusted result, against Piglet worked out by hand."""

from fractions import Fraction

import pytest

from dicelab import game, solve
from dicelab.people import marks
from dicelab.people.game_review import Step, review_steps, tally
from dicelab.rules import OTHER, SAME
from dicelab.verbs.solution import WORSE

# Piglet to 2 (Neller & Presser 2004): the values of 0-0 +0, 0-0 +1, 0-1 +0, 0-1 +1, 1-0 +0, 1-1 +0
# are 4/7, 5/7, 2/5, 3/5, 4/5, 2/3. To roll at 0-0 +1 wins half the time and passes at 0-0 the other
# half: 1/2 + 1/2 * 3/7 = 5/7. To hold there leaves 1 - 2/5 = 3/5, which costs 4/35.
HELD = Fraction(5, 7) - Fraction(3, 5)


@pytest.fixture(scope="module")
def piglet():
    return solve(game("piglet", target=2), exact=True)


def steps(piglet, *rows):
    read = piglet.game.read
    return [Step(seat, read(at), move, read(after), mover) for seat, at, move, after, mover in rows]


def held_and_lost(piglet):
    """Ann throws heads and holds; ben throws heads twice and has won."""
    return steps(
        piglet,
        (0, "0-0 +0", "roll", "0-0 +1", SAME),
        (0, "0-0 +1", "hold", "0-1 +0", OTHER),
        (1, "0-1 +0", "roll", "0-1 +1", SAME),
        (1, "0-1 +1", "roll", "0-1 +2", SAME),
    )


@pytest.mark.parametrize(
    ("share", "word"),
    [
        (0.0, "best"),
        (0.0009, "fine"),
        (0.001, "inaccuracy"),
        (0.0099, "inaccuracy"),
        (0.01, "mistake"),
        (0.0399, "mistake"),
        (0.04, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_the_thresholds_are_a_tenth_of_a_per_cent_one_and_four(share, word):
    assert marks.mark_of(share) == word


def test_a_move_that_cannot_be_told_from_the_best_is_best():
    assert marks.mark_of(1e-15, is_mistake=False) == "best"


def test_who_holds_at_nothing_in_a_race_to_two_blunders():
    # v = 6/7 for who rolls; who holds with nothing at risk is left 1 - 6/7 = 1/7.
    solution = solve(game("pig", target=2, passing=True))
    hold = next(move for move in solution.moves_at("0-0 +0") if move.move == "hold")
    assert float(hold.cost) == pytest.approx(5 / 7)
    assert (
        marks.mark_of(float(hold.cost) / marks.at_stake(solution), hold.status == WORSE)
        == "blunder"
    )


@pytest.mark.parametrize(
    ("name", "rules", "stakes"),
    [
        ("pig", {"target": 5}, 1.0),  # a chance to win
        ("dice-battle", {"target": 6, "dice": 2}, 2.0),  # from -1 to 1
        ("solo-pig", {"target": 5}, 1.0),  # a turn is a turn
        # points, from none left to what is left on average with 2 and 3 up: (5 + 2 + 4/3)/3
        ("shut-the-box", {"tiles": 3, "die": 3, "dice": 1}, pytest.approx(25 / 9)),
    ],
)
def test_what_is_at_stake(name, rules, stakes):
    assert marks.at_stake(solve(game(name, **rules))) == stakes


def test_accuracy_is_the_share_kept_of_what_hung_on_the_decisions():
    # 0.01 given away where 0.05 hung on it, and nothing where 0.15 did: 19 parts of 20 kept
    assert marks.accuracy([0.01, 0.0], [0.05, 0.15]) == pytest.approx(0.95)
    assert marks.accuracy([0.3], [0.3]) == 0
    assert marks.accuracy([], []) is None


def test_a_throw_is_lucky_from_a_tenth_of_the_game_on():
    assert [marks.luck_mark(share) for share in (0.1, 0.0999, -0.1)] == ["lucky", None, "unlucky"]


def test_holding_at_piglet_costs_what_it_costs_by_hand(piglet):
    judged = review_steps(piglet, held_and_lost(piglet))
    assert [one.cost for one in judged[:2]] == pytest.approx([0, float(HELD)])
    assert [one.mark(1.0) for one in judged[:2]] == ["best", "blunder"]
    # Heads from 4/7 to 5/7; then 2/5 to 3/5, and from 3/5 to a win.
    assert [one.luck for one in judged] == pytest.approx([1 / 7, 0, 1 / 5, 2 / 5], abs=1e-12)


def test_accuracy_of_both_at_piglet_by_hand(piglet):
    # Ann had one decision, and took the worst of two moves. To hold at 0-1 +1 leaves ben
    # 1 - 2/3 = 1/3 instead of 3/5: he had as good as 4/15 to lose there, and lost nothing.
    judged = review_steps(piglet, held_and_lost(piglet))
    ann, ben = (tally(piglet, judged, seat) for seat in (0, 1))
    assert (ann.accuracy, ben.accuracy) == (0, 1)
    assert judged[3].worst == pytest.approx(4 / 15)
    assert ann.marks == {"best": 0, "fine": 0, "inaccuracy": 0, "mistake": 0, "blunder": 1}
    # Both together: of 4/35 + 4/15 = 8/21 that hung on it, 4/35 was lost: 1 - 3/10 is kept.
    both = [one for one in judged if one.unforced and one.worst > 0]
    share = marks.accuracy([one.cost for one in both], [one.worst for one in both])
    assert share == pytest.approx(0.7)
    assert marks.accuracy([], []) is None


def test_the_luck_adjusted_result_is_the_start_less_what_was_given_away(piglet):
    ann = tally(piglet, review_steps(piglet, held_and_lost(piglet)), 0)
    assert ann.result == 0
    assert ann.adjusted == pytest.approx(float(Fraction(4, 7) - HELD))
    assert ann.interval is None  # one mistake says nothing about the next game


def test_the_interval_is_the_spread_of_a_compound_poisson_sum():
    # Simulated: 3 mistakes a game on average, each costing 0.01 or 0.03. The mean of the sum of
    # squares is 3 * (0.01^2 + 0.03^2) / 2 = 0.0015, the variance of the total.
    piglet = game("piglet", target=2)
    low, high = marks.interval(piglet, 0.5, [0.01, 0.03, 0.03, 0.0])
    assert (high - low) / 2 == pytest.approx(1.96 * (0.01**2 + 2 * 0.03**2) ** 0.5)
    assert marks.interval(piglet, 0.01, [0.1, 0.1, 0.1])[0] == 0  # no chance is below nothing
    assert marks.interval(piglet, None, [0.1, 0.1, 0.1]) is None
    # Student's t for two samples has a tail of 12.706 standard errors (any table).
    assert marks.interval_of_mean(piglet, [0.5, 0.52]) == pytest.approx(
        (0.51 - 12.7062 * 0.01, 0.51 + 12.7062 * 0.01), abs=1e-5
    )
    assert marks.interval_of_mean(piglet, [0.5]) is None
