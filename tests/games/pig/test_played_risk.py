"""The risk people take: found where it is, not where it is not, and beside what they say."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from dicelab import compile
from dicelab.games.pig import Pig
from dicelab.games.pig.study.played_risk import TOO_CLOSE, fitted_points, played_by, played_risk
from dicelab.games.pig.study.study import numbers, study
from dicelab.games.pig.study.threshold import Steady
from dicelab.games.pig.study.tracker import PREFERENCES, Form, Sheet, Tracker, as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.fit import evidence_of, fit
from dicelab.people.models import plan_of
from dicelab.people.sampling import Sampler
from dicelab.people.shuffles import affordable, shufflings, shufflings_within

HOLDS = {"averse": 14, "neutral": 20, "seeking": 30}


@cache
def table():
    return compile(Pig())


def people(holds, said, rng, games=1):
    """Return forms of people who hold around a point, two by two, with what they said."""
    plans = {point: plan_of(Steady(), (point, 3.0), table()) for point in set(holds)}
    forms = []
    for place in range(0, len(holds), 2):
        sampler = Sampler(table(), [plans[point] for point in holds[place : place + 2]])
        for form in as_tracker(sampler.play(games, rng)).forms:
            sheets = [
                Sheet(f"p{place + seat}", seat + 1, sheet.turns, said[place + seat])
                for seat, sheet in enumerate(form.sheets)
            ]
            forms.append(Form(f"{place}-{form.name}", tuple(sheets)))
    return Tracker(Pig(), tuple(forms))


@pytest.mark.slow
def test_what_people_bank_tells_preferences_apart_where_points_a_turn_do_not(monkeypatch):
    # Fifteen made-up studies of thirty people who hold at 14, 20 and 30, as many of each.
    monkeypatch.setattr("dicelab.games.pig.study.played_risk.RECORDS", 1)  # power is tested below
    rng = np.random.default_rng(1)
    found = dict.fromkeys(("banked", "rolls", "holds_at", "slope"), 0)
    for _ in range(15):
        said = [*PREFERENCES * 10]
        tracker = people([HOLDS[one] for one in said], said, rng)
        risk = played_risk(Pig(), tracker.sheets, rng, 99)
        for name, measure in risk.measures.items():
            found[name] += measure.differ.kruskal <= 0.05
    assert found["banked"] == found["holds_at"] == 15
    assert found["rolls"] >= 14
    assert found["slope"] <= 5


def test_power_and_size_are_those_of_the_tests():
    rng = np.random.default_rng(2)
    said = [*PREFERENCES * 10]
    risk = played_risk(Pig(), people([20] * 30, said, rng).sheets, rng, 99)
    measures = risk.measures
    assert all(measures[name].power > 0.95 for name in ("banked", "rolls", "holds_at"))
    assert measures["slope"].power < 0.25
    # 200 records at 5%: ten are expected, and 0 to 23 unless something is wrong by four deviations
    assert all(0 < measure.size <= 0.115 for measure in measures.values())
    assert {measure.records for measure in measures.values()} == {200}


def test_the_tests_are_scipys_on_the_players_own_numbers():
    rng = np.random.default_rng(3)
    said = [*PREFERENCES * 4]
    risk = played_risk(Pig(), people([HOLDS[one] for one in said], said, rng).sheets, rng, 99)
    by_hand = [[one.rolls for one in risk.players if one.stated == group] for group in PREFERENCES]
    assert risk.measures["rolls"].differ.kruskal == pytest.approx(stats.kruskal(*by_hand).pvalue)
    assert risk.measures["rolls"].means["averse"] == pytest.approx(np.mean(by_hand[0]))


def test_the_fitted_holding_point_is_near_the_one_of_maximum_likelihood():
    rng = np.random.default_rng(4)
    tracker = people([14, 30], ["averse", "seeking"], rng, games=30)
    played = {one.player: one for one in played_by(Pig(), tracker.sheets, 20)}
    for player, true in (("p0", 14), ("p1", 30)):
        top = fit(Steady(), evidence_of(turns_of(tracker, table()), player)).estimates[0]
        assert top.low <= played[player].holds_at <= top.high
        assert played[player].low <= true <= played[player].high
    assert (played["p0"].played, played["p1"].played) == ("averse", "seeking")


@pytest.mark.slow
def test_intervals_hold_the_true_point_about_as_often_as_they_say():
    rng = np.random.default_rng(5)
    tracker = people([20] * 200, [None] * 200, rng)
    played = played_by(Pig(), tracker.sheets, 20)
    held = sum(one.low <= 20 <= one.high for one in played)
    assert held >= 178  # 190 expected of 200, four standard deviations less
    assert sum(one.played == TOO_CLOSE for one in played) == held


def test_a_turn_that_could_have_won_is_not_taken_for_one_that_was_held():
    # From 80, to bank 20 wins: nobody chose to stop there.
    far = fitted_points(Pig(), np.zeros(9, int), np.full(9, 5), np.full(9, 20), np.zeros(9, int), 1)
    won = fitted_points(Pig(), np.zeros(9, int), np.full(9, 5), np.full(9, 20), np.full(9, 80), 1)
    assert far[0][0] < 22
    assert won[0][0] > 30


@pytest.mark.slow
def test_more_play_seeking_than_say_so_is_mcnemars_exact_test():
    rng = np.random.default_rng(6)
    said = ["neutral"] * 18 + ["seeking"] * 2
    risk = played_risk(Pig(), people([34] * 18 + [12] * 2, said, rng, games=6).sheets, rng, 99)
    more = risk.more_seeking
    assert (more.said, more.played, more.played_only, more.said_only) == (2, 18, 18, 2)
    assert more.p == pytest.approx(stats.binomtest(18, 20, alternative="greater").pvalue)
    assert risk.table["neutral"] == {"averse": 0, TOO_CLOSE: 0, "seeking": 18}


def test_a_study_tells_played_beside_stated():
    rng = np.random.default_rng(7)
    said = [*PREFERENCES * 2]
    tracker = people([HOLDS[one] for one in said], said, rng)
    told = numbers(study(tracker, shuffles=99))["risk"]
    assert told["neutral"] == 20
    assert told["players"]["player"] == [f"p{number}" for number in range(6)]
    assert told["players"]["stated"] == said
    assert sum(sum(row.values()) for row in told["table"].values()) == 6


def test_a_large_record_gets_fewer_shuffles_and_never_too_few():
    assert affordable(9_999, 30) == 9_999
    assert affordable(9_999, 10_000) == 2_000
    assert affordable(9_999, 10**9) == 199


def test_shuffles_come_in_blocks_and_keep_what_they_shuffle():
    rng = np.random.default_rng(8)
    row = np.arange(300_000)
    blocks = list(shufflings(row, 7, rng))
    assert sum(len(block) for block in blocks) == 7
    assert max(len(block) for block in blocks) == 3
    assert all((np.sort(one) == row).all() for block in blocks for one in block)
    groups = np.array([0, 0, 0, 1, 1, 2])
    (within,) = shufflings_within(groups, [1, 2, 3, 10, 20, 100], 50, rng)
    assert {tuple(sorted(one[:3])) for one in within.tolist()} == {(1, 2, 3)}
    assert {tuple(sorted(one[3:5])) for one in within.tolist()} == {(10, 20)}
    assert {one[5] for one in within.tolist()} == {100}
