"""Dice Battle: the study's numbers, brute force in rationals, and both players at once.

Numbers said to be printed are from A. Carnielli, "Dice Battle", project for the course MOGPL
(MU4IN200), Sorbonne Université.
"""

from fractions import Fraction
from functools import cache
from typing import ClassVar

import numpy as np
import pytest

from dicelab import best_response, compile, density, evaluate, exploitability, game, plan, solve
from dicelab.errors import (
    IllegalMove,
    RulesError,
    StrategyError,
    TooLarge,
    UnknownPosition,
    UnknownStrategy,
    UnreadablePosition,
)
from dicelab.games.dice_battle import (
    DiceBattle,
    blind_dice,
    chance_of_points,
    chance_without_one,
    expected_points,
    points_law,
)
from dicelab.rules import DRAW, LOSS, WIN
from dicelab.rules.dice import Die
from dicelab.solvers.matrix_game import matrix_game

MOST = 8  # the largest target of the brute force


# The laws of a throw.


def test_without_a_one_the_sum_follows_the_study_s_recurrence():
    # Q(d, k) = sum over j from 2 to 6 of Q(d - 1, k - j) / 5, and Q(1, k) = 1/5 for k from 2 to 6.
    for dice in range(2, 6):
        for points in range(2 * dice, 6 * dice + 1):
            before = sum(chance_without_one(dice - 1, points - j) for j in range(2, 7))
            assert chance_without_one(dice, points) == before / 5
    assert [chance_without_one(1, k) for k in range(1, 8)] == [0, *[Fraction(1, 5)] * 5, 0]


def test_a_throw_scores_its_sum_or_one_point():
    for dice in range(1, 7):
        no_one = Fraction(5, 6) ** dice
        for points in range(2, 6 * dice + 1):
            assert chance_of_points(dice, points) == no_one * chance_without_one(dice, points)
        assert chance_of_points(dice, 1) == 1 - no_one
        assert chance_of_points(dice, 0, spoiled=0) == 1 - no_one
        assert sum(points_law(dice).values()) == 1


def test_the_expected_points_have_the_printed_closed_form():
    # EP(d) = 4 d (5/6)^d + 1 - (5/6)^d; printed: EP(5) = 8.636, EP(6) = 8.703.
    for dice in range(1, 15):
        no_one = Fraction(5, 6) ** dice
        assert expected_points(dice) == 4 * dice * no_one + 1 - no_one
    assert round(float(expected_points(5)), 3) == 8.636
    assert round(float(expected_points(6)), 3) == 8.703


def test_the_blind_strategy_throws_six_dice_or_as_many_as_there_are():
    assert [blind_dice(most) for most in range(1, 21)] == [min(most, 6) for most in range(1, 21)]


def test_without_a_point_for_a_one_five_and_six_dice_score_the_same():
    # 4 x 5 (5/6)^5 = 4 x 6 (5/6)^6.
    assert (
        expected_points(5, spoiled=0) == expected_points(6, spoiled=0) == 20 * Fraction(5, 6) ** 5
    )
    assert blind_dice(10, spoiled=0) == 5


def test_the_law_needs_a_face_besides_the_one():
    with pytest.raises(RulesError) as refused:
        chance_without_one(2, 2, Die(1))
    assert str(refused.value) == "dice-battle needs a face besides the 1: got die=1"


# By turns.


def test_the_printed_example_with_three_dice_and_a_target_of_two():
    small = DiceBattle(dice=3, target=2)
    three = evaluate(small, "blind", "blind:1", exact=True)
    assert three.a_first.a_wins == Fraction(841, 1296)  # printed 0.6489
    assert three.a_first.b_wins == Fraction(455, 1296)  # printed 0.3511
    assert round(float(three.values[0]), 4) == 0.2978
    one = evaluate(small, "blind:1", "blind:1", exact=True)
    assert one.a_first.a_wins == Fraction(31, 36)  # printed 0.8611
    assert one.a_first.b_wins == Fraction(5, 36)  # printed 0.1389
    assert round(float(one.values[0]), 4) == 0.7222
    best = solve(small, exact=True)
    assert best.value == one.values[0]
    assert best.best_moves("0-0") == ["throw 1"]


def test_two_points_short_is_the_same_at_any_target():
    far = solve(DiceBattle(dice=3, target=10), exact=True)
    assert far.value_at("8-8") == Fraction(13, 18)


@cache
def law(dice, spoiled):
    """The points of some dice, counted one throw after another."""
    counts = {}

    def roll(left, total, one):
        if left == 0:
            points = spoiled if one else total
            counts[points] = counts.get(points, 0) + 1
            return
        for face in range(1, 7):
            roll(left - 1, total + face, one or face == 1)

    roll(dice, 0, False)
    return {points: Fraction(count, 6**dice) for points, count in counts.items()}


@cache
def by_turns(dice, spoiled):
    """EG of every pair of missing points, by brute force; both may need up to MOST."""
    value = {}

    def after(mine, yours):
        return Fraction(1) if mine <= 0 else -value[yours, mine]

    for total in range(2, 2 * MOST + 1):
        for mine in range(max(1, total - MOST), min(MOST, total - 1) + 1):
            yours = total - mine
            laws = [law(d, spoiled) for d in range(1, dice + 1)]
            if spoiled:
                value[mine, yours] = max(
                    sum(p * after(mine - k, yours) for k, p in one.items()) for one in laws
                )
                continue
            # Two spoiled throws lead back: for each pair of moves u = a - p w and w = b - q u.
            here = [sum(p * after(mine - k, yours) for k, p in one.items() if k) for one in laws]
            there = [sum(p * after(yours - k, mine) for k, p in one.items() if k) for one in laws]
            value[mine, yours] = max(
                min((a - d[0] * b) / (1 - d[0] * e[0]) for b, e in zip(there, laws, strict=True))
                for a, d in zip(here, laws, strict=True)
            )
    return value


@pytest.mark.parametrize("variant", ["one", "zero"])
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_by_turns_brute_force_agrees_at_every_position_of_every_target(dice, variant):
    truth = by_turns(dice, 1 if variant == "one" else 0)
    for target in range(1, MOST + 1):
        battle = DiceBattle(dice=dice, target=target, variant=variant)
        exact, certified = solve(battle, exact=True), solve(battle)
        table = exact.table
        for number in np.flatnonzero(table.is_ongoing):
            at = table.position(int(number))
            expected = truth[target - at.mine, target - at.yours]
            assert exact.value_at(at) == expected
            lower, upper = certified.bounds_at(at)
            assert lower <= expected <= upper
            assert upper - lower < 1e-12


def test_hog_is_solved_and_certified_at_full_size():
    # The study leaves this one open, because EG(i, j) and EG(j, i) depend on each other.
    hog = solve(DiceBattle(variant="zero"))
    assert hog.upper - hog.lower < 1e-11
    played = evaluate(DiceBattle(variant="zero"), hog.plan, hog.plan)
    assert played.values[0] == pytest.approx(hog.value, abs=1e-11)


def test_optimal_play_beats_blind_play_from_both_seats():
    found = evaluate(DiceBattle(dice=6, target=30), "optimal", "blind:6")
    assert found.first > found.a_first.b_wins
    assert found.overall > 0.5


def test_a_game_that_one_throw_decides_lasts_one_turn():
    # One point wins, and a throw always scores one: the turn that reaches it is the last.
    one = density(DiceBattle(dice=1, target=1), "blind", "blind").lengths
    assert one.tolist() == pytest.approx([1.0])
    # With two points, one die wins at once unless it shows a 1; so may the second player; then
    # the first player's second throw wins for certain.
    lengths = density(DiceBattle(dice=1, target=2), "blind", "blind").lengths
    assert lengths.tolist() == pytest.approx([5 / 6, 5 / 36, 1 / 36])


# Both at once.


def test_the_one_shot_game_mixes_two_three_and_five_dice():
    # Known: 0.17558, 0.05294 and 0.77148 for any D of 5 or more; one throw each is target=1.
    for dice in (5, 6, 10):
        found = solve(DiceBattle(dice=dice, target=1, variant="simultaneous"))
        opening = found.opening
        assert list(opening) == ["throw 2", "throw 3", "throw 5"]
        assert [round(chance, 5) for chance in opening.values()] == [0.17558, 0.05294, 0.77148]
        assert found.lower <= 0 <= found.upper


def test_the_one_shot_game_in_rationals_says_the_same():
    found = solve(DiceBattle(dice=5, target=1, variant="simultaneous"), exact=True)
    assert found.value == 0
    assert sum(found.opening.values()) == 1
    assert [round(float(p), 5) for p in found.opening.values()] == [0.17558, 0.05294, 0.77148]


def test_the_one_shot_matrix_is_the_chance_to_throw_more_less_the_chance_to_throw_less():
    battle = DiceBattle(dice=5, target=1, variant="simultaneous")
    payoffs = [
        [
            sum(
                p * q * ((k > m) - (k < m))
                for k, p in law(d, 1).items()
                for m, q in law(e, 1).items()
            )
            for e in range(1, 6)
        ]
        for d in range(1, 6)
    ]
    mixture = matrix_game(payoffs, exact=True).rows
    opening = solve(battle, exact=True).opening
    assert {f"throw {d + 1}": p for d, p in enumerate(mixture) if p} == opening


def end(mine, yours):
    """What the end is worth when the two still miss so many points; None while play goes on."""
    if mine > 0 and yours > 0:
        return None
    return Fraction((mine < yours) - (mine > yours))


def payoffs_at(value, dice, spoiled, mine, yours, staying):
    """The matrix at a position: `staying` is what it is worth that nobody scores."""
    laws = [law(d, spoiled) for d in range(1, dice + 1)]

    def worth(k, m):
        over = end(mine - k, yours - m)
        if over is not None:
            return over
        return staying if k == m == 0 else value[mine - k, yours - m]

    return [
        [sum(p * q * worth(k, m) for k, p in d.items() for m, q in e.items()) for e in laws]
        for d in laws
    ]


@cache
def at_once(dice, by_kernels):
    """The value of every pair of missing points, by brute force over the kernels of matrices."""
    value = {}
    for mine in range(1, MOST + 1):
        for yours in range(1, mine + 1):
            found = by_kernels(payoffs_at(value, dice, 1, mine, yours, None))
            value[mine, yours], value[yours, mine] = found, -found
    return value


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_at_once_brute_force_agrees_at_every_position_of_every_target(dice, by_kernels):
    truth = at_once(dice, by_kernels)
    for target in range(1, MOST + 1):
        battle = DiceBattle(dice=dice, target=target, variant="simultaneous")
        certified = solve(battle)
        exact = solve(battle, exact=True) if target <= 4 else None
        for number in np.flatnonzero(certified.table.is_ongoing):
            at = certified.table.position(int(number))
            expected = truth[target - at.mine, target - at.yours]
            lower, upper = certified.bounds_at(at)
            assert lower <= expected <= upper
            assert upper - lower < 1e-12
            assert exact is None or exact.value_at(at) == expected


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_at_once_without_points_the_bounds_prove_themselves_in_rationals(dice, by_kernels):
    # v solves v = val(B + v q q'), which need not be rational. If L <= val(B + L q q') with every
    # later value at its L, then L is a lower bound; and likewise U. The values of these matrices
    # are found by kernels, in rationals.
    for target in range(1, MOST + 1):
        found = solve(DiceBattle(dice=dice, target=target, variant="simultaneous-zero"))
        table = found.table
        low, high = {}, {}
        for number in np.flatnonzero(table.is_ongoing):
            at = table.position(int(number))
            place = target - at.mine, target - at.yours
            low[place], high[place] = map(Fraction, found.bounds_at(at))
        for mine, yours in low:
            place = mine, yours
            least = by_kernels(payoffs_at(low, dice, 0, mine, yours, low[place]))
            most = by_kernels(payoffs_at(high, dice, 0, mine, yours, high[place]))
            assert low[place] <= least
            assert most <= high[place]
            assert high[place] - low[place] < Fraction(1, 10**12)


def test_what_one_player_gains_at_once_the_other_loses():
    found = solve(DiceBattle(dice=6, target=25, variant="simultaneous-zero"))
    assert found.value == 0.0
    for at in ("20-11", "3-24", "7-0"):
        mine, yours = at.split("-")
        assert found.value_at(at) == -found.value_at(f"{yours}-{mine}")


@pytest.mark.parametrize("variant", ["simultaneous", "simultaneous-zero"])
def test_nobody_profits_from_an_equilibrium_but_from_blind_and_by_turns_play(variant):
    battle = DiceBattle(dice=6, target=30, variant=variant)
    table = compile(battle)
    best = plan(table, "optimal")
    taken = exploitability(battle, best)
    assert taken.value <= taken.upper < 1e-11
    for weak in ("blind", "blind:5", "by-turns", "random"):
        assert exploitability(battle, weak).lower > 1e-4, weak
        assert evaluate(battle, best, weak).values[0] > 1e-5


def test_by_turns_the_optimal_strategy_cannot_be_exploited_and_blind_can():
    battle = DiceBattle(dice=6, target=30)
    assert exploitability(battle, "optimal").upper < 1e-11
    assert exploitability(battle, "blind").lower > 0.01


def hedge(at):
    return {"throw 1": Fraction(1, 3), "throw 2": Fraction(2, 3)}


def all_replies(table):
    """Every strategy that does not mix, on a table of few positions."""
    here = np.flatnonzero(table.is_ongoing)
    for code in range(2**here.size):
        moves = {table.notation(int(n)): 1 + (code >> i & 1) for i, n in enumerate(here)}
        yield lambda at, moves=moves: f"throw {moves[table.game.notation(at)]}"


@pytest.mark.parametrize("variant", ["simultaneous", "simultaneous-zero"])
def test_no_reply_of_all_there_are_beats_the_best_reply_to_a_mixture(variant):
    battle = DiceBattle(dice=2, target=3, variant=variant)
    table = compile(battle)
    every = [evaluate(battle, reply, hedge, exact=True).values[0] for reply in all_replies(table)]
    reply = best_response(battle, hedge, exact=True)
    assert reply.solution.value == max(every)
    assert reply.evaluation.values[0] == max(every)
    certified = best_response(battle, hedge).solution
    assert certified.lower <= max(every) <= certified.upper


def test_mixtures_against_each_other_by_hand():
    # target=1 ends with the first throw: two dice score more than one unless they show a 1.
    battle = DiceBattle(dice=2, target=1, variant="simultaneous")
    more = sum(p * q for k, p in law(2, 1).items() for m, q in law(1, 1).items() if k > m)
    same = law(2, 1)[1] * law(1, 1)[1] + sum(law(2, 1)[k] / 6 for k in range(4, 7))
    found = evaluate(battle, "blind:2", "blind:1", exact=True)
    assert (found.a_first.a_wins, found.a_first.draws) == (more, same)
    mixed = evaluate(battle, hedge, "blind:1", exact=True)
    assert mixed.values[0] == Fraction(2, 3) * found.values[0]  # one die against one is even


class SharedBattle(DiceBattle):
    """Dice Battle for one pot, of which a draw brings both a half."""

    worth: ClassVar = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(1, 2)}


@pytest.mark.parametrize("exact", [True, False])
def test_at_once_a_draw_is_worth_what_the_game_says(exact):
    battle = SharedBattle(dice=2, target=2, variant="simultaneous")
    found = evaluate(battle, "blind:2", "blind:1", exact=exact)
    assert found.a_first.draws > 0
    share = found.a_first.a_wins + found.a_first.draws / 2
    assert found.values == pytest.approx((share, share), abs=0 if exact else 1e-15)


def test_evaluating_at_once_in_floats_is_within_its_error():
    battle = DiceBattle(dice=3, target=6, variant="simultaneous-zero")
    exact = evaluate(battle, "random", hedge, exact=True)
    floats = evaluate(battle, "random", hedge)
    assert abs(floats.a_first.a_wins - exact.a_first.a_wins) <= floats.error
    assert abs(floats.a_first.draws - exact.a_first.draws) <= floats.error
    assert exact.a_first.a_wins + exact.a_first.b_wins + exact.a_first.draws == 1


def test_a_race_of_a_hundred_is_solved_at_once_with_progress():
    seen = []
    found = solve(DiceBattle(variant="simultaneous"), progress=seen.append)
    assert found.upper - found.lower < 1e-11
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)


def test_the_moves_of_a_mixture_are_tied_and_the_others_worse():
    found = solve(DiceBattle(dice=6, target=1, variant="simultaneous"))
    status = {move.move: move.status for move in found.moves_at("0-0")}
    assert {move for move in status if status[move] == "tied"} == set(found.opening)
    assert status["throw 1"] == "worse"


@pytest.mark.parametrize("variant", ["simultaneous", "simultaneous-zero"])
def test_where_our_simplex_gives_up_highs_finds_the_same_values(variant, monkeypatch):
    import dicelab.verbs.races as module

    battle = DiceBattle(dice=4, target=7, variant=variant)
    ours = solve(battle)
    real = module.kernels.row

    def gives_up(race, found, i, j, tight, trusted, least):
        return real(race, found, i, j, tight, True, least) if trusted else j

    monkeypatch.setattr(module.kernels, "row", gives_up)
    theirs = solve(battle)
    assert theirs.method == "certified float matrix games, back from the end; 7 by HiGHS"
    assert np.abs(theirs.values - ours.values).max() < 1e-9
    assert (theirs.lowers <= ours.uppers).all()
    assert (ours.lowers <= theirs.uppers).all()


def test_with_four_dice_to_eight_blind_play_is_already_an_equilibrium():
    # Four dice without a 1 reach 8, and four dice are also best in the one-shot game.
    battle = DiceBattle(dice=4, target=8, variant="simultaneous")
    assert exploitability(battle, "blind", exact=True).value == 0


# What is refused.


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"dice": 0}, "dice-battle needs 1 to 100 dice: got dice=0"),
        ({"target": 0}, "dice-battle needs a target of at least 1: got target=0"),
        (
            {"variant": "hog"},
            "dice-battle needs a variant among one, zero, simultaneous, simultaneous-zero: "
            "got variant=hog",
        ),
        ({"die": Die({0: 1})}, "dice-battle needs faces of 1 or more: got die=0:1"),
        ({"die": Die(1)}, "dice-battle needs a face besides the 1: got die=1"),
    ],
)
def test_parameters_that_make_no_game_are_refused(parameters, sentence):
    with pytest.raises(RulesError) as refused:
        game("dice-battle", **parameters)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("variant", ["one", "simultaneous"])
def test_more_dice_than_there_are_cannot_be_thrown(variant):
    battle = DiceBattle(dice=3, target=5, variant=variant)
    with pytest.raises(UnknownStrategy) as refused:
        evaluate(battle, "blind:4", "blind")
    shown = "dice-battle dice=3 target=5" + (" variant=simultaneous" if variant != "one" else "")
    assert str(refused.value) == f"blind:4 cannot be played in {shown}: throw 1 to 3 dice"
    with pytest.raises(IllegalMove) as illegal:
        evaluate(DiceBattle(dice=2, target=1, variant=variant), lambda at: "throw 4", "blind")
    assert str(illegal.value) == (
        "<lambda> answered 'throw 4' at 0-0, which is no move of dice-battle: "
        "you can throw 1 or throw 2 here"
    )


@pytest.mark.parametrize("variant", ["one", "simultaneous"])
def test_a_mixture_must_sum_to_one(variant):
    def half(at):
        return {"throw 1": Fraction(1, 2), "throw 2": Fraction(1, 4)}

    with pytest.raises(StrategyError) as refused:
        evaluate(DiceBattle(dice=2, target=1, variant=variant), half, "blind")
    assert str(refused.value) == "half gave chances at 0-0 that sum to 3/4: they must sum to 1"


def test_where_both_may_score_nothing_exact_mode_has_rational_bounds():
    game = DiceBattle(dice=2, target=3, variant="simultaneous-zero")
    exact, rough = solve(game, exact=True), solve(game)
    assert exact.value == 0
    for number, (low, high) in enumerate(zip(exact.lowers, exact.uppers, strict=True)):
        assert isinstance(low, Fraction)
        assert 0 <= high - low < Fraction(1, 10**70)
        assert Fraction(rough.lowers[number]) <= high
        assert low <= Fraction(rough.uppers[number])
    assert exploitability(game, "optimal", exact=True).value < Fraction(1, 10**70)


def test_exact_mode_refuses_what_is_too_large():
    with pytest.raises(TooLarge) as large:
        solve(DiceBattle(dice=2, target=30, variant="simultaneous"), exact=True)
    assert str(large.value) == (
        "dice-battle dice=2 target=30 variant=simultaneous has 798 positions in play: exact mode "
        "of simultaneous games goes up to 400; without it the bounds are certified all the same"
    )


def test_positions_that_cannot_be_read_or_reached_are_refused():
    battle = DiceBattle(dice=2, target=9, variant="simultaneous")
    with pytest.raises(UnreadablePosition) as unreadable:
        battle.parse("9 to 8")
    assert str(unreadable.value) == (
        "cannot read '9 to 8' as a position of dice-battle: write it like '0-0'"
    )
    with pytest.raises(UnknownPosition) as unknown:
        solve(battle).value_at("0-4")
    assert str(unknown.value) == (
        "no play of dice-battle dice=2 target=9 variant=simultaneous leads to 0-4: "
        "try the start, '0-0'"
    )


def test_points_beyond_the_target_are_one_outcome():
    # To 2 with a die of 10,000: a throw of one die wins unless it shows a 1, which scores a point;
    # then the other throws, who wins with any number of dice.
    game = DiceBattle(dice=2, target=2, die=Die(10_000))
    assert compile(game).target.size < 20
    miss = Fraction(1, 10_000)
    wins = 1 - miss + miss * miss  # both score a point in turn, and then any throw wins
    assert solve(game, exact=True).value == 2 * wins - 1


def test_the_average_has_a_closed_form():
    for dice in (1, 3, 7):
        law = points_law(dice, Die(5), 1)
        assert expected_points(dice, Die(5)) == sum(k * chance for k, chance in law.items())
