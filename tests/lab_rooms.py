"""A lab for tests: the real application on a file of its own, and players in it."""

import asyncio
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

import httpx2

from dicelab.cli.lab import listen
from dicelab.core.worker_process import Unsendable
from dicelab.lab.app import create
from dicelab.lab.container import Settings
from dicelab.lab.server import Server

ADDRESS = "http://127.0.0.1"
FAST = {"rate": 1e9, "burst": 1e9}  # tests ask faster than people


def open_lab(folder, **settings):
    """Return the application of a lab whose file is in a folder."""
    return create(Settings(folder / "lab.db", **{**FAST, "memory": 10**9, **settings}))


@contextlib.contextmanager
def whole_lab(folder, sends_all=True, **settings):
    """A lab as it runs at the terminal: what takes long is done in a process of its own.

    `sends_all`: all of it is. The other process cannot import games that a test defines.
    """
    app, unsent = open_lab(folder, apart=True, **settings), []
    worker = app.state.lab.solving.worker
    call = worker.call

    def noted(function, *arguments, report):
        try:
            return call(function, *arguments, report=report)
        except Unsendable as trouble:
            unsent.append((function.__name__, str(trouble)))
            raise

    worker.call = noted
    yield app
    app.state.lab.solving.close()
    assert not (sends_all and unsent)
    assert sends_all or unsent


loop = asyncio.new_event_loop()


class InProcess(httpx2.BaseTransport):
    """Asks the application in the thread that asks, on a loop that the main thread keeps.

    The framework's own client for tests starts a thread and a loop for every request, which takes
    longer than most answers.
    """

    def __init__(self, app):
        self.app = httpx2.ASGITransport(app, client=("testclient", 50000))

    def handle_request(self, request):
        request.stream = httpx2.ByteStream(request.read())
        is_main = threading.current_thread() is threading.main_thread()
        return (loop.run_until_complete if is_main else asyncio.run)(self._ask(request))

    async def _ask(self, request):
        answer = await self.app.handle_async_request(request)
        body = b"".join([part async for part in answer.stream])
        return httpx2.Response(answer.status_code, headers=answer.headers, content=body)


def client_of(app, address=ADDRESS):
    """Return a client of an application, which runs in this process."""
    return httpx2.Client(
        transport=InProcess(app), base_url=address, follow_redirects=True, timeout=None
    )


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
        self.client = client_of(self.app)
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
