"""simulate, compare, tournament and family: what they print, and what they refuse."""

from __future__ import annotations

import csv
import json
import os
import pty
import select
import subprocess
import sys
import time

import pytest

from dicelab import evaluate, game
from dicelab.console.work import whole
from dicelab.verbs.fair_test import compare

MATCH = ("simulate", "pig", "hold-at:9", "hold-at:5", "target=20", "games=2e4", "seed=1")


def test_a_simulation_gives_shares_with_intervals(dicelab):
    answer = dicelab.json(*MATCH)
    exact = evaluate(game("pig", target=20), "hold-at:9", "hold-at:5")
    for name, chance in {
        "first": exact.first,
        "second": exact.second,
        "overall": exact.overall,
    }.items():
        low, high = answer[name]["interval"]
        assert low < answer[name]["value"] < high
        assert abs(answer[name]["value"] - chance) < 4 * 0.5 / answer[name]["games"] ** 0.5
    assert (answer["games"], answer["seed"], answer["by"]) == (20_000, 1, "turns")
    assert sum(answer["pairs"]) == 10_000


def test_check_prints_both_and_the_standard_errors_between(dicelab):
    answer = dicelab.json(*MATCH, "--check")
    assert {"name", "simulated", "exact", "standard_errors"} == set(answer["check"][0])
    assert max(each["standard_errors"] for each in answer["check"]) < 4
    said = dicelab(*MATCH, "--check").stdout
    assert "standard errors apart" in said
    assert "overall: A wins" in said


def test_the_number_of_jobs_changes_nothing_on_the_command_line(dicelab):
    answers = [dicelab.json(*MATCH, "--jobs", jobs) for jobs in ("1", "2")]
    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1]


def test_games_that_never_end_or_were_stopped_are_told(dicelab):
    waiting = ("simulate", "pig", "skip-when-level:5", "skip-when-level:5", "passing=yes")
    answer = dicelab.json(*waiting, "target=30", "games=1000")
    assert answer["never_ended"] > 0 == answer["stopped"]
    said = dicelab(
        "simulate",
        "piglet",
        "roll-to-win",
        "roll-to-win",
        "target=15",
        "games=10",
        "--most-turns",
        "50",
        "--check",
    ).stdout
    assert "10 games were stopped after 50 turns" in said
    assert "raise --most-turns" in said


def test_a_check_without_an_exact_answer_says_why_and_keeps_the_games(dicelab):
    # To 60 in one turn with a coin: a chance of 2^-60 a turn is beyond what floats can prove.
    result = dicelab(
        "simulate",
        "piglet",
        "roll-to-win",
        "roll-to-win",
        "target=60",
        "games=10",
        "--most-turns",
        "50",
        "--check",
    )
    assert "10 games were stopped after 50 turns" in result.stdout
    assert result.stderr.startswith("note: no check: piglet target=60 goes round too often")


def test_records_go_to_a_file(dicelab):
    said = dicelab(
        "simulate", "pig", "turtle", "turtle", "target=12", "games=4", "--records", "games.csv"
    ).stdout
    assert said.endswith("wrote games.csv\n")
    first, *lines = (dicelab.folder / "games.csv").read_text().splitlines()
    assert first.startswith('# {"format": "dicelab decisions 1", "game": "pig"')
    rows = list(csv.DictReader(lines))
    assert {row["game"] for row in rows} == {"1", "2", "3", "4"}
    assert next(row["player"] for row in rows if row["seat"] == "1") == "A"
    assert (rows[0]["position"], rows[0]["move"]) == ("0-0 +0", "roll")
    assert rows[1]["position"] == rows[0]["after"]
    told = json.loads(dicelab("review", "games.csv", "--json").stdout)
    assert [score["mistakes"] > 0 for score in told["players"]] == [True, True]  # turtle holds


def test_a_plain_function_says_that_it_is_slower(dicelab, monkeypatch):
    (dicelab.folder / "mine_sim.py").write_text(
        "def five(at):\n    return 'hold' if at.at_risk >= 5 else 'roll'\n"
    )
    monkeypatch.syspath_prepend(dicelab.folder)
    result = dicelab("simulate", "pig", "mine_sim:five", "turtle", "target=50", "games=2000")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: mine_sim:five is asked at each of 72,030 positions")
    assert "a function marked @dicelab.on_arrays is asked about many at once" in result.stderr


def test_compare_stops_when_it_is_clear(dicelab):
    answer = dicelab.json("compare", "pig", "hold-at:9", "hold-at:3", "target=20", "seed=2")
    same = compare(game("pig", target=20), "hold-at:9", "hold-at:3", seed=2)
    assert (answer["better"], answer["games"], answer["pairs"]) == ("A", same.games, same.pairs)
    assert answer["fixed"] == 300_000
    assert answer["saved"] == 300_000 - answer["games"]
    said = dicelab("compare", "pig", "hold-at:3", "hold-at:9", "target=20", "seed=2").stdout
    assert said.startswith("pig target=20: hold-at:9 is better than hold-at:3 after ")
    said = dicelab("compare", "pig", "turtle", "turtle", "target=20", "seed=2").stdout
    assert said.startswith("pig target=20: neither is better by 0.025 after ")
    said = dicelab("compare", "pig", "turtle", "turtle", "target=20", "games=100").stdout
    assert said.startswith("pig target=20: not decided after 100 games")


def test_compare_shows_a_person_how_it_stands():
    master, slave = pty.openpty()
    words = ["compare", "pig", "turtle", "turtle", "target=20", "--margin", "0.003"]
    process = subprocess.Popen(
        [sys.executable, "-m", "dicelab", *words],
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(slave)
    seen, end = b"", time.monotonic() + 60
    while b"evidence for A" not in seen and time.monotonic() < end:
        if select.select([master], [], [], 1.0)[0]:
            try:
                seen += os.read(master, 4096)
            except OSError:  # the other side has closed
                break
    process.kill()
    process.wait()
    os.close(master)
    assert b"evidence for A" in seen


def test_a_tournament_says_who_is_best_and_who_beats_whom_in_a_circle(dicelab):
    # The study's circle, section 3.3.6, at its own target.
    names = ("turtle", "roll-to-win", "roll-and-wait")
    answer = dicelab.json("tournament", "pig", *names, "passing=yes", "--exact", "--jobs", "1")
    assert answer["cycles"][0]["members"] == list(names)
    assert (answer["champion"], answer["transitive"], answer["exact"]) == (None, False, True)
    assert len(answer["matrix"]) == 3
    said = dicelab("tournament", "pig", *names, "passing=yes", "--jobs", "1").stdout
    assert "turtle beats roll-to-win beats roll-and-wait beats turtle (by 30.87%, 50.00%, " in said
    assert "nobody beats every other" in said


def test_a_tournament_writes_its_matrix_and_its_picture(dicelab):
    result = dicelab(
        "tournament",
        "pig",
        "hold-at:1..14",
        "target=20",
        "--jobs",
        "1",
        "--out",
        "wins.csv",
        "--plot",
        "wins.svg",
    )
    assert result.stdout.endswith("wrote wins.csv\nwrote wins.svg\n")
    assert "(4 more)" in result.stdout
    assert "no circle of three" in result.stdout
    rows = list(csv.reader((dicelab.folder / "wins.csv").read_text().splitlines()))
    assert len(rows) == 15
    assert "who beats whom" in (dicelab.folder / "wins.svg").read_text()


def test_a_simulated_tournament_knows_which_circles_are_real(dicelab):
    words = ("tournament", "pig", "turtle", "roll-to-win", "roll-and-wait", "passing=yes")
    said = dicelab(*words, "games=1000", "--exact", "--jobs", "1").stdout
    assert "1,000 games a pair, seed 0" in said
    assert "confirmed exactly)" in said


def test_a_family_is_searched_over_a_range_of_targets(dicelab):
    answer = dicelab.json("family", "pig", "hold-at:1..12", "target=10..11", "--jobs", "1")
    assert [row["champion"] for row in answer["found"]] == ["hold-at:10", "hold-at:11"]
    said = dicelab("family", "pig", "hold-at:1..12", "target=10", "--jobs", "1").stdout
    assert "best against optimal" in said
    assert "pig target=10" in said


@pytest.mark.parametrize(("text", "number"), [("3000", 3000), ("1e6", 10**6), ("2.5e3", 2500)])
def test_numbers_of_games_may_be_short(text, number):
    assert whole("games", text) == number


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "simulate pig turtle turtle games=0",
            "RulesError: a simulation plays 1 to 1e+13 games: got games=0\n",
        ),
        (
            "simulate pig turtle target=9",
            "RulesError: pig target=9 is played by two: say whom turtle plays against\n",
        ),
        (
            "simulate pig turtle hold-ta:3 target=9",
            "UnknownStrategy: pig has no strategy 'hold-ta'; did you mean 'hold-at'?\n",
        ),
        (
            "compare pig turtle turtle target=9 --margin 2",
            "RulesError: a margin is between 0 and 0.5, such as 0.025: got 2.0\n",
        ),
        (
            "tournament pig hold-at:9..1 target=9",
            "RulesError: the range 'hold-at:9..1' is empty: write the smaller number first\n",
        ),
        (
            "tournament pig turtle target=9 --cluster ray://x",
            "ClusterError: a cluster is given as dask://HOST:PORT: got 'ray://x'; "
            "for another engine use joblib.parallel_config from Python\n",
        ),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(dicelab, words, sentence):
    assert dicelab.refused(*words.split()) == sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "simulate pig turtle turtle games=many",
            "games is a whole number such as 3000 or 1e6: got 'many'",
        ),
        (
            "simulate pig turtle turtle games=1.5",
            "games is a whole number such as 3000 or 1e6: got '1.5'",
        ),
        ("simulate pig turtle turtle seed=1 seed=2", "seed is given twice: the second is seed=2"),
        (
            "simulate pig turtle turtle --records moves.txt",
            "records are a .csv file: got 'moves.txt'",
        ),
        (
            "compare pig turtle",
            "give two strategies, as `dicelab strategies` lists them: got 'turtle'",
        ),
        ("tournament pig turtle --out wins.xls", "the matrix is a .csv file: got 'wins.xls'"),
        ("family pig turtle target=9", "give a family such as hold-at:1..100: got 'turtle'"),
        ("family pig hold-at:1..3 target=9..10 dice=1..2", "one parameter may be a range: got 2"),
    ],
)
def test_misuse_is_told(dicelab, words, sentence):
    assert sentence in dicelab.misused(*words.split())


def test_a_family_of_games_too_large_is_refused_before_the_first_of_them(dicelab):
    refused = dicelab("family", "pig", "hold-at:1..5", "target=10..100000")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("TooLarge: pig target=100000 has about ")
    refused = dicelab("tournament", "pig", "random", "hold-at:9", "--memory", "1MB")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("TooLarge: pig has about ")
