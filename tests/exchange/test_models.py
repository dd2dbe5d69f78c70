"""PRISM and Storm read our models, and find the same values, as fractions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
import stormpy

from dicelab import WIN, Game, HouseRules, best_response, compile, game, solve, where
from dicelab.errors import ExportError, TooLarge
from dicelab.exchange.objective import Objective
from dicelab.exchange.prism import prism
from dicelab.exchange.seated import seated
from dicelab.exchange.storm import drn
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, Chance, Outcome
from strange_games import Barrel, Perch


def asked(path: Any, formula: str, kind: type = stormpy.Rational) -> Any:
    """Return what Storm answers about the model in a file."""
    if path.suffix == ".drn":
        model = stormpy.build_model_from_drn[kind](str(path))
        (about,) = stormpy.parse_properties(formula)
    else:
        program = stormpy.parse_prism_program(str(path))
        (about,) = stormpy.parse_properties(formula, program)
        model = stormpy.build_model[kind](program, [about])
    answer = stormpy.model_checking(model, about, only_initial_states=True)
    return answer.get_value(model.initial_states[0])


def storms_value(table: Any, against: Any, path: Any, pieces: Any, seat: str = "first") -> Fraction:
    """Return the value of a game as Storm finds it, exactly."""
    path.write_text("".join(pieces))
    goal = Objective(seated(table, against, seat))
    return Fraction(goal.value(Fraction(str(asked(path, goal.formula)))))


FIXED = [
    ("pig", {"target": 10}, "hold-at:4"),
    ("pig", {"target": 6}, "random"),
    ("pig", {"target": 10, "passing": True}, "skip-when-level:5"),
    ("pig", {"target": 20}, "end-race-or-keep-pace"),
    ("two-dice-pig", {"target": 8}, "hold-at:6"),
    ("big-pig", {"target": 12}, "hold-at:10"),
    ("piglet", {"target": 5}, "optimal"),
    ("dice-battle", {"dice": 3, "target": 8}, "blind"),
    ("dice-battle", {"dice": 2, "target": 5, "variant": "simultaneous"}, "blind:2"),
    ("dice-battle", {"dice": 2, "target": 4, "variant": "simultaneous-zero"}, "random"),
    ("greed", {"max": 8, "sides": 3}, "aim-at"),
    ("greed", {"max": 6, "sides": 4, "tie": "1/3"}, "random"),
]


@pytest.mark.parametrize(("name", "parameters", "against"), FIXED)
def test_storm_finds_the_best_reply_as_the_same_fraction(name, parameters, against, tmp_path):
    table = compile(game(name, **parameters))
    ours = best_response(table.game, against, exact=True).solution.value
    for ending, write in ((".prism", prism), (".drn", drn)):
        pieces = write(table, against)
        assert storms_value(table, against, tmp_path / f"model{ending}", pieces) == ours


@pytest.mark.parametrize(
    "parameters", [{"target": 12}, {"target": 8, "turns": 2}, {"target": 6, "die": "3"}]
)
def test_storm_plays_alone_as_well_as_we_do(parameters, tmp_path):
    table = compile(game("solo-pig", **parameters))
    ours = solve(table.game, exact=True).value
    for ending, write in ((".prism", prism), (".drn", drn)):
        assert storms_value(table, None, tmp_path / f"model{ending}", write(table)) == ours


def test_storm_finds_the_closed_form_of_solo_pig_to_two(tmp_path):
    # v = 1 + v/6, so v = 6/5 turns.
    table = compile(game("solo-pig", target=2))
    assert storms_value(table, None, tmp_path / "solo.prism", prism(table)) == Fraction(6, 5)


def test_going_second_is_what_the_opponent_leaves(tmp_path):
    # The reply goes second: it wins whatever the opponent, going first, does not.
    table = compile(game("pig", target=10))
    reply = best_response(table.game, "hold-at:4", exact=True)
    for ending, write in ((".prism", prism), (".drn", drn)):
        pieces = write(table, "hold-at:4", "second")
        found = storms_value(table, "hold-at:4", tmp_path / f"m{ending}", pieces, "second")
        assert found == 1 - reply.second


@pytest.mark.parametrize(("name", "parameters", "against"), FIXED[:3])
def test_rules_as_formulas_say_what_every_position_says(name, parameters, against, tmp_path):
    table = compile(game(name, **parameters))
    found = {
        storms_value(table, against, tmp_path / "m.prism", prism(table, against, explicit=explicit))
        for explicit in (False, True)
    }
    assert len(found) == 1


def test_storm_in_floats_is_within_its_own_precision(tmp_path):
    table = compile(game("pig", target=30))
    path = tmp_path / "pig.prism"
    path.write_text("".join(prism(table, "hold-at:10")))
    ours = best_response(table.game, "hold-at:10").solution.value
    # Storm's default precision is 1e-6, relative.
    assert asked(path, 'Pmax=? [F "paid"]', float) == pytest.approx(ours, rel=1e-6)


def by_value_iteration(model: Any) -> float:
    """Return the value of a stochastic game that Storm built, by sweeps over Storm's own matrix."""
    matrix, players = model.transition_matrix, model.get_state_player_indications()
    paid = set(model.labeling.get_states("paid"))
    moves = [
        [
            [(entry.column, float(entry.value)) for entry in matrix.get_row(row)]
            for row in range(matrix.get_row_group_start(state), matrix.get_row_group_end(state))
        ]
        for state in range(model.nr_states)
    ]
    value = [1.0 if state in paid else 0.0 for state in range(model.nr_states)]
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, rows in enumerate(moves):
            if state in paid:
                continue
            best = (max, min)[players[state]](
                sum(chance * value[after] for after, chance in row) for row in rows
            )
            change, value[state] = max(change, abs(best - value[state])), best
    return value[model.initial_states[0]]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("pig", {"target": 8}),
        ("two-dice-pig", {"target": 6}),
        ("dice-battle", {"dice": 2, "target": 6}),
        ("greed", {"max": 6, "sides": 3}),
    ],
)
def test_storm_reads_the_game_of_two_players(name, parameters, tmp_path):
    # Storm builds the game but does not solve it, so the test does, from what Storm built. PAYNT,
    # which does solve it, is asked in benchmarks/peers.
    table = compile(game(name, **parameters))
    path = tmp_path / "game.prism"
    path.write_text("".join(prism(table)))
    program = stormpy.parse_prism_program(str(path))
    goal = Objective(seated(table))
    model = stormpy.build_model(program, stormpy.parse_properties(goal.formula, program))
    found = goal.value(by_value_iteration(model))
    assert found == pytest.approx(solve(table.game).value, abs=1e-11)


# A choice after the throw is a state of its own.


def test_throws_that_never_leave_a_choice_are_written_out_position_by_position(tmp_path):
    table = compile(game("ur", pieces=1).starting("0-0 13/14"))
    assert not table.has_choices
    pieces = list(prism(table, "random"))
    assert "0-0 13/14, first to move" in "".join(pieces)
    assert storms_value(table, "random", tmp_path / "model.prism", pieces) == Fraction(116, 161)


@pytest.mark.parametrize("against", ["random", "optimal", "press-below:3"])
def test_storm_chooses_after_the_throw_as_we_do(against, tmp_path):
    table = compile(Perch())
    ours = best_response(table, against, exact=True).solution.value
    for ending, write in ((".prism", prism), (".drn", drn)):
        pieces = list(write(table, against))
        assert "mine=0 yours=0 risk=0 threw 3, first to move" in "".join(pieces)
        assert storms_value(table, against, tmp_path / f"model{ending}", pieces) == ours


def test_house_rules_with_a_choice_after_the_throw(tmp_path):
    table = compile(Barrel())
    for seat in ("first", "second"):
        reply = best_response(table, "random", exact=True)
        ours = reply.first if seat == "first" else 1 - reply.second
        pieces = drn(table, "random", seat)
        assert storms_value(table, "random", tmp_path / "model.drn", pieces, seat) == ours


@pytest.mark.parametrize("rules", [Perch(), Barrel()], ids=str)
def test_storm_reads_two_players_who_choose_after_the_throw(rules, tmp_path):
    table = compile(rules)
    path = tmp_path / "game.prism"
    path.write_text("".join(prism(table)))
    program = stormpy.parse_prism_program(str(path))
    goal = Objective(seated(table))
    model = stormpy.build_model(program, stormpy.parse_properties(goal.formula, program))
    found = goal.value(by_value_iteration(model))
    assert found == pytest.approx(solve(rules).value, abs=1e-11)


def test_more_states_than_memory_has_room_for_are_refused():
    table = compile(Perch())
    with pytest.raises(TooLarge) as refused:
        seated(replace(table, memory=20_000))
    assert str(refused.value) == (
        f"{Perch()} has 198 positions, which needs about 27.3 kB; the limit is 20 kB (--memory)"
    )


# Rules that are read, and rules that cannot be.


class Heap(NamedTuple):
    """How many are left, and whether the last throw was a head."""

    left: int
    head: int


@dataclass(frozen=True)
class Crumbling(Game):
    """Take one or two; the more are left, the likelier two come off. Who takes the last wins."""

    heap: int = 5
    name: ClassVar[str] = "crumbling"
    moves: ClassVar[tuple[str, ...]] = ("take", "max")  # a word that PRISM keeps for itself

    def start(self) -> Heap:
        return Heap(self.heap, 0)

    def legal(self, at: Any, move: str) -> Any:
        return at.left >= 1 if move == "take" else (at.left >= 2) & ~(at.head == 1)

    def outcomes(self, at: Any, move: str) -> Iterator[Any]:
        if move == "take":
            yield Outcome(1, Heap(at.left - 1, 0 * at.left), OTHER)
            return
        two = where(at.left > 7, 7, at.left)
        after = where(at.left >= 2, at.left - 2, 0)
        yield Outcome(Chance(two, 8), Heap(after, 0 * at.left), OTHER)
        yield Outcome(Chance(8 - two, 8), Heap(at.left, 0 * at.left + 1), SAME)

    def result(self, at: Any) -> Any:
        return where(at.left <= 0, LOSS, ONGOING)


def test_chances_that_depend_on_the_position_are_formulas_too(tmp_path):
    table = compile(Crumbling())
    text = "".join(prism(table, "random", explicit=False))
    assert "s : [0.." in text  # a strategy that mixes is no formula
    take = lambda at: "take"  # noqa: E731
    text = "".join(prism(table, take))
    assert "    (left>7?7:left)/8 : (left'=left>=2?left-2:0) & (head'=0) & (seat'=1-seat)\n" in text
    assert "[max__first] seat=0 & going & left>=2 & head!=1 ->" in text
    ours = best_response(table.game, take, exact=True).solution.value
    assert storms_value(table, take, tmp_path / "m.prism", prism(table, take)) == ours


@dataclass(frozen=True)
class TwoFaced(Crumbling):
    """Rules that would tell a formula something else than they tell an array."""

    def result(self, at: Any) -> Any:
        if isinstance(at.left, int | np.integer | np.ndarray):
            return where(at.left <= 0, LOSS, ONGOING)
        return where(at.left <= 1, LOSS, ONGOING)


def test_formulas_that_contradict_the_table_are_not_used():
    text = "".join(prism(compile(TwoFaced())))
    assert "s : [0.." in text
    assert "formula" not in text


@dataclass(frozen=True)
class Coins(HouseRules):
    """Toss until a head: positions that are plain text."""

    name: ClassVar[str] = "coins"
    players: ClassVar[int] = 1
    longest: int = 3

    def start(self) -> str:
        return "-"

    def choices(self, at: str) -> tuple[str, ...]:
        return ("toss it",)

    def outcomes(self, at: str, move: str) -> Iterator[Any]:
        yield Outcome(Fraction(1, 3), "H", SAME)
        yield Outcome(Fraction(2, 3), at + "-", SAME)

    def result(self, at: str) -> int:
        return WIN if at == "H" else LOSS if len(at) > self.longest else ONGOING


def test_house_rules_are_written_out_position_by_position(tmp_path):
    # A head within three tosses: 1 - (2/3)^3.
    table = compile(Coins())
    text = "".join(prism(table))
    assert "[toss_it] s=0 -> " in text
    for ending, write in ((".prism", prism), (".drn", drn)):
        found = storms_value(table, None, tmp_path / f"m{ending}", write(table))
        assert found == Fraction(19, 27)


@dataclass(frozen=True)
class Collected(HouseRules):
    """Toss as long as you like, for a point each; tails and nothing is left."""

    name: ClassVar[str] = "collected"
    players: ClassVar[int] = 1
    unit: ClassVar[str] = "points"
    worth: ClassVar[Any] = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))

    def start(self) -> int:
        return 0

    def choices(self, at: int) -> list[str]:
        return ["toss", "stop"]

    def outcomes(self, at: int, move: str) -> Iterator[Any]:
        if move == "stop":
            yield 1, -1, SAME, at
        else:
            yield Fraction(2, 3), min(at + 1, 5), SAME, 0
            yield Fraction(1, 3), -1, SAME, 0

    def result(self, at: int) -> int:
        return WIN if at < 0 else ONGOING


def test_points_gained_where_all_ends_are_worth_the_same(tmp_path):
    # Stopping at n brings n; one toss more brings 2/3 (n + 1): go on up to 2, for 2 (2/3)^2.
    table = compile(Collected())
    assert solve(table, exact=True).value == Fraction(8, 9)
    for ending, write in ((".prism", prism), (".drn", drn)):
        found = storms_value(table, None, tmp_path / f"m{ending}", write(table))
        assert found == Fraction(8, 9)


@dataclass(frozen=True)
class Rare(Coins):
    """One toss of a coin that hardly ever shows a head."""

    longest: int = 1

    def outcomes(self, at: str, move: str) -> Iterator[Any]:
        rarely = Fraction(1, 10**20 + 39)
        yield Outcome(rarely, "H", SAME)
        yield Outcome(1 - rarely, at + "-", SAME)


def test_numbers_too_long_for_prism_are_written_with_a_point(tmp_path):
    # Chances over 10^20 + 39, which has 67 bits.
    table = compile(Rare())
    text = "".join(prism(table))
    assert "1/100000000000000000039.0 : (s'=" in text
    for ending, write in ((".prism", prism), (".drn", drn)):
        found = storms_value(table, None, tmp_path / f"m{ending}", write(table))
        assert found == Fraction(1, 10**20 + 39)


# What cannot be said.


def refusal(make: Any) -> str:
    with pytest.raises(ExportError) as refused:
        list(make())
    return str(refused.value)


def test_storms_explicit_format_is_for_one_player():
    table = compile(game("pig", target=5))
    assert refusal(lambda: drn(table)) == (
        "storm's explicit format knows one player, and pig target=5 is for two: fix one with "
        "--against STRATEGY, or export it --to prism"
    )


def test_moves_made_at_once_are_no_smg():
    table = compile(game("dice-battle", dice=2, target=4, variant="simultaneous"))
    assert refusal(lambda: prism(table)) == (
        "both players of dice-battle dice=2 target=4 variant=simultaneous move at once, which no "
        "smg can say: fix one with --against STRATEGY, or export it --to openspiel or pettingzoo"
    )


def test_players_who_do_not_share_one_pot_are_no_smg():
    # A tie worth a quarter to both: half of the pot is gone.
    table = compile(game("greed", max=4, sides=3, tie="1/4"))
    assert refusal(lambda: prism(table)) == (
        "greed max=4 die=3 tie=1/4 is no game over one pot, where one player gets what the other "
        "loses: fix one player with --against STRATEGY"
    )


def test_nobody_plays_against_a_player_alone():
    table = compile(game("solo-pig", target=5))
    assert refusal(lambda: prism(table, "hold-at:3")) == (
        "solo-pig target=5 is played alone: there is nobody to play against"
    )


def test_a_seat_is_first_or_second():
    table = compile(game("pig", target=5))
    assert refusal(lambda: prism(table, "hold-at:3", "third")) == (
        "a seat is first or second: got 'third'"
    )
