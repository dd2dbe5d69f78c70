"""OpenSpiel plays our games, and its value iteration finds our values."""

from __future__ import annotations

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score, value_iteration

import at_once_games
from dicelab import best_response, compile, evaluate, game, solve
from dicelab.errors import ExportError
from dicelab.exchange import openspiel
from dicelab.rules import DRAW
from dicelab.strategies.named import plan
from dicelab.strategies.plan import Plan
from strange_games import Barrel, Perch

BET = {
    0: {
        "bet": {"call": [(Fraction(1, 3), 1, 2), (Fraction(2, 3), 1, -2)], "fold": [(1, 1, 1)]},
        "pass": {"call": [(1, 1, 0)], "fold": [(1, 1, 0)]},
        "ask": {"call": [(1, 1, -1)], "fold": [(1, 1, 0)]},
    },
    1: DRAW,
}
"""One turn for points, with moves that only one of the two has."""


def by_openspiel(name: str) -> float:
    """Return the value of a registered game as OpenSpiel's value iteration finds it."""
    played = pyspiel.load_game(name)
    values = value_iteration.value_iteration(played, -1, 1e-12, cyclic_game=True)
    return openspiel.value_of(name, values[str(played.new_initial_state())])


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("pig", {"target": 8}),
        ("two-dice-pig", {"target": 6}),
        ("dice-battle", {"dice": 2, "target": 5}),
        ("greed", {"max": 5, "sides": 3}),
        ("solo-pig", {"target": 6, "turns": 2}),
    ],
)
def test_openspiels_value_iteration_finds_our_value(name, parameters):
    rules = game(name, **parameters)
    found = by_openspiel(openspiel.register(rules))
    # It stops when a sweep changes nothing by more than 1e-12.
    assert found == pytest.approx(solve(rules).value, abs=1e-10)


@pytest.mark.parametrize("rules", [Perch(), Barrel()], ids=str)
def test_openspiel_chooses_after_the_throw_as_we_do(rules):
    for against, ours in (
        (None, solve(rules).value),
        ("random", best_response(rules, "random").first),
    ):
        name = openspiel.register(rules, against)
        assert by_openspiel(name) == pytest.approx(ours, abs=1e-10)


def test_openspiel_shows_the_dice_and_asks_for_a_way():
    state = openspiel.load(Perch()).new_initial_state()
    state.apply_action(0)
    assert str(state) == "mine=0 yours=0 risk=0, first to move: throw"
    state.apply_action(1)  # the second of four faces
    assert str(state) == "mine=0 yours=0 risk=0 threw 2, first to move"
    ways = [state.action_to_string(way) for way in state.legal_actions()]
    assert (state.current_player(), ways) == (0, ["bank", "press"])


def test_openspiels_own_pig_is_our_pig():
    # Its pig may hold with nothing at risk, which never helps.
    theirs = pyspiel.load_game("pig(players=2,winscore=8,horizon=100000)")
    values = value_iteration.value_iteration(theirs, -1, 1e-12, cyclic_game=True)
    start = values[str(theirs.new_initial_state())]
    assert (1 + start) / 2 == pytest.approx(solve(game("pig", target=8)).value, abs=1e-10)


def test_openspiel_finds_the_best_reply():
    rules = game("pig", target=8)
    name = openspiel.register(rules, "hold-at:4")
    assert by_openspiel(name) == pytest.approx(best_response(rules, "hold-at:4").first, abs=1e-10)


@pytest.mark.parametrize(
    "rules",
    [
        # Spoiled throws score 1, so every game ends and the tree is finite.
        game("dice-battle", dice=2, target=4, variant="simultaneous"),
        # Nothing busts here; who is out waits while the other may still choose.
        game("pig-at-once", target=6, die="2:1/2,3:1/2"),
        game("dice-blotto", dice=2, fields=2, die=2),
        at_once_games.Seated(BET),
    ],
    ids=str,
)
def test_two_random_players_at_once_get_in_openspiel_what_evaluate_says(rules):
    name = openspiel.register(rules)
    played = pyspiel.load_game(name)
    mixed = policy.UniformRandomPolicy(played)
    score = expected_game_score.policy_value(played.new_initial_state(), mixed)
    exact = evaluate(rules, "random", "random").values[0]
    assert openspiel.value_of(name, float(score[0])) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "parameters", "against"),
    [
        ("pig", {"target": 8}, None),
        ("pig", {"target": 8}, "random"),
        ("solo-pig", {"target": 8}, None),
        ("dice-battle", {"dice": 2, "target": 6, "variant": "simultaneous"}, None),
        ("pig-at-once", {"target": 4}, None),
    ],
)
def test_openspiels_own_test_plays_our_games(name, parameters, against):
    played = openspiel.load(game(name, **parameters), against)
    pyspiel.random_sim_test(played, num_sims=3, serialize=True, verbose=False)
    assert played.num_players() == (1 if against or name == "solo-pig" else 2)


def test_a_state_that_is_saved_can_be_read_again():
    played = openspiel.load(game("pig", target=8))
    state = played.new_initial_state()
    for action in (0, 3):  # roll; the fourth outcome of the throw
        state.apply_action(action)
    again = played.deserialize_state(state.serialize())
    assert str(again) == str(state) == "0-0 +4, first to move"
    assert again.history() == [0, 3]


def test_an_observation_has_the_fields_between_nothing_and_all():
    played = openspiel.load(game("pig", target=8))
    state = played.new_initial_state()
    state.apply_action(0)
    state.apply_action(2)  # 3 at risk, of at most 13
    # Banks are 0 to 7; a turn ends above 7, at most 7 + 6 at risk.
    assert state.observation_tensor(0) == pytest.approx([0.0, 0.0, 3 / 13, 1.0])


def test_the_cost_of_solo_pig_is_below_zero():
    played = openspiel.load(game("solo-pig", target=2))
    state = played.new_initial_state()
    state.apply_action(0)
    state.apply_action(0)  # bust: a turn is spent
    assert (state.rewards(), state.returns()) == ([-1.0], [-1.0])
    state.apply_action(0)
    state.apply_action(1)  # there, in the second turn
    assert state.is_terminal()
    assert state.returns() == [-2.0]


def test_a_game_is_registered_once():
    table = compile(game("pig", target=7))
    assert openspiel.register(table) == openspiel.register(table) == "dicelab_pig_target_7"
    assert "dicelab_pig_target_7" in pyspiel.registered_names()


def test_two_functions_of_one_name_are_two_games():
    def choose(at):
        return "roll"

    first = openspiel.register(game("pig", target=6), choose)
    assert openspiel.register(game("pig", target=6), choose) != first


def test_two_plans_of_one_name_are_two_games():
    table = compile(game("pig", target=6))
    names, values = [], []
    for holds in (2, 5):
        fixed = plan(table, f"hold-at:{holds}")
        names.append(openspiel.register(table, Plan("mine", table, fixed.choice, fixed.chances)))
        values.append(by_openspiel(names[-1]))
    assert len(set(names)) == 2
    known = [best_response(table, f"hold-at:{holds}").first for holds in (2, 5)]
    assert values == pytest.approx(known, abs=1e-10)


def test_openspiel_wants_one_pot():
    with pytest.raises(ExportError) as refused:
        openspiel.register(game("greed", max=4, sides=3, tie="1/4"))
    assert str(refused.value) == (
        "greed max=4 die=3 tie=1/4 is no game over one pot, where one player gets what the other "
        "loses: fix one player with --against STRATEGY"
    )
