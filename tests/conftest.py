"""Oracles that more than one test asks: small, slow and written another way than the code.

The tests in tests/browser need Chromium. Where there is none they are left out, and a line at the
end of the run says so; CI demands them.
"""

import os
import shutil

import pytest

from brute import value_by_kernels

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("DICELAB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
WANTED = "apt-get install chromium, or name one in DICELAB_CHROMIUM"


def pytest_ignore_collect(collection_path):
    return True if not CHROMIUM and collection_path.parent.name == "browser" else None


def pytest_configure(config):
    if not CHROMIUM and os.environ.get("DICELAB_BROWSER_TESTS") == "required":
        raise pytest.UsageError(f"cannot run the browser tests without chromium: {WANTED}")


def pytest_terminal_summary(terminalreporter):
    if not CHROMIUM:
        terminalreporter.write_line(f"left out the browser tests: no chromium found; {WANTED}")


@pytest.fixture(scope="session")
def by_kernels():
    """What tells the value of a small matrix game, in rationals."""
    return value_by_kernels


@pytest.fixture(scope="session")
def chromium():
    """Where the browser of this machine is."""
    return CHROMIUM
