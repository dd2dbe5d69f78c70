"""Records of decisions: written and read back, checked against the rules, told as tracker forms."""

import math
import re

import numpy as np
import pytest

from dicelab import compile, game
from dicelab.errors import RecordError, StrategyError
from dicelab.games.pig import Pig
from dicelab.games.pig.study.tracker import Turn, as_tracker
from dicelab.games.pig.study.tracker_file import parse_tracker, tracker_text, write_tracker
from dicelab.people.decisions import decisions_text, parse_decisions, write_decisions
from dicelab.people.read_record import read_record
from dicelab.people.sampling import Sampler, joined
from dicelab.verbs.evaluate import evaluate

HEAD = (
    '# {"format": "dicelab decisions 1", "game": "pig", "parameters": {"target": "20"}}\n'
    "game,seat,player,position,move,after,passes\n"
)


def refused(text, asked=None):
    with pytest.raises(RecordError) as trouble:
        parse_decisions(text, asked, "play.csv")
    return str(trouble.value)


@pytest.mark.parametrize("name", ["pig", "piglet", "two-dice-pig", "big-pig", "solo-pig"])
def test_a_record_of_any_game_survives_a_file(name, tmp_path):
    table = compile(game(name, target=12))
    players = ["random"] * table.game.players
    record = Sampler(table, players).play(5, np.random.default_rng(1))
    write_decisions(record, tmp_path / "play.csv")
    again = read_record(tmp_path / "play.csv")
    assert again.names == record.names
    # a player who never came to move is not in the file
    seated = zip(again.players, record.players, strict=True)
    assert all(a in ("", b) for one, two in seated for a, b in zip(one, two, strict=True))
    for field in ("game", "seat", "row", "number", "after", "passes"):
        assert (getattr(again, field) == getattr(record, field)).all(), field


def test_sampled_games_are_won_as_often_as_they_should_be(short):
    found = evaluate(short.table, "hold-at:12", "noisy:15,0,2").first
    record = Sampler(short.table, ["hold-at:12", "noisy:15,0,2"]).play(
        4000, np.random.default_rng(1)
    )
    last = record.first[1:] - 1
    wins = float((record.seat[last] == 0).mean())
    assert abs(wins - found) < 4 * math.sqrt(found * (1 - found) / 4000)


def test_a_sampled_game_that_never_ends_is_refused():
    table = compile(Pig(target=5, passing=True))
    waiting = Sampler(table, ["skip-when-level:2", "skip-when-level:2"])
    with pytest.raises(StrategyError) as trouble:
        waiting.play(200, np.random.default_rng(1), most_moves=500)
    assert re.fullmatch(
        r"\d+ of 200 games of pig target=5 passing=yes had not ended after 500 moves: "
        r"these strategies may wait for each other for ever",
        str(trouble.value),
    )
    with pytest.raises(StrategyError) as trouble:
        Sampler(table, ["random"])
    assert str(trouble.value) == "pig target=5 passing=yes takes 2 strategies: got 1"


def test_decisions_are_told_as_the_tracker_form_tells_them(short):
    record = Sampler(short.table, ["hold-at:9", "random"]).play(20, np.random.default_rng(2))
    forms = as_tracker(record, {"A": "averse"})
    assert parse_tracker(tracker_text(forms)) == forms
    for number, form in enumerate(forms.forms):
        last = int(record.first[number + 1]) - 1
        winner = int(record.seat[last]) + 1
        assert form.sheet(winner).totals[-1] >= 50
        assert form.sheet(3 - winner) is None or form.sheet(3 - winner).totals[-1] < 50


def test_a_form_can_be_checked_by_hand():
    rows = [
        "1,1,ann,0-0 +0,roll,0-0 +6,no",
        "1,1,ann,0-0 +6,roll,0-0 +8,no",
        "1,1,ann,0-0 +8,hold,0-8 +0,yes",
        "1,2,ben,0-8 +0,roll,8-0 +0,yes",
        "1,1,ann,8-0 +0,roll,8-0 +5,no",
    ]
    record = parse_decisions(HEAD + "\n".join(rows))
    ann, ben = as_tracker(record).sheets  # the turn that was broken off is left out
    assert (ann.turns, ben.turns) == ((Turn(2, 8),), (Turn(1, 0),))
    assert decisions_text(record).splitlines()[2:] == rows


def test_joined_records_number_their_games_anew(short):
    sampler = Sampler(short.table, ["hold-at:9", "random"])
    parts = [sampler.play(2, np.random.default_rng(seed)) for seed in (1, 2)]
    whole = joined(parts)
    assert whole.names == ("1", "2", "3", "4")
    assert len(whole) == len(parts[0]) + len(parts[1])
    assert whole.game.tolist() == sorted(whole.game.tolist())


ROLL = "1,1,ann,0-0 +0,roll,0-0 +6,no"
BAD_ROWS = {
    "1,3,ann,0-0 +0,roll,0-0 +6,no": ("row 3 has seat '3': pig target=20 has seat 1 and seat 2"),
    "1,1,ann,0-0 +0,roll,0-0 +6,maybe": "row 3 has passes='maybe': write yes or no",
    "1,1,ann,0-0 +0,roll,0-0 +6": "row 3 has 6 cells: it needs 7",
    "1,1,ann,zero,roll,0-0 +6,no": (
        "row 3: cannot read 'zero' as a position of pig: write it like '0-0 +0'"
    ),
    "1,1,ann,0-0 +1,roll,0-0 +6,no": (
        "row 3: no play of pig target=20 leads to 0-0 +1: try the start, '0-0 +0'"
    ),
    "1,1,ann,0-0 +0,hold,0-0 +0,yes": "row 3 cannot hold at 0-0 +0: you can roll there",
    "1,1,ann,0-0 +0,fold,0-0 +0,yes": "row 3 cannot fold at 0-0 +0: you can roll there",
    "1,1,ann,0-0 +0,roll,0-0 +7,no": (
        "row 3: to roll at 0-0 +0 cannot lead to 0-0 +7 where the turn goes on"
    ),
    "1,1,ann,0-0 +0,roll,0-0 +6,yes": (
        "row 3: to roll at 0-0 +0 cannot lead to 0-0 +6 where the turn passes"
    ),
    f"{ROLL}\n1,2,ben,0-0 +6,roll,0-0 +8,no": (
        "row 4 has seat 2 at 0-0 +6: row 3 left seat 1 at 0-0 +6"
    ),
    f"{ROLL}\n1,1,ann,0-0 +5,roll,0-0 +8,no": (
        "row 4 has seat 1 at 0-0 +5: row 3 left seat 1 at 0-0 +6"
    ),
    f"{ROLL}\n1,1,eve,0-0 +6,roll,0-0 +8,no": (
        "row 4 has the player 'eve' in seat 1 of game '1': it was 'ann' before"
    ),
    f"{ROLL}\n2,1,ann,0-0 +0,roll,0-0 +6,no\n{ROLL}": (
        "row 5 goes back to game '1': keep its rows together"
    ),
    "1,1,ann,18-0 +0,roll,18-0 +2,no\n1,1,ann,0-0 +0,roll,0-0 +6,no": (
        "row 4 comes after game '1' ended in row 3"
    ),
    "": "'play.csv' has no decisions: write one row for each",
}


@pytest.mark.parametrize(("rows", "sentence"), BAD_ROWS.items(), ids=BAD_ROWS.values())
def test_what_the_rules_forbid_is_refused_by_its_row(rows, sentence):
    assert refused(HEAD + rows) == sentence


def test_a_record_must_say_what_was_played(tmp_path):
    assert refused("game,seat\n") == (
        "'play.csv' does not say which game it is a record of in its first line"
    )
    assert refused(HEAD.replace("decisions 1", "tracker 1")) == (
        "'play.csv' holds no decisions: its first line says 'dicelab tracker 1'"
    )
    assert refused(HEAD.replace("after", "then")) == (
        "row 2 should begin the table with game,seat,player,position,move,after,passes: "
        "got game,seat,player,position,move,then,passes"
    )
    assert refused(HEAD + ROLL, Pig()) == (
        "'play.csv' is a record of pig target=20: it cannot be read as pig"
    )


def test_records_are_told_apart_by_their_first_line(tmp_path, short):
    record = Sampler(short.table, ["hold-at:9", "random"]).play(2, np.random.default_rng(1))
    write_tracker(as_tracker(record), tmp_path / "forms.csv")
    assert read_record(tmp_path / "forms.csv") == as_tracker(record)


def test_only_pig_between_two_has_tracker_forms():
    table = compile(game("solo-pig", target=10))
    record = Sampler(table, ["random"]).play(1, np.random.default_rng(1), ("ann",))
    with pytest.raises(RecordError) as trouble:
        as_tracker(record)
    assert str(trouble.value) == (
        "the tracker form is for two players at Pig or its kin: got solo-pig target=10"
    )


def test_a_game_that_can_lose_the_bank_has_no_tracker_forms():
    # Two ones cost everything; the totals of a form only ever grow.
    table = compile(game("two-dice-pig", target=10))
    record = Sampler(table, ["random", "random"]).play(1, np.random.default_rng(1))
    with pytest.raises(RecordError) as trouble:
        as_tracker(record)
    assert str(trouble.value) == (
        "the tracker form cannot hold two-dice-pig target=10: "
        "a banked 0 does not tell whether the bank was lost"
    )
