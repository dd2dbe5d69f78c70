"""Games in which one throws and then chooses, played in the lab."""

import pytest

import dicelab
from dicelab.lab import arguments, catalogue
from dicelab.people.decisions import parse_decisions
from dicelab.rules import registry
from lab_rooms import best, whole_lab, worst
from strange_games import Barrel, Perch

CHOOSING = {"perch": Perch, "barrel": Barrel}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    def forget():
        arguments.known_games.cache_clear()
        catalogue._games.cache_clear()

    for name, kind in CHOOSING.items():
        registry.register(name)(kind)
    forget()
    with whole_lab(tmp_path_factory.mktemp("lab"), sends_all=False, seed=3) as app:
        yield app
    for name, kind in CHOOSING.items():
        del registry._GAMES[name]
        kind.name = ""
    forget()


def at_a_moment(ann, name, move, opponent="random"):
    """Return a match that stands after a throw of yours that leaves a choice."""
    while True:
        match = ann.begin(name, opponent, starts="me")
        match = ann.move(match, move)
        if " threw " in match["position"]["notation"]:
            return match


def test_the_table_shows_the_dice_and_the_ways_are_the_buttons(ann):
    match = at_a_moment(ann, "perch", "throw")
    (face,) = match["position"]["threw"]
    assert match["position"]["notation"] == f"mine=0 yours=0 risk=0 threw {face}"
    assert (
        match["position"]["words"] == f"You 0, the other player 0, risk 0. The die shows a {face}."
    )
    (event,) = match["events"]
    assert (event["text"], event["dice"]) == (f"You throw a {face}.", [face])
    assert [(one["label"], one["key"]) for one in match["moves"]] == [("Bank", "b"), ("Press", "p")]
    assert match["layout"] == {"tray": "turn", "dice": 1, "sides": 4}
    solution = dicelab.solve(Perch())
    assert match["coach"]["value"] == solution.value_at(match["position"]["notation"])
    assert [one["move"] for one in match["coach"]["moves"]] == [
        one.move for one in solution.moves_at(match["position"]["notation"])
    ]
    pressed = ann.move(match, "press")
    assert pressed["events"][0]["text"] == f"You press: risk {2 * face}."
    assert pressed["position"]["fields"]["risk"] == 2 * face
    assert pressed["position"]["threw"] == []


def test_dice_that_nobody_counted_are_seen_all_the_same(ann):
    match = at_a_moment(ann, "barrel", "roll")
    (face,) = match["position"]["threw"]
    assert match["events"][0]["text"] == f"You roll a {face}."
    assert match["position"]["words"] == f"The position is (6, 'fresh'). The die shows a {face}."
    assert [one["label"] for one in match["moves"]] == ["Take 1", f"Take {face}"]
    assert match["layout"] == {"tray": "turn", "dice": 1, "sides": 6}


def test_a_way_that_is_not_open_is_refused_with_the_throw(ann):
    match = at_a_moment(ann, "perch", "throw")
    body = {"move": "hold", "ply": match["ply"]}
    told = ann.refused("POST", f"/api/matches/{match['id']}/moves", 400, json=body)
    at = match["position"]["notation"]
    assert told == f"cannot hold at {at}: you can only bank or press here"


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("pick", [best, worst])
@pytest.mark.parametrize("opponent", ["optimal", "random"])
def test_a_whole_match_is_coached_told_and_reviewed(ann, name, pick, opponent):
    match = ann.begin(name, opponent, starts="opponent")
    seen = ann.finish(match, pick)
    events = [event for one in seen for event in one["events"]]
    assert all(event["text"].endswith(".") for event in events)
    theirs = [event for event in events if event["who"] == "opponent"]
    threw = [event for event in theirs if event["effect"] == "threw"]
    assert threw
    for event in threw:  # what they threw, and right after it what they did with it
        after = events[events.index(event) + 1]
        assert (after["who"], after["ply"]) == ("opponent", event["ply"] + 1)
        assert event["text"].startswith("The other player ")
        assert not after["dice"]
    again = ann.get(f"/api/matches/{match['id']}")
    assert [one["text"] for one in again["events"]] == [one["text"] for one in events]
    review = ann.get(f"/api/reviews/{match['id']}")
    assert review["you"]["result"] == pytest.approx(seen[-1]["result"]["value"], abs=1e-9)
    assert len(review["curve"]) == len(events) + 1
    assert any(" threw " in point["notation"] for point in review["curve"])
    total = sum(one["cost"] for one in review["mistakes"])
    assert total == pytest.approx(review["you"]["cost"], abs=1e-12)
    if pick is best:
        assert review["you"]["cost"] == 0
    for mistake in review["mistakes"]:
        if " threw " in mistake["position"]["notation"]:
            assert mistake["position"]["threw"]
            assert mistake["dice_then"] == []


def test_a_named_player_takes_the_ways_that_its_strategy_says(ann):
    table = dicelab.compile(Perch())
    plan = dicelab.plan(table, "press-below:3")
    reply, chosen = dicelab.best_response(table, "press-below:3").solution, 0
    for _ in range(5):
        match = ann.begin("perch", "press-below:3", starts="opponent")
        told = ann.get(f"/api/matches/{match['id']}", wait=20)
        at = told["position"]["notation"]
        assert told["coach"]["against"]["value"] == float(reply.value_at(at))
        ann.finish(match, best)
        for row in ann.app.state.lab.store.decisions(match["id"]):
            if row.who == "opponent":
                assert plan.move_at(row.position) == row.move
                chosen += " threw " in row.position
    assert chosen >= 3


@pytest.mark.parametrize("kind", ["adaptive", "person"])
def test_one_that_adapts_and_a_person_choose_after_throws_too(ann, kind):
    for _ in range(6):
        ann.finish(ann.begin("perch", "random", starts="me"), worst)
    threw = 0
    for _ in range(4):
        match = ann.begin("perch", {"kind": kind}, starts="opponent")
        assert match["opponent"]["numbers"]
        seen = ann.finish(match, best)
        theirs = [e for one in seen for e in one["events"] if e["who"] == "opponent"]
        threw += sum(event["effect"] == "threw" for event in theirs)
    assert threw >= 2
    style = ann.get("/api/history", game="perch", wait=60)["style"][0]
    assert style["model"] == "quantal"
    assert style["costs"]["overall"] < 0.5  # most of these were played as badly as can be


def test_the_decisions_of_a_match_are_a_record_that_can_be_read(ann):
    ann.finish(ann.begin("barrel", "random", starts="me"), worst)
    text = ann.ask("GET", "/api/me/decisions.csv", params={"game": "barrel"}).text
    record = parse_decisions(text)
    assert any(" threw " in record.table.notation(int(at)) for at in record.number)
    assert record.table.result[record.after[-1]]


def test_explore_understands_what_was_thrown(ann):
    told = ann.get("/api/explore/barrel/position", at="(2, 'used') threw 3")
    assert told["position"]["notation"] == "(2, 'used') threw 3"
    assert told["position"]["threw"] == [3]
    assert [(one["move"], one["value"]) for one in told["moves"]] == [("take 2", 1), ("take 1", 0)]
    assert told["sentence"] == "Take 2. Taking 1 would cost you 100.0% of the game."
    about = ann.get("/api/explore/perch")
    assert about["examples"] == ["mine=0 yours=0 risk=0 threw 4", "mine=0 yours=0 risk=0"]


def test_whoever_asks_for_two_has_an_opponent_where_the_players_are_a_parameter(ann):
    box = next(one for one in catalogue.games() if one["name"] == "shut-the-box")
    assert (box["players"], box["opponents"][0]) == (1, "strategy")
    small = {"tiles": "5", "die": "4"}
    alone = ann.begin("shut-the-box", "random", parameters=small)
    assert (alone["kind"], alone["opponent"]["kind"]) == ("solo", "nobody")
    two = ann.begin("shut-the-box", "random", parameters={**small, "players": "2"}, starts="me")
    assert (two["kind"], two["opponent"]["kind"]) == ("turns", "strategy")
    while not two["over"]:
        two = ann.move(two, best(two))
    assert two["result"]["outcome"] in ("won", "lost", "drawn")
