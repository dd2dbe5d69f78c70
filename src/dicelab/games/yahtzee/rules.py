"""Yahtzee: thirteen rounds of five dice, and a box of the scorecard filled after each.

You cast five dice up to three times and keep any of them after each cast. Then you fill one box
that is still open: the sum of one face (aces to sixes, the upper section, with 35 more for 63
points or more), three or four of a kind and chance (the sum of all dice), a full house (25), a
small and a large straight (30, 40), five of a kind (50). What does not fit scores nothing there.

A further five of a kind, with 50 in its box, brings 100 besides. Where the box is filled it is also
a joker. With ``joker=forced``, the official rule, it must go to the upper box of its face; if that
is filled, to any lower box, where it counts as full house or straight; if these are filled as well
it scores nothing in the upper section. With ``joker=free`` it may go anywhere, and counts as full
house or straight if the upper box of its face is filled. ``joker=none`` knows no jokers.

Sources: the rules of Milton Bradley; Tom Verhoeff, "Optimal Solitaire Yahtzee Player", 1999;
Jakub Trybuła and others print 254.59 too.

>>> from dicelab import solve
>>> card = Yahtzee(only="aces+sixes+yahtzee", enough=20)
>>> round(solve(card).value, 6) > 20
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.lazy import lazy
from dicelab.errors import UnknownParameter
from dicelab.games.keep_and_reroll import RoundGame
from dicelab.rounds.card_arrays import Box
from dicelab.rounds.card_strategy import CardStrategy, score_wish
from dicelab.rounds.induction import solve_batch
from dicelab.rounds.rules import Keep
from dicelab.rounds.scorecard import Scorecard
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import did_you_mean, register, strategy

FACES = ("aces", "twos", "threes", "fours", "fives", "sixes")
Dice = tuple[int, ...]


@register("yahtzee-round")
@dataclass(frozen=True)
class YahtzeeRound(RoundGame):
    """A round of Yahtzee."""

    dice: int = 5
    keep: ClassVar[Keep] = "any"
    called: ClassVar[str] = "Yahtzee, a round"
    largest: ClassVar[Mapping[str, int]] = {"dice": 5, "casts": 10, "die": 8}
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "utility": {"sum": "the sum of the faces", "goal:66666": "the chance of 66666"},
    }


def all_of(face: int) -> Callable[[Dice], int]:
    """Return what scores the sum of one face."""
    return lambda dice: face * dice.count(face)


def most(dice: Dice) -> int:
    """Return how many dice show the same face, at most."""
    return max(map(dice.count, dice))


def of_a_kind(many: int) -> Callable[[Dice], int]:
    """Return what scores the sum of all dice, if so many show the same face."""
    return lambda dice: sum(dice) if most(dice) >= many else 0


def straight(length: int, points: int) -> Callable[[Dice], int]:
    """Return what scores if so many faces stand in a row."""

    def score(dice: Dice) -> int:
        shown = set(dice)
        rows = (set(range(low, low + length)) for low in shown)
        return points if any(row <= shown for row in rows) else 0

    return score


def full_house(dice: Dice) -> int:
    """Return 25 for three of one face and two of another."""
    return 25 if sorted(map(dice.count, set(dice))) == [2, 3] else 0


def upper_boxes() -> list[Box]:
    """Return the boxes of the upper section, where a joker of their face is at home."""
    return [
        Box(name, all_of(face), counts=True, home=lambda dice, face=face: set(dice) == {face})  # type: ignore[misc]
        for face, name in enumerate(FACES, start=1)
    ]


YAHTZEE_BOXES = (
    *upper_boxes(),
    Box("three-of-a-kind", of_a_kind(3)),
    Box("four-of-a-kind", of_a_kind(4)),
    Box("full-house", full_house, joker=25),
    Box("small-straight", straight(4, 30), joker=30),
    Box("large-straight", straight(5, 40), joker=40),
    Box("yahtzee", lambda dice: 50 if most(dice) == len(dice) else 0),
    Box("chance", sum),
)


@dataclass(frozen=True)
class Family(Scorecard):
    """What the cards of this family share: loaded dice, fewer boxes, another bonus."""

    dice: int = 5  # type: ignore[misc]
    die: Die = d6  # type: ignore[misc]
    casts: int = 3  # type: ignore[misc]
    enough: int = 63  # type: ignore[misc]
    bonus: int = 35  # type: ignore[misc]
    only: str = ""

    every_box: ClassVar[Sequence[Box]] = YAHTZEE_BOXES
    aliases: ClassVar[Mapping[str, str]] = {"boxes": "only"}
    rivals: ClassVar[tuple[str, ...]] = ("one-round-ahead", "greedy", "upper-first", "optimal")
    list_place: ClassVar[int] = 50
    help_in_words: ClassVar[Mapping[str, str]] = {
        "casts": "how often you may cast in a round",
        "enough": "what the upper section must have for the bonus",
        "bonus": "what the upper section brings then",
        "only": "the boxes of a smaller card, such as aces+sixes+chance",
    }

    def __post_init__(self) -> None:
        """Refuse a card that cannot be filled."""
        self.needs(
            self.die.faces == (1, 2, 3, 4, 5, 6),
            f"a die with the faces 1 to 6, loaded or not: got {self.die}",
        )
        self.needs(1 <= self.dice <= 6, f"1 to 6 dice: got dice={self.dice}")
        self.needs(1 <= self.casts <= 20, f"1 to 20 casts: got casts={self.casts}")
        super().__post_init__()

    @lazy
    def boxes(self) -> Sequence[Box]:
        """The boxes of the card: all of them, or those that were asked for."""
        named = {box.name: box for box in self.every_box}
        wanted = self.only.split("+") if self.only else []
        for name in wanted:
            if name not in named:
                raise UnknownParameter(
                    f"{self.name} has no box {name!r}{did_you_mean(name, named)}"
                )
        return tuple(named[name] for name in wanted) if wanted else tuple(self.every_box)


@register("yahtzee")
@dataclass(frozen=True)
class Yahtzee(Family):
    """Yahtzee alone, for the most points on average."""

    joker: str = "forced"  # type: ignore[misc]
    again: int = 100  # type: ignore[misc]

    special: ClassVar[str] = "yahtzee"
    called: ClassVar[str] = "Yahtzee"
    list_place: ClassVar[int] = 13
    tile_dice: ClassVar[tuple[int, ...]] = (6, 6, 6, 6, 6)
    in_short: ClassVar[str] = (
        "Cast five dice up to three times, and keep what you like in between. Then fill one of "
        "thirteen boxes, each of which wants other dice and is filled once. "
        "Get as many points as you can."
    )
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "joker": {
            "forced": "forced: the upper box first (the official rule)",
            "free": "free: any box",
            "none": "no jokers",
        },
    }


@register("kniffel")
@dataclass(frozen=True)
class Kniffel(Family):
    """Kniffel, the German game: no bonus for further Kniffels, and no jokers."""

    called: ClassVar[str] = "Kniffel"
    every_box: ClassVar[Sequence[Box]] = tuple(
        box._replace(name="kniffel") if box.name == "yahtzee" else box for box in YAHTZEE_BOXES
    )
    in_short: ClassVar[str] = Yahtzee.in_short
    tile_dice: ClassVar[tuple[int, ...]] = (3, 5, 2, 6, 4)


def pairs(many: int) -> Callable[[Dice], int]:
    """Return what scores the highest pairs of different faces, if there are so many."""

    def score(dice: Dice) -> int:
        found = sorted((face for face in set(dice) if dice.count(face) >= 2), reverse=True)
        return 2 * sum(found[:many]) if len(found) >= many else 0

    return score


def alike(many: int) -> Callable[[Dice], int]:
    """Return what scores so many dice of one face, the others not counted."""
    return lambda dice: max((many * face for face in dice if dice.count(face) >= many), default=0)


def house(high: int, low: int) -> Callable[[Dice], int]:
    """Return what scores the sum of all dice, if they are so many of one face and of another."""

    def score(dice: Dice) -> int:
        shown = sorted(map(dice.count, set(dice)))
        return sum(dice) if shown == sorted((low, high)) else 0

    return score


def row(first: int, last: int) -> Callable[[Dice], int]:
    """Return what scores the sum of a row of faces, if all of them show."""
    faces = set(range(first, last + 1))
    return lambda dice: sum(faces) if faces <= set(dice) else 0


YATZY_BOXES = (
    *(Box(name, all_of(face), counts=True) for face, name in enumerate(("ones", *FACES[1:]), 1)),
    Box("one-pair", pairs(1)),
    Box("two-pairs", pairs(2)),
    Box("three-of-a-kind", alike(3)),
    Box("four-of-a-kind", alike(4)),
    Box("small-straight", row(1, 5)),
    Box("large-straight", row(2, 6)),
    Box("full-house", house(3, 2)),
    Box("chance", sum),
    Box("yatzy", lambda dice: 50 if most(dice) == len(dice) else 0),
)


@register("yatzy")
@dataclass(frozen=True)
class Yatzy(Family):
    """Yatzy, the Scandinavian game: fifteen boxes, and 50 for 63 in the upper section."""

    bonus: int = 50  # type: ignore[misc]
    called: ClassVar[str] = "Yatzy"
    every_box: ClassVar[Sequence[Box]] = YATZY_BOXES
    in_short: ClassVar[str] = Yahtzee.in_short.replace("thirteen", "fifteen")
    tile_dice: ClassVar[tuple[int, ...]] = (4, 2, 4, 2, 4)


def house_within(high: int, low: int) -> Callable[[Dice], int]:
    """Return what scores so many of one face and of another, the best there are among the dice."""

    def score(dice: Dice) -> int:
        found = [
            high * one + low * two
            for one in set(dice)
            for two in set(dice)
            if one != two and dice.count(one) >= high and dice.count(two) >= low
        ]
        return max(found, default=0)

    return score


MAXI_BOXES = (
    *YATZY_BOXES[:8],  # ones to sixes and pairs
    Box("three-pairs", pairs(3)),
    *YATZY_BOXES[8:10],  # three and four of a kind
    Box("five-of-a-kind", alike(5)),
    *YATZY_BOXES[10:12],  # straights
    Box("full-straight", row(1, 6)),
    Box("full-house", house_within(3, 2)),
    Box("villa", house_within(3, 3)),
    Box("tower", house_within(4, 2)),
    Box("chance", sum),
    Box("maxi-yatzy", lambda dice: 100 if most(dice) == len(dice) else 0),
)


@register("maxi-yatzy")
@dataclass(frozen=True)
class MaxiYatzy(Family):
    """Maxi Yatzy, with six dice and twenty boxes; casts are not saved for later rounds."""

    dice: int = 6  # type: ignore[misc]
    enough: int = 84  # type: ignore[misc]
    bonus: int = 100  # type: ignore[misc]
    called: ClassVar[str] = "Maxi Yatzy"
    every_box: ClassVar[Sequence[Box]] = MAXI_BOXES
    in_short: ClassVar[str] = (
        "Cast six dice up to three times, and keep what you like in between. Then fill one of "
        "twenty boxes, each of which wants other dice and is filled once. "
        "Get as many points as you can."
    )


def par(game: Family) -> list[float]:
    """Return what each box brings on average to who fills only that one."""
    found: list[float] = solve_batch(game.rounds[0].round, game.arrays.score[0], jobs=1).tolist()
    return found


@strategy(Family, "greedy")
def greedy(game: Family) -> CardStrategy:
    """Play for the most points in this round, and take the box that brings them."""
    return CardStrategy(game, score_wish(game))


@strategy(Family, "one-round-ahead")
def one_round_ahead(game: Family) -> CardStrategy:
    """Play for the points of this round, less what the box would bring to who wants only it."""
    wish = score_wish(game)
    for box, points in enumerate(par(game)):
        wish[:, box] -= points
    return CardStrategy(game, wish)


@strategy(Family, "upper-first")
def upper_first(game: Family) -> CardStrategy:
    """Fill the upper section first, each face with as many dice as can be had; then be greedy."""
    wish = score_wish(game)
    for box, each in enumerate(game.boxes):
        if each.counts:  # three of a face is par, and worth more than any lower box
            wish[:, box] += 1000 - 3 * (FACES.index(each.name) + 1 if each.name in FACES else 1)
    return CardStrategy(game, wish)


@strategy(Family, "chase")
def chase(game: Family) -> CardStrategy:
    """Go for all dice alike until that box is filled, and fill the cheapest box if it fails."""
    wish = score_wish(game)
    for box, each in enumerate(game.boxes):
        if each.name in ("yahtzee", "yatzy", "kniffel", "maxi-yatzy"):
            wish[:, box] = 1000.0 * (game.arrays.score[0, box] > 0) - 100
    return CardStrategy(game, wish)
