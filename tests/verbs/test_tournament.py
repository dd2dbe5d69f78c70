"""Tournaments: the study's champion and its circle, and what follows from a matrix of wins."""

import csv
import itertools
import math

import numpy as np
import pytest

from dicelab import compile, evaluate, exploitability, fair_test, game, plan
from dicelab.errors import RulesError
from dicelab.strategies.plan import Plan
from dicelab.studies.printed import printed
from dicelab.verbs.best_of_family import best_member, sweep
from dicelab.verbs.tournament import Tournament, members, tournament

STUDY = printed("pig")["pig"]["exeter"]
SHORT = game("pig", target=20)


def of_matrix(wins, names="abcdefgh", games=0):
    """Return the tournament that a matrix of wins would come from."""
    wins = np.array(wins, float)
    size = len(wins)
    return Tournament(
        SHORT,
        tuple(names[:size]),
        not games,
        wins,
        wins,
        0 * wins,
        wins,
        wins,
        wins,
        games,
        None,
        0.0,
    )


@pytest.fixture(scope="module")
def hold_at():
    """The study's tournament, of every fifth strategy and those around the best."""
    around = {1, 5, 13, 15, 20, 21, 24, 25, 26, 30, 31, 36, 45, 52, 55, 80, 85, 100}
    names = [f"hold-at:{n}" for n in sorted(around | set(range(10, 101, 10)))]
    return tournament(game("pig"), names)


def test_hold_at_25_beats_every_other_and_there_is_no_circle(hold_at):
    assert hold_at.best == hold_at.champion == f"hold-at:{STUDY['best_hold_at']}"
    assert hold_at.is_transitive == STUDY["hold_at_family_transitive"]
    assert hold_at.error < 1e-10


def test_the_matrix_has_the_chances_that_the_study_prints(hold_at):
    place = {name: number for number, name in enumerate(hold_at.names)}
    for pair, (first, second, _) in STUDY["hold_at_pairs"].items():
        a, b = (place[f"hold-at:{n}"] for n in pair.split("v"))
        assert f"{hold_at.first[a, b]:.4f}" == first
        assert f"{hold_at.first[b, a]:.4f}" == second


def test_turtle_roll_to_win_and_roll_and_wait_are_a_circle():
    # Section 3.3.6 of the study.
    names = ["turtle", "roll-to-win", "roll-and-wait"]
    found = tournament(game("pig", passing=True), names)
    (cycle,) = found.cycles
    assert cycle.members == tuple(names)
    assert cycle.clear
    assert (cycle.widest, cycle.narrowest) == (max(cycle.margins), min(cycle.margins))
    assert cycle.margins[1] == pytest.approx(0.5)  # the study prints a chance of 1
    assert found.champion is None
    assert found.best == found.ranking[0]
    assert found.never[2, 2] == 1.0  # two who wait both wait for ever


def test_every_pair_is_as_evaluate_says():
    names = ["hold-at:3", "random", "optimal"]
    found = tournament(SHORT, names)
    for i, j in itertools.product(range(3), repeat=2):
        exact = evaluate(SHORT, names[i], names[j])
        assert abs(found.first[i, j] - exact.first) <= found.error + exact.error
        assert abs(found.wins[i, j] - exact.overall) <= found.error + exact.error


def test_a_simulated_tournament_has_intervals_and_its_exact_twin():
    names = ["turtle", "roll-to-win", "roll-and-wait"]
    found = tournament(game("pig", passing=True), names, games=3000, seed=1, both=True)
    assert not found.exact
    inside = (found.low <= found.truth.values) & (found.truth.values <= found.high)
    assert inside.sum() >= 7  # of 9, at 95% each
    (cycle,) = found.cycles
    assert cycle.confirmed
    apart = np.abs(found.wins - found.truth.wins)
    assert apart.max() < 4 * 0.5 / 3000**0.5


def test_a_circle_that_only_chance_made_is_not_confirmed():
    # Three that are the same but for the name, so whatever circle there is, is luck.
    table = compile(SHORT)
    same = [Plan(name, table, plan(table, "hold-at:9").choice) for name in ("one", "two", "three")]
    for seed in range(12):
        found = tournament(SHORT, same, games=200, seed=seed, both=True)
        if found.cycles:
            assert [cycle.confirmed for cycle in found.cycles] == [False]
            break
    assert found.cycles  # one in four tournaments of equals has a circle
    assert found.truth.is_transitive


def test_circles_are_all_those_that_a_search_through_triples_finds():
    wins = np.random.default_rng(1).random((8, 8))
    found = of_matrix(wins)
    beats = wins > wins.T
    names = "abcdefgh"
    brute = {
        tuple(names[i] for i in triple)
        for triple in itertools.permutations(range(8), 3)
        if triple[0] == min(triple) and all(beats[triple[k], triple[(k + 1) % 3]] for k in range(3))
    }
    assert {cycle.members for cycle in found.cycles} == brute
    assert len(brute) > 0


def test_strengths_of_two_are_the_logarithm_of_the_odds():
    # Bradley-Terry with two players: 1/(1 + exp(t - s)) = 3/4, so s - t = log 3.
    found = of_matrix([[0.5, 0.75], [0.25, 0.5]])
    assert found.strengths[0] - found.strengths[1] == pytest.approx(math.log(3))
    assert found.strengths.sum() == pytest.approx(0)


def test_strengths_stay_finite_where_one_never_loses():
    found = of_matrix([[0.5, 1.0], [0.0, 0.5]])
    assert np.isfinite(found.strengths).all()
    assert found.strengths[0] > found.strengths[1]


def test_one_alone_is_best():
    found = of_matrix([[0.5]])
    assert (found.best, found.strengths.tolist(), found.cycles) == ("a", [0.0], [])


def test_the_matrix_reads_back_from_csv(tmp_path):
    found = tournament(SHORT, ["hold-at:2", "hold-at:9"])
    found.save(tmp_path / "wins.csv")
    rows = list(csv.reader((tmp_path / "wins.csv").read_text().splitlines()))
    assert rows[0] == [
        "pig target=20: chance that the row beats the column",
        "hold-at:2",
        "hold-at:9",
    ]
    assert [[float(cell) for cell in row[1:]] for row in rows[1:]] == found.wins.tolist()


def test_a_mapping_names_those_who_take_part():
    makers = {f"from {n}": lambda at, n=n: "hold" if at.at_risk >= n else "roll" for n in (5, 10)}
    found = tournament(SHORT, {**makers, "twin": "hold-at:10"})
    named = tournament(SHORT, ["hold-at:5", "hold-at:10"])
    assert found.names == ("from 5", "from 10", "twin")
    assert found.values[:2, :2].tolist() == named.values.tolist()
    assert found.values[0, 2] == found.values[0, 1]


def test_a_table_is_taken_as_well_as_a_game():
    names = ["hold-at:5", "hold-at:8", "random"]
    table = compile(SHORT)
    one, two = tournament(SHORT, names), tournament(table, names)
    assert (one.first == two.first).all()
    assert two.game == SHORT
    simulated = tournament(table, names, games=20, both=True, workers=2)
    assert (simulated.truth.first == one.first).all()
    assert best_member(table, names[:2]) == best_member(SHORT, names[:2])
    assert fair_test(table, *names[:2], repeats=2, games=10).games == 10
    assert exploitability(table, "hold-at:5").value > 0


def test_ranges_are_written_out():
    assert members(["hold-at:9..11", "turtle"]) == [
        "hold-at:9",
        "hold-at:10",
        "hold-at:11",
        "turtle",
    ]


def test_the_best_of_a_family_is_the_best_of_its_tournament():
    names = [f"hold-at:{n}" for n in range(4, 21)]
    found = best_member(SHORT, names)
    everybody = tournament(SHORT, [*names, "optimal"])
    among = tournament(SHORT, names)
    assert found.champion == among.champion
    best = max(range(len(names)), key=lambda i: everybody.wins[i, -1])
    assert found.best_reply == names[best]
    assert found.best_reply_wins == pytest.approx(everybody.wins[best, -1])
    row = among.margins[names.index(found.champion)].tolist()
    row[names.index(found.champion)] = 1.0
    assert found.narrowest == pytest.approx(min(row))
    assert found.nearest == names[row.index(min(row))]


def test_a_family_without_a_champion_says_so():
    # The study's circle, section 3.3.6.
    names = ["turtle", "roll-to-win", "roll-and-wait"]
    found = best_member(game("pig", passing=True), names, against=None)
    assert (found.champion, found.narrowest, found.nearest) == (None, None, None)
    assert (found.against, found.best_reply) == (None, None)


def test_a_sweep_goes_over_the_targets():
    games = [game("pig", target=target) for target in (10, 11, 12)]
    families = [[f"hold-at:{n}" for n in range(1, target + 2)] for target in (10, 11, 12)]
    found = sweep(games, families)
    # To such small targets it is best never to hold.
    assert [each.champion for each in found] == ["hold-at:10", "hold-at:11", "hold-at:12"]
    assert [each.game for each in found] == [str(one) for one in games]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (
            lambda: members(["hold-at:9..2"]),
            "the range 'hold-at:9..2' is empty: write the smaller number first",
        ),
        (
            lambda: members(["hold-at:1..99999"]),
            "the range 'hold-at:1..99999' is longer than 2000 strategies",
        ),
        (lambda: tournament(SHORT, []), "a tournament needs a strategy or more: got none"),
        (
            lambda: tournament(SHORT, ["turtle", "turtle"]),
            "turtle takes part twice: name each strategy once, or give a mapping from names of "
            "your own to strategies",
        ),
        (
            lambda: tournament(game("solo-pig", target=5), ["random"], games=10),
            "solo-pig target=5 is played alone, and its tournament is worked out: leave out games",
        ),
        (lambda: best_member(SHORT, ["turtle"]), "a family has two members or more: got 1"),
    ],
)
def test_what_makes_no_tournament_is_refused(ask, sentence):
    with pytest.raises(RulesError) as refused:
        ask()
    assert str(refused.value) == sentence


def test_strategies_that_play_alike_are_ranked_as_they_came():
    # in a race to 30 whoever holds at 30 or more rolls until the turn wins or busts
    names = [f"hold-at:{points}" for points in (31, 60, 20, 45, 30)]
    found = tournament(game("pig", target=30), names)
    alike = [name for name in names if name != "hold-at:20"]
    assert [name for name in found.ranking if name in alike] == alike
    assert found.best == found.ranking[0] == "hold-at:31"


def test_a_range_of_strategies_may_have_a_step():
    assert members(["hold-at:10..20:5"]) == ["hold-at:10", "hold-at:15", "hold-at:20"]
    with pytest.raises(RulesError) as refused:
        members(["hold-at:10..20:0"])
    assert str(refused.value) == (
        "the range 'hold-at:10..20:0' never moves: give it a step other than 0"
    )
