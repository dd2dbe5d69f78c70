"""Can't Stop: small boards, turns solved one by one in fractions, and house rules.

Boards are written (sides, steps of the shortest column), as by J. Glenn, H. Fang & C. P. Kruskal,
"A Retrograde Approximation Algorithm for One-Player Can't Stop" (2006). Their tables were not at
hand: the numbers are checked by the solver of turns below, and stand on the page.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar

import pytest

from dicelab import (
    OTHER,
    SAME,
    WIN,
    HouseRules,
    Moment,
    Outcome,
    Throw,
    Way,
    compile,
    evaluate,
    game,
    plan,
    solve,
)
from dicelab.errors import RulesError, TooLarge, UnreadablePosition
from dicelab.games.cant_stop import CantStop, CantStopPosition


@pytest.mark.parametrize(
    ("sides", "shortest", "turns"),
    [(2, 1, "1.298"), (2, 2, "1.347"), (2, 3, "1.400"), (3, 1, "1.480"), (3, 2, "1.722")],
)
def test_the_fewest_turns_on_small_boards_are_those_on_the_page(sides, shortest, turns):
    solution = solve(CantStop(sides=sides, shortest=shortest))
    assert f"{solution.value:.3f}" == turns


@pytest.mark.slow
def test_two_players_on_the_smallest_board_with_three_sides_have_the_chance_on_the_page():
    assert f"{solve(CantStop(shortest=1, players=2)).value:.3f}" == "0.760"


def test_the_columns_of_the_standard_board_are_as_long_as_printed_on_it():
    assert CantStop(sides=6, shortest=3).lengths == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    assert list(CantStop(sides=6, shortest=3).board) == list(range(2, 13))


# The same game with a dictionary of steps for each player, every ordered throw listed.


@cache
def tops(sides, shortest):
    return {
        column: shortest + 2 * (sides - 1 - abs(column - sides - 1))
        for column in range(2, 2 * sides + 1)
    }


@cache
def throws(sides):
    """Return how many of all ordered throws make each set of pairings."""
    return Counter(tuple(sorted(dice)) for dice in product(range(1, sides + 1), repeat=4))


def after_climbing(top, markers, kept, now, closed, order):
    """Return the columns climbed when two sums are taken in this order, each if it can be."""
    now, done = dict(now), []
    for column in order:
        used = [each for each in now if now[each] != kept[each]]
        may = column in used or len(used) < markers
        if may and column not in closed and now[column] < top[column]:
            now[column] += 1
            done.append(column)
    return tuple(sorted(done)), tuple(sorted(now.items()))


def climbs(top, markers, kept, now, closed, dice):
    """Return what may be climbed: the two sums of a pairing in either order."""
    a, b, c, d = dice
    pairs = [(a + b, c + d), (a + c, b + d), (a + d, b + c)]
    orders = [*pairs, *(pair[::-1] for pair in pairs)]
    found = dict(after_climbing(top, markers, kept, now, closed, each) for each in orders)
    return {done: after for done, after in found.items() if done}


def climbed(steps, top):
    return sum(steps[column] == top[column] for column in top)


def fewest_turns(sides, shortest, columns, markers):
    """Return the fewest turns from every turn's start, each found by improving its choices.

    With a guess v for its own start a turn is worth a + b v, where b is the chance to lose it; so
    the best choices for v give a better v = a / (1 - b), until nothing changes.
    """
    top = tops(sides, shortest)
    every = sides**4

    @cache
    def turns(kept):
        if climbed(dict(kept), top) >= columns:
            return Fraction(0)
        guess = Fraction(100)
        while True:
            constant, share = rolled(kept, kept, guess)
            better = constant / (1 - share)
            if better == guess:
                return guess
            guess = better

    def rolled(kept, now, guess):
        """Return what rolling is worth as a constant and a share of the turn's own start."""
        seen = {}

        def roll(now):
            if now not in seen:
                constant = share = Fraction(0)
                for dice, times in throws(sides).items():
                    ways = climbs(top, markers, dict(kept), dict(now), (), dice)
                    parts = [best(after) for after in ways.values()] or [(Fraction(1), Fraction(1))]
                    a, b = min(parts, key=lambda part: part[0] + part[1] * guess)
                    constant += Fraction(times, every) * a
                    share += Fraction(times, every) * b
                seen[now] = constant, share
            return seen[now]

        def best(now):
            stop = (1 + turns(now), Fraction(0))
            if climbed(dict(now), top) >= columns:
                return stop
            return min(stop, roll(now), key=lambda part: part[0] + part[1] * guess)

        return roll(now)

    return turns


@pytest.mark.parametrize(
    ("sides", "shortest", "columns", "markers"),
    [(2, 1, 3, 3), (2, 2, 2, 3), (2, 2, 3, 2), (2, 1, 2, 1), (3, 1, 1, 2), (3, 1, 2, 1)],
)
def test_the_fewest_turns_are_those_of_turns_solved_one_by_one(sides, shortest, columns, markers):
    board = CantStop(sides=sides, shortest=shortest, columns=columns, markers=markers)
    turns = fewest_turns(sides, shortest, columns, markers)
    solution = solve(board, exact=True)
    compared = 0
    for number in range(len(solution.table)):
        at = solution.table.position(number)
        if at.now == at.mine and not board.result(at):
            kept = tuple((column, int(board.steps(at.mine, column))) for column in board.board)
            assert solution.values[number] == turns(kept), board.notation(at)
            compared += 1
    assert compared >= 1


def test_one_column_never_needs_a_second_turn_where_no_throw_can_fail():
    # The columns are 2, 3 and 4: with three markers every throw climbs until one is done.
    assert solve(CantStop(sides=2, columns=1), exact=True).value == 1


@pytest.mark.parametrize(("sides", "shortest"), [(2, 1), (2, 2), (2, 3), (3, 1)])
def test_on_the_smallest_boards_alone_it_is_never_best_to_stop(sides, shortest):
    solution = solve(CantStop(sides=sides, shortest=shortest))
    table = solution.table
    asked = [n for n in range(len(table)) if len(table.legal_moves(n)) == 2]
    assert asked
    assert {*map(tuple, map(solution.best_moves, map(table.position, asked)))} == {("roll",)}


# House rules: positions are tuples of (column, steps) for me, for the other, and for me now.


@dataclass(frozen=True)
class PlainCantStop(HouseRules):
    """The same game in plain Python."""

    sides: int = 2
    shortest: int = 1
    columns: int = 2
    markers: int = 3
    players: int = 1
    name: ClassVar[str] = "plain can't stop"

    @property
    def fewest(self):
        return self.players == 1

    @property
    def worth(self):
        return {1: Fraction(1), 2: Fraction(0), 3: Fraction(1, 2)}

    @property
    def top(self):
        return tops(self.sides, self.shortest)

    def start(self):
        nothing = tuple((column, 0) for column in self.top)
        return nothing, nothing, nothing

    def choices(self, at):
        return ["roll"] if at[0] == at[2] else ["roll", "stop"]

    def pass_on(self, at, kept):
        if self.players == 1:
            return (kept, at[1], kept), OTHER, 1
        done = {column for column, steps in kept if steps == self.top[column]}
        other = tuple((column, 0 if column in done else steps) for column, steps in at[1])
        return (other, kept, other), OTHER, 0

    def outcomes(self, at, move):
        if move == "stop":
            yield Outcome(1, *self.pass_on(at, at[2]))
            return
        for dice, times in throws(self.sides).items():
            yield Throw(Fraction(times, self.sides**4), dice)

    def ways(self, at, move, dice):
        kept, other, now = at
        closed = {column for column, steps in other if steps == self.top[column]}
        found = climbs(self.top, self.markers, dict(kept), dict(now), closed, dice)
        for done, after in found.items():
            yield Way(" ".join(["climb", *map(str, done)]), (kept, other, after), SAME)
        if not found:
            yield Way("bust", *self.pass_on(at, kept))

    def result(self, at):
        return WIN if climbed(dict(at[2]), self.top) >= self.columns else None


def written(at, players):
    """Return a position of the house rules in the notation of the game."""
    kept, other, now = ([steps for _, steps in each] for each in at)
    text = " ".join(f"{k}+{n - k}" if n > k else str(k) for k, n in zip(kept, now, strict=True))
    return text if players == 1 else f"{text} - {' '.join(map(str, other))}"


@pytest.mark.parametrize(
    "given",
    [
        {"columns": 3},
        {"columns": 2, "shortest": 2, "markers": 2},
        {"columns": 2, "players": 2},
        {"columns": 2, "players": 2, "markers": 1},
        {"columns": 1, "sides": 3, "markers": 2},
    ],
    ids=str,
)
def test_arrays_and_house_rules_are_the_same_game(given):
    plain, ours = PlainCantStop(**given), CantStop(**{"sides": 2, "shortest": 1, **given})
    house, arrays = solve(plain, exact=True), solve(ours, exact=True)
    assert len(house.table) == len(arrays.table)
    for number in range(len(house.table)):
        at = house.table.position(number)
        here = ours.parse(written(at, plain.players))
        assert arrays.value_at(here) == house.values[number], at
        if plain.result(at):
            assert ours.result(here) == WIN
            continue
        assert set(arrays.best_moves(here)) == set(house.best_moves(at))
        for dice in throws(plain.sides):
            moment, same = Moment(at, "roll", dice), Moment(here, "roll", dice)
            assert sorted(ours.legal_moves(same)) == sorted(plain.legal_moves(moment))
            if len(plain.legal_moves(moment)) > 1:
                theirs = {each.move: each.value for each in house.moves_at(moment)}
                assert {each.move: each.value for each in arrays.moves_at(same)} == theirs


@pytest.mark.parametrize(
    ("at", "dice", "ways"),
    [
        ("0 0 0 0 0", (1, 2, 2, 3), ["climb 3 5", "climb 4 4"]),
        ("0 0 0 0 0", (1, 1, 3, 3), ["climb 2 6", "climb 4 4"]),
        ("0 0 4 0 0", (1, 1, 3, 3), ["climb 2 6", "climb 4"]),  # one step to the top
        ("0 0+1 0+1 0 0", (1, 1, 3, 3), ["climb 2", "climb 4 4", "climb 6"]),  # one marker left
        ("0+1 0+1 0+1 0 0", (3, 3, 3, 3), ["bust"]),
        ("0+1 0+1 0+1 0 0", (1, 2, 3, 3), ["climb 3", "climb 4"]),  # with a 6 and a 5
        ("0 3 0 0 0", (1, 2, 2, 3), ["climb 4 4", "climb 5"]),  # the 3 is done
    ],
)
def test_a_throw_is_paired(at, dice, ways):
    board = CantStop(shortest=1)
    assert sorted(board.legal_moves(Moment(board.parse(at), "roll", dice))) == ways


def test_a_column_whose_top_is_kept_is_closed_to_both():
    duel = CantStop(shortest=1, players=2)
    at = duel.parse("0 2+1 0 1 0 - 0 2 1 0 0")
    (stopped,) = duel.outcomes(at, "stop")
    assert (duel.notation(stopped.at), stopped.mover) == ("0 0 1 0 0 - 0 3 0 1 0", OTHER)
    moment = Moment(stopped.at, "roll", (1, 2, 2, 3))
    assert duel.legal_moves(moment) == ["climb 5", "climb 4 4"]
    lost = duel.after(duel.parse("0+1 0+1 0+1 0 0 - 0 0 0 0 0"), "roll", [3, 3, 3, 3])
    assert (duel.notation(lost.at), lost.mover) == ("0 0 0 0 0 - 0 0 0 0 0", OTHER)


def test_the_rule_of_28_counts_as_keller_does():
    # 7 counts 1, 6 and 8 count 2, and so on up to 6 for 2 and 12; a marker counts as a step.
    board = CantStop(sides=6, shortest=3)

    def points(**turn):
        steps = [turn.get(f"c{column}", 0) for column in range(2, 13)]
        return board.danger(board.parse(" ".join(f"0+{n}" if n else "0" for n in steps)))

    assert points(c7=1) == 2
    assert points(c2=1) == 12
    assert points(c6=2, c8=1) == 6 + 4
    assert points(c6=1, c7=1, c9=1) == 4 + 2 + 6
    assert points(c5=1, c7=1, c9=1) == 6 + 2 + 6 + 2  # all odd
    assert points(c6=1, c8=1, c10=1) == 4 + 4 + 8 - 2  # all even
    assert points(c5=1, c6=1, c7=1) == 6 + 4 + 2 + 4  # all low, the 7 included
    assert points(c7=1, c8=1, c11=1) == 2 + 4 + 10 + 4  # all high
    assert points(c3=1, c5=1, c7=1) == 10 + 6 + 2 + 2 + 4


def test_named_strategies_do_what_they_say():
    table = compile(CantStop(shortest=1))
    careful = plan(table, "no-marker-left")
    assert careful.move_at("0 0+1 0+1 0 0") == "roll"
    assert careful.move_at("0 0+1 0+1 0+1 0") == "stop"
    assert plan(table, "stop-after:2").move_at("0 0+1 0+1 0 0") == "stop"
    assert plan(table, "rule-of-28:6").move_at("0 0+1 0+1 0 0") == "stop"  # 4 + 2
    assert plan(table, "rule-of-28:7").move_at("0 0+1 0+1 0 0") == "roll"
    best = solve(table).value
    assert all(evaluate(table, name).value > best for name in table.game.strategies)


def test_who_stops_after_a_step_takes_as_many_turns_as_a_plain_count_says():
    # Two sides, one marker, one column to climb: 2 and 4 have one step, 3 has three. Of 16 throws
    # two (1111, 2222) climb the 2 or the 4 and are done. The middle is preferred: six (1122) climb
    # the 3 twice, and eight once.
    once, twice = Fraction(8, 16), Fraction(6, 16)
    one_step_left = Fraction(1)
    two_steps_left = 1 + once * one_step_left
    three_steps_left = 1 + twice * one_step_left + once * two_steps_left
    board = CantStop(sides=2, shortest=1, columns=1, markers=1)
    assert evaluate(board, "stop-after:1", exact=True).value == three_steps_left


def test_what_happened_is_told():
    board, duel = CantStop(shortest=1), CantStop(shortest=1, players=2)
    at = board.parse("0 1 0+2 0 0")
    moment = Moment(at, "roll", (1, 2, 2, 3))

    def told(move, faces, before=at, you=True):
        return board.narrate(before, move, faces, at, you, you).text

    assert told("roll", [3, 1, 2, 2]) == "You roll 3, 1, 2 and 2."
    assert told("climb 3 5", [], moment) == "You climb 3 and 5."
    assert told("climb 4 4", [], moment, False) == "The other player climbs 4 twice."
    assert told("roll", [1, 1, 1, 1]) == "You roll 1, 1, 1 and 1 and climb 2."
    lost = board.parse("0+1 0+1 0+1 0 0")
    assert told("roll", [3, 3, 3, 3], lost) == (
        "You roll 3, 3, 3 and 3: nothing to climb, the turn is lost."
    )
    assert told("stop", [], at, False) == "The other player stops."
    assert told("roll", []) == "You roll."
    assert board.describe(at) == "You have 1 in the 3. This turn: 2 in the 4."
    assert board.describe(moment) == board.describe(at)
    two = duel.parse("0 0 0 0 0 - 0 3 1 0 0")
    assert duel.describe(two) == (
        "You have no steps yet. The other player has 3 in the 3, 1 in the 4."
    )
    assert duel.describe(two, mine=False).endswith("You have 3 in the 3, 1 in the 4.")
    assert duel.counters(two, mine=False)["mine"] == [0, 3, 1, 0, 0]
    done = board.parse("1 3 0+5 0 0")
    assert board.ending(done, True, "won", 3) == "You climbed 3 columns in 3 turns."
    assert board.final_counters(done) == {"columns": 3}
    won = duel.parse("1 3 0+5 0 0 - 0 0 0 3 0")
    assert duel.ending(won, True, "won", 3) == "You won, 3 to 1."
    assert duel.ending(won, False, "lost", 3) == "You lost, 1 to 3."
    assert [board.label(at, move) for move in ("roll", "climb 3 5", "climb 4 4")] == [
        "Roll",
        "Climb 3 and 5",
        "Climb 4 twice",
    ]
    assert board.example_positions() == ["0 0 0+1 0 0", "0 0 0 0 0"]


def test_the_standard_board_is_refused_before_it_is_counted():
    with pytest.raises(TooLarge, match=r"has about 6.1e\+13 positions"):
        compile(CantStop(sides=6, shortest=3))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"sides": 1}, "cant-stop needs dice of 2 to 12 sides: got 1"),
        (
            {"shortest": 0},
            "cant-stop needs a shortest column of 1 to 20 steps: got shortest=0",
        ),
        ({"columns": 6}, "cant-stop needs 1 to 5 columns to climb, of 5: got columns=6"),
        (
            {"columns": 4, "players": 2},
            "cant-stop needs 1 to 3 columns to climb, of 5: got columns=4",
        ),
        ({"markers": 0}, "cant-stop needs a marker or more: got markers=0"),
        ({"players": 3}, "cant-stop needs 1 or 2 players: got players=3"),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("cant-stop", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "text", ["0 0", "0 0 0 0 0 - 0 0 0 0 0", "0 0 9 0 0", "0 0 0 0 x", "0 3+1 0 0 0"]
)
def test_a_position_is_the_steps_in_every_column(text):
    with pytest.raises(UnreadablePosition) as refused:
        CantStop(shortest=1).parse(text)
    assert str(refused.value) == (
        f"cannot read {text!r} as a position of cant-stop: write it like '0 0 0 0 0'"
    )
    # Columns of 1, 3, 5, 3 and 1 steps: a step in the 3 counts 2, one in the 4 counts 8.
    assert CantStop(shortest=1).parse("1 0 1+2 0 0") == CantStopPosition(9, 0, 25)
