"""Nonsense of every kind: it is refused in a sentence of ours, and nothing else ever happens.

Positions, parameters, strategies and whole command lines made of bits of real ones; files of every
kind that are cut short, have bytes changed, or are something else. An error that is not ours would
be a traceback for the user, so these tests let it through and fail.
"""

import sys
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from dicelab import Die, all_games, compile, game, load_strategy, plan, save_strategy
from dicelab.cli import app
from dicelab.core.jobs import finished
from dicelab.errors import (
    DicelabError,
    RecordError,
    RulesError,
    UnknownPosition,
    UnreadablePosition,
    WrongCheckpoint,
    WrongTable,
)
from dicelab.games.greed.conjectures import sweep
from dicelab.people.read_record import read_record
from dicelab.rounds import Round, utility
from forms import SMALL


def some(examples):
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )


@pytest.fixture(autouse=True)
def little_memory(monkeypatch, tmp_path):
    """Refuse games beyond 20 MB, so that nonsense such as target=996 is not worked out."""
    monkeypatch.setattr(sys.modules["dicelab.table.compiler"], "memory_limit", lambda: 20_000_000)
    monkeypatch.chdir(tmp_path)


BITS = [
    "0",
    "1",
    "9",
    "-",
    "+",
    " ",
    "=",
    ":",
    ",",
    "/",
    ".",
    "e",
    "x",
    "²",
    "٣",
    "½",
    "\x00",
    "\n",
]
BITS += ["mine", "yours", "at_risk", "die", "target", "none", "d6", "1/2", "99999999999999999999"]
nonsense = st.lists(st.sampled_from(BITS), max_size=8).map("".join) | st.text(max_size=12)


# Words


@pytest.mark.parametrize("name", sorted(all_games()))
def test_any_text_is_a_position_or_no_position_and_nothing_else(name):
    table = compile(game(name, **SMALL.get(name, [{}])[0]))
    starts = table.notation(table.start)

    @some(60)
    @given(
        nonsense
        | st.builds(lambda text, at: starts[:at] + text + starts[at:], nonsense, st.integers(0, 9))
    )
    @example("")
    @example("9" * 5000)
    def check(text):
        with suppress(UnreadablePosition, UnknownPosition, RulesError):
            number = table.number(text)
            assert table.number(table.notation(number)) == number

    check()
    assert table.number(starts) == table.start


@pytest.mark.parametrize("name", sorted(all_games()))
def test_any_text_is_a_parameter_or_refused(name):
    fields = sorted(all_games()[name]().parameters)

    @some(40)
    @given(st.sampled_from([*fields, "name", "self", "kind", ""]) | st.text(max_size=5), nonsense)
    @example(fields[0], "9" * 5000)
    @example("name", "pig")
    def check(parameter, text):
        with suppress(DicelabError):
            made = game(name, **{parameter: text})
            assert made.name == name

    check()
    assert game(name).name == name


@some(100)
@given(st.sampled_from(["hold-at", "optimal", "risk", "noisy", "file", "a.b", ""]), nonsense)
@example("hold-at", "9" * 5000)
@example("os", "getcwd")
@example("file", "\x00")
def test_any_text_is_a_strategy_or_refused(name, text):
    table = compile(game("pig", target=5))
    with suppress(DicelabError):
        assert plan(table, f"{name}:{text}").table is table


@some(60)
@given(nonsense)
@example("goal:" + "4" * 5000)
@example("1e999999999.csv")
def test_any_text_is_a_utility_or_refused(text):
    with suppress(DicelabError):
        assert utility(text, Round()).numbers.dice == 3


# Files


class Damaged(bytes):
    """The bytes of a file, shown as their beginning only."""

    def __repr__(self):
        return f"<{len(self)} bytes: {self[:60]!s}>"


def damaged(whole):
    """Return what draws the bytes of a file with something wrong."""
    return broken(whole).map(Damaged)


@st.composite
def broken(draw, whole):
    """Draw the bytes of a file with something wrong: cut short, changed, added to, or foreign."""
    kind = draw(st.sampled_from(["cut", "change", "change", "insert", "lines", "foreign"]))
    if kind == "foreign":
        return draw(st.binary(max_size=40) | st.sampled_from(FOREIGN))
    if kind == "cut":
        return whole[: draw(st.integers(0, len(whole)))]
    if kind == "lines":
        lines = whole.splitlines(keepends=True)
        return b"".join(draw(st.lists(st.sampled_from(lines), max_size=6)))
    held = bytearray(whole)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(held) - 1)))
        new = draw(st.sampled_from(PIECES) | st.binary(min_size=1, max_size=3))
        held[at : at + (0 if kind == "insert" else len(new))] = new
    return bytes(held)


FOREIGN = [
    b"",
    b"\xff\xfe\x00",
    b"PK\x03\x04",
    b"SQLite format 3\x00",
    b"# " + b"[" * 100_000,
    b"[" * 100_000,
    b'# {"format": "dicelab decisions 1", "game": "pig", "parameters": {"name": "x"}}\n',
    b'# {"format": "dicelab tracker 1", "game": "pig", "parameters": {"self": 1}}\n',
    b'"' + b"x" * 140_000 + b'"\n1\n',
    b"game,seat\r1\r2\n",
    b"%PDF-1.7",
]
PIECES = [b"9", b"-", b",", b'"', b"\n", b"\r", b"\x00", b"{", b"]", b"e", b"1e9", b"/0", b"\xc3"]


def with_damage(whole, check, examples):
    """Check what is made of many damaged files, and of all that are something else."""
    for content in FOREIGN:
        check(content)
    some(examples)(given(damaged(whole))(check))()


def refused_or(work, kind):
    """Return what some work gives, or None; and the sentence with which it was refused, or ''."""
    try:
        return work(), ""
    except kind as refused:
        return None, str(refused)


def written(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("form", ["best.csv", "mixed.csv", "best.npz", "mixed.npz"])
def test_a_damaged_strategy_file_is_played_or_refused_by_name(tmp_path, form):
    table = compile(game("pig", target=4))
    save_strategy(plan(table, "optimal" if form.startswith("best") else "random"), form)
    whole = (tmp_path / form).read_bytes()

    def check(content):
        path = written(tmp_path / "x", content)
        found, told = refused_or(lambda: load_strategy(path, table), WrongTable)
        assert found or repr(str(path)) in told
        if found:
            assert (found.weights(exact=True) >= 0).all()
            sums = [Fraction(0)] * len(table)
            for row, share in zip(table.row_position, found.weights(exact=True), strict=True):
                sums[row] += share
            assert all(
                total == (1 if on else 0) for total, on in zip(sums, table.is_ongoing, strict=True)
            )

    with_damage(whole, check, 80)
    assert load_strategy(tmp_path / form, table).table is table


# Compact files that are whole, and wrong


def compact(path, table, **arrays):
    """Write a compact file with the first line of a right one."""
    save_strategy(plan(table, "random"), "right.npz")
    with np.load("right.npz") as right:
        np.savez_compressed(path, **({"header": right["header"]} | arrays))
    return path


def chances_but(table, row, text):
    texts = [str(share) for share in plan(table, "random").chances]
    texts[row] = text
    return np.array(texts)


@pytest.mark.parametrize("text", ["3/4", "-1/2", "x", "1e9999999", "1/0"])
def test_chances_that_are_none_are_refused_by_name_and_position(tmp_path, text):
    table = compile(game("pig", target=4))
    row = int(table.move_first[table.number("0-0 +2")])
    path = compact(tmp_path / "x.npz", table, chances=chances_but(table, row, text))
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, table)
    assert str(refused.value) == (f"{str(path)!r} has no chances of moves that sum to 1 at 0-0 +2")


def test_an_array_that_would_fill_the_memory_is_refused_before_it_is_unpacked(tmp_path):
    table = compile(game("pig", target=4))
    path = compact(tmp_path / "x.npz", table, move=np.zeros(30_000_000, np.uint8))
    assert path.stat().st_size < 100_000
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, table)
    assert str(refused.value) == (
        f"{str(path)!r} is not a complete strategy file: ValueError: move has the shape "
        f"(30000000,) of |u1, not ({len(table)},)"
    )


def test_chances_as_texts_too_long_to_be_any_are_refused_before_they_are_unpacked(tmp_path):
    table = compile(game("pig", target=7))
    text = np.array(["1"] * table.rows, "<U240000")
    path = compact(tmp_path / "x.npz", table, chances=text)
    assert 1_000 * path.stat().st_size < text.nbytes
    del text
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, table)
    assert f"ValueError: chances has the shape ({table.rows},) of <U240000, " in str(refused.value)


@pytest.mark.parametrize("lack", ["0 moves", "0 chances"])
def test_too_few_moves_are_refused_by_name(tmp_path, lack):
    table = compile(game("pig", target=4))
    arrays = {"move": np.zeros(3, np.uint8)} if "moves" in lack else {"chances": np.array(["1"])}
    path = compact(tmp_path / "x.npz", table, **arrays)
    with pytest.raises(WrongTable, match=r"x\.npz' is not a complete strategy file: ValueError"):
        load_strategy(path, table)


# Records, utilities and what is kept


DECISIONS = b"""# {"format": "dicelab decisions 1", "game": "pig", "parameters": {"target": "5"}}
game,seat,player,position,move,after,passes
1,1,ann,0-0 +0,roll,0-0 +3,no
1,1,ann,0-0 +3,hold,0-3 +0,yes
1,2,ben,0-3 +0,roll,3-0 +0,yes
1,1,ann,3-0 +0,roll,3-0 +2,no
"""
TRACKER = b"""# {"format": "dicelab tracker 1", "game": "pig", "parameters": {"target": "9"}}
game,seat,player,preference,lottery_10,lottery_million,turn,rolls,banked,total
1,1,ann,averse,a,b,1,1,4,4
1,2,ben,,,,1,2,0,0
1,1,ann,averse,a,b,2,1,5,9
"""


@pytest.mark.parametrize("whole", [DECISIONS, TRACKER], ids=["decisions", "tracker"])
def test_a_damaged_record_is_read_or_refused(tmp_path, whole):
    def check(content):
        with suppress(RecordError, RulesError):
            assert read_record(written(tmp_path / "x", content))

    with_damage(whole, check, 120)
    assert read_record(written(tmp_path / "x", whole))


def test_a_damaged_utility_is_read_or_refused(tmp_path):
    lines = [
        f"{a}{b}{c},{a + b + c}"
        for a in range(1, 5)
        for b in range(1, a + 1)
        for c in range(1, b + 1)
    ]
    whole = "\n".join(["combination,value", *lines]).encode()
    round_of_four = Round(die=Die(4))

    def check(content):
        with suppress(RulesError):
            found = utility(str(written(tmp_path / "x.csv", content)), round_of_four)
            assert found.numbers.dice == 3

    check(b"combination,value,cast\n111,1," + b"9" * 5000)
    with_damage(whole, check, 80)
    assert utility(str(written(tmp_path / "x.csv", whole)), round_of_four).values[0, 0] == 3


def doubled(job):
    return 2 * job


def done(path):
    return sorted(finished(doubled, range(4), 4, {"what": "doubling"}, 1, path))


def test_a_damaged_checkpoint_is_used_or_refused_by_name(tmp_path):
    assert done(tmp_path / "whole") == [(0, 0), (1, 2), (2, 4), (3, 6)]
    whole = (tmp_path / "whole").read_bytes()

    def check(content):
        path = written(tmp_path / "x", content)
        found, told = refused_or(lambda: done(path), WrongCheckpoint)
        assert found or repr(str(path)) in told
        if found:
            assert [number for number, _ in found] == [0, 1, 2, 3]

    with_damage(whole, check, 60)
    assert done(tmp_path / "whole") == [(0, 0), (1, 2), (2, 4), (3, 6)]


def test_a_damaged_sweep_of_conjectures_goes_on_or_is_refused_by_name(tmp_path):
    sweep(3, (2, 2), kept=tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()

    def check(content):
        path = written(tmp_path / "x", content)
        found, told = refused_or(lambda: sweep(3, (2, 2), kept=path), WrongTable)
        assert found or repr(str(path)) in told

    with_damage(whole, check, 60)


# Command lines

FILES = {
    "best.npz": b"PK\x03\x04",
    "games.csv": TRACKER,
    "table.csv": b"combination,value\n11,1\n21,2\n22,3\n31,4\n32,5\n33,6\n",
}
RIGHT = """
advantage --max 1..3 --sides 2..3 --jobs 1
compare pig hold-at:3 turtle target=5 seed=1 --margin 0.2
conjectures --max 3 --sides 2..2 --jobs 1
density pig hold-at:3 turtle target=5 --out out.csv
evaluate pig hold-at:3 optimal target=5 --exact
evaluate solo-pig hold-at:3 target=5 --json
explain pig 2-2|+2 target=5 --against hold-at:3
explain solo-pig mine=0|at_risk=0 target=5
export pig target=5 --to prism --against hold-at:3 --out out.prism
export solo-pig target=5 --to gymnasium
family pig hold-at:1..3 target=4..5 --jobs 1 --checkpoint out.db
fit games.csv --player ann --model coin
games --json
plot pig boundary target=5 --out out.png
respond pig hold-at:3 target=5 --iterate --jobs 1
respond pig hold-at:1..3 target=5 --exact --out out.csv --jobs 1
review games.csv --worst 2 --out out.csv
round value --utility goal:21 --dice 2 --faces 3 --casts 2
round value --utility table.csv --dice 2 --faces 3 --policy ratchet:21 --mistakes
round advise goal|421,|have|4,|threw|21,|1|cast|left
shortcuts greed max=3 sides=2
simulate pig hold-at:3 random target=5 games=20 seed=1 --jobs 1 --check
simulate pig turtle random target=5 games=5 --records out.csv --jobs 1 --by moves
solve pig target=5 --out out.npz
solve greed max=3 sides=2 --exact
solve dice-battle target=3 dice=2 variant=simultaneous --json
strategies pig
study games.csv --seed 1
sweep pig target=4..5 die=2,3 --show value,length --jobs 1 --checkpoint out.db --out out.csv
solve pig target=4..5
distil pig target=4 --size 1 --tries 3 --against turtle --out out.rule
tournament pig hold-at:3 turtle target=5 --jobs 1
tournament pig hold-at:1..2 target=5 games=20 seed=1 --exact --jobs 1 --checkpoint out.db
reproduce nothing nothing nothing nothing
""".strip().splitlines()
WORDS = [
    *SMALL,
    "pgi",
    "os:path",
    "json:JSONDecoder",
    "",
    "hold-at:3",
    "optimal",
    "random",
    "turtle",
]
WORDS += ["file:best.npz", "hold-at:1..3", "hold-at:x", "file:nowhere", "os:getcwd", "hold-at:9..1"]
WORDS += ["2-1 +1", "blind:1", "target=0", "target=7", "target=1e99", "die=4", "die=1:1/2,2:1/2"]
WORDS += [
    "die=0",
    "dice=2",
    "bust=9",
    "passing=yes",
    "passing=perhaps",
    "seed=1",
    "games=20",
    "name=x",
]
WORDS += [
    "games=-1",
    "variant=zero",
    "turns=2",
    "sides=2",
    "max=2",
    "tie=1/3",
    "=",
    "x=1",
    "--json",
]
WORDS += [
    "1",
    "0",
    "-1",
    "2..3",
    "3..2",
    "x",
    "0.1",
    "nan",
    "inf",
    "1/2",
    "1/0",
    "4GB",
    "1B",
    "421",
]
WORDS += [
    "out.csv",
    "out.pdf",
    "out/",
    "games.csv",
    "no/such/place.csv",
    "games.csv/x.csv",
    "--out",
]
WORDS += ["goal:421", "first", "dask://localhost:1x", "99999999999999999999", "--plot", "--exact"]
WORDS += ["--memory", "--seed", "--checkpoint", "--jobs", "--cluster", "--help", "--version", "--"]


@st.composite
def command_lines(draw):
    """Draw a right command with one to three of its words changed, left out or added."""
    words = [word.replace("|", " ") for word in draw(st.sampled_from(RIGHT)).split()]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(1, len(words)))
        new = draw(st.sampled_from(WORDS) | nonsense.filter(lambda text: "\x00" not in text))
        words[at : at + draw(st.integers(0, 1))] = draw(st.sampled_from([[new], [new], []]))
    return words


@pytest.mark.slow
@some(150)
@given(command_lines())
def test_any_command_line_answers_or_is_refused_in_a_sentence(words):
    for name, content in FILES.items():
        with open(name, "wb") as file:
            file.write(content)
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code in (0, 1, 2), words
    if result.exit_code:
        assert "Traceback" not in result.stderr, words
        assert result.stderr.strip(), words


@pytest.mark.parametrize("sizes", ["--max 1..99999999", "--sides 2..99999999"])
def test_a_range_beyond_all_bounds_is_refused_before_it_is_written_out(sizes):
    result = CliRunner().invoke(app, ["advantage", *sizes.split(), "--jobs", "1"])
    told = {"--max": "1..60", "--sides": "2..12"} | dict([sizes.split()])
    assert (result.exit_code, result.stderr) == (
        1,
        "RulesError: maxima and sides go up to 1000: "
        f"got max={told['--max']}, sides={told['--sides']}\n",
    )
