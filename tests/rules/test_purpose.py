"""The same rules for another aim: points, a win, few turns, at least so many."""

import json
import pickle
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import pytest
from typer.testing import CliRunner

from brute import Sketch
from dicelab import (
    OTHER,
    SAME,
    WIN,
    Die,
    Game,
    HouseRules,
    best_response,
    compile,
    density,
    distil,
    evaluate,
    game,
    simulate,
    solve,
)
from dicelab.cli import app
from dicelab.errors import RulesError
from dicelab.games.pig import Pig, SoloPig
from dicelab.rules import DRAW, LOSS, ONGOING, Outcome, Throw, Way, where
from dicelab.rules.purpose import aimed

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)


class Left(NamedTuple):
    throws: int


@dataclass(frozen=True)
class Dice(Game):
    """Throw a die so many times; keep what it shows, or 3 points instead if you said so before."""

    throws: int = 2
    name: ClassVar[str] = "dice"
    players: ClassVar[int] = 1
    moves: ClassVar[tuple[str, ...]] = ("throw", "three")
    strategies: ClassVar[dict] = {}

    def start(self):
        return Left(self.throws)

    def legal(self, at, move):
        return at.throws > 0

    def outcomes(self, at, move):
        after = Left(at.throws - 1)
        if move == "three":
            yield Outcome(1, after, OTHER, 3)
        else:
            for face in range(1, 7):
                yield Outcome(SIXTH, after, OTHER, face)

    def result(self, at):
        return where(at.throws > 0, ONGOING, WIN)


@dataclass(frozen=True)
class PlainDice(HouseRules):
    """The same one position at a time."""

    throws: int = 2
    name: ClassVar[str] = "dice"
    players: ClassVar[int] = 1

    def start(self):
        return Left(self.throws)

    def choices(self, at):
        return ["throw", "three"]

    def outcomes(self, at, move):
        yield from Dice.outcomes(self, at, move)

    def result(self, at):
        return WIN if at.throws == 0 else ONGOING


@dataclass(frozen=True)
class Seen(Dice):
    """Throw, then choose: keep what it shows, or take 3 points."""

    moves: ClassVar[tuple[str, ...]] = ("throw",)

    def outcomes(self, at, move):
        for face in range(1, 7):
            yield Throw(SIXTH, face)

    def ways(self, at, move, dice):
        yield Way("keep", Left(at.throws - 1), OTHER, dice)
        yield Way("three", Left(at.throws - 1), OTHER, 3)


@pytest.mark.parametrize("kind", [Dice, PlainDice])
def test_a_rule_may_look_at_what_was_gained_so_far(kind):
    # Throw, and take the sure three after a six: that is the best play below, worth a third.
    found = distil(aimed(kind(), "at least 9"), 1).best
    assert found.value == pytest.approx(1 / 3)
    assert evaluate(kind(), found.rule.name, for_="at least 9").value == pytest.approx(1 / 3)


@pytest.mark.parametrize("kind", [Dice, PlainDice])
@pytest.mark.parametrize("exact", [True, False])
def test_the_chance_of_so_many_points_is_another_aim(kind, exact):
    # Of two dice, 9 or more come 10 times in 36. With a sure 3 the other die must show a six.
    # Best: throw; after a 6 the sure three will do, after a 5 or a 4 throw again, after 3 hope.
    best = Fraction(1, 6) * (1 + Fraction(3, 6) + Fraction(2, 6) + Fraction(1, 6))
    found = solve(kind(), exact, for_="at least 9")
    assert float(found.value) == pytest.approx(float(best), abs=1e-15)
    assert found.unit == "chance to win"
    assert found.best_moves("throws=1 so far 6") == ["three"]
    assert found.best_moves("throws=1 so far 4") == ["throw"]
    met = evaluate(kind(), lambda at: "throw", exact=exact, for_="at least 9")
    assert float(met.value) == pytest.approx(10 / 36)
    mean = solve(kind(), exact).value
    assert float(mean) == pytest.approx(7)
    assert solve(kind(), exact, for_="points").value == mean


@pytest.mark.parametrize("kind", [Dice, PlainDice])
def test_a_strategy_of_the_game_itself_sees_its_positions(kind):
    seen = []

    def choose(at):
        seen.append(at)
        return "throw"

    table = compile(kind(), for_="at least 9")
    evaluate(table, choose)
    assert {type(at) for at in seen} == {Left}
    played = simulate(table, choose, games=3000, seed=2)
    assert played.value.low < 10 / 36 < played.value.high


def test_a_named_strategy_is_lent_to_the_game_for_another_aim():
    # To 20 with holding at 20 every turn ends with a bust or the end: turns are geometric.
    done = evaluate(SoloPig(target=20), "hold-at:20", exact=True, for_="at most 1").value
    first = density(SoloPig(target=20), "hold-at:20").lengths[0]
    assert float(done) == pytest.approx(first)
    best = solve(SoloPig(target=20), for_="at most 2")
    assert float(best.value) >= float(evaluate(best.table, "hold-at:20").value)


def test_a_choice_after_a_throw_is_made_with_the_points_so_far_in_mind():
    # Mean: max(face, 3) is 4, twice. At least 9: not 3 + 3; a 3 needs a six, a 4 a five, ...
    assert solve(Seen(), exact=True).value == 8
    found = solve(Seen(), exact=True, for_="at least 9")
    # After a 1, 2 or 3 there are 3, after 4, 5 and 6 as many.
    assert found.value == (3 * SIXTH + 2 * SIXTH + 3 * SIXTH + 1) / 6
    assert found.moves_at("throws=1 so far 4 threw 2")[0].value == 0
    assert {one.move: one.value for one in found.moves_at("throws=1 so far 5 threw 4")} == {
        "keep": 1,
        "three": 0,
    }


def test_points_that_are_lost_again_are_counted_as_they_come():
    # A coin three times: a point won or lost; at least 1 needs two heads or more.
    toss = {n: {"toss": [(HALF, n + 1, SAME, 1), (HALF, n + 1, SAME, -1)]} for n in range(3)}

    class Coins(Sketch):
        players = 1
        usual: ClassVar = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))

    coins = Coins({**toss, 3: WIN})
    assert solve(coins, exact=True, for_="at least 1").value == HALF
    assert solve(coins, exact=True, for_="at least 3").value == Fraction(1, 8)


def test_between_two_so_many_more_than_the_other_is_a_win():
    # Each throws once and gains what the die shows: a margin of 3 or more, 6 times in 36 each way.
    throw = [(SIXTH, 1, OTHER, face) for face in range(1, 7)]
    last = [(SIXTH, 2, OTHER, face) for face in range(1, 7)]
    duel = Sketch({0: {"go": throw}, 1: {"go": last}, 2: DRAW})
    found = evaluate(duel, "random", "random", exact=True, for_="at least 3")
    assert (found.first, found.a_first.b_wins) == (SIXTH, SIXTH)
    assert solve(duel, exact=True, for_="at least 3").value == HALF
    assert best_response(duel, "random", exact=True, for_="at least 3").first == SIXTH


def test_a_game_for_points_may_be_played_for_the_win_and_one_for_the_win_is_so_anyway():
    graph = {
        0: {"safe": [(1, 1, SAME, 5)], "bold": [(HALF, 2, SAME, 1), (HALF, 1, SAME)]},
        1: LOSS,
        2: WIN,
    }
    assert solve(Sketch(graph), exact=True).value == 5
    assert solve(Sketch(graph), exact=True, for_="win").value == HALF
    assert solve(Pig(target=10), for_="win").value == solve(Pig(target=10)).value


def test_few_turns_are_an_aim_of_one_player():
    usual = solve(SoloPig(target=25))
    assert solve(SoloPig(target=25), for_="fewest turns").value == usual.value
    found = solve(Dice(throws=4), exact=True, for_="fewest turns")
    assert (found.value, found.unit) == (4, "turns")


def test_who_wants_few_points_plays_for_points_too():
    box = game("shut-the-box", tiles=4, die=Die(3))
    assert solve(box, exact=True, for_="points").value == solve(box, exact=True).value


@pytest.mark.parametrize(
    ("made", "purpose", "sentence"),
    [
        (
            Pig(target=10),
            "points",
            "pig target=10 is not played for 'points': it has 'win'",
        ),
        (
            Pig(target=10),
            "fewest turns",
            "pig target=10 is for two: only who plays alone can want few turns",
        ),
        (
            Dice(),
            "at most 5",
            "dice is not played for 'at most 5': it has 'points', 'win', 'fewest turns', "
            "'at least a number'",
        ),
        (
            SoloPig(target=10),
            "points",
            "solo-pig target=10 is not played for 'points': it has 'win', 'fewest turns', "
            "'at most a number'",
        ),
        (
            Dice(),
            "glory",
            "dice cannot be played for 'glory': a purpose is 'points', 'win', 'fewest turns', or "
            "'at least' or 'at most' a number such as 300",
        ),
        (
            Sketch({0: {"go": [(1, 1, SAME, 1)]}, 1: DRAW}),
            "at least 0",
            "sketch is for two, who may want at least so many points more than the other, such as "
            "'at least 1': got 'at least 0'",
        ),
        (
            Sketch({0: {"go": [(HALF, 0, SAME, 1), (HALF, 1, SAME)]}, 1: DRAW}),
            "at least 2",
            "sketch cannot be played for 'at least 2': going round at 0, points come and go "
            "without limit; limit how often that may be done",
        ),
    ],
)
def test_a_purpose_that_a_game_does_not_have_is_refused_in_a_sentence(made, purpose, sentence):
    with pytest.raises(RulesError) as refused:
        solve(made, for_=purpose)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("purpose", ["win", "fewest turns", "at least 9", "points"])
@pytest.mark.parametrize("kind", [Dice, PlainDice])
def test_a_game_for_another_aim_is_the_same_in_another_process(kind, purpose):
    one = aimed(kind(), purpose)
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    table = compile(one)
    assert pickle.loads(pickle.dumps(table.game)) == table.game
    assert solve(again).value == solve(one).value
    begun = aimed(kind(throws=3).starting(Left(2)), purpose)
    assert solve(begun).value == pytest.approx(solve(kind(), for_=purpose).value)
    assert solve(pickle.loads(pickle.dumps(begun))).value == solve(begun).value


def test_the_points_so_far_may_be_part_of_the_start():
    # One die is left, and 3 are needed of it.
    begun = aimed(Dice(), "at least 9").starting("throws=1 so far 6")
    assert solve(begun, exact=True).value == 1
    assert str(begun) == "dice for at least 9 from throws=1 so far 6"
    assert aimed(begun, "points") == aimed(Dice(), "points")


def run(*words):
    return CliRunner().invoke(app, [*words])


@pytest.mark.parametrize("words", [["--for", "at most 9"], ["--for=at most 9"], ["for=at most 9"]])
def test_every_command_takes_a_purpose(words):
    base = ["solo-pig", "target=25"]
    told = json.loads(run("solve", *base, *words, "--json").stdout)
    assert (told["for"], told["unit"]) == ("at most 9", "chance to win")
    best = told["value"]
    assert best == float(solve(SoloPig(target=25), for_="at most 9").value)
    told = json.loads(run("evaluate", *base, "hold-at:20", *words, "--json").stdout)
    assert told["value"] <= best + 1e-12
    told = json.loads(run("density", *base, "optimal", *words, "--json").stdout)
    assert told["for"] == "at most 9"
    told = json.loads(run("simulate", *base, "hold-at:20", *words, "games=40", "--json").stdout)
    assert told["for"] == "at most 9"
    told = json.loads(run("explain", *base, "20 +3 so far 3", *words, "--json").stdout)
    assert told["position"] == "20 +3 so far 3"
    reply = run("respond", "pig", "target=10", "hold-at:5", "--for", "win", "--json")
    assert json.loads(reply.stdout)["for"] == "win"


def test_a_game_by_name_takes_a_purpose():
    made = game("solo-pig", target=25, for_="at most 9")
    assert made == aimed(SoloPig(target=25), "at most 9")
