"""The game of the day over HTTP: whose dice, how many tries, and what the line tells."""

from datetime import UTC, date, datetime
from itertools import pairwise

import pytest

import dicelab
from dicelab.errors import RulesError
from dicelab.lab import daily
from dicelab.lab.forms import MatchForm
from dicelab.rules import registry
from lab_rooms import Visitor, open_lab

PIG_DAY = date(2026, 11, 23)
SIGNS = [(0.04, "??"), (0.01, "?"), (0.001, "?!"), (0, "·")]


@pytest.fixture
def on(monkeypatch):
    """What makes it some day, at noon."""

    def be(day):
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        clock = type("Clock", (datetime,), {"now": classmethod(lambda cls, zone: noon)})
        monkeypatch.setattr(daily, "datetime", clock)

    be(PIG_DAY)
    return be


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=4)


@pytest.fixture(scope="module")
def pig():
    return dicelab.solve(dicelab.game("pig"))


def begin(who):
    return who.post("/api/daily?wait=60", status=201)


def cautious(match):
    """Hold whatever there is to hold, from 15 on."""
    at_risk = match["position"]["fields"]["at_risk"]
    return "hold" if at_risk >= 15 else "roll"


def dice(seen):
    return [(event["who"], event["dice"]) for each in seen for event in each["events"]]


def test_the_hash_is_that_of_the_date_and_the_game():
    # printf '2026-11-18 pig' | sha256sum
    assert daily.hashed(date(2026, 11, 18), "pig") == 0x6FB9A315EF2DB15A >> 2


def test_games_of_the_day_are_for_two_and_all_have_their_days():
    days = [daily.game_of_day(date.fromordinal(PIG_DAY.toordinal() + i)) for i in range(60)]
    offered = {name for name, kind in registry.all_games().items() if kind.is_daily}
    assert {game.name for game in days} == offered
    assert {game.players for game in days} == {2}


def test_two_players_get_the_same_dice_in_any_lab(lab, tmp_path, on):
    ann, bob = Visitor(lab), Visitor(open_lab(tmp_path, seed=99))
    bob.begin("pig", "hold-at:20", parameters={"target": 20})  # not his first match here
    hers, his = begin(ann), begin(bob)
    assert (hers["game"], hers["day"], hers["opponent"]["kind"]) == ("pig", "2026-11-23", "optimal")
    assert hers["you_start"] == his["you_start"]
    assert hers["coin"]
    one, other = ann.finish(hers, cautious), bob.finish(his, cautious)
    assert dice(one) == dice(other)
    assert len(dice(one)) > 10
    assert one[-1]["result"]["outcome"] == other[-1]["result"]["outcome"]
    assert all(each["coach"] is None for each in one)


def test_tomorrow_the_dice_differ(lab, on):
    ann = Visitor(lab)
    today = ann.finish(begin(ann), cautious)
    later = next(
        day
        for day in (date.fromordinal(PIG_DAY.toordinal() + i) for i in range(1, 99))
        if daily.game_of_day(day).name == "pig"
    )
    on(date(2026, 11, 24))
    tomorrow = ann.get("/api/daily")
    assert (tomorrow["day"], tomorrow["match"], tomorrow["streak"]) == ("2026-11-24", None, 1)
    on(later)  # the same game on another day
    assert dice(ann.finish(begin(ann), cautious)) != dice(today)


def test_a_second_try_is_refused_in_a_sentence(lab, on):
    ann = Visitor(lab)
    told = ann.get("/api/daily")
    assert told == {
        "day": "2026-11-23",
        "next": "2026-11-24T00:00:00.000Z",
        "game": "pig",
        "headline": "Pig",
        "match": None,
        "over": False,
        "streak": 0,
    }
    match = begin(ann)
    refusal = (
        "you have had your try at the game of 2026-11-23: everybody has one, and the next game "
        "begins at midnight (UTC)"
    )
    assert ann.refused("POST", "/api/daily", 400) == refusal
    assert ann.get("/api/daily")["match"] == match["id"]
    said = ann.refused("GET", "/api/daily/2026-11-23/line", 404)
    assert said == "you have not finished the game of 2026-11-23"
    ann.post(f"/api/matches/{match['id']}/resign")
    assert ann.refused("POST", "/api/daily", 400) == refusal
    told = ann.get("/api/daily")
    assert (told["over"], told["streak"]) == (True, 1)
    line = ann.get("/api/daily/2026-11-23/line")["line"]
    assert line.startswith("dicelab 2026-11-23, Pig: given up")


def test_two_tries_at_the_same_moment_are_one(lab, on):
    ann = Visitor(lab)
    begin(ann)
    room = lab.state.lab
    player = room.store.players()[-1]
    form = MatchForm(game="pig", coach="after")
    with pytest.raises(RulesError, match="began at this moment: ask again"):
        room.playing.begin(player, form, 60, seed=1, day="2026-11-23")  # past the first look
    assert len(room.store.daily(player.number)) == 1


def test_the_coach_is_refused(lab, on):
    ann = Visitor(lab)
    match = begin(ann)
    path = f"/api/matches/{match['id']}/coach"
    assert ann.refused("POST", path, 400, json={"coach": "on"}) == (
        "the game of the day is played without a coach, by everybody: its review tells all when "
        "it is over"
    )
    assert ann.get(f"/api/matches/{match['id']}")["coach"] is None


def signs(solution, seen, pick):
    """Return a sign for each turn, by the costs of the verb itself."""
    turns = [[]]
    for before, after in pairwise(seen):
        at = solution.game.read(before["position"]["notation"])
        turns[-1].append(float(solution.value_of(at, pick(before)).cost))
        if any(event["who"] == "opponent" for event in after["events"]):
            turns.append([])
    return [next(sign for least, sign in SIGNS if max(turn) >= least) for turn in turns if turn]


def test_the_line_tells_result_accuracy_and_each_turn_but_no_dice(lab, pig, on):
    def perfect(match):
        moves = pig.moves_at(pig.game.read(match["position"]["notation"]))
        return min(moves, key=lambda move: move.cost).move

    def timid(match):
        return match["moves"][-1]["move"]  # hold, as soon as that is allowed

    ann, bob = Visitor(lab), Visitor(lab)
    seen = ann.finish(begin(ann), perfect)
    told = ann.get("/api/daily/2026-11-23/line", wait=60)
    head, turns = told["line"].split("\n")
    result = seen[-1]["result"]["outcome"]
    assert head == f"dicelab 2026-11-23, Pig: {result}, accuracy 100.0%"
    assert set(turns.split()) == {"·"}
    seen = bob.finish(begin(bob), timid)
    head, turns = bob.get("/api/daily/2026-11-23/line", wait=60)["line"].split("\n")
    assert turns.split() == signs(pig, seen, timid)
    assert "??" in turns
    assert bob.get("/api/daily")["streak"] == 1
    review = bob.get(f"/api/reviews/{seen[0]['id']}", wait=60)
    accuracy = review["you"]["accuracy"]
    assert head.endswith(f"accuracy {accuracy:.1%}")


def test_whoever_is_forgotten_is_forgotten_with_the_days(tmp_path, on):
    app = open_lab(tmp_path)
    ann = Visitor(app)
    begin(ann)
    ann.ask("DELETE", "/api/me", 204)
    assert app.state.lab.store.rows("SELECT count(*) FROM matches")[0][0] == 0
