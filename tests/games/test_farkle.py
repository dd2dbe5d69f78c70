"""Farkle, against every throw listed, numbers that others have published, and the same game as
house rules.

Published: R. McKenna, "Optimal strategy for Farkle dice", 2018, and M. Busche, "Maximizing Expected
Scores in the Game of Zilch", 2010, with his answer to a reader of 2012. Both are about the points
of one turn with the scores of the game on Facebook.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar, NamedTuple

import pytest

from dicelab import (
    OTHER,
    WIN,
    Die,
    HouseRules,
    Outcome,
    compile,
    evaluate,
    game,
    plan,
    simulate,
    solve,
)
from dicelab.errors import RulesError, UnreadablePosition
from dicelab.games.farkle import Farkle, FarklePosition
from dicelab.games.farkle.scores import TABLES
from dicelab.rules import LOSS, ONGOING, SAME, Moment, Throw, Way
from dicelab.rules.dice import d6

FARKLES = "2/3 4/9 5/18 17/108 25/324 5/162"  # with 1 to 6 dice

# What the dice score, written down a second time

SETS = {  # what n of a kind are worth, given the worth of three
    "standard": {},
    "facebook": {
        4: lambda three: 2 * three,
        5: lambda three: 3 * three,
        6: lambda three: 4 * three,
    },
    "patch": {4: lambda _: 1000, 5: lambda _: 2000, 6: lambda _: 3000},
    "kingdom-come": {n: lambda three, n=n: three * 2 ** (n - 3) for n in (4, 5, 6)},
}


def alike(table, face, number):
    """Return the most that so many dice of one face score, each of them scoring; None if none."""
    if not number:
        return 0
    three = (300 if table == "patch" else 1000) if face == 1 else 100 * face
    worth = {1: {1: 100, 5: 50}.get(face), 3: three}
    worth |= {n: of(three) for n, of in SETS[table].items()}
    found = [
        points + rest
        for n, points in worth.items()
        if points and n <= number and (rest := alike(table, face, number - n)) is not None
    ]
    return max(found, default=None)


@cache
def scored(table, kept):
    """Return the most that dice score of which each must score; None if they cannot."""
    counts = Counter(kept)
    faces = [alike(table, face, number) for face, number in counts.items()]
    found = [] if None in faces or not kept else [sum(faces)]
    shape = sorted(counts.values())
    if table != "standard" and shape == [1] * 6:
        found.append(1500)
    if table in ("facebook", "patch") and shape == [2, 2, 2]:
        found.append(750 if table == "facebook" else 1500)
    if table == "patch" and shape == [2, 4]:
        found.append(1500)
    if table == "patch" and shape == [3, 3]:
        found.append(2500)
    if table == "kingdom-come":
        for straight, points in (({1, 2, 3, 4, 5}, 500), ({2, 3, 4, 5, 6}, 750)):
            if straight <= set(kept):
                rest = tuple((counts - Counter(straight)).elements())
                more = scored(table, rest) if rest else 0
                found += [] if more is None else [points + more]
    return max(found, default=None)


@cache
def kept_from(table, throw):
    """Return {dice to put aside: their points}, every part of a throw tried."""
    found = {}
    for takes in product([False, True], repeat=len(throw)):
        kept = tuple(sorted(face for face, taken in zip(throw, takes, strict=True) if taken))
        points = scored(table, kept)
        if points:
            found[kept] = points
    return found


@cache
def throws(dice, die=d6):
    """Return every throw of so many dice, sorted, with its chance, the throws listed in order."""
    law = Counter()
    for faces in product(die, repeat=dice):
        chance = Fraction(1)
        for _, share in faces:
            chance *= share
        law[tuple(sorted(face for face, _ in faces))] += chance
    return dict(law)


@pytest.mark.parametrize("table", TABLES)
def test_every_set_of_dice_scores_what_the_table_says(table):
    farkle = Farkle(scoring=table)
    for number in range(1, 7):
        for kept in throws(number):
            assert farkle.scores.worth_of.get(kept) == scored(table, kept), kept


@pytest.mark.parametrize("table", TABLES)
def test_the_best_set_of_each_number_of_dice_is_offered(table):
    farkle = Farkle(scoring=table)
    for throw in throws(6):
        best = {}
        for kept, points in kept_from(table, throw).items():
            best[len(kept)] = max(points, best.get(len(kept), 0))
        offered = farkle.scores.sets_of.get(farkle.scores.scoring_dice(throw), ())
        assert {len(kept): points for kept, points in offered} == best


@pytest.mark.parametrize(
    ("table", "chances"),
    [
        # No 1, no 5, no three alike: 4, 16, 64 - 4, 256 - 52, 600 and 1440 throws.
        ("standard", FARKLES),
        ("kingdom-come", FARKLES),
        # Of the 1440 throws of six dice 360 are three pairs.
        ("facebook", "2/3 4/9 5/18 17/108 25/324 5/216"),
        ("patch", "2/3 4/9 5/18 17/108 25/324 5/216"),
    ],
)
def test_a_farkle_is_as_likely_as_counting_says(table, chances):
    farkle = Farkle(scoring=table)
    for number, chance in enumerate(chances.split(), 1):
        found = farkle.law(FarklePosition(0, 0, 1, number, 0, 0), "roll")
        assert found[0] == (Fraction(chance), Outcome(found[0][1].chance, farkle.start(), OTHER))
        listed = sum(share for dice, share in throws(number).items() if not kept_from(table, dice))
        assert listed == Fraction(chance)


def one_turn(farkle, most=20_000):
    """Return what a turn is worth on average by points at risk and dice, from the rules' throws."""

    @cache
    def worth(points, dice):
        if points >= most:
            return points
        roll = 0.0
        for shown, times in farkle.scores.times_of.items():
            if shown and times[dice]:
                best = max(
                    worth(points + more, (dice - len(kept)) or 6)
                    for kept, more in farkle.scores.sets_of[shown]
                )
                roll += float(times[dice]) / 6**6 * best
        return max(float(points), roll)

    return worth


def test_one_turn_alone_is_worth_what_mckenna_and_busche_have_published():
    worth = one_turn(Farkle(scoring="facebook"))
    printed = {(50, 5): 363.834, (100, 5): 399.911, (150, 4): 307.673, (200, 3): 257.584}
    for at, points in printed.items():
        assert worth(*at) == pytest.approx(points, abs=5e-4)
    assert worth(250, 3) == pytest.approx(293.4, abs=0.05)
    assert [worth(*at) for at in [(250, 2), (300, 2), (350, 1), (500, 3)]] == [250, 300, 350, 500]
    # Busche: with six dice to throw, roll unless you have 16,400 or more.
    assert worth(16_350, 6) > 16_350
    assert worth(16_400, 6) == 16_400


# The whole game


def check_by_every_throw(farkle, solution):
    """Check that each value is the best there is, every throw and every part of it tried.

    Play ends however it goes, so that only the values of best play satisfy this everywhere.
    """
    target, table = farkle.target, farkle.scoring

    def value(mine, yours, risk, dice):
        most = max(target - mine, max(farkle.entry if mine <= 0 else 0, farkle.minimum))
        if risk >= most:
            return 1
        at = farkle.parse(f"{mine}-{yours} +{risk} ({dice} dice)")
        return solution.value_at(at)

    checked = 0
    positions = [solution.table.position(number) for number in range(len(solution.table))]
    for at in positions:
        if farkle.result(at) != ONGOING:
            continue
        mine, yours, risk = (50 * field for field in at[:3])
        moves = []
        if at.dice:
            farkled = 1 - value(yours, mine, 0, farkle.dice)
            total = Fraction(0)
            for throw, chance in throws(at.dice, farkle.die).items():
                ways = [
                    value(mine, yours, risk + points, left or (farkle.dice * farkle.hot_dice))
                    for kept, points in kept_from(table, throw).items()
                    for left in [at.dice - len(kept)]
                ]
                total += chance * max(ways, default=farkled)
            moves.append(total)
        enough = risk and risk >= max(farkle.minimum, farkle.entry if mine <= 0 else 0)
        if enough or not at.dice:
            moves.append(1 - value(yours, mine + (risk if enough else 0), 0, farkle.dice))
        assert solution.value_at(at) == max(moves), at
        checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    "given",
    [
        {"dice": 1, "target": 200},
        {"dice": 2, "target": 250},
        {"dice": 3, "target": 300, "scoring": "patch"},
        {"dice": 3, "target": 250, "entry": 150, "minimum": 100},
        {"dice": 2, "target": 250, "hot_dice": False, "minimum": 100},
        {"dice": 2, "target": 300, "die": Die({1: "1/7", 2: "3/7", 5: "3/7"})},
        {"dice": 6, "target": 150, "scoring": "kingdom-come"},
    ],
    ids=str,
)
def test_best_play_is_that_of_every_throw_listed_in_rationals(given):
    farkle = Farkle(**given)
    check_by_every_throw(farkle, solve(farkle, exact=True))


class Plain(NamedTuple):
    """A position of the house rules, in points."""

    mine: int
    yours: int
    risk: int
    dice: int
    farkles: int
    others: int


@dataclass(frozen=True)
class PlainFarkle(HouseRules):
    """The same game in plain Python: every set that scores may be put aside, also a poor one."""

    target: int = 250
    scoring: str = "standard"
    entry: int = 0
    minimum: int = 0
    hot_dice: bool = True
    three_farkles: int = 0
    floor: int = 0
    dice: int = 2
    die: Die = d6
    name: ClassVar[str] = "plain farkle"

    def start(self):
        return Plain(0, 0, 0, self.dice, 0, 0)

    def needed(self, at):
        return max(50, self.minimum, self.entry if at.mine <= 0 else 0)

    def choices(self, at):
        found = ["roll"] if at.dice else []
        return [*found, "bank"] if at.risk >= self.needed(at) or not at.dice else found

    def outcomes(self, at, move):
        if move == "bank":
            banked = at.risk if at.risk >= self.needed(at) else 0
            yield Outcome(1, Plain(at.yours, at.mine + banked, 0, self.dice, at.others, 0), OTHER)
            return
        for throw, chance in throws(at.dice, self.die).items():
            if kept_from(self.scoring, throw):
                yield Throw(chance, throw)
                continue
            bank, farkles = at.mine, at.farkles + 1
            if self.three_farkles and farkles == 3:
                bank, farkles = max(bank - self.three_farkles, self.floor), 0
            if not self.three_farkles:
                farkles = 0
            yield Outcome(chance, Plain(at.yours, bank, 0, self.dice, at.others, farkles), OTHER)

    def ways(self, at, move, throw):
        for kept, points in kept_from(self.scoring, throw).items():
            left = at.dice - len(kept)
            if not left and self.hot_dice:
                left = self.dice
            risk = at.risk + points
            won = max(self.target - at.mine, self.needed(at))
            if risk >= won:
                risk, left = won, self.dice
            yield Way(f"take {kept}", at._replace(risk=risk, dice=left), SAME)

    def result(self, at):
        if at.yours >= self.target:
            return LOSS
        reached = at.mine + at.risk >= self.target and at.risk >= self.needed(at)
        return WIN if reached else ONGOING


@pytest.mark.parametrize(
    "given",
    [
        {"dice": 2, "target": 300},
        {"dice": 3, "target": 250, "scoring": "patch", "entry": 150, "minimum": 100},
        {"dice": 2, "target": 250, "hot_dice": False, "minimum": 100},
        {"dice": 1, "target": 200, "three_farkles": 100},
        {"dice": 1, "target": 150, "three_farkles": 50, "floor": -50, "entry": 100},
        {
            "dice": 4,
            "target": 150,
            "die": Die({2: "1/2", 4: "1/3", 5: "1/6"}),
            "scoring": "facebook",
        },
    ],
    ids=str,
)
def test_arrays_and_house_rules_are_the_same_game(given):
    house, arrays = solve(PlainFarkle(**given), exact=True), solve(Farkle(**given), exact=True)
    for number in range(len(house.table)):
        at = house.table.position(number)
        same = FarklePosition(*(points // 50 for points in at[:3]), *at[3:])
        assert arrays.value_at(same) == house.values[number], at
        if not house.game.result(at):
            assert set(arrays.best_moves(same)) == set(house.best_moves(at)), at
    assert len(arrays.table) == len(house.table)


def test_a_race_to_one_five_has_a_closed_form():
    # v = 1 - p + p (1 - v) with the chance p of a farkle, hence v = 1/(1 + p).
    for number, text in enumerate(FARKLES.split(), 1):
        value = solve(Farkle(target=50, dice=number), exact=True).value
        assert value == 1 / (1 + Fraction(text))


def test_games_with_random_dice_agree_with_the_exact_chance():
    table = compile(Farkle(target=300, dice=4, three_farkles=100))
    exact = evaluate(table, "look-ahead", "keep-few:150")
    found = simulate(table, "look-ahead", "keep-few:150", games=4000, seed=7)
    p = exact.overall
    assert abs(found.overall.value - p) < 4 * (p * (1 - p) / 4000) ** 0.5
    assert exact.overall < evaluate(table, "optimal", "keep-few:150").overall


# The rules at the table


def test_hot_dice_are_thrown_again_and_else_end_the_turn():
    hot, cold = Farkle(dice=2), Farkle(dice=2, hot_dice=False, minimum=200)
    at = hot.parse("0-0 +100 (1 die)")
    assert hot.notation(hot.after(at, "roll", [1]).at) == "0-0 +200 (2 dice)"
    ended = cold.after(at, "roll", [5]).at
    assert cold.notation(ended) == "0-0 +150 (0 dice)"
    assert cold.legal_moves(ended) == ["bank"]
    ((_, banked),) = cold.law(ended, "bank")
    assert cold.notation(banked.at) == "0-0 +0 (2 dice)"  # 150 are fewer than the minimum


def test_the_entry_score_holds_until_there_is_something_in_the_bank():
    farkle = Farkle(entry=500, minimum=100)
    assert farkle.legal_moves(farkle.parse("0-300 +450 (3 dice)")) == ["roll"]
    assert farkle.legal_moves(farkle.parse("0-300 +500 (3 dice)")) == ["roll", "bank"]
    assert farkle.legal_moves(farkle.parse("50-300 +50 (3 dice)")) == ["roll"]
    assert farkle.legal_moves(farkle.parse("50-300 +100 (3 dice)")) == ["roll", "bank"]


def test_a_turn_does_not_win_with_less_than_it_may_bank():
    farkle = Farkle(minimum=300)
    assert farkle.result(farkle.parse("950-0 +50 (5 dice)")) == ONGOING
    assert farkle.result(farkle.parse("950-0 +300 (6 dice)")) == WIN
    after = farkle.after(farkle.parse("950-0 +250 (1 die)"), "roll", [1]).at
    assert farkle.notation(after) == "950-0 +300 (6 dice)"


def test_three_farkles_in_a_row_cost_points_down_to_the_floor():
    farkle = Farkle(three_farkles=500, floor=-250)
    after = farkle.after(farkle.parse("400-100 +300 (2 dice, farkles 2-1)"), "roll", [3, 4])
    assert farkle.notation(after.at) == "100--100 +0 (6 dice, farkles 1-0)"
    after = farkle.after(farkle.parse("0-100 (2 dice, farkles 2-1)"), "roll", [3, 4])
    assert farkle.notation(after.at) == "100--250 +0 (6 dice, farkles 1-0)"
    after = farkle.after(farkle.parse("400-100 +300 (2 dice, farkles 1-2)"), "roll", [3, 4])
    assert farkle.notation(after.at) == "100-400 +0 (6 dice, farkles 2-2)"
    ((_, banked),) = farkle.law(farkle.parse("400-100 +300 (2 dice, farkles 2-1)"), "bank")
    assert farkle.notation(banked.at) == "100-700 +0 (6 dice, farkles 1-0)"


def test_a_moment_offers_the_best_of_each_number_of_dice():
    farkle = Farkle()
    at = farkle.read("0-0 threw 1 1 5")
    assert at == Moment(farkle.start(), "roll", (1, 1, 5))
    assert farkle.write(at) == "0-0 +0 (6 dice) threw 1 1 5"
    assert farkle.legal_moves(at) == ["keep 1", "keep 1 1", "keep 1 1 5"]
    assert farkle.after(farkle.start(), "roll", [5, 2, 1, 1, 3, 3]).at == at
    moves = solve(Farkle(target=500)).moves_at("0-0 threw 1 1 5")
    assert {each.move for each in moves} == {"keep 1", "keep 1 1", "keep 1 1 5"}


def test_entries_of_a_table_can_be_changed():
    farkle = Farkle(scoring="facebook,straight:2500,1:0,444:1000,pairs:0")
    assert farkle.scores.worth_of[1, 2, 3, 4, 5, 6] == 2500
    assert farkle.scores.worth_of[4, 4, 4, 4] == 2000  # twice its three
    assert (1,) not in farkle.scores.worth_of
    assert (2, 2, 3, 3, 4, 4) not in farkle.scores.worth_of
    assert Farkle(scoring="1:10,5:5,three:10").step == 5
    assert (
        Farkle(scoring="5:50,three:100,1:100,111:1000").scores.worth_of == Farkle().scores.worth_of
    )


def test_a_million_sided_chance_does_not_overflow():
    die = Die({1: Fraction(1, 10**7), 2: 1 - Fraction(1, 10**7)})
    farkle = Farkle(dice=4, target=50, die=die)
    # A farkle is 2 2, or 2 and less, with no 1: at four dice three 2s are 200.
    p = 1 - Fraction(1, 10**7)
    farkled = farkle.law(FarklePosition(0, 0, 1, 2, 0, 0), "roll")[0]
    assert farkled[0] == p**2
    assert solve(farkle, exact=True).value == 1  # four dice show a 1, or three 2s


def test_named_strategies_do_what_they_say():
    table = compile(Farkle(target=600))
    throw = "0-0 threw 1 5"
    for name, move, way in [
        ("bank-at", "bank", "keep 1 5"),
        ("bank-at:350", "roll", "keep 1 5"),
        ("keep-few", "bank", "keep 1"),
        ("cautious", "bank", "keep 1 5"),
        ("greedy", "roll", "keep 1"),
        ("look-ahead", "bank", "keep 1"),
    ]:
        choose = table.game.strategies[name.partition(":")[0]]
        rule = choose(table.game, *map(int, filter(None, [name.partition(":")[2]])))
        at = table.game.parse("0-100 +300 (2 dice)")
        assert rule(at) == move, name
        assert rule(table.game.start(), table.game.read(throw).dice) == way, name
        assert plan(table, name).move_at("0-100 +300 (2 dice)") == move


def test_looking_ahead_banks_where_a_throw_adds_less_than_it_costs():
    # One die adds (100 + 50)/6 = 25 points and farkles with 2/3: bank from 37.5 at risk. Two dice
    # add 50 and farkle with 4/9: bank from 112.5.
    farkle, rule = Farkle(), Farkle.strategies["look-ahead"](Farkle())
    for dice, points, move in [(1, 50, "bank"), (2, 100, "roll"), (2, 150, "bank")]:
        assert rule(farkle.parse(f"0-0 +{points} ({dice} dice)")) == move
    # Two dice, 1 and 5: the 1 and one die are worth 100 at once, all are 150 and hot dice.
    assert rule(farkle.parse("0-0 +50 (2 dice)"), (1, 5)) == "keep 1 5"
    assert rule(farkle.parse("0-0"), (1, 5)) == "keep 1"


def test_what_happened_is_told():
    farkle = Farkle()
    start, at = farkle.start(), farkle.parse("350-200 +150 (4 dice)")
    assert farkle.describe(at) == (
        "You have 350 and 150 at risk, with 4 dice to throw. The other player has 200."
    )
    assert farkle.describe(farkle.read("350-200 +150 (4 dice) threw 1 5")).endswith(
        " You threw 1 5."
    )
    assert farkle.describe(farkle.parse("350-200"), mine=False) == (
        "You have 200. The other player has 350."
    )
    assert [farkle.label(at, move) for move in ("roll", "bank", "keep 1 1 1 5")] == [
        "Roll 4 dice",
        "Bank 150",
        "Keep 1 1 1 5 for 1050",
    ]
    after = farkle.after(at, "roll", [2, 3, 4, 6])
    told = farkle.narrate(at, "roll", [2, 3, 4, 6], after.at, True, False)
    assert (told.text, told.effect) == ("You roll 2, 3, 4 and 6: a farkle.", "bust")
    moment = farkle.after(at, "roll", [1, 3, 5, 6]).at
    told = farkle.narrate(at, "roll", [1, 3, 5, 6], moment, False, False)
    assert told.text == "The other player rolls 1, 3, 5 and 6."
    ((_, kept),) = farkle.law(moment, "keep 1")
    told = farkle.narrate(moment, "keep 1", [], kept.at, True, True)
    assert (told.text, told.points) == ("You keep a 1: 100 points.", 100)
    hot = farkle.after(farkle.parse("350-200 +150 (1 die)"), "roll", [5]).at
    told = farkle.narrate(farkle.parse("350-200 +150 (1 die)"), "roll", [5], hot, True, True)
    assert told.text == "You roll a 5 and keep a 5: 50 points, and all dice again."
    assert farkle.narrate(at, "bank", [], start, True, False).text == "You bank 150."
    won = farkle.parse("350-200 +650")
    told = farkle.narrate(moment, "keep 1", [], won, True, True)
    assert told.text == "You keep a 1 and win."
    assert farkle.final_counters(won)["mine"] == 1000
    rows = Farkle(three_farkles=500)
    assert rows.describe(rows.parse("0-0 (6 dice, farkles 1-2)")) == (
        "You have 0. The other player has 0. You farkled once in a row. "
        "The other player farkled twice in a row."
    )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"target": 0}, "farkle needs a target of at least 1: got target=0"),
        ({"dice": 7}, "farkle needs 1 to 6 dice: got dice=7"),
        ({"die": Die(8)}, "farkle needs faces 1 to 6: got die=8"),
        ({"entry": -50}, "farkle needs 0 points or more for entry: got entry=-50"),
        ({"floor": 50}, "farkle needs a floor of 0 or less: got floor=50"),
        (
            {"scoring": "lucky"},
            "farkle needs a scoring among standard, facebook, patch, kingdom-come, entries such as "
            "straight:1500 or 111:1000, or both: got scoring=lucky",
        ),
        (
            {"scoring": "straight:x2"},
            "farkle needs a scoring among standard, facebook, patch, kingdom-come, entries such as "
            "straight:1500 or 111:1000, or both: got scoring=straight:x2",
        ),
        (
            {"die": Die({2: "1/2", 3: "1/2"}), "dice": 2},
            "farkle needs dice that can score: got scoring=standard dice=2 die=2:1/2,3:1/2",
        ),
        (
            {"three_farkles": 120},
            "farkle needs a floor and three_farkles in steps of 50, as its scores are: "
            "got floor=0 three_farkles=120",
        ),
    ],
)
def test_parameters_that_make_no_game_are_refused(wrong, sentence):
    with pytest.raises(RulesError) as refused:
        game("farkle", **wrong)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["30", "30-50", "0-0 +50 (7 dice)", "0-0 (6 dice, farkles 1-0)"])
def test_a_position_is_points_in_steps_and_dice(text):
    with pytest.raises(UnreadablePosition) as refused:
        Farkle().parse(text)
    assert str(refused.value) == (
        f"cannot read {text!r} as a position of farkle: write it like '0-0 +0 (6 dice)'"
    )
    assert Farkle().parse(" 350 - 200 + 150 (4 dice)") == FarklePosition(7, 4, 3, 4, 0, 0)
