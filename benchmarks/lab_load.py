"""Many people at the lab at once: how long do they wait?

Starts a lab of its own and seats simulated players at it. Each plays match after match of the games
on the first page, by their usual rules, against the opponent that a tap gives, with the coach on,
and thinks for a while before every move as people do. Between moves they do what else people do:
ask why, look at a review and at their history, set a position, drill, show a friend who watches.
Prints the median, the 95th and the 99th percentile of how long each kind of request took, from
sending it to having read the answer. Every move is on the disk before it is answered. It begins
when the lab has solved the games that it solves at its launch.

    python benchmarks/lab_load.py
    python benchmarks/lab_load.py --players 50 --seconds 20 --think 1.0
    python benchmarks/lab_load.py --only pig target=100

With `--only` everybody plays one game and does nothing else. With `--think 0` nobody thinks: that
measures how many moves a second the lab can take at most.
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
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

LIMIT_MS = 100.0
BESIDE = 0.25
"""How often something else is done before a move."""
WATCHED = 0.3
"""Seconds for which the lab may wait for something new to show to who watches."""


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
        first = await reader.readline()
        if not first:  # closed while nothing was asked: a browser opens another
            self.streams = None
            writer.close()
            return await self.ask(method, path, body)
        status, length = int(first.split()[1]), 0
        while (line := await reader.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return status, json.loads(await reader.readexactly(length))


@dataclass
class Evening:
    """What everybody shares: the lab, the games, how long it goes on, and how long things took."""

    port: int
    games: list[dict[str, Any]]  # what a tap on each tile sends
    alone: bool  # one game, and nothing beside it
    think: float
    until: float = 0.0
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def is_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until


class Person:
    """Somebody at the lab."""

    def __init__(self, evening: Evening, seed: int) -> None:
        self.evening, self.there = evening, Connection(evening.port)
        self.rng = random.Random(seed)
        self.over: list[dict[str, Any]] = []  # matches that are over

    async def ask(
        self, kind: str, method: str, path: str, body: object = None, patience: float = 0.0
    ) -> dict[str, Any]:
        """Return an answer, its time noted under what kind of request it is.

        `patience` is how long the lab was asked to wait for something: that is no delay.
        """
        began = time.perf_counter()
        status, answer = await self.there.ask(method, path, body)
        if self.evening.until:  # before, they are only arriving
            self.evening.took[kind].append(max(0.0, time.perf_counter() - began - patience))
        assert status in (200, 201), (kind, path, status, answer)
        return answer

    async def arrive(self) -> None:
        """Come in, and play one short match to its end, so that there is something to look at."""
        self.there.token = (await self.ask("arrive", "POST", "/api/players"))["token"]
        short = {"game": "pig", "parameters": {"target": 20}, "coach": "on"}
        short["opponent"] = {"kind": "strategy", "name": "hold-at:6"}
        await self.play(short, think=0.05)

    async def stay(self) -> None:
        """Play until the time is up."""
        await asyncio.sleep(self.rng.random() * max(self.evening.think, 0.2))
        while self.evening.is_on:
            await self.play(self.rng.choice(self.evening.games), self.evening.think)

    async def play(self, game: dict[str, Any], think: float) -> None:
        """Play a match, making the best move, to its end or until the time is up."""
        match = await self.ask("begin", "POST", "/api/matches?wait=60", game)
        while not match["over"] and (self.evening.is_on or not self.evening.until):
            await asyncio.sleep(think * (0.5 + self.rng.random()))
            if not self.evening.alone and self.evening.is_on and self.rng.random() < BESIDE:
                await self.do_something_else(match)
            best = match["coach"]["moves"][0]["move"]
            body = {"move": best, "ply": match["ply"]}
            match = await self.ask("move", "POST", f"/api/matches/{match['id']}/moves", body)
        if match["over"]:
            self.over.append(match)

    async def do_something_else(self, match: dict[str, Any]) -> None:
        """Do one of the things that people do between two moves."""
        past = self.rng.choice(self.over)["id"]
        kind = self.rng.choice(("why", "review", "history", "position", "drill", "watch"))
        if kind == "why":
            await self.ask(kind, "GET", f"/api/matches/{match['id']}/why")
        elif kind == "review":
            await self.ask(kind, "GET", f"/api/reviews/{past}")
        elif kind == "history":
            await self.ask(kind, "GET", "/api/history")
        elif kind == "position":
            await self.ask(kind, "GET", f"/api/positions/{match['game']}?{query(match)}")
        elif kind == "drill":
            card = await self.ask(kind, "GET", "/api/drills/next?game=pig")
            answer = {"card": card["card"], "number": card["number"], "allowed": 10}
            answer |= {"move": card["moves"][0]["move"]}
            await self.ask("drill", "POST", "/api/drills/answers", answer)
        else:
            # As the page asks, which shows what the best reply gets once that is there.
            seen = f"since={match['ply']}&wait={WATCHED}"
            await self.ask(kind, "GET", f"/api/matches/{match['id']}?{seen}", patience=WATCHED)


def query(match: dict[str, Any]) -> str:
    """Return the parameters of a match as those of an address."""
    return urlencode(match["parameters"])


async def crowd(port: int, asked: argparse.Namespace) -> Evening:
    """Return how long everything that everybody did took."""
    first = Connection(port)
    while True:
        try:
            await first.ask("GET", "/api/status")
            break
        except (ConnectionError, OSError):
            await asyncio.sleep(0.1)
    while (await first.ask("GET", "/api/status"))[1]["working"]:  # the games solved at launch
        await asyncio.sleep(0.2)
    games = (await first.ask("GET", "/api/games"))[1]["games"]
    evening = Evening(port, standard(games, asked.only), bool(asked.only), asked.think)
    people = [Person(evening, seed) for seed in range(asked.players)]
    for person in people:
        await person.arrive()
    for game in evening.games:  # solved once, for everybody
        await people[0].ask("begin", "POST", "/api/matches?wait=60", game)
    evening.until = time.monotonic() + asked.seconds
    await asyncio.gather(*(person.stay() for person in people))
    return evening


def standard(games: list[dict[str, Any]], only: list[str]) -> list[dict[str, Any]]:
    """Return what a tap on a tile sends, for each game in front or for the one that is named."""
    name, parameters = (
        (only[0], dict(word.split("=", 1) for word in only[1:])) if only else ("", {})
    )
    found = []
    for game in games:
        if game["name"] == name or (not only and game["front"] and not game["too_large"]):
            rules = parameters if only else game["tile"]["rules"]
            body = {"game": game["name"], "parameters": rules, "coach": "on"}
            if game["people"]:
                opponent = {"kind": "strategy", "name": game["people"][0]["strategy"]}
                body |= {"opponent": opponent, "starts": "coin"}
            found.append(body)
    assert found, f"the lab has no game {name!r}"
    return found


def main(arguments: list[str] | None = None) -> bool:
    """Print how long moves took, and return whether the 95th percentile is within the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before a move")
    parser.add_argument("--only", nargs="+", default=[], metavar="GAME [NAME=VALUE]")
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
            evening = asyncio.run(crowd(port, asked))
        finally:
            server.terminate()
            server.wait()
    what = " ".join(asked.only) or "all games of the first page"
    print(f"{asked.players} players, {what}, {asked.think:g} s to think, for {asked.seconds:g} s")
    print(f"{'ms':8} {'number':>7} {'median':>8} {'95%':>8} {'99%':>8} {'most':>8}")
    late = 0.0
    for kind, took in sorted(evening.took.items(), key=lambda each: -len(each[1])):
        ms = sorted(1000 * seconds for seconds in took)
        each = [statistics.median(ms), *(ms[int(part * (len(ms) - 1))] for part in (0.95, 0.99, 1))]
        late = max(late, each[1])
        print(f"{kind:8} {len(ms):7} " + " ".join(f"{one:8.1f}" for one in each))
    return late < LIMIT_MS


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
