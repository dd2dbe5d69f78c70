"""House rules asked by several processes give the very table that one process makes."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from dicelab import OTHER, HouseRules, compile
from dicelab.core.workers import starting
from dicelab.errors import RulesError, TooLarge
from dicelab.table import expand_house, shared_asking
from dicelab.table.met import Met
from house_games import Hog, Ur
from strange_games import Barrel, Heap


@pytest.fixture
def shared(monkeypatch):
    """Share the asking from the first positions on, and count the processes that were started."""
    started = []
    enter = shared_asking.SharedAsking.__enter__
    monkeypatch.setattr(shared_asking, "helpers", lambda: 3)
    for name, value in {"ALONE": 0, "WORTH_SHARING": 0, "WAITING": 2}.items():
        monkeypatch.setattr(expand_house, name, value)
    monkeypatch.setattr(shared_asking, "PART", 5)

    def counted(self):
        started.append(self.count)
        return enter(self)

    monkeypatch.setattr(shared_asking.SharedAsking, "__enter__", counted)
    return started


def alike(one, two):
    names = ("target", "kind", "move", "move_first", "outcome_first", "result")
    assert (one.moves, one.chances, one.gains) == (two.moves, two.chances, two.gains)
    assert all((getattr(one, name) == getattr(two, name)).all() for name in names)
    assert [one.position(n) for n in range(len(one))] == [two.position(n) for n in range(len(two))]


@pytest.mark.parametrize("game", [Hog(dice=3, target=12), Ur(1), Heap(9), Barrel(30)], ids=str)
def test_the_table_is_the_same_to_the_last_bit(game, shared, monkeypatch):
    together = compile(game)
    assert shared == [3]
    monkeypatch.setattr(shared_asking, "helpers", lambda: 1)
    alike(together, compile(game))
    assert shared == [3]


@dataclass(frozen=True)
class Broken(HouseRules):
    """Counts up to 900 in steps of a die, and fails on the way."""

    name = "broken"

    def start(self):
        return 0

    def choices(self, at):
        return ["step"]

    def outcomes(self, at, move):
        for face in range(1, 7):
            yield "1/6", at + face if at != 500 else [at], OTHER

    def result(self, at):
        return 0 if at < 900 else 1


def test_what_is_wrong_in_the_rules_is_told_as_by_one_process(shared, monkeypatch):
    said = []
    for count in (3, 1):
        monkeypatch.setattr(shared_asking, "helpers", lambda count=count: count)
        with pytest.raises(RulesError) as refused:
            compile(Broken())
        said.append(str(refused.value))
    assert shared == [3]
    assert said[0] == said[1]
    assert "at 500" in said[0]


def test_where_the_copies_would_not_fit_one_process_goes_on_alone(shared, monkeypatch):
    game = Hog(dice=3, target=40)
    table = compile(game)
    needed = Met(game)
    for at in needed.positions:
        needed.expand(at)
    alike(table, compile(game, memory=needed.needed + needed.copied))
    with pytest.raises(TooLarge):
        compile(game, memory=needed.needed // 2)


def test_a_process_that_works_for_another_starts_none():
    with starting():
        assert shared_asking.helpers() == 1
    assert shared_asking.helpers() == len(os.sched_getaffinity(0))


@pytest.mark.slow
def test_no_process_outlives_one_that_is_killed(tmp_path):
    source = os.path.dirname(__file__) + "/.."
    code = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        "from dicelab.table import expand_house, shared_asking\n"
        "shared_asking.helpers = lambda: 3\n"
        "expand_house.WORTH_SHARING = 0\n"  # however fast this machine is
        "from dicelab import compile\nfrom house_games import Ur\ncompile(Ur(4))\n"
    )
    running = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    deadline = time.monotonic() + 60
    while len(members(running.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(members(running.pid)) == 4
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    while members(running.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert members(running.pid) == []


def members(group):
    """Return the processes of a session that are alive."""
    found = subprocess.run(["ps", "-o", "pid=", "-s", str(group)], capture_output=True, text=True)
    return found.stdout.split()
