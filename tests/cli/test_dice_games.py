"""Dice Battle and Greed on the command line."""

import csv
import json
import re
from fractions import Fraction

import pytest


def test_dice_battle_says_its_gain_and_opening(dicelab):
    answer = dicelab.json("solve", "dice-battle", "dice=3", "target=2", "--exact")
    assert Fraction(answer["fraction"]) == Fraction(13, 18)  # the study's 0.7222, and optimal
    assert answer["opening"] == [1]
    assert answer["unit"] == "gain"


def test_hog_is_a_variant(dicelab):
    answer = dicelab.json("solve", "dice-battle", "dice=2", "target=6", "variant=zero")
    assert answer["lower"] <= answer["value"] <= answer["upper"]
    assert answer["parameters"]["variant"] == "zero"


def test_at_once_the_opening_is_a_mixture(dicelab):
    # The one-shot game: 0.17558, 0.05294, 0.77148 on two, three and five dice.
    answer = dicelab.json("solve", "dice-battle", "dice=5", "target=1", "variant=simultaneous")
    assert answer["value"] == 0
    shares = {dice: round(share, 5) for dice, share in answer["opening"].items()}
    assert shares == {"2": 0.17558, "3": 0.05294, "5": 0.77148}


def test_greed_says_the_rating_and_the_best_numbers_of_dice(dicelab):
    answer = dicelab.json("solve", "greed", "max=100", "sides=6")
    # 0.5138417330406202 and 24 dice: github.com/pure-chance/greed, src/results, December 2023.
    assert answer["lower"] <= 0.5138417330406202 <= answer["upper"]
    assert answer["opening"] == [24]
    assert answer["value"] + answer["other"] == pytest.approx(1)
    rules = {"max": 100, "die": "6", "tie": "1/2", "second_tie": None, "players": 2}
    assert answer["parameters"] == rules


def test_evaluate_tells_gains_by_seat(dicelab):
    answer = dicelab.json("evaluate", "dice-battle", "blind", "blind:1", "dice=3", "target=2")
    assert round(answer["value"]["a"], 4) == 0.2978  # printed in the study
    text = dicelab("evaluate", "dice-battle", "blind", "blind:1", "dice=3", "target=2").stdout
    assert "the gain of A is 0.29784 when A starts, -0.807099 when B starts" in text


def test_evaluate_at_once_has_no_first_player(dicelab):
    words = ("evaluate", "dice-battle", "optimal", "blind", "dice=4", "target=8")
    text = dicelab(*words, "variant=simultaneous").stdout
    assert "at once" in text
    assert "starts" not in text
    assert "the gain of A is" in text


def test_respond_says_what_a_perfect_opponent_takes(dicelab):
    words = ("respond", "dice-battle", "optimal", "dice=4", "target=20", "variant=simultaneous")
    assert dicelab.json(*words)["exploitability"] < 1e-12
    blind = dicelab.json("respond", "dice-battle", "blind", *words[3:])["exploitability"]
    assert blind > 0.01
    text = dicelab("respond", "dice-battle", "blind", *words[3:]).stdout
    assert f"a perfect opponent takes {blind:.6g} gain from blind per game (certified" in text


def test_explain_greed_tells_ties_and_certain_victories(dicelab):
    tie = dicelab.json("explain", "greed", "15-20 last", "max=20", "sides=3", "--exact")
    tied = [move["move"] for move in tie["moves"] if move["status"] == "tied"]
    assert tied == ["throw 2", "throw 3"]
    sure = dicelab("explain", "greed", "4-6 last", "max=20", "sides=3").stdout
    assert sure.endswith("A certain victory: throw 3 or throw 4 or throw 5 cannot fail.\n")
    ahead = dicelab("explain", "greed", "7-5 last", "max=20", "sides=3").stdout
    assert ahead.splitlines()[-1] == (
        "You are ahead in the last turn: throw 0 and win. The other player has forfeited."
    )
    classic = dicelab.json("explain", "greed", "10-14")
    assert classic["position"] == "10-14"
    assert classic["moves"][0]["move"] == "throw 21"


def test_explain_at_once_tells_the_mixture(dicelab):
    text = dicelab("explain", "dice-battle", "0-0", "dice=5", "target=1", "variant=simultaneous")
    assert text.stdout.splitlines()[-1] == (
        "Leave it to chance: throw 2 in 17.56% of cases, throw 3 in 5.29% of cases and throw 5 in "
        "77.15% of cases. Any other player can then do no better than the value."
    )


def test_a_folder_gets_the_boards_of_both_studies(dicelab):
    assert dicelab("solve", "dice-battle", "dice=3", "target=4", "--out", "battle/").exit_code == 0
    with open(dicelab.folder / "battle" / "board-dice.csv") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["mine \\ yours", "0", "1", "2", "3"]
    assert rows[4][4] in ("1", "2", "3")  # one point short of the target, no throw can fail
    assert dicelab("solve", "greed", "max=10", "sides=3", "--exact", "--out", "g/").exit_code == 0
    with open(dicelab.folder / "g" / "normal-values.csv") as file:
        assert list(csv.reader(file))[1][1] == "14352595/28697814"
    assert {path.name for path in (dicelab.folder / "g").iterdir()} >= {
        "figure.svg",
        "last-dice.csv",
        "last-values.csv",
        "normal-dice.csv",
        "strategy.csv",
    }


def test_a_mixed_strategy_can_be_saved_and_played(dicelab):
    words = ("dice=3", "target=5", "variant=simultaneous")
    assert dicelab("solve", "dice-battle", *words, "--out", "best.csv").exit_code == 0
    answer = dicelab.json("evaluate", "dice-battle", "file:best.csv", "optimal", *words)
    assert answer["value"]["a"] == pytest.approx(0, abs=1e-14)


def test_conjectures_are_swept_and_kept(dicelab):
    words = ("conjectures", "--max", "12", "--sides", "2..4", "--jobs", "1", "--keep", "s.jsonl")
    answer = dicelab.json(*words)
    assert (answer["clean"], answer["tested"]) == (True, 36)
    assert len((dicelab.folder / "s.jsonl").read_text().splitlines()) == 36
    assert dicelab.json(*words) == answer
    assert dicelab(*words).stdout.splitlines()[:3] == [
        "Greed with a maximum of 1 to 12, dice of 2 to 4 sides, a tie worth 1/2: 36 games",
        "conjecture 1: above the middle, more dice never help in a last turn",
        "    no counterexample",
    ]


def test_a_counterexample_is_told_in_full(dicelab):
    found = {"claim": "conjecture 1", "max": 3, "sides": 2, "gap": 1, "dice": 2}
    line = {"max": 3, "sides": 2, "tie": "1/2", "found": [found]}
    (dicelab.folder / "s.jsonl").write_text(json.dumps(line) + "\n")
    words = ("conjectures", "--max", "3", "--sides", "2", "--jobs", "1", "--keep", "s.jsonl")
    assert dicelab(*words).stdout.splitlines()[2] == (
        "    fails in greed max=3 sides=2 at 0-1 last: 3 dice beat 2"
    )


def test_a_loaded_die_is_asked_about_by_itself(dicelab):
    answer = dicelab.json("conjectures", "--max", "6", "--die", "1:1/2,6:1/2", "--jobs", "1")
    assert (answer["clean"], answer["tested"], answer["sides"]) == (False, 6, None)
    assert answer["claims"]["conjecture 1"]["counterexample"]["gap"] == 2
    told = dicelab("conjectures", "--max", "6", "--die", "1:1/2,6:1/2", "--jobs", "1").stdout
    assert "fails in greed max=2 die=1:1/2,6:1/2 at 0-2 last: 2 dice beat 1" in told
    assert told.splitlines()[-2:] == [
        "conjecture 1 read strictly: above the middle, each further die lowers the rating of a "
        "last turn",
        "    fails in greed max=2 die=1:1/2,6:1/2 at 0-1 last: 2 dice do as well as 1",
    ]


def test_the_printed_search_of_the_study_is_shown_with_its_rating(dicelab):
    answer = dicelab.json("shortcuts", "greed", "max=10", "sides=3")
    assert round(answer["searches"]["upward"]["value"], 2) == 0.54  # printed in the study
    assert answer["searches"]["exhaustive"]["value"] == pytest.approx(14352595 / 28697814)
    assert answer["normal"]["wrong"] == 0
    assert answer["exact"] is True


def test_the_advantage_of_going_first_is_written_and_drawn(dicelab):
    words = ("advantage", "--max", "9..10", "--sides", "3..4", "--jobs", "1")
    answer = dicelab.json(*words, "--out", "a.csv", "--plot", "a.svg")
    assert answer["advantage"][1][0] == pytest.approx(2 * 14352595 / 28697814 - 1, abs=1e-12)
    with open(dicelab.folder / "a.csv") as file:
        assert [row[0] for row in csv.reader(file)] == ["max \\ sides", "9", "10"]
    assert "going first in greed" in (dicelab.folder / "a.svg").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "solve dice-battle dice=0",
            "RulesError: dice-battle needs 1 to 100 dice: got dice=0",
        ),
        (
            "solve dice-battle target=0",
            "RulesError: dice-battle needs a target of at least 1: got target=0",
        ),
        ("solve greed max=0", "RulesError: greed needs a maximum of at least 1: got max=0"),
        (
            "evaluate dice-battle blind:9 blind dice=4 target=5",
            "UnknownStrategy: blind:9 cannot be played in dice-battle dice=4 target=5: "
            "throw 1 to 4 dice",
        ),
        (
            "explain greed 101-3",
            "UnknownPosition: nobody is to move at 101-3 in greed: scores are 0 to 100, "
            "in an ordinary or in the last turn",
        ),
    ],
)
def test_bad_input_gets_one_sentence(dicelab, words, sentence):
    assert dicelab.refused(*words.split()) == f"{sentence}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("conjectures --sides six", "--sides is a number or a range such as 2..12: got 'six'"),
        (
            "conjectures --sides 2..3 --die 6",
            "--die asks about one die and --sides about fair ones: give one",
        ),
        ("shortcuts pig", "the shortcuts are for greed: got pig"),
        ("advantage --out a.txt", "the table of advantages is a .csv file: got 'a.txt'"),
    ],
)
def test_misuse_is_told_apart(dicelab, words, sentence):
    assert dicelab.misused(*words.split()).endswith(sentence)


def test_a_tournament_at_once_finds_the_equilibrium_unbeaten(dicelab):
    words = ("dice=5", "target=12", "variant=simultaneous", "--jobs", "1")
    answer = dicelab.json("tournament", "dice-battle", "optimal", "blind", "random", *words)
    assert answer["champion"] == "optimal"


def test_the_bound_of_a_reply_stands_beside_what_it_bounds(dicelab):
    lines = dicelab("respond", "dice-battle", "blind:3", "dice=3", "target=10").stdout.splitlines()
    told = re.fullmatch(
        r"wins (\S+)% when it starts; its gain is then (\S+) \(certified within \S+\)", lines[1]
    )
    # a gain of 1 for a win, -1 for a loss, and no draws: 2p - 1
    assert float(told[2]) == pytest.approx(2 * float(told[1]) / 100 - 1, abs=3e-6)
