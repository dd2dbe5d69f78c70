"""From rules to arrays: positions found, numbered and put in solving order."""

from dicelab.table.compiler import (
    MOST_EXACT,
    MOST_RESCUED,
    compile,
    memory_limit,
    refuse_exact,
    written_out,
)
from dicelab.table.table import Table

__all__ = [
    "MOST_EXACT",
    "MOST_RESCUED",
    "Table",
    "compile",
    "memory_limit",
    "refuse_exact",
    "written_out",
]
