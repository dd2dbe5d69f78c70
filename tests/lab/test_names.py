"""A name from the page is never a path, an address or code: every text the lab takes is tried.

Files and modules are laid out that must not be touched, and Python's own audit events say what was
opened, imported, run or called up while the lab was asked about them.
"""

import itertools
import os
import sys
from functools import partial
from urllib.parse import quote

import pytest

from lab_rooms import Visitor, open_lab

SECRET = "combination,value\nthe-secret-of-this-file,1\n"
EVIL = "the-secret-of-this-module = 1\n"  # cannot even be compiled: to import it would be told
WATCHED = ("open", "import", "os.listdir", "os.scandir", "subprocess.Popen", "os.system")
WATCHED_TOO = ("socket.connect", "socket.getaddrinfo", "urllib.Request", "exec")

seen: list[tuple[str, str]] = []
watching = [False]


def watch(event, arguments):
    if watching[0] and event in (*WATCHED, *WATCHED_TOO):
        what = arguments[0] if arguments else ""
        if not (
            event == "open" and isinstance(what, int)
        ):  # a descriptor: its name was seen before
            seen.append((event, str(what)))


sys.addaudithook(watch)  # there is no way to take it off again, so it is switched


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with files of every kind that the library can read, and modules to import."""
    place = tmp_path_factory.mktemp("secrets")
    for name in ("secret.csv", "secret.CSV", "secret.npz", "secret.json", "secret"):
        (place / name).write_text(SECRET)
    for name in ("evil.py", "matplotlib.py", "greed.py"):
        (place / name).write_text(EVIL)
    return place


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"))


def names(place, stem):
    """Return texts that look like paths, addresses or code, each also dressed up."""
    plain = [
        f"{place}/{stem}.csv",
        f"{stem}.csv",
        f"{stem}.CSV",
        f"./{stem}.npz",
        f"../{place.name}/{stem}.csv",
        f"..\\{place.name}\\{stem}.csv",
        f"file:{place}/{stem}.csv",
        f"file:{stem}.npz",
        f"file://{place}/{stem}.csv",
        f"http://127.0.0.1:9/{stem}.csv",
        f"goal:{place}/{stem}.csv",
        f"~/{stem}.csv",
        f"@{stem}.csv",
        f"|cat {stem}.csv",
        "/proc/self/environ",
        "evil:choose",
        "evil:Game",
        "evil.py:Game",
        "evil",
        "os:system",
        "dicelab.lab.store:Store",
    ]
    dressed = [f"{stem}.csv{end}" for end in (" ", "\t", "\n", "\r\n", "\0", "%20", "\u2003", "/")]
    dressed += [
        f" {stem}.csv",
        f"hold-at:{stem}.csv",
        f"421 utility={stem}.csv",
        f"{stem}.csv\ufeff",
    ]
    return [*plain, *dressed]


PIG = {"game": "pig", "parameters": {"target": 5}}
KEPT = {
    **{"origin": "m_1", "game": "pig", "parameters": {"target": 10}, "you_start": True},
    **{"opponent": "x", "outcome": "stopped", "decisions": []},
    **dict.fromkeys(("started", "ended"), "2026-01-01T10:00:00.000Z"),
}
"""A game in a file of a player's own."""

BODIES = {
    ("patch", "/api/me"): [{"name": str}],
    ("post", "/api/games/check"): [
        {"game": str},
        {"game": "421-round", "parameters": {"utility": str}},
    ],
    ("post", "/api/matches"): [
        {"game": str},
        {"game": "421-round", "parameters": {"utility": str}},
        {**PIG, "opponent": {"kind": "strategy", "name": str}},
        {**PIG, "opponent": {"kind": "person", "record": str, "player": "x"}},
        {**PIG, "opponent": {"kind": "person", "record": "r1", "player": str}},
        {**PIG, "opponent": {"kind": "painted", "painting": str}},
        {**PIG, "start": str},
        {**PIG, "people": {"where": "here", "me": str, "name": "Bob"}},
        {**PIG, "people": {"where": str}},
        {**PIG, "starts": str},
        {**PIG, "coach": str},
    ],
    ("post", "/api/matches/{id}/moves"): [{"move": str, "ply": 0}],
    ("post", "/api/matches/{id}/coach"): [{"coach": str}],
    ("post", "/api/matches/{id}/take-back"): [{"ply": str}],
    ("post", "/api/matches/{id}/links"): [{"kind": str}],
    ("post", "/api/invitations/{token}"): [{"name": str}],
    ("post", "/api/versus"): [
        {**PIG, "a": str, "b": "turtle"},
        {**PIG, "a": "turtle", "b": str},
        {**PIG, "a": {"painted": "holds", "name": str, "holds": 3}, "b": "turtle"},
        {**PIG, "a": {"painted": "grid", "grid": [str]}, "b": "turtle"},
        {"game": str, "a": "turtle"},
    ],
    ("post", "/api/versus/reply"): [{**PIG, "to": str}, {"game": str, "to": "turtle"}],
    ("post", "/api/versus/tournament"): [{**PIG, "strategies": [str, "turtle"]}],
    ("post", "/api/me/games"): [
        {"games": [{**KEPT, "game": str}]},
        {"games": [{**KEPT, "start": str}]},
    ],
    ("post", "/api/paintings"): [
        {"game": str, "painted": {"painted": "holds", "holds": 3}},
        {**PIG, "painted": {"painted": "holds", "name": str, "holds": 3}},
        {**PIG, "painted": {"painted": "grid", "grid": [str]}},
    ],
    ("post", "/api/drills/answers"): [
        {"card": str, "number": 1},
        {"card": "c1", "move": str, "number": 1},
    ],
    ("put", "/api/study/answers"): [{"preference": str}],
}
"""A body for every text that a route takes: `str` is where the name goes."""


def filled(body, name):
    """Return a body with a name in its place."""
    if body is str:
        return name
    if isinstance(body, dict):
        return {key: filled(value, name) for key, value in body.items()}
    return [filled(value, name) for value in body] if isinstance(body, list) else body


def record(name):
    """Return a record that says it is of a game of that name."""
    written = name.replace("\\", "\\\\").replace("\n", " ").replace("\r", " ").replace("\t", " ")
    head = f'# {{"format": "dicelab decisions 1", "game": "{written}", "parameters": {{}}}}'
    return f"{head}\ngame,seat,player,position,move,after,passes\n".encode()


def requests(told, name):
    """Return a request for every place of the API where a text goes in."""
    quoted = quote(name, safe="")
    for path, methods in told["paths"].items():
        for method, about in methods.items():
            plain = (
                path.replace("{id}", "r1").replace("{game}", "pig").replace("{figure}", "totals")
            )
            for place in about.get("parameters", []):
                where, key = place["in"], place["name"]
                if where == "path":
                    yield method, path.replace(f"{{{key}}}", quoted), {}
                elif where == "query":
                    yield method, f"{plain}?target=5&{key}={quoted}", {}
            for body in BODIES.get((method, path), []):
                yield method, plain, {"json": filled(body, name)}
    for key in ("utility", "die", "player", "casts"):
        yield "get", f"/api/explore/421-round?{key}={quoted}", {}
        yield "get", f"/api/explore/421-round/position?at=421,+1+left&{key}={quoted}", {}
    for game, key in (("pig", "target"), ("pig", "die"), ("dice-battle", "variant")):
        yield "get", f"/api/explore/{game}?{key}={quoted}", {}
    yield "post", f"/api/admin/records?name={quoted}", {"content": record(name)}
    for page in ("/play/", "/static/", "/static/js/", "/"):
        yield "get", page + quoted, {}


def ask(visitor, method, path, more):
    """Return the status and the text of an answer, and note what was touched meanwhile."""
    visitor.client.cookies.clear()
    asked = partial(visitor.client.request, method.upper(), path, headers=visitor.headers)
    watching[0] = True
    try:
        answer = asked(follow_redirects=False, **more)
        while answer.status_code == 202:  # something is still being compiled or solved
            answer = asked(follow_redirects=False, **more)
    finally:
        watching[0] = False
    return answer.status_code, answer.text


def touched(folder):
    """Return what was opened, run or called up that belongs to nobody here, and forget it."""
    found = [(event, what) for event, what in seen if is_foreign(event, what, str(folder))]
    seen.clear()
    return found


def is_foreign(event, what, folder):
    """Return whether an event is about the files laid out, or is one that the lab never causes."""
    if event == "import":
        return what.partition(".")[0] in ("evil", "secret", "absent")
    if event in ("open", "os.listdir", "os.scandir"):
        return os.path.abspath(what).startswith((folder, "/proc"))
    return folder in what if event == "exec" else True


def test_every_route_that_takes_a_body_is_tried(lab):
    told = Visitor(lab).get("/openapi.json")
    takes = {
        (method, path)
        for path, methods in told["paths"].items()
        for method, about in methods.items()
        if "requestBody" in about
    }
    assert takes == {*BODIES, ("post", "/api/admin/records")}


def test_the_watch_sees_what_is_opened_and_imported(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend("")
    watching[0] = True
    (folder / "secret.csv").read_text()
    with pytest.raises(SyntaxError):
        __import__("evil")
    watching[0] = False
    told = touched(folder)
    assert ("open", str(folder / "secret.csv")) in told
    assert ("import", "evil") in told


def test_no_text_from_the_page_is_opened_imported_or_run(lab, folder, monkeypatch):
    monkeypatch.chdir(folder)
    visitor = Visitor(lab)
    told = visitor.get("/openapi.json")
    asked = 0
    for there, missing in zip(names(folder, "secret"), names(folder, "absent"), strict=True):
        for one, other in zip(requests(told, there), requests(told, missing), strict=True):
            status, text = ask(visitor, *one)
            assert status < 500, (one, text)
            assert touched(folder) == [], one
            assert "the-secret" not in text, one
            asked += 1
            if there.endswith(".csv"):  # nor is it told whether a file is there
                assert ask(visitor, *other)[0] == status, one
    assert asked > 3000
    assert not {"evil", "secret"} & set(sys.modules)


SPACES = [
    "".join(pair) for pair in itertools.product(("", " ", "\t", "\n", "\u00a0"), ("", " ", "\r"))
]


@pytest.mark.parametrize("end", SPACES)
def test_a_utility_is_one_of_the_names_and_never_a_file(lab, folder, end):
    name = f"{folder}/secret.csv{end}"
    told = Visitor(lab).refused("GET", "/api/explore/421-round", 400, params={"utility": name})
    assert told == (
        f"no utility called {name.strip()[:60]!r}; write 'goal:123', 'goal:123+224', "
        f"'rank', 'sum' or 'transfer'"
    )
