"""From house rules to edges: plain Python, asked about one position after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from dicelab.rules import HouseRules
from dicelab.table import shared_asking
from dicelab.table.expand import Edges, refuse_before, refuse_beyond, too_large_for_rationals
from dicelab.table.met import Met
from dicelab.table.numbering import AsMet, Listed
from dicelab.table.shared_asking import SharedAsking

CHECKED = 1 << 17
"""Outcomes after which memory is looked at again."""
ALONE = 0.1
"""Seconds of asking after which other processes are asked to help: they cost some hundredths."""
WORTH_SHARING = 5e-5
"""Seconds that a position takes to expand where others are asked to help: handing it over and its
outcomes back takes about half of that."""
WAITING = 64
"""Positions that must be there to be shared out."""


def explore_house(
    game: HouseRules,
    memory: int,
    progress: Callable[[int], None] | None = None,
    most: int | None = None,
) -> tuple[Edges, AsMet]:
    """Return the edges of a game of house rules, and its positions numbered in the order met."""
    refuse_before(game, memory)
    met = Met(game)

    def look() -> None:
        """Refuse a game that has become too large, and tell how far it is."""
        refuse_beyond(game, memory, met.needed, f"more than {len(met.positions):,}")
        if progress:
            progress(len(met.positions))
        if most is not None and len(met.positions) > most:
            raise too_large_for_rationals(game, f"more than {most:,}", most)

    count, begun = shared_asking.helpers(), time.monotonic()
    for _ in _expanded(met):
        look()
        spent, expanded = time.monotonic() - begun, len(met.results)
        if count > 1 and spent > max(ALONE, expanded * WORTH_SHARING) and met.waiting > WAITING:
            with SharedAsking(met, count) as shared:
                for _ in shared.expand():
                    look()
                    if met.needed + count * met.copied > memory:
                        count = 1  # the copies would not fit: go on alone
                        break
    return met.edges(), Listed(met.positions)


def _expanded(met: Met) -> Iterator[None]:
    """Expand all positions there are and will be; stop now and then to be looked at."""
    unchecked = 0
    while len(met.results) < len(met.positions):
        before, source = len(met.targets), len(met.results)
        met.expand(met.positions[source])
        unchecked += len(met.targets) - before + 1
        if source % 256 == 0 or unchecked > CHECKED:
            unchecked = 0
            yield
