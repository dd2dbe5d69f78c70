"""Games in sets, stage by stage: against the table of all positions, and against brute force."""

import numpy as np
import pytest

from dicelab import Moment, compile, game, solve, temptation
from dicelab.core.version import __version__
from dicelab.errors import RulesError, UnknownPosition, WrongCheckpoint
from dicelab.rounds import set_values
from dicelab.rounds.sets import one_set
from dicelab.rules.dice import Die
from dicelab.verbs import sets
from dicelab.verbs.profile import solve_profile
from dicelab.verbs.sets import SetsSolution, load_sets
from four21_match import SeatedTwin

SMALL = {"players": 3, "tokens": 3, "casts": 2, "die": Die(4)}


@pytest.fixture(autouse=True)
def every_game_by_its_sets(monkeypatch):
    monkeypatch.setattr(sets, "MOST_COMPARED", 0)


@pytest.mark.parametrize(
    ("starts", "short"),
    [("loser", "rest"), ("winner", "highest"), ("alternate", "void"), ("fixed", "rest")],
)
def test_where_nothing_is_chosen_everybody_has_the_twins_chance_at_all_tokens(starts, short):
    form = {"tokens": 4, "starts": starts, "short": short, "casts": 1}
    twin = SeatedTwin(3, sides=4, **form).solve()
    found = solve(game("421", players=3, die=Die(4), **form))
    assert isinstance(found, SetsSolution)
    for held, values in twin.items():
        assert found.by_seat("-".join(map(str, held))) == pytest.approx(list(values), abs=1e-12)
    assert found.temptation < 1e-11


@pytest.mark.parametrize("more", [{}, {"players": 4, "tokens": 2, "short": "highest"}])
def test_every_position_has_the_values_of_the_table(more):
    # Elsewhere ties may be broken otherwise, and then another equilibrium is found.
    rules = game("421", **SMALL | more)
    table = compile(rules)
    truth, found = solve_profile(table), solve(rules)
    for number in np.random.default_rng(3).choice(len(table), 60).tolist():
        at = table.position(number)
        assert found.by_seat(at) == pytest.approx(truth.by_seat(at), abs=1e-12)
        for value, (low, high) in zip(truth.by_seat(at), found.bounds_by_seat(at), strict=True):
            assert low - 1e-13 <= value <= high + 1e-13
    assert found.temptation < 1e-11


def test_nobody_gains_by_changing_as_the_table_certifies():
    rules = game("421", **SMALL | {"tokens": 1})
    found = solve(rules)

    def profile(at, threw=None):
        move = rules.moves[int(at.aside)]
        return move if threw is None else found.way_at(Moment(at, move, threw))

    assert temptation(compile(rules), profile).most <= found.temptation < 1e-12


@pytest.mark.slow
def test_eleven_tokens_are_shared_by_three():
    found = solve(game("421", players=3))
    assert found.shares == pytest.approx([0.44311388, 0.37083891, 0.37939286], abs=1e-8)
    assert found.temptation < 1e-11


@pytest.mark.slow
def test_three_tokens_have_the_values_of_the_table():
    rules = game("421", players=3, tokens=3)
    assert solve(rules).shares == pytest.approx(solve_profile(compile(rules)).shares, abs=1e-12)


def test_a_way_is_worth_what_it_leads_to_and_the_first_is_what_is_played():
    rules = game("421", **SMALL)
    found = solve(rules)
    ways = found.moves_at("0-0-0 threw 1 2 4")
    assert [way.cost for way in ways] == sorted(way.cost for way in ways)
    assert found.value_at("0-0-0 threw 1 2 4") == ways[0].value
    assert found.way_at(rules.read("0-0-0 threw 1 2 4")) == ways[0].move == "stop"


def test_a_stop_loses_no_stage_and_the_whole_file_answers(tmp_path, monkeypatch):
    rules, path = game("421", **SMALL), tmp_path / "match.npz"
    whole, made = solve(rules), []

    def stopping(*asked):
        made.append(asked[1])
        if len(made) == 14:
            raise KeyboardInterrupt
        return one_set(*asked)

    monkeypatch.setattr(set_values, "one_set", stopping)
    with pytest.raises(KeyboardInterrupt):
        solve(rules, checkpoint=path)
    with pytest.raises(WrongCheckpoint, match=r"is not complete, \d+ openings are missing: go on"):
        load_sets(path, rules)
    before = len(made)
    again = solve(rules, checkpoint=path)
    assert again.shares == pytest.approx(whole.shares, abs=1e-13)
    # one set of each stage to know the size, and those that were not done
    assert len(made) - before < len(whole.known.openings) + 4
    read = load_sets(path, rules)
    at = "1-1-0, others 211 and 421 in 2, threw 4 4 1"
    assert [way.value for way in read.moves_at(at)] == [way.value for way in again.moves_at(at)]


def test_openings_of_another_game_are_refused(tmp_path):
    path = tmp_path / "match.npz"
    solve(game("421", **SMALL)).save(path)
    other = game("421", **SMALL | {"starts": "fixed"})
    with pytest.raises(WrongCheckpoint) as refused:
        load_sets(path, other)
    assert str(refused.value) == (
        f"{str(path)!r} has the openings of 421 players=3 tokens=3 starts=loser short=rest casts=2 "
        f"die=4, by dicelab {__version__}: it cannot answer for {other}, nor go on with it; "
        f"name another file"
    )
    path.write_bytes(b"no openings")
    with pytest.raises(WrongCheckpoint, match="is no complete file of openings"):
        load_sets(path, other)


def test_openings_as_csv_have_a_row_each(tmp_path):
    found = solve(game("421", **SMALL))
    found.save(tmp_path / "match.csv")
    head, names, *rows = (tmp_path / "match.csv").read_text().splitlines()
    assert head.startswith("# {")
    assert names == "position,value 1,value 2,value 3,error"
    assert len(rows) == len(found.known.openings) == 11  # 10 while there is a pot, and 1-1-1
    assert f"1-1-1 pot 0,{found.by_seat('1-1-1')[0]!r}" in "\n".join(rows)


def test_what_no_play_comes_to_is_refused():
    found = solve(game("421", **SMALL))
    with pytest.raises(UnknownPosition) as refused:
        found.value_at("1-1-1, 2 others 421 by 2 and 411 by 3, cast 1 of 1")
    assert str(refused.value) == (
        "no play of 421 players=3 tokens=3 casts=2 die=4 leads to 1-1-1 pot 0, "
        "2 others 421 by 2 and 411 by 3, cast 1 of 1: try the start, '0-0-0 pot 3'"
    )


def test_rules_that_leave_a_choice_after_a_round_are_refused(monkeypatch):
    rules = game("421", **SMALL)
    kind = type(rules)
    stops = kind.stops
    monkeypatch.setattr(kind, "stops", lambda self, at, result: [*stops(self, at, result)] * 2)
    with pytest.raises(RulesError) as refused:
        solve(rules)
    assert str(refused.value) == (
        "421 players=3 tokens=3 casts=2 die=4 has 2 ways on from 0-0-0 pot 3 with 111: "
        "in a set there must be one"
    )
