"""A match of rounds is solved by its standings, and by the table of all its positions alike."""

import re
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from dicelab.errors import NotSolved, RulesError, UnknownPosition, UnreadablePosition
from dicelab.rounds.standings import standings_of
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, SAME, WIN, Amount, Outcome, Way, where
from dicelab.table import compile
from dicelab.verbs.solve import solve, solve_graph
from round_matches import Card, SmallCard, ToAndFro, Tokens

MATCHES = [SmallCard(), SmallCard(casts=3), ToAndFro(), ToAndFro(tokens=3, casts=3)]


@pytest.mark.parametrize("game", MATCHES, ids=str)
def test_standings_and_the_table_of_all_positions_agree(game):
    fast, table = solve(game), compile(game)
    whole = solve_graph(table)
    here = np.flatnonzero(table.is_ongoing)
    for number in here[:: max(1, len(here) // 100)].tolist():
        at = table.position(number)
        lower, upper = fast.bounds_at(at)
        assert lower - 1e-13 <= whole.value_at(at) <= upper + 1e-13
        assert upper - lower < 1e-9
        ours = {move.move: move.value for move in fast.moves_at(at)}
        theirs = {move.move: move.value for move in whole.moves_at(at)}
        assert ours == pytest.approx(theirs, abs=1e-11)


@pytest.mark.parametrize("game", MATCHES, ids=str)
def test_standings_are_the_same_however_few_are_asked_about_at_once(game, monkeypatch):
    whole = standings_of(game, 10**9)
    monkeypatch.setattr("dicelab.rounds.standings.AT_ONCE", 1)
    one_by_one = standings_of(game, 10**9)
    assert sorted(one_by_one.fields.tolist()) == sorted(whole.fields.tolist())
    assert solve(game).value == pytest.approx(solve_graph(compile(game)).value, abs=1e-12)


def test_a_small_match_is_solved_in_fractions():
    exact, fast = solve(ToAndFro(tokens=1), exact=True), solve(ToAndFro(tokens=1))
    assert exact.exact
    assert fast.lower <= exact.value <= fast.upper
    # Alike for both, so who begins and who follows share one token's worth of chances.
    assert 0 < exact.value < 1


@pytest.mark.parametrize("game", MATCHES, ids=str)
def test_every_notation_reads_back(game):
    table = compile(game)
    for number in range(0, len(table), max(1, len(table) // 200)):
        at = table.position(number)
        assert game.parse(game.notation(at)) == at


def test_a_standing_that_play_does_not_come_to_is_refused():
    solution = solve(ToAndFro(tokens=1))
    at = solution.rules.begin(Tokens(7, 7, 0))
    with pytest.raises(UnknownPosition) as refused:
        solution.value_at(at)
    assert str(refused.value) == "to-and-fro tokens=1 never comes to mine=7 yours=7 beat=0"


def test_more_casts_than_there_are_get_a_sentence():
    with pytest.raises(UnknownPosition) as refused:
        ToAndFro().parse("mine=2 yours=2 beat=0 | 31, 2 left")
    assert str(refused.value) == (
        "there are 2 casts at mine=2 yours=2 beat=0: got 2 left after a cast"
    )


def test_dice_aside_where_none_stay_aside_get_a_sentence():
    with pytest.raises(UnknownPosition) as refused:
        SmallCard().parse("filled=0 upper=0 | 4+31, 1 left")
    assert str(refused.value) == (
        "nothing stays aside in small-card, where any die may be cast again: "
        "write all dice together, such as 431"
    )


def test_dice_alone_lie_there_at_the_start():
    game = SmallCard()
    assert game.parse("431, 1 left") == game.parse("filled=0 upper=0 | 431, 1 left")


def test_a_text_that_is_no_position_gets_an_example():
    with pytest.raises(UnreadablePosition) as refused:
        SmallCard().parse("nonsense")
    assert str(refused.value) == (
        "cannot read 'nonsense' as a position of small-card: "
        "write it like 'filled=0 upper=0 | 431, 1 left'"
    )


class Stuck(ToAndFro):
    """A match that hands the same tokens on for ever."""

    name = "stuck"

    def leads(self, standing, cast, result):
        yield Way("stop", Tokens(standing.yours, standing.mine, 0 * result), OTHER)


def test_a_circle_that_play_never_leaves_is_refused():
    with pytest.raises(NotSolved, match="has a circle of 1 standings that play may never leave"):
        solve(Stuck())


class Closed(SmallCard):
    """A card that takes no result at all."""

    name = "closed"

    def leads(self, standing, cast, result):
        yield Way("box", standing, OTHER, 0, result < 3)


def test_a_result_without_a_way_on_is_refused():
    told = "closed has no way on from filled=0 upper=0 with 411 after cast 1: one must be open"
    with pytest.raises(RulesError, match=f"^{re.escape(told)}$"):
        solve(Closed())


class Odd(SmallCard):
    """The small card, filled in two rounds."""

    def ended(self, standing):
        return where(standing.filled >= 2, DRAW, ONGOING)

    def sums(self, result):
        numbers = self.rounds[0].round.numbers
        return np.array([sum(numbers.faces_of(each)) for each in numbers.full])[result]

    def leads(self, standing, cast, result):
        yield Way("stop", Card(standing.filled + 1, 0 * result), SAME, self.sums(result))


class Little(Odd):
    fewest: ClassVar[bool] = True


class NoEarlyStop(Odd):
    def choices(self, at):
        return [move for move in super().choices(at) if move != "stop" or not at.left]


class Twofold(Odd):
    def outcomes(self, at, move):
        for each in super().outcomes(at, move):
            yield Outcome(each.chance, each.at, each.mover, 2 * each.gain)


class Won(Odd):
    worth: ClassVar = {WIN: Fraction(9), LOSS: Fraction(0), DRAW: Fraction(0)}

    def result(self, at):
        return WIN if at.standing.filled and not at.thrown else ONGOING


class OneName(Odd):
    def leads(self, standing, cast, result):
        points, after = self.sums(result), Card(standing.filled + 1, 0 * result)
        yield Way("stop", after, SAME, points, points > 6)
        yield Way("stop", after, SAME, Amount(points, 3), points <= 6)


@pytest.mark.parametrize("kind", [Little, NoEarlyStop, Twofold, Won, OneName])
def test_rules_of_ones_own_within_a_round_are_those_that_are_solved(kind):
    # The table asks every rule about every position; standings know only what rounds lead to.
    game = kind()
    assert solve(game).value == pytest.approx(solve_graph(compile(game)).value, abs=1e-12)
    at = solve(game).moves_at(game.example_positions()[0])
    whole = solve_graph(compile(game)).moves_at(game.example_positions()[0])
    assert [each.value for each in at] == pytest.approx([each.value for each in whole])


def leading(**told):
    """Return the odd card whose way on is told otherwise."""

    def leads(self, standing, cast, result):
        way = Way("stop", Card(standing.filled + 1, 0 * result), SAME, self.sums(result))
        yield way._replace(**told)

    return type("Wrong", (Odd,), {"leads": leads})()


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (leading(mover=5), "who moves next is SAME or OTHER, not 5"),
        (leading(at=Card(0.5, 0)), "small-card leads to filled=0.5 by 'stop': fields and who"),
        (leading(name="keep 4"), "small-card has two moves called 'keep 4' when a round ends"),
        (leading(gain=float("nan")), "a gain is a number: got nan"),
        (leading(gain=Amount(1, 2.5)), "Chance and Amount are exact"),
        (
            type("Wrong", (Odd,), {"round_at": lambda *_: -1})(),
            "round_at() of small-card answers -1",
        ),
        (type("Wrong", (Odd,), {"ended": lambda *_: 7})(), "ended() of small-card answers 7 at"),
        (type("Wrong", (Odd,), {"leads": lambda *_: 1 / 0})(), "ZeroDivisionError: division by"),
    ],
)
def test_what_a_match_answers_is_looked_at(game, message):
    with pytest.raises(RulesError) as refused:
        solve(game)
    assert message in str(refused.value)
