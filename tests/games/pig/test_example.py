"""The records that come with the pages: always the same, and of people who are made up."""

from pathlib import Path

import pytest

from dicelab.games.pig.study.example import FIGURE_6, write_example
from dicelab.people.read_record import read_record

DATA = Path(__file__).parents[3] / "docs" / "data"


@pytest.mark.slow
def test_the_shipped_records_are_the_ones_the_script_makes(tmp_path):
    for name in write_example(tmp_path):
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


@pytest.mark.parametrize(("name", "kind"), [("forms.csv", "Tracker"), ("games.csv", "Decisions")])
def test_they_can_be_read(name, kind):
    assert type(read_record(DATA / name)).__name__ == kind


def test_the_one_real_player_is_the_one_that_is_printed():
    sheet = read_record(DATA / "figure6.csv").sheets[0]
    assert [(turn.rolls, turn.banked) for turn in sheet.turns] == FIGURE_6
    # the study's own column of totals ends with 101
    assert sheet.totals[-1] == 101
