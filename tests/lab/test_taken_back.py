"""Taking back a move: other dice, what it would have cost, and practice from then on."""

import threading

import pytest

import dicelab
from lab_rooms import LabProcess, Visitor, best, free_port, open_lab, worst

PIG = {"parameters": {"target": 30}, "starts": "me"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=5)


@pytest.fixture
def ann(lab):
    return Visitor(lab)


def take_back(visitor, match, **more):
    return visitor.post(f"/api/matches/{match['id']}/take-back", {"ply": match["ply"]}, **more)


def test_the_choice_is_there_again_with_its_cost_and_with_other_dice(ann):
    match = ann.begin("pig", "hold-at:9", **PIG)
    assert not match["can_take_back"]  # the first roll is forced
    seen = [match]
    while len(seen[-1]["moves"]) < 2:
        seen.append(ann.move(seen[-1], "roll"))
    before = seen[-1]
    after = ann.move(before, "hold")
    assert after["can_take_back"]
    back = take_back(ann, after)
    assert back["position"] == before["position"]
    assert back["moves"] == before["moves"]
    assert back["ply"] == after["ply"] + 1  # it has a number, as a decision has
    game = dicelab.game("pig", target=30)
    at = before["position"]["notation"]
    cost = float(dicelab.solve(game).value_of(game.parse(at), "hold").cost)
    label = next(one["label"] for one in before["moves"] if one["move"] == "hold")
    assert back["taken"]["cost"] == pytest.approx(cost, abs=1e-12)
    assert back["taken"]["sentence"].startswith(f"You took back: {label}. It would have cost you ")
    last = back["events"][-1]
    assert (last["effect"], last["text"]) == ("taken back", f"You took back: {label}.")
    assert back["practice"] == (
        "Practice: a move was taken back in this game. It counts in no statistics."
    )
    assert ann.get(f"/api/matches/{match['id']}") == back  # it is there when one comes back
    on = ann.move(back, "hold")
    assert on["taken"] is None
    assert on["events"][0]["ply"] == back["ply"] + 1


def test_nobody_sees_the_same_dice_again(ann):
    """Take back a roll many times: its faces come as dice fall, not as they lay before."""
    match = ann.begin("pig", "hold-at:9", coach="off", **PIG)
    while len(match["moves"]) < 2:
        match = ann.move(match, "roll")
    faces = []
    for _ in range(30):
        after = ann.move(match, "roll")
        faces.append(after["events"][0]["dice"][0])
        if after["over"]:
            break
        match = take_back(ann, after)
    assert len(set(faces)) >= 4  # of 30 throws; fewer has a chance below 10 ** -4


@pytest.mark.parametrize(
    ("name", "parameters", "opponent"),
    [
        ("dice-battle", {"target": 20, "dice": 3, "variant": "simultaneous"}, "optimal"),
        ("greed", {"max": 15}, "aim-at"),
        ("yahtzee-round", {"dice": 2, "casts": 9, "utility": "sum"}, {"kind": "nobody"}),
        ("pig", {"target": 10, "players": 3}, "hold-at:4"),
        ("shut-the-box", {}, {"kind": "nobody"}),
    ],
)
def test_every_kind_of_game_goes_on_to_a_review_that_adds_up(ann, name, parameters, opponent):
    match = ann.begin(name, opponent, parameters=parameters)
    backs = 0
    while not match["over"]:
        match = ann.move(match, best(match))
        if match["can_take_back"] and backs < 2:
            match, backs = take_back(ann, match), backs + 1
            match = ann.move(match, worst(match))
    assert backs
    assert match["result"]["outcome"] in ("won", "lost", "drawn", "done")
    review = ann.get(f"/api/reviews/{match['id']}")
    assert len(review["taken_back"]) == backs
    assert review["practice"].startswith("Practice: a move was taken back")
    you, other = review["you"], review["opponent_score"]
    if parameters.get("players", 2) == 2:
        sign = -1 if dicelab.game(name, **parameters).fewest else 1
        total = review["start_value"] + sign * (you["luck"] - you["cost"])
        if other is not None:
            at_once = "simultaneous" in review["title"]
            total += other["cost"] - (0 if at_once else other["luck"])
        assert total == pytest.approx(you["result"], abs=1e-9)
    assert sum(one["cost"] for one in review["mistakes"]) == pytest.approx(you["cost"], abs=1e-9)
    ours = ann.get("/api/history")
    assert match["title"] not in [one["title"] for one in ours["totals"]]
    assert next(one for one in ours["games"] if one["id"] == match["id"])["practice"]


def test_what_cannot_be_taken_back_is_refused_in_a_sentence(ann):
    match = ann.begin("pig", "hold-at:9", **PIG)
    path = f"/api/matches/{match['id']}/take-back"
    asked = {"json": {"ply": 0}}
    assert ann.refused("POST", path, 400, **asked) == (
        "there is nothing to take back: you have not chosen anything yet"
    )
    after = ann.move(match, "roll")
    assert ann.refused("POST", path, 409, **asked) == (
        f"the match has moved on: {after['ply']} decisions were made, not 0"
    )
    bob = Visitor(ann.app)
    assert bob.refused("POST", path, 404, **asked) == f"you have no match {match['id']!r}"
    ann.post(f"/api/matches/{match['id']}/resign")
    assert ann.refused("POST", path, 400, **asked) == (
        "nothing is taken back in a game that is over: its review tells what moves cost"
    )
    daily = ann.post("/api/daily?wait=60", status=201)
    assert not daily["can_take_back"]
    assert ann.refused("POST", f"/api/matches/{daily['id']}/take-back", 400, **asked) == (
        "nothing is taken back in the game of the day: everybody plays it as it comes"
    )


def test_a_move_and_taking_back_at_the_same_moment_are_not_both_made(ann):
    match = ann.begin("pig", "hold-at:9", coach="off", **PIG)
    while not match["can_take_back"]:
        match = ann.move(match, "roll")
    for _ in range(10):
        path, ply = f"/api/matches/{match['id']}", match["ply"]
        asked = [
            (f"{path}/take-back", {"ply": ply}),
            (f"{path}/moves", {"move": "roll", "ply": ply}),
        ]
        found = []

        def ask(address, body, found=found):
            answer = ann.client.post(address, json=body, headers=ann.headers)
            found.append(answer.status_code)

        threads = [threading.Thread(target=ask, args=each) for each in asked]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [200, 409]
        match = ann.get(path)
        while not match["can_take_back"] and not match["over"]:
            match = ann.move(match, "roll")
        if match["over"]:
            return


def test_a_game_with_a_move_taken_back_travels_in_a_file_and_stays_practice(ann):
    match = ann.begin("pig", "hold-at:9", coach="on", **PIG)
    while not match["can_take_back"]:
        match = ann.move(match, "roll")
    ann.finish(take_back(ann, match), best)
    kept = ann.get("/api/me/games")
    bob = Visitor(ann.app)
    games = [one for one in kept["games"] if one["origin"] == match["id"]]
    assert [row["ply"] for row in games[0]["decisions"]] == [
        *range(1, len(games[0]["decisions"]) + 1)
    ]
    told = bob.post("/api/me/games", {"games": games})
    assert (told["added"], told["refused"]) == (1, [])
    assert bob.get("/api/history")["games"][0]["practice"]
    assert bob.get("/api/history")["totals"] == []


def test_after_kill_9_what_was_taken_back_is_taken_back(tmp_path):
    port = free_port()
    server = LabProcess(tmp_path / "lab.db", port)
    try:
        token = server.ask("POST", "/api/players")[1]["token"]
        body = {"game": "pig", "coach": "off", **PIG}
        match = server.ask("POST", "/api/matches?wait=60", body, token)[1]
        path = f"/api/matches/{match['id']}"
        while not match["can_take_back"]:
            move = {"move": "roll", "ply": match["ply"]}
            match = server.ask("POST", f"{path}/moves?wait=60", move, token)[1]
        status, back = server.ask("POST", f"{path}/take-back?wait=60", {"ply": match["ply"]}, token)
        assert status == 200
        server.kill()
        server = LabProcess(tmp_path / "lab.db", port)
        assert server.ask("GET", f"{path}?wait=60", None, token) == (200, back)
        move = {"move": "roll", "ply": back["ply"]}
        assert server.ask("POST", f"{path}/moves?wait=60", move, token)[0] == 200
    finally:
        server.kill()
