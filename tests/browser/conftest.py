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
from browser.person import ready
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

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


class Lab:
    """A lab server as a process of its own, with its own records."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log.txt"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dicelab", "lab", "--seed", str(SEED), "--no-browser"]
                + ["--data", str(folder / "lab.db"), "--port", str(self.port)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 60
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


@pytest.fixture(scope="session")
def regular(browser: Browser, lab: Lab) -> BrowserContext:
    """Somebody at a desk who comes often, so that the browser knows the page's files."""
    return newcomer(browser, lab)


def newcomer(browser: Browser, lab: Lab, **options: Any) -> BrowserContext:
    """Return a player the lab has not seen, whose dice fall at once."""
    size = options.pop("viewport", {"width": 1280, "height": 900})
    context = browser.new_context(
        base_url=lab.address, reduced_motion="reduce", viewport=size, **options
    )
    context.add_init_script(
        "localStorage.setItem('dicelab-pace', 'instant'); localStorage.removeItem('dicelab-last-game')"
    )
    return context


@pytest.fixture
def open_page(browser: Browser, lab: Lab, regular: BrowserContext) -> Iterator[Any]:
    """What opens a page, as the regular or as a newcomer; an error in a page fails the test."""
    opened: list[Page] = []
    wrong: list[str] = []

    def open_it(path: str = "/play", new: bool = False, **options: Any) -> Page:
        context = newcomer(browser, lab, **options) if new or options else regular
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path)
        ready(page)
        opened.append(page)
        return page

    yield open_it
    for page in opened:
        page.close() if page.context is regular else page.context.close()
    assert wrong == []
