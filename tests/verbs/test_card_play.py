"""Cards played for a chance, against somebody, and with random dice."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from dicelab import game
from dicelab.errors import RulesError, TooLarge, WrongCheckpoint
from dicelab.games.yahtzee.rules import Yahtzee, Yatzy
from dicelab.rounds.card_aim import CardAgainst
from dicelab.rules.purpose import aimed
from dicelab.rules.so_far import SoFarHouse
from dicelab.table import compile
from dicelab.verbs.card_chances import against, chance_values
from dicelab.verbs.card_play import (
    FEW,
    law_of_points,
    optimal_card,
    simulate,
    strategy_of,
    takes,
)
from dicelab.verbs.card_play import density as card_density
from dicelab.verbs.card_random import random_values
from dicelab.verbs.density import density
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import SoloEvaluation
from dicelab.verbs.scorecards import forecast_card
from dicelab.verbs.solo_tournament import SoloTournament
from dicelab.verbs.solve import solve, solve_graph
from dicelab.verbs.tournament import tournament

CARDS = [
    (Yahtzee(dice=2, casts=2, only="aces+chance", enough=2, bonus=5), 12),
    (Yahtzee(dice=2, casts=2, only="twos+yahtzee+full-house", enough=4), 80),
    (Yatzy(dice=2, casts=2, only="twos+one-pair", enough=4), 10),
]
LARGER = Yahtzee(only="aces+fives+sixes+yahtzee+chance", enough=30)


@pytest.mark.parametrize(("card", "points"), CARDS, ids=str)
def test_the_chance_of_so_many_points_is_that_of_the_table_with_points_so_far(card, points):
    fast = solve(card, for_=f"at least {points}")
    table = compile(SoFarHouse(card, True, Fraction(points)))
    assert fast.lower <= solve_graph(table).value <= fast.upper + 1e-15
    assert fast.upper - fast.lower < 1e-12


def test_who_wants_so_many_points_gets_them_more_often_than_who_wants_many():
    law = law_of_points(LARGER, optimal_card(LARGER))
    for points in (60, 90, 150):
        chance = solve(LARGER, for_=f"at least {points}").value
        assert chance >= law.at_least(points) - 1e-12


def test_a_card_under_way_is_asked_with_its_points():
    solution = solve(LARGER, for_="at least 60")
    sure = "aces=3 fives=15 sixes=18 yahtzee=50 | 66666, 0 left"
    assert solution.value_at(sure) == 1  # 86 points, and the bonus of 35
    at = "aces=3 fives=15 sixes=18 yahtzee=0 so far 71 | 66666, 0 left"
    assert solution.value_at(at) == 1
    hopeless = "aces=0 fives=0 sixes=0 yahtzee=0 so far 0 | 66665, 0 left"
    assert solution.value_at(hopeless) == 0
    assert solution.game.notation(solution.game.parse(at)) == (
        "aces fives sixes yahtzee counted=30 so far 71 | 66666, 0 left"
    )


def test_against_a_score_that_is_certain_one_needs_one_more():
    card, points = CARDS[1]
    other = law_of_points(card, strategy_of(card, "greedy"))
    certain = type(other)(1, np.array([points]), np.ones(1), 0.0, 0.0, 1)
    rival = against(card, certain)
    more = solve(card, for_=f"at least {points + 1}").value
    equal = solve(card, for_=f"at least {points}").value
    # a win is more points, half a win as many: between the two chances
    assert more <= solve(rival).value <= (equal + more) / 2 + 1e-12
    # from here the other's mean is the same with what was gained before
    later = against(card, certain, gained=-points)
    assert later.scores == ((0, 1.0),)


def test_best_play_against_a_law_beats_the_same_player():
    law = law_of_points(LARGER, optimal_card(LARGER))
    solution = solve(against(LARGER, law))
    assert solution.value >= 0.5 - 1e-12
    assert (solution.upper - solution.lower) / 2 >= law.error  # what is not known of the other


def test_a_checkpoint_against_one_player_is_not_one_against_another(tmp_path):
    # both have 50 points on average, and 40 to 60
    laws = ((40, 0.25), (50, 0.5), (60, 0.25)), ((40, 0.5), (60, 0.5))
    steady, wild = (CardAgainst(LARGER, scores=each) for each in laws)
    assert steady.aim == wild.aim
    solve(steady, checkpoint=tmp_path / "rival.cards")
    with pytest.raises(WrongCheckpoint, match="is the checkpoint of other work"):
        solve(wild, checkpoint=tmp_path / "rival.cards")


def test_cards_with_points_that_do_not_fit_are_refused_before_the_work():
    with pytest.raises(TooLarge) as refused:
        chance_values(aimed(LARGER, "at least 150"), 10**4)
    assert str(refused.value) == (
        "yahtzee enough=30 only=aces+fives+sixes+yahtzee+chance for at least 150 has 5,264 cards "
        "with points to solve, which needs about 8.6e-05 GB; the limit is 1e-05 GB (--memory)"
    )


def test_at_most_so_many_points_is_refused():
    with pytest.raises(RulesError) as refused:
        solve(LARGER, for_="at most 60")
    assert str(refused.value) == (
        "yahtzee enough=30 only=aces+fives+sixes+yahtzee+chance is for many points: "
        "ask for at least so many, and take that from 1"
    )


def test_games_with_random_dice_bring_what_was_worked_out():
    assert LARGER.size() > FEW
    assert takes(LARGER, "greedy")
    found = simulate(LARGER, "greedy", games=20_000, seed=1)
    exact = evaluate(LARGER, "greedy").value
    assert abs(found.value.value - exact) < 4 * found.standard_error
    law = density(LARGER, "greedy").points
    spread = found.scores.std()
    assert spread == pytest.approx(law.deviation, rel=0.03)
    again = simulate(LARGER, "greedy", games=20_000, seed=1)
    assert (again.scores == found.scores).all()


def test_a_small_card_and_a_function_are_left_to_the_table():
    assert not takes(CARDS[0][0], "greedy")
    assert not takes(LARGER, lambda at: "cast")
    assert simulate(CARDS[0][0], "greedy", games=10) is None


def test_a_second_strategy_is_refused():
    with pytest.raises(RulesError, match="is played alone: leave out the second strategy"):
        evaluate(LARGER, "greedy", "greedy")


def test_a_card_begun_later_brings_the_rest():
    begun = LARGER.starting("aces=3 fives=15")
    assert evaluate(begun, "optimal").value == pytest.approx(
        solve(LARGER).value_at("aces=3 fives=15")
    )
    law = density(begun, "optimal")
    assert law.turns == 3
    assert law.points.mean == pytest.approx(evaluate(begun, "optimal").value)


@pytest.mark.parametrize(("card", "points"), CARDS, ids=str)
def test_random_moves_bring_what_the_table_says(card, points):
    found, error = random_values(card).at(card.start().standing)
    exact = evaluate(card, "random")
    assert isinstance(exact, SoloEvaluation)
    assert found == pytest.approx(float(exact.value), abs=error + exact.error)
    assert error < 1e-11


def test_random_moves_on_a_large_card_have_a_mean_and_no_law():
    assert evaluate(LARGER, "random").value < evaluate(LARGER, "greedy").value
    with pytest.raises(TooLarge) as refused:
        density(LARGER, "random")
    assert str(refused.value) == (
        f"random moves on {LARGER} have an exact mean, which `evaluate` tells: their law and their "
        f"games are for cards of up to 3,000 positions"
    )


def test_games_are_the_same_however_many_share_them_and_fit_in_memory():
    alone = simulate(LARGER, "greedy", games=2000, seed=3, workers=1)
    shared = simulate(LARGER, "greedy", games=2000, seed=3, workers=2)
    assert (alone.scores == shared.scores).all()
    with pytest.raises(TooLarge) as refused:
        simulate(LARGER, "greedy", games=10**8, memory=10**9)
    assert str(refused.value) == (
        f"100,000,000 games of {LARGER} need about 10 GB; the limit is 1 GB (--memory)"
    )


def test_alone_strategies_are_ranked_by_what_each_brings(tmp_path):
    found = tournament(LARGER, ["random", "greedy", "optimal", "one-round-ahead"])
    assert isinstance(found, SoloTournament)
    assert (found.best, found.ranking[-1]) == ("optimal", "random")
    means = [evaluate(LARGER, name).value for name in found.names]
    assert found.value.tolist() == pytest.approx(means)
    assert found.as_dict()["unit"] == "points"
    found.save(tmp_path / "t.csv")
    rows = (tmp_path / "t.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["strategy", *found.ranking]


def test_a_game_for_few_points_ranks_who_needs_least_first():
    found = tournament(game("solo-pig", target=20), ["hold-at:2", "optimal", "hold-at:20"])
    assert isinstance(found, SoloTournament)
    assert found.best == "optimal"
    assert found.value[found.names.index("optimal")] == found.value.min()


def test_a_law_that_cannot_fit_is_refused_before_the_card_is_solved(monkeypatch):
    monkeypatch.setattr("dicelab.verbs.card_play.strategy_of", None)  # what would take minutes
    with pytest.raises(TooLarge) as refused:
        card_density(game("maxi-yatzy"), "optimal", memory=2 * 10**10)
    assert str(refused.value) == (
        "the law of the points of maxi-yatzy needs up to 113 GB for all scores so far; "
        "the limit is 20 GB (--memory)"
    )


def test_how_much_work_a_card_is_can_be_told_before():
    """Maxi Yatzy took 330 s of processor time, Yahtzee 1.6 s, where this was measured."""
    large, usual = forecast_card(game("maxi-yatzy")), forecast_card(game("yahtzee"))
    assert large.things == "57,507,840 standings"
    assert large.seconds / usual.seconds == pytest.approx(330 / 1.6, rel=0.2)
    assert not usual.is_long


@pytest.mark.parametrize(
    ("card", "a", "told"),
    [
        (Yahtzee(), "greedy", "yahtzee has 536,448 standings"),
        (
            aimed(Yahtzee(), "more than another player"),
            "greedy",
            "the law of the points of yahtzee",
        ),
    ],
)
def test_a_strategy_is_followed_within_the_memory_allowed(card, a, told):
    b = None if card.players == 1 else a
    with pytest.raises(TooLarge, match=rf"^{told}.* the limit is .* \(--memory\)$"):
        evaluate(card, a, b, memory=5 * 10**6)


def test_what_two_cards_lead_to_is_refused_before_it_takes_more_than_it_may():
    duel = aimed(Yahtzee(dice=3, only="aces+twos+chance+yahtzee"), "more than another player")
    limit = 150 * 10**6
    tracemalloc.start()
    with pytest.raises(TooLarge, match=r"for what its rounds lead to, after [\d,]+ standings"):
        solve(duel, memory=limit)
    assert tracemalloc.get_traced_memory()[1] < limit
    tracemalloc.stop()
