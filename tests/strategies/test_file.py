"""Strategy files: what is written is read back, and nothing else is taken for a strategy."""

import csv
import errno
import json
import os
from fractions import Fraction

import numpy as np
import pytest

import dicelab
from brute import Sketch
from dicelab import Die, compile, evaluate, load_strategy, plan, save_strategy, solve
from dicelab.core.atomic_write import written_whole
from dicelab.errors import WrongTable
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import Greed
from dicelab.games.pig import Pig, Piglet
from dicelab.games.pig.solo import SoloPig
from dicelab.rules import OTHER, SAME, WIN
from strange_games import Barrel, Perch

TABLE = compile(Pig(target=10))
ENDINGS = ["csv", "npz", "strategy"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["hold-at:4", "optimal", "random"])
def test_a_saved_strategy_reads_back_as_the_same_moves_and_chances(tmp_path, ending, name):
    path = tmp_path / f"mine.{ending}"
    made = plan(TABLE, name)
    save_strategy(made, path)
    read = load_strategy(path, TABLE)
    assert read.name == made.name
    assert read.is_mixed == made.is_mixed
    assert (read.weights(exact=True) == made.weights(exact=True)).all()
    assert plan(TABLE, f"file:{path}").plays_like(made)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_strategies_of_house_rules_and_solo_games_are_saved_too(tmp_path, ending):
    path = tmp_path / f"mine.{ending}"
    wait = {"wait": [(1, "b", OTHER)], "go": [(1, "end", SAME)]}
    house = compile(Sketch({0: wait, "b": {"go": [(1, "end", SAME)]}, "end": WIN}))
    for table in (house, compile(SoloPig(target=9, turns=3))):
        for name in ("optimal", "random"):
            save_strategy(plan(table, name), path)
            assert load_strategy(path, table).plays_like(plan(table, name))


def test_a_csv_can_be_read_by_people(tmp_path):
    path = tmp_path / "mine.csv"
    save_strategy(plan(TABLE, "hold-at:4"), path)
    first, names, *lines = path.read_text().splitlines()
    told = json.loads(first.removeprefix("# "))
    assert (told["game"], told["parameters"]["target"]) == ("pig", "10")
    assert names == "mine,yours,at_risk,move"
    assert "0,0,4,hold" in lines
    assert len(lines) == TABLE.is_ongoing.sum()


TIED = SoloPig(target=6, die=Die(2), bust=1)  # 2 or nothing: there holding and rolling may tie


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "game",
    [
        TIED,
        Greed(max=6, die=Die(3)),
        DiceBattle(dice=3, target=6),
        DiceBattle(dice=2, target=6, variant="simultaneous"),
        Sketch({0: {"go": [(1, "end", SAME)], "wait": [(1, 0, OTHER)]}, "end": WIN}),
    ],
    ids=str,
)
def test_a_solution_is_written_with_its_values_bounds_and_ties(tmp_path, game, exact):
    solution = solve(game, exact=exact)
    table = solution.table
    for name in ("best.csv", "best.npz"):
        save_strategy(solution, tmp_path / name)
        assert load_strategy(tmp_path / name, table).plays_like(solution.plan)
    first, *rest = (tmp_path / "best.csv").read_text().splitlines()
    told, rows = json.loads(first.removeprefix("# ")), list(csv.DictReader(rest))
    assert told["dicelab"] == dicelab.__version__
    assert told["rules"] == f"{type(game).__module__}:{type(game).__qualname__}"
    assert told["unit"] == solution.unit
    with np.load(tmp_path / "best.npz") as arrays:
        assert json.loads(str(arrays["header"])) == told
        for name in ("value", "lower", "upper"):
            assert arrays[name].tolist() == [float(row[name]) for row in rows]
        lines = arrays["fraction"].tobytes().decode().split("\n") if exact else []
        best = [table.moves[move] for move in table.move[arrays["best"]]]
    every = list(table.each(np.flatnonzero(table.is_ongoing)))
    for at, row in zip(every, rows, strict=True):
        lower, upper = solution.bounds_at(at)
        assert float(row["value"]) == float(solution.value_at(at))
        assert float(row["lower"]) <= lower <= upper <= float(row["upper"])
        tied = sorted(solution.best_moves(at), key=table.moves.index)
        assert row["ties"] == ("|".join(tied) if len(tied) > 1 else "")
        assert [best.pop(0) for _ in tied] == tied
        if exact:
            assert Fraction(row["fraction"]) == Fraction(lines.pop(0)) == solution.value_at(at)
    assert best == lines == []


def test_files_of_the_first_version_are_still_read(tmp_path):
    # what dicelab 0.1.0 wrote for: dicelab solve piglet target=2 --out old.csv, and old.npz
    told = (
        '{"format": "dicelab strategy 1", "game": "piglet", "parameters": {"target": "2", "die": '
        '"0:1/2,1:1/2", "bust": "0", "dice": "1", "passing": "no"}, "strategy": "optimal", '
        '"positions": 10}'
    )
    rows = ["1,1,0", "1,0,0", "0,1,1", "0,1,0", "0,0,1", "0,0,0"]
    table = compile(Piglet(target=2))
    lines = [f"# {told}", "mine,yours,at_risk,move", *(f"{row},roll" for row in rows)]
    (tmp_path / "old.csv").write_text("\n".join(lines) + "\n")
    np.savez(tmp_path / "old.npz", header=told, move=np.array([255] * 4 + [0] * 6, np.uint8))
    for name in ("old.csv", "old.npz"):
        assert load_strategy(tmp_path / name, table).plays_like(plan(table, "optimal"))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Pig(target=11), "is a strategy for pig target=10: it cannot play pig target=11"),
        (
            Pig(target=10, passing=True),
            "is a strategy for pig passing=no: it cannot play pig passing=yes",
        ),
        (SoloPig(target=10), "is a strategy for pig: it cannot play solo-pig"),
    ],
)
def test_a_strategy_for_another_game_is_refused_by_name(tmp_path, ending, other, message):
    path = tmp_path / f"mine.{ending}"
    save_strategy(plan(TABLE, "hold-at:4"), path)
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, compile(other))
    assert str(refused.value) == f"{str(path)!r} {message}"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["hold-at:4", "random"])
def test_a_file_cut_short_anywhere_is_refused_or_whole(tmp_path, ending, name):
    path = tmp_path / f"mine.{ending}"
    made = plan(TABLE, name)
    save_strategy(made, path)
    content = path.read_bytes()
    for length in {*range(0, len(content), 1 + len(content) // 97), len(content) - 1}:
        path.write_bytes(content[:length])
        try:
            read = load_strategy(path, TABLE)
        except WrongTable as refused:
            assert repr(str(path)) in str(refused)  # noqa: PT017 - both ends are right ones
        else:
            assert read.plays_like(made)  # only the last line break was missing
            assert length == len(content) - 1


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["hold-at:4", "random"])
def test_a_flipped_bit_is_refused_or_harmless(tmp_path, ending, name):
    path = tmp_path / f"mine.{ending}"
    made = plan(TABLE, name)
    save_strategy(made, path)
    content = path.read_bytes()
    rng = np.random.default_rng(2004)
    refusals = 0
    for place, bit in zip(rng.integers(0, len(content), 150), rng.integers(0, 8, 150), strict=True):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(bit)
        path.write_bytes(bytes(damaged))
        try:
            assert load_strategy(path, TABLE).plays_like(made)
        except WrongTable:
            refusals += 1
    assert refusals > 50


def test_files_that_are_no_strategies_are_refused_by_name(tmp_path):
    path = tmp_path / "mine.csv"

    def refusal(content):
        path.write_bytes(content)
        with pytest.raises(WrongTable) as refused:
            load_strategy(path, TABLE)
        return str(refused.value).removeprefix(repr(str(path)))

    plain = " is not a strategy file: its first line is not 'dicelab strategy 1'"
    assert refusal(b"") == plain
    assert refusal(b"mine,yours\n1,2\n") == plain
    assert refusal(b"[1, 2]\n") == plain
    assert refusal(b"PK\x03\x04").startswith(" is not a complete strategy file: BadZipFile: ")
    assert refusal(b"\xff\xfe").startswith(" is not a complete strategy file: UnicodeDecodeError: ")


def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path):
    for path, reason in (
        (tmp_path / "none.csv", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(WrongTable) as refused:
            plan(TABLE, f"file:{path}")
        assert str(refused.value) == f"cannot read the strategy file {str(path)!r}: {reason}"


def test_lines_that_are_missing_or_too_short_are_told(tmp_path):
    path = tmp_path / "mine.csv"
    save_strategy(plan(TABLE, "hold-at:4"), path)
    lines = path.read_text().splitlines(keepends=True)
    gone = next(i for i, line in enumerate(lines) if line.startswith("0,0,0,"))
    path.write_text("".join(lines[:gone] + lines[gone + 1 :]))
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, TABLE)
    assert str(refused.value) == f"{str(path)!r} has no line for 0-0 +0: it is not complete"
    path.write_text("".join([*lines[:2], "1,2,3\n", *lines[2:]]))
    with pytest.raises(WrongTable) as refused:
        load_strategy(path, TABLE)
    assert str(refused.value) == f"{str(path)!r} line 3 has 3 columns, not 4"


# Whole files or none


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, trouble):
    path = tmp_path / "mine.csv"
    path.write_text("old")

    def interrupted():
        with written_whole(path) as file:
            file.write("half of the new")
            raise trouble

    with pytest.raises(trouble):
        interrupted()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["mine.csv"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "mine.npz"
    save_strategy(plan(TABLE, "hold-at:4"), path)
    old = path.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        save_strategy(plan(TABLE, "hold-at:5"), path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["mine.npz"]


def test_a_write_makes_no_folder(tmp_path):
    with pytest.raises(FileNotFoundError), written_whole(tmp_path / "new" / "file.txt") as file:
        file.write("whole")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("game", [Perch(), Barrel()], ids=["arrays", "house rules"])
@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_what_is_taken_after_throws_is_written_and_read_back(game, ending, tmp_path):
    table = compile(game)
    for number, saved in enumerate([solve(table, exact=True), plan(table, "random")]):
        path = tmp_path / f"{number}.{ending}"
        save_strategy(saved, path)
        played = getattr(saved, "plan", saved)
        read = load_strategy(path, table)
        assert read.plays_like(played)
        known, again = (evaluate(table, each, "random", exact=True) for each in (played, read))
        assert again.a_first == known.a_first


def test_a_moment_after_a_throw_has_a_line_of_its_own(tmp_path):
    save_strategy(solve(Perch(), exact=True), tmp_path / "perch.csv")
    names = (tmp_path / "perch.csv").read_text().splitlines()[1].split(",")
    assert names[: names.index("move") + 1] == ["mine", "yours", "risk", "threw", "move"]
