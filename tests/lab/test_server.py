"""The server of the lab: it ends when it is told to, and nobody shuts the others out."""

import contextlib
import http.client
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest

from dicelab.lab import server as serving
from lab_rooms import LabProcess, free_port, open_lab, served

LARGE = {
    "game": "dice-battle",
    "parameters": {"target": 400, "dice": 20, "variant": "simultaneous"},
}
"""A game that takes a minute to solve, and not much memory."""


def working(folder):
    """Return a lab in a process of its own that is busy solving a game."""
    process = LabProcess(folder / "lab.db", free_port())
    _, joined = process.ask("POST", "/api/players")
    status, told = process.ask("POST", "/api/matches?wait=0", LARGE, joined["token"])
    assert status == 202
    assert told["job"]["what"].startswith("solving dice-battle")
    return process


@pytest.mark.parametrize(("sig", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_ends_the_lab_while_it_solves_a_game(tmp_path, sig, code):
    lab = working(tmp_path)
    os.kill(lab.process.pid, sig)
    output, _ = lab.process.communicate(timeout=20)  # the game takes far longer
    assert lab.process.returncode == code
    assert "Traceback" not in output
    last = "interrupted" if sig == signal.SIGINT else "demonstrations only"
    assert output.rstrip().endswith(last)


INTERRUPTED_IN_BEGINNING = """
import os, signal, sys
from dicelab.lab.solution_cache import Shelf

usual = Shelf.__init__

def init(shelf, budget):
    usual(shelf, budget)
    shelf._numbers = iter(lambda: os.kill(os.getpid(), signal.SIGINT) or 1, None)

Shelf.__init__ = init
from dicelab_command import main
sys.argv = ["dicelab", "lab", "--no-browser", *sys.argv[1:]]
main()
"""
"""A lab to which Ctrl-C comes while it is taking up its first work."""


def test_ctrl_c_during_the_start_ends_it_as_at_any_other_time(tmp_path):
    options = ["--data", str(tmp_path / "lab.db"), "--port", str(free_port())]
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IN_BEGINNING, *options],
        capture_output=True,
        text=True,
        timeout=150,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (run.returncode, run.stderr) == (130, "interrupted\n")


def test_a_second_ctrl_c_ends_it_without_a_traceback(tmp_path):
    lab = working(tmp_path)
    os.kill(lab.process.pid, signal.SIGINT)
    time.sleep(0.05)
    with contextlib.suppress(ProcessLookupError):
        os.kill(lab.process.pid, signal.SIGINT)
    output, _ = lab.process.communicate(timeout=10)
    assert lab.process.returncode == 130
    assert output.endswith("interrupted\n")
    assert "Traceback" not in output


def test_a_lab_at_rest_ends_as_before(tmp_path):
    lab = LabProcess(tmp_path / "lab.db", free_port())
    os.kill(lab.process.pid, signal.SIGINT)
    output, _ = lab.process.communicate(timeout=10)
    assert lab.process.returncode == 130
    assert output.endswith("interrupted\n")


# Connections.


@contextlib.contextmanager
def silent(address, count):
    """Open connections that begin a request and never end it."""
    place = urlsplit(address)
    made = []
    try:
        for _ in range(count):
            made.append(socket.create_connection((place.hostname, place.port), timeout=20))
            made[-1].sendall(b"GET /api/status HTTP/1.1\r\nHost: 127")
        yield made
    finally:
        for one in made:
            one.close()


def is_closed(connection):
    """Return whether the other side has ended a connection."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def status(address):
    """Return the status of an answer over a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    try:
        connection.request("GET", "/api/status")
        return connection.getresponse().status
    finally:
        connection.close()


def test_half_open_connections_shut_nobody_out(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(serving, "most_connections", lambda: 20)
    with served(open_lab(tmp_path)) as address, silent(address, 60) as made:
        assert [status(address) for _ in range(5)] == [200] * 5
        assert is_closed(made[0])  # the one that was silent for longest had to go
    assert caplog.text == ""


def test_so_many_connections_that_files_run_out_are_not_even_logged(tmp_path):
    lab = LabProcess(tmp_path / "lab.db", free_port(), files=512)
    with silent(lab.address, 700):
        assert lab.ask("GET", "/api/status")[0] == 200
    os.kill(lab.process.pid, signal.SIGINT)
    output, _ = lab.process.communicate(timeout=20)
    assert output.splitlines()[2:] == ["interrupted"]


def test_who_does_not_say_what_they_want_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "ASKING_SECONDS", 0.5)
    with served(open_lab(tmp_path)) as address, silent(address, 1) as (one,):
        one.sendall(b".0.0.1\r\n")  # some more of it, but not the end
        assert is_closed(one)
        assert status(address) == 200


def test_a_request_in_pieces_is_answered_all_the_same(tmp_path):
    with served(open_lab(tmp_path)) as address, silent(address, 1) as (one,):
        time.sleep(0.1)
        one.sendall(b".0.0.1\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 200")


def test_there_are_fewer_connections_than_files_may_be_open():
    code = (
        "import resource\n"
        "from dicelab.lab.server import most_connections\n"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "for files in (1024, 100):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))\n"
        "    print(most_connections())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["724", "16"]


def test_a_log_is_not_filled_by_whoever_asks_nonsense(caplog):
    logger = logging.getLogger("sparing")
    logger.addFilter(serving.Sparing())
    for number in range(1000):
        logger.warning("nonsense %d", number)
    assert len(caplog.messages) == serving.MOST_LINES == 20
    assert caplog.messages[-1] == "nonsense 19 (more in this minute is left out)"


@pytest.mark.parametrize(("proxy", "joined"), [(None, 429), ("127.0.0.1", 201)])
def test_only_a_proxy_that_was_named_is_believed_about_who_asks(tmp_path, proxy, joined):
    lab = open_lab(tmp_path, rate=0.01, burst=0.5)  # ten requests of one machine
    with served(lab, proxy) as address:
        for number in range(12):
            connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
            connection.request(
                "POST", "/api/players", headers={"x-forwarded-for": f"10.0.0.{number}"}
            )
            last = connection.getresponse().status
            connection.close()
    assert last == joined
