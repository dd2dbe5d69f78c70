"""Many people at the lab at once: how long does a move take?

Starts a lab of its own, seats simulated players at it, and lets each play match after match of Pig
against a strategy with the coach on, thinking for a while before every move as people do. Prints
the median, the 95th and the 99th percentile of how long a move took, from sending it to having read
the answer. Every move is on the disk before it is answered. It begins when the lab has solved the
games that it solves at its launch.

    python benchmarks/lab_load.py
    python benchmarks/lab_load.py --players 50 --seconds 20 --think 1.0 --target 100

With `--think 0` nobody thinks: that measures how many moves a second the lab can take at most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_MS = 100.0


class Connection:
    """A connection that is kept open, as a browser's is."""

    def __init__(self, port: int) -> None:
        self.port, self.token = port, ""
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict]:
        """Return the status and the document of an answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        data = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
        head += [f"Content-Length: {len(data)}"]
        head += [f"Authorization: Bearer {self.token}"] if self.token else []
        writer.write("\r\n".join([*head, "", ""]).encode() + data)
        status = int((await reader.readline()).split()[1])
        length = 0
        while (line := await reader.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return status, json.loads(await reader.readexactly(length))


async def person(port: int, until: float, think: float, target: int, took: list[float]) -> None:
    """Play until the time is up, and note how long every move took."""
    rng = random.Random(id(took) + len(took) + port + int(time.time_ns()))
    there = Connection(port)
    there.token = (await there.ask("POST", "/api/players"))[1]["token"]
    body = {
        "game": "pig",
        "parameters": {"target": target},
        "opponent": {"kind": "strategy", "name": "hold-at:20"},
        "starts": "coin",
        "coach": "on",
    }
    await asyncio.sleep(rng.random() * max(think, 0.2))
    while time.monotonic() < until:
        status, match = await there.ask("POST", "/api/matches?wait=60", body)
        assert status == 201, match
        while not match["over"] and time.monotonic() < until:
            await asyncio.sleep(think * (0.5 + rng.random()))
            best = match["coach"]["moves"][0]["move"]
            began = time.perf_counter()
            status, match = await there.ask(
                "POST", f"/api/matches/{match['id']}/moves", {"move": best, "ply": match["ply"]}
            )
            took.append(time.perf_counter() - began)
            assert status == 200, match


async def crowd(port: int, asked: argparse.Namespace) -> list[float]:
    """Return how long every move of everybody took."""
    first = Connection(port)
    while True:
        try:
            await first.ask("GET", "/api/status")
            break
        except (ConnectionError, OSError):
            await asyncio.sleep(0.1)
    while (await first.ask("GET", "/api/status"))[1]["working"]:  # the games solved at launch
        await asyncio.sleep(0.2)
    first.token = (await first.ask("POST", "/api/players"))[1]["token"]
    parameters = {"game": "pig", "parameters": {"target": asked.target}}
    await first.ask("POST", "/api/matches?wait=60", parameters)  # solved once, for everybody
    took: list[float] = []
    until = time.monotonic() + asked.seconds
    await asyncio.gather(
        *(person(port, until, asked.think, asked.target, took) for _ in range(asked.players))
    )
    return took


def main(arguments: list[str] | None = None) -> bool:
    """Print how long moves took, and return whether the 95th percentile is within the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before a move")
    parser.add_argument("--target", type=int, default=100)
    asked = parser.parse_args(arguments)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = ["lab", "--no-browser", "--port", str(port)]
        command += ["--data", str(Path(folder) / "lab.db")]
        server = subprocess.Popen(
            [sys.executable, "-m", "dicelab", *command], stdout=subprocess.DEVNULL
        )
        try:
            took = asyncio.run(crowd(port, asked))
        finally:
            server.terminate()
            server.wait()
    took.sort()
    ms = [1000 * seconds for seconds in took]
    median, late = statistics.median(ms), ms[int(0.95 * (len(ms) - 1))]
    print(
        f"{asked.players} players, pig target={asked.target}, {asked.think:g} s to think: "
        f"{len(ms)} moves in {asked.seconds:g} s ({len(ms) / asked.seconds:.0f} a second)"
    )
    print(
        f"a move took {median:.1f} ms (median), {late:.1f} ms (95th percentile), "
        f"{ms[int(0.99 * (len(ms) - 1))]:.1f} ms (99th), {ms[-1]:.1f} ms at most"
    )
    return late < LIMIT_MS


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
