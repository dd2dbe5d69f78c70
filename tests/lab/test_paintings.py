"""Painted strategies that are kept: played against, shared, forgotten."""

import pytest

from lab_rooms import Visitor, best, whole_lab

RULES = {"game": "pig", "parameters": {"target": 20}}
HOLD_AT_8 = {
    "painted": "grid",
    "name": "Eight is enough",
    "grid": ["".join("h" if risk >= 8 or risk + mine >= 20 else "r" for risk in range(20))
             for mine in range(20)],
}  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=3) as app:
        yield app


@pytest.fixture
def ann(app):
    return Visitor(app)


def kept(who):
    return who.post("/api/paintings", {**RULES, "painted": HOLD_AT_8}, 201)


def test_a_painting_is_an_opponent_that_plays_as_painted(app, ann):
    painted = {"kind": "painted", "painting": kept(ann)["id"]}
    theirs = []
    for _ in range(4):
        match = ann.begin(**RULES, opponent=painted, starts="opponent")
        assert match["opponent"]["label"] == "Eight is enough"
        ann.finish(match, best)
        theirs += [
            row for row in app.state.lab.store.decisions(match["id"]) if row.who == "opponent"
        ]
    assert {row.move for row in theirs} == {"roll", "hold"}
    for row in theirs:
        mine, risk = int(row.position.partition("-")[0]), int(row.position.partition("+")[2])
        assert row.move == ("hold" if risk >= 8 or mine + risk >= 20 else "roll")


def test_the_coach_knows_the_best_reply_to_a_painting(ann):
    painted = {"kind": "painted", "painting": kept(ann)["id"]}
    match = ann.begin(**RULES, opponent=painted, coach="on")
    against = ann.get(f"/api/matches/{match['id']}?wait=60")["coach"]["against"]
    named = ann.begin(**RULES, opponent="hold-at:8", coach="on")
    same = ann.get(f"/api/matches/{named['id']}?wait=60")["coach"]["against"]
    assert against["value"] == pytest.approx(same["value"], abs=1e-12)


def test_whoever_has_the_link_may_look_and_play_but_not_remove(app, ann):
    painting = kept(ann)
    friend = Visitor(app)
    assert friend.get(f"/api/paintings/{painting['id']}")["painted"]["grid"] == HOLD_AT_8["grid"]
    opponent = {"kind": "painted", "painting": painting["id"]}
    assert friend.begin(**RULES, opponent=opponent)["opponent"]["painting"] == painting["id"]
    said = friend.refused("DELETE", f"/api/paintings/{painting['id']}", 404)
    assert said == f"you have no painting {painting['id']!r}"
    assert friend.get("/api/paintings") == {"paintings": []}


def test_a_match_goes_on_when_its_painting_is_gone(ann):
    painting = kept(ann)
    match = ann.begin(**RULES, opponent={"kind": "painted", "painting": painting["id"]})
    ann.ask("DELETE", f"/api/paintings/{painting['id']}", 204)
    assert painting["id"] not in [one["id"] for one in ann.get("/api/paintings")["paintings"]]
    assert ann.finish(match, best)[-1]["over"]


def test_a_painting_of_other_rules_is_refused(ann):
    body = {**RULES, "opponent": {"kind": "painted", "painting": kept(ann)["id"]}}
    body["parameters"] = {"target": 30}
    assert ann.refused("POST", "/api/matches", 400, json=body) == (
        "'Eight is enough' is painted for pig target=20: it cannot play pig target=30"
    )
    body["opponent"]["painting"] = "p_none"
    assert ann.refused("POST", "/api/matches", 404, json=body) == "there is no painting 'p_none'"


def test_a_map_that_fits_no_game_is_not_kept(ann):
    asked = {**RULES, "painted": {**HOLD_AT_8, "grid": ["xy"]}}
    assert ann.refused("POST", "/api/paintings", 400, json=asked) == (
        "a grid has r for roll and h for hold: got 'xy'"
    )
    assert ann.get("/api/paintings") == {"paintings": []}
