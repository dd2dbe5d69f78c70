"""A search for the best short list of ways, where all choices are made after throws.

Lists grow line by line, and each line is taken out and put back better for as long as that promises
more. The most promising of each size are worked out exactly. Then it is done again from where the
best list itself leads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dicelab.verbs.rule_search import FOUND, Distilled, RuleSearch
from dicelab.verbs.way_board import Stakes, WayBoard, WayList

BEAM = 6
"""Lists of each size that larger ones grow from."""

EXACT = 2
"""Lists of each size that are worked out exactly each time."""

PASSES = 1
"""How often the search begins again from where its best list leads."""


@dataclass(eq=False)
class ListSearch:
    """Lists of each size, the most promising worked out exactly."""

    search: RuleSearch
    ways: WayBoard
    known: dict[WayList, tuple[float, float]] = field(default_factory=dict)
    expected: int = 1  # ways to play to be worked out, for a bar

    def run(self, size: int) -> list[Distilled]:
        """Return the best list of each size, those that are no better than a smaller left out."""
        visits = self.search.start
        self.expected = min(self.search.tries, (PASSES + 1) * EXACT * (size + 1))
        for again in range(PASSES + 1):
            if again:
                best = min(self.known, key=self.cost)
                visits = self.search.visits(self.ways.plan(best)) + 0.1 * self.search.start
            self._work_out(self._promising(self.ways.stakes(visits), size))
        return self._found(size)

    def cost(self, ways: WayList) -> float:
        """Return what a list costs that was worked out."""
        return self.search.cost_of(self.known[ways][0])

    def _found(self, size: int) -> list[Distilled]:
        found: list[Distilled] = []
        for numbers in range(size + 1):
            fits = [ways for ways in self.known if self.ways.size_of(ways) == numbers]
            if not fits:
                continue
            best = min(fits, key=lambda each: (self.cost(each), len(each.lines)))
            if not found or self.cost(best) < found[-1].cost - 1e-12:
                told = (*self.known[best], self.cost(best), FOUND)
                found.append(Distilled(self.ways.rule(best), *told))
        return found

    def _work_out(self, some: Iterable[WayList]) -> None:
        search = self.search
        for ways in some:
            if ways not in self.known and len(self.known) < search.tries:
                self.known[ways] = search.known[repr(ways).encode()] = search.met(
                    self.ways.plan(ways)
                )
                if search.progress:
                    search.progress(min(1.0, len(self.known) / self.expected))

    def _promising(self, stakes: Stakes, size: int) -> list[WayList]:
        """Return the most promising lists of each size, the best of all sizes first."""
        none = WayList()
        kept = {0: self._improved(stakes, {none: self.ways.promise(stakes, none)})}
        for numbers in range(1, size + 1):
            grown: dict[WayList, float] = {}
            for fewer, lists in kept.items():
                for ways in lists:
                    for promise, longer in self.ways.longer(stakes, ways):
                        if fewer < numbers and self.ways.size_of(longer) == numbers:
                            grown[longer] = promise
            kept[numbers] = self._improved(stakes, grown)
        return [
            ways for place in range(EXACT) for lists in kept.values() for ways in lists[place:][:1]
        ]

    def _improved(self, stakes: Stakes, lists: dict[WayList, float]) -> list[WayList]:
        """Return the best of some lists of one size, each line put back better while that helps."""
        best = dict(sorted(lists.items(), key=lambda each: each[1])[:BEAM])
        tried: set[WayList] = set()
        while waits := [ways for ways in best if ways not in tried]:
            ways = waits[0]
            tried.add(ways)
            numbers = self.ways.size_of(ways)
            others = dict(best)
            for at in [None, *range(len(ways.lines))]:
                shorter = ways if at is None else ways.without(at)
                for promise, other in self.ways.longer(stakes, shorter):
                    if self.ways.size_of(other) == numbers:
                        others[other] = promise
            best = dict(sorted(others.items(), key=lambda each: each[1])[:BEAM])
        return list(best)
