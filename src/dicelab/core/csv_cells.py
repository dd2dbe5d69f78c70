"""Cells of a CSV file that hold what people wrote: a spreadsheet must not take them for formulas.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@``, also after a tab, and a
name may begin so. An apostrophe in front makes it text; it is taken off again where we read the
file. Numbers, and a dash alone, are no formulas and stay as they are.

>>> guarded("=1+1"), guarded("-0.5"), guarded("ann")
("'=1+1", '-0.5', 'ann')
>>> unguarded("'=1+1"), unguarded("'tis")
('=1+1', "'tis")
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+([./]\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def guarded(text: str) -> str:
    """Return what people wrote as a cell that no spreadsheet runs."""
    if not _FORMULA.match(text) or text == "-" or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def unguarded(cell: str) -> str:
    """Return what people wrote, from a cell of a file."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def csv_text(rows: Iterable[Iterable[object]], head: str = "") -> str:
    """Return rows as the text of a CSV file, below a first line where there is one.

    >>> csv_text([("name", "points"), ("ann", 3)], "# pig\\n")
    '# pig\\nname,points\\nann,3\\n'
    """
    file = io.StringIO()
    file.write(head)
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def guarded_row(cells: Iterable[object]) -> list[object]:
    """Return a row whose texts no spreadsheet runs."""
    return [guarded(cell) if isinstance(cell, str) else cell for cell in cells]
