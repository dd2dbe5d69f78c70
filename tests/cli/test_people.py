"""dicelab study, review and fit: on made-up people, and on records that cannot be."""

from __future__ import annotations

import csv
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest

from dicelab.games.pig.study import study
from dicelab.people import decisions
from dicelab.table import compile
from dicelab.verbs.solve import solve

DATA = Path(__file__).parents[2] / "docs" / "data"


compile_once = cache(compile)
solve_once = cache(solve)


@pytest.fixture
def records(dicelab, monkeypatch):
    """A shell in a folder with the example records, where each game is compiled and solved once."""
    for module in (sys.modules["dicelab.table.compiler"], decisions, study):
        monkeypatch.setattr(module, "compile", compile_once)
    monkeypatch.setattr(sys.modules["dicelab.verbs.solve"], "solve", solve_once)
    for record in DATA.glob("*.csv"):
        shutil.copy(record, dicelab.folder)
    return dicelab


def test_a_study_tells_its_groups_and_tests(records):
    found = records.json("study", "forms.csv")
    assert (found["games"], found["players"], found["seed"]) == (15, 30, 1)
    assert list(found["groups"]) == ["averse", "neutral", "seeking", "everybody"]
    counted = [found["groups"][name]["players"] for name in ("averse", "neutral", "seeking")]
    assert sum(counted) == found["groups"]["everybody"]["players"] == 30
    for group in found["groups"].values():
        assert group["interval"][0] < group["slope"] < group["interval"][1]
        assert group["curve"]["turn"][0] == 1
    assert 0 < found["differ"]["permutation"] <= 1
    # these people were made to chase (0.1 a point behind) and to gamble as they say
    assert found["influence"]["p"] < 0.05
    assert found["influence"]["per_ten_points"] > 0
    assert found["lotteries"]["p"] < 0.01


@pytest.mark.slow
def test_the_same_seed_gives_the_same_study(records):
    one, two = (records.json("study", "forms.csv", "--seed", "7") for _ in range(2))
    assert one == two


def test_the_printed_player_alone_has_a_slope_and_two_notes(records):
    found = records.json("study", "figure6.csv")
    assert found["groups"]["seeking"]["players"] == 1
    assert found["groups"]["seeking"]["interval"] == [None, None]
    assert (found["differ"], found["influence"], found["mirroring"]) == (None, None, None)
    assert found["notes"] == [
        "slopes are compared between preferences: there must be two with two players or more",
        "game 'figure 6' has the turns of one player only: this needs those of both",
    ]


def test_a_study_writes_its_numbers_and_figures(records):
    result = records("study", "forms.csv", "--out", "study")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-3:] == [
        "wrote study/study.json",
        "wrote study/totals.svg",
        "wrote study/games.svg",
    ]
    totals = (records.folder / "study" / "totals.svg").read_text()
    assert "averse: 14 players" in totals
    assert "made by: dicelab study forms.csv" in totals
    games = (records.folder / "study" / "games.svg").read_text()
    assert "game 15" in games
    assert "p29 (seeking)" in games


def test_decisions_can_be_studied_too(records):
    found = records.json("study", "games.csv")
    assert (found["games"], found["players"]) == (8, 2)
    assert list(found["groups"]) == ["everybody"]


def test_a_review_adds_up(records):
    found = records.json("review", "games.csv")
    lines = iter(found["scores"])
    for mine in lines:
        yours = next(lines)
        luck = mine["luck"] - mine["cost"] - yours["luck"] + yours["cost"]
        assert mine["result"] - found["value"] == pytest.approx(luck, abs=1e-9)
        assert mine["luck_adjusted"] + yours["luck_adjusted"] == pytest.approx(1)
    assert [one["player"] for one in found["players"]] == ["ann", "ben"]
    worst = found["worst"][0]
    assert (worst["position"], worst["move"], worst["best"]) == ("53-99 +31", "hold", ["roll"])


def test_a_review_of_forms_gives_bounds(records):
    found = records.json("review", "forms.csv", "--worst", "3")
    assert found["bounds"] is True
    assert len(found["scores"]) == 30
    assert len(found["worst"]) == 3
    for one in found["scores"]:
        assert one["cost"][0] >= -1e-9
        assert one["cost"][0] <= one["cost"][1]
        assert one["result"] in (0, 1)


@pytest.mark.parametrize(("name", "column"), [("games.csv", "cost"), ("forms.csv", "cost_least")])
def test_a_review_writes_every_decision_or_turn(records, name, column):
    result = records("review", name, "--out", "costs.csv")
    assert result.exit_code == 0, result.stderr
    rows = list(csv.DictReader((records.folder / "costs.csv").read_text().splitlines()))
    given = (DATA / name).read_text().count("\n") - 2
    assert len(rows) == given
    assert max(float(row[column]) for row in rows) > 0.1


def test_a_fit_finds_ann_as_she_was_made(records):
    found = records.json("fit", "games.csv", "--player", "ann")
    assert (found["best"], found["unit"], found["games"]) == ("threshold", "decisions", 8)
    numbers = found["fits"]["threshold"]["numbers"]
    for name, true in (("holds_at", 15), ("behind", 0.1), ("noise", 3)):
        low, high = numbers[name]["interval"]
        assert low < true < high
    assert [line["model"] for line in found["held_out"]] == [
        "threshold",
        "steady",
        "quantal",
        "coin",
    ]


def test_a_fitted_person_plays_and_is_drawn(records):
    words = ["fit", "forms.csv", "--model", "steady", "--out", "all.npz", "--plot", "all.svg"]
    result = records(*words)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-2:] == ["wrote all.npz", "wrote all.svg"]
    assert "chance to hold" in (records.folder / "all.svg").read_text()
    assert 0 < records.json("evaluate", "pig", "file:all.npz", "hold-at:20")["overall"] < 0.5


def test_a_model_without_a_holding_point_is_not_drawn(records):
    result = records("fit", "games.csv", "--model", "quantal", "--plot", "q.svg")
    assert result.exit_code == 0
    assert result.stderr == ("note: no figure: quantal has none to draw; try --model threshold\n")
    assert not (records.folder / "q.svg").exists()


BAD = "game,seat,player,turn,rolls,banked\n1,1,ann,1,2,3\n"


@pytest.mark.parametrize("command", ["study", "review", "fit"])
def test_an_impossible_turn_is_refused_with_its_row(dicelab, command):
    (dicelab.folder / "bad.csv").write_text(BAD)
    assert dicelab.refused(command, "bad.csv") == (
        "RecordError: row 2 cannot be: 3 points in 2 rolls: they score 4 to 12, or bust\n"
    )
    assert dicelab.refused(command, "nowhere.csv") == (
        "RecordError: cannot read 'nowhere.csv': no such file or directory\n"
    )


@pytest.mark.parametrize("command", ["study", "review", "fit"])
def test_a_record_of_another_game_is_refused(records, command):
    assert records.refused(command, "games.csv", "target=50") == (
        "RecordError: 'games.csv' is a record of pig: it cannot be read as pig target=50\n"
    )
    assert records.refused(command, "forms.csv", "piglet") == (
        "RecordError: 'forms.csv' is a record of pig: it cannot be read as piglet\n"
    )


def test_misuse_is_told(records):
    assert records.misused("fit", "games.csv", "--model", "magic").endswith(
        "a model is one of threshold, steady, quantal, coin: got 'magic'"
    )
    assert records.misused("review", "games.csv", "--out", "costs.txt").endswith(
        "the table of costs is a .csv file: got 'costs.txt'"
    )
    assert records.misused("fit", "games.csv", "--out", "folder/").endswith(
        "a strategy table ends in .csv or .npz: got 'folder/'"
    )
    assert records.misused("study", "games.csv", "pig", "piglet").endswith(
        "give one game: got 'pig' 'piglet'"
    )
    assert records.refused("fit", "games.csv", "--player", "an") == (
        "RecordError: nobody called 'an' is in this record; did you mean 'ann'?\n"
    )
    assert records.refused("review", "figure6.csv") == (
        "RecordError: game 'figure 6' has the turns of one player only: this needs those of both\n"
    )
