"""dicelab balance: what it prints and what it refuses."""

import pytest


def test_a_head_start_by_lottery_is_told_with_what_is_nearest_without(dicelab):
    words = "balance piglet target=2 --head-start yours --goal value=1/2 --exact"
    said = dicelab(*words.split()).stdout.splitlines()
    # Piglet to 2 is worth 4/7, and 2/5 where the other has 1: Neller and Presser 2004.
    assert [" ".join(line.split()) for line in said] == [
        "piglet target=2, best play: value=1/2",
        "start yours value",
        "0, or 1 with 5/12 1/2 met",
        "0 4/7",
        "proposed: start yours=0, or 1 with 5/12",
        "(proved: all 2 variants were worked out; exact)",
    ]


def test_nothing_found_is_said_with_how_far_the_number_goes(dicelab):
    words = "balance pig die=1,2,4 target=2 --goal value=90% --out b.csv --plot b.svg"
    said = dicelab(*words.split()).stdout.splitlines()
    # To 2 the first player wins with s/(s + 1) at a die of s sides.
    assert said[2].split() == ["4", "80.0000%"]
    assert said[3:5] == [
        "nothing meets every goal; the nearest: die=4",
        "no variant has value=90%: value goes from 66.6667% to 80.0000%",
    ]
    assert said[5].startswith("(proved: all 3 variants were worked out; within ")
    assert said[6:] == [
        "refused: pig needs a face besides the 1: got die=1",
        "wrote b.csv",
        "wrote b.svg",
    ]
    assert (dicelab.folder / "b.svg").read_text("utf-8").startswith("<?xml")


def test_what_floats_cannot_tell_is_not_told_as_missed(dicelab):
    # Piglet to 2 is worth 4/7 exactly, and 6/11 to 3: Neller and Presser 2004.
    words = "balance piglet target=2,3 --goal value>=4/7"
    told = "floats cannot tell whether this meets every goal (--exact does): target=2"
    assert dicelab(*words.split()).stdout.splitlines()[3] == told
    assert dicelab(*words.split(), "--exact").stdout.splitlines()[3] == "proposed: target=2"


def test_what_has_one_value_is_told_with_what_is_proposed(dicelab):
    words = "balance pig die=4 target=2 --head-start yours=0 --order toss --goal value=60%"
    said = dicelab(*words.split()).stdout.splitlines()
    assert said[3:5] == [
        "nothing meets every goal; the nearest: start yours=0, order=toss",
        "no variant has value=60%: value is 50.0000%",
    ]


def test_goals_that_no_variant_meets_together_are_said_to_be_so(dicelab):
    # A turn wins with (s - 1)/s: the value is s/(s + 1), and the length s/(s - 1).
    words = "balance pig die=2,4 target=2 --goal value<=70% --goal length<=3/2"
    said = dicelab(*words.split()).stdout.splitlines()
    assert said[4:6] == [
        "nothing meets every goal; the nearest: die=4",  # of two as near, nearer to the usual 6
        "each goal is met by some variant, and all of them by none",
    ]


def test_orders_and_several_goals_make_a_front_and_a_figure(dicelab):
    words = "balance pig die=2 target=2 --order first,loser:3,toss --goal advantage=0"
    told = dicelab.json(*words.split(), "--goal", "length=5", "--plot", "b.png")
    # Who starts wins with 2/3 in two turns; the loser of a round starting, with 16/27.
    found = {each["settings"]["order"]: each["numbers"] for each in told["front"]}
    assert found["first"]["advantage"]["value"] == pytest.approx(1 / 3)
    assert found["loser:3"]["advantage"]["value"] == pytest.approx(5 / 27)
    assert found["loser:3"]["length"]["value"] == pytest.approx(16 / 3)
    assert found["toss"]["advantage"]["value"] == 0
    assert told["met"] is False
    assert (dicelab.folder / "b.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "balance pig a b c target=3..4",
            "give at most two strategies, as `dicelab strategies` lists them: got 'a' 'b' 'c'",
        ),
        (
            "balance pig target=3..4 --out s.txt",
            "the table of variants is a .csv file: got 's.txt'",
        ),
        (
            "balance pig --head-start yours=1 --head-start yours",
            "the head start yours is given twice: the second is yours",
        ),
    ],
)
def test_misuse_is_told(dicelab, words, sentence):
    assert sentence in dicelab.misused(*words.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "balance pig target=9..8",
            "RulesError: the range target=9..8 is empty: write the smaller number first, or a step "
            "below 0",
        ),
        (
            "balance pig target=8 --head-start yours=3..1",
            "RulesError: the range yours=3..1 is empty: write the smaller number first, or a step "
            "below 0",
        ),
        (
            "balance pig target=8 --goal length=3 --goal length=4",
            "RulesError: the goals length=3 and length=4 contradict each other",
        ),
    ],
)
def test_refusals_are_told(dicelab, words, sentence):
    assert dicelab.refused(*words.split()) == f"{sentence}\n"
