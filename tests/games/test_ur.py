"""Royal Game of Ur: published endings and counts, and the same game on a board of named tiles.

The paths and the three sets of rules are those of royalur.net, whose tiles have a letter for the
column and a number for the row. The endings are worked out in the pages of jheled/royalur; the
counts of positions are those of JeroenOlieslagers/game_of_ur, which enumerates them on its own.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from dicelab import HouseRules, compile, evaluate, game, solve
from dicelab.errors import RulesError, TooLarge, UnreadablePosition
from dicelab.games.ur import RULES, Ur
from dicelab.rules import LOSS, ONGOING, OTHER, SAME, Moment, Throw, Way

TURN_IN = ["A4", "A3", "A2", "A1"]
SHORT = [*TURN_IN, *(f"B{row}" for row in range(1, 9)), "A8", "A7"]
LONG = [*TURN_IN, *(f"B{row}" for row in range(1, 8)), "C7", "C8", "B8", "A8", "A7"]
ROSETTES = {"A1", "C1", "B4", "A7", "C7"}


def across(tile):
    """Return a tile as the player opposite calls it."""
    return tile.translate(str.maketrans("AC", "CA"))


def binary(dice, for_none):
    """Return the chance of each number of marks, every throw of the dice listed."""
    throws = Counter(sum(throw) or for_none for throw in product((0, 1), repeat=dice))
    return {marks: Fraction(times, 2**dice) for marks, times in throws.items()}


@dataclass(frozen=True)
class TileUr(HouseRules):
    """The same game in plain Python: my tiles, my pieces home, and the same of the other player."""

    rules: str = "finkel"
    pieces: int = 1
    name: ClassVar[str] = "tile ur"

    @property
    def path(self):
        return SHORT if self.rules == "finkel" else LONG

    def start(self):
        return ((), 0, (), 0)

    def choices(self, at):
        return ["throw"]

    def result(self, at):
        return LOSS if at[3] == self.pieces else ONGOING

    def outcomes(self, at, move):
        law = binary(3, 4) if self.rules == "masters" else binary(4, 0)
        return [Throw(chance, marks) for marks, chance in law.items()]

    def ways(self, at, move, dice):
        mine, home, theirs, their_home = at
        found = []
        for place in range(-1, len(self.path)):
            if dice == 0 or place + dice > len(self.path):
                continue
            if place == -1:
                name, kept = "enter", list(mine)
                if len(mine) + home == self.pieces:
                    continue
            elif self.path[place] in mine:
                name, kept = f"move {place + 1}", [one for one in mine if one != self.path[place]]
            else:
                continue
            if place + dice == len(self.path):
                found.append(Way("bear off", (theirs, their_home, tuple(kept), home + 1), OTHER))
                continue
            tile = self.path[place + dice]
            struck = across(tile) in theirs
            if tile in mine or (struck and self.rules == "finkel" and tile in ROSETTES):
                continue
            left = tuple(one for one in theirs if one != across(tile))
            own = tuple(sorted([*kept, tile]))
            if tile in ROSETTES or (struck and self.rules == "blitz"):
                found.append(Way(name, (own, home, left, their_home), SAME))
            else:
                found.append(Way(name, (left, their_home, own, home), OTHER))
        return found or [Way("pass", (theirs, their_home, mine, home), OTHER)]


def written(at, path):
    """Return a position of the plain game in the notation of the other."""
    mine, home, theirs, their_home = at
    squares = [
        ",".join(str(number) for number in sorted(path.index(tile) + 1 for tile in side)) or "-"
        for side in (mine, theirs)
    ]
    return f"{home}-{their_home} {squares[0]}/{squares[1]}"


by_rules = pytest.mark.parametrize("rules", RULES)
finkel_or_slow = pytest.mark.parametrize(
    "rules",
    [
        rules if rules == "finkel" else pytest.param(rules, marks=pytest.mark.slow)
        for rules in RULES
    ],
)


@cache
def solved(rules, pieces):
    return solve(Ur(rules, pieces))


@pytest.mark.parametrize(
    ("at", "value"), [("14/14", (4, 7)), ("13/14", (116, 161)), ("14/13", (74, 161))]
)
def test_endings_of_one_piece_each_are_those_of_the_literature(at, value):
    # 1/4 + 3/4 (1 - v) = v, and two equations for a piece on the square before the last.
    for pieces in (1, 2, 7):
        ending = Ur(pieces=pieces).starting(f"{pieces - 1}-{pieces - 1} {at}")
        assert solve(ending, exact=True).value == Fraction(*value)


@pytest.mark.parametrize(
    ("rules", "pieces", "positions"),
    [("finkel", 7, 137_892_016), ("blitz", 5, 41_254_034), ("masters", 7, 500_981_472)],
)
def test_whole_games_have_as_many_positions_as_the_published_maps(rules, pieces, positions):
    assert Ur(rules, pieces).size() == positions


def test_positions_by_pieces_left_are_those_of_another_enumeration():
    # The tests of game_of_ur: by how many pieces the players still have, then ends of the game.
    two, table = Ur(pieces=2), compile(Ur(pieces=2))
    left = Counter(
        tuple(sorted(2 - int(two.home(side)) for side in table.position(number)))
        for number in range(len(table))
    )
    assert left == {(1, 1): 217, (1, 2): 2956, (2, 2): 9696, (0, 1): 15, (0, 2): 121 - 15}


def test_three_pieces_have_as_many_positions_as_another_enumeration():
    groups = [217, 2956, 12_628, 9696, 79_760, 157_864]
    assert Ur(pieces=3).size() == sum(groups) + 591  # and as many ends of the game


@by_rules
def test_the_dice_are_fair_coins(rules):
    ur = Ur(rules)
    found = {each.dice: each.chance for each in ur.outcomes(ur.start(), "throw")}
    assert found == (binary(3, 4) if rules == "masters" else binary(4, 0))
    for faces in product((0, 1), repeat=ur.dice_of("throw")):
        after = ur.after(ur.start(), "throw", faces)
        moved = sum(faces) or (4 if rules == "masters" else 0)
        assert (after.mover == SAME) == (moved == 4)  # onto a rosette, and nothing to choose


@by_rules
def test_one_piece_each_agrees_with_the_game_of_tiles_position_by_position(rules):
    plain = compile(TileUr(rules, 1))
    mine, theirs = solve(Ur(rules, 1), exact=True), solve(plain, exact=True)
    assert len(plain) == len(mine.table)
    for number in range(len(plain)):
        at = written(plain.position(number), plain.game.path)
        assert mine.value_at(at) == theirs.values[number]


@finkel_or_slow
def test_two_pieces_each_agree_with_the_game_of_tiles_position_by_position(rules):
    plain = compile(TileUr(rules, 2))
    mine, theirs = solved(rules, 2), solve(plain)
    assert len(plain) == len(mine.table)
    for number in range(len(plain)):
        low, high = mine.bounds_at(written(plain.position(number), plain.game.path))
        assert low <= theirs.uppers[number]
        assert theirs.lowers[number] <= high
        assert high - low < 1e-12


def by_value_iteration(rules, pieces):
    """Return the first player's chance to win, by plain value iteration over the game of tiles."""
    plain = TileUr(rules, pieces)
    numbers, waiting, edges = {plain.start(): 0}, [plain.start()], []
    for at in waiting:  # which grows while it is read
        if plain.result(at) != ONGOING:
            continue
        for throw in plain.outcomes(at, "throw"):
            for way in plain.ways(at, "throw", throw.dice):
                if way.at not in numbers:
                    numbers[way.at] = len(waiting)
                    waiting.append(way.at)
                edges.append((numbers[at], throw.dice, numbers[way.at], way.mover))
    source, dice, target, mover = np.array(sorted(edges)).T
    keys, first = np.unique(source * 5 + dice, return_index=True)
    chances = {each.dice: float(each.chance) for each in plain.outcomes(plain.start(), "throw")}
    chance = np.array([chances[key] for key in (keys % 5).tolist()])
    before, value = np.ones(len(waiting)), np.zeros(len(waiting))
    while np.abs(value - before).max() > 1e-12:
        before = value
        worth = np.where(mover == SAME, value[target], 1 - value[target])
        best = np.maximum.reduceat(worth, first)
        value = np.bincount(keys // 5, chance * best, minlength=len(waiting))
    return value[0]


@pytest.mark.parametrize(
    ("rules", "pieces"),
    [
        ("finkel", 1),
        ("blitz", 1),
        ("masters", 1),
        ("finkel", 2),
        pytest.param("blitz", 2, marks=pytest.mark.slow),
        pytest.param("masters", 2, marks=pytest.mark.slow),
        pytest.param("finkel", 3, marks=pytest.mark.slow),
    ],
)
def test_the_first_player_wins_as_often_as_value_iteration_says(rules, pieces):
    assert solved(rules, pieces).value == pytest.approx(by_value_iteration(rules, pieces), abs=1e-9)


def ways(ur, text):
    """Return where each way leads at a moment, in notation, and whether the turn passes."""
    moment = ur.read(text)
    return {way.name: (ur.notation(way.at), way.mover) for way in ur.open_ways(moment)}


def test_a_piece_on_the_rosette_of_the_middle_is_safe():
    assert ways(Ur(), "0-0 3,6/8 threw 2") == {
        "move 3": ("0-0 8/5,6", OTHER),
        # 6 cannot move to 8, where the other player rests
    }
    assert "move 6" in ways(Ur("masters"), "0-0 3,6/8 threw 2")


def test_a_captured_piece_waits_at_the_start_again():
    assert ways(Ur(), "0-0 3,6/7 threw 1") == {
        "move 6": ("0-0 -/3,7", OTHER),
        "move 3": ("0-0 4,6/7", SAME),
    }
    assert ways(Ur("blitz"), "0-0 3,6/7 threw 1")["move 6"] == ("0-0 3,7/-", SAME)


def test_on_the_long_path_the_players_meet_from_both_ends():
    # My square 13 is the corner C8, which is the other player's 15.
    assert ways(Ur("masters"), "0-0 11,12/15 threw 2") == {
        "move 12": ("0-0 15/11,14", OTHER),
        "move 11": ("0-0 -/12,13", OTHER),
    }


def test_a_piece_gets_home_by_an_exact_throw_and_wins_with_the_last():
    assert ways(Ur(), "1-0 13/5 threw 2") == {"bear off": ("0-2 5/-", OTHER)}
    assert Ur().result(Ur().parse("0-2 5/-")) == LOSS
    assert ways(Ur(), "1-0 13/5 threw 3") == {"pass": ("0-1 5/13", OTHER)}
    assert ways(Ur(), "0-0 -/- threw 0") == {"pass": ("0-0 -/-", OTHER)}


@pytest.mark.parametrize(
    ("at", "first", "last", "capture", "rosette"),
    [
        ("0-0 6/9 threw 3", "move 6", "enter", "move 6", "move 6"),
        ("0-0 7/9 threw 1", "move 7", "enter", "move 7", "move 7"),
        ("0-0 6/9 threw 4", "move 6", "enter", "move 6", "enter"),
        ("0-0 5,10/6 threw 1", "move 10", "move 5", "move 5", "move 10"),
        ("0-0 7,10/12 threw 1", "move 10", "move 7", "move 10", "move 7"),
        ("0-0 10,14/- threw 1", "bear off", "move 10", "bear off", "bear off"),
    ],
)
def test_named_strategies_do_what_they_say(at, first, last, capture, rosette):
    ur = Ur()
    moment = ur.read(at)
    taken = [make(ur)(moment.at, moment.dice) for make in ur.strategies.values()]
    assert list(ur.strategies) == ["first-piece", "last-piece", "capture-first", "rosette-first"]
    assert taken == [first, last, capture, rosette]


def test_best_play_is_ahead_of_a_simple_strategy():
    found = evaluate(compile(Ur()), "optimal", "rosette-first")
    assert found.overall > 0.55


def test_what_happened_is_told():
    ur = Ur()
    start, moment = ur.start(), ur.read("0-0 6/9 threw 3")
    after = ur.parse("0-0 -/9")
    assert ur.describe(moment) == (
        "You have 1 piece on 6, 1 waiting. The other player has 1 piece on 9, 1 waiting. "
        "The throw is 3."
    )
    assert ur.describe(ur.parse("1-0 8/-"), mine=False) == (
        "You have 2 waiting. The other player has 1 piece on 8, 1 home."
    )
    assert ur.label(moment, "move 6") == "Move 6 to 9 and capture"
    assert ur.label(moment, "enter") == "Enter on 3"
    assert ur.label(start, "throw") == "Throw"
    assert ur.spoken(moment, "move 6") == "move the piece on 6"
    told = [
        ur.narrate(moment, "move 6", (), after, True, False),
        ur.narrate(start, "throw", (1, 0, 0, 0), ur.parse("0-0 -/1"), False, True),
        ur.narrate(start, "throw", (1, 1, 1, 1), ur.parse("0-0 4/-"), True, True),
        ur.narrate(start, "throw", (0, 0, 0, 0), start, False, True),
        ur.narrate(moment.at, "throw", (1, 1, 1, 0), moment, True, True),
        ur.narrate(ur.read("0-0 12,14/9 threw 1"), "bear off", (), after, False, True),
    ]
    assert [each.text for each in told] == [
        "You move a piece to 9 and capture.",
        "The other player throws 1 and enters a piece on 1.",
        "You throw 4 and enter a piece on 4, a rosette.",
        "The other player throws 0 and passes.",
        "You throw 3.",
        "The other player brings a piece home.",
    ]
    assert (told[-1].effect, told[-1].points) == ("scored", 1)
    assert ur.counters(ur.parse("1-0 8/-"), mine=False) == {"mine": 0, "yours": 1}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rules": "bell"}, "ur needs a set of rules among finkel, blitz, masters: got rules=bell"),
        ({"pieces": 0}, "ur needs at least 1 piece each: got pieces=0"),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("ur", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0-0", "cannot read '0-0' as a position of ur: write it like '0-0 -/-'"),
        ("0-0 15/-", "'0-0 15/-' is no position of ur: squares are 1 to 14, one piece each"),
        ("0-0 3,3/-", "'0-0 3,3/-' is no position of ur: squares are 1 to 14, one piece each"),
        ("2-0 3/-", "'2-0 3/-' is no position of ur: each player has 2 pieces"),
        ("0-0 7/7", "'0-0 7/7' is no position of ur: two pieces cannot share a square"),
    ],
)
def test_what_cannot_be_on_the_board_is_refused(text, sentence):
    with pytest.raises(UnreadablePosition) as refused:
        Ur().parse(text)
    assert str(refused.value) == sentence


def test_spaces_in_a_position_do_not_matter():
    assert Ur().parse(" 1 - 0  3 /  7 ") == Ur().parse("1-0 3/7")
    assert Ur().write(Moment(Ur().parse("0-0 6/9"), "throw", 3)) == "0-0 6/9 threw 3"


def test_a_game_with_all_pieces_is_refused_before_it_is_explored():
    with pytest.raises(TooLarge) as refused:
        compile(Ur(pieces=7), memory=8 * 10**9)
    assert str(refused.value) == (
        "ur pieces=7 has about 1.4e+08 positions, which needs about 28.4 GB; "
        "the limit is 8 GB (--memory)"
    )
