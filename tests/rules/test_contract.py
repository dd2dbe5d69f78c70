"""What the engine cannot honour is refused, by every verb and in the same sentence."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from brute import Sketch
from dicelab import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    HouseRules,
    best_response,
    compile,
    density,
    evaluate,
    exploitability,
    fair_test,
    game,
    iterate,
    simulate,
    solve,
    tournament,
    where,
)
from dicelab.errors import RulesError
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import Greed
from dicelab.games.hog import Hog
from dicelab.games.pig import Pig, PigPosition
from dicelab.games.undercut import Undercut
from dicelab.rounds import Round
from dicelab.rules import Chance, Outcome
from random_games import Race, Scores, races, sketches

VERBS = {
    "compile": compile,
    "solve": solve,
    "solve exactly": lambda game: solve(game, exact=True),
    "evaluate": lambda game: evaluate(game, "random", "random"),
    "best_response": lambda game: best_response(game, "random"),
    "iterate": lambda game: iterate(game, "random"),
    "exploitability": lambda game: exploitability(game, "random"),
    "density": lambda game: density(game, "random", "random"),
    "simulate": lambda game: simulate(game, "random", "random", games=10, seed=1),
    "tournament": lambda game: tournament(game, ["random", "optimal"]),
    "fair_test": lambda game: fair_test(game, "random", "random"),
}


def refusal(verb, game):
    with pytest.raises(RulesError) as refused:
        verb(game)
    return str(refused.value)


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
@pytest.mark.parametrize("made", [Hog(target=5, dice=2), Undercut(target=5), Sketch({0: WIN})])
@pytest.mark.parametrize("players", [0, 101, True, "two"])
def test_only_as_many_as_sit_at_a_table_can_play(verb, made, players):
    for_many = type("Many", (type(made),), {"players": players})(**made.parameters)
    assert refusal(verb, for_many) == (
        f"{for_many} says players = {players!r}: a game is played by 1, by 2, or by as many as sit "
        f"at the table, up to 100"
    )


class NotAtOnce(Sketch):
    is_simultaneous = True


class PigAtOnce(Pig):
    is_simultaneous = True


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_only_races_are_played_at_once(verb):
    assert refusal(verb, NotAtOnce({0: WIN})) == (
        "sketch says is_simultaneous = True, and house rules are played by turns: "
        "derive from SimultaneousGame, and tell in outcomes(at, mine, yours) what follows"
    )
    assert refusal(verb, PigAtOnce()) == (
        "pig says is_simultaneous = True, and a plain Game is played by turns: "
        "derive from SimultaneousGame, and tell in outcomes(at, mine, yours) what follows"
    )


# Races that are none

LAWS = {"a": {1: Fraction(1, 2), 2: Fraction(1, 2)}, "b": {3: Fraction(1)}}


class Forbids(Race):
    def legal(self, at, move):
        return (at.mine > 0) | (move == "a")


class LargeDraw(Race):
    worth: ClassVar[Any] = {WIN: Fraction(1), LOSS: Fraction(-1), DRAW: Fraction(1, 2)}


class Mine(Race):
    def result(self, at):
        return where(at.mine >= 2, WIN, where(at.yours >= 2, LOSS, ONGOING))


class TooLow(Race):
    def highest(self):
        return self.target - 2


class TooHigh(Race):
    def highest(self):
        return self.target


class HeadStart(Race):
    def start(self):
        return Scores(0, 1)


class Alone(Race):
    players: ClassVar[int] = 1


class One(NamedTuple):
    mine: int


class Four(NamedTuple):
    mine: int
    yours: int
    turns: int
    round: int


class OneField(Race):
    def start(self):
        return One(0)


class FourFields(Race):
    def start(self):
        return Four(0, 0, 0, 0)


FIELDS = (
    "they must have two, the score of the player who looks and the other's",
    "race is a race at once and its positions have {} fields: ",
)
AT_ONCE = {
    Forbids: "race forbids b at mine=0 yours=0: in a race at once every move is allowed "
    "everywhere; derive from SimultaneousGame, or leave b out of the moves",
    LargeDraw: "race cannot be played at once: a win and a loss are worth 0 together and two draws "
    "1, so that it is not about one pot; a draw must be worth 0",
    Mine: "result() of race says a win at mine=2 yours=2 and a win at mine=2 yours=2: at once both "
    "look at the same game, so that one player's win is the other's loss and a draw is a draw for "
    "both",
    TooLow: "result() of race says that the game goes on at mine=0 yours=1, and highest() = 0 that "
    "it goes on while both scores are up to that: make the two agree",
    TooHigh: "result() of race says that the game is a loss at mine=0 yours=2, and highest() = 2 "
    "that it goes on while both scores are up to that: make the two agree",
    HeadStart: "race starts at mine=0 yours=1: at once nobody goes first, so that both players "
    "start from the same score",
    Alone: "race is played at once, which takes two: got players = 1",
    OneField: FIELDS[1].format(1) + FIELDS[0],
    FourFields: FIELDS[1].format(4) + FIELDS[0],
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
@pytest.mark.parametrize(("kind", "message"), AT_ONCE.items(), ids=lambda part: str(part)[:30])
def test_a_race_at_once_that_cannot_be_honoured_is_refused(verb, kind, message):
    assert refusal(verb, kind(LAWS)) == message


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({"a": {1: Fraction(1, 2)}}, "the chances after a sum to 1/2: they must sum to 1"),
        (
            {"a": {1: Fraction(3, 2), 2: Fraction(-1, 2)}},
            "the rules of race give the chance -1/2 to an outcome after a: "
            "a chance lies between 0 and 1",
        ),
        ({"a": {0.5: Fraction(1)}}, "a in race scores [0.5]: points are whole numbers"),
        ({}, "the moves of race must each be listed once: got none"),
    ],
)
def test_throws_that_are_no_law_are_refused(laws, message):
    assert refusal(solve, Race(laws)) == message


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(races(), st.data())
def test_one_result_changed_in_any_race_is_refused_or_makes_the_same_game(race, data):
    """One end told wrongly breaks the mirror, unless play never comes there."""
    table = compile(race)
    ends = list(table.each(np.flatnonzero(~table.is_ongoing)))
    at = data.draw(st.sampled_from(ends))
    told = int(race.result(at))
    other = data.draw(st.sampled_from([r for r in (WIN, LOSS, DRAW) if r != told]))

    class Changed(Race):
        def result(self, here):
            changed = (here.mine == at.mine) & (here.yours == at.yours)
            return where(changed, other, super().result(here))

    # A level end may change into a draw, where it is none: that is another game, and a fair one.
    assume(at.mine != at.yours or other != DRAW)
    found = refusal(solve, Changed(race.laws, race.target, race.larger))
    assert found.startswith("result() of race says ")
    assert "at once both look at the same game" in found


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(races(), st.data())
def test_one_move_forbidden_anywhere_in_any_race_is_refused(race, data):
    table = compile(race)
    at = data.draw(st.sampled_from(list(table.each(np.flatnonzero(table.is_ongoing)))))
    forbidden = data.draw(st.sampled_from(race.moves))

    class Forbidding(Race):
        def legal(self, here, move):
            there = (here.mine == at.mine) & (here.yours == at.yours)
            return ~there | (move != forbidden)

    assert refusal(solve, Forbidding(race.laws, race.target, race.larger)) == (
        f"race forbids {forbidden} at {race.notation(at)}: in a race at once every move is "
        f"allowed everywhere; derive from SimultaneousGame, or leave {forbidden} out of the moves"
    )


# What an end is worth


class Gallery(Sketch):
    worth: ClassVar[Any] = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(1, 3)}


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(sketches(kind=Gallery), st.booleans())
def test_a_game_that_is_not_about_one_pot_is_not_solved_for_one_value(made, exact):
    pot = (
        "a win and a loss are worth 1 together and two draws 2/3, so that it is not about one pot; "
        "a draw must be worth 1/2"
    )
    assert refusal(lambda game: solve(game, exact=exact), made) == (
        f"sketch cannot be solved for one value: {pot}"
    )
    assert refusal(lambda game: exploitability(game, "random", exact), made) == (
        f"sketch cannot be asked what a perfect opponent takes: {pot}"
    )
    # How two play it, and the best reply, are the same questions as ever.
    found = evaluate(made, "random", "random", exact=True)
    for seat, chances in enumerate((found.a_first, found.b_first)):
        drawn = chances.draws + chances.never_ends
        assert found.values[seat] == chances.a_wins + drawn / 3


@pytest.mark.parametrize("tie", [Fraction(0), Fraction(2, 3), Fraction(1)])
def test_where_a_tie_is_no_half_a_reply_is_worth_what_it_gets_and_takes_from_nobody(tie):
    greed = Greed(max=6, die=Greed().die, tie=tie)
    pot = "so that it is not about one pot; a draw must be worth 1/2"
    for strategy in ("optimal", "random"):
        assert refusal(lambda game, s=strategy: exploitability(game, s), greed) == (
            f"{greed} cannot be asked what a perfect opponent takes: a win and a loss are worth 1 "
            f"together and two draws {2 * tie}, {pot}"
        )
    best = solve(greed, exact=True)
    reply = best_response(greed, "optimal", exact=True)
    # Each takes what is best by its own count, so nobody gains by leaving that.
    assert reply.solution.value == best.value
    assert reply.evaluation.values[0] == best.value


@pytest.mark.parametrize(
    ("worth", "message"),
    [
        ({WIN: 1, LOSS: 0}, "sketch does not say what a draw is worth: worth needs WIN, LOSS and "),
        ({WIN: 0.5, LOSS: 0, DRAW: 0}, "sketch says that a win is worth 0.5: a worth is exact, "),
    ],
)
def test_a_worth_is_there_and_exact(worth, message):
    made = type("Odd", (Sketch,), {"worth": worth})({0: WIN})
    assert refusal(solve, made).startswith(message)


def test_only_who_plays_alone_wants_little():
    made = type("Few", (Sketch,), {"fewest": True})({0: WIN})
    assert refusal(solve, made) == (
        "sketch is for two and says fewest = True: only who plays alone can want little; "
        "between two, give the end that is wanted the larger worth"
    )


# Names


@pytest.mark.parametrize("name", ["size", "start", "total", "after", "parameters", "solver"])
def test_a_parameter_with_the_name_of_something_else_is_refused(name):
    kind = dataclass(frozen=True)(type("Board", (Pig,), {"__annotations__": {name: int}, name: 8}))
    message = (
        f"pig has a parameter called {name!r}, which every game uses for something else: "
        f"call it 'my_{name}' or the like"
    )
    assert refusal(solve, kind()) == message
    assert refusal(lambda made: evaluate(made, "random", "random"), kind()) == message


def test_a_parameter_may_have_the_name_of_what_only_other_games_do():
    kind = dataclass(frozen=True)(
        type("Board", (Hog,), {"__annotations__": {"points": int, "players": int}, "points": 8})
    )
    small = {"target": 9, "dice": 2}
    assert solve(kind(points=3, players=2, **small)).value == solve(Hog(**small)).value
    assert "points=3 says players = 0" in refusal(solve, kind(points=3, players=0, **small))


def test_a_value_where_a_method_belongs_is_told():
    kind = type("Board", (Pig,), {"size": 64})
    assert refusal(solve, kind()) == (
        "size of pig must be a method: got 64; call that value something else"
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Pig, "a game is asked for and Pig is a class: write Pig()"),
        ("pig", "a game is asked for and 'pig' is its name: write game('pig')"),
        (
            Round(),
            "Round(dice=3, die=Die(6), casts=3, keep='aside') is a round of keep-and-reroll and "
            "has no table of positions: dicelab.rounds solves, evaluates and simulates it",
        ),
        (3, "a game is asked for: got 3; derive from dicelab.Game or dicelab.HouseRules"),
    ],
)
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_what_is_no_game_is_told(verb, asked, message):
    assert refusal(verb, asked) == message


# What rules answer


def pig_with(**methods):
    return type("Mine", (Pig,), methods)(target=10)


def test_moves_are_words_each_listed_once():
    assert refusal(solve, pig_with(moves="roll")) == (
        "the moves of pig target=10 are a tuple of words, such as ('roll', 'hold'): got 'roll'"
    )
    assert refusal(solve, pig_with(moves=("roll", "hold", "roll"))) == (
        "the moves of pig target=10 must each be listed once: got 'roll' twice"
    )


def test_arrays_start_from_a_named_tuple_of_whole_numbers():
    words = "rules on arrays need a NamedTuple of whole numbers; HouseRules take anything that can "
    for start in ((0, 0, 0), PigPosition(0, 0, 0.5), 7):
        found = refusal(solve, pig_with(start=lambda self, start=start: start))
        assert found == f"pig target=10 starts from {start!r}: {words}be hashed"


def test_a_size_is_a_number():
    assert refusal(solve, pig_with(size=lambda self: "large")) == (
        "size() of pig target=10 is a number of positions, or None: got 'large'"
    )


def test_a_field_that_is_no_whole_number_is_told_and_not_rounded():
    def outcomes(self, at, move):
        yield 1, PigPosition(at.yours, (at.mine + 1) / 2, 0 * at.at_risk), OTHER

    assert refusal(solve, pig_with(outcomes=outcomes)) == (
        "pig target=10 leads to yours=0.5 after roll at 0-0 +0: "
        "fields are whole numbers; divide with //"
    )

    def other_fields(self, at, move):
        yield 1, One(at.mine + 1), OTHER

    assert refusal(solve, pig_with(outcomes=other_fields)) == (
        "pig target=10 leads to One(mine=array([1])) after roll: "
        "every position has the fields mine, yours, at_risk"
    )


@pytest.mark.parametrize("answer", [4, -1, 256, "WIN", None, 0.5])
def test_a_result_is_one_of_four(answer):
    def result(self, at):
        return np.where(at.mine + at.at_risk >= 3, np.array(answer, object), ONGOING)

    assert refusal(solve, pig_with(result=result)) == (
        f"result() of pig target=10 answers {answer!r} at 0-0 +3: "
        f"it must be WIN, LOSS, DRAW or ONGOING"
    )


@dataclass(frozen=True)
class Steps(HouseRules):
    """Three steps, with something odd at the second."""

    odd: str = ""
    name: ClassVar[str] = "steps"

    def start(self):
        return [] if self.odd == "start" else 0

    def choices(self, at):
        return ["step"]

    def outcomes(self, at, move):
        after, mover, chance = at + 1, OTHER, Fraction(1)
        if at == 1 and self.odd == "mover":
            mover = 2
        if at == 1 and self.odd == "list":
            after = [2]
        if at == 1 and self.odd == "chance":
            yield Fraction(-1, 2), 3, SAME
            chance = Fraction(3, 2)
        if at == 1 and self.odd == "short":
            yield chance, after
            return
        yield chance, after, mover

    def result(self, at):
        if self.odd == "result" and at == 2:
            return "won"
        return WIN if at == 3 else None


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (
            "start",
            "steps odd=start starts from [], which cannot be looked up: a position is a tuple, a "
            "word or a number, and holds no list, set or dictionary",
        ),
        (
            "mover",
            "the rules of steps odd=mover failed after 'step' at 1: ValueError: who moves next is "
            "SAME or OTHER, not 2; where that depends on the position, yield both outcomes with "
            "chances that depend on it",
        ),
        (
            "list",
            "the rules of steps odd=list failed after 'step' at 1: TypeError: unhashable type: "
            "'list'; a position is a tuple, a word or a number, and holds no list, set or "
            "dictionary",
        ),
        (
            "chance",
            "the rules of steps odd=chance give the chance -1/2 to an outcome after step at 1: "
            "a chance lies between 0 and 1",
        ),
        (
            "result",
            "result() of steps odd=result answers 'won' at 2: "
            "it must be WIN, LOSS, DRAW or ONGOING",
        ),
    ],
)
def test_what_house_rules_answer_is_checked(odd, message):
    assert solve(Steps()).value == 0.0
    assert refusal(solve, Steps(odd)) == message


# Rules that raise


def test_rules_on_arrays_that_raise_tell_position_move_and_line():
    def outcomes(self, at, move):
        if move == "hold":
            yield Outcome(1, PigPosition(at.yours, at.mine + 12 // (5 - at.at_risk), 0), OTHER)
        else:
            yield from Pig.outcomes(self, at, move)

    with np.errstate(divide="raise"):
        assert refusal(solve, pig_with(outcomes=outcomes)) == (
            "the rules of pig target=10 failed after 'hold' at 0-0 +5: ZeroDivisionError: integer "
            "division or modulo by zero (test_contract.py, line "
            f"{outcomes.__code__.co_firstlineno + 2}: yield Outcome(1, PigPosition(at.yours, "
            "at.mine + 12 // (5 - at.at_risk), 0), OTHER))"
        )


def test_an_if_on_arrays_is_told_with_what_would_work():
    def result(self, at):
        if at.mine + at.at_risk >= 10:
            return WIN
        return ONGOING

    assert refusal(solve, pig_with(result=result)) == (
        "the rules of pig target=10 failed: ValueError: The truth value of an array with more than "
        "one element is ambiguous. Use a.any() or a.all() (test_contract.py, line "
        f"{result.__code__.co_firstlineno + 1}: if at.mine + at.at_risk >= 10:); one call is about "
        "5 positions: choose with dicelab.where instead of `if`, join with both and either instead "
        "of `and` and `or`, or derive from HouseRules"
    )


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(sketches(), st.data())
def test_house_rules_that_raise_anywhere_tell_where(made, data):
    ongoing = [at for at, rule in made.graph.items() if isinstance(rule, dict)]
    broken = data.draw(st.sampled_from(ongoing))

    class Broken(Sketch):
        def outcomes(self, at, move):
            if at == broken:
                raise KeyError("lost")
            yield from super().outcomes(at, move)

    move = next(iter(made.choices(broken)))
    line = Broken.outcomes.__code__.co_firstlineno + 2
    assert refusal(solve, Broken(made.graph)) == (
        f"the rules of sketch failed after {move!r} at {made.notation(broken)}: KeyError: 'lost' "
        f'(test_contract.py, line {line}: raise KeyError("lost"))'
    )


def test_a_registered_game_passes_the_same_door(monkeypatch):
    monkeypatch.setattr(Hog, "players", 0)
    with pytest.raises(RulesError) as refused:
        game("hog", target=20)
    assert str(refused.value).startswith("hog target=20 says players = 0: ")


# The exact plan


@pytest.mark.parametrize(
    "made",
    [
        DiceBattle(dice=4, target=6, variant="simultaneous"),
        DiceBattle(dice=3, target=8),
        Pig(target=12),
        Greed(max=8),
    ],
)
def test_the_exact_plan_loses_exactly_nothing(made):
    assert exploitability(made, "optimal", exact=True).value == 0
    met = evaluate(made, "optimal", "optimal", exact=True)
    best = solve(made, exact=True)
    assert met.values[0] == best.value
    assert all(type(value) is Fraction for value in met.values)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(races(nothing=False))
def test_the_exact_plan_of_any_race_loses_exactly_nothing(race):
    assert exploitability(race, "optimal", exact=True).value == 0
    assert evaluate(race, "optimal", "optimal", exact=True).values == (0, 0)


def test_the_optimal_player_of_a_race_that_comes_back_is_exact_too():
    race = DiceBattle(dice=2, target=3, variant="simultaneous-zero")
    met = evaluate(race, "optimal", "blind", exact=True).value
    assert isinstance(met, Fraction)
    best = best_response(race, "optimal", exact=True).solution.value
    # Both look alike, so that nobody gets more than nothing from best play.
    assert met >= 0
    assert 0 <= best < Fraction(1, 10**70)


def test_a_chance_that_depends_on_the_position_may_reach_0_and_1():
    class Certain(Steps):
        def outcomes(self, at, move):
            yield Chance(at % 2, 1), at + 1, OTHER
            yield Chance(1 - at % 2, 1), at + 1, SAME

    assert solve(Certain(), exact=True).value == 0
