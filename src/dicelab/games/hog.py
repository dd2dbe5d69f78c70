"""Hog: roll as many dice as you dare, all at once; any 1 among them leaves a single point.

Two players race to ``target`` points. On your turn you choose how many dice to roll, up to
``dice``. If none shows a 1 you score their sum. If any does, you *pig out* (*sow sad*): the turn
scores 1. You may also roll no dice at all, and then score what ``zero`` says:

- ``free-bacon``: one more than the largest digit of the other player's score;
- ``pig-tail``: 1 + 2 |t - o|, where t and o are the tens and ones digits of the other's score;
- ``boar-brawl``: 3 |t - o|, at least 1, where t is the tens digit of the other player's score and
  o the ones digit of yours;
- ``none``: rolling no dice is not allowed.

The first to end a turn with the target wins. With ``swine_swap``, both scores change hands where
one is exactly twice the other at the end of a turn. That comes before anybody wins: who gets
to 100 against 50 has lost.

Every turn scores at least 1, so without the swap scores only grow. With it positions come back.

Source: the project "The Game of Hog" of the course CS 61A, University of California, Berkeley,
whose rules differ from year to year. Free bacon and the swap are those of 2014 and 2015, pig tail
that of 2022, boar brawl that of 2023 and later.

>>> from dicelab import solve
>>> solve(Hog(target=2), exact=True).value      # one die; after a 1 the other wins with none
Fraction(5, 6)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.games.dice_battle.rules import blind_dice, points_law_up_to
from dicelab.games.throwing import ScorePosition, TwoScores
from dicelab.rules import LOSS, ONGOING, OTHER, WIN, Bools, Ints, Outcome, Position, either, where
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import rolled, shown
from dicelab.rules.speech import Told

FREE_BACON, PIG_TAIL, BOAR_BRAWL, NONE = ZEROS = "free-bacon", "pig-tail", "boar-brawl", "none"
MOST_DICE = 20


def roll(dice: int) -> str:
    """Return the move that rolls so many dice."""
    return f"roll {dice}"


def tens(score: Ints) -> Ints:
    """Return the second digit of a score from the right; of 7 it is 0."""
    return score // 10 % 10


def ones(score: Ints) -> Ints:
    """Return the last digit of a score."""
    return score % 10


def largest_digit(score: Ints, most: int) -> Ints:
    """Return the largest digit of scores up to `most`."""
    found = ones(score)
    for place in range(1, len(str(most))):
        digit = score // 10**place % 10
        found = where(digit > found, digit, found)
    return found


@register("hog")
@dataclass(frozen=True)
class Hog(TwoScores):
    """Hog, with a rule for rolling no dice, and with or without the swap."""

    dice: int = 10
    target: int = 100
    die: Die = d6
    zero: str = FREE_BACON
    swine_swap: bool = False

    aliases: ClassVar[Mapping[str, str]] = {"faces": "die", "sides": "die", "goal": "target"}
    in_short: ClassVar[str] = (
        "Roll as many dice as you dare, all at once; any 1 among them leaves a single point. "
        "Roll no dice for points that depend on the scores. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 35
    tray: ClassVar[str] = "handfuls"
    map_views: ClassVar[tuple[str, ...]] = ("boards",)
    rivals: ClassVar[tuple[str, ...]] = ("always-roll", "bacon", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "always-roll": (
            mark("the creature of habit"),
            mark("Always rolls the number of dice that scores most on average."),
        ),
        "bacon": (
            mark("the opportunist"),
            mark("Rolls no dice where that scores 8 points or more."),
        ),
    }
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "zero": {
            FREE_BACON: "no dice: one more than the largest digit of the other score",
            PIG_TAIL: "no dice: 1 and twice the difference of the other score's digits",
            BOAR_BRAWL: "no dice: three times the other's tens digit less your ones digit",
            NONE: "at least one die must be rolled",
        }
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "zero": "what rolling no dice scores",
        "swine_swap": "scores change hands where one is twice the other",
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(1 <= self.dice <= MOST_DICE, f"1 to {MOST_DICE} dice: got dice={self.dice}")
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(
            self.zero in ZEROS, f"a zero rule among {', '.join(ZEROS)}: got zero={self.zero}"
        )
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        self.needs(self.die.faces != (1,), f"a face besides the 1: got die={self.die}")

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The numbers of dice that may be rolled."""
        return tuple(map(roll, range(1 if self.zero == NONE else 0, self.dice + 1)))

    def legal(self, at: ScorePosition, move: str) -> Bools:
        """Return whether the move is allowed: any number of dice in the list."""
        return (at.mine >= 0) & (move in self.moves)

    def for_no_dice(self, at: ScorePosition) -> Ints:
        """Return what rolling no dice scores."""
        if self.zero == FREE_BACON:
            return 1 + largest_digit(at.yours, self.target)
        if self.zero == PIG_TAIL:
            return 1 + 2 * abs(tens(at.yours) - ones(at.yours))
        apart = 3 * abs(tens(at.yours) - ones(at.mine))
        return where(apart < 1, 1, apart)

    def outcomes(self, at: ScorePosition, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        dice = self.dice_of(move)
        if not dice:
            yield self._then(at, Fraction(1), self.for_no_dice(at))
            return
        # Beyond twice the target no score is twice another that still plays.
        most = 2 * self.target if self.swine_swap else self.target
        for points, chance in points_law_up_to(most, dice, self.die).items():
            yield self._then(at, chance, points)

    def _then(self, at: ScorePosition, chance: Fraction, points: Ints) -> Outcome:
        """Return where a turn of so many points leads."""
        mine, yours = at.mine + points, at.yours
        if self.swine_swap:
            swaps = either(mine == 2 * yours, yours == 2 * mine)
            mine, yours = where(swaps, yours, mine), where(swaps, mine, yours)
        # A score beyond the target wins like the target itself.
        mine, yours = (where(one >= self.target, self.target, one) for one in (mine, yours))
        return Outcome(chance, ScorePosition(yours, mine), OTHER)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move rolls."""
        return int(move.removeprefix("roll "))

    def after(self, at: ScorePosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        return self._then(at, Fraction(1), self.scored(at, faces))

    def scored(self, at: ScorePosition, faces: Sequence[int]) -> Ints:
        """Return what a turn scores when its dice show these faces, perhaps none."""
        if not faces:
            return self.for_no_dice(at)
        return 1 if 1 in faces else sum(faces)

    def result(self, at: ScorePosition) -> Ints:
        """Return who has reached the target; after a swap it may be who did not roll."""
        over = where(at.mine >= self.target, WIN, LOSS)
        return where(either(at.mine >= self.target, at.yours >= self.target), over, ONGOING)

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if self.dice_of(move):
            return tr("Roll {dice}", dice=self.dice_of(move))
        points = int(self.for_no_dice(at))
        return trn("No dice: {n} point", "No dice: {n} points", points)

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence."""
        dice = self.dice_of(move)
        return tr("roll {dice}", dice=dice) if dice else tr("roll no dice")

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody took a turn."""
        points = int(self.scored(at, faces))
        dice = shown(faces) if faces else tr("no dice")
        what = rolled(you, dice)
        pigs = tuple(place for place, face in enumerate(faces) if face == 1)
        spoiled = mark("{done}: a 1 leaves {more}.")
        score = trn("{n} point", "{n} points", points)
        text = tr(spoiled if pigs else mark("{done}: {more}."), done=what, more=score)
        total = int(at.mine) + points
        if self.swine_swap and either(total == 2 * at.yours, at.yours == 2 * total) and total:
            swap = tr("{one} and {two} change hands.", one=total, two=int(at.yours))
            text = f"{text} {swap}"
        return Told(text, "spoiled" if pigs else "scored", points, pigs)


def _rolled(game: Hog, dice: int | None, name: str) -> str:
    """Return the move of so many dice, by default those that score most on average."""
    number = blind_dice(game.dice, game.die) if dice is None else dice
    if roll(number) not in game.moves:
        fewest = game.dice_of(game.moves[0])
        raise RulesError(
            f"{name} cannot roll {number} dice in {game}: roll {fewest} to {game.dice}"
        )
    return roll(number)


@strategy(Hog, "always-roll")
def always_roll(game: Hog, dice: int | None = None) -> Callable[[ScorePosition], object]:
    """Always roll the same number of dice: the one that scores most on average, or your own."""
    move = _rolled(game, dice, "always-roll")
    return lambda at: where(at.mine >= 0, move, "")


@strategy(Hog, "bacon")
def bacon(game: Hog, points: int = 8, dice: int | None = None) -> Callable[[ScorePosition], object]:
    """Roll no dice where that scores so many points or more, else so many dice."""
    if game.zero == NONE:
        raise RulesError(f"bacon rolls no dice, and {game} does not allow that")
    move = _rolled(game, dice, "bacon")
    return lambda at: where(game.for_no_dice(at) >= points, roll(0), move)
