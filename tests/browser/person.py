"""What a person does at the page, for the tests in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def ready(page: Page) -> None:
    """Wait until the view is drawn."""
    page.wait_for_selector("[data-view][data-ready]")


def visit(page: Page, path: str) -> None:
    """Go to another view as a link does, without loading everything again."""
    page.evaluate(
        "path => { history.pushState(null, '', path);"
        " dispatchEvent(new PopStateEvent('popstate')); }",
        path,
    )
    ready(page)


def start(page: Page, game: str, **given: Any) -> dict[str, Any]:
    """Begin a game with the form, as a person would; return its match document."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    page.locator(f"[data-game='{game}']").check()
    choices = {name: given.pop(name) for name in ("starts", "coach") if name in given}
    opponent = given.pop("opponent", None)
    warn_at = given.pop("warn_at", None)
    for name, value in given.items():
        field = page.locator(f"form [data-field='{name}']")
        if not field.is_visible():
            page.locator("form summary").first.click()
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    if opponent:
        kind, _, name = opponent.partition(" ")
        page.locator(f"[data-field='opponent'] [data-choice='{kind}']").check()
        if name:
            stem, _, number = name.partition(":")
            page.locator("[data-field='opponent-strategy']").select_option(stem)
            if number:
                page.locator("form .stack .fields input").last.fill(number)
    for name, value in choices.items():
        page.locator(f"[data-field='{name}'] [data-choice='{value}']").check()
    if warn_at:
        page.locator("[data-field='warn_at']").select_option(warn_at)
    page.get_by_role("button", name="Throw the dice", exact=True).click()
    page.wait_for_url("**/play/m*")
    ready(page)
    settled(page)
    return match(page)


def begin(page: Page, **asked: Any) -> dict[str, Any]:
    """Begin a game without the form, and sit down at its table; return its match document."""
    body = {"opponent": {"kind": "strategy", "name": "hold-at:6"}, **asked}
    answer = page.request.post("/api/matches?wait=60", data=body)
    assert answer.ok, answer.text()
    begun: dict[str, Any] = answer.json()
    visit(page, f"/play/{begun['id']}")
    settled(page)
    return begun


def settled(page: Page) -> str:
    """Wait until the dice lie still; return whose move it is: you, or over."""
    return page.wait_for_selector(
        "[data-state='you'], [data-state='over']", state="attached"
    ).get_attribute("data-state")  # type: ignore[return-value]


def match(page: Page) -> dict[str, Any]:
    """The match as the server knows it, for the same player."""
    number = page.url.rstrip("/").split("/")[-1].split("?")[0]
    answer = page.request.get(f"/api/matches/{number}")
    assert answer.ok
    document: dict[str, Any] = answer.json()
    return document


def serious_faults(page: Page, only: str = "") -> list[str]:
    """Return what axe finds seriously wrong, by all of its rules or by only one."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    options = {"resultTypes": ["violations"], **({"runOnly": [only]} if only else {})}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][-160:]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def move_on(page: Page, ply: int) -> None:
    """Wait until the table shows a later moment than this one."""
    page.wait_for_function(
        "ply => Number(document.querySelector('[data-view]').dataset.ply) > ply", arg=ply
    )


def pick(page: Page, move: str) -> None:
    """Make a move by its button, or by picking the dice to keep; wait for what follows."""
    ply = int(page.locator("[data-view]").get_attribute("data-ply") or 0)
    document = match(page)
    wanted = next(each.get("keep") for each in document["moves"] if each["move"] == move)
    if wanted is not None:
        fields = document["position"]["fields"]
        for face in fields["aside"]:
            wanted.remove(face)
        for die in page.locator("[data-die]").all():
            face = int(die.locator("[data-face]").get_attribute("data-face") or 0)
            if (face in wanted) != (die.get_attribute("aria-pressed") == "true"):
                die.click()
            if face in wanted:
                wanted.remove(face)
    offered = next(each for each in document["moves"] if each["move"] == move)
    if page.locator(".stepper").count() and offered["dice"]:
        page.locator("[data-field='number']").fill(str(offered["number"]))
    place = f".actions-place [data-move='{move}'], .boards [data-move='{move}']"
    page.locator(place).first.click()
    move_on(page, ply)


def drawn(page: Page) -> None:
    """Wait until every chart is drawn."""
    page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('.chart')];"
        " return all.length > 0 && all.every(each => each.dataset.drawn) }"
    )


def played(page: Page) -> str:
    """Play Pig to 10, holding at 6, to its end; return the number of the match."""
    visit(page, "/play")
    begun = start(page, "pig", opponent="strategy hold-at:6", starts="me", coach="off", target=10)
    while settled(page) == "you":
        hold = page.locator(".actions-place [data-move='hold']")
        at_risk = hold.count() and int([*hold.inner_text().split(), "0", "0"][1])
        pick(page, "hold" if at_risk >= 6 else "roll")
    return str(begun["id"])
