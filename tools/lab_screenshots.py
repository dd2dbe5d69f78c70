"""Take the pictures of the lab in the docs, from the real page on a real server.

python tools/lab_screenshots.py              writes docs/images/lab-*.png
python tools/lab_screenshots.py --all DIR    every view, wide and narrow, light and dark

The dice are seeded and the play is a rule, so the pictures show the same games every time. It needs
Chromium (from the distribution, or named in DICELAB_CHROMIUM) and what `make setup-dev` installs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
FORMS = ROOT / "docs" / "data" / "forms.csv"
SEED = 11
WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Run a seeded lab; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dicelab", "lab", "--no-browser", "--seed", str(SEED)]
    command += ["--port", str(port), "--data", str(folder / "lab.db")]
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/api/status", timeout=5).close()
                break
            except OSError:
                if server.poll() is not None:
                    raise SystemExit((folder / "log.txt").read_text()) from None
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(20)


class Person:
    """Plays through the interface for programs, with the cookie of the page."""

    def __init__(self, context: BrowserContext) -> None:
        self.ask = context.request
        self.ask.get("/api/me")

    def send(self, path: str, body: Any) -> Any:
        while True:
            answer = self.ask.post(f"{path}?wait=20", data=body)
            if answer.status == 429:  # too fast for a person
                time.sleep(0.3)
            elif answer.status != 202:
                assert answer.ok, answer.text()
                return answer.json()

    def start(self, game: str, parameters: dict[str, Any], **more: Any) -> Any:
        body = {"game": game, "parameters": parameters, "coach": "on", **more}
        return self.send("/api/matches", body)

    def move(self, match: Any, move: str) -> Any:
        body = {"move": move, "ply": match["ply"], "sure": True}
        return self.send(f"/api/matches/{match['id']}/moves", body)

    def pig(self, holds_at: list[int], plies: int = 10**6) -> Any:
        """Play Pig to 50 against hold-at:20, holding now at this, now at that."""
        opponent = {"kind": "strategy", "name": "hold-at:20"}
        match = self.start("pig", {"target": 50}, opponent=opponent, starts="me")
        turn = 0
        while not match["over"] and match["ply"] < plies:
            legal = [each["move"] for each in match["moves"]]
            wanted = match["position"]["fields"]["at_risk"] >= holds_at[turn % len(holds_at)]
            move = "hold" if wanted and "hold" in legal else "roll"
            turn += move == "hold"
            match = self.move(match, move)
        return match


def views(person: Person) -> dict[str, str]:
    """Play what the pictures show; return where each view is."""
    waver = [16, 22, 13, 18, 25, 15]
    games = [person.pig(waver[i % 3 :] + waver[: i % 3]) for i in range(8)]
    costly = max(
        games,
        key=lambda match: person.ask.get(f"/api/reviews/{match['id']}").json()["you"]["cost"],
    )
    under_way = person.pig([20], plies=24)
    while under_way["position"]["fields"]["at_risk"] < 9 and not under_way["over"]:
        under_way = person.move(under_way, "roll")
    battle = person.start(
        "dice-battle", {"dice": 8, "target": 60}, opponent={"kind": "optimal"}, starts="me"
    )
    for count in (5, 6):
        battle = person.move(battle, f"throw {count}")
    cast = person.start("421-round", {"utility": "goal:421"})
    person.ask.post(
        "/api/admin/records?name=forms.csv",
        data=FORMS.read_bytes(),
        headers={"Content-Type": "text/csv"},
    )
    return {
        "play": "/play",
        "table": f"/play/{under_way['id']}",
        "battle": f"/play/{battle['id']}",
        "round": f"/play/{cast['id']}",
        "over": f"/play/{costly['id']}",
        "review": f"/review/{costly['id']}",
        "history": "/history",
        "explore": "/explore?game=pig",
        "explore-battle": "/explore?game=dice-battle",
        "explore-greed": "/explore?game=greed",
        "explore-421": "/explore?game=421-round",
        "explore-solo": "/explore?game=solo-pig",
        "versus": "/versus?game=pig&target=80",
        "versus-battle": "/versus?game=dice-battle",
        "study": "/study",
        "admin": "/admin",
    }


def ready(page: Page) -> None:
    """Wait until the view and its charts are drawn and nothing is being solved."""
    page.wait_for_selector("[data-view][data-ready]", timeout=60_000)
    if page.locator("[data-view='admin']").count():
        page.locator("[data-field='study-game']").select_option(label="Pig")
        page.get_by_text("15 games, 30 players").wait_for()
        page.locator(".plots").scroll_into_view_if_needed()  # figures are drawn when come to
        page.locator("img.plot").nth(1).wait_for()
        page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.chart')].every(each => each.dataset.drawn)"
        " && ![...document.querySelectorAll('.progress-place, .loading')]"
        ".some(each => each.offsetParent)",
        timeout=60_000,
    )
    page.wait_for_timeout(700)


def write(picture: bytes, path: Path) -> None:
    """Write a picture with as many colours as it needs and no more bytes."""
    whole = Image.open(BytesIO(picture)).convert("RGB")
    whole.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"wrote {path}")


def visitor(browser: Browser, address: str, **options: Any) -> BrowserContext:
    """Return a browser window in which dice fall at once."""
    context = browser.new_context(base_url=address, reduced_motion="reduce", **options)
    context.add_init_script("localStorage.setItem('dicelab-pace', 'instant')")
    return context


def for_the_docs(browser: Browser, address: str) -> None:
    """Write the pictures of the pages."""
    context = visitor(browser, address, viewport=WIDE)
    places = views(Person(context))
    page = context.new_page()
    for name in ("table", "review", "history", "explore", "versus", "admin"):
        page.goto(places[name])
        ready(page)
        if name == "versus":
            page.get_by_role("button", name="Copy best play").click()
            page.get_by_role("button", name="Hold the tournament").click()
            page.wait_for_selector("[data-champion]")
            page.evaluate("scrollTo(0, 0)")
            ready(page)
        whole = page.evaluate("document.documentElement.scrollHeight")
        tall = min(1750 if name == "versus" else 1100, whole)
        page.set_viewport_size({"width": 1280, "height": tall})
        write(page.screenshot(), IMAGES / f"lab-{name}.png")
        page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    write(side_by_side(browser, address, context, places), IMAGES / "lab-phone.png")


def side_by_side(
    browser: Browser, address: str, context: BrowserContext, places: dict[str, str]
) -> bytes:
    """Return three phones next to each other, light and dark."""
    kept = context.storage_state()
    shots = []
    for name, colours in (("table", "light"), ("round", "dark"), ("battle", "light")):
        phone = visitor(
            browser,
            address,
            viewport=NARROW,
            color_scheme=colours,
            storage_state=kept,
            is_mobile=True,
            has_touch=True,
        )
        page = phone.new_page()
        page.goto(places[name])
        ready(page)
        shots.append(Image.open(BytesIO(page.screenshot())))
        phone.close()
    gap = 24
    width = sum(shot.width for shot in shots) + gap * (len(shots) - 1)
    whole = Image.new("RGB", (width, shots[0].height), "white")
    for number, shot in enumerate(shots):
        whole.paste(shot, (number * (shot.width + gap), 0))
    held = BytesIO()
    whole.save(held, "PNG")
    return held.getvalue()


def all_views(browser: Browser, address: str, folder: Path) -> None:
    """Write every view in every way, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    first = visitor(browser, address, viewport=WIDE)
    places = views(Person(first))
    kept = first.storage_state()
    for colours in ("light", "dark"):
        for size in (WIDE, NARROW):
            small = size is NARROW
            context = visitor(
                browser,
                address,
                viewport=size,
                color_scheme=colours,
                storage_state=kept,
                is_mobile=small,
                has_touch=small,
            )
            page = context.new_page()
            for name, path in places.items():
                page.goto(path)
                ready(page)
                picture = page.screenshot(full_page=True)
                write(picture, folder / f"{name}-{size['width']}-{colours}.png")
            context.close()


def main() -> None:
    """Start a lab, play, and take the pictures."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    words.add_argument("--all", metavar="DIR", type=Path, help="every view, into this folder")
    given = words.parse_args()
    chromium = os.environ.get("DICELAB_CHROMIUM") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        lab(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        if given.all:
            all_views(browser, address, given.all)
        else:
            for_the_docs(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
