"""compile(game): numbered positions and flat arrays, ready for the solvers.

Positions are numbered in the order in which they are solved: the ends of the game first, the
start last.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from dicelab.core.jit import unsigned
from dicelab.errors import DicelabError
from dicelab.rules import Game, HouseRules, Position, RaceAtOnce, answers, contract
from dicelab.rules.failure import failure
from dicelab.rules.so_far import SoFar
from dicelab.solvers import order as ordering
from dicelab.table.aims import for_purpose, refuse_aim, settled
from dicelab.table.at_once import paired
from dicelab.table.expand import Edges, explore, refuse_before, too_large_for_rationals
from dicelab.table.expand_house import explore_house
from dicelab.table.numbering import AsMet
from dicelab.table.pair_rules import PairRules, pair_rules
from dicelab.table.payoffs import with_payoffs
from dicelab.table.races import RaceTable, compile_race
from dicelab.table.table import Table

MOST_EXACT = 60_000
"""Positions beyond which exact mode is refused: its rationals grow longer with every position."""
MOST_RESCUED = 5_000
"""Positions up to which a game whose floats cannot be certified is solved in rationals instead."""


def memory_limit() -> int:
    """Return how many bytes a table may take by default: most of what this machine has."""
    return int(0.8 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def compile(
    game: Game | Table,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    exact: bool = False,
    for_: str | None = None,
) -> Table:
    """Return the table of a game: every position that play can reach, in solving order.

    A table is returned as it is, so every verb takes either. With `exact`, a game with too many
    positions for rationals is refused as soon as that is seen. `memory` is a limit in bytes on the
    table and on all that is made of it. `for_` is a purpose other than the game's own, such as
    "at least 300".
    """
    game = for_purpose(game, for_)
    if isinstance(game, Table):
        if game.game.whole is not None:  # asked for anything but the play it was made for
            return compile(game.game.whole, memory, progress, exact)
        if exact:
            refuse_exact(game)
        return game
    contract.check(game)
    if game.aim:
        own = compile(game.unaimed, memory, progress)
        refuse_aim(own, game)
        game = settled(game, own) if isinstance(game, SoFar) else game
    limit = memory_limit() if memory is None else memory
    try:
        if isinstance(game, RaceAtOnce) and game.is_simultaneous:
            return compile_race(game, limit)
        return _explored(game, limit, progress, exact)
    except (DicelabError, MemoryError):
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure(game, trouble) from trouble


def written_out(table: RaceTable) -> Table:
    """Return the table of a race at once with what follows each pair of moves, as of any game."""
    return _explored(table.game, table.memory or memory_limit(), None, False)


def _explored(game: Game, limit: int, progress: Callable[[int], None] | None, exact: bool) -> Table:
    """Return the table of a game whose positions are found by following its rules."""
    most = MOST_EXACT if exact else None
    rules = pair_rules(game) if game.is_simultaneous else game
    if isinstance(rules, HouseRules):
        edges, numbering = explore_house(rules, limit, progress, most)
    else:
        refuse_before(rules, limit)
        contract.check_moves(game)
        edges, numbering = explore(rules, limit, progress, most)
    table = _arrange(rules, edges, numbering, limit)
    return paired(rules, table) if isinstance(rules, PairRules) else table


def refuse_exact(table: Table) -> None:
    """Refuse exact mode for a game too large for it."""
    if len(table) > MOST_EXACT:
        raise too_large_for_rationals(table.game, f"{len(table):,}", MOST_EXACT)


def _arrange(game: Game, edges: Edges, numbering: AsMet, memory: int) -> Table:
    """Return the table of a game, its positions in solving order."""

    def met(number: int) -> Position:
        """Return a position by its number in the order met; after this, nothing is arranged."""
        as_met = np.arange(edges.result.size, dtype=np.int32)
        return numbering.renumber(as_met, as_met).position(number)

    answers.check_edges(game, edges, met)
    size, rows = edges.result.size, edges.rows
    order, place, component_first = edges.reorder()
    row_count = int(np.diff(rows.first) @ np.bincount(edges.shape, minlength=rows.first.size - 1))
    move_first, outcome_first = np.zeros(size + 1, np.int32), np.zeros(row_count + 1, np.int32)
    move, kind = np.empty(row_count, rows.move.dtype), np.empty(edges.target.size, rows.kind.dtype)
    ordering.write_rows(edges.shape, *rows, move_first, move, outcome_first, kind)
    first = unsigned(outcome_first[move_first])
    cut, cuts = ordering.cuts(component_first, first, unsigned(edges.target))
    if game.pays_ends or any(kind.gain for kind in edges.kinds):
        game = game.for_points()
    table = Table(
        game=game,
        moves=edges.moves,
        numbering=numbering.renumber(order, place),
        memory=memory,
        result=edges.result,
        move_first=move_first,
        move=move,
        outcome_first=outcome_first,
        target=edges.target,
        kind=kind,
        kinds=edges.kinds,
        component_first=component_first,
        cut=cut,
        cuts=cuts,
    )
    return with_payoffs(table) if game.pays_ends else table
