"""Everything that is a player's own: as a file, from a file, and forgotten."""

import copy

import pytest

from lab_rooms import Visitor, best, open_lab, worst

GAMES = [
    ("pig", {"target": 15}, "hold-at:8"),
    ("dice-battle", {"dice": 2, "target": 8, "variant": "simultaneous"}, "optimal"),
    ("solo-pig", {"target": 10, "turns": 3}, "optimal"),
    ("farkle", {"target": 500}, "random"),
    ("421-round", {}, "optimal"),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return open_lab(tmp_path_factory.mktemp("lab"), seed=5)


@pytest.fixture(scope="module")
def ann(app):
    ann = Visitor(app)
    for number, (game, parameters, opponent) in enumerate(GAMES):
        ann.finish(ann.begin(game, opponent, parameters=parameters), [best, worst][number % 2])
    stopped = ann.begin("pig", "optimal", parameters={"target": 15})
    ann.post(f"/api/matches/{ann.move(stopped, 'roll')['id']}/resign")
    ann.begin("pig", "optimal", parameters={"target": 15})  # goes on: it is in no file
    return ann


@pytest.fixture
def file(ann):
    return ann.get("/api/me/games")


def brought(who, file):
    return who.post("/api/me/games", {"games": file["games"], "paintings": file["paintings"]})


def test_a_file_has_every_finished_game_and_no_dice_to_come(file):
    assert (file["format"], file["version"]) == ("dicelab games", 1)
    assert [game["game"] for game in file["games"]] == [*(game for game, _, _ in GAMES), "pig"]
    assert file["games"][-1]["outcome"] == "stopped"
    assert "seed" not in str(file)


def test_a_file_brought_in_elsewhere_gives_the_same_history_and_reviews(ann, file, tmp_path):
    bob = Visitor(open_lab(tmp_path, seed=9))
    told = brought(bob, file)
    assert told == {"added": 6, "known": 0, "paintings": 0, "refused": []}
    here, there = ann.get("/api/history"), bob.get("/api/history")
    for name in ("title", "played", "outcome", "cost", "luck", "unforced"):
        assert [one[name] for one in here["games"]] == [one[name] for one in there["games"]]
    first = bob.get(f"/api/reviews/{there['games'][0]['id']}")
    assert first["opponent"]["label"] == "hold at 8"
    # the same file twice adds nothing
    assert brought(bob, file) == {"added": 0, "known": 6, "paintings": 0, "refused": []}
    assert brought(ann, file)["known"] == 6


def test_who_sat_opposite_keeps_the_name_in_a_file(tmp_path):
    ann, bob = (Visitor(open_lab(tmp_path / name, seed=9)) for name in ("ann", "bob"))
    for rules in ({"target": 10}, {"target": 5, "players": 3}):
        others = [{"kind": "strategy", "name": name} for name in ("hold-at:20", "random")]
        body = {
            "game": "pig",
            "parameters": rules,
            "opponents": others[: rules.get("players", 2) - 1],
        }
        ann.finish(ann.post("/api/matches?wait=60", body, 201), best)
    file = ann.get("/api/me/games")
    assert [each["opponent"] for each in file["games"]] == ["hold-at:20", "hold-at:20, random"]
    brought(bob, file)
    assert [each["opponent"] for each in bob.get("/api/history")["games"]] == [
        each["opponent"] for each in ann.get("/api/history")["games"]
    ]
    again = bob.get("/api/me/games")["games"]
    assert [each["opponent"] for each in again] == [each["opponent"] for each in file["games"]]


def test_games_from_a_file_are_in_no_study(file, tmp_path):
    app = open_lab(tmp_path)
    brought(Visitor(app), file)
    said = Visitor(app).refused("GET", "/api/admin/decisions.csv?game=pig&target=15", 400)
    assert said == "there is no finished game of pig target=15 yet: play one to its end"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda game: game["decisions"][0].update(move="hold"), "decision 1 cannot have happened"),
        (lambda game: game["decisions"][0].update(after="14-0 +0"), "decision 1 cannot"),
        (lambda game: game["decisions"].pop(1), "decision 2 cannot have happened by these rules"),
        (lambda game: game["decisions"].pop(), "its moves do not lead to the end that it tells"),
        (lambda game: game.update(game="none"), "no game called 'none'"),
        (lambda game: game["decisions"][1].update(position="x"), "decision 2 cannot"),
    ],
)
def test_a_game_that_the_rules_do_not_allow_is_refused(app, file, change, said):
    game = copy.deepcopy(file["games"][0])
    change(game)
    told = Visitor(app).post("/api/me/games", {"games": [game]})
    assert (told["added"], len(told["refused"])) == (0, 1)
    assert said in told["refused"][0]


def test_a_gain_over_nothing_is_no_number(app, file):
    game = copy.deepcopy(file["games"][0])
    game["decisions"][0]["gain"] = "1/0"
    said = Visitor(app).refused("POST", "/api/me/games", 422, json={"games": [game]})
    assert said.startswith("games.0.decisions.0.gain: string should match pattern")


def test_whoever_leaves_leaves_nothing_behind(app, ann, file):
    store = app.state.lab.store
    eve = Visitor(app)
    brought(eve, file)
    eve.get("/api/history")
    painted = {"painted": "holds", "name": "all at 5", "holds": 5}
    eve.post(
        "/api/paintings", {"game": "pig", "parameters": {"target": 15}, "painted": painted}, 201
    )
    (number,) = (
        one.number for one in store.players() if store.matches(one.number) and one.number != 1
    )
    counts = ("players", "matches", "decisions", "reviews", "paintings")
    before = {name: store.rows(f"SELECT count(*) FROM {name}")[0][0] for name in counts}
    mine = len(store.matches(number))
    eve.ask("DELETE", "/api/me", 204)
    after = {name: store.rows(f"SELECT count(*) FROM {name}")[0][0] for name in counts}
    assert (before["players"] - after["players"], before["matches"] - after["matches"]) == (1, mine)
    assert before["paintings"] - after["paintings"] == 1
    assert after["decisions"] < before["decisions"]
    assert eve.refused("GET", "/api/history", 401).startswith("you are no player here")
    assert len(ann.get("/api/history")["games"]) == 6


def test_the_name_of_whoever_left_stands_in_no_file_any_more(tmp_path):
    eve = Visitor(open_lab(tmp_path))
    eve.ask("PATCH", "/api/me", json={"name": "Evelyn of the Hill"})
    eve.begin("pig", "hold-at:4", parameters={"target": 5}, starts="me")
    files = [path for path in tmp_path.iterdir() if b"Evelyn of the Hill" in path.read_bytes()]
    assert files
    eve.ask("DELETE", "/api/me", 204)
    assert not any(b"Evelyn of the Hill" in path.read_bytes() for path in tmp_path.iterdir())
