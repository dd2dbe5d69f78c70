"""The lab is safe by default: what is refused, what is never opened, and who sees what."""

import asyncio
import contextlib
import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import dicelab
from dicelab.errors import DicelabError, TooLarge
from dicelab.lab import limits
from dicelab.lab.store import Finished, Store
from lab_rooms import ADDRESS, Visitor, best, client_of, open_lab

PIG = {"target": 12}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"))


# Headers, hosts, sizes and rates.


@pytest.mark.parametrize("path", ["/api/status", "/api/games", "/api/matches", "/nothing", "/"])
def test_every_answer_has_the_headers_that_keep_a_page_safe(lab, path):
    headers = client_of(lab).get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"  # no inline script, no other site
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


def test_a_browser_keeps_the_large_files_and_nothing_that_is_anybodys_own(lab):
    client = client_of(lab)
    told = {
        path: client.get(path).headers.get("cache-control")
        for path in ("/api/status", "/static/vendor/x.js", "/static/fonts/x", "/static/js/x.js")
    }
    assert list(told.values()) == ["no-store", *["public, max-age=86400"] * 2, "no-cache"]


def test_another_machine_s_name_for_this_one_is_refused(lab):
    # A page elsewhere may let its own name point here; it must not be answered.
    answer = client_of(lab, "http://evil.example").get("/api/status")
    assert answer.status_code == 400
    told = answer.json()["error"]["message"]
    assert told == "this lab answers on this machine only: got host 'evil.example'"


def test_a_host_that_is_no_host_is_refused_too(lab):
    answer = client_of(lab).get("/api/status", headers={"host": "["})
    assert answer.status_code == 400
    told = answer.json()["error"]["message"]
    assert told == "this lab answers on this machine only: got host '['"
    for name in ("localhost:8421", "127.0.0.1:8421", "[::1]:8421"):
        assert client_of(lab, f"http://{name}").get("/api/status").json()["ok"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
def test_another_site_cannot_play(ann, headers):
    told = ann.refused("POST", "/api/players", 403, headers=headers)
    assert told == "another site may not play here: open the lab's own page"


@pytest.mark.parametrize("path", ["/api/me", "/api/explore/pig?target=9", "/api/games"])
def test_another_site_cannot_make_the_lab_work_by_reading_either(ann, path):
    for site in ("cross-site", "same-site"):
        told = ann.refused("GET", path, 403, headers={"sec-fetch-site": site})
        assert told == "another site may not play here: open the lab's own page"
    ann.ask("GET", "/api/docs", headers={"sec-fetch-site": "cross-site"})  # a page to link to


@pytest.mark.parametrize(
    "path", ["explore/421-round", "explore/pig", "explore/pig/position?at=0-0", "positions/pig"]
)
def test_a_stranger_starts_no_work(lab, path):
    # A browser that says nothing of sites sends no cookie from another one: it is a stranger.
    answer = client_of(lab).get(f"/api/{path}")
    assert answer.status_code == 401


def test_the_labs_own_page_can(ann):
    headers = {"origin": ADDRESS, "sec-fetch-site": "same-origin"}
    assert ann.ask("POST", "/api/players", 201, headers=headers).json()["token"]


def test_a_request_that_is_too_big_is_refused(ann):
    told = ann.refused("PATCH", "/api/me", 413, content=b"x" * (limits.MOST_BODY + 1))
    assert told == "a request may have up to 512 kB: this one has more"

    def pieces():
        for _ in range(600):
            yield b"x" * 1024

    assert ann.refused("PATCH", "/api/me", 413, content=pieces()) == told


def limited(messages, headers=()):
    """Return what the layer of limits sends, and the bodies it lets through, for a request."""
    sent, let_through = [], []

    async def app(scope, receive, send):
        let_through.append((await receive())["body"])

    async def receive():
        return await messages() if callable(messages) else messages.pop(0)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/api/admin/records"}
    scope["headers"] = [(b"host", b"localhost"), *headers]
    # In a thread of its own: where a browser was driven before, this one has a loop already.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(limits.Limits(app)(scope, receive, send))).result()
    return sent, let_through


def test_a_body_that_breaks_off_is_not_taken_for_a_whole_one():
    half = {"type": "http.request", "body": b"game,seat", "more_body": True}
    rest = {"type": "http.request", "body": b",player"}
    assert limited([dict(half), rest]) == ([], [b"game,seat,player"])
    assert limited([dict(half), {"type": "http.disconnect"}]) == ([], [])


@pytest.mark.parametrize("length", [b"\xb2", b"-1", b"9" * 5000])
def test_a_length_that_is_no_number_is_refused(length):
    sent, let_through = limited([], [(b"content-length", length)])
    assert (sent[0]["status"], let_through) == (413, [])


def test_who_asks_too_fast_has_to_wait(tmp_path):
    lab = open_lab(tmp_path, rate=5.0, burst=3.0)
    ann, bob = Visitor(lab), Visitor(lab)
    answers = [ann.client.get("/api/status", headers=ann.headers) for _ in range(6)]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["retry-after"] == "1"
    assert answers[-1].json()["error"]["message"].startswith("too many requests: wait 0.")
    assert bob.client.get("/api/status", headers=bob.headers).status_code == 200


def test_those_who_come_in_at_the_same_time_do_not_wait_for_each_other(tmp_path):
    client = client_of(open_lab(tmp_path, rate=5.0, burst=3.0))
    joined = [client.post("/api/players").status_code for _ in range(30)]
    assert joined == [201] * 30


def test_one_machine_cannot_come_in_without_end(tmp_path):
    client = client_of(open_lab(tmp_path, rate=0.01, burst=0.5))
    joined = [client.post("/api/players").status_code for _ in range(12)]
    assert joined == [201] * 10 + [429] * 2


def test_too_many_requests_at_once_are_refused_in_a_sentence(lab, monkeypatch):
    monkeypatch.setattr(limits, "MOST_AT_ONCE", 0)
    answer = client_of(lab).get("/api/status")
    assert answer.status_code == 503
    told = answer.json()["error"]["message"]
    assert told == "0 requests are being answered: ask again in a second"
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.05)

    async def never():
        await asyncio.sleep(60)

    sent, let_through = limited(never)
    assert (sent[0]["status"], let_through) == (408, [])
    told = json.loads(sent[1]["body"])["error"]["message"]
    assert told == "a request has 0.05 seconds to come in: this one took longer"


def test_what_fails_in_the_lab_is_told_as_json_with_the_headers(lab, monkeypatch, caplog):
    def broken(*_, **__):
        raise ZeroDivisionError("a slip of ours")

    ann = Visitor(lab)
    monkeypatch.setattr(lab.state.lab.store, "matches", broken)
    told = ann.refused("GET", "/api/matches", 500)
    assert told == "the lab failed at this: its log says how"
    headers = ann.ask("GET", "/api/matches", 500).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["content-type"] == "application/json"
    assert "a slip of ours" in caplog.text


def test_tokens_that_are_made_up_do_not_let_one_machine_ask_without_end():
    bucket = limits.Bucket(rate=1.0, burst=2.0)
    assert [bucket.take("m", at) > 0 for at in (0.0, 0.0, 0.0, 1.1)] == [False, False, True, False]


# Who sees what.


def test_a_player_is_a_cookie_that_scripts_cannot_read(lab):
    answer = client_of(lab).get("/api/me")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("dicelab_player=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    token = answer.cookies["dicelab_player"]
    assert len(token) >= 43  # 256 bits


def test_the_file_does_not_hold_the_tokens(ann, lab):
    token = ann.headers["authorization"].removeprefix("Bearer ")
    (row,) = lab.state.lab.store.rows(
        "SELECT * FROM players WHERE number = (SELECT max(number) FROM players)"
    )
    assert token not in json.dumps(dict(row))


def test_nobody_plays_or_sees_anothers_match(ann, lab):
    bob = Visitor(lab)
    match = ann.begin("pig", "turtle", parameters=PIG)
    for method, path, body in (
        ("GET", f"/api/matches/{match['id']}", None),
        ("POST", f"/api/matches/{match['id']}/moves", {"move": "roll", "ply": 0}),
        ("POST", f"/api/matches/{match['id']}/resign", None),
        ("POST", f"/api/matches/{match['id']}/coach", {"coach": "off"}),
    ):
        told = bob.refused(method, path, 404, json=body)
        assert told == f"you have no match {match['id']!r}"
    assert bob.get("/api/matches")["matches"] == []
    assert ann.get(f"/api/matches/{match['id']}")["ply"] == 0


def test_without_a_token_there_is_no_player(lab):
    stranger = client_of(lab)
    for token in (None, "Bearer made-up", "Basic YTpi"):
        headers = {"authorization": token} if token else {}
        answer = stranger.get("/api/history", headers=headers)
        assert answer.status_code == 401
        told = answer.json()["error"]["message"]
        assert told == "you are no player here: open the page, or ask POST /api/players"


def test_a_review_opens_with_its_link_and_only_once_the_match_is_over(ann, lab):
    match = ann.begin("pig", "turtle", parameters=PIG)
    stranger = client_of(lab)
    answer = stranger.get(f"/api/reviews/{match['id']}")
    assert answer.status_code == 404
    told = answer.json()["error"]["message"]
    assert told == f"there is no finished match {match['id']!r}"
    ann.finish(match, best)
    assert stranger.get(f"/api/reviews/{match['id']}").status_code == 200
    assert len(match["id"]) >= 22  # 120 bits: a link cannot be guessed


def test_the_administrators_page_needs_its_token_once_others_can_reach_it(tmp_path):
    visitor = Visitor(open_lab(tmp_path, admin_token="secret", hosts=None))
    assert visitor.get("/api/me")["admin"] == {"needs_token": True}
    for headers in ({}, {"x-admin-token": "wrong"}):
        for path in ("overview", "study", "tracker.csv", "decisions.csv", "plots/totals.svg"):
            told = visitor.refused("GET", f"/api/admin/{path}", 403, headers=headers)
            assert told == (
                "this is for the administrator: give the token that dicelab lab printed"
            )
    visitor.ask("GET", "/api/admin/overview", 200, headers={"x-admin-token": "secret"})
    told = visitor.refused("POST", "/api/admin/records", 403, content=b"x")
    assert told.startswith("this is for the administrator")


def test_names_come_back_as_they_are_and_never_as_a_page(ann):
    name = "<script>alert(1)</script>"
    answer = ann.ask("PATCH", "/api/me", json={"name": name})
    assert answer.json()["player"]["name"] == name
    assert answer.headers["content-type"] == "application/json"  # with nosniff: never HTML
    match = ann.finish(ann.begin("pig", "turtle", parameters=PIG), best)[-1]
    review = ann.ask("GET", f"/api/reviews/{match['id']}")
    assert review.json()["player"] == name
    assert review.headers["content-type"] == "application/json"
    picture = ann.ask("GET", "/api/admin/plots/games.svg?target=12")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert b"<script" not in picture.content


def test_a_name_of_any_letters_can_be_drawn_and_is_no_formula(tmp_path):
    ann = Visitor(open_lab(tmp_path))
    name = "$\\frac{ $ \uff09\u65e5\u672c"
    ann.ask("PATCH", "/api/me", json={"name": name})
    ann.finish(ann.begin("pig", "turtle", parameters=PIG), best)
    picture = ann.ask("GET", "/api/admin/plots/games.svg?target=12")
    assert picture.text.startswith("<?xml")
    assert name in ann.ask("GET", "/api/admin/tracker.csv?target=12").text


@pytest.mark.parametrize("name", ["=1+1", "@cmd", "-1", "+1", "a\nb", "   "])
def test_names_that_a_spreadsheet_would_run_are_refused(ann, name):
    told = ann.refused("PATCH", "/api/me", 400, json={"name": name})
    assert told == f"a name has 1 to 40 characters and does not begin with = + - or @: got {name!r}"


# What is asked for is bounded, with the engine's own sentence.


@pytest.mark.parametrize(
    ("game", "parameters", "told"),
    [
        ("pig", {"die": 1000}, "the lab throws dice of up to 100 faces: got die=1000"),
        ("pig", {"dice": 31}, "the lab throws up to 30 dice: got dice=31"),
        (
            "pig",
            {"dice": 11, "die": "1,3,9,27,81,243,729,2187,6561,19683,59049,177147,531441"},
            "the lab throws dice with up to 7692 different sums where they have 13 faces: "
            "got dice=11, which has up to 1352078",
        ),
        (
            "dice-battle",
            {"dice": 30, "die": 100},
            "the lab throws dice with up to 1000 different sums where they have 100 faces: "
            "got dice=30, which has up to 2971",
        ),
        ("pig", {"targte": 3}, "pig has no parameter 'targte'; did you mean 'target'?"),
        (
            "pig",
            {"target": "x" * 201},
            f"target is longer than 200 characters: got '{'x' * 60}'...",
        ),
        (
            "pig",
            {"die": "1:1/9999999999,2:1"},
            "the lab reads faces and chances of up to 9 digits: got die=1:1/9999999999,2:1",
        ),
        ("pgi", {}, "no game called 'pgi'; did you mean 'pig'?"),
        (
            "os:path",
            {},
            f"no game called 'os:path'; there is {', '.join(sorted(dicelab.all_games()))}",
        ),
        ("greed", {"max": 301}, "greed max=301 is too large for the lab: max goes up to 300"),
        ("421-round", {"dice": 7}, "the lab plays 421-round with up to 6 dice: got 7"),
        (
            "421-round",
            {"sides": 13},
            "the lab plays 421-round with dice of up to 12 faces: got 13",
        ),
        ("yahtzee-round", {"casts": 11}, "the lab plays yahtzee-round with up to 10 casts: got 11"),
        ("421-round", {"cats": 1}, "421-round has no parameter 'cats'; did you mean 'casts'?"),
        (
            "421-round",
            {"player": "last"},
            "the player is 'first' (may stop early) or 'next' (must use every cast): got 'last'",
        ),
        (
            "421",
            {"players": 3},
            "421 players=3 is too large for the lab: about 33,665,280 positions, and up to "
            "5,000,000 are solved while people wait; choose smaller numbers, or ask dicelab solve",
        ),
        (
            "421-round",
            {"utility": "/etc/x.csv"},
            "no utility called '/etc/x.csv'; write 'goal:123', 'goal:123+224', 'rank', "
            "'sum' or 'transfer'",
        ),
    ],
)
def test_games_that_are_too_large_or_none_are_refused_in_a_sentence(ann, game, parameters, told):
    body = {"game": game, "parameters": parameters}
    assert ann.refused("POST", "/api/games/check", 400, json=body) == told
    assert ann.refused("POST", "/api/matches", 400, json=body) == told


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("pig", {"target": 100000}),
        ("dice-battle", {"target": 5, "dice": 2, "die": "1,9999", "variant": "simultaneous"}),
        ("dice-battle", {"target": 900, "dice": 30}),
    ],
)
def test_a_game_that_does_not_fit_is_refused_with_the_engines_own_sentence(ann, game, parameters):
    with pytest.raises(TooLarge) as engine:
        dicelab.compile(dicelab.game(game, **parameters), memory=500_000_000)
    body = {"game": game, "parameters": parameters}
    assert ann.refused("POST", "/api/matches", 400, json=body) == str(engine.value)
    assert str(engine.value).endswith("the limit is 500 MB (--memory)")


def test_a_body_of_the_wrong_shape_is_refused_in_a_sentence(ann):
    told = ann.refused("POST", "/api/matches", 422, json={"game": "pig", "startz": "me"})
    assert told == "startz: extra inputs are not permitted"
    told = ann.refused("POST", "/api/matches", 422, json=[])
    assert told == ("the body: input should be a valid dictionary or object to extract fields from")
    assert ann.refused("DELETE", "/api/games", 405) == "method not allowed"
    assert ann.refused("GET", "/api/jobs/j0", 404) == "there is no job 'j0'"


# The file.


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be taken for one" * 20)
    with pytest.raises(DicelabError) as refused:
        Store(path)
    assert str(refused.value) == (
        f"cannot use {str(path)!r} for the lab: file is not a database; "
        f"name another file with --data"
    )
    assert path.read_text().startswith("not a database")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (":memory:", "records are kept in a file"),
        ("", "records are kept in a file"),
        ("a\0b", "embedded null"),
    ],
)
def test_what_is_no_file_is_refused_in_a_sentence(tmp_path, monkeypatch, name, told):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DicelabError) as refused:
        Store(name)
    assert str(refused.value).startswith(f"cannot use {name!r} for the lab: {told}")
    assert str(refused.value).endswith("; name another file with --data")


def test_a_folder_that_cannot_be_made_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DicelabError, match=r"for the lab: (not a directory|file exists); name"):
        Store(tmp_path / "file" / "lab.db")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The bytes of a file with some games in it."""
    folder = tmp_path_factory.mktemp("records")
    app = open_lab(folder)
    ann = Visitor(app)
    for _ in range(3):
        match = ann.begin("pig", "turtle", parameters=PIG, coach="off")
        ann.finish(match, lambda match: match["moves"][-1]["move"])
    app.state.lab.store.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    app.state.lab.store.close()
    return (folder / "lab.db").read_bytes()


PAGE = 4096


@pytest.mark.parametrize("page", range(6))
@pytest.mark.parametrize("filling", [bytes(PAGE), b"\xff" * PAGE])
def test_a_damaged_file_is_refused_at_the_start(tmp_path, records, page, filling):
    path = tmp_path / "lab.db"
    place = page * PAGE
    path.write_bytes(records[:place] + filling + records[place + PAGE :])
    with pytest.raises(DicelabError) as refused:
        Store(path)
    assert str(refused.value).startswith(f"cannot use {str(path)!r} for the lab: ")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_file_that_was_cut_short_is_refused_at_the_start(tmp_path, records, share):
    path = tmp_path / "lab.db"
    path.write_bytes(records[: int(share * len(records))])
    with pytest.raises(DicelabError, match=r"damaged|malformed"):
        Store(path)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("DROP TABLE reviews", "it is damaged (its tables are not those of a lab)"),
        ("DELETE FROM players", "it is damaged (a row of matches belongs to nothing)"),
        (
            "UPDATE matches SET parameters = replace(parameters, ':', ';')",
            "it is damaged (a row of matches cannot be read)",
        ),
        (
            "UPDATE matches SET opponent = replace(opponent, 'kind', 'kinf')",
            "it is damaged (a row of matches cannot be read)",
        ),
        ("UPDATE matches SET seed = 'x'", "it is damaged (a row of matches cannot be read)"),
        (
            "UPDATE decisions SET after = CAST(x'302d30a02b36' AS TEXT)",
            "it is damaged (a row of decisions cannot be read)",
        ),
        ("UPDATE decisions SET gain = 'x'", "it is damaged (a row of decisions cannot be read)"),
        ("UPDATE players SET answers = ']'", "it is damaged (a row of players cannot be read)"),
    ],
)
def test_a_file_that_lacks_something_is_refused_at_the_start(tmp_path, records, harm, told):
    path = tmp_path / "lab.db"
    path.write_bytes(records)
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute(harm)
        file.commit()
    with pytest.raises(DicelabError) as refused:
        Store(path)
    assert str(refused.value) == (
        f"cannot use {str(path)!r} for the lab: {told}; name another file with --data"
    )


def test_a_full_disk_is_told_in_a_sentence_and_nothing_is_lost(tmp_path):
    lab = open_lab(tmp_path)
    ann, store = Visitor(lab), lab.state.lab.store
    match = ann.begin("pig", "turtle", parameters=PIG, coach="off")

    def room(pages):
        for file in store._free:
            file.execute(f"PRAGMA max_page_count = {pages}")

    room(1)  # no page more than there are
    for _ in range(500):
        told = ann.client.patch("/api/me", json={"name": "x" * 40}, headers=ann.headers)
        told = ann.client.post("/api/players") if told.status_code == 200 else told
        if told.status_code != 201:
            break
    assert told.status_code == 503
    assert told.json()["error"] == {
        "kind": "NoRecords",
        "message": "the lab cannot reach its records: database or disk is full",
    }
    assert told.headers["x-frame-options"] == "DENY"
    room(10**6)
    assert ann.get(f"/api/matches/{match['id']}")["ply"] == 0
    ann.move(match, "roll")


def test_threads_that_come_and_go_leave_no_connection_open(tmp_path, monkeypatch):
    made, connect = [], sqlite3.connect

    def counted(*given, **more):
        made.append(connect(*given, **more))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", counted)
    store = Store(tmp_path / "lab.db")
    for _ in range(5):
        thread = threading.Thread(target=store.new_player)
        thread.start()
        thread.join()
    assert len(store.players()) == 5
    assert len(made) == 1  # for all threads: a new file has no tables to be compared with others
    store.close()
    for connection in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            connection.execute("SELECT 1")


def test_nothing_is_added_to_a_match_that_is_over(ann, lab):
    store = lab.state.lab.store
    match = ann.begin("pig", "turtle", parameters=PIG, coach="off")
    ann.post(f"/api/matches/{match['id']}/resign")
    before = store.match(match["id"]), store.decisions(match["id"])
    with pytest.raises(Finished) as refused:
        store.add_decisions(match["id"], [], "won")
    assert str(refused.value) == f"match {match['id']!r} is over: nothing can be added to it"
    assert (store.match(match["id"]), store.decisions(match["id"])) == before


def test_the_file_is_written_ahead_and_through_to_the_disk(tmp_path):
    store = Store(tmp_path / "lab.db")
    assert store.rows("PRAGMA journal_mode")[0][0] == "wal"
    assert store.rows("PRAGMA synchronous")[0][0] == 2  # FULL
    store.close()
