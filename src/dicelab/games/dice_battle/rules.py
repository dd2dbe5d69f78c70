"""Dice Battle: throw as many dice as you dare; any 1 among them spoils the throw.

Two players race to ``target`` points. On your turn you choose how many dice to throw, from 1 to
``dice``. If none of them shows a 1 you score their sum. If any does, you score a single point, or
nothing in the zero-point game, which is known as Hog.

Four variants. ``one`` and ``zero`` are played by turns: the first to reach the target wins.
``simultaneous`` and ``simultaneous-zero`` let both players choose and throw at once: if both
reach the target in the same turn the larger total wins, and equal totals draw. With ``target=1``
the simultaneous game is over after one throw each.

More than two may play by turns (``players``); what counts is then the chance to win. Between two a
win is worth 1, a loss -1, a draw 0. In the zero-point games two spoiled throws in a row lead
back to the same position, so these games have cycles.

Sources: A. Carnielli, "Dice Battle", project for the course MOGPL (MU4IN200), Sorbonne Université;
T. W. Neller & C. G. M. Presser, "Pigtail: A Pig Addendum", The UMAP Journal 26(4), 2005, on Hog.

>>> from dicelab import solve
>>> solve(DiceBattle(dice=3, target=2), exact=True).value       # one die: 5/6 - 1/6 x 5/6 + 1/36
Fraction(13, 18)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.games import seats
from dicelab.games.painting import dice_map, throwing
from dicelab.games.throwing import ScorePosition, TwoScores, number_of_dice, throw
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    WIN,
    Bools,
    Game,
    Ints,
    Outcome,
    Position,
    RaceAtOnce,
    both,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import chance_of_any, sum_law_without
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import shown, threw
from dicelab.rules.speech import Told

GAIN = {WIN: Fraction(1), LOSS: Fraction(-1), DRAW: Fraction(0)}
"""What ends are worth between two."""
VARIANTS = ("one", "zero", "simultaneous", "simultaneous-zero")
MOST_DICE = 100


@lru_cache(maxsize=4096)
def points_law(dice: int, die: Die = d6, spoiled: int = 1) -> Mapping[int, Fraction]:
    """Return P(d, .): the chance of each number of points that so many dice may score.

    >>> points_law(2)[1], points_law(2)[4]
    (Fraction(11, 36), Fraction(1, 36))
    """
    law = sum_law_without(die, 1, dice)
    spoils = 1 - sum(law.values(), Fraction(0))
    if spoils:
        law[spoiled] = law.get(spoiled, Fraction(0)) + spoils
    return dict(sorted(law.items()))


@lru_cache(maxsize=4096)
def points_law_up_to(
    most: int, dice: int, die: Die = d6, spoiled: int = 1
) -> Mapping[int, Fraction]:
    """Return the same law for a player who needs no more than ``most`` points: more count as these.

    >>> points_law_up_to(3, 2) == {1: Fraction(11, 36), 3: Fraction(25, 36)}
    True
    """
    whole = chance_without_a_one(dice, die)
    law = sum_law_without(die, 1, dice, below=most)
    beyond = whole - sum(law.values(), Fraction(0))
    for points, chance in ((most, beyond), (min(spoiled, most), 1 - whole)):
        if chance:
            law[points] = law.get(points, Fraction(0)) + chance
    return dict(sorted(law.items()))


def chance_without_a_one(dice: int, die: Die = d6) -> Fraction:
    """Return the chance that none of so many dice shows a 1."""
    return 1 - chance_of_any(die, 1, dice)


def chance_without_one(dice: int, points: int, die: Die = d6) -> Fraction:
    """Return Q(d, k): the chance that the dice sum to k, given that none shows a 1.

    >>> chance_without_one(2, 5)
    Fraction(2, 25)
    """
    law = sum_law_without(die, 1, dice)
    whole = sum(law.values(), Fraction(0))
    if not whole:
        raise RulesError(f"dice-battle needs a face besides the 1: got die={die}")
    return law.get(points, Fraction(0)) / whole


def chance_of_points(dice: int, points: int, die: Die = d6, spoiled: int = 1) -> Fraction:
    """Return P(d, k): the chance that so many dice score k points.

    >>> chance_of_points(3, 1)
    Fraction(91, 216)
    """
    return points_law(dice, die, spoiled).get(points, Fraction(0))


def expected_points(dice: int, die: Die = d6, spoiled: int = 1) -> Fraction:
    """Return EP(d): the points that so many dice score on average.

    >>> round(float(expected_points(6)), 3)
    8.703
    """
    # Each of the dice shows some other face; the sum counts if the others show no 1 either.
    shown = sum((face * chance for face, chance in die if face != 1), Fraction(0))
    spoils = 1 - chance_without_a_one(dice, die)
    return dice * shown * chance_without_a_one(dice - 1, die) + spoiled * spoils


def blind_dice(most: int, die: Die = d6, spoiled: int = 1) -> int:
    """Return d*(D): the number of dice, up to ``most``, that score most on average.

    In the zero-point game five and six dice score the same on average; the fewest win the tie.

    >>> [blind_dice(most) for most in (3, 6, 10)], blind_dice(10, spoiled=0)
    ([3, 6, 6], 5)
    """
    return max(range(1, most + 1), key=lambda dice: (expected_points(dice, die, spoiled), -dice))


@register("dice-battle")
@dataclass(frozen=True)
class DiceBattle(TwoScores, RaceAtOnce):
    """Dice Battle, by turns or at once, for one point or none."""

    dice: int = 10
    target: int = 100
    die: Die = d6
    variant: str = "one"
    players: int = field(default=2, kw_only=True)  # type: ignore[misc]  # a parameter here

    in_short: ClassVar[str] = (
        "Throw as many dice as you dare; any 1 among them spoils the throw. Otherwise you score "
        "their sum. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 14
    tile_dice: ClassVar[tuple[int, ...]] = (3, 6, 4)
    is_daily: ClassVar[bool] = True
    tray: ClassVar[str] = "handfuls"
    map_views: ClassVar[tuple[str, ...]] = ("boards",)
    rivals: ClassVar[tuple[str, ...]] = ("blind", "by-turns", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "blind": (
            mark("the creature of habit"),
            mark("Always throws the number of dice that scores most on average."),
        ),
        "by-turns": (
            mark("the polite one"),
            mark("Throws what is best where players take turns, whether they do or not."),
        ),
    }
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "variant": {
            "one": "by turns; a throw with a 1 scores one point",
            "zero": "by turns; a throw with a 1 scores nothing (Hog)",
            "simultaneous": "both at once; a throw with a 1 scores one point",
            "simultaneous-zero": "both at once; a throw with a 1 scores nothing",
        }
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        seats.needs_seats(self)
        self.needs(
            self.players == 2 or not self.is_simultaneous,
            f"two players for variant={self.variant}: got players={self.players}",
        )
        self.needs(1 <= self.dice <= MOST_DICE, f"1 to {MOST_DICE} dice: got dice={self.dice}")
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(
            self.variant in VARIANTS,
            f"a variant among {', '.join(VARIANTS)}: got variant={self.variant}",
        )
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        self.needs(self.die.faces != (1,), f"a face besides the 1: got die={self.die}")

    @property
    def worth(self) -> Mapping[int, Fraction]:  # type: ignore[override]
        """What each end is worth: between two a gain, among more the chance to win."""
        return GAIN if self.players == 2 else Game.worth

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What the value counts."""
        return "gain" if self.players == 2 else Game.unit

    @property
    def spoiled(self) -> int:
        """What a throw with a 1 scores."""
        return 0 if self.variant in ("zero", "simultaneous-zero") else 1

    @property
    def is_simultaneous(self) -> bool:
        """Whether both players throw at once."""
        return self.variant.startswith("simultaneous")

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The numbers of dice that may be thrown."""
        return tuple(throw(number) for number in range(1, self.dice + 1))

    def points(self, move: str) -> Mapping[int, Fraction]:
        """Return the chance of each number of points that a move may score."""
        return points_law(number_of_dice(move), self.die, self.spoiled)

    def highest(self) -> int:
        """Return the highest score that plays on."""
        return self.target - 1

    def legal(self, at: ScorePosition, move: str) -> Bools:
        """Return whether the move is allowed: any number of dice up to the most."""
        return (at.mine >= 0) & (number_of_dice(move) <= self.dice)

    def outcomes(self, at: ScorePosition, move: str, yours: str = "") -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        if self.is_simultaneous:
            yield from super().outcomes(at, move, yours)
            return
        law = points_law_up_to(self.target, number_of_dice(move), self.die, self.spoiled)
        for points, chance in law.items():
            yield self._then(at, chance, points)

    def _then(self, at: ScorePosition, chance: Fraction, points: int) -> Outcome:
        """Return where a throw of so many points leads."""
        mine = at.mine + points
        # A score beyond the target wins like the target itself.
        after = where(mine >= self.target, self.target, mine)
        return Outcome(chance, type(at)(*at[1:], after), OTHER)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return number_of_dice(move)

    def scored(self, move: str, faces: Sequence[int]) -> int:
        """Return the sum of the faces, or what a throw with a 1 scores."""
        return self.spoiled if 1 in faces else sum(faces)

    def after(self, at: ScorePosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces, played by turns."""
        return self._then(at, Fraction(1), self.scored(move, faces))

    def result(self, at: ScorePosition) -> Ints:
        """Return who has won: whoever is at the target, the larger total if both are."""
        if self.players > 2:
            found: Ints = ONGOING
            for seat, score in enumerate(at):
                found = where(score >= self.target, self.won_by(seat), found)
            return found
        over = where(at.mine == at.yours, DRAW, where(at.mine > at.yours, WIN, LOSS))
        return where(both(at.mine < self.target, at.yours < self.target), ONGOING, over)

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means: at once, a draw is half a win."""
        if self.is_simultaneous:
            return tr("chance to win, a draw counting half")
        return tr("chance to win")

    def label(self, at: ScorePosition, move: str) -> str:
        """Return what stands on the button of a move."""
        return tr("Throw {dice}", dice=number_of_dice(move))

    def spoken(self, at: ScorePosition, move: str) -> str:
        """Return a move as one says it in a sentence."""
        return tr("throw {dice}", dice=number_of_dice(move))

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw."""
        points = self.scored(move, faces)
        what = threw(you, shown(faces))
        ones = tuple(place for place, face in enumerate(faces) if face == 1)
        spoiled = mark("{done}: spoiled by a 1, {more}.")
        score = trn("{n} point", "{n} points", points)
        text = tr(spoiled if ones else mark("{done}: {more}."), done=what, more=score)
        return Told(text, "spoiled" if ones else "scored", points, ones)

    @property
    def canvas(self) -> JsonObject:
        """How a strategy can be painted: numbers of dice over both scores."""
        return {"kind": "dice", "size": self.target, "least": 1, "most": self.dice}

    def painted(self, kind: str, given: JsonObject) -> Callable[[ScorePosition], object]:
        """Return the strategy that a map of numbers of dice tells."""
        dice: Any = dice_map(self, given["dice"], self.target) if kind == "dice" else None
        return throwing(self, self.target, kind, lambda at, mine, yours: dice[mine, yours])


@strategy(DiceBattle, "blind")
def blind(game: DiceBattle, dice: int | None = None) -> Callable[[ScorePosition], object]:
    """Always throw the same number of dice: the one that scores most on average, or your own."""
    number = blind_dice(game.dice, game.die, game.spoiled) if dice is None else dice
    if not 1 <= number <= game.dice:
        raise RulesError(f"blind:{number} cannot be played in {game}: throw 1 to {game.dice} dice")
    return lambda at: where(at.mine >= 0, throw(number), "")
