"""Greed: the study's numbers, brute force in rationals, its shortcuts and its conjectures.

Numbers said to be printed are from C. Addis, "A Guide to Optimal Play in Greed: Stochastic
Optimization", Reed College, 2023. Those said to be tabled are from the results its author keeps in
the repository github.com/pure-chance/greed (src/results, December 2023).
"""

import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dicelab import best_response, compile, evaluate, game, plan, solve
from dicelab.errors import (
    RulesError,
    TooLarge,
    UnknownPosition,
    UnknownStrategy,
    UnreadablePosition,
    WrongTable,
)
from dicelab.games.greed import LAST, NORMAL, Greed, GreedPosition
from dicelab.games.greed.conjectures import Counterexample, look, sweep
from dicelab.games.greed.search import shortcuts
from dicelab.games.greed.solver import advantages, solve_greed
from dicelab.rules.dice import Die
from dicelab.verbs.solve import solve_graph

HALF = Fraction(1, 2)
SMALL = [(most, sides) for most in range(1, 9) for sides in range(1, 5)]


def fair(sides):
    return tuple((face, Fraction(1, sides)) for face in range(1, sides + 1))


@cache
def sums(die, dice):
    """The law of a sum, one die after another."""
    if dice == 0:
        return {0: Fraction(1)}
    law = {}
    for total, chance in sums(die, dice - 1).items():
        for face, part in die:
            law[total + face] = law.get(total + face, 0) + chance * part
    return law


def brute_force(most, die, ties=(HALF, HALF)):
    """Every position's own rating, the other's, and the best numbers of dice, by recursion."""

    @cache
    def position(mine, yours, stage, seat):
        options = []
        for dice in range(most - mine + 1):
            own = other = Fraction(0)
            for total, chance in sums(die, dice).items():
                score = mine + total
                if score > most:
                    got = Fraction(0), Fraction(1)
                elif stage == LAST:
                    tie = score == yours
                    win = Fraction(score > yours)
                    got = (ties[seat], ties[1 - seat]) if tie else (win, 1 - win)
                else:
                    then = position(yours, score, LAST if dice == 0 else NORMAL, 1 - seat)
                    got = then[1], then[0]
                own += chance * got[0]
                other += chance * got[1]
            options.append((own, other))
        best = max(own for own, _ in options)
        numbers = [dice for dice, (own, _) in enumerate(options) if own == best]
        return best, options[numbers[0]][1], numbers

    return position


def places(most):
    scores = range(most + 1)
    return [(mine, yours, stage) for mine in scores for yours in scores for stage in (NORMAL, LAST)]


def three_by_hand(most, die, plan):
    """What each of three gets by a plan, and whether any other throw would do more for who throws.

    Written once more from the rules as told at the table: seats are named, nobody turns the table.
    """

    def standing(scores):
        top = max(score for score in scores if score is not None)
        best = [score == top for score in scores]
        return [Fraction(each, sum(best)) for each in best]

    @cache
    def position(scores, seat, to_come):
        """`to_come`: the seats that have a last turn still, or None in ordinary turns."""
        if sum(score is not None for score in scores) == 1 or to_come == ():
            return standing(scores), True
        options, fine = [], True
        for dice in range((most - scores[seat]) // die[0][0] + 1):
            got = [Fraction(0)] * 3
            for total, chance in sums(die, dice).items():
                score = scores[seat] + total
                after = list(scores)
                after[seat] = score if score <= most else None
                on = [s % 3 for s in range(seat + 1, seat + 3) if after[s % 3] is not None]
                left = on if dice == 0 and to_come is None else to_come and to_come[1:]
                left = None if left is None else tuple(s for s in left if after[s] is not None)
                then = left[0] if left else on[0] if on else seat
                told, well = position(tuple(after), then, left)
                fine &= well
                got = [a + chance * b for a, b in zip(got, told, strict=True)]
            options.append(got)
        chosen = plan(scores, seat, to_come)
        best = max(option[seat] for option in options)
        return options[chosen], fine and options[chosen][seat] == best

    return position((0, 0, 0), 0, None)


@pytest.mark.parametrize(("most", "sides"), [(1, 1), (2, 3), (3, 2), (4, 3), (5, 4)])
def test_three_play_so_that_no_other_throw_is_better_by_hand(most, sides):
    rules = Greed(max=most, die=Die(sides), players=3)
    found = solve(rules, exact=True)

    def plan(scores, seat, to_come):
        told = ["bust" if s is None else str(s) for s in (*scores[seat:], *scores[:seat])]
        stopped = ""
        if to_come is not None:
            last = to_come[-1]
            stopper = next(s % 3 for s in range(last + 1, last + 4) if s % 3 not in to_come)
            while scores[stopper] is None:
                stopper = (stopper + 1) % 3
            stopped = f" last {(stopper - seat) % 3}"
        return int(found.plan.move_at(f"{'-'.join(told)}{stopped}").removeprefix("throw "))

    shares, is_best = three_by_hand(most, fair(sides), plan)
    assert (found.shares, is_best, found.temptation) == (shares, True, 0)
    certified = solve(rules)
    assert certified.shares == pytest.approx(list(map(float, found.shares)), abs=1e-12)
    assert certified.temptation < 1e-12


def test_who_is_bust_is_out_and_the_others_go_on():
    rules = Greed(max=3, die=Die(2), players=3)
    after = {
        rules.notation(each.at): (c, each.mover)
        for c, each in rules.law(rules.read("3-1-2"), "throw 0")
    }
    assert after == {"1-2-3 last 2": (1, 1)}
    law = rules.law(rules.read("2-1-0"), "throw 1")
    after = {rules.notation(each.at): (c, each.mover) for c, each in law}
    assert after == {"1-0-3": (HALF, 1), "1-0-bust": (HALF, 1)}
    # The next is bust, so that the turn goes to the one after him, who may already be the last.
    (_, skipped), *_ = rules.law(rules.read("2-bust-0 last 2"), "throw 0")
    assert (rules.notation(skipped.at), skipped.mover) == ("0-2-bust over", 2)
    assert rules.payoff(rules.read("0-2-2 over"))[1] == (3, 6)
    ((_, left),) = rules.law(rules.read("3-bust-1"), "throw 0")
    assert rules.notation(left.at) == "1-3-bust last 1"
    assert rules.result(rules.read("1-bust-bust")) == 1
    for text in ("2-1-0 last", "2-1-0 last 3", "2-1 last 1"):
        with pytest.raises(UnreadablePosition):
            rules.parse(text)


def test_more_than_two_share_a_win_and_no_tie_has_a_worth_of_its_own():
    with pytest.raises(RulesError) as refused:
        Greed(tie=Fraction(1, 3), players=4)
    assert str(refused.value) == (
        "greed needs two players for a tie with a worth of its own: of 4, those who tie share a "
        "win evenly; got tie=1/3"
    )
    with pytest.raises(RulesError) as refused:
        Greed(players=1)
    assert str(refused.value) == "greed needs 2 to 10 players: got players=1"
    with pytest.raises(RulesError) as refused:
        shortcuts(Greed(max=5, players=3))
    assert str(refused.value) == (
        "the shortcuts search the last turns of two players: got greed max=5 players=3, where "
        "others may throw after one's last turn"
    )


# The printed and tabled numbers.


def test_the_first_player_of_ten_and_three_has_barely_more_than_half():
    # Printed: 0.54. The rules give 14352595/28697814, which the author's own table has as
    # 0.5001285115305298; the printed number is what the printed search makes of it (below).
    found = solve(game("greed", max=10, sides=3), exact=True)
    assert found.value == Fraction(14352595, 28697814)
    assert float(found.value) == 0.5001285115305298
    assert found.opening == [1]
    assert round(float(found.value), 2) != 0.54


def test_the_classic_game_opens_with_twenty_four_dice():
    # Tabled: 0,0,24,0.5138417330406202 and 0,100,27,0.06653527325790153.
    found = solve(Greed())
    assert found.opening == [24]
    assert found.lower <= 0.5138417330406202 <= found.upper
    assert found.best_dice("0-100") == [27]
    assert found.value_at("0-100") == pytest.approx(0.06653527325790153, abs=1e-13)


@pytest.mark.parametrize(
    ("at", "dice", "rating"),
    [
        # Tabled for (10, 3): player, opponent, best n, best rating.
        ("0-8", 3, 0.5808311741096377),
        ("2-9", 3, 0.5082304526748971),
        ("5-5", 1, 0.49237921048620636),
        ("7-0", 1, 0.5761655574184152),
        ("8-0", 0, 0.5432098765432098),
        ("8-3", 1, 0.42866941015089155),
        ("9-9", 0, 0.5),
        ("10-1", 0, 0.9012345679012346),
        ("0-3 last", 3, 0.9814814814814814),
        ("0-10 last", 5, 0.10493827160493827),
        ("5-10 last", 2, 0.1111111111111111),
        ("8-8 last", 1, 0.6666666666666666),
        ("10-10 last", 0, 0.5),
    ],
)
def test_the_author_s_table_of_ten_and_three_agrees(at, dice, rating):
    found = solve(game("greed", max=10, sides=3), exact=True)
    assert found.best_dice(at)[0] == dice
    assert float(found.value_at(at)) == pytest.approx(rating, abs=1e-15)


def test_the_study_s_example_of_a_position_leads_where_it_says():
    # Two dice of three sides at (2, 6) may lead to (6, 4), (6, 5), ..., the study says to (6, 7);
    # the sums are 2 to 6, so (6, 8) belongs to them too.
    rules = Greed(max=10, die=Die(3))
    after = {
        rules.notation(at)
        for chance, at, *_ in rules.outcomes(GreedPosition(2, 6, NORMAL, 0), "throw 2")
        if chance.numerator
    }
    assert after == {"6-4", "6-5", "6-6", "6-7", "6-8"}


# Brute force.


@pytest.mark.parametrize(("most", "sides"), SMALL)
def test_brute_force_agrees_at_every_position(most, sides):
    truth = brute_force(most, fair(sides))
    rules = Greed(max=most, die=Die(sides))
    exact, certified = solve(rules, exact=True), solve(rules)
    for mine, yours, stage in places(most):
        at = GreedPosition(mine, yours, stage, 0)
        own, other, dice = truth(mine, yours, stage, 0)
        assert exact.value_at(at) == own
        assert exact.other_at(at) == (other, other)
        assert exact.best_dice(at) == dice
        lower, upper = certified.bounds_at(at)
        assert lower <= own <= upper
        assert upper - lower < 1e-12
        assert certified.best_dice(at) == dice  # no near ties here: floats see only true ones


@pytest.mark.parametrize(("most", "sides"), [(4, 2), (7, 3), (8, 4), (6, 6)])
def test_the_graph_of_positions_gives_the_same_as_the_tables(most, sides):
    rules = Greed(max=most, die=Die(sides))
    graph = solve_graph(compile(rules), exact=True)
    tables = solve(rules, exact=True)
    for number in np.flatnonzero(graph.table.is_ongoing):
        at = graph.table.position(int(number))
        assert graph.value_at(at) == tables.value_at(at)
        assert sorted(graph.best_moves(at)) == sorted(tables.best_moves(at))


def test_a_loaded_die_tries_every_number_of_dice():
    die = Die({1: "9/10", 5: "1/10"})
    truth = brute_force(8, tuple(die))
    found = solve(Greed(max=8, die=die), exact=True)
    for mine, yours, stage in places(8):
        own, _, dice = truth(mine, yours, stage, 0)
        at = GreedPosition(mine, yours, stage, 0)
        assert (found.value_at(at), found.best_dice(at)) == (own, dice)


@pytest.mark.parametrize("ties", [(0, 0), (1, 1), (Fraction(1, 3),) * 2, (0, HALF), (1, 0)])
def test_players_may_value_a_tie_as_they_like(ties):
    ties = tuple(map(Fraction, ties))
    truth = brute_force(6, fair(3), ties)
    rules = Greed(max=6, die=Die(3), tie=ties[0], second_tie=ties[1])
    exact, certified = solve(rules, exact=True), solve(rules)
    for mine, yours, stage in places(6):
        for seat in range(len(set(ties))):
            own, other, _ = truth(mine, yours, stage, seat)
            at = GreedPosition(mine, yours, stage, seat)
            assert exact.value_at(at) == own
            assert exact.other_at(at)[0] == other
            lower, upper = certified.bounds_at(at)
            assert lower <= own <= upper


def test_if_both_count_a_tie_as_a_win_both_can_be_sure_of_it():
    found = solve(game("greed", max=20, sides=3, tie="1"), exact=True)
    assert (found.value, found.other_at("0-0")[0]) == (1, 1)


def test_the_optimal_strategy_plays_the_tables_on_the_graph():
    for ties in ((HALF, None), (Fraction(0), None), (Fraction(0), HALF)):
        rules = Greed(max=7, die=Die(3), tie=ties[0], second_tie=ties[1])
        found = solve(rules, exact=True)
        played = evaluate(rules, "optimal", "optimal", exact=True)
        assert played.values[0] == found.value
        assert played.values[1] == found.other_at("0-0")[0]


def test_no_reply_beats_optimal_play_and_the_reply_to_a_plain_one_does():
    rules = Greed(max=12, die=Die(3))
    best = solve(rules)
    reply = best_response(rules, "optimal")
    assert reply.solution.value == pytest.approx(best.value, abs=1e-12)
    assert best_response(rules, "aim-at").solution.lower > best.upper


def test_a_saved_strategy_and_a_plan_agree_with_the_tables():
    rules = Greed(max=9, die=Die(3))
    table = compile(rules)
    optimal = plan(table, "optimal")
    assert optimal.move_at("8-2") == f"throw {solve(rules).best_dice('8-2')[0]}"


def test_chances_too_long_for_machine_integers_are_kept_exactly():
    rules = Greed(max=100)
    at = GreedPosition(np.array([0, 95]), np.array([3, 3]), np.array([0, 0]), np.array([0, 0]))
    for move in ("throw 2", "throw 40", "throw 100"):
        total = sum(
            Fraction(int(np.broadcast_to(chance.numerator, 2)[0]), chance.denominator)
            for chance, *_ in rules.outcomes(at, move)
        )
        assert total == 1
    (top, *_), *_ = [o for o in rules.outcomes(at, "throw 100") if o[1].yours[0] == 100]
    assert Fraction(int(top.numerator[0]), top.denominator) == Fraction(1, 6**100)


# Ties, forfeits, certain victories.


def test_forfeits_and_certain_victories_are_marked():
    found = solve(Greed(max=20, die=Die(3)), exact=True)
    assert found.remark("7-5 last") == "forfeit"
    assert found.best_dice("7-5 last")[0] == 0
    assert found.remark("4-6 last") == "certain victory"  # three dice: 7 to 13 points
    assert found.value_at("4-6 last") == 1
    assert 3 in found.best_dice("4-6 last")
    assert found.remark("15-18 last") is None
    assert found.remark("15-18") is None


def test_a_certain_victory_is_exactly_a_last_turn_worth_one():
    found = solve(Greed(max=20, die=Die(3)), exact=True)
    for mine, yours, _ in places(20):
        at = GreedPosition(mine, yours, LAST, 0)
        assert (found.remark(at) is not None) == (found.value_at(at) == 1)


def test_true_ties_are_told_from_near_ones_in_twenty_and_three():
    # At 15-20 two and three dice reach exactly 20 with the same chance: 2/9 and 6/27.
    exact = solve(Greed(max=20, die=Die(3)), exact=True)
    assert exact.best_dice("15-20 last") == [2, 3]
    assert exact.value_at("15-20 last") == Fraction(1, 9)
    certified = solve(Greed(max=20, die=Die(3)))
    assert certified.ties == exact.ties
    assert all(at.stage == LAST for at in exact.ties)


def test_certified_floats_reach_five_hundred_and_twenty():
    found = solve(Greed(max=500, die=Die(20)))
    assert found.upper - found.lower < 1e-11
    assert found.lower > 0.5
    assert found.opening == [40]


# The shortcuts of the study.


def test_the_printed_search_gives_the_printed_rating():
    # Rated by the search as printed, last turns look worse than they are, and ending the game
    # looks better: the first player then has 0.543198, and 0.54 is what the study prints.
    found = {one.name: one for one in shortcuts(Greed(max=10, die=Die(3))).last}
    assert round(found["upward"].value, 2) == 0.54
    assert found["exhaustive"].value == pytest.approx(14352595 / 28697814, abs=1e-15)
    assert (len(found["upward"].wrong), len(found["exhaustive"].wrong)) == (35, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("most", "sides"), [(10, 3), (20, 3), (24, 6), (15, 8)])
def test_walking_down_from_the_middle_is_right_and_saves_work(most, sides):
    found = shortcuts(Greed(max=most, die=Die(sides)))
    exhaustive, upward, downward = found.last
    assert downward.wrong == []
    assert downward.tried < exhaustive.tried
    assert upward.wrong
    assert found.bound_misses == 0
    assert found.bounded_normal < found.all_normal


def test_the_shortcuts_are_for_fair_dice():
    with pytest.raises(RulesError) as refused:
        shortcuts(Greed(max=5, die=Die({1: "1/3", 2: "2/3"})))
    assert str(refused.value) == (
        "the shortcuts are for fair dice and one worth of a tie: got greed max=5 die=1:1/3,2:2/3"
    )


def test_shortcuts_of_a_game_too_large_are_refused_with_its_size_and_others_tell_how_far_they_are():
    with pytest.raises(TooLarge) as refused:
        shortcuts(Greed(max=2000), exact=False)
    assert str(refused.value) == (
        "greed max=2000 has 4,004,001 last turns, each searched for 3 times, one number of dice "
        "after another: shortcuts go up to max=300"
    )
    told = []
    shortcuts(Greed(max=5, die=Die(3)), progress=told.append)
    assert told[-1] == 1.0


# The conjectures.


def slow_look(room, sides):
    """The three claims at one room, straight from their words and in fractions."""
    die, failed = fair(sides), set()
    for gap in range(room + 1):
        rated = []
        for dice in range(room + 2):
            law = sums(die, dice)
            win = sum(p for t, p in law.items() if gap < t <= room)
            rated.append(win + HALF * law.get(gap, 0))
        for n in range(room + 1):
            if Fraction(n * (sides + 1), 2) > Fraction(gap + room, 2) and rated[n + 1] > rated[n]:
                failed.add("conjecture 1")
        top = rated.index(max(rated))
        if rated[: top + 1] != sorted(rated[: top + 1]) or rated[top:] != sorted(
            rated[top:], reverse=True
        ):
            failed.add("conjecture 2")
    return failed


def test_the_sweep_sees_what_a_slow_look_sees():
    for room in range(1, 10):
        for sides in range(1, 6):
            found = {one.claim for one in look(room, sides, HALF, room)}
            assert found - {"upper bound"} == slow_look(room, sides) == set()


def test_a_loaded_die_breaks_all_three_claims():
    uneven = Die({1: "1/2", 3: "1/2"})
    found = {one.claim: one for one in look(3, uneven, HALF, 3)}
    # 0-3 last: one die ties with chance 1/2, two never (their sums are even), three with 1/8.
    assert found["conjecture 2"] == Counterexample("conjecture 2", 3, 2, 3, 2, "1:1/2,3:1/2")
    # Four dice cannot sum to 5, five can; and the mean of four, 8, is beyond 5.
    found = {one.claim: one for one in look(5, uneven, HALF, 5)}
    assert found["upper bound"] == Counterexample("upper bound", 5, 2, 5, 4, "1:1/2,3:1/2")


def test_conjecture_1_fails_at_once_for_a_die_of_ones_and_sixes():
    # 0-2 last, room for 2: one die shows no 2, two dice tie with chance 1/4. The mean of one is
    # 7/2, above the middle.
    verdict = sweep(5, die=Die({1: "1/2", 6: "1/2"}), jobs=1)
    one = verdict.counterexamples["conjecture 1"]
    assert (one.max, one.gap, one.dice, one.die) == (2, 2, 1, "1:1/2,6:1/2")
    assert not verdict.is_clean


def test_read_strictly_conjecture_1_is_false():
    # 0-0 last in (15, 3): four dice (mean 8, above 7.5) and five both win for certain.
    verdict = sweep(15, (3, 3), jobs=1)
    assert verdict.is_clean
    one = verdict.strict
    assert 2 * one.dice * 2 > one.gap + one.max
    first = solve(Greed(max=one.max, die=Die(3)), exact=True)
    at = f"0-{one.gap} last"
    assert [first.value_of(at, f"throw {one.dice + more}").value for more in (0, 1)] == [1, 1]
    table = solve(Greed(max=15, die=Die(3)), exact=True)
    assert [table.value_of("0-0 last", f"throw {n}").value for n in (4, 5)] == [1, 1]


def test_a_sweep_of_a_loaded_die_is_kept_apart_from_fair_ones(tmp_path):
    kept = tmp_path / "sweep.jsonl"
    sweep(4, (2, 2), kept=kept, jobs=1)
    loaded = sweep(4, kept=kept, jobs=1, die=Die({1: "1/2", 3: "1/2"}))
    assert loaded.tested == 4
    assert len(kept.read_text().splitlines()) == 8
    assert sweep(4, (2, 2), kept=kept, jobs=1).is_clean
    assert sweep(4, kept=kept, jobs=1, die=Die({1: "1/2", 3: "1/2"})) == loaded
    assert len(kept.read_text().splitlines()) == 8


@pytest.mark.slow
@pytest.mark.parametrize(("most", "sides"), [(10, 3), (12, 2), (15, 8), (24, 6)])
def test_no_ordinary_turn_throws_more_dice_than_hit_the_maximum_exactly(most, sides):
    found = shortcuts(Greed(max=most, die=Die(sides)))
    assert found.tighter_misses == 0
    assert found.tighter_normal <= found.bounded_normal
    # Counted again, position by position, from the solution itself.
    for mine in range(most):
        hit = found.solution.best_dice(f"{mine}-{most} last")
        for yours in range(most + 1):
            assert found.solution.best_dice(f"{mine}-{yours}")[0] <= hit[0]


def test_a_bound_that_is_too_tight_is_seen():
    from dicelab.games.greed.search import _misses, laws_of

    game = Greed(max=10, die=Die(3))
    laws = laws_of(game, exact=True, every_number=True)
    assert _misses(laws, solve_greed(game, exact=True), [0] * 11) > 0


def test_all_claims_hold_up_to_forty_and_eight():
    verdict = sweep(40, (1, 8), jobs=1)
    assert verdict.is_clean
    assert verdict.tested == 40 * 8


def test_a_sweep_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    import dicelab.games.greed.conjectures as module

    kept = tmp_path / "sweep.jsonl"
    sweep(10, (2, 3), kept=kept, jobs=1)
    whole = kept.read_text()
    lines = whole.splitlines()
    assert len(lines) == 20
    kept.write_text("\n".join(lines[:7]) + "\n" + lines[7][:9])  # cut short while writing
    looked = []
    monkeypatch.setattr(
        module, "look", lambda room, sides, tie, most: looked.append((room, sides)) or []
    )
    verdict = sweep(10, (2, 3), kept=kept, jobs=1)
    assert len(looked) == 13
    assert verdict.tested == 20
    assert sorted(kept.read_text().splitlines()) == sorted(lines)


def test_the_smallest_counterexample_is_reported(tmp_path):
    kept = tmp_path / "sweep.jsonl"
    found = [
        {"claim": "conjecture 1", "max": most, "sides": 2, "gap": 0, "dice": 1} for most in (5, 4)
    ]
    kept.write_text(
        "".join(
            json.dumps({"max": one["max"], "sides": 2, "tie": "1/2", "found": [one]}) + "\n"
            for one in found
        )
    )
    verdict = sweep(6, (2, 2), kept=kept, jobs=1)
    assert not verdict.is_clean
    assert verdict.counterexamples["conjecture 1"].max == 4
    assert verdict.counterexamples["conjecture 2"] is None


def test_a_file_that_is_no_sweep_is_refused(tmp_path):
    kept = tmp_path / "notes.txt"
    kept.write_text("hello\n")
    with pytest.raises(WrongTable) as refused:
        sweep(5, (2, 2), kept=kept, jobs=1)
    assert str(refused.value) == (
        f"line 1 of {str(kept)!r} is not from a sweep of conjectures: "
        "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"most": 0},
            "a sweep goes over maxima from 1 and sides from 1 up, at most 1000: "
            "got max=0, sides=1..20",
        ),
        ({"die": Die({0: "1/2", 2: "1/2"})}, "greed needs faces of 1 or more: got die=0:1/2,2:1/2"),
        ({"tie": Fraction(2)}, "a tie is worth 0 to 1: got tie=2"),
    ],
)
def test_a_sweep_over_nothing_is_refused(arguments, sentence):
    with pytest.raises(RulesError) as refused:
        sweep(**arguments)
    assert str(refused.value) == sentence


# Going first.


def test_the_advantage_of_going_first_is_a_table_over_maxima_and_dice():
    found = advantages([10, 20], [3, 6], jobs=1)
    for (row, most), (column, sides) in [
        ((r, m), (c, s)) for r, m in enumerate([10, 20]) for c, s in enumerate([3, 6])
    ]:
        value = solve(Greed(max=most, die=Die(sides)), exact=True).value
        assert found.more[row, column] == pytest.approx(float(2 * value - 1), abs=found.error)
    with pytest.raises(RulesError) as refused:
        advantages([0], [3])
    assert str(refused.value) == "maxima and sides start at 1: got max=[0], sides=[3]"


# What is refused.


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"max": 0}, "greed needs a maximum of at least 1: got max=0"),
        ({"die": Die({0: "1/2", 2: "1/2"})}, "greed needs faces of 1 or more: got die=0:1/2,2:1/2"),
        ({"tie": "2"}, "greed needs a tie to be worth 0 to 1, no more than a win: got tie=2"),
        (
            {"second_tie": Fraction(-1)},
            "greed needs a tie to be worth 0 to 1, no more than a win: got second_tie=-1",
        ),
        ({"sides": "none at all"}, None),
    ],
)
def test_parameters_that_make_no_game_are_refused(parameters, sentence):
    with pytest.raises(RulesError) as refused:
        game("greed", **parameters)
    assert sentence is None or str(refused.value) == sentence


def test_a_parameter_under_both_its_names_is_refused():
    with pytest.raises(RulesError) as refused:
        game("greed", die="6", sides="4")
    assert str(refused.value) == "die is given twice, also as sides: give it once"


def test_positions_outside_the_game_are_refused():
    found = solve(Greed(max=10, die=Die(3)))
    with pytest.raises(UnreadablePosition) as unreadable:
        found.value_at("ten all")
    assert str(unreadable.value) == (
        "cannot read 'ten all' as a position of greed: write it like '0-0'"
    )
    for at in ("11-3", "3-3 over", "3-3 second"):
        with pytest.raises(UnknownPosition) as unknown:
            found.value_at(at)
        assert str(unknown.value) == (
            f"nobody is to move at {at} in greed max=10 die=3: scores are 0 to 10, "
            "in an ordinary or in the last turn"
        )


def test_games_beyond_the_limits_are_refused():
    with pytest.raises(TooLarge) as exact:
        solve(Greed(max=61), exact=True)
    assert str(exact.value) == "greed max=61 is too large: exact mode goes up to max=60"
    with pytest.raises(TooLarge) as large:
        solve_greed(Greed(max=1001))
    assert str(large.value) == "greed max=1001 is too large: its tables go up to max=1000"


def test_a_strategy_that_aims_beyond_the_maximum_is_refused():
    with pytest.raises(UnknownStrategy) as refused:
        evaluate(Greed(max=9, die=Die(3)), "aim-at:10", "random")
    assert str(refused.value) == ("aim-at:10 cannot be played in greed max=9 die=3: aim at 1 to 9")


def test_the_graph_is_not_solved_where_there_are_two_pots():
    with pytest.raises(RulesError) as refused:
        solve_graph(compile(Greed(max=4, die=Die(2), tie=Fraction(0))))
    assert str(refused.value) == (
        "greed max=4 die=2 tie=0 cannot be solved for one value: a win and a loss are worth 1 "
        "together and two draws 0, so that it is not about one pot; a draw must be worth 1/2"
    )
    with pytest.raises(RulesError) as seats:
        best_response(Greed(max=4, die=Die(2), tie=Fraction(0), second_tie=HALF), "random")
    assert str(seats.value) == (
        "greed max=4 die=2 tie=0 second_tie=1/2 values its ends differently by seat: "
        "a best reply needs one worth of each end"
    )


def test_a_percentage_says_what_a_tie_counts():
    assert Greed().counts_as == "chance to win, a tie counting half"
    assert Greed(players=3).counts_as == "chance to win, a tie being shared"
