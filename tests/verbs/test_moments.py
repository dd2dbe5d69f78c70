"""The moment after a throw: asked about, explained and counted like any position."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from typer.testing import CliRunner

from dicelab import Moment, compile, density, explain, game, plan, simulate, solve
from dicelab.cli import app
from dicelab.core.results import OTHER
from dicelab.errors import IllegalMove, RulesError, UnreadablePosition
from dicelab.strategies.ways import folded_plan, unfolded_plan
from dicelab.table.unfolded import unfolded_table
from strange_games import Barrel, Perch, Stake

GAMES = (Perch(), Barrel())


def moments(table):
    there = unfolded_table(table)
    return [there.position(number) for number in there.whole.moment.tolist()]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_moment_is_read_as_it_is_written(game):
    found = moments(compile(game))
    assert len(found) > 20
    for moment in found:
        assert game.read(game.write(moment)) == moment


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_unfolded_table_is_the_same_game(game):
    table = compile(game)
    there = unfolded_table(table)
    folded, whole = solve(table, exact=True), solve(there, exact=True)
    assert len(there) == len(table) + len(moments(table))
    assert not there.has_choices
    for number in range(len(there)):
        at = there.position(number)
        assert there.number(at) == there.number(there.notation(number)) == number
        if there.is_ongoing[number]:
            assert there.legal_moves(number) == game.legal_moves(at)
            assert folded.moves_at(at) == whole.moves_at(at)
            assert folded.value_at(at) == whole.value_at(at)
            assert folded.plan.move_at(at) == unfolded_plan(folded.plan).move_at(at)
    for strategy in ("random", "optimal"):
        made = plan(table, strategy)
        assert folded_plan(unfolded_plan(made)).fingerprint == made.fingerprint


def comings(game, plans):
    """Return how likely each moment of a game without circles is met, by who throws, and seats."""
    found = defaultdict(Fraction)

    def follow(at, seat, chance):
        if not isinstance(at, Moment) and game.result(at):
            return
        if isinstance(at, Moment):
            found[seat, at] += chance
        answer = plans[seat].move_at(at)
        shares = {answer: Fraction(1)} if isinstance(answer, str) else answer
        for move, share in shares.items():
            for part, outcome in game.law(at, move):
                after = 1 - seat if outcome.mover == OTHER else seat
                follow(outcome.at, after, chance * share * part)

    follow(game.start(), 0, Fraction(1))
    return found


def test_visits_of_moments_are_those_of_the_whole_tree():
    # No position of Barrel comes twice, so that every visit is a first one.
    table = compile(Barrel())
    plans = plan(table, "random"), plan(table, "optimal")
    counted, found = comings(table.game, plans), density(table, *plans)
    assert len(counted) > 20
    for seat in (0, 1):
        for moment in moments(table):
            expected = float(counted[seat, moment])
            assert found.visits_at(moment, seat) == pytest.approx(expected, abs=1e-12)
            assert found.ever_at(moment, seat) == pytest.approx(expected, abs=1e-12)


def test_where_play_goes_round_moments_are_counted_as_positions_are():
    table = compile(Perch())
    there = unfolded_table(table)
    mine, yours = plan(table, "random"), plan(table, "press-below:3")
    found = density(table, mine, yours)
    whole = density(there, unfolded_plan(mine), unfolded_plan(yours))
    again = 0
    for seat in (0, 1):
        for moment in moments(table):
            assert found.visits_at(moment, seat) == pytest.approx(
                whole.visits_at(moment, seat), abs=1e-12
            )
            ever = found.ever_at(moment, seat)
            assert ever == pytest.approx(whole.ever_at(moment, seat), abs=1e-12)
            again += ever < found.visits_at(moment, seat) - 1e-6
    assert again > 5  # two who throw a 1 come back


def test_ties_after_a_throw_are_data():
    solution, found = solve(Barrel(), exact=True), set()
    for moment in moments(solution.table):
        worth = [way.value for way in solution.moves_at(moment)]
        tied = worth.count(max(worth)) > 1
        found.add(tied)
        assert {way.status for way in solution.moves_at(moment)} == (
            {"tied"} if tied else {"best", "worse"}
        )
    assert found == {True, False}


def test_explain_tells_the_ways_in_text_and_numbers():
    # Of two matches, to take both wins; to leave one loses, since every throw takes it.
    found = explain(solve(Barrel(), exact=True), "(2, 'used') threw 2")
    assert [(way.move, way.value) for way in found.moves] == [("take 2", 1), ("take 1", 0)]
    assert found.sentence == "Take 2. Taking 1 would cost you 100.0% of the game."


def test_the_command_knows_what_the_dice_show(monkeypatch):
    monkeypatch.syspath_prepend("tests")
    asked = ["explain", "strange_games:Barrel", "(2, 'used') roll threw 3"]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[0].startswith(
        "strange_games:Barrel at (2, 'used') threw 3: 100"
    )
    assert [line.split()[:2] for line in told.stdout.splitlines()[2:4]] == [
        ["take", "2"],
        ["take", "1"],
    ]


def test_a_throw_that_cannot_be_is_refused():
    game = Perch()
    with pytest.raises(UnreadablePosition) as trouble:
        game.read("mine=0 yours=0 risk=0 threw 7")
    assert str(trouble.value) == "no throw at mine=0 yours=0 risk=0 shows '7'"
    with pytest.raises(IllegalMove) as trouble:
        solve(game).moves_at(Moment(Stake(0, 0, 0), "hold", (2,)))
    assert str(trouble.value) == "no throw at mine=0 yours=0 risk=0 shows 2"
    with pytest.raises(IllegalMove) as trouble:
        unfolded_table(compile(game)).number(Moment(Stake(0, 0, 0), "throw", (7,)))
    assert str(trouble.value) == "no throw at mine=0 yours=0 risk=0 shows 7"


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("pair", [("optimal", "random"), ("random", "random")])
def test_records_of_throws_and_ways_are_the_games_that_a_walk_plays(game, pair):
    table = compile(game)
    walked = simulate(table, *pair, games=400, seed=5, by="moves")
    written = simulate(table, *pair, games=400, seed=5, records=True)
    assert written.tally.as_lists() == walked.tally.as_lists()
    chosen = 0
    for record in written.records:
        at, seat = game.start(), record.starter
        for place, made in enumerate(record.moves):
            assert (made.player, made.position) == (seat, game.write(at))
            later = [*(one.position for one in record.moves[place + 1 :]), record.final][0]
            found = [o for _, o in game.law(at, made.move) if game.write(o.at) == later]
            chosen += isinstance(at, Moment)
            at = found[0].at
            seat = "AB"[(seat == "B") ^ (found[0].mover == OTHER)]
        assert game.result(at)
    assert chosen > 400


@dataclass(frozen=True)
class Fickle(Perch):
    """The same, told of a single position the other way round."""

    def ways(self, at, move, dice):
        told = list(super().ways(at, move, dice))
        yield from told if isinstance(at.mine, np.ndarray) else told[::-1]


def test_rules_that_change_the_order_of_ways_are_refused():
    # Otherwise the names of the ways would stand beside each other's values. Another game that is
    # named at the terminal leaves the name of this one alone, though it is made from that.
    game("strange_games:Perch")
    solution = solve(Fickle())
    with pytest.raises(RulesError) as refused:
        solution.moves_at("mine=0 yours=0 risk=0 threw 3")
    assert str(refused.value) == (
        "the rules of Fickle tell what follows throw at mine=0 yours=0 risk=0 in another order "
        "than for arrays of positions: yield outcomes and ways in one order, whatever the position"
    )
