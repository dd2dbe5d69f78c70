"""Thousands of requests made up from the API's own document: none may break the lab."""

import contextlib
import threading
from collections import defaultdict

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dicelab.lab import solving
from dicelab.verbs.solve import solve
from lab_rooms import Visitor, best, open_lab, served

CASES = 80  # for each operation that takes anything
SMALL = (
    ("pig", {"target": 8}),
    ("piglet", {"target": 3}),
    ("two-dice-pig", {"target": 8}),
    ("big-pig", {"target": 8}),
    ("solo-pig", {"target": 8}),
    ("dice-battle", {"target": 6, "dice": 2}),
    ("dice-battle", {"target": 6, "dice": 2, "variant": "simultaneous"}),
    ("greed", {"max": 6}),
    ("421-round", {"dice": 2, "casts": 2, "utility": "sum"}),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
LEAST = {"players": 80, "games": 160, "play": 520, "explore": 400, "versus": 200, "history": 80}
LEAST |= {"study": 200, "admin": 320, "drills": 160, "daily": 80, "people": 240}


@pytest.fixture(scope="module")
def solve_once():
    """What solves each game for the first lab that asks, and has it ready for the others."""
    turns, solved = defaultdict(threading.Lock), {}

    def once(game, exact, memory, progress):
        with turns[game]:
            if game not in solved:
                solved[game] = solve(game, exact, memory=memory, progress=progress)
            return solved[game]

    return once


@pytest.fixture
def visit(tmp_path, monkeypatch, solve_once):
    monkeypatch.setattr(solving, "solve", solve_once)
    # One lab for each: what others have left to be solved would keep this one busy.
    app = open_lab(tmp_path, seed=1)
    visitor = Visitor(app)
    # Something to be found: finished matches, one that is open, a card to drill, and a record.
    for name, parameters in SMALL:
        visitor.finish(visitor.begin(name, "random", parameters=parameters), best)
    drill = {"game": "dice-battle", "target": 6, "dice": 2, "wait": 60}
    visitor.card = visitor.get("/api/drills/next", **drill)["card"]
    text = visitor.ask("GET", "/api/admin/tracker.csv?game=pig&target=8").text
    visitor.ask("POST", "/api/admin/records", 201, content=text)
    with served(app) as address:
        yield address, visitor


def nearer(case, visitor, turn):
    """Make two requests of three ask for something there is, so that they get further in."""
    name, parameters = SMALL[turn % len(SMALL)]
    matches = visitor.matches
    if isinstance(case.path_parameters, dict) and turn % 3:
        if "game" in case.path_parameters:
            case.path_parameters["game"] = name
        if "id" in case.path_parameters:
            case.path_parameters["id"] = matches[turn % len(matches)]
        if "figure" in case.path_parameters:
            case.path_parameters["figure"] = ("totals", "games")[turn % 2]
    if isinstance(case.body, dict) and "game" in case.body and turn % 3:
        case.body["game"] = name
        if turn % 2 or not isinstance(case.body.get("parameters"), dict):
            case.body["parameters"] = dict(parameters)
    if case.operation.path.startswith("/api/versus") and isinstance(case.body, dict) and turn % 3:
        known = ("optimal", "random")
        for field in {"a", "b", "to"} & set(case.body):
            case.body[field] = known[turn % 2]
        if "strategies" in case.body and turn % 2:
            case.body["strategies"] = list(known)
    if isinstance(case.body, dict) and "card" in case.body and turn % 3:
        case.body["card"] = visitor.card
    if isinstance(case.body, dict) and "move" in case.body and turn % 3:
        case.body["move"] = ("roll", "hold", "throw 1", "throw 2", "keep -")[turn % 5]
    if (
        case.operation.path.startswith(("/api/explore/{", "/api/admin", "/api/me/", "/api/drills"))
        and turn % 3
    ):
        case.query = {**(case.query or {}), **parameters}
        if "game" in case.query:
            case.query["game"] = name
    if isinstance(case.query, dict):
        if isinstance(case.query.get("wait", 20), float | int):
            case.query["wait"] = 0.5  # a game that takes longer answers 202
        if "at" in case.query and turn % 2:
            case.query["at"] = ("0-0 +0", "3-4", "0 +0", "2-5 last", "3-2 +4")[turn % 5]


@pytest.mark.slow
@pytest.mark.parametrize("tag", LEAST)
def test_no_request_whatever_breaks_the_lab(visit, tag):
    address, visitor = visit
    visitor.matches = [one["id"] for one in visitor.get("/api/matches", limit=200)["matches"]]
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    session = requests.Session()
    asked = {"count": 0, "refused": 0}

    def run(operation):
        @settings(
            max_examples=CASES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case):
            asked["count"] += 1
            nearer(case, visitor, asked["count"])
            answer = case.call(headers=visitor.headers, session=session)
            asked["refused"] += answer.status_code >= 400
            case.validate_response(answer, checks=CHECKS)

        ask()

    for found in schema.include(tag=tag).get_all_operations():
        operation = found.ok()
        with contextlib.suppress(StopIteration):
            run(operation)
    assert asked["count"] >= LEAST[tag]
    assert asked["refused"] < asked["count"]
