"""Totals by turn: known slopes found again, and tests that cry wolf as rarely as they say."""

import numpy as np
import pytest
from scipy import stats

from dicelab.errors import RecordError
from dicelab.games.pig import Pig
from dicelab.games.pig.study.example import figure_6
from dicelab.games.pig.study.slopes import (
    curve,
    differ,
    differ_in,
    groups_of,
    line,
    lotteries,
    mean_interval,
    slope,
    slopes_by_player,
    welch_f,
)
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, Turn

STATED = {"neutral": 4.75, "averse": 4.76, "seeking": 4.85}
"""The slopes the study read off its three trend lines (section 3.2.1)."""


def sheet(banked, player="ann", preference=None, lotteries=(None, None)):
    turns = tuple(Turn(max(1, -(-points // 6)), points) for points in banked)
    return Sheet(player, 1, turns, preference, lotteries)


def made_with(means, rng, players=10, turns=15):
    """Return sheets whose players score a bust or 6 to 12 a turn, with known means."""
    groups = {}
    for name, mean in means.items():
        share = mean / 9
        scored = rng.integers(6, 13, (players, turns)) * (rng.random((players, turns)) < share)
        groups[name] = [sheet(row, f"{name}{i}", name) for i, row in enumerate(scored.tolist())]
    return groups


@pytest.mark.parametrize("points", [2, 5, 6])
def test_equal_turns_make_a_line_of_that_slope(points):
    found = slope("all", [sheet([points] * 8, "ann"), sheet([points] * 5, "ben")])
    assert found.value == pytest.approx(points)
    assert found.trend == pytest.approx(points)
    assert found.error == pytest.approx(0)


def test_the_slope_is_that_of_least_squares():
    # numpy fits the same line to the totals the study prints, with 0 before the first turn
    totals = [0, 16, 24, 32, 48, 48, 48, 61, 70, 70, 86, 86, 101]
    assert line(range(13), totals) == pytest.approx(np.polyfit(range(13), totals, 1)[0])
    printed = figure_6().sheets[0]
    assert slope("seeking", [printed]).trend == pytest.approx(
        np.polyfit(range(1, 13), totals[1:], 1)[0]
    )


def test_slopes_the_data_were_made_with_are_found_again():
    # 200 made-up studies: the mean estimate is the truth within four standard errors, and 95%
    # intervals hold it about 190 times out of 200, at least 178 unless something is wrong
    rng = np.random.default_rng(1)
    found = {name: [] for name in STATED}
    held = dict.fromkeys(STATED, 0)
    for _ in range(200):
        for name, sheets in made_with(STATED, rng).items():
            line = slope(name, sheets)
            found[name].append(line.value)
            held[name] += line.low <= STATED[name] <= line.high
    for name, true in STATED.items():
        error = np.std(found[name], ddof=1) / np.sqrt(200)
        assert abs(np.mean(found[name]) - true) < 4 * error
        assert 178 <= held[name] <= 200


def test_a_player_of_several_games_counts_once():
    sheets = [sheet([4] * 5, "ann"), sheet([6] * 5, "ann"), sheet([3] * 5, "ben")]
    assert slopes_by_player(sheets) == pytest.approx({"ann": 5, "ben": 3})


def test_the_mean_curve_is_over_those_who_still_play():
    found = curve("all", [sheet([4, 4, 4]), sheet([6])])
    assert found.mean.tolist() == [5, 8, 12]
    assert found.players.tolist() == [2, 1, 1]
    assert np.isnan(found.low[1:]).all()


def test_an_interval_is_students():
    numbers = [4.0, 7.0, 6.0, 9.0]
    low, high = stats.t.interval(0.95, 3, np.mean(numbers), stats.sem(numbers))
    assert mean_interval(numbers)[2:] == pytest.approx((low, high))


def test_welchs_test_is_that_of_scipy():
    rng = np.random.default_rng(2)
    a, b, c = rng.normal(0, 1, 8), rng.normal(1, 3, 12), rng.normal(0, 2, 5)
    pair = differ_in({"a": list(a), "b": list(b)}, rng, 9)
    t, p = stats.ttest_ind(a, b, equal_var=False)
    assert (pair.f, pair.welch) == (pytest.approx(t**2), pytest.approx(p))
    three = differ_in({"a": list(a), "b": list(b), "c": list(c)}, rng, 9)
    same = stats.f_oneway(a, b, c, equal_var=False)
    assert (three.f, three.welch) == (pytest.approx(same.statistic), pytest.approx(same.pvalue))
    assert three.kruskal == pytest.approx(stats.kruskal(a, b, c).pvalue)


def test_two_players_in_three_groups_can_be_shuffled_in_ninety_ways():
    # 6! / 2!^3 = 90 labellings, in 15 distinct splits each counted 6 times: the most extreme split
    # comes up once in 15, so p tends to 1/15
    samples = {"a": [0.0, 0.1], "b": [5.0, 5.2], "c": [9.0, 9.1]}
    found = differ_in(samples, np.random.default_rng(3), 4999)
    assert found.permutation == pytest.approx(1 / 15, abs=4 * np.sqrt(1 / 15 / 5000))


def test_equal_preferences_are_called_different_as_rarely_as_promised():
    # 300 null studies at 5%: 15 expected, at most 30 unless something is wrong by four deviations
    rng = np.random.default_rng(4)
    alarms = np.zeros(3, int)
    for _ in range(300):
        groups = made_with(dict.fromkeys(STATED, 4.8), rng, players=8)
        found = differ(groups, rng, 199)
        alarms += [p <= 0.05 for p in (found.permutation, found.welch, found.kruskal)]
    assert (alarms <= 30).all()
    assert (alarms >= 3).all()


def test_preferences_that_matter_are_noticed():
    rng = np.random.default_rng(5)
    groups = made_with({"averse": 3.0, "neutral": 4.5, "seeking": 6.5}, rng)
    found = differ(groups, rng)
    assert found.permutation < 0.001
    assert found.welch < 0.001
    assert found.kruskal < 0.001


def test_groups_without_any_spread_are_told_apart_or_not():
    rng = np.random.default_rng(6)
    apart = differ_in({"a": [1.0] * 4, "b": [2.0] * 4}, rng, 999)
    assert apart.permutation < 0.06
    assert apart.welch < 1e-6
    same = differ_in({"a": [1.0] * 4, "b": [1.0] * 4}, rng, 99)
    assert (same.permutation, same.kruskal) == (1.0, 1.0)


def test_one_group_cannot_be_compared():
    with pytest.raises(RecordError) as trouble:
        differ({"seeking": figure_6().sheets}, np.random.default_rng(1))
    assert str(trouble.value) == (
        "slopes are compared between preferences: there must be two with two players or more"
    )


def test_welchs_f_is_worked_out_for_many_labellings_at_once():
    numbers = np.array([1.0, 2.0, 4.0, 7.0, 3.0, 5.0])
    labels = np.array([[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]])
    both = welch_f(numbers, labels, 2)[0]
    each = [welch_f(numbers, row[None, :], 2)[0][0] for row in labels]
    assert both == pytest.approx(each)


def test_lotteries_agree_with_preferences_where_they_do():
    kinds = [("averse", ("a", "a")), ("neutral", ("a", "b")), ("seeking", ("b", "b"))]
    sheets = [sheet([4], f"{name}{i}", name, answers) for name, answers in kinds for i in range(5)]
    forms = Tracker(Pig(), tuple(Form(s.player, (s,)) for s in sheets))
    found = lotteries(forms, np.random.default_rng(1), 999)
    assert found.counts == {"averse": [5, 0, 0], "neutral": [0, 5, 0], "seeking": [0, 0, 5]}
    assert (found.rho, found.p) == (pytest.approx(1), 0.001)
    assert groups_of(forms).keys() == {"averse", "neutral", "seeking"}
    assert lotteries(figure_6(), np.random.default_rng(1)) is None


def test_answers_that_never_vary_tell_nothing():
    sheets = [sheet([4], f"p{i}", "averse", ("a", "a")) for i in range(4)]
    forms = Tracker(Pig(), tuple(Form(s.player, (s,)) for s in sheets))
    found = lotteries(forms, np.random.default_rng(1), 99)
    assert (np.isnan(found.rho), found.p) == (True, 1.0)
