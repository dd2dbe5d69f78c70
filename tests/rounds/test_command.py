"""dicelab round: what it prints for people, for programs, and when something is wrong."""

import csv
import io
import json
import sys
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from dicelab.cli import app

COMMANDS = ("value", "advise", "benchmark", "charts", "theorem")


@pytest.fixture
def run():
    def run_(*arguments):
        words = [str(word) for word in arguments]
        command = [] if words and words[0] in COMMANDS else ["value"]
        return CliRunner().invoke(app, ["round", *command, *words])

    return run_


@pytest.fixture
def told(run):
    def told_(*arguments):
        answer = run(*arguments, "--json")
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    return told_


def test_the_value_of_a_policy_is_a_fraction_in_lowest_terms(told):
    # table 3 of the study: 0.99634 of 3.7467
    answer = told("--utility", "transfer", "--policy", "h1s1", "--player", "first")
    value, best = Fraction(answer["fraction"]), Fraction(answer["best_fraction"])
    assert str(value) == answer["fraction"]
    assert answer["value"] == float(value)
    assert int(value / best * 10**5) == 99634
    assert {key: answer[key] for key in ("dice", "faces", "casts", "rule", "exact")} == {
        "dice": 3,
        "faces": 6,
        "casts": 3,
        "rule": "421",
        "exact": True,
    }


def test_people_read_a_sentence(run):
    answer = run("--utility", "goal:421", "--player", "next")
    assert answer.stdout.splitlines() == [
        "optimal earns 24631/186624 = 0.131982 on goal:421 as next player",
        "no strategy earns more",
    ]


def test_casts_may_be_imposed_on_a_next_player(told):
    # table 6 of the study, p2 of 123 with two casts
    answer = told("--utility", "goal:421", "--player", "next", "--casts-imposed", 2)
    assert answer["fraction"] == "239/2592"


def test_other_dice_other_casts_and_yahtzees_rule(told):
    assert told("--dice", 1, "--casts", 2)["fraction"] == "17/4"
    loaded = told("--dice", 1, "--casts", 1, "--die", "1:1/2,5:1/2")
    assert (loaded["fraction"], loaded["die"]) == ("3", "1:1/2,5:1/2")
    free = told("--dice", 5, "--rule", "yahtzee", "--utility", "goal:66666")
    # each die on its own: it shows a 6 within three casts with 91/216
    assert Fraction(free["fraction"]) == Fraction(91, 216) ** 5


def test_the_benchmark_prints_tables_1_to_4(run, told, printed):
    answer = told("benchmark")
    for table in answer["tables"]:
        expected = dict(printed["tables_1_to_4"][table["utility"]])
        assert table["best_printed"] == expected.pop("best")
        cells = {(cell["policy"], cell["player"]): cell for cell in table["cells"]}
        for policy, numbers in expected.items():
            for player, number in zip(("first", "next"), numbers, strict=False):
                assert cells[policy, player]["printed"] == number
        beyond = [cell["policy"] for cell in table["cells"] if cell["beyond_the_study"]]
        assert beyond == ["h0s1", "h1s1"]
    people = run("benchmark").stdout
    for table in printed["tables_1_to_4"].values():
        for row in table.values():
            for number in [row] if isinstance(row, str) else row:
                assert f" {number} " in people
    assert "transfer: the first player gets 3.7467 at best; fuzzy for the first player" in people


def test_the_benchmark_takes_any_utilities_and_policies(told, tmp_path):
    path = tmp_path / "table.csv"
    answer = told("benchmark", "--utility", "rank", "--policy", "random", "--costs", "--csv", path)
    (table,) = answer["tables"]
    assert [cell["policy"] for cell in table["cells"]] == ["random", "random"]
    assert table["cells"][0]["operations_per_decision"] == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [row["fraction"] for row in rows] == [cell["fraction"] for cell in table["cells"]]


def test_the_charts_print_tables_6_to_10(told, run, printed, tmp_path):
    answer = told("charts")
    assert answer["classes"] == 31
    lines = {(line["goal"], line["result"]): line for line in answer["charts"]}
    for player in ("first", "next"):
        for goal, fractions in printed["table_6"][player].items():
            assert lines[goal, goal][player] == fractions
    for couple, fractions in printed["tables_7_to_10"].items():
        assert lines[tuple(couple.split("->"))]["first"] == fractions
    table, figure = tmp_path / "charts.csv", tmp_path / "charts.svg"
    people = run("charts", "--csv", table, "--plot", figure)
    assert people.stdout.splitlines()[-2:] == [f"wrote {table}", f"wrote {figure}"]
    assert "466075/10077696" in people.stdout
    assert "466075/10077696" in table.read_text()
    assert figure.read_text().startswith("<?xml")


def test_advice_says_what_to_keep_and_what_the_rest_costs(told, run):
    question = "421 goal, have 4, threw 21, 1 cast left"
    answer = told("advise", question)
    assert answer["keep"] == ["421"]
    assert [choice["cost_fraction"] for choice in answer["choices"]] == ["0", "5/6", "5/6", "17/18"]
    assert run("advise", question).stdout.splitlines()[0] == "keep 421: worth 1 on goal:421"


def test_the_theorem_is_told_with_its_failures(told, run):
    found = {(each["dice"], each["faces"]): each for each in told("theorem")["failures"]}
    assert found[3, 3] == {
        "dice": 3,
        "faces": 3,
        "casts": 3,
        "goals": ["112"],
        "ratchet": "3431/6561",
        "best": "3466/6561",
    }
    assert found[2, 6]["casts"] is None
    three_dice = run("theorem").stdout.splitlines()[-2]
    assert " ".join(three_dice.split()) == "3 - 2 3 4 7 9 11 14"


def test_the_theorem_goes_as_far_as_it_is_told(told):
    found = told("theorem", "--dice", 3, "--faces", 3, "--casts", 3)
    assert found["most_casts"] == 3
    assert {(each["dice"], each["faces"]) for each in found["failures"]} == {
        (dice, faces) for dice in (1, 2, 3) for faces in (1, 2, 3)
    }


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["theorem", "--die", "4"], "No such option: --die"),
        (["charts", "--utility", "sum"], "No such option: --utility"),
        (["advise", "x", "--policy", "h1s1"], "No such option: --policy"),
        (
            ["--faces", "6", "--die", "4"],
            "a die has its own faces: give --faces or --die, not both",
        ),
        (["--seed", "4"], "--seed is for the dice of --simulate: add it"),
    ],
)
def test_what_a_command_would_have_to_ignore_is_refused(run, arguments, sentence):
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert sentence in " ".join(answer.stderr.split())


def test_the_theorem_starts_at_one(run):
    answer = run("theorem", "--dice", 0)
    assert answer.exit_code == 1
    assert answer.stderr.strip().endswith(
        "the theorem is about 1 die, 1 face and 1 cast or more: got dice=0 faces=8 casts=20"
    )


def test_everything_else_there_is_to_know_about_a_policy(told, run):
    options = ["--policy", "ratchet:666", "--utility", "sum", "--mistakes", "--dilemmas", "--live"]
    options += ["--costs", "--simulate", 1000, "--seed", 7]
    answer = told(*options)
    lost = Fraction(answer["best_fraction"]) - Fraction(answer["fraction"])
    assert sum(Fraction(each["loss"]) for each in answer["mistakes"]) == lost
    # every die stays with 5/6: (5/6)**3 are left after one cast
    assert answer["live_dice"][1][3] == str(Fraction(5, 6) ** 3)
    assert answer["costs"]["per_decision"] == {"terms": 0, "comparisons": 6}
    assert answer["dilemmas"] == []
    assert abs(answer["simulation"]["mean"] - answer["value"]) < 4 * answer["simulation"]["error"]
    people = run(*options).stdout
    assert "wrong decisions, the most expensive first:" in people
    assert "1000 rounds with seed 7 earned" in people


def test_advice_counts_tokens_unless_told_otherwise(run):
    answer = run("advise", "threw 421, 2 casts left")
    assert answer.stdout.splitlines()[0] == "keep 421: worth 10 on transfer"


@pytest.mark.slow
def test_a_value_just_below_ten_is_not_told_as_ten(run):
    first, second = run("--casts", 100, "--policy", "h1s1").stdout.splitlines()
    assert first.startswith("h1s1 earns 10 less 1.44e-07 (exactly a fraction")
    assert second.startswith("best play earns 10 less 1.44e-07 (exactly a fraction")
    assert second.endswith(", 1.06281e-35 more")


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "my_own_round.py").write_text(
        "def highest(faces): return max(faces)\n"
        "def early(faces, cast): return sum(faces) / 3 - cast\n"
        "def stand(aside, thrown, left): return (*aside, *thrown)\n"
        "seven = 7\n"
    )
    monkeypatch.chdir(tmp_path)
    yield "my_own_round"
    sys.modules.pop("my_own_round", None)


def test_utilities_and_policies_may_be_functions_of_ones_own(told, mine):
    answer = told("--utility", f"{mine}:highest", "--policy", f"{mine}:stand")
    # the highest of three dice is 1, 2 ... 6 in 1, 7, 19, 37, 61 and 91 of 216 throws: 1071/216
    assert (answer["utility"], answer["policy"]) == ("highest", "stand")
    assert answer["fraction"] == "119/24"
    assert told("--utility", f"{mine}:early", "--policy", f"{mine}:stand")["fraction"] == "5/2"
    tables = told("benchmark", "--utility", f"{mine}:highest", "--policy", "h0s0")["tables"]
    assert [table["utility"] for table in tables] == ["highest"]


def test_what_is_no_function_is_refused(run, mine):
    answer = run("--utility", f"{mine}:seven")
    assert answer.exit_code == 2
    assert f"'{mine}:seven' is not a function: got 7" in " ".join(answer.stderr.split())
    answer = run("--policy", f"{mine}:stands")
    assert answer.exit_code == 1
    assert answer.stderr.strip() == (
        f"DicelabError: '{mine}' has no 'stands'; did you mean 'stand'?"
    )


def test_dilemmas_are_listed(told):
    answer = told("--utility", "goal:421", "--player", "next", "--dilemmas")
    assert answer["dilemmas"][0] == {"cast": 1, "table": "421", "best": ["21", "41", "42"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--utility", "goal:42"], "UnknownPosition: 42 has 2 dice: 3 wanted here"),
        (
            ["--utility", "goal:427"],
            "UnknownPosition: 427 has the face 7, which the die does not: "
            "its faces are 1, 2, 3, 4, 5, 6",
        ),
        (
            ["--player", "next", "--casts-imposed", "4"],
            "RulesError: a round of 3 casts cannot impose 4: casts-imposed goes from 1 to 3",
        ),
        (
            ["--dice", "50"],
            # C(67, 50) = 3371363686069236 triples
            "TooLarge: a round of 50 dice with 6 faces and 3 casts has about 3.4e15 decisions to "
            "weigh, which needs about 5.4e7 GB; the limit is 4 GB (--memory)",
        ),
        (
            ["--policy", "h9"],
            "UnknownStrategy: no policy called 'h9'; the policies are optimal, random, "
            "ratchet:G, bernoulli:G, h0s0, h0s1, h1s0, h1s1",
        ),
        (["--faces", "0"], "RulesError: a die needs at least one side: got 0"),
        (["--simulate", "1"], "RulesError: an estimate needs at least 2 rounds: got 1"),
        (
            ["--utility", ""],
            "RulesError: no utility called ''; write 'goal:123', 'goal:123+224', 'rank', "
            "'sum', 'transfer' or a path to a CSV file",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_1(run, arguments, message):
    answer = run(*arguments)
    assert answer.exit_code == 1
    assert " ".join(answer.stderr.split()) == message
    assert answer.stdout == ""


def test_a_utility_that_misses_combinations_is_refused(run, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("combination,value\n421,1\n")
    answer = run("--utility", path)
    assert answer.exit_code == 1
    assert "says nothing of 111, 211, 311 and 52 more" in " ".join(answer.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--player", "third"], "third"),
        (["benchmark", "charts"], "Got unexpected extra argument(s) (charts)"),
        (
            ["--policy", "h0s0", "--policy", "h1s0"],
            "give --policy once; dicelab round benchmark compares several",
        ),
        (["--casts-imposed", "2"], "--casts-imposed is for next players: add --player next"),
        (["--plot", "here.svg"], "No such option: --plot"),
        (["charts", "--plot", "here.txt"], "a figure ends in .svg, .png or .pdf: got 'here.txt'"),
    ],
)
def test_a_bad_option_is_exit_code_2(run, arguments, message):
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert message in " ".join(answer.stderr.split())


def test_a_file_that_cannot_be_written_is_refused_before_the_work(run, tmp_path):
    answer = run("charts", "--csv", tmp_path)
    assert answer.exit_code == 1
    assert "cannot write" in " ".join(answer.stderr.split())


def test_people_are_spared_fractions_of_hundreds_of_digits(run, told):
    # one die with two faces: all 1s in n casts with chance 2**-n, so the sum is 2 - 2**-n
    short, long_ = (told("--dice", 1, "--faces", 2, "--casts", n) for n in (100, 5000))
    assert Fraction(short["fraction"]) == 2 - Fraction(1, 2**100)
    assert Fraction(long_["fraction"]) == 2 - Fraction(1, 2**5000)
    line = run("--dice", 1, "--faces", 2, "--casts", 300).stdout.splitlines()[0]
    assert line == (
        "optimal earns 2 less 4.91e-91 (exactly a fraction of more than 60 signs) on sum as first "
        "player"
    )
    # Python prints no number of more than 4300 digits
    assert told("--dice", 1, "--faces", 2, "--casts", 15000)["fraction"] is None


def test_a_file_for_three_casts_serves_a_next_player_with_two(told, tmp_path):
    # one die worth its face, and 10 more after the third cast, which is not imposed
    path = tmp_path / "mine.csv"
    rows = [f"{cast},{face},{face + 10 * (cast == 3)}" for cast in (1, 2, 3) for face in (1, 2)]
    path.write_text("cast,combination,value\n" + "\n".join(rows))
    options = ["--dice", 1, "--faces", 2, "--utility", path, "--player", "next"]
    assert told(*options)["fraction"] == "23/2"
    assert told(*options, "--casts-imposed", 2)["fraction"] == "3/2"


def test_the_goals_of_a_policy_are_listed_with_their_ties(run, told):
    answer = run("--policy", "h0s0", "--goals", "--utility", "goal:111+222")
    assert answer.stdout.splitlines()[3:] == [
        "Goals identified at 1 position, 1 with a tie:",
        "casts   aside   goal       promises   chance",
        "0       -       111 222   0.0747761        1",
    ]
    data = told("--policy", "h1s0", "--goals")["goals"]
    assert {
        "casts": 1,
        "aside": "42",
        "goals": ["421"],
        "promise": "55/18",
        "chance": "1/9",
    } in data
    assert run("--goals").stderr.strip() == (
        "RulesError: only policies such as h0s0 or h1s1 identify goals: got the policy optimal"
    )


def test_a_strategy_is_written_and_played_again(run, told, tmp_path):
    file = tmp_path / "plan.csv"
    answer = run("--policy", "h1s1", "--out", file)
    assert f"wrote {file}" in answer.stdout.replace("\n", "")
    again = told("--policy", f"file:{file}")
    assert again["fraction"] == told("--policy", "h1s1")["fraction"]
    assert again["policy"] == "h1s1"
    assert "a strategy of a round is a .csv file: got 'plan.npz'" in " ".join(
        run("--out", "plan.npz").stderr.replace("│", " ").split()
    )
    refused = run("charts", "--out", file)
    assert "No such option: --out" in " ".join(refused.stderr.replace("│", " ").split())


def test_the_arithmetic_of_a_file_or_a_function_is_not_counted(run, tmp_path):
    path = tmp_path / "plan.csv"
    assert run("--policy", "h1s1", "--dice", 1, "--out", path).exit_code == 0
    answer = run("--policy", f"file:{path}", "--dice", 1, "--costs")
    said = "--costs counts for a policy by name: leave it out for your own"
    assert answer.exit_code == 2
    assert said in " ".join(answer.stderr.split())
