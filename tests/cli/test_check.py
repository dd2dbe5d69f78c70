"""dicelab check: what is wrong with a stranger's rules, as it is printed."""

import json

import pytest

STAIRS = """from dataclasses import dataclass
from fractions import Fraction

from dicelab import LOSS, OTHER, HouseRules


@dataclass(frozen=True)
class Stairs(HouseRules):
    top: int = 2
    share: Fraction = Fraction(1, 2)

    name = "stairs"

    def start(self):
        return (0, 0)

    def choices(self, at):
        return ["climb"]

    def outcomes(self, at, move):
        yield self.share, (at[1], at[0] + 1), OTHER
        yield self.share, (at[1], at[0]), OTHER

    def result(self, at):
        return LOSS if at[1] == self.top else None
"""


@pytest.fixture
def stairs(dicelab):
    (dicelab.folder / "stairs.py").write_text(STAIRS)
    return dicelab


def test_rules_without_a_fault_are_told_to_be_well(stairs):
    told = stairs("check", "stairs:Stairs")
    # My steps are 0 or 1, yours 0 to 2.
    assert (told.exit_code, told.stdout) == (
        0,
        "stairs: all is well at 6 positions, which are all there are\n",
    )
    assert stairs.json("check", "stairs:Stairs", "top=9", "--positions", "4") == {
        "game": "stairs",
        "parameters": {"top": 9, "share": "1/2"},
        "positions": 4,
        "whole": False,
        "findings": [],
    }


def test_findings_are_sentences_and_the_exit_code_is_one(stairs):
    told = stairs("check", "stairs:Stairs", "share=1/3")
    assert (told.exit_code, told.stdout.splitlines()) == (
        1,
        [
            "stairs share=1/3: 1 finding at 6 positions, which are all there are",
            "the chances after climb at (0, 0) sum to 2/3: they must sum to 1 "
            "(stairs.py, line 20; and at 3 other positions)",
        ],
    )


def test_findings_are_told_to_programs_too(stairs):
    told = stairs("check", "stairs:Stairs", "share=1/3", "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["findings"] == [
        {
            "sentence": "the chances after climb at (0, 0) sum to 2/3: they must sum to 1",
            "position": "(0, 0)",
            "move": "climb",
            "line": "stairs.py, line 20",
            "others": 3,
        }
    ]


def test_at_least_one_position_is_looked_at(dicelab):
    assert dicelab.misused("check", "pig", "--positions", "0") == (
        "Error: Invalid value for '--positions': 0 is not in the range x>=1."
    )
