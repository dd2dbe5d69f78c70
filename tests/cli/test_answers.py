"""What the commands answer, to people and to programs."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import subprocess
import sys
from fractions import Fraction

import pytest

from dicelab import __version__

COIN_RACE = '''
from dataclasses import dataclass
from fractions import Fraction
from dicelab import LOSS, ONGOING, OTHER, HouseRules

@dataclass(frozen=True)
class Race(HouseRules):
    """The first to throw heads wins."""

    def start(self):
        return 0

    def choices(self, at):
        return ["throw"]

    def outcomes(self, at, move):
        yield Fraction(1, 2), 1, OTHER
        yield Fraction(1, 2), 0, OTHER

    def result(self, at):
        return LOSS if at else ONGOING

def boldly(at):
    return "roll"
'''


@pytest.fixture
def own(dicelab, monkeypatch, request):
    """Return the name of a module with a game and a strategy of one's own."""
    name = f"own_{abs(hash(request.node.name))}"
    (dicelab.folder / f"{name}.py").write_text(COIN_RACE)
    return name


def test_the_version_is_the_packages(dicelab):
    assert dicelab("--version").stdout == f"dicelab {__version__}\n"


def test_solving_for_people_is_a_headline_and_a_few_lines(dicelab):
    # v = 5/6 + (1 - v)/6, so v = 6/7 = 0.857142...
    lines = dicelab("solve", "pig", "target=2").stdout.splitlines()
    assert re.fullmatch(
        r"pig target=2: the first player wins 85\.7143% with best play "
        r"\(certified within \de-\d\d\)",
        lines[0],
    )
    assert re.fullmatch(r"\d+ positions in \d+\.\d\d s", lines[1])
    assert lines[2] == "On the first turn, roll until you win or bust."
    assert len(lines) < 12


HEAD_START = """
from dataclasses import dataclass
from dicelab.games.pig import Pig, PigPosition

@dataclass(frozen=True)
class HeadStart(Pig):
    ahead: int = 0

    def start(self):
        return PigPosition(0, self.ahead, 0)
"""


def test_the_first_turn_is_the_one_the_game_starts_with(dicelab):
    # the guide's own game; no turn begins at 0-0 where the other starts with 5 points
    (dicelab.folder / "ahead_of_pig.py").write_text(HEAD_START)
    said = dicelab("solve", "ahead_of_pig:HeadStart", "target=40", "ahead=5").stdout
    assert "On the first turn, roll until you win or bust." in said.splitlines()
    assert "nan" not in said
    assert said.splitlines()[-1] == "(-: no turn begins there)"


def test_bounds_of_an_exact_reply_hold_its_fraction_between_them(dicelab):
    answer = dicelab.json("respond", "pig", "hold-at:5", "target=6", "--exact")
    value = Fraction(answer["fractions"]["first"])
    assert Fraction(answer["lower"]) < value < Fraction(answer["upper"])
    assert answer["value"] == float(value)


def test_solving_exactly_gives_the_fraction(dicelab):
    # Neller & Presser (2004) give 4/7 for Piglet to 2.
    answer = dicelab.json("solve", "piglet", "target=2", "--exact")
    assert answer["fraction"] == "4/7"
    assert answer["lower"] <= 4 / 7 <= answer["upper"]
    assert answer["upper"] - answer["lower"] < 3e-16
    assert "exactly 4/7" in dicelab("solve", "piglet", "target=2", "--exact").stdout


def test_parameters_come_back_as_they_were_understood(dicelab):
    answer = dicelab.json("solve", "pig", "target=4", "die=d4", "passing=no")
    assert answer["game"] == "pig"
    assert answer["parameters"] == {
        "target": 4,
        "die": "4",
        "bust": 1,
        "dice": 1,
        "passing": False,
        "players": 2,
    }


def test_parameters_may_stand_before_or_after_the_strategies(dicelab):
    before = dicelab.json("evaluate", "pig", "target=9", "turtle", "hold-at:3")
    after = dicelab.json("evaluate", "pig", "turtle", "hold-at:3", "target=9")
    assert {**before, "seconds": 0} == {**after, "seconds": 0}


def test_evaluating_tells_all_chances_for_each_start(dicelab):
    # Rolling to win at target 2: the mover wins with 6/7 whoever moves first.
    answer = dicelab.json("evaluate", "pig", "roll-to-win", "roll-to-win", "target=2")
    assert answer["first"] == pytest.approx(6 / 7, abs=1e-14)
    assert answer["second"] == pytest.approx(6 / 7, abs=1e-14)
    assert answer["overall"] == pytest.approx(1 / 2, abs=1e-14)
    assert answer["never_ends"] == 0
    assert answer["starts"]["b"]["a_wins"] == pytest.approx(1 / 7, abs=1e-14)


def test_players_who_wait_for_each_other_are_told_so(dicelab):
    words = ("pig", "skip-when-level", "skip-when-level", "target=30", "passing=yes")
    answer = dicelab.json("evaluate", *words)
    four = answer["starts"]["a"]
    assert answer["never_ends"] > 0.01
    assert sum(four.values()) == pytest.approx(1, abs=1e-12)
    assert "never ends" in dicelab("evaluate", *words).stdout
    assert dicelab.json("density", *words)["mean_length"] is None


def test_a_game_alone_takes_one_strategy(dicelab):
    # v = 1 + v/6, so 6/5 turns.
    answer = dicelab.json("evaluate", "solo-pig", "roll-to-win", "target=2", "--exact")
    assert (answer["fraction"], answer["unit"]) == ("6/5", "turns")
    told = dicelab("evaluate", "solo-pig", "roll-to-win", "target=2").stdout
    assert told.startswith("solo-pig target=2: roll-to-win: 1.2 turns on average (certified within")


def test_the_reply_to_a_reply_settles(dicelab):
    words = ("pig", "turtle", "target=25")
    answer = dicelab.json("respond", *words, "--iterate", "--out", "last.npz")
    best = dicelab.json("solve", "pig", "target=25")["value"]
    last = dicelab.json("evaluate", "pig", "file:last.npz", "file:last.npz", "target=25")
    assert answer["settled"]
    assert last["first"] == pytest.approx(best, abs=1e-12)
    orders = answer["orders"]
    assert [order["order"] for order in orders] == [n + 1 for n in range(len(orders))]
    three = ("first", "second", "overall")
    alone = dicelab.json("respond", *words)
    assert [orders[0][key] for key in three] == pytest.approx([alone[key] for key in three])
    told = dicelab("respond", *words, "--iterate").stdout
    assert f"settled after {len(orders) - 1} orders: the last reply is its own best reply" in told


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_range_of_starts_ends_in_optimal_play(dicelab, jobs):
    answer = dicelab.json(
        "respond", "pig", "hold-at:2..4", "target=12", "--iterate", "--jobs", jobs
    )
    assert [one["start"] for one in answer["starts"]] == ["hold-at:2", "hold-at:3", "hold-at:4"]
    assert all(one["settled"] and one["optimal_where_play_goes"] for one in answer["starts"])
    assert all(one["orders"] >= 1 for one in answer["starts"])


def test_a_start_does_not_change_the_best_reply(dicelab):
    plain = dicelab.json("respond", "pig", "turtle", "target=15")
    started = dicelab.json("respond", "pig", "turtle", "target=15", "--start", "roll-to-win")
    assert started["first"] == pytest.approx(plain["first"], abs=1e-12)


def test_the_length_of_a_race_to_two_is_geometric(dicelab):
    # Each turn wins with 5/6, so the game lasts 6/5 turns on average, and 1 turn with 5/6.
    answer = dicelab.json("density", "pig", "roll-to-win", "roll-to-win", "target=2")
    assert answer["mean_length"] == pytest.approx(6 / 5, abs=1e-7)
    assert answer["lengths"][0] == pytest.approx(5 / 6)
    assert answer["quantiles"]["0.5"] == 1
    assert answer["most_visited"][0]["position"] == "0-0 +0"
    assert answer["most_visited"][0]["ever"] == pytest.approx(1 / 6)


def test_visits_are_written_for_every_position_that_play_can_reach(dicelab):
    told = dicelab("density", "pig", "roll-to-win", "roll-to-win", "target=2", "--out", "v.csv")
    rows = list(csv.DictReader((dicelab.folder / "v.csv").read_text().splitlines()))
    start = next(row for row in rows if (row["mine"], row["at_risk"]) == ("0", "0"))
    # A's visits to the start: 1 + 1/36 + ... = 36/35.
    assert float(start["visits_a"]) == pytest.approx(36 / 35)
    assert float(start["ever_b"]) == pytest.approx(1 / 6)
    assert told.stdout.splitlines()[-1] == "wrote v.csv"


def test_a_game_that_is_one_large_component_is_told_alike(dicelab, monkeypatch):
    words = ("density", "two-dice-pig", "random", "hold-at:6", "target=15")
    known = dicelab.json(*words)
    dicelab(*words, "--out", "known.csv")
    for limit in ("FEW_CUTS", "MOST_UNKNOWNS"):  # as if it had too many cuts
        monkeypatch.setattr(sys.modules["dicelab.verbs.density"], limit, 0)
    found = dicelab.json(*words)
    assert found["visited"] == known["visited"] > 0
    assert [one["position"] for one in found["most_visited"]] == [
        one["position"] for one in known["most_visited"]
    ]
    for one, two in zip(found["most_visited"], known["most_visited"], strict=True):
        assert (one["ever"], one["visits"]) == pytest.approx((two["ever"], two["visits"]))
    dicelab(*words, "--out", "found.csv")
    names = ("known.csv", "found.csv")
    texts = [(dicelab.folder / name).read_text() for name in names]
    rows = [list(csv.DictReader(text.splitlines())) for text in texts]
    assert len(rows[0]) == len(rows[1]) == known["visited"]
    assert "" in {row["ever_a"] for row in rows[1]}
    assert "nan" not in texts[1]


def test_explaining_tells_what_each_move_costs(dicelab):
    # Neller & Presser (2004) for Piglet to 2: rolling is worth 5/7, holding 1 - 2/5; 4/35 apart.
    answer = dicelab.json("explain", "piglet", "0-0 +1", "target=2", "--exact")
    assert answer["value"] == pytest.approx(5 / 7, abs=1e-15)
    assert [(move["move"], move["status"]) for move in answer["moves"]] == [
        ("roll", "best"),
        ("hold", "worse"),
    ]
    assert answer["moves"][1]["value"] == pytest.approx(3 / 5, abs=1e-15)
    assert answer["moves"][1]["cost"] == pytest.approx(4 / 35, abs=1e-15)
    assert dicelab("explain", "piglet", "0-0 +1", "target=2", "--exact").stdout.splitlines() == [
        "piglet target=2 at 0-0 +1: 71.4286% of the game with best play (exactly 5/7)",
        "move      value       cost        ",
        "roll   71.4286%    0.0000%    best",
        "hold   60.0000%   11.4286%   worse",
        "Roll. Holding would cost you 11.4% of the game.",
    ]


def test_explaining_against_a_strategy_uses_the_reply_to_it(dicelab):
    reply = dicelab.json("respond", "pig", "turtle", "target=15")
    answer = dicelab.json("explain", "pig", "0-0 +0", "target=15", "--against", "turtle")
    assert answer["value"] == pytest.approx(reply["first"], abs=1e-12)
    assert answer["against"] == "turtle"


def test_games_and_strategies_of_ones_own_are_found_in_the_present_folder(dicelab, own):
    # P = 1/2 + 1/2 (1 - P), so the first to throw wins 2/3.
    answer = dicelab.json("solve", f"{own}:Race", "--exact")
    assert answer["fraction"] == "2/3"
    answer = dicelab.json("evaluate", "pig", f"{own}:boldly", "roll-to-win", "target=5")
    assert answer["overall"] == pytest.approx(1 / 2, abs=1e-12)


def test_a_plain_function_at_many_positions_says_it_is_slower(dicelab, own):
    told = dicelab("evaluate", "pig", f"{own}:boldly", "roll-to-win", "target=50").stderr
    # 49 banks of yours; mine m with 0 or 2 to 55 - m at risk, one fewer where m is 48.
    assert told == (
        f"note: {own}:boldly is asked at each of 72,030 positions in turn; "
        "a function marked @dicelab.on_arrays is asked about many at once\n"
    )


@pytest.mark.parametrize("name", ["best.csv", "best.npz"])
def test_a_strategy_that_was_written_plays_the_same(dicelab, name):
    solved = dicelab.json("solve", "pig", "target=15", "--out", name)
    played = dicelab.json("evaluate", "pig", f"file:{name}", f"file:{name}", "target=15")
    assert played["first"] == pytest.approx(solved["value"], abs=1e-12)


def test_a_folder_gets_the_tables_the_numbers_and_the_figure(dicelab):
    told = dicelab("solve", "pig", "target=15", "--out", "out/pig/").stdout.splitlines()
    names = ["strategy.csv", "strategy.npz", "solution.json", "figure.svg", "figure.png"]
    assert told[-5:] == [f"wrote out/pig/{name}" for name in names]
    numbers = json.loads((dicelab.folder / "out/pig/solution.json").read_text())
    assert numbers["value"] == dicelab.json("solve", "pig", "target=15")["value"]
    assert (dicelab.folder / "out/pig/figure.svg").read_text().startswith("<?xml")
    assert (dicelab.folder / "out/pig/figure.png").read_bytes().startswith(b"\x89PNG")


def test_every_game_is_listed_with_its_parameters(dicelab):
    games = {game["name"]: game for game in dicelab.json("games")["games"]}
    assert {"pig", "piglet", "two-dice-pig", "big-pig", "solo-pig"} <= set(games)
    assert games["pig"]["parameters"][0] == {"name": "target", "kind": "int", "default": 100}
    assert all(game["about"] for game in games.values())
    assert "    target=100 die=6 bust=1 dice=1 passing=no" in dicelab("games").stdout


def test_every_strategy_is_listed_with_its_parameters(dicelab):
    answer = dicelab.json("strategies", "pig")
    named = {one["name"]: one for one in answer["games"]["pig"]}
    assert named["hold-at"]["parameters"] == [{"name": "points", "default": 20}]
    assert [one["name"] for one in answer["general"]] == ["optimal", "random"]
    assert [one["name"] for one in answer["forms"]] == ["file:PATH", "rule:TEXT", "module:function"]
    told = dicelab("strategies", "pig").stdout
    assert "    hold-at:20\n        Hold once this many" in told
    assert "    noisy:20,0,3\n" in told  # a default of 0 is one, too
    assert "    risk:neutral,AMOUNT\n" in told


def test_colours_are_for_terminals_only(dicelab):
    with dicelab.start("solve", "pgi") as piped:
        assert "\x1b" not in piped.stderr.read() + piped.stdout.read()
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "dicelab", "solve", "pgi"]
    run = subprocess.run(command, stdout=side, stderr=side, env=environment, check=False)
    shown = os.read(main, 10_000).decode()
    os.close(main)
    os.close(side)
    assert run.returncode == 1
    assert "\x1b[1;31mUnknownGame: \x1b[0m" in shown


def test_a_figure_names_the_command_that_made_it_also_for_rules_of_one_s_own(dicelab, monkeypatch):
    (dicelab.folder / "small_pig.py").write_text(
        "from dicelab.games.pig import Pig\n\n\nclass SmallPig(Pig):\n    name = 'small'\n"
    )
    monkeypatch.syspath_prepend(dicelab.folder)
    shown = dicelab("solve", "small_pig:SmallPig", "target=10", "--plot", "best.svg")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.startswith("small target=10: ")
    drawn = (dicelab.folder / "best.svg").read_text()
    assert "made by: dicelab solve small_pig:SmallPig target=10" in drawn
    again = dicelab("density", "small_pig:SmallPig", "random", "random", "--plot", "where.svg")
    assert again.exit_code == 0
    drawn = (dicelab.folder / "where.svg").read_text()
    assert "made by: dicelab density small_pig:SmallPig random random" in drawn


WAITING = """
from fractions import Fraction
from dicelab import OTHER, SAME, HouseRules, LOSS, ONGOING, WIN


class Wait(HouseRules):
    name = "wait"

    def start(self):
        return 0

    def choices(self, at):
        return ["wait"]

    def outcomes(self, at, move):
        yield 1, 0, OTHER

    def result(self, at):
        return ONGOING


class Alone(Wait):
    name = "alone"
    players = 1


class Half(Wait):
    name = "half"

    def outcomes(self, at, move):
        if at:
            yield 1, 1, OTHER
        else:
            yield Fraction(1, 2), 1, OTHER
            yield Fraction(1, 2), 2, OTHER

    def result(self, at):
        return LOSS if at == 2 else ONGOING


class HalfAlone(Half):
    name = "half-alone"
    players = 1


class Toss(HalfAlone):
    name = "toss"

    def outcomes(self, at, move):
        yield Fraction(1, 3), 0, SAME, 1
        yield Fraction(2, 3), 2, SAME
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "solve waiting:Wait",
            "wait: with best play the game never ends; that counts as a draw, and each player gets "
            "50.0000% of the game (certified within",
        ),
        (
            "solve waiting:Alone",
            "alone: with best play the game never ends; that counts as a loss: 0.0000% of the game",
        ),
        (
            "solve waiting:Half",
            "half: the first player gets 75.0000% of the game with best play, a game that never "
            "ends being half of it (certified within",
        ),
        (
            "solve waiting:Half",
            "when both play like that the game never ends in 50.0000% of cases: that counts as a "
            "draw",
        ),
        (
            "solve waiting:HalfAlone",
            "when one plays like that the game never ends in 50.0000% of cases: that counts as a "
            "loss",
        ),
        (
            "respond waiting:Half random",
            "the game never ends in 50.0000% of cases: that counts as a draw",
        ),
        (
            "evaluate waiting:HalfAlone random",
            "the game never ends in 50.0000% of cases: that counts as a loss",
        ),
        ("evaluate waiting:Half random random", "a game that never ends counts 1/2"),
        ("solve waiting:Toss", "toss: 0.5 points with best play"),
        ("evaluate waiting:Toss random", "toss: random: 0.5 points on average"),
    ],
)
def test_play_that_never_ends_and_what_it_counts_are_told(dicelab, monkeypatch, words, said):
    (dicelab.folder / "waiting.py").write_text(WAITING)
    monkeypatch.syspath_prepend(dicelab.folder)
    shown = dicelab(*words.split())
    assert (shown.exit_code, said in shown.stdout) == (0, True), shown.stdout


def test_nothing_that_draws_is_loaded_before_a_figure_is_asked_for():
    loaded = (
        "import sys; from dicelab.cli import app; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    found = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert not {"matplotlib", "fastapi", "pandas"} & set(found.stdout.split())
    assert "typer" in found.stdout.split()
