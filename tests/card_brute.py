"""A scorecard by brute force: plain loops over dice, written apart from all that it checks."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np


class Brute:
    """A card of boxes, each (score, whether it counts), with what a round makes of worths."""

    def __init__(self, boxes, dice, sides, casts, enough=0, bonus=0):
        self.boxes, self.casts, self.enough, self.bonus = boxes, casts, enough, bonus
        faces = range(1, sides + 1)
        self.results = list(combinations_with_replacement(faces, dice))
        self.parts = [
            sorted({tuple(sorted(die for die, keep in zip(shown, mask, strict=True) if keep))
                    for mask in product((0, 1), repeat=dice)})
            for shown in self.results
        ]  # fmt: skip
        self.law = {}
        for kept in {part for parts in self.parts for part in parts}:
            law = Counter(
                tuple(sorted(kept + more)) for more in product(faces, repeat=dice - len(kept))
            )
            self.law[kept] = np.array([law[shown] for shown in self.results]) / law.total()

    def round(self, worth):
        """Return what a round is worth that pays ``worth[result]``."""
        now = np.array(worth)
        for _ in range(self.casts - 1):
            kept = {part: law @ now for part, law in self.law.items()}
            again = [max(kept[part] for part in parts) for parts in self.parts]
            now = np.maximum(worth, again)
        return float(self.law[()] @ now)

    def filled(self, card, shown):
        """Yield (card, gain) for each box that may be filled; a card is (boxes, counted)."""
        done, counted = card
        for box, (score, counts) in enumerate(self.boxes):
            if box in done:
                continue
            points = score(shown)
            after = min(self.enough, counted + counts * points)
            brings = self.bonus if after >= self.enough > counted else 0
            yield (done | {box}, after), points + brings

    def chance(self, least):
        """Return the best chance of at least so many points."""

        @cache
        def worth(card, so_far):
            if len(card[0]) == len(self.boxes):
                return float(so_far >= least)
            return self.round([
                max(worth(after, so_far + gain) for after, gain in self.filled(card, shown))
                for shown in self.results
            ])  # fmt: skip

        return worth((frozenset(), 0), 0)

    def duel(self):
        """Return what the first of two gets who see both cards, a draw being half."""

        @cache
        def worth(mine, theirs, lead):
            if len(mine[0]) == len(theirs[0]) == len(self.boxes):
                return (1 + np.sign(lead)) / 2
            return self.round([
                max(1 - worth(theirs, after, -lead - gain)
                    for after, gain in self.filled(mine, shown))
                for shown in self.results
            ])  # fmt: skip

        empty = (frozenset(), 0)
        return worth(empty, empty, 0)
