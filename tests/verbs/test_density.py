"""Density: visits, chances to come by, and the law of the length, against brute force."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute import HALF, Sketch, SoloSketch, absorbed, chain, chances, solve_linear
from dicelab import compile, density, evaluate, game, simulate
from dicelab.errors import RulesError
from dicelab.games.pig import Pig, TwoDicePig
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import DRAW, OTHER, SAME, WIN
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import plan
from random_games import reachable, sketches, strategies_for

LARGE = sys.modules["dicelab.verbs.density"]  # the name dicelab.density is the verb
examples = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def asked(strategy):
    return lambda at: strategy[at]


def hitting(steps, goal, start):
    """Return the chance to come to a node from another, exactly."""
    if goal == start:
        return Fraction(1)
    return absorbed(steps, {goal: (Fraction(1),)})[start][0]


def expected_visits(steps, start):
    """Return the visits y = start + P'y of every node that play can leave for good."""
    ends = [node for node, after in steps.items() if not after]
    leads_out = absorbed(steps, {end: (Fraction(1),) for end in ends})
    living = [node for node in steps if leads_out[node] == (1,)]
    number = {node: i for i, node in enumerate(living)}
    rows = [{i: Fraction(1)} for i in range(len(living))]
    for node in living:
        for chance, after, *_ in steps[node]:
            row = rows[number[after]]
            row[number[node]] = row.get(number[node], 0) - chance
    rights = [[Fraction(int(node == start))] for node in living]
    return {node: y for node, (y,) in zip(living, solve_linear(rows, rights), strict=True)}


@examples
@given(st.data())
def test_the_chance_to_come_by_is_the_hitting_chance(data):
    game = reachable(data.draw(sketches(most=4, moves=3)))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    found = density(game, asked(a), asked(b))
    steps = chain(game, a, b)
    for seat in (0, 1):
        for at in game.graph:
            known = float(hitting(steps, (seat, at), (0, 0)))
            assert found.ever_at(at, seat) == pytest.approx(known, abs=1e-12)
    assert found.ever.max() <= 1
    assert found.never_ends == pytest.approx(float(chances(game, a, b)[0, 0][3]), abs=1e-12)


@examples
@given(sketches(most=4), st.sampled_from([(0, 512), (0, 0)]))
def test_components_of_many_cuts_are_visited_as_often(game, limits):
    # Without room for few cuts, each component goes the way that large ones go.
    known = density(game, "random", "random")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LARGE, "FEW_CUTS", limits[0])
        patch.setattr(LARGE, "MOST_UNKNOWNS", limits[1])
        found = density(game, "random", "random")
    assert found.visits == pytest.approx(known.visits, abs=1e-9)
    assert found.never_ends == pytest.approx(known.never_ends, abs=1e-9)
    assert limits[1] == 0 or not np.isnan(found.ever).any()
    for seat in (0, 1):
        for number in range(len(found.table)):
            at = found.table.position(number)
            assert found.ever_at(at, seat) == pytest.approx(known.ever_at(at, seat), abs=1e-9)
    assert (found.visited == (known.ever > 0)).all()


@pytest.mark.parametrize("most", [1, 5, 20])
def test_where_play_comes_most_surely_is_found_without_knowing_it_everywhere(most):
    game = TwoDicePig(target=25)
    known = density(game, "hold-at:9", "random")
    assert not np.isnan(known.ever).any()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LARGE, "FEW_CUTS", 0)
        patch.setattr(LARGE, "MOST_UNKNOWNS", 0)
        found = density(game, "hold-at:9", "random")
    assert np.isnan(found.ever).any()
    likeliest = found.likeliest(most)
    assert len(likeliest) == most
    chances = [known.ever[at] for at in likeliest]
    others = known.ever.copy()
    others[:, ~known.table.is_ongoing] = 0
    others[0, known.table.start] = 0
    assert chances == sorted(chances, reverse=True)
    assert chances == pytest.approx(np.sort(others, axis=None)[::-1][:most].tolist(), abs=1e-9)


@examples
@given(st.data())
def test_visits_come_from_the_start_and_from_other_visits(data):
    game = reachable(data.draw(sketches(most=4, moves=3)))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    steps = chain(game, a, b)
    found = density(game, asked(a), asked(b))
    if chances(game, a, b)[0, 0][3] == 0:
        for (seat, at), visits in expected_visits(steps, (0, 0)).items():
            assert found.visits_at(at, seat) == pytest.approx(float(visits), abs=1e-10)
    else:  # somewhere play goes round for ever
        assert np.isinf(found.visits).any()
        assert found.mean_length == float("inf")


@examples
@given(st.data())
def test_the_law_of_the_length_counts_turns(data):
    game = reachable(data.draw(sketches(most=4)))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    found = density(game, asked(a), asked(b))
    assert found.lengths.sum() + found.unfinished == pytest.approx(1, abs=1e-12)
    steps = chain(game, a, b)
    # Turn by turn: where the dice go when they are passed, and what has ended before that.
    passing = {node: [s for s in after if not s[2]] for node, after in steps.items()}
    now = {(0, 0): Fraction(1)}
    for turn in range(3):
        ended, later = Fraction(0), {}
        for node, share in now.items():
            stays = inside_turn(passing, node)
            ended += share * sum(y for n, y in stays.items() if not steps[n])
            for n, y in stays.items():
                for chance, after, passes, _ in steps[n]:
                    if passes and not steps[after]:  # nobody is left to have a turn
                        ended += share * y * chance
                    elif passes:
                        later[after] = later.get(after, 0) + share * y * chance
        counted = found.lengths[turn] if turn < found.lengths.size else 0.0
        assert counted == pytest.approx(float(ended), abs=1e-9)
        now = later


def inside_turn(passing, start):
    """Return the expected visits within one turn; nodes that never leave the turn are left out."""
    out = {n for n, after in passing.items() if sum(s[0] for s in after) < 1}
    leads_out = absorbed(passing, {n: (Fraction(1),) for n in out})
    living = [n for n in passing if leads_out[n][0] > 0]
    number = {n: i for i, n in enumerate(living)}
    rows = [{i: Fraction(1)} for i in range(len(living))]
    for n in living:
        for chance, after, *_ in passing[n]:
            if after in number:
                row = rows[number[after]]
                row[number[n]] = row.get(number[n], 0) - chance
    if start not in number:
        return {}
    rights = [[Fraction(int(n == start))] for n in living]
    return {n: y for n, (y,) in zip(living, solve_linear(rows, rights), strict=True)}


@examples
@given(st.data())
def test_the_mean_length_is_one_turn_more_than_the_dice_are_passed_to_someone(data):
    game = reachable(data.draw(sketches(most=4)))
    a, b = (data.draw(strategies_for(game)) for _ in "ab")
    steps = chain(game, a, b)
    found = density(game, asked(a), asked(b))
    if found.never_ends == 0 and chances(game, a, b)[0, 0][3] == 0:
        ends = {node: (Fraction(0),) for node, after in steps.items() if not after}
        passes = {
            n: (sum((s[0] for s in after if s[2] and steps[s[1]]), Fraction(0)),)
            for n, after in steps.items()
        }
        known = 1 + absorbed(steps, ends, passes)[0, 0][0]
        assert found.mean_length == pytest.approx(float(known), rel=1e-6)


def test_visits_of_pig_satisfy_their_equation():
    table = compile(Pig(target=30))
    found = density(table, "hold-at:10", "random")
    pairing = Pairing(table, (plan(table, "hold-at:10"), plan(table, "random")))
    law, node = pairing.chain, pairing.node
    visits = np.zeros(law.first.size - 1)
    visits[node[node >= 0]] = found.visits[node >= 0]
    flow = np.zeros_like(visits)
    source = np.repeat(np.arange(visits.size), np.diff(law.first))
    np.add.at(flow, law.target, law.chance * visits[source])
    flow[node[0, table.start]] += 1
    assert np.abs(flow - visits).max() < 1e-12
    wins = [
        visits[pairing.result == WIN][law.seat[pairing.result == WIN] == s].sum() for s in (0, 1)
    ]
    fares = evaluate(Pig(target=30), "hold-at:10", "random")
    assert wins == pytest.approx([fares.a_first.a_wins, fares.a_first.b_wins], abs=1e-12)


def test_a_race_to_two_lasts_a_geometric_number_of_turns():
    # Each turn wins with 5/6: P(n turns) = (1/6)**(n - 1) * 5/6, on average 6/5 turns.
    found = density(Pig(target=2), "roll-to-win", "roll-to-win")
    for turn in range(5):
        assert found.lengths[turn] == pytest.approx((1 / 6) ** turn * 5 / 6, abs=1e-15)
    assert found.mean_length == pytest.approx(1.2)
    assert [found.quantile(share) for share in (0.5, 0.9, 0.99)] == [1, 2, 3]
    assert found.visits_at("0-0 +0") == pytest.approx(36 / 35)  # every second turn is A's
    assert found.ever_at("0-0 +0", seat=1) == pytest.approx(1 / 6)


def test_alone_to_two_with_one_die_the_turns_are_those_of_the_solution():
    found = density(SoloPig(target=2), "roll-to-win")
    assert found.mean_length == pytest.approx(6 / 5)
    assert found.visits_at("0 +0") == pytest.approx(6 / 5)


def test_a_ring_that_play_enters_is_visited_for_ever_and_its_chance_is_right():
    game = Sketch(
        {
            0: {"go": [(HALF, 1, SAME), (HALF, 2, OTHER)]},
            1: WIN,
            2: {"pass": [(1, 2, OTHER)]},
        }
    )
    found = density(game, "random", "random")
    assert found.never_ends == 0.5
    assert found.unfinished == 0.5
    assert found.lengths.tolist() == [0.5]
    assert found.ever[:, found.table.number(2)].tolist() == [0.5, 0.5]
    assert np.isinf(found.visits[:, found.table.number(2)]).all()
    assert found.quantile(0.5) == 1
    assert found.quantile(0.51) is None


def test_density_asks_for_as_many_strategies_as_players():
    with pytest.raises(RulesError) as refused:
        density(Pig(target=5), "hold-at:2")
    assert str(refused.value) == "pig target=5 needs two strategies"
    with pytest.raises(RulesError) as refused:
        density(SoloPig(target=5), "hold-at:2", "hold-at:2")
    assert str(refused.value) == "solo-pig target=5 needs one strategy"


def test_moves_and_throws_are_counted_beside_turns():
    # A race to 2: each turn is one roll, and somebody wins with 5/6: 6/5 turns, moves and throws.
    race = density(Pig(target=2), "roll-to-win", "roll-to-win")
    assert (race.mean_moves, race.mean_throws) == pytest.approx((1.2, 1.2))
    assert race.mean_length == pytest.approx(1.2)


def test_a_move_that_leaves_nothing_to_chance_is_no_throw():
    # Holding is a move and no throw; simulated games are counted move by move.
    found = density(Pig(target=20), "hold-at:5", "hold-at:5")
    records = simulate(Pig(target=20), "hold-at:5", "hold-at:5", 4000, 1, records=True).records
    started = [game.moves for game in records if game.starter == "A"]
    moves = np.array([len(game) for game in started])
    throws = np.array([sum(each.move == "roll" for each in game) for game in started])
    for counted, mean in ((moves, found.mean_moves), (throws, found.mean_throws)):
        assert abs(counted.mean() - mean) < 4 * counted.std() / len(started) ** 0.5
    assert found.mean_throws < found.mean_moves


def test_a_game_that_may_never_end_has_no_mean_number_of_moves():
    waiting = density(Pig(passing=True), "roll-and-wait", "roll-and-wait")
    assert (waiting.mean_moves, waiting.mean_throws) == (np.inf, np.inf)


# The law of the points


def test_two_dice_have_the_law_that_everybody_knows():
    graph = {
        n: {"throw": [(Fraction(1, 6), n + 1, SAME, face) for face in range(1, 7)]} for n in (0, 1)
    }
    law = density(SoloSketch({**graph, 2: WIN}, (0, 0, 0)), "random").points
    assert [int(points) for points in law.points] == list(range(2, 13))
    assert law.chances == pytest.approx([(6 - abs(7 - n)) / 36 for n in range(2, 13)])
    assert law.mean == pytest.approx(7)
    assert law.deviation == pytest.approx((35 / 6) ** 0.5)
    assert law.at_least(9) == pytest.approx(10 / 36)
    assert law.at_least(Fraction(17, 2)) == law.at_least(9)
    assert [law.quantile(share) for share in (1 / 36, 0.5, 1)] == [2, 7, 12]
    assert law.unfinished <= law.error < 1e-12


def test_between_two_the_law_is_that_of_a_less_what_b_gets():
    # Both throw once; the end at 2 adds nothing.
    graph = {
        n: {"throw": [(Fraction(1, 6), n + 1, OTHER, face) for face in range(1, 7)]} for n in (0, 1)
    }
    law = density(Sketch({**graph, 2: DRAW}), "random", "random").points
    assert dict(zip(map(int, law.points), law.chances, strict=True)) == pytest.approx(
        {n: (6 - abs(n)) / 36 for n in range(-5, 6)}
    )


def test_a_circle_has_a_law_with_an_unfinished_share():
    # A coin until it shows heads; each tails is a point: a geometric law.
    game = SoloSketch({0: {"toss": [(HALF, 1, SAME), (HALF, 0, SAME, 1)]}, 1: WIN}, (0, 0, 0))
    law = density(game, "random").points
    assert law.chances[:20] == pytest.approx([0.5 ** (n + 1) for n in range(20)])
    assert 0 < law.unfinished < 2e-12
    assert law.mean == pytest.approx(float(evaluate(game, "random").value), abs=1e-9)


def test_games_that_never_end_belong_to_no_number_of_points():
    graph = {
        0: {"go": [(HALF, 1, SAME, 3), (HALF, 2, SAME)]},
        1: {"wait": [(1, 1, SAME)]},
        2: WIN,
    }
    found = density(SoloSketch(graph, (1, 0, 0)), "random")
    assert (found.points.unfinished, found.never_ends) == (0.5, 0.5)
    assert found.points.points == [1]


def test_a_game_that_is_not_for_points_has_no_law_of_them():
    assert density(game("pig", target=10), "hold-at:5", "hold-at:5").points is None


def test_few_turns_have_a_law_too():
    found = density(game("solo-pig", target=20), "hold-at:10")
    for turns, chance in list(zip(found.points.points, found.points.chances, strict=True))[:20]:
        assert chance == pytest.approx(found.lengths[int(turns) - 1], abs=1e-12)
    assert found.points.mean == pytest.approx(found.mean_length, abs=1e-6)
