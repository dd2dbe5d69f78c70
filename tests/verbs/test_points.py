"""Points between two: what one gains on the way, or at the end, the other pays."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from brute import PayingSketch, Sketch
from dicelab import (
    OTHER,
    SAME,
    WIN,
    Game,
    HouseRules,
    best_response,
    compile,
    evaluate,
    exploitability,
    simulate,
    solve,
    tournament,
)
from dicelab.errors import ExportError, NotFinite, RulesError
from dicelab.exchange.objective import Objective
from dicelab.exchange.seated import seated
from dicelab.people.game_review import Step, review_steps, tally
from dicelab.rules import DRAW, LOSS, ONGOING, Amount, Outcome, where
from dicelab.verbs.best_of_family import best_member
from dicelab.verbs.explain import explain
from dicelab.verbs.simulate import check

HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)


class Pot(NamedTuple):
    left: int  # throws left to both together


@dataclass(frozen=True)
class Pay(Game):
    """In turn, take a sure `sure` points from the other, or throw a die and take what it shows.

    A six costs the thrower 12 instead. The last throw ends the game.
    """

    throws: int = 2
    sure: int = 1
    name: ClassVar[str] = "pay"
    moves: ClassVar[tuple[str, ...]] = ("throw", "take")

    def start(self):
        return Pot(self.throws)

    def legal(self, at, move):
        return at.left > 0

    def outcomes(self, at, move):
        after = Pot(at.left - 1)
        if move == "take":
            yield Outcome(1, after, OTHER, self.sure)
            return
        for face in range(1, 7):
            yield Outcome(SIXTH, after, OTHER, -12 if face == 6 else face)

    def result(self, at):
        return where(at.left > 0, ONGOING, DRAW)


@dataclass(frozen=True)
class PlainPay(HouseRules):
    """The same one position at a time."""

    throws: int = 2
    sure: int = 1
    name: ClassVar[str] = "pay"

    def start(self):
        return Pot(self.throws)

    def choices(self, at):
        return ["throw", "take"]

    def outcomes(self, at, move):
        yield from Pay.outcomes(self, at, move)

    def result(self, at):
        return DRAW if at.left == 0 else ONGOING


THROW = Fraction(1 + 2 + 3 + 4 + 5 - 12, 6)
"""What a throw brings on average: half a point."""


@pytest.mark.parametrize("kind", [Pay, PlainPay])
def test_what_one_takes_the_other_pays(kind):
    # Each takes the sure point, which is more than the half of a throw: 1 - 1 + 1.
    assert solve(kind(throws=3), exact=True).value == 1
    assert solve(kind(throws=2), exact=True).value == 0
    assert solve(kind(throws=3, sure=0), exact=True).value == THROW == HALF
    found = solve(kind(throws=3))
    assert found.lower <= 1 <= found.upper
    assert (found.unit, found.upper - found.lower < 1e-12) == ("points", True)


@pytest.mark.parametrize("kind", [Pay, PlainPay])
def test_two_strategies_are_told_in_points(kind):
    # Two throws each: the one who takes gets 2, the other one on average.
    for exact in (True, False):
        found = evaluate(kind(throws=4), lambda at: "take", lambda at: "throw", exact=exact)
        assert [float(value) for value in found.values] == pytest.approx([1, 1], abs=1e-12)
        assert float(found.value_of_b) == pytest.approx(-1, abs=1e-12)
        assert float(found.a_first.draws) == pytest.approx(1)
        assert (found.value_error == 0) == exact
    assert found.value_error < 1e-12


def test_a_best_reply_and_what_it_takes_are_told_in_points():
    reply = best_response(Pay(throws=4), "random", exact=True)
    # The reply takes 2 sure points; at random one gets 3/4 a throw.
    assert reply.solution.value == reply.evaluation.values[0] == 2 - 2 * Fraction(3, 4)
    assert reply.solution.replies[0][reply.solution.table.start] == HALF
    assert exploitability(Pay(throws=4), "random", exact=True).value == HALF


def test_a_simulation_counts_points_with_an_interval():
    played = simulate(Pay(throws=4), "random", "optimal", games=4000, seed=1)
    assert (played.by, played.game.unit) == ("moves", "points")
    assert played.value.low < -HALF < played.value.high
    assert max(one.standard_errors for one in check(played)) < 4
    written = simulate(Pay(throws=4), "random", "optimal", games=200, seed=1, records=True)
    counted = simulate(Pay(throws=4), "random", "optimal", games=200, seed=1)
    assert written.tally.as_lists() == counted.tally.as_lists()


def test_a_tournament_ranks_by_points():
    field = {"taker": lambda at: "take", "thrower": lambda at: "throw", "anyhow": "random"}
    exact = tournament(Pay(throws=4), field)
    assert exact.ranking == ["taker", "anyhow", "thrower"]
    assert exact.champion == "taker"
    assert exact.values[0, 1] == pytest.approx(1)
    played = tournament(Pay(throws=4), field, games=2000, seed=2)
    assert (np.abs(played.values - exact.values) <= played.high - played.low).all()
    assert played.values[1, 0] == -played.values[0, 1]


def test_a_family_is_compared_in_points():
    best = best_member(Pay(throws=4), ["random", "optimal"], against=None)
    assert (best.champion, best.narrowest) == ("optimal", pytest.approx(0.5))


def test_a_cost_is_told_in_points():
    told = explain(solve(Pay(throws=1)), "left=1")
    assert told.sentence == "Take. Throwing would cost you 0.5 points."


def test_a_circle_that_passes_the_turn_back_and_forth_has_a_closed_form():
    # Throw a coin: heads takes a point and ends the game, tails passes it on.
    # v = (1 + 0)/2 + (0 - v)/2, so v = 1/3.
    game = Sketch({0: {"throw": [(HALF, 1, OTHER, 1), (HALF, 0, OTHER)]}, 1: DRAW})
    assert solve(game, exact=True).value == THIRD
    found = solve(game)
    assert found.lower <= THIRD <= found.upper < found.lower + 1e-12


def test_gains_in_a_circle_that_chance_ends_have_a_closed_form():
    # Each throw takes 2 points from the other; it ends the game one time in three.
    # v = 2 - 2v/3, so v = 6/5.
    game = Sketch({0: {"throw": [(THIRD, 1, OTHER, 2), (1 - THIRD, 0, OTHER, 2)]}, 1: WIN})
    assert solve(game, exact=True).value == Fraction(6, 5)
    assert evaluate(game, "random", "random", exact=True).values[0] == Fraction(6, 5)
    assert float(solve(game).value) == pytest.approx(1.2, abs=1e-12)


def told_by(work):
    """Return what is said, exactly and in floats, by one who refuses some work."""
    told = set()
    for exact in (True, False):
        with pytest.raises(NotFinite) as refused:
            work(exact)
        told.add(str(refused.value))
    return told


def test_two_who_take_the_same_from_each_other_for_ever_have_no_definite_value():
    game = Sketch({0: {"take": [(1, 0, OTHER, 1)], "end": [(1, 1, OTHER)]}, 1: DRAW})
    assert told_by(lambda exact: solve(game, exact=exact)) == {
        "sketch has no definite value: going round at 0, points are won and lost without end; "
        "limit how often that may be done"
    }
    assert told_by(lambda exact: evaluate(game, *[lambda at: "take"] * 2, exact=exact)) == {
        "sketch has no definite value for <lambda> and <lambda>: they go round for ever, and what "
        "is gained and what is lost cancel out"
    }


def test_a_reply_that_takes_without_end_is_refused():
    game = Sketch(
        {
            0: {"take": [(1, 1, OTHER, 1)], "end": [(1, 2, OTHER)]},
            1: {"wait": [(1, 0, OTHER)], "end": [(1, 2, OTHER)]},
            2: DRAW,
        }
    )
    opponent = {0: "take", 1: "wait"}
    assert told_by(lambda exact: best_response(game, lambda at: opponent[at], exact=exact)) == {
        "sketch has no finite value: going round at 1 gains more and more, without end; limit "
        "how often that may be done"
    }
    assert evaluate(game, lambda at: opponent[at], lambda at: opponent[at]).values == (inf, -inf)
    # Between two who choose, the other one ends it at once.
    assert solve(game, exact=True).value == solve(game).value == 1


def test_a_taker_whom_nobody_can_stop_has_no_finite_value():
    game = Sketch({0: {"take": [(1, 1, OTHER, 1)]}, 1: {"wait": [(1, 0, OTHER)]}})
    assert len(told_by(lambda exact: solve(game, exact=exact))) == 1


def test_waiting_that_costs_nothing_is_a_draw_also_for_points():
    # To leave costs 3, to wait nothing: both wait for ever.
    game = Sketch({0: {"leave": [(1, 1, OTHER, -3)], "wait": [(1, 0, OTHER)]}, 1: DRAW})
    for exact in (True, False):
        found = solve(game, exact=exact)
        assert (found.value, found.never_ends) == (0, 1)


def test_a_win_adds_nothing_to_points_unless_the_rules_say_so():
    graph = {0: {"go": [(1, 1, SAME, 2)]}, 1: WIN}
    assert solve(Sketch(graph), exact=True).value == 2
    assert solve(Sketch(graph, (10, -10, 0)), exact=True).value == 12
    assert solve(Sketch(graph, (10, 0, 5)), exact=True).value == 12


# Ends that pay


class Rest(NamedTuple):
    mine: int
    yours: int


@dataclass(frozen=True)
class Margin(Game):
    """Both throw a die once; the winner takes the difference, or half of it."""

    half: bool = False
    name: ClassVar[str] = "margin"
    moves: ClassVar[tuple[str, ...]] = ("throw",)

    def start(self):
        return Rest(0, 0)

    def legal(self, at, move):
        return at.mine == 0

    def outcomes(self, at, move):
        for face in range(1, 7):
            yield SIXTH, Rest(at.yours, 0 * at.mine + face), OTHER

    def result(self, at):
        ahead = where(at.mine > at.yours, WIN, where(at.mine < at.yours, LOSS, DRAW))
        return where(at.mine == 0, ONGOING, ahead)

    def payoff(self, at):
        return Amount(at.mine - at.yours, 2 if self.half else 1)


@dataclass(frozen=True)
class PlainMargin(HouseRules):
    """The same one position at a time."""

    half: bool = False
    name: ClassVar[str] = "margin"

    def start(self):
        return Rest(0, 0)

    def choices(self, at):
        return ["throw"]

    def outcomes(self, at, move):
        return [(SIXTH, Rest(at.yours, face), OTHER) for face in range(1, 7)]

    def result(self, at):
        if at.mine == 0:
            return ONGOING
        return WIN if at.mine > at.yours else LOSS if at.mine < at.yours else DRAW

    def payoff(self, at):
        return Fraction(at.mine - at.yours, 2 if self.half else 1)


@pytest.mark.parametrize("kind", [Margin, PlainMargin])
@pytest.mark.parametrize("half", [False, True])
def test_an_end_pays_what_the_rules_say(kind, half):
    game = kind(half=half)
    table = compile(game)
    for exact in (True, False):
        found = solve(table, exact=exact)
        assert (found.unit, float(found.value)) == ("points", pytest.approx(0, abs=1e-15))
        # Where I have 5 and the other has still to throw: 5 - 3.5, seen by the other.
        assert float(found.value_at(Rest(0, 5))) == pytest.approx(-1.5 / (1 + half))
        assert float(found.value_at(Rest(6, 2))) == 4 / (1 + half)
        low, high = found.bounds_at(Rest(2, 6))
        assert low <= Fraction(-4, 1 + half) <= high
    met = evaluate(table, "random", "random", exact=True)
    assert (met.values, met.first) == ((0, 0), Fraction(15, 36))
    assert best_response(table, "random", exact=True).solution.value == 0


def test_rules_on_arrays_and_one_at_a_time_pay_alike():
    one, other = compile(Margin()), compile(PlainMargin())
    for mine in range(1, 7):
        for yours in range(1, 7):
            ends = [t.ends[int(t.end[t.number(Rest(mine, yours))])] for t in (one, other)]
            assert ends == [(mine - yours, yours - mine)] * 2


def test_games_whose_ends_pay_are_simulated_for_what_they_pay():
    played = simulate(Margin(), "random", "random", games=6000, seed=5)
    assert played.by == "moves"
    assert max(one.standard_errors for one in check(played)) < 4
    # The difference of two dice has variance 35/6; half an interval is 1.96 deviations.
    wide = played.value.high - played.value.low
    assert wide == pytest.approx(2 * 1.96 * (35 / 6 / 6000) ** 0.5, rel=0.05)
    written = simulate(Margin(), "random", "random", games=100, seed=5, records=True)
    assert written.tally.brought == simulate(Margin(), "random", "random", 100, 5).tally.brought


@dataclass(frozen=True)
class Stack(Game):
    """Take what is left, as gain, or let a coin decide; gains depend on the position."""

    height: int = 5
    name: ClassVar[str] = "stack"
    moves: ClassVar[tuple[str, ...]] = ("take",)
    thirds: ClassVar[bool] = False

    def start(self):
        return Pot(self.height)

    def legal(self, at, move):
        return at.left > 0

    def outcomes(self, at, move):
        gain = Amount(at.left, 3) if self.thirds else at.left
        yield Outcome(1, Pot(at.left - 1), OTHER, gain)

    def result(self, at):
        return where(at.left > 0, ONGOING, DRAW)


class Thirds(Stack):
    thirds: ClassVar[bool] = True


def test_a_gain_may_depend_on_the_position():
    assert solve(Stack(), exact=True).value == 5 - 4 + 3 - 2 + 1
    assert solve(Thirds(), exact=True).value == 1
    assert simulate(Thirds(), "random", "random", games=4, records=True).records[0].gained == 1


def test_what_an_end_pays_is_exact():
    class Rough(Margin):
        def payoff(self, at):
            return (at.mine - at.yours) / 2

    class Plain(PlainMargin):
        def payoff(self, at):
            return 0.5

    with pytest.raises(RulesError) as refused:
        compile(Rough())
    assert str(refused.value).startswith("payoff() of margin answers array(")
    assert str(refused.value).endswith(
        "what an end pays is exact, a whole number or Amount(numerator, denominator)"
    )
    with pytest.raises(RulesError) as refused:
        compile(Plain())
    assert str(refused.value) == (
        "payoff() of margin answers 0.5 at mine=1 yours=1: what an end pays is exact, a whole "
        "number or Amount(numerator, denominator)"
    )


def test_a_sketch_that_pays_its_ends_says_so_where_it_is_over():
    game = PayingSketch({0: {"go": [(HALF, 1, OTHER), (HALF, 4, SAME)]}, 1: WIN, 4: LOSS})
    # The end at 1 pays -1 to who would move, which is the other; that at 4 pays -10/3.
    for exact in (True, False):
        found = solve(game, exact=exact)
        assert found.value_at(1) == -1
        assert float(found.value) == pytest.approx((1 - 10 / 3) / 2)


# What people do with it


def test_a_game_for_points_is_reviewed_in_points():
    solution = solve(Pay(throws=2), exact=True)
    steps = [
        Step(0, Pot(2), "throw", Pot(1), OTHER, Fraction(5)),
        Step(1, Pot(1), "take", Pot(0), OTHER, Fraction(1)),
    ]
    first, second = (tally(solution, review_steps(solution, steps), seat) for seat in (0, 1))
    # The first gained 5 and paid 1; to throw cost it half a point, the die gave 4.5.
    assert (first.result, second.result) == (4, -4)
    assert (first.cost, first.luck) == (0.5, 4.5)
    assert first.adjusted == pytest.approx(float(solution.value) - 0.5)


def test_learners_get_points_as_rewards():
    from dicelab.exchange.pettingzoo import environment

    env = environment(Pay(throws=3))
    env.reset(seed=1)
    got = dict.fromkeys(env.possible_agents, 0.0)
    while not all(env.terminations.values()):
        env.step(1)
        for agent, reward in env.rewards.items():
            got[agent] += reward
    assert list(got.values()) == [1.0, -1.0]


@pytest.mark.parametrize(
    ("made", "told"),
    [(Pay(), "pay gains points between two"), (Margin(), "margin pays each end its own number")],
)
def test_a_model_checker_is_told_of_wins_only(made, told):
    with pytest.raises(ExportError) as refused:
        Objective(seated(compile(made)))
    assert str(refused.value) == (
        f"{told}: a model checker is told of wins, and of what one player gains; export it for a "
        f"win (--for win), or to openspiel, gymnasium or pettingzoo"
    )
