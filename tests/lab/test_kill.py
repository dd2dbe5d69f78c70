"""Kill the lab in the middle of a game, start it again, and go on: nothing is lost."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A lab in a process of its own."""

    def __init__(self, data, port):
        self.address = f"http://127.0.0.1:{port}"
        options = ["--data", str(data), "--port", str(port), "--seed", "3"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dicelab", "lab", "--no-browser", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                self.ask("GET", "/api/status")
                return
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None, self.process.stdout.read()
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def ask(self, method, path, body=None, token=None):
        """Return the status and the document of an answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        asked = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def kill(self):
        """End the process as no program can prepare for."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def data(tmp_path):
    return tmp_path / "lab.db"


def test_after_kill_9_every_answered_decision_is_there_and_the_game_goes_on(data):
    port = free_port()
    server = Server(data, port)
    try:
        token = server.ask("POST", "/api/players")[1]["token"]
        body = {"game": "pig", "parameters": {"target": 30}, "starts": "coin"}
        body["opponent"] = {"kind": "strategy", "name": "hold-at:9"}
        status, match = server.ask("POST", "/api/matches", body, token)
        assert status == 201
        path = f"/api/matches/{match['id']}"
        told = list(match["events"])
        kills = 0
        while not match["over"]:
            risk = match["position"]["fields"]["at_risk"]
            move = {"move": "hold" if risk >= 8 else "roll", "ply": match["ply"]}
            status, match = server.ask("POST", path + "/moves", move, token)
            assert status == 200
            told += match["events"]
            if kills < 2 and not match["over"]:
                kills += 1
                server.kill()
                server = Server(data, port)
                status, again = server.ask("GET", path, None, token)
                assert status == 200
                assert again["events"] == told  # every throw that was ever answered, in order
                assert again["position"] == match["position"]
                assert again["coach"] == match["coach"]
                # the last move, sent once more as a page would that lost the answer
                status, late = server.ask("POST", path + "/moves", move, token)
                assert (status, late["match"]["ply"]) == (409, match["ply"])
        assert kills == 2
        status, review = server.ask("GET", f"/api/reviews/{match['id']}")
        assert status == 200
        assert len(review["curve"]) == 1 + len(told) - 1  # the start; the coin is no decision
    finally:
        server.kill()


def test_a_taken_port_is_told_in_a_sentence(data):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = ["lab", "--no-browser", "--port", str(port), "--data", str(data)]
        done = subprocess.run(
            [sys.executable, "-m", "dicelab", *command], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr == (
        f"DicelabError: cannot listen on 127.0.0.1:{port}: address already in use; another lab "
        f"may be running there, or try --port {port + 1}\n"
    )
