"""Dice Blotto: share your dice out over the fields; the larger sum takes a field.

Two players each have ``dice`` dice and share them out over ``fields`` fields, at once, neither
seeing how the other does it. Then all dice are thrown. On each field the larger sum takes it, and
equal sums leave it to nobody; no dice at all sum to nothing. Who takes more fields wins, and equal
numbers draw.

One choice each, and the game is over: it is a single matrix game, whose entries are exact chances.
Best play shares out by a mixture, since whatever is known beforehand can be answered.

Source: E. Borel, "La théorie du jeu et les équations intégrales à noyau symétrique", Comptes Rendus
173, 1921, put soldiers on fields where the larger number takes it; the dice are ours.

>>> from dicelab import solve
>>> solve(DiceBlotto(dice=1, fields=2), exact=True).value       # both look alike
Fraction(1, 2)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import ClassVar, NamedTuple

from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.games.naming import OpenGame, cannot_play
from dicelab.rules import BOTH, DRAW, LOSS, ONGOING, WIN, Ints, Outcome, Position, where
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import sum_law
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import said_by
from dicelab.rules.speech import Told

MOST_WAYS = 100
"""Ways to share dice out that are still a small game."""
BEFORE = "before"


class FieldsPosition(NamedTuple):
    """Fields that each has taken, written ``2-1``; ``before`` while the dice are shared out."""

    thrown: Ints
    mine: Ints
    yours: Ints


@lru_cache(maxsize=4096)
def one_field(mine: int, yours: int, die: Die) -> tuple[Fraction, Fraction]:
    """Return the chances that so many dice sum to more, and to less, than so many others.

    >>> one_field(2, 1, d6)
    (Fraction(181, 216), Fraction(5, 54))
    """
    one, two = sum_law(die, mine), sum_law(die, yours)
    more, less = Fraction(0), Fraction(0)
    for total, chance in one.items():
        for other, likely in two.items():
            if total > other:
                more += chance * likely
            elif total < other:
                less += chance * likely
    return more, less


@lru_cache(maxsize=65536)
def all_fields(shares: tuple[tuple[int, int], ...], die: Die) -> Mapping[tuple[int, int], Fraction]:
    """Return the chance of each number of fields taken and lost, by what both laid on each."""
    taken = {(0, 0): Fraction(1)}
    for one, two in shares:
        more, less = one_field(one, two, die)
        parts = ((1, 0, more), (0, 1, less), (0, 0, 1 - more - less))
        then: dict[tuple[int, int], Fraction] = {}
        for (won, lost), chance in taken.items():
            for up, down, part in parts:
                if part:
                    key = won + up, lost + down
                    then[key] = then.get(key, Fraction(0)) + chance * part
        taken = then
    return taken


@register("dice-blotto")
@dataclass(frozen=True)
class DiceBlotto(OpenGame):
    """Dice shared out over fields, both at once."""

    dice: int = 5
    fields: int = 3
    die: Die = d6

    in_short: ClassVar[str] = (
        "Share your dice out over the fields, while the other player does the same. Then all dice "
        "are thrown, and the larger sum takes a field. Who takes more fields wins."
    )
    rivals: ClassVar[tuple[str, ...]] = ("shuffled", "always", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "shuffled": (
            mark("the even one"),
            mark("Shares its dice out evenly, on fields that chance picks."),
        ),
        "always": (mark("the stubborn one"), mark("Always shares its dice out in the same way.")),
    }
    largest: ClassVar[Mapping[str, int]] = {"dice": 6, "fields": 4}

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.dice >= 1, f"a die at least: got dice={self.dice}")
        self.needs(self.fields >= 1, f"a field at least: got fields={self.fields}")
        self.needs(min(self.die.faces) >= 0, f"faces of 0 or more: got die={self.die}")
        ways = math.comb(self.dice + self.fields - 1, self.dice)
        self.needs(
            ways <= MOST_WAYS,
            f"at most {MOST_WAYS} ways to share the dice out: got {ways:,} with "
            f"dice={self.dice} fields={self.fields}",
        )

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The ways to share the dice out: how many lie on each field, most in front first."""
        places = range(self.dice + self.fields - 1)
        bars = combinations(places, self.fields - 1)  # the dice of a field lie between two bars
        edges = ([-1, *bar, self.dice + self.fields - 1] for bar in bars)
        shares = ([b - a - 1 for a, b in pairwise(edge)] for edge in edges)
        return tuple(sorted(("+".join(map(str, each)) for each in shares), reverse=True))

    @property
    def usual(self) -> str:  # type: ignore[override]
        """The dice shared out evenly, what is left over on the first fields."""
        each, over = divmod(self.dice, self.fields)
        return "+".join(str(each + (place < over)) for place in range(self.fields))

    def start(self) -> FieldsPosition:
        """Return the position the game starts from."""
        return FieldsPosition(0, 0, 0)

    def mirror(self, at: FieldsPosition) -> FieldsPosition:
        """Return a position as the other player sees it."""
        return FieldsPosition(at.thrown, at.yours, at.mine)

    def outcomes(self, at: FieldsPosition, mine: str, yours: str = "") -> Iterator[Outcome]:
        """Yield how many fields each may take."""
        fields = zip(shares_of(mine), shares_of(yours), strict=True)
        # The order of the fields does not matter, so that many pairs of moves share a law.
        for (won, lost), chance in all_fields(tuple(sorted(fields)), self.die).items():
            yield Outcome(
                chance, FieldsPosition(1 + at.thrown, won + at.mine, lost + at.yours), BOTH
            )

    def result(self, at: FieldsPosition) -> Ints:
        """Return who has won: whoever took more fields."""
        over = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        return where(at.thrown == 0, ONGOING, over)

    def size(self) -> int:
        """Return about how many positions there are: what each may take, and the start."""
        return 1 + (self.fields + 1) * (self.fields + 2) // 2

    def branching(self) -> float:
        """Return how many outcomes the one choice has: what each may take, for each pair."""
        return float(len(self.moves) ** 2 * (self.fields + 1))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        if not told["thrown"]:
            return tr(
                "Share {dice} out over {fields}.",
                dice=trn("{n} die", "{n} dice", self.dice),
                fields=trn("{n} field", "{n} fields", self.fields),
            )
        return tr(
            "You took {fields}. The other player took {others}.",
            fields=trn("{n} field", "{n} fields", told["mine"]),
            others=told["yours"],
        )

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return how somebody shared the dice out and what that took."""
        won = int(self.counters(after, seen)["mine" if you else "yours"])
        text = said_by(
            you,
            "You lay {shares} and take {fields}.",
            "The other player lays {shares} and takes {fields}.",
            shares=move,
            fields=trn("{n} field", "{n} fields", won),
        )
        return Told(text, "scored", won)

    def notation(self, at: FieldsPosition) -> str:
        """Return ``mine-yours``, or ``before``."""
        return f"{at.mine}-{at.yours}" if at.thrown else BEFORE

    def parse(self, text: str) -> FieldsPosition:
        """Return the position that ``2-1`` or ``before`` stands for."""
        match = re.fullmatch(r"\s*(?:before|(\d{1,9})\s*-\s*(\d{1,9}))\s*", text)
        if match is None:
            raise self.unreadable(text)
        mine, yours = match.groups()
        return FieldsPosition(int(mine is not None), int(mine or 0), int(yours or 0))


def shares_of(move: str) -> list[int]:
    """Return how many dice a move lays on each field."""
    return [int(part) for part in move.split("+")]


@strategy(DiceBlotto, "shuffled")
def shuffled(game: DiceBlotto, shares: str = "") -> Callable[[FieldsPosition], object]:
    """Always the same shares, on fields that chance picks: even ones, or your own."""
    wanted = shares or game.usual
    found = [move for move in game.moves if sorted(move.split("+")) == sorted(wanted.split("+"))]
    if not found:
        raise cannot_play(game, f"shuffled:{wanted}")
    chances = dict.fromkeys(found, Fraction(1, len(found)))
    return lambda at: chances
