"""What training remembers: Glicko-2 by its published example, when a position comes back."""

import math
from datetime import UTC, date, datetime, timedelta

import pytest

from dicelab import game, solve
from dicelab.lab.training import (
    Rating,
    Result,
    Strength,
    expected_misses,
    reviewed,
    streak,
    strength,
)

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def test_a_day_of_three_games_is_glickmans_example():
    # Glickman, "Example of the Glicko-2 system" (2012): r' = 1464.06, RD' = 151.52, with tau = 0.5;
    # he rounds on the way, so that his rating is good to a hundredth or two.
    met = [((1400, 30), 1.0), ((1550, 100), 0.0), ((1700, 300), 0.0)]
    day = [Result(Strength(*who), won) for who, won in met]
    after = Rating(1500, 200, 0.06).after(day)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_days_off_leave_the_rating_and_widen_it():
    # Step 6 of the paper, day after day: phi^2 grows by sigma^2 each time.
    rested = Rating(1600, 80, 0.06).rested(25)
    assert rested.rating == 1600
    assert rested.deviation == pytest.approx(math.sqrt(80**2 + 25 * (173.7178 * 0.06) ** 2))
    assert Rating(1600, 340).rested(10**6).deviation == 350  # no less is known than of a newcomer


def test_a_day_without_a_first_meeting_changes_nothing():
    assert Rating(1600, 80).after([]) == Rating(1600, 80)


def test_a_position_is_as_strong_as_those_who_find_it_every_second_time():
    assert strength(0.5).rating == 1500
    # 3 of 4 miss it: 400 log10(3) above, in Elo's own words
    assert strength(0.75).rating == pytest.approx(1500 + 400 * math.log10(3), abs=0.01)
    # eight trials at one half: 173.72 / sqrt(8 / 4)
    assert strength(0.5).deviation == pytest.approx(173.7178 / math.sqrt(2))


def test_what_people_did_outweighs_what_was_expected():
    # 8 expected people of whom 2 miss it, then 24 who all do: 26 of 32
    assert strength(0.25, 24, 24) == strength(26 / 32)._replace(
        deviation=pytest.approx(173.7178 / math.sqrt(32 * 26 / 32 * 6 / 32))
    )


def test_what_people_miss_follows_from_the_costs():
    # Two moves in a race to two with nothing at risk: holding costs 5/7 (see test_marks), and who
    # feels that with a precision of 50 holds once in exp(50 x 5/7).
    moves = solve(game("pig", target=2, passing=True)).moves_at("0-0 +0")
    assert expected_misses(moves, 1.0) == pytest.approx(1 / (1 + math.exp(50 * 5 / 7)))


def test_what_is_found_comes_back_later_and_later_and_what_is_missed_soon():
    memory, due = reviewed(None, True, NOON)
    waits = [due - NOON]
    for _ in range(3):
        memory, then = reviewed(memory, True, due)
        waits.append(then - due)
        due = then
    assert waits == sorted(waits)
    assert waits[0] >= timedelta(days=1)
    assert waits[-1] > timedelta(days=7)
    memory, then = reviewed(memory, False, due)
    assert then - due == timedelta(minutes=1)


def test_a_streak_lives_until_a_day_is_left_out():
    today = date(2026, 3, 1)
    days = [today - timedelta(back) for back in (1, 2, 3, 5)]
    assert streak(days, today) == 3  # today is to come
    assert streak([*days, today], today) == 4
    assert streak(days, today + timedelta(1)) == 0
    assert streak([], today) == 0
