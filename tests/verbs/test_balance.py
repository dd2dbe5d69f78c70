"""balance: against small counts, and what is proved, found and refused."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from tests.strange_games import Coach, Heap, Ladder

from dicelab import Die, balance, solve, sweep
from dicelab.errors import RulesError, WrongCheckpoint
from dicelab.games.pig import Pig
from dicelab.verbs.fronts import not_beaten


def pig_values(target):
    """Return the value of Pig with faces 1 and 2 at every pair of banks, by iteration alone."""
    values = {}
    for mine in reversed(range(target)):
        for yours in reversed(range(target)):
            values[mine, yours] = values[yours, mine] = 0.5
    for _ in range(400):
        for mine, yours in values:
            best = 0.0
            for throws in range(1, target):  # roll so often, unless that is enough before
                gained = 2 * min(throws, -(-(target - mine) // 2))
                after = 1.0 if mine + gained >= target else 1 - values[yours, mine + gained]
                chance = 0.5 ** (gained // 2)
                best = max(best, chance * after + (1 - chance) * (1 - values[yours, mine]))
            values[mine, yours] = best
    return values


def test_a_lottery_between_two_head_starts_is_exactly_fair():
    # Piglet to 2 is worth 4/7, and 2/5 where the other has 1: Neller and Presser, The UMAP Journal
    # 25(1), 2004. So (1 - p) 4/7 + p 2/5 = 1/2 has p = 5/12.
    fixed = {"target": 2}
    found = balance("piglet", ["value=1/2"], None, {"yours": [0, 1]}, fixed=fixed, exact=True)
    assert found.best.lottery.chance == Fraction(5, 12)
    assert found.best.numbers[0].fraction == "1/2"
    assert found.best.settings == {"start yours": "0, or 1 with 5/12"}
    assert found.is_met
    assert found.is_proved
    # Without a lottery 4/7 is nearest: 1/14 away, where 2/5 is 1/10.
    assert [way.settings["start yours"] for way in found.front[1:]] == ["0"]


def test_any_value_can_be_hit_by_lottery_and_the_float_says_how_far_it_may_be_off():
    given = (["value=2/5..9/20"], None, {"yours": [0, 1, 2]})
    wanted = balance(Pig(target=8, die=Die(2)), *given)
    exact = balance(Pig(target=8, die=Die(2)), *given, exact=True)
    for one, two in zip(wanted.ways, exact.ways, strict=True):
        number, true = one.numbers[0], Fraction(two.numbers[0].fraction)
        assert abs(number.value - true) <= number.error
        if one.lottery is not None:
            assert abs(one.lottery.chance - two.lottery.chance) <= one.lottery.error + 1e-15


def test_every_head_start_has_the_value_that_iteration_finds():
    values = pig_values(8)
    found = balance(Pig(target=8, die=Die(2)), ["advantage=0"], None, {"yours": range(8)})
    single = {way.settings["start yours"]: way for way in found.ways if way.lottery is None}
    for yours in range(8):
        told = single[str(yours)].numbers[0].value
        assert told == pytest.approx(2 * values[0, yours] - 1, abs=1e-9)
    least = min(abs(2 * values[0, yours] - 1) for yours in range(8))
    nearest = {str(each) for each in range(8) if abs(2 * values[0, each] - 1) < least + 1e-9}
    assert nearest == {"0", "1"}  # faces 1 and 2: an odd point is worth nothing
    assert {way.settings["start yours"] for way in found.front if not way.lottery} == nearest


def test_head_starts_by_one_solution_are_those_of_each_game_by_itself():
    game = Pig(target=10, die=Die(4))
    at_once = balance(game, ["value=1/2"], None, {"yours": range(5)})
    each = balance(game, ["value=1/2", "positions>=1"], None, {"yours": range(5)})
    for one, other in zip(
        (way for way in at_once.ways if way.lottery is None), each.ways, strict=True
    ):
        assert one.numbers[0].value == pytest.approx(other.numbers[0].value, abs=1e-12)
        begins = game.starting(f"0-{one.settings['start yours']} +0")
        assert one.numbers[0].value == pytest.approx(float(solve(begins).value), abs=1e-12)


def test_by_the_pie_rule_who_proposes_gets_the_better_of_the_worse_seats():
    # 4/7 leaves the worse seat 3/7, and 2/5 leaves it 2/5: 0 points are proposed.
    found = balance(
        "piglet",
        ["value=1/2", "advantage=0"],
        None,
        {"yours": [0, 1]},
        ["pie"],
        fixed={"target": 2},
        exact=True,
    )
    assert [number.fraction for number in found.best.numbers] == ["3/7", "-1/7"]
    assert found.best.settings == {"start yours": "0", "order": "pie"}


def test_by_the_pie_rule_all_numbers_are_those_of_who_proposes():
    # Piglet to 2 is won by who starts with 4/7, so the other chooses to start.
    goals = ["wins=1/2", "loses=1/2", "value=1/2", "seat:2=1/2", "overall=1/2", "length=2"]
    found = balance("piglet", goals, None, {"yours": [0]}, ["pie"], fixed={"target": 2}, exact=True)
    told = dict(zip(goals, (number.fraction for number in found.best.numbers), strict=True))
    assert list(told.values())[:5] == ["3/7", "4/7", "3/7", "4/7", "1/2"]
    plain = balance("piglet", ["length=2"], None, {"yours": [0]}, fixed={"target": 2}, exact=True)
    assert told["length=2"] == plain.best.numbers[0].fraction


def test_of_three_no_lottery_hits_an_advantage_and_there_is_no_pie():
    # The best seat of one game is another in the next, so the advantage of a lottery between the
    # two is not between theirs.
    given = {"fixed": {"target": 3, "players": 3}, "head_start": {"third": [0, 1, 2]}}
    found = balance("piglet", ["advantage=20%"], **given)
    assert [way.lottery for way in found.ways] == [None] * 3
    seats = balance("piglet", ["seat:3=1/3"], **given)
    assert seats.best.lottery is not None
    assert seats.is_met
    both = balance("piglet", ["advantage=20%"], orders=["first", "pie"], **given)
    assert [way.settings["order"] for way in both.ways] == ["first"] * 3
    assert both.refusals == ("piglet target=3 players=3 is played by 3: the pie rule is for two",)


def test_the_front_of_several_goals_is_what_no_other_beats():
    over = {"target": range(8, 20, 2), "die": [3, 4, 6]}
    found = balance("pig", ["length=4", "advantage<=10%"], over)
    told = sweep("pig", over, ["length", "advantage"])
    misses = {
        tuple(row.settings.values()): (
            abs(row.numbers[0].value - 4),
            max(0.0, row.numbers[1].value - 0.1),
        )
        for row in told.rows
    }
    unbeaten = {
        place
        for place, own in misses.items()
        if not any(
            other != own and other[0] <= own[0] and other[1] <= own[1] for other in misses.values()
        )
    }
    assert {tuple(way.settings.values()) for way in found.front} == unbeaten
    assert not found.is_met
    assert found.tried == found.variants == 18


def test_rows_that_no_other_beats_by_the_definition():
    costs = np.random.default_rng(5).integers(0, 6, (200, 3)).astype(float)
    beaten = [any((other <= row).all() and (other < row).any() for other in costs) for row in costs]
    assert not_beaten(costs).tolist() == [not each for each in beaten]


def test_a_game_that_never_ends_is_as_far_as_can_be_from_any_length():
    # Both hold with nothing at risk, for ever; the other variant is refused by who needs passing.
    def wait(at):
        return "hold"

    over = {"passing": [True, False]}
    found = balance(Pig(target=2, die=Die(2)), ["length=2"], over, strategies=[wait, wait])
    assert found.best.settings == {"passing": "yes"}
    assert found.best.numbers[0].value == np.inf
    assert not found.is_met
    assert found.as_csv().splitlines()[1].startswith("yes,inf,")
    assert len(found.refusals) == 1


def test_a_search_finds_the_best_of_more_than_it_may_try_and_says_so():
    over = {"target": range(4, 24), "die": range(2, 8)}
    every = balance("pig", ["length=5"], over)
    some = balance("pig", ["length=5"], over, tries=40)
    again = balance("pig", ["length=5"], over, tries=40)
    assert every.is_proved
    assert every.proof == "proved: all 120 variants were worked out"
    assert some.proof == "the best found: 40 of 120 variants were worked out (seed 1)"
    assert some.best.misses[0] <= 3 * every.best.misses[0] + 0.02
    assert [way.settings for way in some.ways] == [way.settings for way in again.ways]


def test_where_nothing_is_named_every_parameter_is_tried():
    found = balance(Pig(target=6, die=Die(4)), ["length=3"], tries=40)
    assert found.axes == {
        "target": ("3", "4", "5", "6", "7", "9", "12"),
        "die": ("4", "6", "8", "10", "12", "20"),
        "bust": ("1", "2"),
        "dice": ("1", "2"),
        "passing": ("no", "yes"),
    }
    assert found.tried == 40
    kept = balance("pig", ["length=3"], fixed={"target": 6, "die": 4, "dice": 1})
    assert list(kept.axes) == ["bust", "passing"]  # what is given stays
    with pytest.raises(RulesError) as refused:
        balance(Heap(), fixed={"matches": 3})
    assert str(refused.value) == (
        "nothing to change was named of Heap matches=3: it has matches; give ranges or a head start"
    )


def test_an_extra_rule_and_a_game_somebody_wrote():
    # Of three matches two are taken and a coin takes the last one, so it is fair; of two it is not.
    found = balance(Heap(), ["advantage=0"], {"matches": [1, 2, 3]}, exact=True)
    assert found.best.settings == {"matches": "3"}
    assert found.is_met
    ladder = balance(Ladder(), ["advantage=0"], None, {"there": [0, 1, 2]})
    assert [way.settings["start there"] for way in ladder.ways if way.lottery is None] == [
        *("0", "1", "2"),
    ]


def test_nothing_is_proved_of_a_variant_that_is_too_large():
    over = {"target": [2, 60]}
    found = balance("piglet", ["value=1/2"], over, memory=20_000)
    assert (found.tried, found.variants, found.is_proved) == (1, 2, False)
    assert found.refusals[0].startswith("piglet target=60 has about ")
    assert balance("piglet", ["value=1/2"], over).is_proved


def test_positions_that_are_dataclasses_have_head_starts():
    found = balance(Coach(), ["advantage=0"], None, {"yours": [0, 1, 5]}, exact=True)
    told = [way.settings["start yours"] for way in found.ways if way.lottery is None]
    assert told == ["0", "1"]
    assert "coach is over at Miles(mine=0, yours=5)" in found.refusals[0]


def test_a_checkpoint_and_processes_give_the_same(tmp_path, monkeypatch):
    from dicelab.verbs import sweep as module

    over = {"target": range(3, 9), "die": [2, 3, 4]}
    kept = tmp_path / "kept"
    first = balance("pig", ["length=3"], over, tries=9, checkpoint=kept)
    monkeypatch.setattr(module, "FEW_POSITIONS", 0)
    again = balance("pig", ["length=3"], over, tries=9, checkpoint=kept)
    more = balance("pig", ["length=3"], over, checkpoint=kept, workers=2)
    assert [way.settings for way in again.front] == [way.settings for way in first.front]
    assert (more.tried, more.is_proved) == (18, True)
    with pytest.raises(WrongCheckpoint):
        balance("pig", ["length=3"], {"target": [3, 4]}, checkpoint=kept)


def test_the_table_and_the_dictionary_have_all_that_was_found():
    fixed = {"target": 2}
    found = balance("piglet", ["value=1/2"], None, {"yours": [0, 1]}, fixed=fixed, exact=True)
    head, *rows = csv.reader(io.StringIO(found.as_csv()))
    assert head == ["start yours", "value", "value error", "misses value=1/2", "lottery", "front"]
    assert [row[:2] + row[4:] for row in rows] == [
        ["0", "4/7", "", "2"],
        ["1", "2/5", "", ""],
        ["0, or 1 with 5/12", "1/2", "5/12", "1"],
    ]
    told = json.loads(json.dumps(found.as_dict()))
    assert told["proposed"]["lottery"]["fraction"] == "5/12"
    assert told["proved"] is True


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"goals": []}, "say what is to be reached, as advantage=0 or length=8"),
        ({"over": {"target": []}}, "target has no value to go through: give one or more"),
        ({"over": {"target": [3, 3]}}, "target goes through 3 twice: give each value once"),
        ({"tries": 10**6}, "tries are 1 to 100,000 games: got 1,000,000"),
        (
            {"head_start": {"yours": range(50)}, "tries": 20},
            "the head starts alone are 50: at most 20 games are worked out, so give fewer, or more "
            "tries",
        ),
        (
            {"head_start": {"your": [1]}},
            "no variant has every number that is wanted; the first: a position of pig target=5 has "
            "no field 'your'; did you mean 'yours'?",
        ),
        (
            {"head_start": {"yours": [5]}},
            "no variant has every number that is wanted; the first: pig target=5 is over with "
            "yours=5: give less of a head start",
        ),
        (
            {"head_start": {"yours": ["few"]}},
            "no variant has every number that is wanted; the first: yours of a position of pig "
            "target=5 is like 0: got 'few'",
        ),
        (
            {"goals": ["value=1/2", "advantage=10%"]},
            "the goals value=1/2 and advantage=10% contradict each other: the advantage is twice "
            "the value less 1",
        ),
        (
            {"orders": ["losser:3"]},
            "there is no order of starting called 'losser'; did you mean 'loser'?",
        ),
        (
            {"orders": ["loser"]},
            "a match is given with its rounds, as alternate:4, loser:3 or winner:3, and the orders "
            "first, toss and pie without: got 'loser'",
        ),
        ({"orders": ["loser:0"]}, "a match has 1 to 1,000 rounds: got 'loser:0'"),
        (
            {"orders": ["pie"], "strategies": ["hold-at:2", "hold-at:3"]},
            "the pie rule is for players who play alike: got hold-at:2 and hold-at:3",
        ),
        ({"strategies": ["hold-at:2"] * 3}, "at most two strategies play: got 3"),
        (
            {"over": {"die": [1, 4]}, "goals": ["points=3"]},
            "no variant has every number that is wanted; the first: pig target=5 die=4 is not for "
            "points: ask for value, or play it for=points",
        ),
        (
            {"over": {"die": [1]}},
            "no variant has every number that is wanted; the first: pig needs a face besides the "
            "1: got die=1",
        ),
    ],
)
def test_what_cannot_be_balanced_is_refused(arguments, sentence):
    with pytest.raises(RulesError) as refused:
        balance("pig", **{"fixed": {"target": 5}, **arguments})
    assert str(refused.value) == sentence


def test_a_field_in_which_no_head_start_can_be_given_is_refused():
    with pytest.raises(RulesError) as refused:
        balance(Ladder(), ["advantage=0"], None, {"here": []}, fixed={"top": 0})
    assert str(refused.value) == (
        "Ladder top=0 cannot start elsewhere by its here: give values, as here=1..5"
    )
