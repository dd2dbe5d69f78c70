"""Best play: against fate trees played out whole, in floats, in batches and for many casts."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from dicelab.errors import RulesError, TooLarge
from dicelab.rounds import Round, combination_classes, solve, solve_batch, utility
from dicelab.rules.dice import Die

LOADED = Die({1: "1/2", 2: "1/3", 3: "1/6"})
SMALL = [(d, f, j) for d in (1, 2, 3) for f in (1, 2, 3) for j in (1, 2, 3)]


@pytest.mark.parametrize(("dice", "faces", "casts"), SMALL)
def test_best_play_is_what_the_whole_fate_tree_says(dice, faces, casts, fate_tree, random_worths):
    game = Round(dice, Die(faces), casts)
    worth = random_worths(game, seed=dice + 10 * faces + 100 * casts)
    for player in ("first", "next"):
        brute = fate_tree(game, lambda result, cast, _: worth(result, cast), player)
        assert solve(game, worth, player).value == brute


@pytest.mark.parametrize(("dice", "faces", "casts"), SMALL)
def test_so_it_is_where_all_dice_may_be_thrown_again(dice, faces, casts, fate_tree, random_worths):
    game = Round(dice, Die(faces), casts, keep="any")
    worth = random_worths(game, seed=7)
    for player in ("first", "next"):
        brute = fate_tree(game, lambda result, cast, _: worth(result, cast), player)
        assert solve(game, worth, player).value == brute


def test_so_it_is_with_loaded_dice(fate_tree, random_worths):
    game = Round(2, LOADED, 3)
    worth = random_worths(game, seed=3)
    for player in ("first", "next"):
        brute = fate_tree(game, lambda result, cast, _: worth(result, cast), player)
        assert solve(game, worth, player).value == brute


def test_one_die_has_a_closed_form():
    # stop on what beats the mean of the casts to come: 3.5, then 4.25, then 14/3
    values = [solve(Round(1, casts=casts), "sum").value for casts in (1, 2, 3)]
    assert values == [Fraction(7, 2), Fraction(17, 4), Fraction(14, 3)]


def test_the_sum_of_three_dice_is_three_times_the_sum_of_one():
    # dice do not meet in the sum, so each plays for itself
    assert solve(Round(), "sum").value == 3 * Fraction(14, 3)


def test_yahtzee_in_three_casts_has_a_known_chance():
    # five of a kind with best play for any face: 2783176/60466176, about 4.6029 %
    # (a value every Yahtzee table prints)
    game = Round(5, Die(6), 3, keep="any")
    chance = solve(game, lambda faces: int(len(set(faces)) == 1)).value
    assert chance == Fraction(2783176, 60466176)


def test_throwing_again_what_was_aside_never_hurts(random_worths):
    for seed in range(5):
        bound, free = Round(3, Die(4)), Round(3, Die(4), keep="any")
        worth = random_worths(bound, seed)
        assert solve(free, worth).value >= solve(bound, worth).value


def test_a_next_player_never_gets_more_than_a_first():
    for name in ("goal:421", "transfer", "sum", "rank"):
        assert solve(Round(), name, "next").value <= solve(Round(), name).value


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("keep", ["aside", "any"])
def test_floats_lie_within_their_bound(player, keep, random_worths):
    for game in (Round(3, Die(6), 3, keep), Round(2, LOADED, 5, keep)):
        worth = random_worths(game, seed=1)
        exact, floats = solve(game, worth, player), solve(game, worth, player, exact=False)
        for cast in range(game.casts + 1):
            gap = np.abs(exact.worths(cast).astype(float) - floats.worths(cast))
            assert gap.max() <= floats.bound < 1e-11
        assert exact.bound == 0


@pytest.mark.parametrize("player", ["first", "next"])
def test_floats_find_the_same_best_decisions(player):
    for name in ("transfer", "goal:123+224+345"):
        exact, floats = (solve(Round(), name, player, exact=way) for way in (True, False))
        for cast in (1, 2, 3):
            assert (exact.best(cast) == floats.best(cast)).all()


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_is_the_same_as_one_utility_after_another(player, jobs, monkeypatch):
    monkeypatch.setattr("dicelab.rounds.induction.CHUNK_BYTES", 8 * 308 * 4)  # pieces of four
    game = Round()
    worths = np.random.default_rng(2).integers(-3, 9, (10, 3, 56))
    together = solve_batch(game, worths, player, jobs=jobs)
    first = game.numbers.full.start
    for row, value in zip(worths, together, strict=True):

        def worth(faces, cast, row=row):
            return int(row[cast - 1, game.numbers.number(faces) - first])

        assert value == pytest.approx(float(solve(game, worth, player).value), abs=1e-12)


def test_a_batch_of_utilities_that_never_change_needs_no_casts():
    game = Round()
    rows = [utility(name, game).at(1).astype(float) for name in ("sum", "transfer")]
    expected = [14, 349621 / 93312]  # the first by symmetry; the second is table 3's 3.7467
    assert solve_batch(game, rows) == pytest.approx(expected)
    assert len(solve_batch(game, np.zeros((0, 56)))) == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            np.zeros((4, 55)),
            "a batch of utilities is an array [batch, 56] or [batch, 3, 56]: got shape [4, 55]",
        ),
        (
            np.full((1, 56), np.nan),
            "a batch of utilities must be finite: got nan or infinity",
        ),
    ],
)
def test_a_batch_that_does_not_fit_is_refused(rows, message):
    with pytest.raises(RulesError) as caught:
        solve_batch(Round(), rows)
    assert str(caught.value) == message


def test_a_player_who_is_neither_first_nor_next_is_refused():
    with pytest.raises(RulesError) as caught:
        solve(Round(), "sum", "last")
    assert str(caught.value) == (
        "the player is 'first' (may stop early) or 'next' (must use every cast): got 'last'"
    )


def test_a_cast_the_round_does_not_have_is_refused():
    with pytest.raises(RulesError) as caught:
        solve(Round(), "sum").best(4)
    assert str(caught.value) == "this round has casts 1 to 3: got cast=4"


def test_premature_success_is_a_dilemma_for_a_next_player_and_a_brelan_makes_none():
    # section 4.1: any one die of 421 may be thrown again, and nothing else is as good
    game = Round()
    solution = solve(game, "goal:421", "next")
    first = {
        game.write_table(table): [game.numbers.write(kept) for kept in options]
        for table, options in solution.dilemmas(1).items()
    }
    assert first == {"421": ["21", "41", "42"]}
    second = {
        game.write_table(table): [game.numbers.write(kept) for kept in options]
        for table, options in solution.dilemmas(2).items()
    }
    assert second == {
        "421": ["21", "41", "42"],
        "1+42": ["21", "41"],
        "2+41": ["21", "42"],
        "4+21": ["41", "42"],
    }
    brelan = solve(game, "goal:111", "next")
    assert [brelan.dilemmas(cast) for cast in (1, 2)] == [{}, {}]


def test_a_first_player_has_no_dilemma_on_the_way_to_421():
    solution = solve(Round(), "goal:421")
    assert [solution.dilemmas(cast) for cast in (1, 2, 3)] == [{}, {}, {}]


def test_with_two_faces_and_two_dice_ratchet_and_bernoulli_tie():
    # section 4.1 of the study: D = F = 2, goal 21, thrown 11
    game = Round(2, Die(2), 2)
    dilemmas = solve(game, "goal:21").dilemmas(1)
    named = {game.write_table(t): [game.numbers.write(k) for k in o] for t, o in dilemmas.items()}
    assert named["11"] == ["-", "1"]


def test_fifty_casts_take_fifty_rows_and_come_ever_closer_to_certain():
    sizes = {}
    for casts in (10, 50):
        solution = solve(Round(casts=casts), "goal:421")
        sizes[casts] = len(solution.numerators)
        assert float(solution.value) == pytest.approx(
            solve(Round(casts=casts), "goal:421", exact=False).value
        )
    assert sizes == {10: 11, 50: 51}
    # each cast misses 421 with chance 35/36 at most, so 50 casts succeed more often than this
    assert solution.value > 1 - Fraction(35, 36) ** 50


def test_best_decisions_stay_exact_when_the_numbers_outgrow_floats():
    # 30 casts: worths are whole numbers over 6**90. With everything worth the same, all ties hold.
    game = Round(2, Die(6), 30)
    solution = solve(game, lambda faces: Fraction(1, 3))
    for cast in (1, 29):
        assert (solution.best(cast) == solution.allowed(cast)).all()
    # and near misses are no ties: the ratchet to 112 fails for the first time with 9 casts, by 4e-4
    nine = Round(casts=9)
    assert not solve(nine, "goal:112").dilemmas(1)


@pytest.mark.parametrize("dice", [2, 3])
@pytest.mark.parametrize("faces", [3, 4, 5, 6])
def test_a_goal_reached_too_early_is_broken_by_any_one_die(dice, faces):
    # section 4.1 of the study: for more than two faces, and nothing else is as good
    for casts in (2, 3, 4, 5):
        game = Round(dice, Die(faces), casts)
        for goal in combination_classes(game):
            solution = solve(game, "goal:" + game.numbers.write(goal), "next")
            table = game.table_of("-", goal)
            part = slice(*game.matrices.start[table : table + 2])
            best = game.options_of(table)[solution.best(1)[part]]
            all_but_one = [k for k in game.options_of(table) if game.numbers.sizes[k] == dice - 1]
            assert best.tolist() == [int(kept) for kept in all_but_one]


@pytest.mark.parametrize(
    ("goal", "casts", "keep", "strategies"),
    [
        # section 4.1 says (different faces) ** (casts - 1)
        ("421", 2, "aside", 3),
        ("421", 3, "any", 3**2),
        ("112", 3, "any", 2**2),
        # but dice aside stay aside: 3, then 3 * 2 * 2 * 2 by what is aside
        ("421", 3, "aside", 3 * 3 * 2**3),
        # 2, then 2 at 112, and 2 with a 1 aside; with a 2 aside 11 leaves no choice
        ("112", 3, "aside", 2 * 2 * 2),
    ],
)
def test_how_many_best_strategies_a_next_player_has(goal, casts, keep, strategies):
    solution = solve(Round(casts=casts, keep=keep), f"goal:{goal}", "next")
    found = [len(best) for cast in range(1, casts) for best in solution.dilemmas(cast).values()]
    assert prod(found) == strategies


def test_exact_numbers_too_long_to_keep_are_refused_and_floats_are_not():
    game = Round(1, Die(2), 2_000_000)
    with pytest.raises(TooLarge) as caught:
        solve(game, "sum")
    assert str(caught.value) == (
        "the exact values of 2000000 casts with 1 dice need about 1.5e3 GB; "
        "the limit is 4 GB (--memory), and floats need less (exact=False)"
    )
    assert solve(Round(1, Die(2), 2000), "sum", exact=False).value == pytest.approx(2)
