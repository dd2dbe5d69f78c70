"""Operations counted, and the slow player who counts them."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab.rounds import Round, Thinker, Thinking, effort, policy, solve, utility
from dicelab.rules.dice import Die

GAME = Round()


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("name", ["h1s0", "h1s1", "h2s0", "optimal"])
@pytest.mark.parametrize("timed", [False, True])
def test_the_slow_player_decides_like_the_policy(name, player, timed):
    game = Round(3, Die(4), 4)
    worth = (lambda faces, cast: Fraction(sum(faces), cast)) if timed else "goal:112+344*2+444"
    ours = utility(worth, game)
    plan = policy(name, game, ours, player)
    thinking = Thinking(game.casts, False, 1) if name == "optimal" else Thinking.parse(name)
    slow = Thinker(game, ours, player, thinking.serendipity)
    for cast in range(1, game.casts):
        end = min(cast - 1 + thinking.horizon, game.casts)
        tables = range(len(game.numbers.full)) if cast == 1 else range(len(game.matrices.shows))
        for table in tables:
            first = int(game.matrices.start[table])
            row = plan.chances[cast - 1][first : int(game.matrices.start[table + 1])]
            chosen = [int(k) for k in game.options_of(table)[np.flatnonzero(row)]]
            assert chosen == slow.best(cast, table, end)[:1]


def test_horizon_zero_weighs_each_goal_once():
    # 56 goals, 55 comparisons, then 6 faces to look at; with serendipity 56 results for each goal
    plain, lucky = (effort(name, GAME, "sum").first for name in ("h0s0", "h0s1"))
    assert (plain.terms, plain.comparisons) == (56, 55 + 6)
    assert (lucky.terms, lucky.comparisons) == (56 * 56, 55 + 6)
    later = effort("h0s0", Round(casts=2), "sum")
    assert later.per_round == later.first


def test_a_cast_dependent_utility_costs_a_term_for_each_cast():
    # three casts in which the goal may fall, for each of 56 goals
    timed = effort("h0s0", GAME, lambda faces, cast: sum(faces) - cast).first
    assert timed.terms == 3 * 56


def test_horizon_one_weighs_the_goals_left_by_each_decision():
    # one die with 6 faces: keep it (nothing to weigh) or throw it (6 goals, 5 comparisons)
    first = effort("h1s0", Round(1), "sum").first
    assert (first.terms, first.comparisons) == (6, 5 + 1)


def test_the_ratchet_looks_at_each_face_and_random_play_at_none():
    assert effort("ratchet:421", GAME, "sum").per_decision.operations == 6
    assert effort("bernoulli:421", GAME, "sum").per_decision.operations == 6
    assert effort("random", GAME, "sum").per_round.operations == 0


def test_best_play_of_one_die_by_hand():
    # after the first throw: is it better than throwing again? The worth of throwing again is six
    # terms for each cast left, and six comparisons with stopping but for the last
    for casts in (2, 3, 6):
        first = effort("optimal", Round(1, casts=casts), "sum").first
        assert first.terms == 6 * (casts - 1)
        assert first.comparisons == 1 + 6 * (casts - 2)


def test_best_play_takes_more_for_each_further_cast_and_identification_does_not():
    # section 5.1 and the conclusions of the study
    def first(name, casts):
        return effort(name, Round(2, casts=casts), "sum").first.operations

    best = [first("optimal", casts) for casts in (3, 4, 5, 6)]
    steps = np.diff(best)
    assert steps[0] > 0
    assert len(set(steps)) == 1
    assert len({first("h1s1", casts) for casts in (3, 4, 5, 6)}) == 1


def test_with_three_casts_best_play_is_cheaper_than_serendipity():
    # appendix C of the study admits it: the heuristic is longer and slower for one decision
    assert (
        effort("optimal", GAME, "sum").first.operations
        < effort("h1s1", GAME, "sum").first.operations
    )


def test_thinking_again_is_paid_for_and_a_plan_remembered_is_not():
    anew, once = (effort(name, GAME, "sum") for name in ("h0s0r1", "h0s0"))
    assert anew.first == once.first
    assert anew.per_round.operations > once.per_round.operations
    # after the horizon of h1s1r0 only the ratchet's six looks are left
    planned = effort("h1s1r0", Round(casts=2), "sum")
    assert planned.per_round == planned.first


def test_the_slow_player_finds_the_best_worth_too():
    ours = utility("transfer", GAME)
    slow = Thinker(GAME, ours, "first", False)
    assert slow.worth(0, 0, 3) == solve(GAME, "transfer").value
    assert str(effort("h0s0", GAME, "sum")) == "56 terms and 61 comparisons for the first decision"


def test_long_rounds_are_thought_through_without_deep_recursion():
    # one die: six terms for each cast left, as above
    assert effort("optimal", Round(1, casts=400), "sum").first.terms == 6 * 399
