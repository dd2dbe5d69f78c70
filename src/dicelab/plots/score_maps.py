"""Boards as files: what each pair of scores is worth and how many dice to throw.

The study of Dice Battle calls them EG(i, j) and OPT(i, j); that of Greed, rating and n, once for
ordinary turns and once for the last. Rows are the score of the player about to move, columns the
other's.
"""

from __future__ import annotations

import csv
import io
from typing import Any


def as_csv(table: Any) -> str:
    """Return a map as CSV: a row for each score of mine, a column for each of yours."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["mine \\ yours", *range(table.shape[1])])
    for mine, row in enumerate(table.tolist()):
        # What is not a number is a position that play never comes to.
        writer.writerow([mine, *("" if entry != entry else str(entry) for entry in row)])
    return text.getvalue()
