"""Long work of the lab is done in a process of its own: what happens where that one ends."""

import os
import signal
import time
from pathlib import Path

import pytest

import dicelab
from dicelab.verbs import solve as solving
from lab_rooms import LabProcess, Visitor, best, free_port, whole_lab


def child_of(pid):
    """Return the process that works for another one; None where there is none."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "stat").read_text().rpartition(")")[2].split()
            works = b"worker_process" in (place / "cmdline").read_bytes()
        except OSError:  # it ended meanwhile
            continue
        if int(told[1]) == pid and works and told[0] != "Z":
            return int(place.name)
    return None


def worker_of(app):
    return app.state.lab.solving.worker.pid


def until(condition):
    """Return whether a condition holds within twenty seconds."""
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def is_there(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def app(tmp_path):
    with whole_lab(tmp_path, seed=1) as app:
        yield app


def test_nothing_is_solved_in_the_process_that_answers(app, monkeypatch):
    def refused(*_, **__):
        raise AssertionError("this process answers, and solves nothing")

    monkeypatch.setattr("dicelab.lab.solving.solve", refused)
    match = Visitor(app).begin("pig", "hold-at:4", parameters={"target": 12}, starts="me")
    assert match["coach"]["value"] == solving.solve(dicelab.game("pig", target=12)).value


def test_after_the_other_process_was_killed_the_next_game_is_solved_all_the_same(app):
    ann = Visitor(app)
    match = ann.begin("pig", parameters={"target": 12}, starts="me")
    killed = worker_of(app)
    os.kill(killed, signal.SIGKILL)
    assert until(lambda: worker_of(app) != killed)
    ann.move(match, best(match))  # what is solved is here
    other = ann.begin("piglet", parameters={"target": 3}, starts="me")
    assert other["coach"]["value"] == dicelab.solve(dicelab.game("piglet", target=3)).value


def test_killed_at_work_it_is_told_in_a_sentence_and_what_is_solved_stays(app):
    ann = Visitor(app)
    match = ann.begin("pig", parameters={"target": 12}, starts="me")
    body = {"game": "pig", "parameters": {"target": 150}, "opponent": {"kind": "optimal"}}
    ann.ask("POST", "/api/matches?wait=0", 202, json={**body, "coach": "on"})
    assert until(lambda: app.state.lab.shelf.is_working)
    os.kill(worker_of(app), signal.SIGKILL)
    told = ann.refused("POST", "/api/matches?wait=60", 503, json={**body, "coach": "on"})
    assert told.startswith("the process that works for this one was ended from outside")
    assert ann.move(match, best(match))["ply"] > 0


@pytest.mark.parametrize("sig", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_the_lab_however_that_ends(tmp_path, sig):
    lab = LabProcess(tmp_path / "lab.db", free_port())
    worker = child_of(lab.process.pid)
    lab.process.send_signal(sig)
    lab.process.wait()
    lab.process.stdout.close()
    assert until(lambda: not is_there(worker))
