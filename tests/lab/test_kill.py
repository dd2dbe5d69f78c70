"""Kill the lab in the middle of a game, start it again, and go on: nothing is lost."""

import socket
import subprocess
import sys

import pytest

from lab_rooms import LabProcess, free_port


@pytest.fixture
def data(tmp_path):
    return tmp_path / "lab.db"


def test_after_kill_9_every_answered_decision_is_there_and_the_game_goes_on(data):
    port = free_port()
    server = LabProcess(data, port)
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
                server = LabProcess(data, port)
                status, again = server.ask("GET", path, None, token)
                assert status == 200
                assert again["events"] == told  # every throw that was ever answered, in order
                assert again["position"] == match["position"]
                # what it is worth against this opponent may have been worked out meanwhile
                assert {**again["coach"], "against": 0} == {**match["coach"], "against": 0}
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
