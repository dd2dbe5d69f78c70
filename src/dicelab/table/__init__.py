"""From rules to arrays: positions found, numbered and put in solving order."""

from dicelab.table.table import MOST_EXACT, MOST_RESCUED, Table, compile, memory_limit, refuse_exact

__all__ = [
    "MOST_EXACT",
    "MOST_RESCUED",
    "Table",
    "compile",
    "memory_limit",
    "refuse_exact",
]
