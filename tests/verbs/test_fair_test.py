"""Fair tests: the study's numbers, and a sequential test that keeps its promises."""

import numpy as np
import pytest

from dicelab import compile, evaluate, game, plan
from dicelab.core.intervals import mean, share
from dicelab.errors import RulesError
from dicelab.studies.printed import printed
from dicelab.verbs.fair_test import (
    NEITHER,
    UNDECIDED,
    Rule,
    Sequential,
    compare,
    fair_test,
    fair_tests,
    games_needed,
    scatter,
    sequential,
    wins_needed,
)
from dicelab.verbs.sampler import walker

STUDY = printed("pig")["pig"]["exeter"]
SHORT = game("pig", target=30)


def test_the_study_finds_how_many_games_make_a_fair_test():
    printed = STUDY["fair_test"]
    assert games_needed(printed["margin"], printed["confidence"]) == printed["games_needed"]
    assert wins_needed(printed["games_chosen"], printed["margin"]) == printed["wins_to_call_better"]


def test_wilson_intervals_are_the_textbook_ones():
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3: four examples.
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0000, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (wins, games), interval in printed.items():
        found = share(wins, games)
        assert (round(found.low, 4), round(found.high, 4)) == interval


def test_an_estimate_of_nothing_knows_nothing():
    assert share(0, 0)[1:] == (0.0, 1.0, 0)
    assert mean(0.0, 0.0, 0)[1:] == (-np.inf, np.inf, 0)
    assert mean(3.0, 9.0, 1) == (3.0, -np.inf, np.inf, 1)


def test_the_interval_of_a_mean_is_students():
    # 1, 2, 3, 4: mean 2.5, s = 1.290994, t(0.975, 3) = 3.182446, half width 2.054260.
    found = mean(10.0, 30.0, 4)
    assert (found.value, round(found.high - 2.5, 5)) == (2.5, 2.05426)


def test_the_protocol_of_the_study_finds_the_better_strategy():
    found = fair_test(game("pig"), "hold-at:25", "hold-at:30", repeats=20, seed=1)
    # The study's theory: 0.546416 overall, its own simulation is within 0.0013 of theory.
    assert abs(found.mean - float(STUDY["more_pairs"]["best"][4])) < 4 * 0.5 / (20 * 3000) ** 0.5
    assert found.better == "A"
    assert fair_test(SHORT, "hold-at:9", "hold-at:9", repeats=5).better == NEITHER
    assert fair_test(SHORT, "hold-at:2", "hold-at:9", repeats=5).better == "B"


def test_shares_scatter_as_wide_as_the_square_root_of_games_says():
    # Figure 15. A strategy against itself wins half its games: variance 1/4, less what pairing
    # the starts saves, so 95 in 100 within 0.98/sqrt(n) at least.
    sizes = [100, 1500, 3000]
    shares = scatter(SHORT, "hold-at:10", sizes, repeats=200, seed=1)
    assert shares.shape == (3, 200)
    for size, row in zip(sizes, shares, strict=True):
        assert (np.abs(row - 0.5) <= 0.98 / size**0.5).mean() > 0.9
        assert 0.3 / size**0.5 < row.std() < 0.55 / size**0.5


def test_fair_tests_of_a_strategy_against_itself_stay_near_a_half():
    # Figure 16: in the study they ranged from 0.4974 to 0.5020.
    means = fair_tests(SHORT, "hold-at:10", tests=5, seed=1)
    assert means.shape == (5,)
    assert np.abs(means - 0.5).max() < 4 * 0.5 / 300_000**0.5


def test_the_ratio_is_the_generalised_one():
    # By hand: 4 pairs lost, 2 level, 4 won: m = 1/2, s^2 = (8/4 + 1/4)/11; with a margin of 0.1
    # n d (m - 1/2 - d/2)/s^2 = 10 x 0.1 x (-0.05) x 11 / 2.25.
    ratios = Rule(margin=0.1).ratios(np.array([4, 0, 2, 0, 4]))
    assert ratios == pytest.approx((-0.55 / 2.25,) * 2)


def test_a_player_once_ruled_out_stays_so():
    test = Sequential(Rule(margin=0.1))
    assert test.look(np.array([60, 0, 0, 0, 40])) == UNDECIDED
    assert test.ruled_out == {"A": True, "B": False}
    assert test.look(np.array([60, 0, 0, 0, 400])) == NEITHER


def test_the_sequential_test_errs_no_more_than_it_says():
    # Known true differences, from the exact engine: none, and one just above the margin.
    table = compile(SHORT)
    equal = walker(table, (plan(table, "hold-at:9"),) * 2)
    exact = evaluate(SHORT, "hold-at:10", "hold-at:8").overall
    rule = Rule(margin=exact - 0.5, alpha=0.05, beta=0.05)
    better = walker(table, (plan(table, "hold-at:10"), plan(table, "hold-at:8")))
    tests, told, missed, games = 200, 0, 0, 0
    for seed in range(tests):
        told += sequential(equal, rule, seed)[0] in "AB"
        answer, tally = sequential(better, rule, 10_000 + seed)
        missed += answer != "A"
        games += int(tally.ends.sum())
    # With an error rate of 0.05 more than 20 of 200 would come about once in 1500.
    assert told <= 20
    assert missed <= 20
    assert games / tests < 300_000 / 20


def test_a_comparison_says_what_it_rests_on():
    found = compare(SHORT, "hold-at:2", "hold-at:12", seed=3)
    assert found.better == "B"
    assert sum(found.pairs) * 2 == found.games
    assert found.ratios[1] >= found.rule.upper
    again = compare(SHORT, "hold-at:2", "hold-at:12", seed=3)
    assert again.tally.as_lists() == found.tally.as_lists()


def test_when_the_games_run_out_nothing_is_claimed():
    found = compare(SHORT, "hold-at:9", "hold-at:9", Rule(margin=0.001), most_games=1000)
    assert (found.better, found.games) == (UNDECIDED, 1000)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: games_needed(0), "a margin is between 0 and 0.5, such as 0.025: got 0"),
        (lambda: Rule(margin=0.5), "a margin is between 0 and 0.5, such as 0.025: got 0.5"),
        (lambda: Rule(alpha=0.7), "alpha is a chance of error below 0.5: got 0.7"),
        (lambda: Rule(beta=0.0), "beta is a chance of error below 0.5: got 0.0"),
        (
            lambda: fair_test(SHORT, "turtle", "turtle", repeats=0),
            "a fair test needs a result or more: got repeats=0",
        ),
        (
            lambda: compare(game("solo-pig", target=5), "random", "random"),
            "solo-pig target=5 is played alone: there is nobody to compare with",
        ),
    ],
)
def test_numbers_that_make_no_test_are_refused(ask, sentence):
    with pytest.raises(RulesError) as refused:
        ask()
    assert str(refused.value) == sentence
