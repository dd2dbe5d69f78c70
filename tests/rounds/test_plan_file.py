"""Strategies of a round in files: written, read back, and refused where they do not fit."""

import pytest

from dicelab.errors import WrongTable
from dicelab.rounds import Round, evaluate, optimal, policy, ratchet
from dicelab.rounds.plan_file import as_csv, load, read_csv
from dicelab.rules.dice import Die

SMALL = Round(dice=2, die=Die(4), casts=3)


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize(("name", "ties"), [("h1s1", "fewest"), ("optimal", "even")])
@pytest.mark.parametrize("keep", ["aside", "any"])
def test_what_is_written_is_read_back(player, name, ties, keep):
    game = Round(dice=2, die=Die(4), casts=3, keep=keep)
    plan = policy(name, game, "sum", player, ties)
    again = read_csv(game, as_csv(plan))
    assert (again.name, again.player) == (plan.name, player)
    assert evaluate(again, "goal:44").value == evaluate(plan, "goal:44").value
    for one, other in zip(plan.chances, again.chances, strict=True):
        assert (one == other).all()


def test_a_strategy_is_a_row_for_each_decision():
    # One die, two casts: six throws after the first cast, nothing to decide after the last.
    text = as_csv(ratchet(Round(dice=1, casts=2), "6"))
    assert text.splitlines() == [
        "# dicelab round dice=1 die=6 casts=2 keep=aside player=first policy=ratchet:6",
        "cast,aside,threw,keep,chance",
        *(f"1,-,{face},-,1" for face in range(1, 6)),
        "1,-,6,6,1",
    ]


GOOD = as_csv(optimal(SMALL, "sum"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cast,aside\n",
            "this is no strategy of round dice=2 die=4 casts=3 keep=aside: it begins with "
            "'cast,aside'",
        ),
        (
            GOOD.replace("casts=3", "casts=2"),
            "this is no strategy of round dice=2 die=4 casts=3 keep=aside: it begins with "
            "'# dicelab round dice=2 die=4 casts=2 keep=aside player=first policy=optimal'",
        ),
        (
            GOOD.replace("player=first", "player=last"),
            "this strategy is for a last player: got player=None",
        ),
        (
            GOOD.replace("keep,chance", "kept,chance"),
            "a strategy of a round has the columns cast, aside, threw, keep, chance: got cast, "
            "aside, threw, kept, chance",
        ),
        (GOOD.replace("1,-,11,-,1", "1,-,11,-,x"), "line 3 cannot be read"),
        (GOOD.replace("1,-,11,-,1\n", ""), "the strategy says nothing about 11 after cast 1"),
    ],
)
def test_what_is_no_strategy_of_this_round_is_refused(text, message):
    assert text != GOOD
    with pytest.raises(WrongTable) as refused:
        read_csv(SMALL, text)
    assert str(refused.value).startswith(message)


def test_a_file_for_the_other_player_or_of_no_text_is_refused(tmp_path):
    file = tmp_path / "plan.csv"
    file.write_text(GOOD)
    assert load(SMALL, file, "first").name == "optimal"
    with pytest.raises(WrongTable) as refused:
        load(SMALL, file, "next")
    assert str(refused.value) == "this strategy is for a first player: got player=next"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongTable) as refused:
        load(SMALL, file)
    assert str(refused.value) == f"cannot read the strategy {str(file)!r}: it is not text"
    with pytest.raises(WrongTable) as refused:
        load(SMALL, tmp_path / "none.csv")
    assert str(refused.value) == (
        f"cannot read the strategy {str(tmp_path / 'none.csv')!r}: no such file or directory"
    )
