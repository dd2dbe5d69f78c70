"""The shelf of the lab: worked out once, shared by all, within a budget."""

import threading
import time
import traceback
import weakref

import numpy as np
import pytest

from dicelab import Moment, game
from dicelab.core.sizes import Ledger, size_of
from dicelab.errors import DicelabError
from dicelab.lab import catalogue
from dicelab.lab.app import begin_to_think, prepare
from dicelab.lab.http_errors import Busy
from dicelab.lab.solution_cache import ASKER, LATER, MOST_WAITING, Shelf, Working
from lab_rooms import Visitor, open_lab


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    return Visitor(open_lab(tmp_path_factory.mktemp("lab")))


def arrays(size):
    return lambda _: {"values": np.zeros(size, np.uint8)}


def test_the_least_recently_used_goes_first():
    shelf = Shelf(25_000)
    for name in "abc":
        shelf.get((name,), name, arrays(5_000), wait=10)
    shelf.get(("a",), "a", arrays(5_000), wait=10)  # b is now the one nobody used for longest
    shelf.get(("d",), "d", arrays(5_000), wait=10)
    assert [shelf.holds((name,)) for name in "abcd"] == [True, False, True, True]
    contents = shelf.contents
    assert contents["bytes"] <= contents["budget"]
    assert contents["held"] == ["c", "a", "d"]
    shelf.close()


def test_what_had_to_go_takes_no_memory_any_more():
    shelf, made = Shelf(8_000), []

    def make(_):
        made.append(weakref.ref(array := np.zeros(5_000, np.uint8)))
        return {"values": array}

    for name in "ab":
        shelf.get((name,), name, make, wait=10)
    deadline = time.monotonic() + 10
    while made[0]() is not None and time.monotonic() < deadline:
        time.sleep(0.01)  # the thread that made it may be about to let go of it
    assert [array() is None for array in made] == [True, False]
    assert shelf.job("j1").told["done"]  # it is told about all the same
    shelf.close()


def test_what_was_just_made_is_kept_even_where_it_fills_the_shelf_alone():
    shelf = Shelf(1_000)
    assert shelf.get(("x",), "x", arrays(5_000), wait=10)["values"].size == 5_000
    assert shelf.holds(("x",))
    shelf.close()


def test_the_size_of_a_solution_is_that_of_its_arrays():
    array = np.zeros(1000)
    twice = {"one": array, "two": [array, array[:10]]}
    assert 8000 <= size_of(twice) <= 8000 + 2 * 2000
    assert size_of(twice, twice, [array]) <= 8000 + 3 * 2000  # what they share counts once


def test_a_game_is_solved_once_however_many_ask():
    shelf, begun = Shelf(10**6), []
    gate = threading.Event()

    def make(report):
        begun.append(1)
        report(0.5)
        gate.wait(10)
        return "solved"

    answers = []

    def ask():
        answers.append(shelf.get(("game",), "solving", make, wait=10))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    with pytest.raises(Working) as still:
        shelf.get(("game",), "solving", make, wait=0.05)
    assert still.value.job.told["progress"] == 0.5
    gate.set()
    for thread in threads:
        thread.join()
    assert answers == ["solved"] * 8
    assert len(begun) == 1
    shelf.close()


def test_those_who_wait_do_not_keep_the_others_from_an_answer(monkeypatch):
    monkeypatch.setattr("dicelab.lab.solution_cache.PATIENT", 1)
    shelf, gate = Shelf(10**6), threading.Event()

    def ask(wait):
        return shelf.get(("game",), "solving", lambda _: gate.wait(20), wait)

    patient = threading.Thread(target=ask, args=(20,))
    patient.start()
    while shelf._patient._value:  # until that one waits
        time.sleep(0.01)
    began = time.monotonic()
    with pytest.raises(Working):
        ask(10)
    assert time.monotonic() - began < 5
    gate.set()
    patient.join()
    assert ask(10) is True
    shelf.close()


def test_a_failure_is_told_again_and_not_tried_again():
    shelf, tried = Shelf(10**6), []

    def make(_):
        tried.append(1)
        raise DicelabError("no such luck")

    for _ in range(2):
        with pytest.raises(DicelabError, match="no such luck"):
            shelf.get(("bad",), "solving", make, wait=10)
    assert len(tried) == 1
    shelf.close()


def test_a_failure_is_remembered_without_what_it_was_working_on():
    shelf, worked_on = Shelf(10**6), []

    def make(_):
        large = np.zeros(1000)
        worked_on.append(weakref.ref(large))
        try:
            return large[1000]
        except IndexError:
            raise DicelabError("no such luck") from None

    lengths = []
    for _ in range(3):
        try:
            shelf.get(("bad",), "solving", make, wait=10)
        except DicelabError as trouble:
            lengths.append(len(traceback.extract_tb(trouble.__traceback__)))
    assert [one() for one in worked_on] == [None]
    assert lengths == lengths[:1] * 3  # and it does not grow each time it is told
    shelf.close()


def test_too_much_work_at_once_is_refused():
    shelf, gate = Shelf(10**6), threading.Event()

    def make(_):
        gate.wait(10)

    for number in range(MOST_WAITING):
        with pytest.raises(Working):
            shelf.get((number,), "solving", make, wait=0)
    with pytest.raises(Busy) as busy:
        shelf.get(("one more",), "solving", make, wait=0)
    assert str(busy.value) == "50 games are being worked out for you: ask again later"
    gate.set()
    shelf.close()


def asking(name, shelf, *question, wait):
    """Return what a question to the shelf finds when somebody asks it."""
    token = ASKER.set(name)
    try:
        return shelf.get(*question, wait=wait)
    finally:
        ASKER.reset(token)


def test_who_asks_for_much_does_not_keep_the_others_from_their_games():
    shelf, gate = Shelf(10**6), threading.Event()
    for number in range(MOST_WAITING):
        with pytest.raises(Working):
            asking("ann", shelf, (number,), "large", lambda _: gate.wait(20), wait=0)
    # Ann's first is in hand and the others wait: the other worker is free for everybody else.
    for name in ("bob", "cleo", "bob"):
        assert asking(name, shelf, (name, "x"), "small", lambda _: "found", wait=10) == "found"
    with pytest.raises(Busy, match="50 games are being worked out for you"):
        asking("ann", shelf, ("more",), "large", lambda _: None, wait=0)
    gate.set()
    for number in range(MOST_WAITING):
        assert shelf.get((number,), "large", lambda _: None, wait=10) is True
    shelf.close()


def test_what_nobody_waits_for_leaves_room_for_who_waits():
    shelf, gate = Shelf(10**6), threading.Event()
    for name in ("ann", "bob", "cleo"):
        with pytest.raises(Working):
            asking(name + LATER, shelf, (name,), "reply", lambda _: gate.wait(20), wait=0)
    for name in ("ann", "bob"):
        assert asking(name, shelf, (name, "now"), "game", lambda _: "found", wait=10) == "found"
    with pytest.raises(Working):  # now somebody waits for it: it does not wait for the others
        asking("cleo", shelf, ("cleo",), "reply", lambda _: gate.wait(20), wait=0.1)
    assert sorted(shelf._running) == ["ann" + LATER, "cleo"]
    gate.set()
    assert asking("bob", shelf, ("bob",), "reply", lambda _: None, wait=10) is True
    shelf.close()


def test_a_lab_that_is_launched_solves_the_usual_games_before_anybody_asks(tmp_path, monkeypatch):
    names = ["pig", "piglet", "maxi-yatzy", "421-round"]
    few = lambda _: [catalogue.game(name) for name in names]  # noqa: E731
    monkeypatch.setattr(catalogue, "games", few)
    lab = open_lab(tmp_path).state.lab
    prepare(lab)
    assert [key for key in lab.shelf.contents["held"] if key.startswith("solution")] == [
        "solution pig",
        "solution piglet",
        "solution 421-round",
    ]
    assert lab.shelf.holds(("player", "pig", "hold-at:20"))
    assert Visitor(open_lab(tmp_path)).get("/api/status")["working"] is False
    assert Visitor(open_lab(tmp_path, prepared=True)).get("/api/status")["working"] is True
    known = open_lab(tmp_path, seed=1).state.lab  # its dice are known: a test, or a demonstration
    prepare(known)
    assert known.shelf.contents["held"] == ["solution pig", "player pig hold-at:20"]


def test_who_sits_opposite_has_thought_of_a_first_throw_before_anybody_plays():
    # Strategies of 421 work out all rounds when they are first asked what to keep.
    asked = []
    for name, move in (("farkle", "roll"), ("pig", "roll"), ("undercut", "name 1")):
        begin_to_think(game(name), lambda at, move=move: asked.append(at) or move)
    assert [isinstance(at, Moment) for at in asked] == [False, True, False, False]


def test_those_who_wait_are_told_at_once_that_the_lab_is_closing():
    shelf, gate, told = Shelf(10**6), threading.Event(), []

    def ask(key):
        with pytest.raises(Busy) as busy:
            shelf.get((key,), "solving", lambda _: gate.wait(20), wait=20)
        told.append(str(busy.value))

    threads = [threading.Thread(target=ask, args=(key,)) for key in "abc"]
    for thread in threads:
        thread.start()
    while len(shelf._jobs) < 3:
        time.sleep(0.01)
    assert shelf.is_working
    shelf.close()
    for thread in threads:
        thread.join(timeout=5)
    assert told == ["the lab is closing: start it again to go on"] * 3
    with pytest.raises(Busy, match="closing"):
        shelf.get(("d",), "solving", lambda _: 1, wait=1)
    gate.set()


def test_to_add_a_thing_costs_the_same_however_many_there_are(monkeypatch):
    measured = []
    really = Ledger.enter
    monkeypatch.setattr(
        Ledger,
        "enter",
        lambda self, name, thing: (measured.append(name), really(self, name, thing)),
    )
    shelf = Shelf(10**9)
    for number in range(200):
        shelf.get((number,), "thing", arrays(10), wait=10)
    assert len(measured) <= 5 * 200
    shelf.close()


def test_a_ledger_counts_what_is_shared_once_until_the_last_goes():
    shared, own, ledger = np.zeros(1000), np.zeros(10), Ledger()
    ledger.enter("one", {"a": shared, "b": own})
    ledger.enter("two", [shared[5:]])
    assert ledger.bytes == size_of({"a": shared, "b": own}, [shared[5:]]) == 8080 + 2 * 2000
    ledger.strike("one")
    assert ledger.bytes == size_of([shared]) == 8000 + 2000
    ledger.enter("two", [shared, own])  # it has grown
    assert ledger.bytes == 8080 + 2000
    ledger.strike("two")
    ledger.strike("two")
    assert ledger.bytes == 0


def test_games_that_nobody_plays_any_more_make_room_for_others(tmp_path):
    lab = open_lab(tmp_path)
    ann, shelf = Visitor(lab), lab.state.lab.shelf
    first = ann.begin("pig", parameters={"target": 30})
    shelf.budget = round(1.5 * shelf.contents["bytes"])
    ann.begin("pig", parameters={"target": 31})
    assert shelf.contents["held"] == ["solution pig target=31"]
    assert shelf.contents["bytes"] <= shelf.budget
    # The first is worked out again for whoever goes on with it, and nothing has changed.
    assert ann.get(f"/api/matches/{first['id']}") == first
    assert shelf.contents["held"] == ["solution pig target=30"]


def test_who_does_not_want_to_wait_is_told_how_far_it_has_come(ann):
    body = {"game": "pig", "parameters": {"target": 61}}
    first = ann.client.post("/api/matches?wait=0", json=body, headers=ann.headers)
    job = first.json()["job"]
    assert first.status_code == 202
    assert job["what"] == "solving pig target=61"
    assert 0 <= job["progress"] < 1
    deadline = time.monotonic() + 150
    while ann.get(f"/api/jobs/{job['id']}")["done"] is False:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert ann.post("/api/matches?wait=0", body, 201)["coach"]["value"] > 0.5
