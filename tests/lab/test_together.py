"""Two people at one table: at one device and by link, from the first move to both reviews."""

import re
import sqlite3
import threading

import pytest

import dicelab
from lab_rooms import LabProcess, Visitor, best, free_port, open_lab

PIG = {"game": "pig", "parameters": {"target": 15}}
AT_ONCE = {
    "game": "dice-battle",
    "parameters": {"target": 12, "dice": 3, "variant": "simultaneous"},
}
HERE = {"where": "here", "me": "Ann", "name": "Bob"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=5)


@pytest.fixture
def ann(lab):
    return Visitor(lab)


def named(lab, name):
    visitor = Visitor(lab)
    visitor.ask("PATCH", "/api/me", json={"name": name})
    return visitor


def begun(visitor, game, people, **more):
    return visitor.post("/api/matches?wait=60", {**game, "people": people, **more}, 201)


def invited(host, guest, game=PIG, **more):
    """Return a match by link as its host sees it, a guest at the other seat."""
    match = begun(host, game, {"where": "link"}, **more)
    link = host.post(f"/api/matches/{match['id']}/links", {"kind": "seat"}, 201)["link"]
    guest.post(link.replace("/join/", "/api/invitations/"), {})
    return host.get(f"/api/matches/{match['id']}")


def looked(visitor, match, **more):
    return visitor.get(f"/api/matches/{match['id']}", **more)


# At one device.


@pytest.mark.parametrize(
    "game",
    [
        {"game": "pig", "parameters": {"target": 40}},
        {"game": "greed", "parameters": {"max": 12}},
        {"game": "dice-battle", "parameters": {"target": 12, "dice": 3}},
        {"game": "bear-off", "parameters": {"chequers": 2}},
        AT_ONCE,
    ],
    ids=lambda game: str(len(game["parameters"])) + game["game"],
)
@pytest.mark.parametrize("starts", ["me", "opponent"])
def test_two_at_one_device_play_to_the_end_and_each_has_a_review_that_adds_up(ann, game, starts):
    people = {**HERE, "coach": "on"}
    match = begun(ann, game, people, starts=starts)
    assert match["people"]["names"] == ["Ann", "Bob"]
    assert [seat["name"] for seat in match["seats"]] == ["Ann", "Bob"]
    movers, moves = set(), 0
    while not match["over"]:
        movers.add(match["people"]["turn"])
        match = ann.move(match, best(match), seat=match["people"]["turn"])
        moves += 1
    assert movers == {0, 1}
    assert match["result"]["sentence"].startswith(("Ann won", "Ann lost", "It is a draw"))
    reviews = [ann.get(f"/api/reviews/{match['id']}", seat=seat, wait=60) for seat in (0, 1)]
    assert [one["player"] for one in reviews] == ["Ann", "Bob"]
    assert [one["opponent"]["label"] for one in reviews] == ["Bob", "Ann"]
    assert [one["yours"] for one in reviews] == [True, False]
    worth = dicelab.game(game["game"], **game["parameters"]).total
    assert sum(one["you"]["result"] for one in reviews) == pytest.approx(float(worth), abs=1e-9)
    for mine, yours in (reviews, reversed(reviews)):
        assert mine["you"] == yours["opponent_score"]
        assert mine["you"]["cost"] == 0
        assert [one["name"] for one in mine["people"]] == ["Ann", "Bob"]
        total = mine["start_value"] + mine["you"]["luck"] - mine["you"]["cost"]
        total += yours["you"]["cost"] - (0 if game is AT_ONCE else yours["you"]["luck"])
        assert total == pytest.approx(mine["you"]["result"], abs=1e-9)
    told = ann.get("/api/history")
    assert match["title"] not in [one["title"] for one in told["totals"]]
    assert ann.get("/api/me/games")["games"] == []  # a game against people belongs to both


def test_what_happened_is_told_by_names_and_each_has_a_coach_of_their_own(ann):
    match = begun(ann, PIG, HERE, coach="on")
    assert match["coach"] is not None
    assert match["position"]["words"].startswith("Ann is to move. You have 0")
    assert match["position"]["words"].endswith("Bob has 0.")
    while match["people"]["turn"] == 0:
        match = ann.move(match, "hold" if len(match["moves"]) > 1 else "roll", seat=0)
        assert all(event["text"].startswith(("Ann", "Bob")) for event in match["events"])
    assert (match["to_move"], match["coach"], match["coach_mode"]) == ("opponent", None, "off")
    match = ann.post(f"/api/matches/{match['id']}/coach?wait=60", {"coach": "on"})
    assert match["coach"]["moves"]
    while match["people"]["turn"] == 1:
        match = ann.move(match, "hold" if len(match["moves"]) > 1 else "roll", seat=1)
        assert all(event["text"].startswith("Bob") for event in match["events"])
    assert match["coach_mode"] == "on"


def test_a_choice_at_once_stays_hidden_until_both_have_chosen(ann):
    match = begun(ann, AT_ONCE, HERE, coach="off")
    assert match["people"]["turn"] == 0
    first = ann.move(match, match["moves"][0]["move"], seat=0)
    assert (first["ply"], first["events"], first["people"]["turn"]) == (0, [], 1)
    assert first["people"]["chosen"] == [True, False]
    # The same choice sent again, because its answer was lost, is not taken for the other's.
    body = {"move": match["moves"][1]["move"], "ply": 0, "seat": 0}
    ann.refused("POST", f"/api/matches/{match['id']}/moves", 409, json=body)
    both = ann.move(first, first["moves"][1]["move"], seat=1)
    assert [event["move"] for event in both["events"]] == [
        match["moves"][0]["move"],
        first["moves"][1]["move"],
    ]
    assert (both["ply"], both["people"]["chosen"]) == (1, [False, False])


# By link.


def test_a_link_seats_a_friend_and_each_sees_the_game_from_their_side(lab):
    ann, bob, eve = named(lab, "Ann"), named(lab, "Bob"), named(lab, "Eve")
    match = begun(ann, PIG, {"where": "link"}, coach="off")
    id = match["id"]
    assert (match["people"]["names"], match["moves"]) == (["Ann", None], [])
    assert match["people"]["links"] == []  # nothing is open before the host says so
    told = ann.refused("POST", f"/api/matches/{id}/moves", 400, json={"move": "roll", "ply": 0})
    assert told == "nobody sits opposite yet: give somebody the link to the seat"
    link = ann.post(f"/api/matches/{id}/links", {"kind": "seat"}, 201)["link"]
    token = link.removeprefix("/join/")
    path = f"/api/invitations/{token}"
    assert bob.get(path) == {
        **{"game": "pig", "title": "pig target=15", "start": None, "host": "Ann"},
        **{"open": True, "match": None},
    }
    assert ann.refused("POST", path, 400, json={}) == (
        "this is your own link: give it to somebody else"
    )
    theirs = bob.post(path, {"coach": "on"})
    assert (theirs["people"]["you"], theirs["to_move"], theirs["coach"]) == (1, "opponent", None)
    assert theirs["seats"][1]["name"] == "Ann"
    assert eve.refused("POST", path, 400, json={}) == ("somebody sits there already: only two play")
    assert eve.refused("GET", f"/api/matches/{id}", 404) == f"you have no match {id!r}"
    assert bob.get(path)["match"] == id  # who sits there finds the way back
    assert bob.get("/api/me")["player"]["unfinished"][0]["opponent"] == {"label": "Ann"}
    body = {"move": "roll", "ply": 0}
    assert bob.refused("POST", f"/api/matches/{id}/moves", 400, json=body) == (
        "it is the turn of Ann"
    )

    # Each sees the other's moves by name, and their own as theirs.
    players = [ann, bob]
    match = looked(ann, match)
    while not match["over"]:
        turn = match["people"]["turn"]
        mine = looked(players[turn], match)
        assert mine["to_move"] == "you"
        before = mine["position"]["fields"]
        move = "hold" if "hold" in [one["move"] for one in mine["moves"]] else "roll"
        mine = players[turn].move(mine, move)
        assert mine["events"][0]["text"].startswith("You ")
        seen = looked(players[1 - turn], match, since=match["ply"])
        assert seen["events"][0]["text"].startswith(("Ann ", "Bob "))
        assert seen["coach"] is None or turn == 0
        assert seen["position"]["fields"]["mine"] == mine["position"]["fields"]["yours"]
        assert before["mine"] <= mine["position"]["fields"]["mine"]
        match = looked(ann, match)
    outcomes = {looked(one, match)["result"]["outcome"] for one in players}
    assert outcomes == {"won", "lost"}
    own = [one.get(f"/api/reviews/{id}", wait=60) for one in players]
    assert [(one["player"], one["yours"]) for one in own] == [("Ann", True), ("Bob", True)]
    assert own[0]["you"] == own[1]["opponent_score"]
    assert own[0]["you"]["result"] + own[1]["you"]["result"] == 1
    other = eve.get(f"/api/reviews/{id}", seat=1)
    assert (other["player"], other["yours"]) == ("Bob", False)


def test_who_watches_sees_names_and_dice_and_neither_moves_nor_coach(lab):
    ann, bob = named(lab, "Ann"), named(lab, "Bob")
    match = invited(ann, bob, coach="on")
    link = ann.post(f"/api/matches/{match['id']}/links", {"kind": "watch"}, 201)["link"]
    path = link.replace("/watch/", "/api/watch/")
    ann.move(match, "roll")
    eve = Visitor(lab)
    seen = eve.get(path)
    assert (seen["moves"], seen["coach"], seen["coach_mode"]) == ([], None, "off")
    assert seen["people"]["watching"]
    assert seen["people"]["links"] == []
    assert seen["events"][0]["text"].startswith("Ann ")
    assert seen["position"]["words"] in ("Ann is to move.", "Bob is to move.")
    assert eve.get(path, since=seen["ply"])["events"] == []
    # The link to watch is none to a seat, and the other way round.
    token = link.removeprefix("/watch/")
    gone = "this link leads nowhere: ask for another"
    assert eve.refused("POST", f"/api/invitations/{token}", 404, json={}) == gone
    ann.ask("DELETE", f"/api/matches/{match['id']}/links/watch", 204)
    assert eve.refused("GET", path, 404) == gone
    again = ann.post(f"/api/matches/{match['id']}/links", {"kind": "watch"}, 201)["link"]
    assert again != link


def test_at_a_table_of_421_both_and_who_watches_are_told_names_and_who_took_what(ann, lab):
    # A set moves one token at least; told to who threw last, or to the other, it says "you" once.
    match = begun(ann, {"game": "421", "parameters": {"casts": 1}}, HERE, starts="me")
    link = ann.post(f"/api/matches/{match['id']}/links", {"kind": "watch"}, 201)["link"]
    heaps = match["position"]["board"][0]["items"]
    assert [each["name"] for each in heaps] == ["Ann", "Pot", "Bob"]
    while not match["over"]:
        match = ann.move(match, match["moves"][0]["move"], seat=match["people"]["turn"])
    seen = Visitor(lab).get(link.replace("/watch/", "/api/watch/"))
    assert seen["position"]["board"] == match["position"]["board"]
    told = [event["text"] for event in seen["events"]]
    assert told == [
        event["text"] for event in ann.get(f"/api/matches/{match['id']}", since=-1)["events"]
    ]
    assert all(re.match(r"(Ann|Bob) (casts|stops with) ", text) for text in told)
    assert not any(re.search(r"\byou|other player", text, re.I) for text in told)
    took = [re.search(r"(Ann|Bob) (takes|receives) ", text)[1] for text in told[1::2]]
    assert {text[:3] == who for text, who in zip(told[1::2], took, strict=True)} == {True, False}


def test_a_link_is_kept_as_a_hash_and_a_newer_one_takes_its_place(tmp_path):
    lab = open_lab(tmp_path)
    ann, bob = named(lab, "Ann"), named(lab, "Bob")
    match = begun(ann, PIG, {"where": "link"})
    address = f"/api/matches/{match['id']}/links"
    first, second = (ann.post(address, {"kind": "seat"}, 201)["link"] for _ in range(2))
    with sqlite3.connect(tmp_path / "lab.db") as file:
        kept = file.execute("SELECT token FROM links").fetchall()
    file.close()
    assert len(kept) == 1
    assert second.rpartition("/")[2] not in str(kept)
    bob.refused("POST", first.replace("/join/", "/api/invitations/"), 404, json={})
    joined = bob.post(second.replace("/join/", "/api/invitations/"), {})
    assert bob.refused("POST", address, 400, json={"kind": "watch"}) == (
        "only who began this game opens and ends links to it"
    )
    # Who leaves frees the seat; the game waits, and the link seats another.
    bob.ask("POST", f"/api/matches/{joined['id']}/leave", 204)
    assert looked(ann, match)["people"]["names"] == ["Ann", None]
    bob.refused("GET", f"/api/matches/{match['id']}", 404)
    eve = named(lab, "Eve")
    eve.post(second.replace("/join/", "/api/invitations/"), {})
    assert looked(ann, match)["people"]["names"] == ["Ann", "Eve"]
    # Whoever is forgotten leaves no name, and who began the game keeps it.
    eve.ask("DELETE", "/api/me", 204)
    assert looked(ann, match)["people"]["names"] == ["Ann", None]
    assert ann.refused("POST", f"/api/matches/{match['id']}/leave", 400) == (
        "this game is yours: give it up to end it"
    )


def test_both_choose_at_the_same_moment_and_the_dice_fall_once(lab):
    ann, bob = named(lab, "Ann"), named(lab, "Bob")
    match = invited(ann, bob, AT_ONCE, coach="off")
    while not match["over"]:
        ply = match["ply"]
        body = {"move": match["moves"][-1]["move"], "ply": ply}
        found = []

        def ask(visitor, body=body, found=found, id=match["id"]):
            path = f"/api/matches/{id}/moves"
            found.append(visitor.client.post(path, json=body, headers=visitor.headers).status_code)

        threads = [threading.Thread(target=ask, args=(one,)) for one in (ann, bob)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        match = looked(ann, match)
        assert found == [200, 200]
        assert match["ply"] == ply + 1
        assert (
            looked(bob, match)["position"]["fields"]["mine"]
            == (match["position"]["fields"]["yours"])
        )
    # What one wins at this game the other loses.
    assert looked(bob, match)["result"]["value"] == -match["result"]["value"]


def test_in_a_game_by_link_nobody_sees_what_the_other_has_chosen(lab):
    ann, bob = named(lab, "Ann"), named(lab, "Bob")
    match = invited(ann, bob, AT_ONCE, coach="off")
    chosen = bob.move(looked(bob, match), match["moves"][1]["move"])
    assert (chosen["to_move"], chosen["moves"]) == ("opponent", [])
    seen = looked(ann, match)
    assert (seen["events"], seen["people"]["chosen"]) == ([], [False, True])
    body = {"move": match["moves"][0]["move"], "ply": 0}
    assert bob.refused("POST", f"/api/matches/{match['id']}/moves", 400, json=body) == (
        "you have chosen: the dice fall when both have"
    )
    ann.move(match, match["moves"][0]["move"])
    moves = {event["who"]: event["move"] for event in looked(bob, match)["events"]}
    assert moves == {"you": match["moves"][1]["move"], "opponent": match["moves"][0]["move"]}


def test_what_two_people_cannot_do_is_refused_in_a_sentence(lab):
    ann, bob = named(lab, "Ann"), named(lab, "Bob")

    def said(body):
        return ann.refused("POST", "/api/matches", 400, json=body)

    assert said({"game": "solo-pig", "people": HERE}) == (
        "solo-pig is played by 1: two people play a game for two"
    )
    assert said({**PIG, "people": {**HERE, "name": "ann"}}) == (
        "two people have two names: got 'ann' twice"
    )
    assert said({**PIG, "people": {**HERE, "name": "=1+1"}}) == (
        "a name has 1 to 40 characters and does not begin with = + - or @: got '=1+1'"
    )
    here = begun(ann, PIG, HERE)
    address = f"/api/matches/{here['id']}"
    assert ann.refused("POST", f"{address}/links", 400, json={"kind": "seat"}) == (
        "both sit at this device: there is no free seat to link to"
    )
    assert ann.refused("POST", f"{address}/take-back", 400, json={"ply": 0}) == (
        "nothing is taken back between two people: a move made is made"
    )
    match = invited(ann, bob)
    bob.post(f"/api/matches/{match['id']}/resign")
    assert looked(ann, match)["result"]["outcome"] == "stopped"
    assert ann.refused(
        "POST", f"/api/matches/{match['id']}/links", 400, json={"kind": "watch"}
    ) == ("this game is over: its review has a link that stays")


def test_after_kill_9_seats_links_and_hidden_choices_are_there(tmp_path):
    port = free_port()
    server = LabProcess(tmp_path / "lab.db", port)
    try:
        ann, bob = (server.ask("POST", "/api/players")[1]["token"] for _ in range(2))
        body = {**AT_ONCE, "people": {"where": "link"}, "coach": "off"}
        match = server.ask("POST", "/api/matches?wait=60", body, ann)[1]
        path = f"/api/matches/{match['id']}"
        link = server.ask("POST", f"{path}/links", {"kind": "seat"}, ann)[1]["link"]
        path_in = link.replace("/join/", "/api/invitations/")
        status, theirs = server.ask("POST", path_in, {"name": "Bob"}, bob)
        assert status == 200
        move = {"move": theirs["moves"][0]["move"], "ply": 0}
        assert server.ask("POST", f"{path}/moves", move, bob)[0] == 200
        server.kill()
        server = LabProcess(tmp_path / "lab.db", port)
        seen = server.ask("GET", path, None, ann)[1]
        assert seen["people"]["chosen"] == [False, True]
        assert seen["people"]["links"] == ["seat"]
        status, both = server.ask("POST", f"{path}/moves", move, ann)
        assert (status, both["ply"], len(both["events"])) == (200, 1, 2)
    finally:
        server.kill()
