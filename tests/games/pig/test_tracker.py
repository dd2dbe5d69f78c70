"""Tracker forms: the player the study prints, files read and written, and what cannot have been."""

import pytest

from dicelab import Die
from dicelab.errors import RecordError
from dicelab.games.pig import BigPig, Pig, Piglet, TwoDicePig
from dicelab.games.pig.study.example import figure_6
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, Turn, impossible
from dicelab.games.pig.study.tracker_file import (
    parse_tracker,
    tracker_text,
    write_tracker,
)
from dicelab.people.record_header import read_text

HEAD = "game,seat,player,preference,lottery_10,lottery_million,turn,rolls,banked,total\n"


def refused(text, game=None):
    with pytest.raises(RecordError) as trouble:
        parse_tracker(text, game, "forms.csv")
    return str(trouble.value)


def test_the_player_the_study_prints_adds_up_as_printed():
    # "Finding the optimal strategy for the dice game Pig", Exeter, figure 6, the column of totals.
    printed = [16, 24, 32, 48, 48, 48, 61, 70, 70, 86, 86, 101]
    sheet = figure_6().sheets[0]
    assert sheet.totals == printed
    assert (sheet.seat, sheet.preference) == (2, "seeking")


def test_that_player_survives_a_file(tmp_path):
    write_tracker(figure_6(), tmp_path / "figure6.csv")
    assert parse_tracker((tmp_path / "figure6.csv").read_text()) == figure_6()


def test_a_form_needs_only_what_was_played():
    forms = parse_tracker("game,seat,player,turn,rolls,banked\n14,1,ann,1,4,16\n")
    assert forms == Tracker(Pig(), (Form("14", (Sheet("ann", 1, (Turn(4, 16),)),)),))


def test_rows_may_come_in_any_order_and_loving_risk_is_seeking_it():
    text = HEAD + "1,2,ben,risk averse,a,b,1,1,0,0\n1,1,ann,Loving,B,b,2,2,9,25\n"
    forms = parse_tracker(text + "1,1,ann,seeking,b,b,1,4,16,16\n")
    ann, ben = forms.sheets
    assert (ann.turns, ann.preference, ann.lotteries) == (
        (Turn(4, 16), Turn(2, 9)),
        "seeking",
        ("b", "b"),
    )
    assert (ben.preference, ben.lotteries) == ("averse", ("a", "b"))


@pytest.mark.parametrize("game", [Pig(), Pig(target=30, die=Die(8)), Piglet(), BigPig()], ids=str)
def test_the_first_line_of_a_file_names_its_game(game):
    forms = Tracker(game, (Form("1", (Sheet("ann", 1, (Turn(1, 0),)),)),))
    assert parse_tracker(tracker_text(forms)) == forms


def test_a_spreadsheet_may_have_saved_the_file_again():
    first, rest = tracker_text(figure_6()).split("\n", 1)
    parts = [f'"{part.replace(chr(34), chr(34) * 2)}"' for part in first.split(",")]
    saved = "\r\n".join([",".join(parts) + ",,,", *rest.splitlines()])
    assert parse_tracker(saved) == figure_6()


BAD_ROWS = {
    "1,1,ann,,,,1,2,3,": "row 2 cannot be: 3 points in 2 rolls: they score 4 to 12, or bust",
    "1,1,ann,,,,1,1,7,": "row 2 cannot be: 7 points in 1 roll: they score 2 to 6, or bust",
    "1,1,ann,,,,1,0,0,": "row 2 cannot be: a turn has at least one roll",
    "1,1,ann,,,,1,0,4,": "row 2 cannot be: 4 points without a roll",
    "1,1,ann,,,,1,60,0,": (
        "row 2 cannot be: 50 rolls without a bust had won: 100 points were enough"
    ),
    "1,1,ann,,,,1,20000,0,": "row 2 cannot be: 20000 rolls in one turn is more than 10000",
    "1,1,ann,,,,1,4,16,17": ("row 2 has a total that does not add up: 0 + 16 = 16, not 17"),
    "1,1,ann,,,,1,four,16,": "row 2 has rolls='four': it must be a whole number",
    "1,1,ann,,,,1,4,-16,": "row 2 has banked='-16': it must be a whole number",
    "1,1,ann,,,,1,4,16": "row 2 has 9 cells: it needs 10",
    "1,3,ann,,,,1,4,16,": "row 2 has seat 3: it is 1 for who goes first, else 2",
    ",1,ann,,,,1,4,16,": "row 2 has no game: name it, by a word or a number",
    "1,1,,,,,1,4,16,": "row 2 has no player: name it, by a word or a number",
    "1,1,ann,brave,,,1,4,16,": (
        "row 2 has the preference 'brave': write averse, neutral or seeking, or leave it empty"
    ),
    "1,1,ann,,c,,1,4,16,": (
        "row 2 has lottery_10='c': write a for the sure thing, b for the gamble, or leave it empty"
    ),
    "1,1,ann,,,,2,4,16,": "row 2 has turn 2 where turn 1 should be in game '1', seat 1",
    "1,1,ann,,,,1,4,16,\n1,1,ann,,,,1,4,16,": "row 3 has turn 1 again in game '1', seat 1",
    "1,1,ann,,,,1,4,16,\n1,1,ben,,,,2,4,16,": (
        "row 3 has the player 'ben' in game '1', seat 1: row 2 has 'ann'"
    ),
    "1,1,ann,averse,,,1,4,16,\n1,1,ann,neutral,,,2,4,16,": (
        "row 3 has the preference neutral for player 'ann': row 2 has averse"
    ),
    "1,1,ann,,a,b,1,4,16,\n1,1,ann,,a,,2,4,16,": (
        "row 3 has the lotteries a/none for player 'ann': row 2 has a/b"
    ),
    "1,1,ann,,,,1,1,0,\n1,1,ann,,,,2,1,0,\n1,2,ben,,,,1,1,0,\n1,1,ann,,,,3,1,0,": (
        "row 5 is turn 3 of seat 1 in game '1': the other seat has only 1"
    ),
    "1,1,ann,,,,1,1,0,\n1,2,ben,,,,1,1,0,\n1,2,ben,,,,2,1,0,": (
        "row 4 is turn 2 of seat 2 in game '1': the other seat has only 1"
    ),
    "1,1,ann,,,,1,1,0,\n1,2,ann,,,,1,1,0,": "game '1' has the player 'ann' in both seats",
    '1,1,"ann,,,,1,4,16,': "row 2 has 3 cells: it needs 10",
}


@pytest.mark.parametrize(("rows", "sentence"), BAD_ROWS.items(), ids=BAD_ROWS.values())
def test_a_bad_row_is_refused_by_its_number(rows, sentence):
    assert refused(HEAD + rows) == sentence


WON = "1,1,ann,,,,1,4,22,\n1,2,ben,,,,1,1,0,\n"


def test_a_turn_that_has_won_ends_there():
    # with 22 needed, 17 + 6 = 23 wins; 24 or more in four rolls means that three had won
    short = Pig(target=22)
    assert refused(HEAD + "1,1,ann,,,,1,4,24,", Pig(target=15)) == (
        "row 2 cannot be: 24 points in 4 rolls, where 15 had won and ended the turn"
    )
    assert refused(HEAD + WON, short) == (
        "row 3 comes after the game was won: game '1', seat 1 had 22 points"
    )
    again = "1,1,ann,,,,1,4,22,\n1,1,ann,,,,2,1,0,\n"
    assert refused(HEAD + again, short) == (
        "row 3 comes after the game was won: game '1', seat 1 had 22 points"
    )
    second = "1,1,ann,,,,1,1,0,\n1,2,ben,,,,1,4,22,\n1,1,ann,,,,2,1,0,\n"
    assert refused(HEAD + second, short) == (
        "row 4 comes after the game was won: game '1', seat 2 had 22 points"
    )


@pytest.mark.parametrize("rolls", [1, 2, 3, 4])
def test_n_rolls_of_a_die_without_a_one_score_two_to_six_each(rolls):
    possible = [s for s in range(1, 40) if impossible(Pig(), 0, Turn(rolls, s)) is None]
    assert possible == list(range(2 * rolls, 6 * rolls + 1))


def test_passing_is_a_turn_without_a_roll():
    assert impossible(Pig(passing=True), 0, Turn(0, 0)) is None


def test_a_record_of_another_game_is_refused():
    text = tracker_text(figure_6())
    assert refused(text, Pig(target=50)) == (
        "'forms.csv' is a record of pig: it cannot be read as pig target=50"
    )
    assert refused(text, Piglet()) == "'forms.csv' is a record of pig: it cannot be read as piglet"
    assert refused(HEAD, TwoDicePig()) == (
        "the tracker form cannot hold two-dice-pig: "
        "a banked 0 does not tell whether the bank was lost"
    )


FIRST_LINES = {
    "# pig": (
        "the first line of 'forms.csv' is unreadable: write "
        '# {"format": ..., "game": ..., "parameters": {}}'
    ),
    '# {"format": "dicelab tracker 1", "game": "pgi", "parameters": {}}': (
        "the first line of 'forms.csv' names no game: no game called 'pgi'; did you mean 'pig'?"
    ),
    '# {"format": "dicelab tracker 1", "game": "os:Pig", "parameters": {}}': (
        "'forms.csv' is a record of os:Pig, which is not registered: name the game"
    ),
    '# {"format": "dicelab strategy 1", "game": "pig", "parameters": {}}': (
        "'forms.csv' is no tracker form: its first line says 'dicelab strategy 1'"
    ),
    '# {"format": "dicelab tracker 1", "game": "solo-pig", "parameters": {}}': (
        "the tracker form is for two players at Pig or its kin: got solo-pig"
    ),
}


@pytest.mark.parametrize(("line", "sentence"), FIRST_LINES.items())
def test_a_first_line_that_names_no_game_is_refused(line, sentence):
    assert refused(f"{line}\n{HEAD}") == sentence


def test_a_file_that_is_no_table_of_turns_is_refused(tmp_path):
    assert refused("") == (
        "row 1 lacks the column 'game': it should begin the table with "
        "game,seat,player,preference,lottery_10,lottery_million,turn,rolls,banked,total"
    )
    assert refused(HEAD) == "'forms.csv' has no turns: write one row for each turn"
    assert refused(HEAD.replace("total", "totl")) == (
        "row 1 has a column 'totl'; did you mean 'total'?"
    )
    assert refused(HEAD.replace("total", "turn")) == "row 1 has the column 'turn' twice"
    with pytest.raises(RecordError) as trouble:
        read_text("nowhere.csv")
    assert str(trouble.value) == "cannot read 'nowhere.csv': no such file or directory"
    (tmp_path / "latin.csv").write_bytes(b"\xff\xfe\xe9")
    with pytest.raises(RecordError) as trouble:
        read_text(tmp_path / "latin.csv")
    assert str(trouble.value) == f"cannot read '{tmp_path}/latin.csv': save it as CSV in UTF-8"


def test_cells_written_with_blanks_and_zeros_are_read_as_those_without():
    plain = HEAD + "1,1,ann,averse,a,b,1,4,16,16\n1,1,ann,averse,a,b,2,2,9,25\n"
    fancy = HEAD + "1, 1 ,ann ,Averse,A,b, 01,004,16,16\n\n 1,1,ann,risk-averse,a,B,2,2,9,0025\n"
    assert parse_tracker(fancy) == parse_tracker(plain)
    assert parse_tracker(plain.replace("\n", "\r")) == parse_tracker(plain)
    assert parse_tracker(plain.replace("\n", "\r\n")) == parse_tracker(plain)


def test_a_number_too_long_is_refused_for_its_length():
    text = HEAD + f"1,1,ann,,,,1,{'4' * 12},16,\n"
    assert refused(text) == f"row 2 has rolls='{'4' * 12}': it must have at most 9 digits"
