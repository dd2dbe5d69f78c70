"""Bad input gets one sentence and an exit code: 1 for what cannot be met, 2 for misuse."""

from __future__ import annotations

import resource
import signal
import sqlite3
import time

import pytest

PLAYERS = """
from dicelab import on_arrays

def holds(at):
    return "hold"

def folds(at):
    return "fold"

def divides(at):
    return 1 // at.at_risk

def counts(at):
    return 42

def shrugs(at):
    return None

def doubts(at):
    return {"roll": 0.5}

def overdoes(at):
    return {"roll": 2}

@on_arrays
def branches(at):
    return "roll" if at.at_risk else "hold"

number = 42
"""


@pytest.fixture
def players(dicelab, monkeypatch, request):
    """Return the name of a module of strategies, a new one for each test."""
    name = f"players_{abs(hash(request.node.name))}"
    (dicelab.folder / f"{name}.py").write_text(PLAYERS)
    monkeypatch.syspath_prepend(dicelab.folder)
    return name


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("solve pgi", "UnknownGame: no game called 'pgi'; did you mean 'pig'?"),
        ("strategies pgi", "UnknownGame: no game called 'pgi'; did you mean 'pig'?"),
        (
            "respond pig hold-at:3..1 --iterate",
            "RulesError: the range 'hold-at:3..1' is empty: write the smaller number first",
        ),
        (
            "respond pig hold-at:1..999999 --iterate",
            "RulesError: the range 'hold-at:1..999999' is longer than 2000 strategies",
        ),
        (
            "solve pig tarjet=5",
            "UnknownParameter: pig has no parameter 'tarjet'; did you mean 'target'?",
        ),
        ("solve pig target=0", "RulesError: pig needs a target of at least 1: got target=0"),
        ("solve pig target=-5", "RulesError: pig needs a target of at least 1: got target=-5"),
        ("solve pig target=ten", "RulesError: target must be a whole number: got 'ten'"),
        (
            "solve pig target=1000000000 --memory 4GB",
            "TooLarge: pig target=1000000000 has about 5e+26 positions, which needs about "
            "6.3e+10 EB; the limit is 4 GB (--memory)",
        ),
        (
            "solve pig die=1:1/2,2:1/4",
            "RulesError: the chances of a die must sum to 1: got 3/4 from {1: 1/2, 2: 1/4}",
        ),
        ("solve pig die=1", "RulesError: pig needs a face besides the 1: got die=1"),
        ("solve pig die=0", "RulesError: a die needs at least one side: got 0"),
        ("solve pig passing=maybe", "RulesError: passing must be yes or no: got 'maybe'"),
        (
            "solve pig target=60 --exact",
            "TooLarge: pig target=60 has more than 60,000 positions: exact mode goes up to 60,000; "
            "without it the bounds are certified all the same",
        ),
        (
            "solve greed --memory 1KB",
            "TooLarge: greed has 20,402 positions, which needs about 1.5 MB; "
            "the limit is 1 kB (--memory)",
        ),
        (
            "plot dice-battle equilibria dice=100",
            "TooLarge: dice-battle dice=100 has a matrix game for each number of dice and for each "
            "pair of scores, 10,100 of up to 100 x 100 throws: equilibria are drawn up to dice=60",
        ),
        (
            "evaluate greed optimal optimal max=1000000 --memory 4GB",
            "TooLarge: greed max=1000000 has about 3e+12 positions, which needs about 2.22e+06 EB; "
            "the limit is 4 GB (--memory)",
        ),
        (
            "evaluate pig holdat:5 turtle target=9",
            "UnknownStrategy: pig has no strategy 'holdat'; did you mean 'hold-at'?",
        ),
        (
            "evaluate pig hold-at:few turtle target=9",
            "UnknownStrategy: hold-at:points must be a whole number: got 'few'",
        ),
        (
            "evaluate pig turtle:5 turtle target=9",
            "UnknownStrategy: turtle takes no parameters: got '5'",
        ),
        (
            "evaluate pig turtle target=9",
            "RulesError: pig target=9 is played by two: say whom turtle plays against",
        ),
        (
            "evaluate solo-pig hold-at:5 hold-at:6 target=9",
            "RulesError: solo-pig target=9 is played alone: leave out the second strategy",
        ),
        (
            "explain yahtzee 66651,2left --against greedy",
            "RulesError: yahtzee is played alone: there is nobody to reply to",
        ),
        (
            "respond solo-pig hold-at:5 target=9",
            "RulesError: solo-pig target=9 is played alone: there is nobody to reply to",
        ),
        (
            "respond pig roll-and-wait target=9",
            "UnknownStrategy: roll-and-wait passes with nothing at risk: play pig passing=yes",
        ),
        ("density pig turtle target=9", "RulesError: pig target=9 needs two strategies"),
        (
            "explain pig hello target=9",
            "UnreadablePosition: cannot read 'hello' as a position of pig: write it like '0-0 +0'",
        ),
        (
            "equations pig turtle turtle 1-0 target=9",
            "UnknownPosition: no play of pig target=9 leads to 1-0 +0: try the start, '0-0 +0'",
        ),
        (
            "explain pig 3-0+8 target=9",
            "UnknownPosition: the game is over at 3-0 +8: there is no move to make",
        ),
        (
            "evaluate pig file:none.csv turtle target=9",
            "WrongTable: cannot read the strategy file 'none.csv': No such file or directory",
        ),
        (
            "evaluate pig nowhere:f turtle target=9",
            "DicelabError: cannot import 'nowhere' for 'nowhere:f': ModuleNotFoundError: "
            "No module named 'nowhere'",
        ),
        (
            "solve fractions:Fraction",
            "UnknownGame: 'fractions:Fraction' is not a game: got <class 'fractions.Fraction'>",
        ),
    ],
)
def test_a_request_that_cannot_be_met_gets_one_sentence(dicelab, words, sentence):
    assert dicelab.refused(*words.split()) == sentence + "\n"


def test_the_limit_on_memory_holds_for_a_range_of_strategies_too(dicelab):
    words = "respond pig hold-at:1..3 target=20 --iterate --jobs 1 --memory 1kB"
    told = dicelab.refused(*words.split())
    assert told.startswith("TooLarge: pig target=20 has about ")
    assert told.endswith("; the limit is 1 kB (--memory)\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("frob", "Error: No such command 'frob'."),
        ("solve", "Error: Missing argument 'GAME'."),
        ("solve pig --frob", "Error: No such option: --frob"),
        (
            "explain pig 0-0 --known known.npz",
            "Error: Invalid value: pig is solved anew for each question, and no file has its "
            "solution: leave out --known",
        ),
        (
            "solve pig turtle",
            "Error: Invalid value: give only parameters such as target=50 after the game: "
            "got 'turtle'",
        ),
        (
            "solve pig target=2 target=3",
            "Error: Invalid value: target is given twice: target=2 and target=3",
        ),
        (
            "solve pig --memory lots",
            "Error: Invalid value for '--memory': a size is a number and a unit, such as 4GB: "
            "got 'lots'",
        ),
        (
            "solve pig --out best.txt",
            "Error: Invalid value: a strategy table ends in .csv or .npz, and a folder in /: "
            "got 'best.txt'",
        ),
        (
            "solve pig --plot best.gif",
            "Error: Invalid value: a figure ends in .svg, .png or .pdf: got 'best.gif'",
        ),
        (
            "evaluate pig target=5",
            "Error: Invalid value: give one or two strategies, as `dicelab strategies` lists "
            "them: got nothing",
        ),
        ("explain pig target=5", "Error: Invalid value: give one position, in quotes: got nothing"),
        (
            "respond pig turtle turtle",
            "Error: Invalid value: give one strategy to reply to: got 'turtle' 'turtle'",
        ),
        (
            "respond pig hold-at:1..3",
            "Error: Invalid value: a range of strategies needs --iterate, and takes no --out",
        ),
        (
            "respond pig turtle --iterate --exact",
            "Error: Invalid value: --iterate goes by itself: leave out --start and --exact",
        ),
        (
            "density pig turtle turtle --out visits.txt",
            "Error: Invalid value: the table of visits is a .csv file: got 'visits.txt'",
        ),
    ],
)
def test_misuse_is_told_from_what_cannot_be_met(dicelab, words, sentence):
    assert dicelab.misused(*words.split()) == sentence


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("holds", "IllegalMove: {} cannot hold at {}: you can only roll here"),
        (
            "folds",
            "IllegalMove: {} answered 'fold' at {}, which is no move of pig: you can roll here",
        ),
        (
            "divides",
            "StrategyError: {} failed at {}: ZeroDivisionError: integer division or modulo by zero",
        ),
        ("counts", "StrategyError: {} answered 42 at {}: answer roll, or their chances"),
        ("shrugs", "StrategyError: {} answered None at {}: answer roll, or their chances"),
        ("doubts", "StrategyError: {} gave chances at {} that sum to 1/2: they must sum to 1"),
        (
            "overdoes",
            "StrategyError: {} gave the chance 2 at {}: a chance is a number from 0 to 1",
        ),
        (
            "branches",
            # 8 banks of yours, and 8 + 6 + 5 + 4 + 3 + 2 + 1 + 1 of mine with what is at risk.
            "StrategyError: {} failed on an array of 240 positions: ValueError: The truth value of "
            "an array with more than one element is ambiguous. Use a.any() or a.all()",
        ),
        ("number", "StrategyError: '{}' is not a function: got 42"),
    ],
)
def test_a_strategy_that_misbehaves_is_named_with_the_position(dicelab, players, player, sentence):
    # The first position asked is the last before the end: both banks as full as they get.
    told = dicelab.refused("evaluate", "pig", f"{players}:{player}", "turtle", "target=9")
    assert told == sentence.format(f"{players}:{player}", "8-8 +0") + "\n"


def test_a_missing_function_is_answered_with_what_is_there(dicelab, players):
    told = dicelab.refused("evaluate", "pig", f"{players}:hold", "turtle", "target=9")
    assert told == f"DicelabError: '{players}' has no 'hold'; did you mean 'holds'?\n"


def test_a_table_for_another_target_is_refused_by_name(dicelab):
    dicelab("solve", "pig", "target=9", "--out", "nine.csv")
    assert dicelab.refused("evaluate", "pig", "file:nine.csv", "turtle", "target=8") == (
        "WrongTable: 'nine.csv' is a strategy for pig target=9: it cannot play pig target=8\n"
    )


def test_a_table_with_an_illegal_move_names_the_position_and_the_file(dicelab):
    dicelab("solve", "pig", "target=9", "--out", "nine.csv")
    table = (dicelab.folder / "nine.csv").read_text()
    (dicelab.folder / "bad.csv").write_text(table.replace("\n0,0,0,roll", "\n0,0,0,hold"))
    assert dicelab.refused("evaluate", "pig", "file:bad.csv", "turtle", "target=9") == (
        "WrongTable: 'bad.csv' cannot be played: optimal cannot hold at 0-0 +0: "
        "you can only roll here\n"
    )


def test_half_a_table_is_refused(dicelab):
    dicelab("solve", "pig", "target=9", "--out", "nine.npz")
    half = (dicelab.folder / "nine.npz").read_bytes()[:200]
    (dicelab.folder / "half.npz").write_bytes(half)
    assert dicelab.refused("evaluate", "pig", "file:half.npz", "turtle", "target=9") == (
        "WrongTable: 'half.npz' is not a complete strategy file: BadZipFile: "
        "File is not a zip file\n"
    )


@pytest.mark.parametrize("out", ["note.txt/best.csv", "note.txt/best/"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(dicelab, out):
    (dicelab.folder / "note.txt").write_text("here already")
    assert dicelab.refused("solve", "pig", "target=9", "--out", out) == (
        f"CannotWrite: cannot write {out!r}: 'note.txt' is not a folder\n"
    )


def test_a_full_disk_leaves_no_file(dicelab):
    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    run = dicelab.start("solve", "pig", "target=20", "--out", "best.csv", preexec_fn=little_room)
    output, error = run.communicate(timeout=120)
    assert (run.returncode, output) == (1, "")
    assert error == "CannotWrite: cannot write 'best.csv': file too large\n"
    assert list(dicelab.folder.iterdir()) == []


LARGE = '''
from dataclasses import dataclass
from pathlib import Path
from dicelab.games.pig import Pig

@dataclass(frozen=True)
class Large(Pig):
    """Pig to 300, which says when it begins."""

    target: int = 300

    def start(self):
        Path("begun").touch()
        return super().start()
'''


def test_ctrl_c_says_so_and_leaves_the_old_file(dicelab):
    (dicelab.folder / "large.py").write_text(LARGE)
    (dicelab.folder / "best.csv").write_text("the old one")
    with dicelab.start("solve", "large:Large", "--out", "best.csv") as run:
        while not (dicelab.folder / "begun").exists():
            assert run.poll() is None, run.stderr.read()
            time.sleep(0.05)
        time.sleep(0.3)  # well inside the solving, which takes many seconds
        run.send_signal(signal.SIGINT)
        output, error = run.communicate(timeout=120)
    assert (run.returncode, output, error) == (130, "", "interrupted\n")
    names = {path.name for path in dicelab.folder.iterdir()} - {"__pycache__"}
    assert names == {"begun", "best.csv", "large.py"}
    assert (dicelab.folder / "best.csv").read_text() == "the old one"


def test_a_reader_who_leaves_hears_nothing(dicelab):
    with dicelab.start("strategies", "--json") as run:
        run.stdout.close()
        assert run.stderr.read() == ""
        assert run.wait(timeout=60) == 1


RULES = """
from dataclasses import dataclass

from dicelab import OTHER, WIN, HouseRules


@dataclass(frozen=True)
class Bad(HouseRules):
    limit: int = 3

    def start(self):
        return 0

    def choices(self, at):
        return ["go"]

    def outcomes(self, at, move):
        yield 1, at + self.limit // (self.limit - at), OTHER

    def result(self, at):
        return WIN if at > 9 else None
"""


@pytest.fixture
def rules(dicelab, monkeypatch, request):
    """Return the name of a module of rules, a new one for each test."""
    name = f"rules_{abs(hash(request.node.name))}"
    (dicelab.folder / f"{name}.py").write_text(RULES)
    monkeypatch.syspath_prepend(dicelab.folder)
    return name


def test_rules_that_raise_tell_position_move_and_line(dicelab, rules):
    assert dicelab.refused("solve", f"{rules}:Bad", "limit=1") == (
        f"RulesError: the rules of {rules}:Bad limit=1 failed after 'go' at 1: ZeroDivisionError: "
        f"integer division or modulo by zero ({rules}.py, line 18: yield 1, at + self.limit // "
        f"(self.limit - at), OTHER)\n"
    )


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_traceback_is_shown_where_it_is_asked_for(dicelab, rules, place):
    words = ["solve", f"{rules}:Bad", "limit=1"]
    words.insert(place, "--traceback")
    shown = dicelab.refused(*words)
    assert shown.startswith("Traceback (most recent call last):\n")
    assert f'{rules}.py", line 18, in outcomes' in shown
    assert "\nZeroDivisionError: integer division or modulo by zero\n" in shown
    assert shown.splitlines()[-1].startswith(f"RulesError: the rules of {rules}:Bad limit=1 failed")


def test_a_class_that_is_not_a_whole_game_is_refused(dicelab):
    assert dicelab.refused("respond", "dicelab.rules:HouseRules", "turtle") == (
        "RulesError: dicelab.rules:HouseRules is not a whole game: "
        "it does not say choices, outcomes, result, start\n"
    )


def test_a_family_that_plays_alike_has_a_best_member_and_no_rival(dicelab):
    answer = dicelab.json("family", "pig", "hold-at:3", "turtle", "target=3", "--jobs", "1")
    (found,) = answer["found"]
    assert (found["narrowest"], found["nearest"]) == (None, None)
    assert found["champion"] == "hold-at:3"
    said = dicelab("family", "pig", "hold-at:3", "turtle", "target=3", "--jobs", "1")
    assert (said.exit_code, said.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        "tournament pig hold-at:1..3 target=5 --jobs 1",
        "tournament pig hold-at:1..3 target=5 games=9 --jobs 1",
        "simulate pig turtle random target=5 games=9 --jobs 1",
        "family pig hold-at:1..3 target=5 --jobs 1",
    ],
)
@pytest.mark.parametrize("result", ["[]", "[[1, 2]]", "{}", "3", "null", '"x"', '[["a", 1]]'])
def test_a_checkpoint_with_results_of_another_shape_is_refused(dicelab, command, result):
    words = [*command.split(), "--checkpoint", "work.db"]
    assert dicelab(*words).exit_code == 0
    told = (
        "WrongCheckpoint: 'work.db' remembers a result for job {} that this work cannot have "
        "given: remove the file, or name another\n"
    )
    for job in (0, 99, -1):
        file = sqlite3.connect("work.db")
        with file:
            file.execute("DELETE FROM results")
            file.execute("INSERT INTO results VALUES (?, ?)", (job, result))
        file.close()
        refused = dicelab(*words)
        assert (refused.exit_code, refused.stderr) == (1, told.format(job))
