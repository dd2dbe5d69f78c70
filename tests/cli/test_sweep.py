"""sweep, and ranges in solve, evaluate and density: what they print and what they refuse."""

import csv

import pytest


def test_a_sweep_is_a_table_a_file_and_a_figure(dicelab):
    words = "sweep pig die=1,2,4 target=2 --show value --out s.csv --plot s.svg"
    said = dicelab(*words.split()).stdout.splitlines()
    # To 2 the first player wins with s/(s + 1) at a die of s sides.
    assert said[0] == "pig target=2: best play"
    assert [line.split() for line in said[1:5]] == [
        ["die", "value"],
        ["1", "-", "(1)"],
        ["2", "66.6667%"],
        ["4", "80.0000%"],
    ]
    assert said[5] == "(1) pig needs a face besides the 1: got die=1"
    assert said[-2:] == ["wrote s.csv", "wrote s.svg"]
    with open(dicelab.folder / "s.csv", newline="") as file:
        assert float(list(csv.reader(file))[2][1]) == pytest.approx(2 / 3)
    assert (dicelab.folder / "s.svg").read_text("utf-8").startswith("<?xml")


def test_solve_evaluate_and_density_take_ranges(dicelab):
    solved = dicelab.json("solve", "pig", "target=2", "die=2|4")
    values = [row["numbers"]["value"]["value"] for row in solved["rows"]]
    assert values == pytest.approx([2 / 3, 4 / 5])
    met = dicelab.json("evaluate", "pig", "hold-at:2..3", "roll-to-win", "target=2", "die=2")
    assert [row["settings"] for row in met["rows"]] == [{"A": "hold-at:2"}, {"A": "hold-at:3"}]
    assert met["rows"][0]["numbers"]["wins"]["value"] == pytest.approx(2 / 3)
    lasts = dicelab.json("density", "pig", "roll-to-win", "roll-to-win", "target=2", "die=2|4")
    turns = [row["numbers"]["length"]["value"] for row in lasts["rows"]]
    assert turns == pytest.approx([2, 4 / 3], abs=1e-6)  # a turn fails one time in s


def test_a_die_of_its_own_is_solved_as_before(dicelab):
    # Faces 2 and 3 never bust: the first player wins.
    assert dicelab.json("solve", "pig", "die=2,3", "target=5")["value"] == pytest.approx(1)


def test_a_heat_map_is_drawn_where_both_parameters_have_many_values(dicelab):
    words = "sweep pig target=2..9 die=2..9 --show value,length --plot s.png --jobs 1"
    assert dicelab(*words.split()).stdout.endswith("wrote s.png\n")
    assert (dicelab.folder / "s.png").read_bytes()[:4] == b"\x89PNG"


def test_all_numbers_are_listed(dicelab):
    said = dicelab("sweep", "pig", "--show", "list").stdout
    assert "advantage        What A gets when A starts, less what A gets when B does" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "sweep pig target=9",
            "give a parameter with several values, such as target=10..100:10: got nothing",
        ),
        (
            "sweep pig a b c target=3..4",
            "give at most two strategies, as `dicelab strategies` lists them: got 'a' 'b' 'c'",
        ),
        ("sweep pig target=3..4 target=5", "target is given twice: target=3..4 and target=5"),
        ("sweep pig target=3..4 --out s.txt", "the table of a sweep is a .csv file: got 's.txt'"),
        (
            "solve pig hold-at:2..3",
            "give only parameters such as target=50 after the game: got 'hold-at:2' 'hold-at:3'",
        ),
        (
            "density solo-pig hold-at:2 target=3..4 --at-least 3",
            "--at-least is for one game: leave it out, or the range",
        ),
    ],
)
def test_misuse_is_told(dicelab, words, sentence):
    assert sentence in dicelab.misused(*words.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "family pig hold-at:1..3 target=9..8",
            "RulesError: the range target=9..8 is empty: write the smaller number first, or a step "
            "below 0",
        ),
        (
            "sweep pig target=3..4 die=2..3 hold-at:2..3 turtle --plot s.svg",
            "RulesError: a figure shows one parameter or two: got target, die, A; fix the others",
        ),
        ("sweep pgi target=3..4", "UnknownGame: no game called 'pgi'; did you mean 'pig'?"),
    ],
)
def test_refusals_are_told(dicelab, words, sentence):
    assert dicelab.refused(*words.split()) == f"{sentence}\n"


def test_a_number_stays_on_one_line_however_many_there_are(dicelab):
    numbers = "value,advantage,overall,seat:1,seat:2,wins,loses,draws,never_ends,length,moves"
    said = dicelab(*f"sweep pig target=2,3 die=4 --show {numbers}".split()).stdout.splitlines()
    # To 2 the first player wins with s/(s + 1) at a die of s sides.
    assert said[2].split()[:3] == ["2", "80.0000%", "60.0000%"]
    assert len(said) == 5


def test_what_all_points_are_refused_for_is_told_once(dicelab):
    said = dicelab(*["sweep", "pig", "target=2..5", "--show", "value,points"]).stdout.splitlines()
    told = "(1) pig is not for points: ask for value, or play it for=points"
    assert [line for line in said if line.startswith("(1)")] == [told]
    assert all(line.endswith("(1)") for line in said[2:6])
