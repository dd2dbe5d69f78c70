"""What moves and ways to play cost, restricted players, skill and steps, counted another way."""

from fractions import Fraction

import pytest

import dicelab
from dicelab.errors import RulesError
from dicelab.verbs.best_play import best_play
from dicelab.verbs.numbers import Number
from dicelab.verbs.restricted import (
    always_risks,
    fields_of,
    fields_of_others,
    ignores_the_opponent,
    never_risks,
    one_move_ahead,
    restricted,
)
from dicelab.verbs.sensitivity import changes, steps
from dicelab.verbs.skill import ladder, spread

KINDS = {
    "two": ("pig", {"target": 8, "die": 4}),
    "alone": ("solo-pig", {"target": 9}),
    "throw first": ("farkle", {"dice": 2, "target": 150}),
    "at once": ("undercut", {"most": 3, "target": 4}),
    "three": ("pig", {"target": 6, "players": 3}),
    "for points": ("shut-the-box", {"tiles": 4, "die": 3}),
}


@pytest.fixture(scope="module", params=KINDS)
def best(request):
    name, given = KINDS[request.param]
    return best_play(dicelab.game(name, **given))


def overall(best, strategy):
    """Return what a strategy gets from best play, seats taken in turn."""
    rest = [best.folded_plan] * (best.game.players - 1)
    found = dicelab.evaluate(best.folded, strategy, rest[0] if len(rest) == 1 else rest or None)
    return found.overall[0] if best.game.players > 2 else found.value


def test_the_mistakes_of_a_way_to_play_cost_what_it_gets_less(best):
    # Performance difference: the costs of the moves, as often as they are made, are the whole loss.
    sign = -1 if best.game.fewest else 1
    for strategy in ("random", *list(best.game.strategies)[:2]):
        count, cost = best.mistakes(strategy)
        less = sign * (overall(best, best.folded_plan) - overall(best, strategy))
        assert cost.value == pytest.approx(less, abs=1e-10)
        assert cost.error < 1e-9
        assert (count.value == 0) == (cost.value == 0)


def test_moves_are_counted_where_explain_says_that_they_are_best():
    game = dicelab.game("pig", target=8, die=4)
    best, solution = best_play(game), dicelab.solve(game, exact=True)
    uses = {use.move: use for use in best.moves()}
    table = solution.table
    told = {"roll": [0, 0], "hold": [0, 0]}
    for number in range(len(table)):
        at = table.position(number)
        if game.result(at) or len(game.legal_moves(at)) < 2:
            continue
        for move in game.legal_moves(at):
            told[move][0] += 1
            told[move][1] += move in solution.best_moves(at)
    assert {move: [use.allowed, use.best] for move, use in uses.items()} == told
    assert [
        use.move for use in best_play(dicelab.game("pig", target=10)).moves() if use.is_never_best
    ] == ["hold"]


def test_the_first_turning_point_has_most_at_stake():
    game = dicelab.game("pig", target=8, die=4)
    best, solution = best_play(game), dicelab.solve(game)
    met = dicelab.density(game, "optimal", "optimal")
    stakes = {}
    for number in range(len(solution.table)):
        at = solution.table.position(number)
        if not game.result(at) and len(game.legal_moves(at)) == 2:
            visits = met.visits_at(at, 0) + met.visits_at(at, 1)
            stakes[game.notation(at)] = visits * float(solution.moves_at(at)[1].cost)
    top = best.turning_points(3)
    assert [one.position for one in top] == sorted(stakes, key=stakes.get, reverse=True)[:3]
    assert top[0].per_game == pytest.approx(max(stakes.values()))


def test_an_average_mistake_is_that_of_a_player_who_errs_at_one_decision():
    game = dicelab.game("pig", target=8, die=4)
    best, solution = best_play(game), dicelab.solve(game)
    met = dicelab.density(game, "optimal", "optimal")
    often = total = 0.0
    for number in range(len(solution.table)):
        at = solution.table.position(number)
        if not game.result(at) and len(game.legal_moves(at)) == 2:
            visits = met.visits_at(at, 0) + met.visits_at(at, 1)
            worse = float(solution.moves_at(at)[1].cost)
            often, total = often + visits * (worse > 1e-12), total + visits * worse
    decisions, cost = best.average_mistake()
    assert decisions.value == pytest.approx(often)
    assert cost.value == pytest.approx(total / often)


# Restricted players


def test_who_never_risks_holds_at_once_and_who_always_does_rolls_on():
    best = best_play(dicelab.game("pig", target=12))
    assert never_risks(best).plays_like(dicelab.plan(best.table, "rule:hold; roll"))
    assert always_risks(best).plays_like(dicelab.plan(best.table, "roll-to-win"))


def test_one_move_ahead_is_best_if_all_move_at_random_afterwards():
    game = dicelab.game("pig", target=6, die=4)
    played = one_move_ahead(best_play(game))

    def at_random(at):
        """Return what a position is worth to who moves there if both move at random."""
        if game.result(at):
            return float(game.result(at) == dicelab.WIN)
        found = dicelab.evaluate(game.starting(at), "random", "random", exact=True)
        return float(found.first)

    for text in ("0-0 +3", "2-0 +2", "0-4 +2", "3-3 +2", "0-0 +5"):
        at = game.parse(text)
        worth = {
            move: sum(
                float(chance)
                * (1 - at_random(o.at) if o.mover == dicelab.OTHER else at_random(o.at))
                for chance, o in game.law(at, move)
            )
            for move in game.legal_moves(at)
        }
        assert played.move_at(at) == max(worth, key=worth.get), text


def test_the_other_players_fields_are_found_in_the_rules():
    for name, given, others in (
        ("pig", {"target": 5}, ["yours"]),
        ("pig", {"target": 4, "players": 3}, ["yours", "third"]),
        ("undercut", {"most": 3, "target": 4}, ["yours"]),
        ("421", {"tokens": 2, "casts": 1, "die": 4}, ["yours"]),
    ):
        table = dicelab.compile(dicelab.game(name, **given))
        assert fields_of_others(table, fields_of(table)) == others


def test_who_ignores_the_opponent_plays_alike_whatever_he_has():
    best = best_play(dicelab.game("pig", target=20, die=4))
    played, table = ignores_the_opponent(best), best.table
    seen = {}
    for number in range(len(table)):
        at = table.position(number)
        if not best.game.result(at):
            seen.setdefault((at.mine, at.at_risk), set()).add(played.move_at(at))
    assert all(len(moves) == 1 for moves in seen.values())
    assert 0 < best.mistakes(played)[1].value <= best.mistakes("hold-at:12")[1].value


def test_a_restriction_costs_what_evaluate_says(best):
    optimum = Number(float(overall(best, best.folded_plan)), 0.0, "")
    for one in restricted(best, optimum):
        if one.value is None:
            assert one.refused
            continue
        sign = -1 if best.game.fewest else 1
        assert one.value.value == pytest.approx(optimum.value - sign * one.cost.value)
        assert one.cost.value >= 0


def test_played_alone_nobody_is_ignored():
    best = best_play(dicelab.game("solo-pig", target=9))
    with pytest.raises(RulesError) as told:
        ignores_the_opponent(best)
    assert str(told.value) == "solo-pig target=9 is played alone: there is no opponent to ignore"


def test_where_every_move_is_as_risky_nobody_risks_more():
    best = best_play(dicelab.game("bear-off", chequers=2))
    with pytest.raises(RulesError) as told:
        never_risks(best)
    assert str(told.value) == "bear-off chequers=2 has no move that is riskier than another"


def test_fields_that_are_nobodys_are_told():
    best = best_play(dicelab.game("ur", pieces=1))
    with pytest.raises(RulesError) as told:
        ignores_the_opponent(best)
    assert str(told.value) == "ur pieces=1 has no field that is the other player's alone"


# Skill


def test_the_ladder_climbs_to_the_optimum(best):
    found = ladder(best)
    sign = -1 if best.game.fewest else 1
    values = [sign * rung.value.value for rung in found.rungs]
    assert values == sorted(values)
    assert found.rungs[-1].value.value == pytest.approx(overall(best, best.folded_plan))
    assert {rung.name for rung in found.rungs} >= {"random", "optimal"}


def test_what_spreads_the_results_is_counted_out_in_rationals():
    game = dicelab.game("piglet", target=3)
    best = best_play(game)
    found = spread(best)
    means = {}
    for one in found.drawn:
        for two in found.drawn:
            told = dicelab.evaluate(game, one, two, exact=True)
            means[one, two] = (told.a_first.a_wins, told.b_first.a_wins)
    size = len(means)
    half = Fraction(1, 2)  # what a player gets on average from another of his kind
    by_play = sum((sum(pair) / 2 - half) ** 2 for pair in means.values()) / size
    by_seat = sum(((pair[0] - pair[1]) / 2) ** 2 for pair in means.values()) / size
    by_chance = sum(p * (1 - p) for pair in means.values() for p in pair) / (2 * size)
    for told, exact in (
        (found.by_play, by_play),
        (found.by_seat, by_seat),
        (found.by_chance, by_chance),
    ):
        assert abs(told.value - float(exact)) <= told.error
    assert by_play + by_seat + by_chance == Fraction(1, 4)  # a win or a loss, as likely
    assert found.total == pytest.approx(0.25)


def test_a_game_without_a_choice_is_all_chance():
    found = spread(best_play(dicelab.game("craps")))
    assert found.share(found.by_play).value == 0
    assert found.share(found.by_chance).value == 1


# Steps


def test_one_step_in_each_parameter_is_the_game_beside_it():
    game = dicelab.game("pig", target=10)
    told = {(one.parameter, one.after): one for one in changes(best_play(game))}
    for parameter, value in (("target", 11), ("die", 5), ("passing", True)):
        text = {True: "yes"}.get(value, str(value))
        other = dicelab.game("pig", **{"target": 10, parameter: value})
        assert told[parameter, text].numbers["value"].value == pytest.approx(
            dicelab.solve(other).value
        )
    assert told["dice", "0"].refused == "pig needs 1 to 100 dice a roll: got dice=0"


def test_where_scores_come_in_fifties_a_step_is_fifty():
    told = [
        one.after
        for one in changes(best_play(dicelab.game("farkle", dice=2, target=150)))
        if one.parameter == "three_farkles" and one.numbers
    ]
    assert told == ["50"]


def test_a_loaded_die_has_no_next_one():
    names = [name for name, _ in steps(dicelab.game("pig", die="1:1/2,2:1/2", target=5))]
    assert "die" in [name for name, _ in steps(dicelab.game("pig"))]
    assert names.count("die") == 2  # as a fair die of two faces it is none that is loaded
    assert "die" not in [name for name, _ in steps(dicelab.game("pig", die="1:1/3,2:2/3"))]
