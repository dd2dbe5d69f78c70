"""A lab for tests: the real application on a file of its own, and players in it."""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from functools import partial

from fastapi.testclient import TestClient

from dicelab.cli.lab import listen
from dicelab.lab.app import create
from dicelab.lab.container import Settings
from dicelab.lab.server import Server

ADDRESS = "http://127.0.0.1"
FAST = {"rate": 1e9, "burst": 1e9}  # tests ask faster than people


def open_lab(folder, **settings):
    """Return the application of a lab whose file is in a folder."""
    return create(Settings(folder / "lab.db", **{**FAST, "memory": 10**9, **settings}))


@contextlib.contextmanager
def served(app, proxy=None):
    """Serve an application on a port of its own, and give its address."""
    listening = listen("127.0.0.1", 0)
    server = Server(app, proxy)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()


@dataclass
class Visitor:
    """Someone at the lab, with a token of their own."""

    app: object
    headers: dict = field(default_factory=dict)

    def __post_init__(self):
        self.client = TestClient(self.app, base_url=ADDRESS)
        if not self.headers:
            token = self.client.post("/api/players").json()["token"]
            self.headers = {"authorization": f"Bearer {token}"}

    def ask(self, method, path, status=200, **more):
        """Return the answer of the lab, which must have this status."""
        headers = {**self.headers, **more.pop("headers", {})}
        answer = self.client.request(method, path, headers=headers, **more)
        while (
            answer.status_code == 202 != status
        ):  # a kernel is compiled, where this is its first use
            answer = self.client.request(method, path, headers=headers, **more)
        assert answer.status_code == status, answer.text
        return answer

    def get(self, path, status=200, **params):
        return self.ask("GET", path, status, params=params).json()

    def post(self, path, body=None, status=200):
        return self.ask("POST", path, status, json=body).json()

    def refused(self, method, path, status, **more):
        """Return the sentence of a refusal."""
        return self.ask(method, path, status, **more).json()["error"]["message"]

    def begin(self, game, opponent="optimal", **more):
        """Return a new match."""
        if isinstance(opponent, str):
            opponent = {"kind": "strategy", "name": opponent}
        body = {"game": game, "opponent": opponent, **more}
        return self.post("/api/matches?wait=60", body, 201)

    def move(self, match, move, **more):
        """Return a match after a move."""
        body = {"move": move, "ply": match["ply"], **more}
        return self.post(f"/api/matches/{match['id']}/moves", body)

    def finish(self, match, pick):
        """Return every document of a match that is played to its end, the first included."""
        seen = [match]
        while not seen[-1]["over"]:
            seen.append(self.move(seen[-1], pick(seen[-1])))
        return seen


def best(match):
    """Return the move the coach likes best."""
    return match["coach"]["moves"][0]["move"]


def worst(match):
    """Return the move the coach likes least."""
    return match["coach"]["moves"][-1]["move"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LabProcess:
    """A lab in a process of its own."""

    def __init__(self, data, port, files=None, games=(), folder=None):
        self.address = f"http://127.0.0.1:{port}"
        options = ["--data", str(data), "--port", str(port), "--seed", "3"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dicelab", "lab", *games, "--no-browser", *options],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=files
            and partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files)),
        )
        deadline = time.monotonic() + 150
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
            with urllib.request.urlopen(asked, timeout=150) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def kill(self):
        """End the process as no program can prepare for."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
