"""A real browser on a real, seeded server: one of each for a whole run."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.person import played, ready, start, visit

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SEED = 7

PATIENCE = 120_000  # ms: a kernel may have to be compiled, and the machine be busy
expect.set_options(timeout=PATIENCE)


class Lab:
    """A lab server as a process of its own, with its own records."""

    def __init__(self, folder: Path, *games: str, port: int = 0) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = port or free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log.txt"
        command = [sys.executable, "-m", "dicelab", "lab", *games, "--no-browser"]
        command += ["--seed", str(SEED), "--data", "lab.db", "--port", str(self.port)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 150
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.get("/api/status")["ok"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"the lab did not start:\n{self.log.read_text()}")

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return json.load(answer)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The address of a lab whose dice are the same in every run."""
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """The browser of this machine."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield started
        started.close()


def newcomer(browser: Browser, lab: Lab, **options: Any) -> Page:
    """Return a page of a player the lab has not seen, whose dice fall at once."""
    size = options.pop("viewport", {"width": 1280, "height": 900})
    context = browser.new_context(
        base_url=lab.address,
        reduced_motion="reduce",
        viewport=size,
        **{"service_workers": "block", **options},  # one keeps what a test may want to take away
    )
    context.add_init_script("localStorage.setItem('dicelab-pace', 'instant')")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


@pytest.fixture(scope="session")
def regular(browser: Browser, lab: Lab) -> Page:
    """The page of somebody who stays all day."""
    page = newcomer(browser, lab)
    page.goto("/study")
    ready(page)
    return page


@pytest.fixture
def open_page(browser: Browser, lab: Lab, regular: Page) -> Iterator[Any]:
    """What opens a view, for the regular or for a newcomer; an error in a page fails the test."""
    opened: list[Page] = []
    wrong: list[str] = []

    def hear(error: Any) -> None:
        wrong.append(str(error))

    def refused(message: Any) -> None:
        if "Content Security Policy" in message.text:
            wrong.append(message.text)

    def open_it(path: str = "/play", new: bool = False, **options: Any) -> Page:
        page = newcomer(browser, lab, **options) if new or options else regular
        page.on("pageerror", hear)
        page.on("console", refused)
        opened.append(page)
        if page is regular:
            page.evaluate("localStorage.removeItem('dicelab-last-game')")
            visit(page, path)
        else:
            page.goto(path)
            ready(page)
        return page

    yield open_it
    for page in opened:
        page.remove_listener("pageerror", hear)
        page.remove_listener("console", refused)
        if page is not regular:
            page.context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def places(regular: Page) -> list[str]:
    """Every view there is, with games under way and one to review, for the regular."""

    def begun(name: str, **rules: Any) -> str:
        visit(regular, "/play")
        return f"/play/{start(regular, name, coach='on', **rules)['id']}"

    return [
        "/play",
        begun("two-dice-pig", opponent="optimal", starts="me", target=20),
        begun("dice-battle", opponent="optimal", starts="me", dice=4, target=15),
        begun("421-round"),
        f"/review/{played(regular)}",
        "/history",
        "/train",
        "/daily",
        "/explore?game=pig&target=20",
        "/explore?game=greed&max=10&die=3",
        "/explore?game=421-round",
        "/versus?game=pig&target=20",
        "/study",
        "/admin",
    ]
