"""Oracles that more than one test asks: small, slow and written another way than the code.

The tests in tests/browser need Chromium. Where there is none they are left out, and a line at the
end of the run says so; CI demands them.
"""

import os
import shutil
from fractions import Fraction
from itertools import combinations

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("DICELAB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
WANTED = "apt-get install chromium, or name one in DICELAB_CHROMIUM"

collect_ignore = [] if CHROMIUM else ["browser"]


def pytest_configure(config):
    if not CHROMIUM and os.environ.get("DICELAB_BROWSER_TESTS") == "required":
        raise pytest.UsageError(f"cannot run the browser tests without chromium: {WANTED}")


def pytest_terminal_summary(terminalreporter):
    if not CHROMIUM:
        terminalreporter.write_line(f"left out the browser tests: no chromium found; {WANTED}")


@pytest.fixture(scope="session")
def chromium():
    """Where the browser of this machine is."""
    return CHROMIUM


def determinant(rows):
    if not rows:
        return Fraction(1)
    return sum(
        (-1) ** j * rows[0][j] * determinant([row[:j] + row[j + 1 :] for row in rows[1:]])
        for j in range(len(rows))
    )


def value_by_kernels(payoffs):
    """The value by Shapley and Snow: that of some square part, det / sum of minors."""
    A = [[Fraction(entry) for entry in row] for row in payoffs]
    m, n = len(A), len(A[0])
    for size in range(1, min(m, n) + 1):
        for rows in combinations(range(m), size):
            for columns in combinations(range(n), size):
                part = [[A[i][j] for j in columns] for i in rows]
                minors = [
                    [
                        (-1) ** (i + j)
                        * determinant([r[:j] + r[j + 1 :] for k, r in enumerate(part) if k != i])
                        for j in range(size)
                    ]
                    for i in range(size)
                ]
                total = sum(map(sum, minors))
                if total == 0:
                    continue
                x = [sum(row) / total for row in minors]
                y = [sum(column) / total for column in zip(*minors, strict=True)]
                value = determinant(part) / total
                if min(x) < 0 or min(y) < 0:
                    continue
                sure = min(sum(p * A[i][j] for p, i in zip(x, rows, strict=True)) for j in range(n))
                most = max(
                    sum(q * A[i][j] for q, j in zip(y, columns, strict=True)) for i in range(m)
                )
                if sure >= value >= most:
                    return value
    raise AssertionError("every matrix game has a kernel")


@pytest.fixture(scope="session")
def by_kernels():
    """What tells the value of a small matrix game, in rationals."""
    return value_by_kernels
