"""Shut the Box: published chances, a recursion over sets of tiles in rationals, and house rules.

The chances to shut nine tiles are those of B. Butler ("Durango Bill's Shut The Box Analysis"):
9.7614% with one die once the rest is 6 or less, 7.1432% with two dice throughout. The first stands
as a fraction in the notes of UnaryPlus/shut-the-box-strategy.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import ClassVar

import pytest

from dicelab import (
    DRAW,
    LOSS,
    OTHER,
    SAME,
    WIN,
    Die,
    HouseRules,
    Moment,
    Throw,
    Way,
    compile,
    evaluate,
    game,
    plan,
    simulate,
    solve,
)
from dicelab.errors import RulesError, UnreadablePosition
from dicelab.games.shut_the_box import NOBODY, ONE_DIE, SCORES, BoxPosition, ShutTheBox, bits

PUBLISHED = Fraction(956177159, 9795520512)


@pytest.mark.parametrize("one_die", ["high", "rest", "must", "always"])
def test_the_best_chance_to_shut_nine_tiles_is_the_published_one(one_die):
    solution = solve(ShutTheBox(one_die=one_die, score="shut"), exact=True)
    assert solution.value == PUBLISHED
    assert f"{float(PUBLISHED):.4%}" == "9.7614%"


def test_with_two_dice_throughout_it_is_the_published_one():
    assert f"{solve(ShutTheBox(one_die='never', score='shut')).value:.4%}" == "7.1432%"


# The same game over sets of tiles, every throw listed.


def read(tiles, score):
    """Return the score of who is left with these tiles."""
    if score == "shut":
        return int(bool(tiles))
    return sum(tiles) if score == "rest" else int("0" + "".join(map(str, sorted(tiles))))


@cache
def law(dice, faces):
    throws = Counter(map(sum, product(range(1, faces + 1), repeat=dice)))
    return {total: Fraction(times, faces**dice) for total, times in throws.items()}


@cache
def sets(tiles, total):
    """Return the sets of open tiles that add up to a throw."""
    every = (some for n in range(1, len(tiles) + 1) for some in combinations(sorted(tiles), n))
    return [some for some in every if sum(some) == total]


def numbers_of_dice(tiles, one_die, faces):
    """Return how many of two dice may be thrown."""
    low = sum(tiles) <= faces
    if one_die == "must":
        return [1] if low else [2]
    may = {
        "high": all(tile <= faces for tile in tiles),
        "rest": low,
        "always": True,
        "never": False,
    }
    return [2, 1] if may[one_die] else [2]


def best_end(tiles, one_die, faces, worth):
    """Return the largest mean of `worth` of the tiles left open, and of each throw and way."""

    @cache
    def value(tiles):
        return max(thrown(tiles, dice) for dice in numbers_of_dice(tiles, one_die, faces))

    @cache
    def thrown(tiles, dice):
        return sum(
            chance * max(ways(tiles, total).values()) for total, chance in law(dice, faces).items()
        )

    def ways(tiles, total):
        """Return what each set of tiles is worth that may be shut after a throw."""
        found = {some: tiles - set(some) for some in sets(tiles, total)}
        if not found:
            return {(): worth(tiles)}
        return {some: value(left) if left else worth(left) for some, left in found.items()}

    return value(frozenset(tiles)) if tiles else worth(frozenset())


@pytest.mark.parametrize("one_die", ONE_DIE)
@pytest.mark.parametrize("score", SCORES)
def test_best_play_alone_is_that_of_a_recursion_over_sets_of_tiles(score, one_die):
    solution = solve(ShutTheBox(tiles=7, die=Die(5), one_die=one_die, score=score), exact=True)
    for number in range(len(solution.table)):
        at = solution.table.position(number)
        if at.over or not at.open:
            continue
        tiles = frozenset(solution.game.open_tiles(at))
        least = -best_end(tiles, one_die, 5, lambda left: -read(left, score))
        assert solution.values[number] == (1 - least if score == "shut" else least), at


@pytest.mark.parametrize(("one_die", "mean"), [("high", "11.009"), ("never", "11.158")])
def test_the_fewest_points_left_of_nine_tiles_are_those_of_the_recursion(one_die, mean):
    worth = best_end(range(1, 10), one_die, 6, lambda left: -sum(left))
    assert f"{float(-worth):.3f}" == mean
    assert solve(ShutTheBox(one_die=one_die)).value == pytest.approx(float(-worth), abs=1e-12)


@cache
def against(beat, tiles, one_die, faces, score):
    """Return what the second player gets from the start, who knows the score to beat."""

    def worth(left):
        mine = read(left, score)
        return Fraction(1) if mine < beat else Fraction(1, 2) if mine == beat else Fraction(0)

    return best_end(range(1, tiles + 1), one_die, faces, worth)


def small_box(one_die, score, players):
    return ShutTheBox(tiles=5, die=Die(4), one_die=one_die, score=score, players=players)


@pytest.mark.parametrize("one_die", ["high", "must", "never"])
@pytest.mark.parametrize("score", SCORES)
def test_a_duel_is_two_games_alone_the_second_for_the_score_of_the_first(score, one_die):
    # The second player goes on here after he has won, which changes nothing.
    def worth(left):
        return 1 - against(read(left, score), 5, one_die, 4, score)

    solution = solve(small_box(one_die, score, 2), exact=True)
    assert solution.value == best_end(range(1, 6), one_die, 4, worth)


def test_nobody_is_ahead_in_a_duel_in_which_only_the_shut_box_counts():
    # Both have the same chance p: the first gets p(1 - p) + (p^2 + (1 - p)^2)/2 = 1/2.
    assert solve(ShutTheBox(score="shut", players=2), exact=True).value == Fraction(1, 2)


def test_who_plays_second_has_the_better_of_the_duel_with_nine_tiles():
    def worth(left):
        return 1 - against(sum(left), 9, "high", 6, "rest")

    value = best_end(range(1, 10), "high", 6, worth)
    assert f"{float(value):.4%}" == "49.6756%"
    assert solve(ShutTheBox(players=2)).value == pytest.approx(float(value), abs=1e-12)


# House rules: positions are sets of tiles, the score to beat (or None) and whether play is over.


@dataclass(frozen=True)
class PlainBox(HouseRules):
    """The same game in plain Python."""

    tiles: int = 5
    faces: int = 4
    one_die: str = "high"
    score: str = "rest"
    players: int = 1
    name: ClassVar[str] = "plain box"

    @property
    def fewest(self):
        return self.players == 1 and self.score != "shut"

    def start(self):
        return (tuple(range(1, self.tiles + 1)), None, False)

    def choices(self, at):
        return [f"throw {n}" for n in numbers_of_dice(at[0], self.one_die, self.faces)]

    def outcomes(self, at, move):
        for total, chance in law(int(move[-1]), self.faces).items():
            yield Throw(chance, total)

    def ways(self, at, move, dice):
        tiles, beat, _ = at
        hands_over = self.players == 2 and beat is None
        for some in sets(frozenset(tiles), dice):
            left, name = tuple(sorted({*tiles} - {*some})), " ".join(["shut", *map(str, some)])
            if hands_over and not left:
                yield Way(name, (self.start()[0], 0, False), OTHER)
            else:
                yield Way(name, (left, beat, False), SAME)
        if not sets(frozenset(tiles), dice):
            if hands_over:
                yield Way("stop", (self.start()[0], read(tiles, self.score), False), OTHER)
            else:
                gain = read(tiles, self.score) if self.fewest else 0
                yield Way("stop", (tiles, beat, True), SAME, gain)

    def result(self, at):
        tiles, beat, over = at
        if self.players == 1:
            return WIN if not tiles else LOSS if over else None
        if beat is None:
            return None
        mine = read(tiles, self.score)
        if mine < beat:
            return WIN
        if tiles and not over:
            return None
        return DRAW if mine == beat else LOSS


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("one_die", ONE_DIE)
def test_arrays_and_house_rules_are_the_same_game(one_die, score, players):
    plain = PlainBox(one_die=one_die, score=score, players=players)
    house = solve(plain, exact=True)
    ours = small_box(one_die, score, players)
    arrays = solve(ours, exact=True)
    assert len(house.table) == len(arrays.table)
    for number in range(len(house.table)):
        tiles, beat, over = at = house.table.position(number)
        here = ours.parse(
            (" ".join(map(str, tiles)) or "shut")
            + ("" if beat is None else f", {beat} to beat")
            + (", over" if over else "")
        )
        assert arrays.value_at(here) == house.values[number], at
        if plain.result(at):
            assert ours.result(here) == plain.result(at)
            continue
        assert set(arrays.best_moves(here)) == set(house.best_moves(at))
        for move in plain.choices(at):
            for total in law(int(move[-1]), 4):
                moment, same = Moment(at, move, total), Moment(here, move, total)
                assert ours.legal_moves(same) == plain.legal_moves(moment)
                if len(plain.legal_moves(moment)) > 1:
                    theirs = {each.move: each.value for each in house.moves_at(moment)}
                    assert {each.move: each.value for each in arrays.moves_at(same)} == theirs


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("highest-first", lambda some: sorted(some, reverse=True)),
        ("most-tiles", lambda some: (len(some), sorted(some, reverse=True))),
        ("fewest-tiles", lambda some: (-len(some), sorted(some, reverse=True))),
    ],
)
@pytest.mark.parametrize("one_die", ["high", "must", "never"])
def test_named_strategies_get_what_a_recursion_gets_that_plays_like_them(name, key, one_die):
    @cache
    def value(tiles):
        numbers = numbers_of_dice(tiles, one_die, 6)
        dice = 1 if sum(tiles) <= 6 and 1 in numbers else 2
        total = Fraction(0)
        for throw, chance in law(dice, 6).items():
            if not sets(tiles, throw):
                continue
            left = tiles - set(max(sets(tiles, throw), key=key))
            total += chance * (value(left) if left else 1)
        return total

    found = evaluate(ShutTheBox(one_die=one_die, score="shut"), name)
    assert found.value == pytest.approx(float(value(frozenset(range(1, 10)))), abs=1e-12)


def test_a_strategy_throws_what_it_may_and_shuts_what_it_says():
    table = compile(ShutTheBox())
    highest = plan(table, "highest-first")
    assert highest.move_at("1 2 3 4 5 6 7 8 9") == "throw 2"
    assert highest.move_at("1 2 3") == "throw 1"
    assert highest.move_at("1 2 4") == "throw 2"
    solution = solve(table)
    assert solution.best_moves("1 2 3 4 5 6 7 8 9 threw 9") == ["shut 9"]
    assert evaluate(table, "highest-first").value > solution.value


def test_games_played_agree_with_the_recursion():
    found = simulate(ShutTheBox(score="shut"), "optimal", games=20_000, seed=7)
    low, high = found.value.interval
    assert low <= float(PUBLISHED) <= high


def test_dice_are_added_up():
    box = ShutTheBox()
    after = box.after(box.parse("2 5 7"), "throw 2", [3, 6])
    assert box.write(after.at) == "5"  # 9 is 2 and 7, and nothing else
    after = box.after(box.parse("1 2 3 4"), "throw 2", [1, 4])
    assert box.write(after.at) == "1 2 3 4 throw 2 threw 5"
    assert box.legal_moves(after.at) == ["shut 1 4", "shut 2 3"]
    assert box.law(after.at, "shut 1 4")[0][1].at == box.parse("2 3")
    stopped = box.after(box.parse("2 5"), "throw 2", [6, 6])
    assert (box.write(stopped.at), stopped.gain) == ("2 5, over", 7)


def test_the_second_player_stops_as_soon_as_he_has_won():
    duel = ShutTheBox(players=2)
    assert duel.result(duel.parse("1 2 3, 7 to beat")) == WIN
    assert duel.result(duel.parse("3 4, 7 to beat")) == 0
    assert duel.result(duel.parse("3 4, 7 to beat, over")) == DRAW
    assert duel.result(duel.parse("3 4, 6 to beat, over")) == LOSS
    assert duel.result(duel.parse("shut, 0 to beat")) == DRAW
    shuts = duel.after(duel.parse("2 7"), "throw 2", [4, 5])
    assert (duel.write(shuts.at), shuts.mover) == ("1 2 3 4 5 6 7 8 9, 0 to beat", OTHER)


def test_open_tiles_are_read_as_a_number():
    duel = ShutTheBox(score="digits", players=2)
    at = duel.parse("2 6 8, 159 to beat")
    assert at == BoxPosition(bits((2, 6, 8)), bits((1, 5, 9)), 0)
    assert duel.notation(at) == "2 6 8, 159 to beat"
    assert duel.result(duel.parse("7 9, 123 to beat")) == WIN  # 79 is less than 123
    assert duel.parse("1 2, 0 to beat").beat == 0


def test_what_happened_is_told():
    box, duel = ShutTheBox(), ShutTheBox(players=2)
    at = box.parse("1 2 3 4")
    moment = Moment(at, "throw 2", 5)
    told = box.narrate(at, "throw 2", [1, 4], moment, True, True)
    assert told.text == "You throw 1 and 4."
    assert box.narrate(moment, "shut 1 4", [], at, True, True).text == "You shut 1 and 4."
    told = box.narrate(at, "throw 2", [5, 4], at, False, False)
    assert told.text == "The other player throws 5 and 4 and shuts 2, 3 and 4."
    told = box.narrate(at, "throw 2", [6, 5], at, True, True)
    assert told == ("You throw 6 and 5: nothing to shut. You stop with 10 points.", "bust", 0, ())
    assert box.narrate(at, "throw 2", [], moment, True, True).text == "You throw."
    assert [box.label(at, move) for move in ("throw 2", "throw 1", "shut 1 2 6", "stop")] == [
        "Throw 2 dice",
        "Throw 1 die",
        "Shut 1, 2 and 6",
        "Stop",
    ]
    assert box.describe(at) == "Open: 1, 2, 3 and 4, 10 points."
    assert box.describe(moment) == box.describe(at)
    assert box.describe(box.parse("shut")) == "The box is shut."
    second = duel.parse("1 2 3, 4 to beat, over")
    assert duel.describe(second) == "Open: 1, 2 and 3, 6 points. The other player scored 4."
    assert duel.describe(second, mine=False).endswith("You scored 4.")
    assert duel.ending(second, True, "lost", 2) == "You lost, 6 to 4."
    assert duel.ending(second, False, "won", 2) == "You won, 4 to 6."
    assert box.ending(box.parse("shut"), True, "won", 1) == "You shut the box."
    assert box.ending(box.parse("2 5, over"), True, "lost", 1) == "You left 2 and 5 open."
    assert box.example_positions() == ["1 2 3 4 5 6 7 8 9 threw 7", "1 2 3 4", "1 2 3 4 5 6 7 8 9"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tiles": 0}, "shut-the-box needs 1 to 20 tiles: got tiles=0"),
        (
            {"tiles": 10, "score": "digits"},
            "shut-the-box needs 1 to 9 tiles that are read as a number: got tiles=10",
        ),
        ({"dice": 7}, "shut-the-box needs 1 to 6 dice: got dice=7"),
        (
            {"die": Die({0: "1/2", 2: "1/2"})},
            "shut-the-box needs faces of 1 or more: got die=0:1/2,2:1/2",
        ),
        (
            {"one_die": "maybe"},
            "shut-the-box needs a rule for one die among high, rest, must, always, never: "
            "got one_die=maybe",
        ),
        (
            {"score": "luck"},
            "shut-the-box needs a score among rest, digits, shut: got score=luck",
        ),
        ({"players": 3}, "shut-the-box needs 1 or 2 players: got players=3"),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("shut-the-box", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["1 2 10", "1 1", "1 2, 7 to beat", "none", ""])
def test_a_position_is_the_open_tiles(text):
    with pytest.raises(UnreadablePosition) as refused:
        ShutTheBox().parse(text)
    assert str(refused.value) == (
        f"cannot read {text!r} as a position of shut-the-box: write it like '1 2 3 4 5 6 7 8 9'"
    )
    assert ShutTheBox().parse(" 2  9 ") == BoxPosition(0b100000010, NOBODY, 0)


def test_the_coach_says_what_stands_on_the_button():
    box = ShutTheBox()
    at = box.start()
    for move, label in {"shut 2 9": "Shut 2 and 9", "throw 2": "Throw 2 dice"}.items():
        assert box.label(at, move) == label
        assert box.spoken(at, move) == label.lower()
