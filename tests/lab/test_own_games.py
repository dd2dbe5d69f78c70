"""Games of one's own in the lab: named at the terminal, and by nobody else; played over HTTP."""

import sys
from importlib import import_module

import pytest
from typer.testing import CliRunner

import dicelab
from dicelab.cli import app
from dicelab.errors import DicelabError
from dicelab.rules import registry
from lab_rooms import LabProcess, free_port

OWN = """
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dicelab import LOSS, ONGOING, OTHER, SAME, WIN, Game, HouseRules, where
from dicelab.games.pig import Pig

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Heap(HouseRules):
    '''Take one or two matches; a coin may take one more. Who takes the last wins.'''

    matches: int = 7

    def start(self):
        return (self.matches, ())

    def choices(self, at):
        return ["1", "2"] if at[0] > 1 else ["1"]

    def outcomes(self, at, move):
        left = at[0] - int(move)
        yield HALF, (left, (*at[1], int(move))[-2:]), OTHER
        yield HALF, (max(0, left - 1), (*at[1], int(move))[-2:]), OTHER

    def result(self, at):
        return LOSS if at[0] == 0 else None


class Steps(NamedTuple):
    mine: int
    yours: int
    pot: int


@dataclass(frozen=True)
class Ladder(Game):
    top: int = 5
    name: ClassVar[str] = "ladder"
    moves: ClassVar[tuple[str, ...]] = ("climb", "take")

    def start(self):
        return Steps(0, 0, 0)

    def legal(self, at, move):
        return at.pot >= (0 if move == "climb" else 1)

    def outcomes(self, at, move):
        if move == "take":
            yield 1, Steps(at.yours, at.mine + at.pot, 0 * at.pot), OTHER
        else:
            yield HALF, Steps(at.mine, at.yours, at.pot + 1), SAME
            yield HALF, Steps(at.yours, at.mine, 0 * at.pot), OTHER

    def result(self, at):
        over = where(at.mine + at.pot >= self.top, WIN, ONGOING)
        return where(at.yours >= self.top, LOSS, over)


class Other(Heap):
    pass


class Kin(Pig):
    pass


class Thief(Heap):
    name = "pig"


@dataclass(frozen=True)
class Bare(HouseRules):
    tiles: int

    start = choices = outcomes = result = lambda *_: None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("own")
    (place / "own_games.py").write_text(OWN, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def own(folder):
    sys.path.insert(0, str(folder))
    yield import_module("own_games")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def lab(folder):
    """A lab as a person starts it in the folder with their games."""
    games = ["own_games:Heap", "own_games:Ladder", "greed"]
    process = LabProcess(folder / "lab.db", free_port(), games=games, folder=folder)
    yield process
    process.kill()


@pytest.fixture(scope="module")
def token(lab):
    return lab.ask("POST", "/api/players")[1]["token"]


def test_games_named_at_the_terminal_are_listed_first(lab):
    _, told = lab.ask("GET", "/api/games")
    first = told["games"][:4]
    assert [one["name"] for one in first] == ["own_games:Heap", "ladder", "greed", "pig"]
    assert [one["title"] for one in first] == ["Heap", "Ladder", "Greed", "Pig"]
    assert first[0]["rules"] == "Take one or two matches; a coin may take one more."
    assert first[1]["rules"] == "A game for two players."  # it says nothing of itself
    assert [one["name"] for one in first[0]["parameters"]] == ["matches"]


@pytest.mark.parametrize(("name", "kind"), [("own_games:Heap", "Heap"), ("ladder", "Ladder")])
@pytest.mark.parametrize("place", [0, -1], ids=["best", "worst"])
def test_a_whole_match_has_a_coach_and_a_review_that_adds_up(lab, token, own, name, kind, place):
    solution = dicelab.solve(getattr(own, kind)())
    opponent = {"kind": "strategy", "name": "random"}
    body = {"game": name, "opponent": opponent, "starts": "me"}
    status, match = lab.ask("POST", "/api/matches?wait=60", body, token)
    assert status == 201
    while not match["over"]:
        at = match["position"]["notation"]
        assert match["coach"]["value"] == float(solution.value_at(at))
        assert [one["move"] for one in match["coach"]["moves"]] == [
            one.move for one in solution.moves_at(at)
        ]
        assert match["position"]["words"].endswith(".")
        told = {one["move"]: one["label"] for one in match["moves"]}
        assert list(told) == list(solution.game.legal_moves(solution.game.parse(at)))
        move = match["coach"]["moves"][place]["move"]
        body = {"move": move, "ply": match["ply"]}
        status, match = lab.ask("POST", f"/api/matches/{match['id']}/moves", body, token)
        assert status == 200
    status, review = lab.ask("GET", f"/api/reviews/{match['id']}", token=token)
    assert status == 200
    you, other = review["you"], review["opponent_score"]
    total = review["start_value"] + you["luck"] - you["cost"] + other["cost"] - other["luck"]
    assert total == pytest.approx(you["result"], abs=1e-9)
    assert you["result"] == match["result"]["value"]
    assert review["start_value"] == float(solution.value)
    assert sum(one["cost"] for one in review["mistakes"]) == pytest.approx(you["cost"], abs=1e-12)
    if place == 0:
        assert you["cost"] == 0
    for one in review["mistakes"]:
        assert one["sentence"].startswith("Best was to ")


@pytest.mark.parametrize("name", ["own_games:Other", "own_games:Ladder", "os:path", "own_games"])
def test_a_page_names_no_module(lab, token, name):
    names = sorted({*dicelab.all_games(), "ladder", "own_games:Heap"})
    known = f"no game called {{!r}}; there is {', '.join(names)}"
    for method, path, body in (
        ("POST", "/api/matches", {"game": name}),
        ("POST", "/api/games/check", {"game": name}),
        ("GET", f"/api/explore/{name}", None),
    ):
        status, told = lab.ask(method, path, body, token)
        assert status == 400
        said = told["error"]["message"]
        assert said == known.format(name) or said.startswith(f"no game called {name!r}; did you")


def test_a_match_of_a_game_that_is_not_named_again_is_refused_in_a_sentence(
    folder, own, token, lab
):
    _, match = lab.ask("POST", "/api/matches?wait=60", {"game": "own_games:Heap"}, token)
    lab.ask("POST", f"/api/matches/{match['id']}/resign", {}, token)
    later = LabProcess(folder / "lab.db", free_port(), folder=folder)
    try:
        status, told = later.ask("GET", f"/api/matches/{match['id']}", token=token)
        assert (status, told["error"]["message"]) == (
            400,
            "this match is of own_games:Heap, which is not played here now: whoever starts the "
            "lab can name its game, as in dicelab lab module:Class",
        )
        assert later.ask("GET", "/api/matches", token=token)[0] == 200
        assert later.ask("GET", "/api/admin/overview", token=token)[0] == 200
        assert later.ask("GET", "/api/history", token=token)[0] == 200
    finally:
        later.kill()


@pytest.fixture
def forgotten():
    """Whatever a test registers is not known afterwards."""
    before = registry.all_games()
    yield
    registry._GAMES.clear()
    registry._GAMES.update(before)


@pytest.mark.usefixtures("forgotten")
def test_a_game_without_a_name_of_its_own_goes_by_its_path(own):
    assert registry.admit("own_games:Kin") == "own_games:Kin"  # not by the name of Pig
    assert registry.admit("own_games:Ladder") == "ladder"
    assert registry.admit("pig") == "pig"
    with pytest.raises(DicelabError) as refused:
        registry.admit("own_games:Thief")
    assert str(refused.value) == (
        "own_games:Thief calls itself 'pig', as another game does: rename it"
    )
    with pytest.raises(DicelabError) as refused:
        registry.admit("own_games:Bare")
    assert str(refused.value) == (
        "own_games:Bare cannot be listed without tiles: give every parameter a default"
    )


def test_a_lab_of_a_game_that_is_none_does_not_start(tmp_path):
    done = CliRunner().invoke(app, ["lab", "pgi", "--no-browser", "--data", str(tmp_path / "x.db")])
    assert (done.exit_code, done.stderr) == (
        1,
        "UnknownGame: no game called 'pgi'; did you mean 'pig'?\n",
    )
    assert not (tmp_path / "x.db").exists()
