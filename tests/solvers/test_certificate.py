"""The certificate is a certificate: it holds the truth, and what is further off does not pass.

On random games values are made wrong on purpose (`certificates.py` says how). The hard games are
those on which a stopping rule such as "change below 1e-9" is known to stop far too early; their
values have a closed form.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certificates
from agreement import disagreement
from brute import HALF, CostSketch, Sketch, SoloSketch
from dicelab import DRAW, LOSS, OTHER, SAME, WIN, compile, solve
from dicelab.errors import NotSolved
from dicelab.solvers.certificate import certify
from random_games import TINY, UNLIKELY, picking, sketches, strategies_for


def some(examples):
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


@pytest.mark.parametrize("kind", range(len(certificates.KINDS)))
def test_wrong_values_are_refused_or_given_bounds_that_hold_the_truth(kind):
    sketch, options = certificates.KINDS[kind]

    @some(50)
    @given(st.data())
    def check(data):
        game = data.draw(sketches(sketch, most=4, moves=3, laws=UNLIKELY, **options))
        assert disagreement(certificates.perturbed, game, picking(data.draw)) == ""

    check()


@pytest.mark.slow
@some(50)
@given(st.data())
def test_wrong_values_of_a_best_reply_are_refused_likewise(data):
    game = data.draw(sketches(most=4, laws=UNLIKELY))
    given = game, picking(data.draw), data.draw(strategies_for(game))
    assert disagreement(certificates.perturbed, *given) == ""


def wrongly(game, values, move):
    """Return the settled problem of a game with other values, and the move at 0 if told."""
    table = compile(game)
    problem, error = certificates.settled(lambda: solve(table))
    for at, value in values.items():
        problem.value[0, table.number(at)] = value
        problem.choice[0, table.number(at)] = table.row_of(move)[table.number(at)]
    return problem, error


def test_a_ring_that_costs_nothing_does_not_pass_for_the_end():
    # Staying for ever costs nothing and ends nothing; leaving costs 3. As something to have the
    # most of, a cost of 1 is -1: staying keeps that value to the last digit.
    game = CostSketch({0: {"stay": [(1, 0, SAME, 0)], "go": [(1, 1, SAME, 3)]}, 1: WIN})
    problem, error = wrongly(game, {0: -1.0}, "stay")
    assert not certificates.passes(problem, error)
    with pytest.raises(NotSolved) as refused, problem.arrays.naming():
        certify(problem)
    assert str(refused.value) == ("sketch could not be certified: play may go round for ever at 0")
    with pytest.raises(NotSolved) as refused:  # a solver knows no names
        certify(problem)
    assert str(refused.value) == (
        "the game could not be certified: play may go round for ever at position 1"
    )
    assert refused.value.at == problem.arrays.number(0) == 1


def test_a_ring_of_two_players_does_not_pass_for_a_win():
    # Both may wait for ever, which is a draw; that one of them wins 3/5 by waiting is not proved.
    game = Sketch({0: {"wait": [(1, 1, OTHER)]}, 1: {"wait": [(1, 0, OTHER)]}})
    problem, error = wrongly(game, {0: 0.1, 1: -0.1}, "wait")
    assert not certificates.passes(problem, error)
    with pytest.raises(NotSolved, match="play may go round for ever at"):
        certify(problem)


def test_a_reply_that_may_go_round_is_worth_no_less_than_that():
    game = Sketch({0: {"wait": [(1, 0, SAME)]}})
    _, problem, error, _ = certificates.of_reply(game, {0: "wait"})
    problem.value[1, 0] = -0.25
    assert not certificates.passes(problem, error)
    with pytest.raises(NotSolved) as refused, problem.arrays.naming():
        certify(problem)
    assert str(refused.value) == ("sketch could not be certified: play may go round for ever at 0")


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_not_certified(number):
    game = Sketch({0: {"go": [(HALF, 1, OTHER), (HALF, 0, OTHER)]}, 1: WIN})
    problem, _ = wrongly(game, {0: number}, "go")
    with pytest.raises(NotSolved) as refused, problem.arrays.naming():
        certify(problem)
    assert str(refused.value) == "sketch could not be certified: floats lose what 0 is worth"


# Hard games


def back_and_forth(steps, kind=Sketch):
    """A walk from the middle of a line: half of the time it is sent back there.

    A win waits at one end and a loss at the other, so the middle is worth one half. It is left for
    good about once in 2**steps walks (Haddad and Monmege, Interval iteration algorithm for MDPs
    and IMDPs, 2018: the values change by less than 2**-steps from the beginning).
    """
    graph = {0: {"go": [(HALF, -1, SAME), (HALF, 1, SAME)]}}
    for at in range(1, steps):
        graph[at] = {"go": [(HALF, at + 1, SAME), (HALF, 0, SAME)]}
        graph[-at] = {"go": [(HALF, -at - 1, SAME), (HALF, 0, SAME)]}
    return kind(graph | {steps: WIN, -steps: LOSS})


def by_iteration(game, change):
    """Return the value at the start by value iteration that stops at a small change."""
    value = {at: float(rule == WIN) for at, rule in game.graph.items()}
    while True:
        most = 0.0
        for at, rule in game.graph.items():
            if isinstance(rule, dict):
                new = max(
                    sum(float(chance) * value[to] for chance, to, _ in outcomes)
                    for outcomes in rule.values()
                )
                most, value[at] = max(most, abs(new - value[at])), new
        if most < change:
            return value[0]


@pytest.mark.parametrize("kind", [Sketch, SoloSketch])
@pytest.mark.parametrize("steps", [3, 12, 25, 40, 52])
def test_a_walk_that_is_sent_back_is_worth_one_half(steps, kind):
    solution = solve(back_and_forth(steps, kind))
    assert solution.lower <= HALF <= solution.upper
    # About 2**steps walks, each with its rounding; beyond that, fractions are used.
    assert solution.upper - solution.lower <= max(1e-12, 2.0 ** (steps - 44))
    assert solve(back_and_forth(steps, kind), exact=True).value == HALF


def test_value_iteration_stops_too_early_where_our_bounds_hold():
    # With a change below 1e-6 it stops at 25 steps with next to nothing of the half that is true.
    assert by_iteration(back_and_forth(25, SoloSketch), 1e-6) < 0.01


@pytest.mark.parametrize("size", [3, 101, 401])
@pytest.mark.parametrize("chance", [Fraction(1, 3), Fraction(1, 10**6), TINY])
def test_a_long_ring_with_one_way_out_has_a_closed_form(size, chance):
    # Turns pass along a ring of odd length, and at 0 the mover wins with chance p:
    # w = p + (1 - p)(1 - w), so w = 1 / (2 - p).
    ring = {at: {"pass": [(1, (at + 1) % size, OTHER)]} for at in range(1, size)}
    first = {"try": [(chance, size, SAME), (1 - chance, 1, OTHER)]}
    solution = solve(Sketch({0: first, **ring, size: WIN}))
    assert solution.lower <= 1 / (2 - chance) <= solution.upper
    assert solution.upper - solution.lower < 1e-9


@pytest.mark.parametrize("more", [TINY, Fraction(1, 10**15), Fraction(1, 10**18), Fraction(0)])
def test_of_two_moves_that_are_nearly_tied_neither_is_called_worse_without_proof(more):
    # b wins more often by a chance that floats can hardly see, or not at all.
    game = Sketch(
        {
            0: {
                "a": [(HALF, 1, SAME), (HALF, 2, SAME)],
                "b": [(HALF + more, 1, SAME), (HALF - more, 2, SAME)],
            },
            1: WIN,
            2: LOSS,
        }
    )
    found = {one.move: one.status for one in solve(game).moves_at(0)}
    exact = {one.move: one.status for one in solve(game, exact=True).moves_at(0)}
    assert exact == ({"a": "worse", "b": "best"} if more else {"a": "tied", "b": "tied"})
    assert found in (exact, {"a": "tied", "b": "tied"})


def test_a_tiny_advantage_through_a_long_wait_is_not_lost():
    # Waiting is a draw. Leaving wins with 1/2 + 10**-12, after 10**12 rounds on average.
    leave = [(TINY * (HALF + TINY), 1, SAME), (TINY * (HALF - TINY), 2, SAME), (1 - TINY, 0, SAME)]
    game = Sketch({0: {"wait": [(1, 0, OTHER)], "leave": leave}, 1: WIN, 2: LOSS, 3: DRAW})
    exact = solve(game, exact=True)
    assert exact.value == HALF + TINY
    assert exact.best_moves(0) == ["leave"]
    rough = solve(game)
    assert rough.lower <= HALF + TINY <= rough.upper
