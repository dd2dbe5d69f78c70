"""Gymnasium and PettingZoo accept our environments, and what is earned there is what we say."""

from __future__ import annotations

import importlib
import pickle
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from dicelab import (
    LOSS,
    ONGOING,
    SAME,
    WIN,
    HouseRules,
    best_response,
    compile,
    evaluate,
    game,
    plan,
    solve,
)
from dicelab.errors import DicelabError, ExportError, IllegalMove, MissingPackage
from dicelab.exchange import gymnasium as for_gymnasium
from dicelab.exchange import pettingzoo as for_pettingzoo
from dicelab.rules import Outcome
from dicelab.strategies.ways import unfolded_plan
from strange_games import Barrel, Perch

AT_ONCE = {"dice": 2, "target": 6, "variant": "simultaneous"}


def played(env: Any, choose: Any, games: int) -> Any:
    """Return what each of many games gave, with moves chosen from what `info` says."""
    earned = np.zeros(games)
    env.reset(seed=1)
    for number in range(games):
        _, info = env.reset()
        over = False
        while not over:
            _, reward, over, _, info = env.step(choose(info))
            earned[number] += reward
    return earned


def near(earned: Any, exact: float) -> bool:
    """Return whether the mean of many games is within four standard errors of the exact value."""
    error = earned.std() / np.sqrt(earned.size)
    return bool(abs(earned.mean() - exact) < 4 * error)


@pytest.mark.parametrize(
    ("name", "parameters", "against", "seat"),
    [
        ("pig", {"target": 20}, "hold-at:10", "first"),
        ("pig", {"target": 20}, "random", "second"),
        ("solo-pig", {"target": 20}, None, "first"),
        ("greed", {"max": 8, "sides": 3}, "aim-at", "first"),
        ("dice-battle", AT_ONCE, "random", "first"),
    ],
)
def test_gymnasium_checks_our_environments(name, parameters, against, seat):
    id = f"dicelab-test/{name}-{seat}-v0"
    table = compile(game(name, **parameters))
    assert for_gymnasium.register(id, table, against, seat) == id
    env = gymnasium.make(id, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not having a spec.*")
        check_env(env.unwrapped)
    assert env.unwrapped.model.table is table


@pytest.mark.parametrize("seat", ["first", "second"])
def test_an_exact_strategy_earns_in_gymnasium_what_evaluate_says(seat):
    table = compile(game("pig", target=20))
    mine = plan(table, "hold-at:6")
    exact = evaluate(table.game, "hold-at:6", "hold-at:10")
    env = for_gymnasium.environment(table, "hold-at:10", seat)

    def choose(info: Any) -> int:
        if "result" in info:  # the opponent has won before anybody else moved
            return 0
        return table.moves.index(mine.move_at(info["position"]))

    earned = played(env, choose, 1500)
    assert near(earned, exact.first if seat == "first" else 1 - exact.second)


def test_a_random_player_earns_in_gymnasium_what_evaluate_says():
    # Both throw at once, and both throw any number of dice with the same chance.
    table = compile(game("dice-battle", **AT_ONCE))
    rng = np.random.default_rng(2)
    env = for_gymnasium.environment(table, "blind:1")
    earned = played(env, lambda info: rng.choice(np.flatnonzero(info["action_mask"])), 2000)
    assert near(earned, evaluate(table.game, "random", "blind:1").values[0])


def test_the_turns_of_solo_pig_are_spent_in_gymnasium():
    table = compile(game("solo-pig", target=10))
    env = for_gymnasium.environment(table)
    earned = played(env, lambda info: 0, 2000)  # roll to win
    exact = evaluate(table.game, "roll-to-win").value
    assert near(earned, -exact)


def test_an_illegal_move_changes_nothing_in_gymnasium():
    env = for_gymnasium.environment(game("pig", target=20), "hold-at:10")
    seen, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 0]
    after, reward, over, cut, info = env.step(1)  # nothing is at risk, so nothing can be held
    assert (after.tolist(), reward, over, cut) == (seen.tolist(), 0.0, False, False)
    assert info["illegal"] is True


def test_an_illegal_move_costs_a_turn_where_turns_are_counted():
    env = for_gymnasium.environment(game("solo-pig", target=20))
    env.reset(seed=1)
    assert env.step(1)[1] == -1.0


def test_the_position_can_be_read():
    env = for_gymnasium.environment(game("pig", target=20), "hold-at:10", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "0-0 +0, first to move"


@dataclass(frozen=True)
class Climb(HouseRules):
    """Positions that are words: a ladder of which a rung may break."""

    name: ClassVar[str] = "climb"
    players: ClassVar[int] = 1

    def start(self) -> str:
        return "ground"

    def choices(self, at: str) -> list[str]:
        return ["up"]

    def outcomes(self, at: str, move: str) -> Iterator[Any]:
        yield Outcome(Fraction(1, 4), "fallen", SAME)
        yield Outcome(Fraction(3, 4), {"ground": "rung", "rung": "roof"}[at], SAME)

    def result(self, at: str) -> int:
        return {"roof": WIN, "fallen": LOSS}.get(at, ONGOING)


def test_positions_without_fields_are_numbers():
    env = for_gymnasium.environment(Climb())
    assert env.observation_space.shape == (1,)
    assert near(played(env, lambda info: 0, 2000), 9 / 16)  # 3/4 twice


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("pig", {"target": 12}), ("dice-battle", AT_ONCE), ("pig-at-once", {"target": 4})],
)
def test_pettingzoo_checks_our_environments(name, parameters, capsys):
    table = compile(game(name, **parameters))
    with warnings.catch_warnings():
        # Its own games with masks are excused from these two by name.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(for_pettingzoo.environment(table), num_cycles=200)
    seed_test(lambda: for_pettingzoo.environment(table), 10)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("pig", {"target": 12}), ("dice-battle", AT_ONCE), ("pig-at-once", {"target": 4})],
)
def test_two_random_players_earn_in_pettingzoo_what_evaluate_says(name, parameters):
    table = compile(game(name, **parameters))
    env = for_pettingzoo.environment(table)
    rng = np.random.default_rng(3)
    earned = np.zeros((2, 800))
    env.reset(seed=3)
    for number in range(earned.shape[1]):
        env.reset()
        for agent in env.agent_iter():
            seen, _, over, _, _ = env.last()
            legal = np.flatnonzero(seen["action_mask"])
            earned[:, number] += [env.rewards["player_0"], env.rewards["player_1"]] if over else 0
            if over:
                break
            assert seen["observation"][-1] == 1, agent
            env.step(int(rng.choice(legal)))
    assert near(earned[0], evaluate(table.game, "random", "random").values[0])
    assert np.all(earned.sum(axis=0) == float(table.game.total))


def test_a_learner_sees_which_throw_it_was_and_chooses_the_way():
    table = compile(Perch())
    best = best_response(table, "random")
    env = for_gymnasium.environment(table, "random")
    moves = env.unwrapped.steps.moves
    assert moves == ("throw", "hold", "bank", "press")
    assert env.observation_space.high.tolist()[-1] == 3  # the throws that leave a choice: 2, 3, 4
    check_env(env.unwrapped, skip_render_check=True)

    def choose(info: Any) -> int:
        if "result" in info:
            return 0
        return moves.index(best.plan.move_at(info["position"]))

    seen, info = env.reset(seed=4)
    assert (info["position"], seen.tolist()) == ("mine=0 yours=0 risk=0", [0, 0, 0, 0])
    while not info["position"].endswith("threw 3"):
        seen, info = env.reset()
        seen, _, _, _, info = env.step(0)
    assert seen.tolist()[-1] == 2
    assert info["action_mask"].tolist() == [0, 0, 1, 1]
    assert near(played(env, choose, 2000), best.first)


@pytest.mark.parametrize("rules", [Perch(), Barrel()], ids=str)
def test_pettingzoo_chooses_after_the_throw(rules, capsys):
    table = compile(rules)
    env = for_pettingzoo.environment(table)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation numpy array is all zeros")
        api_test(env, num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out
    mine = unfolded_plan(plan(table, "optimal"))
    moves, wins = mine.table.moves, np.zeros(600)
    env.reset(seed=3)
    for number in range(wins.size):
        env.reset()
        while not any(env.terminations.values()):
            at = mine.table.notation(env.unwrapped._node.position)
            env.step(moves.index(mine.move_at(at)))
        wins[number] = env.rewards["player_0"]
    assert near(wins, solve(table).value)


def test_an_illegal_move_loses_in_pettingzoo():
    env = for_pettingzoo.environment(game("pig", target=12))
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's own wrapper says so, and goes on
        env.step(1)
    assert env.terminations == {"player_0": True, "player_1": True}


def test_the_bare_environment_of_pettingzoo_refuses_an_illegal_move():
    env = for_pettingzoo.DiceGame(compile(game("pig", target=12)))
    env.reset(seed=1)
    with pytest.raises(IllegalMove) as refused:
        env.step(1)
    assert str(refused.value) == "player_0 cannot hold at 0-0 +0: you can only roll here"


def test_an_environment_of_pettingzoo_can_be_saved():
    env = for_pettingzoo.DiceGame(compile(game("pig", target=5)), "ansi")
    again = pickle.loads(pickle.dumps(env))
    again.reset(seed=1)
    assert again.render() == "0-0 +0, first to move"


def refusal(make: Any) -> str:
    with pytest.raises(DicelabError) as refused:
        make()
    return str(refused.value)


def test_gymnasium_has_one_learner():
    assert refusal(lambda: for_gymnasium.environment(game("pig", target=5))) == (
        "gymnasium is for one learner, and pig target=5 is for two: fix one with "
        "--against STRATEGY, or export it --to pettingzoo"
    )


def test_pettingzoo_has_several_players():
    assert refusal(lambda: for_pettingzoo.environment(game("solo-pig", target=5))) == (
        "pettingzoo is for several players, and solo-pig target=5 is played alone: export it "
        "--to gymnasium"
    )


@pytest.mark.parametrize(
    ("module", "package", "name"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel", "open_spiel"),
    ],
)
def test_a_package_that_is_missing_is_named(module, package, name, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, f"dicelab.exchange.{module}", raising=False)
    with pytest.raises(MissingPackage) as refused:
        importlib.import_module(f"dicelab.exchange.{module}")
    assert str(refused.value) == (
        f"{name} is not installed, and this export is for it: pip install {name}"
    )


def test_the_best_reply_is_what_a_learner_could_earn_at_most():
    # Any strategy's mean return stays below the best reply's value, up to chance.
    table = compile(game("pig", target=20))
    env = for_gymnasium.environment(table, "hold-at:10")
    best = best_response(table.game, "hold-at:10")
    choose = lambda info: table.moves.index(best.plan.move_at(info["position"]))  # noqa: E731
    assert near(played(env, choose, 1500), best.first)


def test_a_refusal_is_an_error_of_ours_and_a_value_error():
    assert issubclass(ExportError, ValueError)
    assert issubclass(MissingPackage, ImportError)
