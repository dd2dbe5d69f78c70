"""sweep: numbers for every value of some parameters."""

import csv
import io
import json

import pytest
from tests.strange_games import Heap

from dicelab import Die, density, evaluate, exploitability, sweep
from dicelab.errors import RulesError, WrongCheckpoint
from dicelab.games.pig import Pig


def numbers(found, name):
    places = [tuple(row.settings.values()) for row in found.rows]
    return dict(zip(places, found.column(name), strict=True))


def test_a_race_to_two_has_its_closed_forms_at_every_die():
    # v = (s - 1)/s + (1 - v)/s, so v = s/(s + 1); a turn fails one time in s, so s/(s - 1) turns.
    found = sweep(
        "pig", {"die": [2, 4, 6, 20]}, ["value", "advantage", "length"], fixed={"target": 2}
    )
    for place, sides in enumerate([2, 4, 6, 20]):
        value, advantage, length = found.rows[place].numbers
        assert value.value == pytest.approx(sides / (sides + 1), abs=1e-12)
        assert abs(value.value - sides / (sides + 1)) <= value.error
        assert advantage.value == pytest.approx((sides - 1) / (sides + 1), abs=1e-12)
        assert length.value == pytest.approx(sides / (sides - 1), abs=1e-6)


def test_exact_numbers_are_fractions():
    found = sweep("piglet", {"target": [2]}, ["value", "advantage"], exact=True)
    value, advantage = found.rows[0].numbers  # 4/7: Neller and Presser
    assert (value.fraction, advantage.fraction) == ("4/7", "1/7")
    assert value.error == 0.0


def test_strategies_are_gone_through_as_well():
    # To 2 with a die of two sides a turn wins with 1/2: v = 1/2 + 1/2 (1 - v), so v = 2/3.
    found = sweep(
        "pig",
        {"target": [2, 4]},
        ["wins", "loses", "never_ends"],
        [["hold-at:2", "roll-to-win"], "roll-to-win"],
        fixed={"die": 2},
    )
    assert [row.settings for row in found.rows] == [
        {"target": "2", "A": "hold-at:2"},
        {"target": "2", "A": "roll-to-win"},
        {"target": "4", "A": "hold-at:2"},
        {"target": "4", "A": "roll-to-win"},
    ]
    assert found.players == {"B": "roll-to-win"}
    assert numbers(found, "wins")["2", "hold-at:2"] == pytest.approx(2 / 3)
    # To 4 without holding a turn wins with 1/4: v = 1/4 + 3/4 (1 - v), so v = 4/7.
    assert numbers(found, "wins")["4", "roll-to-win"] == pytest.approx(4 / 7)


def test_every_other_number_is_what_its_verb_finds():
    asked = ["overall", "draws", "moves", "throws", "median", "within:3", "exploitability"]
    (row,) = sweep(Pig(target=12), {"die": [4]}, asked, ["hold-at:5", "hold-at:7"]).rows
    game = Pig(target=12, die=Die(4))
    met = evaluate(game, "hold-at:5", "hold-at:7")
    went = density(game, "hold-at:5", "hold-at:7")
    assert [number.value for number in row.numbers] == pytest.approx(
        [
            met.value,
            0,
            went.mean_moves,
            went.mean_throws,
            went.quantile(0.5),
            went.lengths[:3].sum(),
            exploitability(game, "hold-at:5").value,
        ]
    )


def test_the_length_has_a_bound_and_in_rationals_none():
    # To 2 with a coin a turn wins with 1/4 (two heads) and otherwise passes on: it pays to go for
    # both. So 4 turns on average, and 1 - (3/4)^3 of the games are over within three.
    asked = ["length", "within:3", "moves"]
    (told,) = sweep("piglet", {"target": [2]}, asked, ["roll-to-win"] * 2, exact=True).rows
    assert [number.fraction for number in told.numbers] == ["4", "37/64", "6"]
    (rounded,) = sweep("piglet", {"target": [2]}, asked, ["roll-to-win"] * 2).rows
    for number, true in zip(rounded.numbers, [4, 37 / 64, 6], strict=True):
        assert abs(number.value - true) <= number.error < 1e-11


def test_of_three_seats_the_advantage_is_best_less_worst():
    # To 2 a turn wins with 1/2 at a coin of faces 1 and 2: 4/7, 2/7 and 1/7 in order of turns.
    asked = ["value", "seat:1", "seat:2", "seat:3", "advantage"]
    given = {"fixed": {"target": 2, "die": 2}, "exact": True}
    (best,) = sweep("pig", {"players": [3]}, asked, **given).rows
    assert [number.fraction for number in best.numbers] == ["4/7", "4/7", "2/7", "1/7", "3/7"]
    (two,) = sweep("pig", {"players": [2]}, ["seat:1", "seat:2", "seat:3"], **given).rows
    assert [number.fraction for number in two.numbers] == ["2/3", "1/3", ""]
    assert two.numbers[2].refused == "pig target=2 die=2 has seats 1 to 2: got seat:3"


def test_points_that_the_rules_refuse_are_told_and_not_fatal():
    found = sweep("pig", {"die": [1, 6]}, fixed={"target": 10})
    first, second = found.rows
    assert first.refused == "pig needs a face besides the 1: got die=1"
    assert first.numbers == ()
    assert second.numbers[0].value > 0.5
    assert found.refusals == [first.refused]


def test_a_number_that_one_game_does_not_have_leaves_the_others():
    found = sweep("solo-pig", {"target": [5]}, ["value", "advantage"])
    value, advantage = found.rows[0].numbers
    assert value.value > 1
    assert advantage.value is None
    assert advantage.refused == (
        "solo-pig target=5 is played alone: nobody has the advantage of going first"
    )


def test_a_game_somebody_wrote_is_swept_too():
    # Of one match or two all are taken; of three, two and a coin that takes the last one.
    found = sweep(Heap(), {"matches": [1, 2, 3]}, ["value"], exact=True)
    assert [row.numbers[0].fraction for row in found.rows] == ["1", "1", "1/2"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["lenght"],), "there is no number called 'lenght'; did you mean 'length'?"),
        (
            (["within"],),
            "a number is asked for by its name, within with the turns, as within:20, and seat with "
            "its number, as seat:2: got 'within'",
        ),
    ],
)
def test_unknown_numbers_are_refused(arguments, sentence):
    with pytest.raises(RulesError) as refused:
        sweep("pig", {"target": [5]}, *arguments)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("over", "sentence"),
    [
        ({"target": []}, "target has no value to go through: give one or more"),
        ({"target": [5, 5]}, "target goes through 5 twice: give each value once"),
        ({}, "a sweep goes through values of a parameter: give one, as target=10..50"),
        (
            {"target": range(1000), "die": range(1000)},
            "the sweep has 1,000,000 points: at most 100,000 are gone through, so give fewer "
            "values",
        ),
        (
            {"target": [0, -1]},
            "every point of the sweep is refused; the first: "
            "pig needs a target of at least 1: got target=0",
        ),
    ],
)
def test_sweeps_that_cannot_be_are_refused(over, sentence):
    with pytest.raises(RulesError) as refused:
        sweep("pig", over)
    assert str(refused.value) == sentence


def test_a_sweep_without_any_number_is_refused():
    with pytest.raises(RulesError) as refused:
        sweep("pig", {"target": [5, 6]}, ["wins"], ["hold-at:3"])
    assert str(refused.value) == (
        "the sweep finds no number at any point; at the first: "
        "pig target=5 is played by two: say whom hold-at:3 plays against"
    )


def test_a_checkpoint_takes_the_sweep_up_and_belongs_to_it(tmp_path):
    kept, shares = tmp_path / "kept", []
    first = sweep("pig", {"target": [3, 4]}, checkpoint=kept)
    again = sweep("pig", {"target": [3, 4]}, checkpoint=kept, progress=shares.append)
    assert again.rows == first.rows
    assert shares == [0.5, 1.0]
    with pytest.raises(WrongCheckpoint):
        sweep("pig", {"target": [3, 5]}, checkpoint=kept)


def test_processes_find_the_same(monkeypatch):
    from dicelab.verbs import sweep as module

    monkeypatch.setattr(module, "FEW_POSITIONS", 0)
    over = {"target": [3, 4, 5]}
    assert sweep("pig", over, workers=2).rows == sweep("pig", over, workers=1).rows


def test_the_table_and_the_dictionary_have_every_number_with_its_error():
    found = sweep("pig", {"die": [1, 2]}, ["value", "length"], fixed={"target": 2})
    head, refused, told = csv.reader(io.StringIO(found.as_csv()))
    assert head == ["die", "value", "value error", "length", "length error", "refused"]
    assert refused == ["1", "", "", "", "", "pig needs a face besides the 1: got die=1"]
    assert float(told[1]) == pytest.approx(2 / 3)
    assert told[5] == ""
    answer = json.loads(json.dumps(found.as_dict()))
    assert answer["rows"][1]["numbers"]["value"]["unit"] == "chance to win"
    assert answer["rows"][0]["refused"] == refused[5]


def test_processes_share_the_memory_of_a_sweep(monkeypatch):
    """Each of these games needs 16 or 17 MB: they fit one after the other, and not side by side."""
    monkeypatch.setattr("dicelab.verbs.sweep.FEW_POSITIONS", 0)
    monkeypatch.setattr("joblib.cpu_count", lambda: 2)
    asked = ("pig", {"target": [60, 61]}, ["value"])
    alone = sweep(*asked, memory=30_000_000, workers=1)
    assert all(row.numbers[0].value for row in alone.rows)
    with pytest.raises(RulesError) as refused:
        sweep(*asked, memory=30_000_000, workers=2)
    assert str(refused.value) == (
        "the sweep finds no number at any point; at the first: pig target=60 has about 1.3e+05 "
        "positions, which needs about 16.3 MB; the limit is 15 MB (--memory)"
    )
