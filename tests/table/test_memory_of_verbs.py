"""The limit on memory holds for what is made of a table as well, and is seen before the work."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from dicelab import best_response, compile, density, evaluate, simulate, tournament
from dicelab.errors import TooLarge
from farkle import Farkle, HouseFarkle

VERBS = {
    "respond": lambda table: best_response(table, "random"),
    "evaluate": lambda table: evaluate(table, "random", "random"),
    "density": lambda table: density(table, "random", "random"),
    "simulate": lambda table: simulate(table, "random", "random", games=10),
    "tournament": lambda table: tournament(table, ["random", "optimal"], workers=1),
}

MEASURED = """
import sys
from pathlib import Path

from farkle import Farkle
from dicelab.errors import TooLarge
from test_memory_of_verbs import VERBS
from dicelab import compile

def told(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(what)).split()[1])

verb, limit = sys.argv[1], int(sys.argv[2])
VERBS[verb](compile(Farkle(target=30)))  # what the program itself takes is there
before = told("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # forget the most it took so far
try:
    VERBS[verb](compile(Farkle(target=90), memory=limit))
    said = "done"
except TooLarge:
    said = "refused"
print(said, told("VmHWM") - before)
"""


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("game", [Farkle(20), Farkle(20, sized=True), HouseFarkle(12)], ids=str)
def test_a_verb_refuses_what_its_table_left_no_room_for(game, verb):
    table = compile(game, memory=1_000_000_000)
    tight = dataclasses.replace(table, memory=least(table) + 1_000)
    with pytest.raises(TooLarge) as refused:
        VERBS[verb](tight)
    assert str(refused.value).startswith(f"{game} has {len(table):,} positions, which needs about ")


def least(table):
    """Return how many bytes a table says it takes by itself."""
    arrays = [part for part in vars(table).values() if hasattr(part, "nbytes")]
    return sum(part.nbytes for part in arrays) + table.numbering.needed


@pytest.mark.parametrize("verb", ["respond", "density"])
@pytest.mark.parametrize("limit", [150_000_000, 300_000_000])
def test_what_is_done_within_a_limit_keeps_it(verb, limit):
    run = [sys.executable, "-c", MEASURED, verb, str(limit)]
    here = Path(__file__).parent
    paths = {"PYTHONPATH": f"{here}:{here.parent}"}
    done = subprocess.run(run, capture_output=True, text=True, check=True, env=paths)
    said, taken = done.stdout.split()
    assert said in ("done", "refused")
    assert int(taken) < 1.2 * limit
