"""You and two opponents at one table: begun, played, coached and reviewed over HTTP."""

import pytest

from dicelab import best_response, game, solve
from lab_rooms import Visitor, best, whole_lab, worst

PIG = {"target": 12, "players": 3}
TABLES = {
    "pig": PIG,
    "greed": {"max": 8, "players": 3},
    "dice-battle": {"target": 12, "dice": 3, "players": 3},
    "farkle": {"target": 300, "dice": 3, "players": 3, "three_farkles": 50},
    "piglet": {"target": 3, "players": 4},
}
EQUILIBRIUM = {"kind": "optimal"}


def strategy(name):
    return {"kind": "strategy", "name": name}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("three"), seed=3) as app:
        yield app


@pytest.fixture(scope="module")
def ann(lab):
    return Visitor(lab)


def begin(ann, name="pig", opponents=(EQUILIBRIUM,), **more):
    body = {"game": name, "parameters": TABLES[name], "opponents": list(opponents), **more}
    return ann.post("/api/matches?wait=60", body, 201)


@pytest.mark.parametrize("name", TABLES)
def test_where_all_play_the_strategy_found_only_the_dice_differ(ann, name):
    # Without luck nothing is left but what the seat is worth from the start.
    match = begin(ann, name, starts="coin")
    rules = game(name, **TABLES[name])
    shares = solve(rules).shares
    players = rules.players
    starter = [seat["who"] for seat in match["seats"]].index(match["starter"])
    last = ann.finish(match, best)[-1]
    review = ann.get(f"/api/reviews/{match['id']}")
    scores = [review["you"], *(other["score"] for other in review["others"])]
    for seat, score in enumerate(scores):
        assert score["cost"] == pytest.approx(0, abs=1e-12)
        assert score["luck_adjusted"] == pytest.approx(float(shares[(seat - starter) % players]))
    assert sum(score["result"] for score in scores) == pytest.approx(1)
    assert review["you"]["result"] == last["result"]["value"]
    assert review["curve"][-1]["value"] == pytest.approx(last["result"]["value"])
    assert review["assumes"] == "all play the strategy found"


@pytest.mark.parametrize("name", ["pig", "greed", "farkle"])
def test_what_one_gives_away_the_table_gets(ann, name):
    match = begin(ann, name, [strategy("random"), EQUILIBRIUM], starts="me")
    seen = ann.finish(match, worst)
    review = ann.get(f"/api/reviews/{match['id']}")
    scores = [review["you"], *(other["score"] for other in review["others"])]
    assert sum(score["luck_adjusted"] for score in scores) == pytest.approx(1)
    assert sum(one["cost"] for one in review["mistakes"]) == pytest.approx(review["you"]["cost"])
    names = [other["name"] for other in review["others"]]
    assert names == ["pure chance", "equilibrium play"]
    told = [event["text"] for one in seen for event in one["events"]]
    assert any(text.startswith("Pure chance ") for text in told)
    assert not any("other player" in text for text in told)


def test_the_table_is_seen_from_your_seat(ann):
    match = begin(ann, "pig", [strategy("hold-at:2"), strategy("hold-at:2")], starts="opponent")
    assert match["starter"] == "opponent"
    assert [(seat["name"], seat["field"]) for seat in match["seats"]] == [
        ("You", "mine"),
        ("hold at 2 A", "yours"),
        ("hold at 2 B", "third"),
    ]
    assert match["opponent"]["label"] == "hold at 2 A and hold at 2 B"
    events = [event for event in match["events"] if event["who"]]
    assert events[0]["who"] == "opponent"
    assert events[0]["text"].startswith("Hold at 2 A rolls a ")
    fields = match["position"]["fields"]
    banked = {"yours": 0, "third": 0}
    for event in events:
        if event["effect"] == "held":
            banked["yours" if event["who"] == "opponent" else "third"] += event["points"]
    assert {name: fields[name] for name in banked} == banked
    assert match["position"]["words"] == (
        f"You have 0. Hold at 2 A has {banked['yours']} and hold at 2 B has {banked['third']}."
    )
    assert match["position"]["notation"] == f"0-{banked['yours']}-{banked['third']} +0"


def test_the_coach_tells_the_value_of_the_profile_and_of_the_best_reply(ann):
    match = begin(ann, "pig", [strategy("hold-at:5"), strategy("random")], starts="me")
    coach = match["coach"]
    rules = game("pig", **PIG)
    assert coach["value"] == pytest.approx(float(solve(rules).value), abs=1e-12)
    assert coach["heading"] == "Where all play the strategy found"
    while match["coach"]["against"]["pending"]:
        match = ann.get(f"/api/matches/{match['id']}")
    reply = best_response(rules, ["hold-at:5", "random"])
    against = match["coach"]["against"]
    assert against["value"] == pytest.approx(float(reply.solution.value), abs=1e-9)
    assert against["sentence"].startswith(
        "Against hold at 5 and pure chance, with the best reply to them"
    )


def test_one_opponent_may_play_all_others(ann):
    match = ann.post(
        "/api/matches?wait=60",
        {"game": "pig", "parameters": PIG, "opponent": strategy("random")},
        201,
    )
    assert [one["label"] for one in match["opponents"]] == ["pure chance", "pure chance"]


def test_a_larger_table_is_offered_where_the_rules_allow_it(ann):
    games = {one["name"]: one for one in ann.get("/api/games")["games"]}
    for name in ("pig", "greed", "farkle", "dice-battle"):
        (players,) = [one for one in games[name]["parameters"] if one["name"] == "players"]
        assert (players["min"], players["max"], players["default"]) == (2, 6, 2)
        assert games[name]["parameters"].index(players) < games[name]["shown"]
    for name in ("solo-pig", "hog", "yahtzee"):
        assert not [one for one in games[name]["parameters"] if one["name"] == "players"]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        (
            "/api/matches",
            {"opponents": [EQUILIBRIUM] * 3},
            "pig target=12 players=3 is played by 3: name 2 opponents, or one who plays all of "
            "them; got 3",
        ),
        (
            "/api/matches",
            {"opponents": [EQUILIBRIUM, {"kind": "adaptive"}]},
            "pig target=12 players=3 is played by 3: each opponent there is a strategy, or plays "
            "what solving found; how a person plays is known for one or two",
        ),
        (
            "/api/versus",
            {"a": "random", "b": "random"},
            "pig target=12 players=3 is played by 3 and cannot be asked in the lab how two "
            "strategies meet: that is for one player or two; solve, evaluate, respond, explain, "
            "density, simulate and tournament take more",
        ),
    ],
)
def test_what_makes_no_sense_for_three_is_refused(ann, path, body, message):
    asked = {"game": "pig", "parameters": PIG, **body}
    assert ann.refused("POST", path, 400, json=asked) == message


def test_a_finished_match_of_three_is_in_the_history(ann):
    match = begin(ann, "pig", starts="me")
    ann.finish(match, best)
    told = ann.get("/api/history", game="pig")
    assert any(one["id"] == match["id"] for one in told["games"])
