"""Games in sets, stage by stage: against the table of all positions, and against brute force."""

from itertools import product

import numpy as np
import pytest

from dicelab import Moment, compile, game, solve, temptation
from dicelab.core.version import __version__
from dicelab.errors import RulesError, TooLarge, UnknownPosition, WrongCheckpoint
from dicelab.rounds import set_values
from dicelab.rounds.sets import one_set
from dicelab.rules.dice import Die
from dicelab.verbs import sets
from dicelab.verbs.profile import solve_profile
from dicelab.verbs.sets import SetsSolution, forecast_sets, load_sets
from four21_match import SeatedTwin, keeps_of

SMALL = {"players": 3, "tokens": 3, "casts": 2, "die": Die(4)}


@pytest.fixture(autouse=True)
def every_game_by_its_sets(monkeypatch):
    monkeypatch.setattr(sets, "MOST_COMPARED", 0)


RULES = list(product(("loser", "winner", "alternate", "fixed"), ("rest", "highest", "void")))


@pytest.mark.parametrize("tokens", [3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("starts", "short"), RULES)
def test_where_nothing_is_chosen_all_have_the_twins_chance_at_all_tokens(starts, short, tokens):
    form = {"tokens": tokens, "starts": starts, "short": short, "casts": 1}
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
@pytest.mark.parametrize(("starts", "short"), RULES)
def test_brute_force_finds_no_better_decision_under_any_rule(starts, short):
    form = {"tokens": 2, "casts": 2, "starts": starts, "short": short}
    rules = game("421", players=3, die=Die(4), **form)
    found = solve(rules)
    ask = keeps_of(rules, found.way_at)
    twin = SeatedTwin(3, sides=4, ask=ask, number=float, **form)
    openings = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    for held in openings:  # what is to be shown, and from there each set once more
        twin.known[held] = tuple(found.by_seat("-".join(map(str, held))))
    for held in openings:
        assert twin.cast(held, (), None, 2, ()) == pytest.approx(twin.known[held], abs=1e-12)
    assert twin.gained <= found.temptation + 1e-14
    assert found.temptation < 1e-11


@pytest.mark.slow
def test_eleven_tokens_are_shared_as_in_matches_that_the_twin_plays(monkeypatch):
    monkeypatch.setattr(sets, "MOST_REMEMBERED", 400)
    rules = game("421", players=3)
    found = solve(rules)
    assert found.temptation < 1e-11
    twin = SeatedTwin(3, 11, ask=keeps_of(rules, found.way_at))
    generator, many = np.random.default_rng(421), 2000
    won = np.mean([twin.played(generator) for _ in range(many)], axis=0)
    for share, value in zip(won.tolist(), found.shares, strict=True):
        assert abs(share - value) < 4 * (value * (1 - value) / many) ** 0.5


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


@pytest.mark.parametrize(
    ("form", "memory", "told"),
    [
        (  # 65 over 6 in the charge, 59 over 5 in the discharge
            {"players": 6, "tokens": 60},
            1e9,
            "421 players=6 tokens=60 has 87,605,266 openings of sets, which needs about 44 GB; "
            "the limit is 1 GB (--memory)",
        ),
        (  # at 0-0-0 each of 120 results in 1 to 3 casts: 360 rounds of 120 results
            {"players": 3, "die": Die(8)},
            4e6,
            "a set of 421 players=3 die=8 comes to its round 2 in 360 ways, which need about "
            "0.0043 GB; the limit is 0.004 GB (--memory)",
        ),
    ],
)
def test_what_would_not_fit_is_refused_before_it_is_made(form, memory, told):
    with pytest.raises(TooLarge) as refused:
        solve(game("421", **form), memory=memory)
    assert str(refused.value) == told


def test_how_much_work_a_match_is_can_be_told_before(monkeypatch):
    """With four players 120 openings of the discharge are held at once, of 12.5 MB each."""
    four = forecast_sets(game("421", players=4))
    assert four.things == "1,121 openings of sets"
    assert 1.5e9 < four.bytes < 2.1e9
    assert four.is_long
    monkeypatch.setattr(sets, "MOST_COMPARED", 10**6)
    assert forecast_sets(game("421", players=3, tokens=1)).seconds == 0  # solved on its table
