"""The match of 421 for three and more, against rules told again without the package."""

import json
from itertools import product

import pytest
from typer.testing import CliRunner

from dicelab import compile, evaluate, game, report, simulate, solve
from dicelab.console.app import app
from dicelab.errors import TooLarge, UnknownPosition
from dicelab.plots.kinds import draw
from dicelab.rules.dice import Die
from dicelab.verbs.check import check
from four21_match import SeatedTwin, keeps_of


def match(**given):
    return game("421", players=3, **given)


@pytest.mark.parametrize(
    ("starts", "short"),
    list(product(("loser", "winner", "alternate", "fixed"), ("rest", "highest", "void"))),
)
def test_where_nothing_is_chosen_everybody_has_the_twins_chance_at_all_tokens(starts, short):
    form = {"tokens": 3, "starts": starts, "short": short, "casts": 1}
    twin = SeatedTwin(3, sides=4, **form).solve()
    found = solve(match(die=Die(4), **form))
    for held, values in twin.items():
        assert found.by_seat("-".join(map(str, held))) == pytest.approx(list(values), abs=1e-12)
    assert found.temptation < 1e-12


@pytest.mark.slow
def test_every_decision_is_best_and_worth_what_brute_force_says_in_rationals():
    rules = match(tokens=1, casts=2, die=Die(4))
    found = solve(rules)
    twin = SeatedTwin(3, 1, casts=2, sides=4, ask=keeps_of(rules, found.plan.move_at))
    truth = twin.value((0, 0, 0))
    for value, (low, high) in zip(truth, found.bounds_by_seat("0-0-0"), strict=True):
        assert low <= value <= high
    assert twin.gained <= found.temptation < 1e-12


def test_three_with_one_token_are_certified_in_their_own_dice():
    found = solve(match(tokens=1))
    assert found.temptation < 1e-12
    assert sum(found.shares) == pytest.approx(2, abs=1e-12)  # all but the lowest have won


def test_several_win_together_in_evaluations_and_in_games_played():
    table = compile(match(tokens=2, casts=2, die=Die(4)))
    found = evaluate(table, "transfer", ["beat", "random"])
    assert all(1 < sum(wins) < 2 for wins in found.wins)
    assert found.by_starter == found.wins
    played = simulate(table, "transfer", ["beat", "random"], games=20_000, seed=1)
    for starter in range(3):
        for seat in range(3):
            share, truth = played.won(seat, starter), found.wins[starter][seat]
            assert abs(share.value - truth) < 4 * (truth * (1 - truth) / share.games) ** 0.5
    assert played.got(0).value == pytest.approx(played.won(0).value)
    assert played.started.sum() == 20_000


@pytest.mark.parametrize(
    "form",
    [
        {"tokens": 2, "casts": 2, "die": Die(4)},
        {"tokens": 3, "casts": 2, "die": Die(4), "short": "highest"},
        {"tokens": 3, "casts": 1, "starts": "winner"},
    ],
)
def test_the_sizes_are_known_before_the_work(form):
    rules = match(**form)
    table = compile(rules)
    assert rules.size() == len(table)
    assert rules.size() * rules.branching() == pytest.approx(table.target.size)


def test_what_is_too_large_is_refused_before_the_work():
    with pytest.raises(TooLarge) as refused:
        solve(match(), memory=10**8)
    assert str(refused.value) == (
        "421 players=3 has 331 openings of sets, which needs about 0.21 GB; "
        "the limit is 0.1 GB (--memory)"
    )
    with pytest.raises(TooLarge) as refused:
        report(match(), memory=8 * 10**9)
    assert "which needs about 44.7 GB; the limit is 8 GB" in str(refused.value)
    with pytest.raises(TooLarge) as refused:  # what verbs need that follow play on a table
        compile(match(), memory=32 * 10**9)
    assert str(refused.value) == (
        "421 players=3 has about 3.4e+07 positions, which needs about 44.7 GB; "
        "the limit is 32 GB (--memory)"
    )


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("3-0-2", "3-0-2 pot 6"),
        ("3-0-2, the other threw 654 in 2", "3-0-2 pot 6, other 654, cast 1 of 2"),
        # who threw first sits next; while tokens come from the pot only the worth counts
        (
            "3-0-2, others threw 654 and 321 in 2 casts, threw 421",
            "3-0-2 pot 6, 2 others 321 by 3 and worth 2, cast 1 of 2 threw 1 2 4",
        ),
        (
            "3-3-5, others 321 and 654 in 3, 4 aside, 1 left",
            "3-3-5 pot 0, 2 others 321 by 2 and 654 by 3, 4 aside, cast 3 of 3",
        ),
        # of equal ones the last is the lowest
        (
            "3-3-5, others 654 and 654 in 2",
            "3-3-5 pot 0, 2 others 654 by 3 and 654 by 2, cast 1 of 2",
        ),
    ],
)
def test_positions_of_three_are_written_and_read(asked, written):
    rules = match()
    at = rules.read(asked)
    assert rules.write(at) == written
    assert rules.read(written) == at


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("1-2", "421 players=3 is played by 3: got the tokens of 2 in '1-2'"),
        ("9-9-9", "9, 9 and 9 tokens are more than there are in 421 players=3: 11 in all"),
        (
            "1-2-3, others 654 654 654 in 2",
            "421 players=3 is played by 3, so that at most 2 others threw before: "
            "got 3 in '1-2-3, others 654 654 654 in 2'",
        ),
    ],
)
def test_what_cannot_be_among_three_is_refused_in_a_sentence(asked, message):
    with pytest.raises(UnknownPosition) as refused:
        match().read(asked)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("command", "what"),
    [("worth", "what each result is worth"), ("costs", "what a strategy gives away")],
)
def test_what_is_told_of_a_match_for_two_is_refused_to_three(command, what):
    import dicelab.games.four21.commands_421  # noqa: F401

    answer = CliRunner().invoke(app, ["421", command, "players=3", "tokens=1"])
    told = answer.exception if answer.exception and str(answer.exception) != "1" else answer.output
    assert f"421 players=3 tokens=1 is played by 3: {what} is told of a match for two" in str(told)


def test_three_are_told_what_to_keep_from_a_file(tmp_path):
    import dicelab.games.four21.commands_421  # noqa: F401

    rules, known = ["players=3", "tokens=2", "casts=2", "die=4"], str(tmp_path / "known.sets")
    opening = solve(match(tokens=2, casts=2, die=Die(4)), checkpoint=known)
    answer = CliRunner().invoke(app, ["421", "keep", "0-0-0", *rules, "--known", known, "--json"])
    told = json.loads(answer.output)
    assert sum(each["chance"] for each in told["throws"]) == pytest.approx(1)
    mean = sum(each["chance"] * each["value"] for each in told["throws"])
    assert mean == pytest.approx(opening.value, abs=1e-11)


def test_a_file_is_for_three_and_more():
    import dicelab.games.four21.commands_421  # noqa: F401

    answer = CliRunner().invoke(app, ["421", "keep", "tokens=1", "--known", "known.sets"])
    told = answer.exception if answer.exception and str(answer.exception) != "1" else answer.output
    assert "--known is for three players and more: two are solved in seconds" in str(told)


@pytest.mark.parametrize("kind", ["map", "ladder", "length"])
def test_figures_that_need_the_table_of_three_are_refused_before_the_work(kind, monkeypatch):
    monkeypatch.setattr("dicelab.rounds.set_values.set_values", None)  # what would take a minute
    monkeypatch.setattr("dicelab.table.compiler.memory_limit", lambda: 10**10)
    with pytest.raises(TooLarge) as refused:
        draw("421", kind, ["players=3"])
    assert str(refused.value) == (
        "421 players=3 has about 3.4e+07 positions, which needs about 44.7 GB; "
        "the limit is 10 GB (--memory)"
    )


def test_nothing_is_wrong_with_the_rules_of_three():
    assert check(match(tokens=1, casts=1, die=Die(4))).findings == ()
