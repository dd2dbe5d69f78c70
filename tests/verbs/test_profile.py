"""Three players and more, against every profile of tiny games in rationals."""

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest

from dicelab import (
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Game,
    best_response,
    density,
    evaluate,
    explain,
    game,
    simulate,
    solve,
    temptation,
    tournament,
    where,
)
from dicelab.errors import RulesError
from seated_brute import Ring, even, pure, random_ring, temptations, values

SEEDS = range(40)


def played(plan, game):
    """Return a plan as brute force has it: the chances of moves at each position."""
    going = [at for at, rule in game.graph.items() if isinstance(rule, dict)]
    told = {at: plan.move_at(at) for at in going}
    return {
        at: move if isinstance(move, dict) else {move: Fraction(1)} for at, move in told.items()
    }


def as_function(strategy):
    return lambda at: next(iter(strategy[at]))


def ring(seed):
    return random_ring(random.Random(seed).choice)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_changing_gains_is_what_trying_every_strategy_gains(seed):
    pick, game = random.Random(seed).choice, ring(seed)
    profile = [pick(list(pure(game))) for _ in range(3)]
    truth = temptations(game, profile)
    first, *rest = map(as_function, profile)
    assert list(temptation(game, first, rest, exact=True).seats) == truth
    found = temptation(game, first, rest)
    for least, gain, most in zip(found.least, truth, found.seats, strict=True):
        assert least <= gain <= most <= gain + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_a_profile_is_an_equilibrium_by_brute_force(seed):
    game = ring(seed)
    for found in (solve(game), solve(game, exact=True)):
        profile = played(found.plan, game)
        assert max(temptations(game, [profile] * 3)) <= found.temptation < 1e-9
        truth = values(game, [profile] * 3)[0, 0]
        for value, (low, high) in zip(truth, found.bounds_by_seat(0), strict=True):
            assert low <= value <= high
        for other in found.others:
            assert max(temptations(game, [played(other.plan, game)] * 3)) <= other.temptation


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_three_who_have_decided_get_what_the_dense_system_says(seed):
    pick, game = random.Random(seed).choice, ring(seed)
    profile = [pick(list(pure(game))) for _ in range(3)]
    truth = values(game, profile)
    first, *rest = map(as_function, profile)
    exact, rough = (evaluate(game, first, rest, exact=way) for way in (True, False))
    for starter in range(3):
        assert list(exact.by_starter[starter]) == truth[starter, 0]
        for value, near in zip(truth[starter, 0], rough.by_starter[starter], strict=True):
            assert abs(value - near) <= rough.value_error


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_a_reply_to_two_is_the_best_of_all_replies(seed):
    pick, game = random.Random(seed).choice, ring(seed)
    second, third = (pick(list(pure(game))) for _ in range(2))
    every = [values(game, [mine, second, third]) for mine in pure(game)]
    reply = best_response(game, [as_function(second), as_function(third)], exact=True)
    # The reply sits first: as the second to play the third starts, and so on around the table.
    truth = [max(each[start, 0][0] for each in every) for start in (0, 2, 1)]
    assert reply.solution.by_seat(0) == truth


QUITTERS = Ring(graph={0: {"quit": [(1, 1, SAME)], "go": [(1, 0, OTHER)]}, 1: (3, -1, 4)})


def test_where_no_pure_profile_holds_players_mix():
    # Who goes on while the next quits with chance p gets 4p - p(1 - p) + 3(1 - p)(1 - p); that is
    # the 3 of quitting at p = 3/4. Pure profiles: all quit, and one may wait for 4; none does.
    assert [temptation(QUITTERS, as_function(each)).most for each in pure(QUITTERS)] == [
        pytest.approx(1),
        pytest.approx(1),
    ]
    found = solve(QUITTERS, exact=True)
    assert found.plan.move_at(0) == {"quit": Fraction(3, 4), "go": Fraction(1, 4)}
    assert (found.temptation, found.shares) == (0, [3, 0, 3])
    assert solve(QUITTERS).temptation < 1e-12


KINGMAKER = Ring(
    graph={0: {"left": [(1, 1, SAME)], "right": [(1, 2, SAME)]}, 1: (0, 6, 0), 2: (0, 0, 6)}
)


def test_ties_make_several_equilibria_and_all_that_were_met_are_told():
    found = solve(KINGMAKER, exact=True)
    (other,) = found.others
    assert {tuple(found.shares), other.values} == {(0, 6, 0), (0, 0, 6)}
    assert (other.apart, other.example) == (1, "0")
    assert found.as_dict()["equilibria"][0]["values"] == list(map(float, other.values))


class PigPlace(NamedTuple):
    mine: int
    second: int
    third: int
    at_risk: int


@dataclass(frozen=True)
class PigForThree(Game):
    """Pig for three, written as a stranger would."""

    target: int = 5
    name = "pig-for-three"
    moves = ("roll", "hold")
    players = 3

    def start(self):
        return PigPlace(0, 0, 0, 0)

    def legal(self, at, move):
        return at.at_risk >= (move == "hold")

    def outcomes(self, at, move):
        nothing = 0 * at.mine
        if move == "hold":
            yield 1, PigPlace(at.second, at.third, at.mine + at.at_risk, nothing), OTHER
            return
        yield Fraction(1, 6), PigPlace(at.second, at.third, at.mine, nothing), OTHER
        for face in range(2, 7):
            yield Fraction(1, 6), at._replace(at_risk=at.at_risk + face), SAME

    def result(self, at):
        return where(at.mine + at.at_risk >= self.target, WIN, ONGOING)


def test_a_race_of_three_to_two_has_a_closed_form():
    # Who rolls wins with 5/6 and else the next is where he was: shares are as 36 to 6 to 1.
    assert solve(PigForThree(target=2), exact=True).shares == [
        Fraction(36, 43),
        Fraction(6, 43),
        Fraction(1, 43),
    ]


def test_pig_for_three_is_an_equilibrium_and_the_first_sits_best():
    found = solve(PigForThree(target=9))
    assert found.temptation < 1e-13
    assert found.shares[0] > found.shares[1] > found.shares[2]
    assert sum(found.shares) == pytest.approx(1, abs=1e-12)
    assert temptation(PigForThree(target=9), "optimal").most < 1e-13
    assert temptation(PigForThree(target=9), "random").least[0] > 0.1


def test_players_who_answer_each_others_answers_settle_by_halves(monkeypatch):
    usual = solve(PigForThree(target=12))
    monkeypatch.setattr("dicelab.solvers.settle.MOST_SWEEPS", 1)  # as if none had settled
    found = solve(PigForThree(target=12))
    assert found.temptation < 1e-12
    assert found.shares == pytest.approx(usual.shares, abs=1e-12)


def test_games_of_three_are_played_as_they_are_worked_out():
    rest = ["optimal", "random"]
    exact = evaluate(PigForThree(), "random", rest)
    found = simulate(PigForThree(), "random", rest, games=30_000, seed=3)
    for starter in range(3):
        for player in range(3):
            share = found.won(player, starter)
            truth = exact.wins[starter][player]
            assert abs(share.value - truth) < 4 * (truth * (1 - truth) / share.games) ** 0.5
    again = simulate(PigForThree(), "random", rest, games=30_000, seed=3)
    assert (again.ends == found.ends).all()


def test_a_game_of_three_is_followed_to_its_end():
    # To two points every turn wins with 5/6: lengths are geometric, 6/5 turns on average.
    found = density(PigForThree(target=2), "optimal", "optimal")
    assert found.mean_length == pytest.approx(6 / 5, abs=1e-8)
    assert found.visits_at("mine=0 second=0 third=0 at_risk=0") == pytest.approx(216 / 215)


def test_moves_are_explained_to_one_of_three():
    found = explain(solve(PigForThree(target=2)), "mine=0 second=0 third=0 at_risk=0")
    assert float(found.value) == pytest.approx(36 / 43)
    assert found.moves[0].move == "roll"


def test_tables_of_three_are_fair_to_every_seat():
    found = tournament(PigForThree(), ["random", "optimal", lambda at: "roll"])
    assert found.tables == 2  # two orders around one table
    assert sum(found.share) == pytest.approx(1, abs=1e-12)
    assert found.ranking[-1] == "random"
    one, two = (
        evaluate(PigForThree(), "random", rest).overall[0]
        for rest in (["optimal", lambda at: "roll"], [lambda at: "roll", "optimal"])
    )
    assert found.share[0] == pytest.approx(float(one + two) / 2)


def test_a_turn_may_pass_to_the_player_after_the_next():
    # The first hands over to the third, who wins or hands over to the second, and so on.
    half = Fraction(1, 2)
    game = Ring(graph={0: {"flip": [(half, 1, SAME), (half, 0, 2)]}, 1: (1, 0, 0)})
    assert solve(game, exact=True).shares == [Fraction(4, 7), Fraction(1, 7), Fraction(2, 7)]
    assert even(game) == Fraction(1, 3)


@pytest.mark.parametrize("players", [4, 5])
def test_more_than_three_take_turns_too(players):
    half = Fraction(1, 2)
    won = (1, *[0] * (players - 1))
    game = Ring(graph={0: {"flip": [(half, 1, SAME), (half, 0, OTHER)]}, 1: won}, players=players)
    whole = 2**players - 1
    truth = [Fraction(2 ** (players - 1 - seat), whole) for seat in range(players)]
    assert solve(game, exact=True).shares == truth
    for value, (low, high) in zip(truth, solve(game).bounds_by_seat(0), strict=True):
        assert low <= value <= high


def refused(work):
    with pytest.raises(RulesError) as told:
        work()
    return str(told.value)


def test_too_few_strategies_are_refused():
    assert refused(lambda: evaluate(PigForThree(), "random")) == (
        "pig-for-three is played by 3: name the 2 others in order of their turns, or one strategy "
        "for all of them; got none"
    )
    assert refused(lambda: simulate(PigForThree(), "random", ["random"] * 3)) == (
        "pig-for-three is played by 3: name the 2 others in order of their turns, or one strategy "
        "for all of them; got 3"
    )
    assert refused(lambda: tournament(PigForThree(), ["random", "optimal"])) == (
        "pig-for-three is played by 3: a tournament needs as many strategies or more, got 2"
    )


def test_two_positions_that_hunt_each_other_are_left_to_chance():
    # Of Pig for three with four sides, 5-7-12 +11 and 12-5-7 +9 each want what the other does not.
    # The proof is the certificate's, and a best reply against the mixture finds nothing to gain.
    rules = game("pig", target=30, die="4", players=3).starting("5-7-12")
    found = solve(rules)
    assert found.mixing == 2
    assert found.temptation < 1e-11
    told = found.plan.move_at("5-7-12 +11")
    assert set(told) == {"roll", "hold"}
    assert sum(told.values()) == 1
    both = {each.move: float(each.value) for each in found.moves_at("5-7-12 +11")}
    assert both["roll"] == pytest.approx(both["hold"], abs=1e-11)
    assert temptation(found.table, found.plan).most < 1e-11
    assert found.as_dict()["mixing"] == 2
