"""Every game through every verb, export, figure, `--json` and a match in the lab.

A game is a file of rules: what else there is must work for it by itself. So all registered games
are tried here, in a small form, and those of `strange_games.py`, which a stranger might have
written: over arrays, and as house rules whose positions are tuples; choosing before the throw, and
after it. What a kind of game cannot be asked is refused in a sentence, and those are listed.
"""

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import dicelab
import strange_games
from dicelab.cli import app
from dicelab.core.typed_modules import looking_in
from dicelab.lab import arguments
from dicelab.people.decisions import parse_decisions
from dicelab.plots.kinds import kinds_of
from dicelab.rules import registry
from lab_rooms import best, whole_lab

GAMES = {name: [] for name in dicelab.all_games()} | {
    "421": ["tokens=1", "casts=2", "die=4"],
    "421-round": ["dice=2", "faces=3", "casts=2", "utility=sum"],
    "bear-off": ["chequers=2", "points=3", "die=4"],
    "bear-off alone": ["players=1", "chequers=2"],
    "big-pig": ["target=13"],
    "bonus-fists": ["target=1", "die=2"],
    "cant-stop": ["sides=2", "shortest=1"],
    "cant-stop for two": ["sides=2", "shortest=1", "columns=2", "players=2"],
    "dice-blotto": ["dice=3", "fields=2", "die=3"],
    "dice-battle": ["dice=3", "target=6"],
    "dice-battle at once": ["dice=3", "target=5", "variant=simultaneous"],
    "farkle": ["dice=2", "target=150"],
    "greed": ["max=6", "sides=4"],
    "hog": ["dice=3", "target=8"],
    "pig": ["target=10"],
    "pig-at-once": ["target=4"],
    "piglet": ["target=3"],
    "shut-the-box": ["tiles=4", "die=3"],
    "shut-the-box for two": ["tiles=4", "die=3", "players=2"],
    "solo-pig": ["target=9"],
    "two-dice-pig": ["target=11"],
    "undercut": ["most=3", "target=4"],
    "ur": ["pieces=1"],
    "kniffel": ["dice=2", "casts=2", "only=aces+kniffel", "enough=2"],
    "maxi-yatzy": ["dice=2", "casts=2", "only=twos+one-pair", "enough=4"],
    "yahtzee": ["dice=2", "casts=2", "only=aces+yahtzee", "enough=2"],
    "yahtzee-round": ["dice=2", "faces=3", "casts=2"],
    "yatzy": ["dice=2", "casts=2", "only=twos+one-pair", "enough=4"],
    "own_rules:Ladder": [],
    "own_rules:Heap": ["matches=6"],
    "own_rules:Perch": [],
    "own_rules:Barrel": ["matches=4"],
}
"""Every game with parameters that make it small; a new one is found by itself, as it is."""
ALONE = [
    "421-round",
    "bear-off alone",
    "cant-stop",
    "craps",
    "shut-the-box",
    "solo-pig",
    "kniffel",
    "maxi-yatzy",
    "yahtzee",
    "yahtzee-round",
    "yatzy",
]
AT_ONCE = ["dice-battle at once", "undercut", "bonus-fists", "pig-at-once", "dice-blotto"]
THROW_FIRST = ["own_rules:Perch", "own_rules:Barrel"]
FOR_TWO = [name for name in GAMES if name not in ALONE]
in_every_game = pytest.mark.parametrize("name", GAMES)


def every_game(test):
    """Give a test every game; what it asks of one game, by whatever verb, is solved once."""
    return in_every_game(pytest.mark.usefixtures("games_solved_once")(test))


@pytest.fixture(autouse=True)
def own_rules(tmp_path, monkeypatch):
    (tmp_path / "own_rules.py").write_text(Path(strange_games.__file__).read_text())
    monkeypatch.chdir(tmp_path)
    with looking_in(str(tmp_path)):
        yield


def words(name):
    return [name.partition(" ")[0], *GAMES[name]]


def made(name):
    """Return a game as Python makes it."""
    kind, *given = words(name)
    return dicelab.game(kind, **dict(each.split("=") for each in given))


def seats(name, a, b="random"):
    """Return a strategy for each seat."""
    return [a] if name in ALONE else [a, b]


def reached(name):
    """Return how many positions play can come to; a table may hold others besides."""
    return int(dicelab.density(made(name), *seats(name, "random")).visited.any(axis=0).sum())


def ask(verb, name, *more):
    """Return what a command answers in JSON; strategies and positions come before parameters."""
    kind, *given = words(name)
    answer = CliRunner().invoke(app, [verb, kind, *more, *given, "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def refusal(verb, name, *more):
    """Return the sentence that refuses a question."""
    kind, *given = words(name)
    answer = CliRunner().invoke(app, [verb, kind, *more, *given])
    assert answer.exit_code == 1, answer.output
    sentence = " ".join(answer.stderr.split())
    assert "Traceback" not in sentence
    return sentence


@every_game
def test_solve_gives_a_value_within_its_bounds(name):
    told = ask("solve", name)
    solution = dicelab.solve(made(name))
    assert told["value"] == float(solution.value)
    assert told["lower"] <= told["value"] <= told["upper"]
    assert told["upper"] - told["lower"] < 1e-9
    exact = dicelab.solve(made(name), exact=True).value
    assert isinstance(exact, Fraction)
    assert told["lower"] <= exact <= told["upper"]


@every_game
def test_the_solution_answers_alike_for_every_engine(name):
    solution = dicelab.solve(made(name))
    start = solution.game.start()
    low, high = solution.bounds_at(start)
    assert low <= solution.value_at(start) == solution.value <= high
    moves = solution.moves_at(start)
    assert sorted(moves, key=lambda each: each.cost)[0].cost == 0
    told = solution.as_dict()
    assert told["value"] == float(solution.value)
    for at in solution.ties[:20]:
        free = [each for each in solution.moves_at(at) if each.cost <= 1e-9]
        assert len(free) > 1, at


@every_game
def test_evaluate_knows_the_best_and_what_random_play_costs(name):
    value = ask("solve", name)["value"]
    best_play = ask("evaluate", name, *seats(name, "optimal", "optimal"))
    mean = best_play["value"] if name in ALONE else best_play["value"]["a"]
    assert mean == pytest.approx(value, abs=1e-12)
    guess = ask("evaluate", name, *seats(name, "random", "optimal"))
    mean, fewest = guess["value"] if name in ALONE else guess["value"]["a"], made(name).fewest
    assert mean >= value - 1e-12 if fewest else mean <= value + 1e-12
    assert guess["unit"] == made(name).unit


@every_game
def test_respond_finds_nothing_to_gain_against_the_best(name):
    if name in ALONE:
        assert refusal("respond", name, "random").endswith("there is nobody to reply to")
        return
    assert ask("respond", name, "optimal")["exploitability"] == pytest.approx(0, abs=1e-9)
    told = ask("respond", name, "random")
    assert told["value"] >= ask("solve", name)["value"] - 1e-12
    assert told["lower"] <= told["value"] <= told["upper"]


@every_game
def test_density_counts_every_game_once(name):
    told = ask("density", name, *seats(name, "optimal", "optimal"))
    rest = told.get("unfinished", 0)
    assert sum(told["lengths"]) + rest == pytest.approx(1, abs=1e-6)
    assert told["mean_moves"] >= told["mean_length"] - 1e-6 > 0


@every_game
def test_explain_puts_the_best_move_first(name):
    game = made(name)
    start = game.notation(game.start())
    told = ask("explain", name, start)
    assert told["position"] == start
    assert told["value"] == ask("solve", name)["value"]
    if name not in AT_ONCE:
        assert told["moves"][0]["status"] in ("best", "tied")
        assert [each["cost"] for each in told["moves"]] == sorted(
            each["cost"] for each in told["moves"]
        )
    assert told["sentence"].endswith(".")


def moments(name):
    """Return what the dice may show at the start where that leaves a choice, with its chance."""
    game = made(name)
    start = game.start()
    return {
        game.write(outcome.at): (move, chance)
        for move in game.legal_moves(start)
        for chance, outcome in game.law(start, move)
        if isinstance(outcome.at, dicelab.Moment)
    }


@pytest.mark.parametrize("name", THROW_FIRST)
@pytest.mark.parametrize("against", [[], ["--against", "random"]])
def test_after_a_throw_the_ways_are_explained(name, against):
    assert len(moments(name)) >= 2
    for at in moments(name):
        told = ask("explain", name, at, *against)
        assert told["position"] == at
        assert told["value"] == told["moves"][0]["value"]
        ways = [each["move"] for each in told["moves"]]
        assert sorted(ways) == sorted(made(name).legal_moves(made(name).read(at)))
        assert told["sentence"].endswith(".")


@pytest.mark.parametrize("name", THROW_FIRST)
def test_a_throw_is_worth_the_mean_of_its_best_ways(name):
    game, solution = made(name), dicelab.solve(made(name), exact=True)
    start = game.start()

    def worth(outcome):
        over = not isinstance(outcome.at, dicelab.Moment) and game.result(outcome.at)
        value = 0 if over else solution.value_at(outcome.at)  # who moves after the end has lost
        return 1 - value if outcome.mover == dicelab.OTHER else value

    for told in ask("explain", name, game.notation(start))["moves"]:
        mean = sum(chance * worth(outcome) for chance, outcome in game.law(start, told["move"]))
        assert mean == solution.value_of(start, told["move"]).value
        assert told["lower"] <= mean <= told["upper"]


@every_game
def test_records_have_every_move_and_the_ways_after_throws(name, tmp_path):
    out = tmp_path / "games.csv"
    players = seats(name, "optimal", "random")
    told = ask("simulate", name, *players, "games=50", "--records", str(out))
    assert told["records"] == str(out)
    game = made(name)
    lines = out.read_text().splitlines()
    rows = list(csv.DictReader(lines if game.is_simultaneous else lines[1:]))
    ways = [row for row in rows if " threw " in row["position"]]
    assert len(ways) > 50 or name not in THROW_FIRST
    assert all(row["move"] in game.legal_moves(game.read(row["position"])) for row in rows)
    if not game.is_simultaneous:
        record = parse_decisions(out.read_text(), game)
        assert len(record) == len(rows)


@every_game
def test_simulate_surrounds_the_exact_value(name):
    told = ask("simulate", name, *seats(name, "optimal", "optimal"), "games=400")
    exact = ask("evaluate", name, *seats(name, "optimal", "optimal"))["value"]
    low, high = told["value"]["interval"]
    assert low <= (exact if name in ALONE else exact["overall"]) <= high
    assert told["games"] == 400


@every_game
def test_a_tournament_ranks_in_the_unit_of_the_game(name):
    told = ask("tournament", name, "optimal", "random")
    assert told["unit"] == made(name).unit
    assert told["ranking"][0] == "optimal"


@every_game
def test_compare_and_family_name_the_better_one(name):
    if name in ALONE:
        assert "alone" in refusal("compare", name, "optimal", "random")
        return
    assert ask("compare", name, "optimal", "random", "--margin", "0.2")["better"] in (
        "A",
        "neither",
    )
    for strategy in {"hold-at", "blind", "aim-at"} & set(made(name).strategies):
        found = ask("family", name, f"{strategy}:1..3")["found"][0]
        assert found["best_reply"].partition(":")[0] == strategy


@every_game
def test_strategies_are_listed_and_the_general_ones_with_them(name):
    answer = CliRunner().invoke(app, ["strategies", words(name)[0]])
    assert answer.exit_code == 0, answer.output
    assert all(strategy in answer.stdout for strategy in made(name).strategies)
    assert "random" in answer.stdout
    assert "optimal" in answer.stdout


FORMATS = ("prism", "storm", "openspiel", "gymnasium", "pettingzoo")
ONE_PLAYER = ("storm", "gymnasium")  # these know one player: the other is named with --against
UNWRITTEN = [
    *((name, "prism") for name in AT_ONCE),
    *((name, "pettingzoo") for name in ALONE),
]


@every_game
@pytest.mark.parametrize("to", FORMATS)
def test_every_export_is_written_or_refused_in_a_sentence(name, to):
    kind, *given = words(name)
    against = ["--against", "random"] if to in ONE_PLAYER and name not in ALONE else []
    answer = CliRunner().invoke(app, ["export", kind, *given, "--to", to, *against])
    if (name, to) in UNWRITTEN:
        assert answer.exit_code == 1
        assert answer.stderr.startswith("ExportError: ")
        return
    assert answer.exit_code == 0, answer.output
    if name in THROW_FIRST and to in ("prism", "storm"):  # every moment is a state
        assert all(f"{at}, first to move" in answer.stdout for at in moments(name))
    if to == "storm":
        assert len(re.findall(r"^state \d+", answer.stdout, re.M)) >= reached(name)
    elif to == "prism":
        assert "endmodule" in answer.stdout
        assert "label" in answer.stdout or "rewards" in answer.stdout
    else:
        compile(answer.stdout, to, "exec")
        assert f'"{kind}"' in answer.stdout


ONE_OF_A_KIND = ["421-round", "craps", "farkle", "piglet", "shut-the-box", "undercut", "yahtzee"]
ONE_OF_A_KIND += ["own_rules:Heap", "own_rules:Perch"]
one_of_a_kind_first = pytest.mark.parametrize(
    "name",
    [
        name if name in ONE_OF_A_KIND else pytest.param(name, marks=pytest.mark.slow)
        for name in GAMES
    ],
)
"""Pictures and reports take seconds, and games of one kind have the same: the others are slow."""


@one_of_a_kind_first
def test_every_figure_is_a_picture_with_words(name, tmp_path):
    kind, *given = words(name)
    for figure in ("best", "length", "map", "ladder"):
        assert figure in kinds_of(kind)
        more = [] if figure != "length" or name in ALONE else ["optimal", "random"]
        out = tmp_path / f"{figure}.svg"
        command = ["plot", kind, figure, *more, *given, "--out", str(out)]
        answer = CliRunner().invoke(app, command)
        assert answer.exit_code == 0, answer.output
        drawn = ElementTree.parse(out).getroot()
        assert drawn.tag.endswith("svg")
        assert sum(1 for _ in drawn.iter()) > 50
        assert f"dicelab plot {kind} {figure}" in out.read_text()


@one_of_a_kind_first
def test_a_report_has_every_section_or_says_why_not(name, tmp_path):
    out = tmp_path / "report.html"
    told = ask("report", name, "--tries", "3", "--out", str(out))
    assert told["value"]["value"]["value"] == pytest.approx(ask("solve", name)["value"], abs=1e-9)
    for section in ("size", "length", "endings", "skill", "lead", "moves", "changes"):
        assert "refused" not in told[section], section
    assert told["skill"]["ladder"][-1]["strategy"] == "optimal"
    cost = {one["player"]: one.get("cost", {"value": 0})["value"] for one in told["restricted"]}
    assert len(cost) == 4
    assert all(each >= 0 for each in cost.values())
    assert out.read_text("utf-8").count("<svg ") >= 8


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with whole_lab(tmp_path_factory.mktemp("lab"), seed=3) as app:
        yield app


@pytest.fixture
def admitted():
    """What makes a game known as `dicelab lab module:Class` does, until the test is over."""
    before = registry.all_games()
    arguments.known_games.cache_clear()
    yield registry.admit
    registry._GAMES.clear()
    registry._GAMES.update(before)
    arguments.known_games.cache_clear()
    arguments._made.cache_clear()


@in_every_game  # the lab solves by itself
def test_a_whole_match_in_the_lab_with_coach_and_review(ann, admitted, name):
    kind, *given = words(name)
    kind = admitted(kind)
    parameters = dict(each.split("=") for each in given)
    opponent = {"kind": "nobody"} if name in ALONE else "random"
    match = ann.begin(kind, opponent, parameters=parameters, starts="me")
    told = ann.get(f"/api/matches/{match['id']}", wait=60)
    game = made(name)
    assert told["coach"]["value"] == float(dicelab.solve(game, exact=game.solved_exactly).value)
    if name in FOR_TWO:
        reply = dicelab.best_response(game, "random").solution
        assert told["coach"]["against"]["value"] == float(reply.value)
    seen = ann.finish(match, best)
    assert seen[-1]["over"]
    events = [event for one in seen for event in one["events"]]
    assert all(event["text"].endswith(".") for event in events)
    assert any(event["effect"] == "threw" for event in events) or name not in THROW_FIRST
    review = ann.get(f"/api/reviews/{match['id']}", wait=60)
    assert review["you"]["result"] == pytest.approx(seen[-1]["result"]["value"], abs=1e-9)
    assert review["you"]["cost"] == pytest.approx(0, abs=1e-9)
    assert review["mistakes"] == []
