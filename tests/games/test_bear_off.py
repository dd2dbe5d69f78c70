"""Bear-off: every play listed chequer by chequer, best play by brute force in rationals.

Numbers from elsewhere: GNU Backgammon's evaluation of a position and the size of its two-sided
database; counts of a one-sided database that were posted on bgonline.org on 7 November 2013.
"""

import base64
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb
from typing import ClassVar

import numpy as np
import pytest

from dicelab import Die, HouseRules, compile, evaluate, game, solve
from dicelab.errors import RulesError, UnreadablePosition
from dicelab.games.bear_off import BearOff, BearOffPosition
from dicelab.games.bear_off.plays import joined, names_of, written_as
from dicelab.rules import LOSS, ONGOING, OTHER, WIN, Moment, Throw, Way

# The same game, one chequer at a time: a side is a tuple of points, the highest first.


def played(chequers, die):
    """Yield what one number can do: pairs of where a chequer began and where it is now."""
    left = sorted({now for _, now in chequers if now}, reverse=True)
    for point in left:
        if point < die and point != left[0]:
            continue  # a larger number takes a chequer off the highest point only
        for place, (began, now) in enumerate(chequers):
            if now == point:
                moved = [*chequers]
                moved[place] = (began, max(0, now - die))
                yield tuple(sorted(moved, reverse=True))


@cache
def results(side, dice):
    """Return every side that a throw can be played to, with the moves that lead there."""
    numbers = [dice[:1] * 4] if dice[0] == dice[1] else list(permutations(dice))
    found = {}
    for order in numbers:
        reached = {tuple((point, point) for point in side)}
        for die in order:
            reached = {after for at in reached for after in (list(played(at, die)) or [at])}
        for chequers in reached:
            after = tuple(sorted((now for _, now in chequers if now), reverse=True))
            moves = Counter((began, now) for began, now in chequers if began != now)
            found.setdefault(after, []).append(moves)
    return found


def throws(sides=6):
    """Yield every throw of two dice, the lower first, with its chance."""
    for dice in combinations_with_replacement(range(1, sides + 1), 2):
        yield dice, Fraction(1 if dice[0] == dice[1] else 2, sides**2)


@cache
def turns(side, sides=6):
    """Return the fewest turns on average, alone."""
    if not side:
        return Fraction(0)
    return 1 + sum(
        chance * min(turns(after, sides) for after in results(side, dice))
        for dice, chance in throws(sides)
    )


@cache
def wins(mine, yours):
    """Return the chance to win of the player about to move."""
    return sum(
        chance
        * max(1 - wins(yours, after) if after else Fraction(1) for after in results(mine, dice))
        for dice, chance in throws()
    )


def sides_of(chequers, points=6):
    """Yield every side with up to so many chequers, but for the empty one."""
    for number in range(1, chequers + 1):
        yield from combinations_with_replacement(range(points, 0, -1), number)


def written(*sides, points=6):
    """Return sides of points in the notation of the game."""
    return "/".join(
        ",".join(str(side.count(point)) for point in range(1, points + 1)) for side in sides
    )


def side_of(bear_off, number):
    """Return a side of the game as a tuple of points."""
    return tuple(
        point
        for point in range(bear_off.points, 0, -1)
        for _ in range(int(bear_off.on(number, point)))
    )


def named(name):
    """Return the moves that a name tells: 6/off 3/1(2)."""
    found = Counter()
    for began, now, times in re.findall(r"(\d+)/(\d+|off)(?:\((\d)\))?", name):
        found[int(began), 0 if now == "off" else int(now)] += int(times or 1)
    return found


def test_ways_are_the_plays_that_brute_force_finds_by_names_that_can_be_played():
    alone = BearOff(players=1, chequers=4)
    for side in sides_of(4):
        at = alone.parse(written(side))
        for dice, _ in throws():
            ways = alone.open_ways(Moment(at, "throw", dice))
            expected = results(side, dice)
            assert Counter(side_of(alone, way.at.mine) for way in ways) == dict.fromkeys(
                expected, 1
            )
            for way in ways:
                assert named(way.name) in expected[side_of(alone, way.at.mine)], way.name


@pytest.mark.parametrize("sides", [4, 6])
def test_alone_the_fewest_turns_are_those_of_brute_force(sides):
    solution = solve(BearOff(players=1, chequers=4, die=Die(sides)), exact=True)
    for side in sides_of(4):
        assert solution.value_at(written(side)) == turns(side, sides)


@pytest.mark.parametrize(
    ("layout", "value"),
    [
        ("1", 1),
        ("2", 1),
        ("3", 2 - Fraction(1, 6)),  # one turn with doubles, else two
        ("0,0,0,0,0,1", Fraction(5, 4)),  # 27 throws of 36 do it, and the turn after any does
    ],
)
def test_small_positions_have_a_closed_form(layout, value):
    assert solve(BearOff(players=1, layout=layout), exact=True).value == value


def test_chequers_on_the_ace_point_wait_for_the_turns_of_their_recursion():
    # Two go off in a turn, four with doubles. W. Trice: n turns of two wait for 7n + 1 pips.
    solution, expected = solve(BearOff(players=1, chequers=15, points=1), exact=True), [0]
    for number in range(1, 16):
        two, four = (expected[max(0, number - off)] for off in (2, 4))
        expected.append(1 + Fraction(5, 6) * two + Fraction(1, 6) * four)
        assert solution.value_at(str(number)) == expected[number]
    assert float(expected[15]) * 49 / 6 == pytest.approx(7 * 8 + 1, abs=1e-5)


def test_two_players_win_as_often_as_brute_force_says():
    solution = solve(BearOff(chequers=2), exact=True)
    for mine in sides_of(2):
        for yours in sides_of(2):
            assert solution.value_at(written(mine, yours)) == wins(mine, yours)


def from_position_id(text):
    """Return both sides of a GNU Backgammon position ID, the player on roll first.

    The key has a bit for each chequer and a 0 after each of 25 points, ace point first. The
    player who is not on roll comes first, as that program keeps its boards.
    """
    bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b64decode(text + "=="))
    points = [len(run) for run in bits.split("0")][:50]
    halves = points[:25], points[25:]
    found = [tuple(p + 1 for p in range(23, -1, -1) for _ in range(half[p])) for half in halves]
    return found[1], found[0]


def test_gnu_backgammon_evaluates_the_same_position_alike():
    mine, yours = from_position_id("CgAAEAEAAAAAAA")
    assert (mine, yours) == ((5, 2), (3, 2))
    solution = solve(BearOff(chequers=2))
    assert solution.value_at(written(mine, yours)) == pytest.approx(0.671, abs=5e-4)
    assert solution.value_at(written(yours, mine)) == pytest.approx(0.839, abs=5e-4)


def test_a_two_sided_database_of_six_chequers_has_as_many_positions():
    # Its 924 times 924 positions count those too where the player about to move has none left.
    assert BearOff(chequers=6).size() + comb(12, 6) == 853_776
    assert BearOff(players=1, chequers=15).size() == 54_264
    assert len(compile(BearOff(chequers=3))) == BearOff(chequers=3).size() == 83 * 84


def kept_back(chequers):
    """Return where all chequers stay on though one could be borne off, by side and throw.

    Doubles are left out, and so are throws with which the two are equally good.
    """
    alone = BearOff(players=1, chequers=chequers)
    solution = solve(alone)
    sides = np.array(sorted(solution.table.positions(np.arange(len(solution.table))).mine))[1:]
    worth = {}
    for number in range(len(solution.table)):
        worth[int(solution.table.position(number).mine)] = float(solution.values[number])
    keys = np.array(sorted(worth))
    values = np.array([worth[key] for key in keys.tolist()])
    found = []
    for dice in combinations(range(1, 7), 2):
        best = {True: np.full(sides.size, np.inf), False: np.full(sides.size, np.inf)}
        for _, after, allowed in alone.plays(sides, dice):
            value = values[np.searchsorted(keys, np.where(allowed, after, 0))]
            for off, least in best.items():
                here = allowed & ((alone.left(after) < alone.left(sides)) == off)
                least[here] = np.minimum(least[here], value[here])
        keeps = np.isfinite(best[True]) & (best[False] < best[True] - 1e-12)
        found += [(side_of(alone, side), dice) for side in sides[keeps].tolist()]
    return found


def test_with_two_chequers_left_there_is_one_throw_to_bear_none_off():
    (only,) = kept_back(2)
    assert only == ((6, 4), (2, 5))  # 6/1 4/2 is off next turn with any throw; the 6 alone is not
    assert from_position_id("AAAAkAAAAAAAAA")[0] == (6, 4)


@pytest.mark.slow
def test_of_fifteen_chequers_as_many_throws_bear_none_off_as_a_database_says():
    assert len(kept_back(15)) == 3825


@dataclass(frozen=True)
class PlainBearOff(HouseRules):
    """The same game in plain Python, for two or alone."""

    players: int = 2
    name: ClassVar[str] = "plain bear-off"

    @property
    def fewest(self):
        return self.players == 1

    def start(self):
        return ((6, 5), (6, 5) if self.players == 2 else ())

    def choices(self, at):
        return ["throw"]

    def result(self, at):
        if self.players == 1:
            return ONGOING if at[0] else WIN
        return ONGOING if at[1] else LOSS

    def outcomes(self, at, move):
        return [Throw(chance, dice) for dice, chance in throws()]

    def ways(self, at, move, dice):
        for after in results(at[0], dice):
            if self.players == 1:
                yield Way(f"to {after}", (after, ()), OTHER, 1)
            else:
                yield Way(f"to {after}", (at[1], after), OTHER)


@pytest.mark.parametrize("players", [1, 2])
def test_house_rules_agree_position_by_position(players):
    plain = compile(PlainBearOff(players))
    mine, theirs = solve(BearOff(players, chequers=2), exact=True), solve(plain, exact=True)
    assert theirs.value == mine.value
    for number in range(len(plain)):
        at = plain.position(number)
        assert mine.value_at(written(*at[:players])) == theirs.values[number]


@pytest.mark.parametrize(
    ("at", "most_off", "fill_gaps", "fewest_pips"),
    [
        ("0,0,0,1,0,1 threw 2 5", "6/off", "6/1 4/2", "6/1 4/2"),
        ("0,0,0,1,1,1 threw 1 6", "6/off 4/3", "6/off 4/3", "6/off 5/4"),
        ("0,1,0,0,0,2 threw 6 6", "6/off(2) 2/off", "6/off(2) 2/off", "6/off(2) 2/off"),
    ],
)
def test_named_strategies_do_what_they_say(at, most_off, fill_gaps, fewest_pips):
    alone = BearOff(players=1)
    moment = alone.read(at)
    taken = [make(alone)(moment.at, moment.dice) for make in alone.strategies.values()]
    assert list(alone.strategies) == ["most-off", "fill-gaps", "fewest-pips"]
    assert taken == [most_off, fill_gaps, fewest_pips]


def test_bearing_off_what_one_can_is_nearly_best():
    table = compile(BearOff())
    assert 0.5 < evaluate(table, "optimal", "most-off").overall < 0.51
    assert evaluate(table, "optimal", "fill-gaps").overall > 0.6


def test_what_happened_is_told():
    two, alone = BearOff(), BearOff(players=1)
    moment = two.read("0,0,0,1,0,1/1,0,0,0,0,0 threw 2 5")
    assert two.describe(moment) == (
        "You have 2 chequers and 10 pips. The other player has 1 chequer and 1 pip. "
        "The dice show 2 and 5."
    )
    assert two.describe(moment.at, mine=False).startswith("You have 1 chequer and 1 pip.")
    assert alone.describe(alone.parse("0,1")) == "You have 1 chequer and 2 pips."
    assert two.counters(moment, mine=False) == {"mine": 1, "yours": 10}
    assert alone.counters(alone.parse("0,1")) == {"mine": 2}
    after = two.parse("1,0,0,0,0,0/0,0,0,1,0,0")
    told = [
        two.narrate(moment.at, "throw", (5, 2), moment, True, True),
        two.narrate(moment, "6/off", (), after, True, False),
        two.narrate(two.parse("2/1"), "throw", (3, 3), two.parse("1/0"), False, True),
    ]
    assert [each.text for each in told] == [
        "You throw 5 and 2.",
        "You play 6/off.",
        "The other player throws 3 and 3 and plays 1/off(2).",
    ]
    assert [each.points for each in told] == [0, 1, 2]
    assert alone.ending(alone.parse("0"), True, "won", 4) == "You bore off in 4 turns."
    assert two.ending(two.parse("0,1/0"), False, "won", 4) == "You won, 0 to 2."
    assert two.example_positions() == ["0,1,0,0,1,0/0,1,1,0,0,0"]
    assert BearOff(chequers=1).example_positions() == ["0,0,0,0,0,1/0,0,0,0,0,1"]


def test_a_start_can_be_laid_out():
    assert BearOff(chequers=15).notation(BearOff(chequers=15).start()) == (
        "2,2,2,3,3,3/2,2,2,3,3,3"
    )
    assert game("bear-off", layout="0,1").start() == BearOff().parse("0,1/0,1")
    assert game("bear-off", layout="0,1/3").start() == BearOff().parse("0,1,0/3,0,0")
    assert game("bear-off", checkers=2, players=1, layout="1,1").start() == BearOffPosition(4, 0)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"players": 3}, "bear-off needs 1 or 2 players: got players=3"),
        ({"chequers": 16}, "bear-off needs 1 to 15 chequers: got chequers=16"),
        (
            {"points": 8, "chequers": 15},
            "bear-off needs at least 1 point, and few enough to number: got points=8 with "
            "chequers=15",
        ),
        (
            {"die": Die({0: "1/2", 2: "1/2"})},
            "bear-off needs faces of 1 or more: got die=0:1/2,2:1/2",
        ),
        (
            {"layout": "2,2"},
            "bear-off needs a layout with at most 3 chequers each: got layout=2,2",
        ),
        (
            {"layout": "0"},
            "bear-off needs a layout with at most 3 chequers each: got layout=0",
        ),
        (
            {"layout": "all home"},
            "bear-off needs a layout with at most 3 chequers each: got layout=all home",
        ),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("bear-off", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "1,2",
            "cannot read '1,2' as a position of bear-off: write it like '0,0,0,1,1,1/0,0,0,1,1,1'",
        ),
        ("1/1,0,0,0,0,0,0", "'1/1,0,0,0,0,0,0' is no position of bear-off: there are 6 points"),
        ("4/1", "'4/1' is no position of bear-off: a player has at most 3 chequers"),
    ],
)
def test_what_cannot_be_on_the_board_is_refused(text, sentence):
    with pytest.raises(UnreadablePosition) as refused:
        BearOff().parse(text)
    assert str(refused.value) == sentence


def test_points_left_out_are_empty():
    assert BearOff().parse(" 1 , 2 / 0,0,0,1 ") == BearOff().parse("1,2,0,0,0,0/0,0,0,1,0,0")


def test_names_of_doubles_are_those_of_every_order_of_their_moves():
    # The names as they would be told by all orders, of which most are the same play again.
    found = {}
    for number in range(4, 0, -1):
        for sources in product(range(4, 0, -1), repeat=number):
            moves = [(source, max(0, source - 2)) for source in sources]
            change = sum((5 ** (to - 1) if to else 0) - 5 ** (at - 1) for at, to in moves)
            found.setdefault(change, written_as(joined(moves)))
    assert list(names_of(4, 5, (2, 2)).items()) == list(found.items())
