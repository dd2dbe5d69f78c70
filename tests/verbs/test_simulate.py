"""Simulation agrees with the exact answers, and with itself however it is run."""

import dataclasses
import itertools
import tracemalloc
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from dicelab import all_games, compile, density, game, plan
from dicelab.errors import RulesError, TooLarge, UnknownStrategy
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, HouseRules
from dicelab.strategies.matchup import Pairing
from dicelab.strategies.named import GENERAL
from dicelab.verbs.evaluate import move_by_move, turn_by_turn
from dicelab.verbs.playback import recorded
from dicelab.verbs.simulate import BLOCK, check, simulate
from forms import SMALL as FORMS

SMALL = {"target": 10, "max": 8, "dice": 2}
"""Parameters that make a game small, for those that have them."""


@dataclass(frozen=True)
class Loop(HouseRules):
    """A coin that may come back to the same position within a turn, and a draw."""

    name = "loop"

    def start(self):
        return 0

    def choices(self, at):
        return ["throw", "wait"]

    def outcomes(self, at, move):
        if move == "wait":
            yield 1, 0, OTHER
            return
        yield Fraction(1, 2), 0, SAME
        yield Fraction(1, 4), 1, SAME
        yield Fraction(1, 8), 2, OTHER
        yield Fraction(1, 8), 0, OTHER

    def result(self, at):
        return [ONGOING, WIN, DRAW][at]


def small_of(name):
    """Return the parameters that make a game small."""
    known = all_games()[name]().parameters
    taken = {key: value for key, value in SMALL.items() if key in known}
    taken = {key: value for key, value in taken.items() if key != "dice" or "variant" in known}
    return taken or FORMS.get(name, [{}])[0]


def forms():
    """Every registered game, small, with passing where it may pass and in all its variants."""
    made = []
    for name, kind in all_games().items():
        parameters, small = kind().parameters, small_of(name)
        made.append(game(name, **small))
        if "variant" in parameters:
            made += [game(name, **small, variant=v) for v in ("zero", "simultaneous-zero")]
        if "passing" in parameters:
            made.append(game(name, **small, passing=True))
        if "turns" in parameters:
            made.append(game(name, **small, turns=4))
    return [*made, Loop()]


def pairs_of(table):
    """Every pair of a game's named strategies, or every one of a game played alone."""
    plans = []
    for name in [*table.game.strategies, *GENERAL]:
        try:
            plans.append(plan(table, name))
        except UnknownStrategy:  # it needs a rule that this form leaves out
            continue
    return list(itertools.product(plans, repeat=table.game.players))


@pytest.mark.parametrize("form", forms(), ids=str)
def test_every_pair_of_named_strategies_comes_within_four_standard_errors(form):
    # The exact chances come from the chain that `evaluate` solves, which draws nothing. The seed is
    # one; with other seeds one check in 16,000 is expected beyond four.
    table = compile(form)
    for number, pair in enumerate(pairs_of(table)):
        for by in (None, "moves"):
            found = simulate(table, *pair, games=1000, seed=number, by=by, most_turns=10**6)
            assert found.stopped == 0
            assert max(each.standard_errors for each in check(found)) < 4, (pair, by)


@pytest.mark.parametrize("form", forms(), ids=str)
def test_the_walk_by_moves_plays_the_games_that_the_rules_play(form):
    # The record asks the rules at each position; the walk reads the table. Same draws, same games.
    table = compile(form)
    for pair in pairs_of(table)[::3]:
        walked = simulate(table, *pair, games=4, seed=5, by="moves", most_turns=300)
        written = simulate(table, *pair, games=4, seed=5, records=True, most_turns=300)
        assert written.tally.as_lists() == walked.tally.as_lists(), pair


@pytest.mark.parametrize("name", all_games())
def test_a_million_positions_or_ten_the_lengths_are_those_of_the_density(name):
    form = game(name, **small_of(name))
    if form.players == 1:
        found, exact = simulate(form, "random", games=4000), density(form, "random")
    else:
        found = simulate(form, "random", "random", games=4000)
        exact = density(form, "random", "random")
    turns = np.arange(1, exact.lengths.size + 1)
    spread = float((exact.lengths * (turns - exact.mean_length) ** 2).sum()) ** 0.5
    assert abs(found.mean_length - exact.mean_length) <= 4 * spread / 4000**0.5
    assert int(found.lengths.sum()) == 4000


@pytest.mark.parametrize("by", ["turns", "moves"])
def test_the_number_of_workers_changes_nothing(by):
    table = compile(game("pig", target=30))
    found = [
        simulate(table, "hold-at:10", "random", games=3 * BLOCK + 7, seed=4, by=by, workers=workers)
        for workers in (1, 2, 3)
    ]
    assert found[0].tally.as_lists() == found[1].tally.as_lists() == found[2].tally.as_lists()
    assert found[0].starts == (3 * BLOCK // 2 + 4, 3 * BLOCK // 2 + 3)


def test_another_seed_gives_other_games():
    one, two = (simulate(game("piglet"), "optimal", "random", 2000, seed) for seed in (1, 2))
    assert one.tally.as_lists() != two.tally.as_lists()


@pytest.mark.parametrize("name", ["pig", "piglet", "big-pig", "two-dice-pig"])
def test_turn_by_turn_the_chances_are_those_of_the_whole_chain(name):
    table = compile(game(name, target=25, passing=True))
    for a, b in [("hold-at:8", "random"), ("roll-to-win", "optimal"), ("skip-when-level:9",) * 2]:
        plans = plan(table, a), plan(table, b)
        *turns, turns_error = turn_by_turn(table, plans)
        *moves, moves_error = move_by_move(Pairing(table, plans))
        for one, other in zip(turns, moves, strict=True):
            off = np.abs(np.subtract(dataclasses.astuple(one), dataclasses.astuple(other)))
            assert off.max() <= turns_error + moves_error < 1e-9


def test_two_who_wait_for_each_other_are_found_out_at_once():
    # Section 2.3.4 of the Exeter study: about a quarter of these games are stalemates.
    found = simulate(game("pig", passing=True), "skip-when-level", "skip-when-level", 20_000)
    assert 0.2 < found.never_ended / found.games < 0.25
    assert found.stopped == 0


def test_a_long_game_is_stopped_at_the_turn_limit_and_counted():
    # Rolling to 60 in one turn with a coin of two faces has a chance of 2^-60.
    found = simulate(
        game("piglet", target=60), "roll-to-win", "roll-to-win", games=50, most_turns=100
    )
    assert (found.stopped, found.never_ended, found.games) == (50, 50, 50)
    assert np.isnan(found.mean_length)
    assert found.quantile(0.5) is None


def test_a_turn_that_never_passes_is_found_out_too():
    @dataclass(frozen=True)
    class Stuck(HouseRules):
        name = "stuck"

        def start(self):
            return 0

        def choices(self, at):
            return ["wait", "win"]

        def outcomes(self, at, move):
            yield 1, 0 if move == "wait" else 1, SAME

        def result(self, at):
            return WIN if at else ONGOING

    found = simulate(Stuck(), lambda at: "wait", lambda at: "win", games=10)
    assert (found.never_ended, found.stopped, found.second.value) == (5, 0, 1.0)


def test_memory_does_not_grow_with_the_number_of_games():
    table = compile(game("pig", target=20))
    simulate(table, "hold-at:9", "turtle", games=10)
    peaks = []
    for blocks in (2, 40):
        tracemalloc.start()
        simulate(table, "hold-at:9", "turtle", games=blocks * BLOCK, workers=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_a_plain_function_and_a_mixing_one_play_too():
    def timid(at):
        return "hold" if at.at_risk else "roll"

    def wavers(at):
        return {"roll": Fraction(1, 3), "hold": Fraction(2, 3)} if at.at_risk else "roll"

    for by in ("turns", "moves"):
        found = simulate(game("pig", target=12), timid, wavers, games=20_000, by=by)
        assert max(each.standard_errors for each in check(found)) < 4


def test_records_tell_every_move():
    found = simulate(game("pig", target=12), "hold-at:6", "random", games=50, seed=2, records=True)
    assert [record.starter for record in found.records[:3]] == ["A", "B", "A"]
    for record in found.records:
        assert record.moves[0].position == "0-0 +0"
        assert record.winner in "AB"
        assert record.moves[-1].move == "roll"  # as soon as the target is reached, it is over
        assert record.moves[-1].player == record.winner
    wins = sum(record.winner == "A" for record in found.records)
    assert wins == found.tally.ends[:, 0].sum()


def test_solo_games_give_a_mean_with_its_interval():
    # A race to 2 with a six-sided die: v = 1 + v/6 turns, so v = 6/5.
    found = simulate(game("solo-pig", target=2), "optimal", games=50_000, seed=1)
    assert found.value.low < 1.2 < found.value.high
    assert found.value.high - found.value.low < 0.02
    # Within two turns: 1 - (1/6)^2 = 35/36.
    found = simulate(game("solo-pig", target=2, turns=2), "optimal", games=50_000, seed=1)
    assert found.value.low < 35 / 36 < found.value.high


def test_too_many_records_are_refused_before_they_fill_the_memory():
    table = compile(game("pig", target=20))
    plans = (plan(table, "hold-at:10"),) * 2
    few = recorded(table, plans, 100, 1, BLOCK)  # the estimate rests on the first hundred
    gigabytes = sum(len(record.moves) + 2 for record in few) * 200 * 10_000 / 1e9
    with pytest.raises(TooLarge) as refused:
        recorded(table, plans, 1_000_000, 1, BLOCK, most_bytes=1_000_000)
    assert str(refused.value) == (
        f"the records of 1,000,000 games need about {gigabytes:.3g} GB; the limit is 1 MB: "
        "record fewer games, or only count them"
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"games": 0}, "a simulation plays 1 to 1e+13 games: got games=0"),
        ({"seed": -1}, "a seed is a whole number from 0 on: got seed=-1"),
        ({"most_turns": 0}, "the turn limit is from 1 to 1e7 turns: got 0"),
        ({"by": "dice"}, "games are played by 'turns' or by 'moves': got by='dice'"),
        ({"confidence": 95}, "a confidence is between 0 and 1, such as 0.95: got 95"),
        ({"by": "turns", "records": True}, "records are made move by move: leave out by='turns'"),
    ],
)
def test_numbers_that_make_no_simulation_are_refused(options, sentence):
    with pytest.raises(RulesError) as refused:
        simulate(game("piglet"), "optimal", "random", **options)
    assert str(refused.value) == sentence


def test_players_are_counted():
    with pytest.raises(RulesError) as refused:
        simulate(game("piglet"), "optimal")
    assert str(refused.value) == "piglet is played by two: say whom optimal plays against"
    with pytest.raises(RulesError) as refused:
        simulate(game("solo-pig", target=5), "optimal", "random")
    assert str(refused.value) == (
        "solo-pig target=5 is played alone: leave out the second strategy"
    )


def test_a_turn_that_may_come_back_is_played_by_moves():
    assert simulate(Loop(), "random", "random", games=10).by == "moves"
    with pytest.raises(RulesError) as refused:
        simulate(Loop(), "random", "random", games=10, by="turns")
    assert str(refused.value) == (
        "loop cannot be played by turns here: a turn may come back to a position, gains points "
        "on the way, or is taken by both at once; play it by moves"
    )


def test_a_game_lost_on_handing_over_is_won_by_the_other():
    @dataclass(frozen=True)
    class HotPotato(HouseRules):
        name = "hot-potato"

        def start(self):
            return 0

        def choices(self, at):
            return ["pass it on"]

        def outcomes(self, at, move):
            yield Fraction(1, 3), 1, OTHER
            yield Fraction(2, 3), 0, OTHER

        def result(self, at):
            return LOSS if at else ONGOING

    # P = 1/3 + 2/3 (1 - P), so the first player wins 3/5.
    for by in ("turns", "moves"):
        found = simulate(HotPotato(), "random", "random", games=20_000, by=by)
        assert abs(found.first.value - 0.6) < 4 * (0.24 / 10_000) ** 0.5
