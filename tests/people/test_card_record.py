"""Games of a scorecard, written down a row a round, and their review."""

import pytest

from dicelab.errors import RecordError
from dicelab.games.yahtzee.rules import Yahtzee
from dicelab.people.card_record import review_rounds
from dicelab.people.forms import evidence_in
from dicelab.people.read_record import parse_record

HEAD = (
    '# {"format": "dicelab rounds 1", "game": "yahtzee", '
    '"parameters": {"only": "sixes+chance", "enough": "18"}}\n'
)
COLUMNS = "game,player,cast 1,keep 1,cast 2,keep 2,cast 3,box\n"
ROWS = "1,ann,66651,666,66662,6666,66666,sixes\n1,ann,54321,-,65432,,,chance\n"


@pytest.fixture(scope="module")
def reviewed():
    return review_rounds(parse_record(HEAD + COLUMNS + ROWS, None, "r.csv"))


def test_a_record_of_rounds_is_read(reviewed):
    record = reviewed.record
    assert record.game == Yahtzee(only="sixes+chance", enough=18)
    assert [step.move for step in record.steps[0]] == [
        "cast", "keep 666", "keep 6666", "score sixes", "cast", "keep -", "score chance",
    ]  # fmt: skip


def test_value_cost_and_luck_add_up_to_the_score(reviewed):
    (score,) = reviewed.scores()
    assert score["result"] == pytest.approx(30 + 35 + 20)
    value = reviewed.solution.value
    assert score["result"] == pytest.approx(value - score["cost"] + score["luck"], abs=1e-9)
    assert score["luck_adjusted"] == pytest.approx(value - score["cost"], abs=1e-9)


def test_the_percentile_is_that_of_the_law_of_best_play(reviewed):
    (score,) = reviewed.scores()
    law = reviewed.law
    below = sum(c for p, c in zip(law.points, law.chances, strict=True) if p < score["result"])
    level = sum(c for p, c in zip(law.points, law.chances, strict=True) if p == score["result"])
    assert score["percentile"] == pytest.approx(below + level / 2)
    assert reviewed.percentile(0) < 0.01
    assert reviewed.percentile(95) > 0.99


def test_the_costliest_decisions_are_told(reviewed):
    answer = reviewed.as_dict(3)
    assert all(one["cost"] > 0 for one in answer["worst"])
    assert len(reviewed.told(answer, 10)[1]) == 1
    assert len(list(reviewed.rows())) == 8
    assert reviewed.remarks(answer)[0].endswith("a lower score, and half of equals")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            "1,ann,66651,666,65552,666,66666,sixes\n",
            "row 3: 65552 cannot follow keep 666: the dice that were kept still lie there",
        ),
        (
            "1,ann,66651,6664,66642,666,66666,sixes\n",
            "row 3: cannot keep 6664 at empty counted=0 | 66651, 2 left",
        ),
        ("1,ann,666515,666,66642,666,66666,sixes\n", "row 3: 666515 has 6 dice: 5 wanted here"),
        (
            "1,ann,66666,,,,,sixes\n1,ann,66666,,,,,sixes\n",
            "row 4: cannot fill 'sixes' at sixes counted=18 | 66666, 2 left",
        ),
        (
            ROWS + "1,ann,66666,,,,,sixes\n",
            "row 5: the card is full: this game has no further round",
        ),
        ("1,ann,,,,,,sixes\n", "row 3: a round begins with a cast: got none"),
        ("1,ann,66666\n", "row 3 has 3 cells: 8 wanted"),
        ("", "'r.csv' has no rounds: write one row for each"),
    ],
)
def test_a_row_that_cannot_be_gets_a_sentence(rows, told):
    with pytest.raises(RecordError) as refused:
        parse_record(HEAD + COLUMNS + rows, None, "r.csv")
    assert str(refused.value) == told


def test_other_columns_and_other_games_are_refused():
    with pytest.raises(RecordError) as refused:
        parse_record(HEAD + "game,box\n", None, "r.csv")
    assert str(refused.value) == (
        "row 2 should begin the table with game,player,cast 1,keep 1,cast 2,keep 2,cast 3,box: "
        "got game,box"
    )
    other = '# {"format": "dicelab rounds 1", "game": "pig", "parameters": {}}\n'
    with pytest.raises(RecordError) as refused:
        parse_record(other + COLUMNS, None, "r.csv")
    assert str(refused.value) == "'r.csv' has rounds of a scorecard, and pig has no card"


def test_no_model_is_fitted_to_rounds(reviewed):
    with pytest.raises(RecordError) as refused:
        evidence_in(reviewed.record, None, object())
    assert str(refused.value) == (
        "a record of yahtzee enough=18 only=sixes+chance in rounds can be reviewed, and no model "
        "of a person be fitted to it: fit takes records of decisions"
    )
