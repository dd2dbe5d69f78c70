"""Oracles that more than one test asks: small, slow and written another way than the code.

The tests in tests/browser need Chromium. Where there is none they are left out, and a line at the
end of the run says so; CI demands them.
"""

import gc
import os
import shutil
import signal
import sys
from dataclasses import replace
from functools import cache, lru_cache, partial

import pytest
import typer.testing

from brute import value_by_kernels
from dicelab import compile
from dicelab.games.pig import Pig
from dicelab.studies import STUDIES
from dicelab.table.aims import for_purpose
from dicelab.verbs.solve import solve

# A shell has what it runs in the background ignore Ctrl-C, and processes inherit that. The tests
# send it, and want it answered wherever they were started.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The commands are made from the functions that they call once, and not at each command of a test.
typer.testing._get_command = cache(typer.testing._get_command)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("DICELAB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
WANTED = "apt-get install chromium, or name one in DICELAB_CHROMIUM"

LONG = (
    "tests/browser",
    "tests/test_docs",
    "tests/test_recipe",
    "tests/cli/test_closed_streams",
    "tests/cli/test_warm",
    "tests/studies",
    "tests/lab/test_schema",
    "tests/games/pig/test_played_risk",
    "tests/solvers/test_certificate",
)


def pytest_ignore_collect(collection_path):
    return True if not CHROMIUM and collection_path.parent.name == "browser" else None


def pytest_configure(config):
    if not CHROMIUM and os.environ.get("DICELAB_BROWSER_TESTS") == "required":
        raise pytest.UsageError(f"cannot run the browser tests without chromium: {WANTED}")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("tests/browser"):
            item.add_marker(pytest.mark.browser)
    # The longest first: whoever is left with one at the end keeps all others waiting.
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish():
    # Modules and tests stay to the end: no need to look for garbage among them again and again.
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    if not CHROMIUM:
        terminalreporter.write_line(f"left out the browser tests: no chromium found; {WANTED}")


@pytest.fixture(scope="session")
def by_kernels():
    """What tells the value of a small matrix game, in rationals."""
    return value_by_kernels


@pytest.fixture
def ann(lab):
    """A visitor to the `lab` that a module of tests has opened."""
    from lab_rooms import Visitor

    return Visitor(lab)


@pytest.fixture(scope="session")
def chromium():
    """Where the browser of this machine is."""
    return CHROMIUM


compile_game, solve_game = (
    sys.modules["dicelab.table.compiler"].compile,
    sys.modules["dicelab.verbs.solve"].solve,
)


@lru_cache(maxsize=12)
def compiled_once(game, memory):
    return compile_game(game, memory)


@lru_cache(maxsize=12)
def solved_once(table, exact):
    return solve_game(table, exact)


@pytest.fixture
def games_solved_once(monkeypatch):
    """Let all examples together compile and solve each game once, whichever asks for it first."""
    once = {
        "compile": (
            compile_game,
            lambda game, memory=None, progress=None, exact=False, for_=None: compiled_once(
                for_purpose(game, for_), memory
            ),
        ),
        "solve": (
            solve_game,
            lambda table, exact=False, progress=None, began=None, for_=None: solved_once(
                for_purpose(table, for_), exact
            ),
        ),
    }
    for name, module in list(sys.modules.items()):
        for verb, (itself, remembered) in once.items():
            if name.split(".")[0] == "dicelab" and getattr(module, verb, None) is itself:
                monkeypatch.setattr(module, verb, remembered)


@cache
def worked_out(work, quick):
    return tuple(work(quick))  # a part yields what it finds: once only


@pytest.fixture
def studies_worked_out_once(monkeypatch):
    """Let all examples together work out each part of a study once."""
    for name, study in STUDIES.items():
        parts = tuple(replace(part, work=partial(worked_out, part.work)) for part in study.parts)
        monkeypatch.setitem(STUDIES, name, replace(study, parts=parts))


@cache
def solved_pig(target):
    return solve(compile(Pig(target=target)))


@pytest.fixture
def pig():
    """Pig to 100, solved."""
    return solved_pig(100)


@pytest.fixture
def short():
    """Pig to 50, solved."""
    return solved_pig(50)
