"""Farkle: throw, put aside dice that score, and bank before a throw scores nothing.

Two players (or more, ``players``) race to ``target`` points. On your turn you throw all the dice.
Of those that score you put aside at least one; their points are at risk. Then you bank what is at
risk, or throw the dice that are left. A throw in which nothing scores is a *farkle*: the turn ends
with nothing. Where all dice have scored (*hot dice*) you may throw them all again and go on adding.
The first whose bank and points at risk reach the target has won: nobody would throw again.

What scores is told by ``scoring``, which names a table or lists its entries; a combination counts
only within one throw. House rules are parameters: ``entry`` is the least a first bank must have,
``minimum`` the least of any bank, ``hot_dice=no`` ends a turn in which all dice have scored, and
``three_farkles`` is what three turns in a row without points cost. So that a bank cannot fall for
ever, it never falls below ``floor``. Who has no points, or fewer, is not on the board yet, and
needs the entry score, perhaps again.

Points are counted in *steps*, the largest number that divides all scores, mostly 50: the fields of
a position are steps, its notation is in points. Of the sets that one may put aside only the best
of each number of dice is offered: another of as many dice leaves the same dice and fewer points,
and fewer points never help.

Sources: the rules as boxes and web pages tell them; where the tables come from is in
`dicelab.games.farkle.scores`. M. Busche, "Maximizing Win Probability in the Game of Farkle", 2016,
has solved the game to 10000.

>>> from dicelab import solve
>>> from dicelab.games.farkle import Farkle
>>> solve(Farkle(target=50, dice=1), exact=True).value      # v = 1/3 + 2/3 (1 - v), so v = 3/5
Fraction(3, 5)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.games import seats
from dicelab.games.farkle.scores import TABLES, Dice, Scores, combinations_of
from dicelab.rules import (
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Chance,
    Game,
    Ints,
    Outcome,
    Position,
    Throw,
    Way,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.sentences import count

ROLL, BANK, KEEP = "roll", "bank", "keep "
IN_A_ROW = 3  # farkles that cost something
MOST_DICE = 6


class FarklePosition(NamedTuple):
    """What the player about to move sees, written ``350-200 +150 (4 dice)``; points in steps.

    Farkles in a row, yours and the other player's, are counted only where three of them cost.
    """

    mine: Ints
    yours: Ints
    at_risk: Ints
    dice: Ints
    farkles: Ints
    others: Ints


@dataclass(frozen=True)
class FarkleRules(Game):
    """What is thrown, what may be put aside, and when a bank counts."""

    target: int = 1000
    scoring: str = "standard"
    entry: int = 0
    minimum: int = 0
    hot_dice: bool = True
    three_farkles: int = 0
    floor: int = 0
    dice: int = 6
    die: Die = d6
    players: int = field(default=2, kw_only=True)  # type: ignore[misc]  # a parameter here

    moves: ClassVar[tuple[str, ...]] = (ROLL, BANK)
    aliases: ClassVar[Mapping[str, str]] = {"goal": "target"}

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        seats.needs_seats(self)
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(
            combinations_of(self.scoring) is not None,
            f"a scoring among {', '.join(TABLES)}, entries such as straight:1500 or 111:1000, or "
            f"both: got scoring={self.scoring}",
        )
        self.needs(1 <= self.dice <= MOST_DICE, f"1 to {MOST_DICE} dice: got dice={self.dice}")
        self.needs(set(self.die.faces) <= set(range(1, 7)), f"faces 1 to 6: got die={self.die}")
        for name in ("entry", "minimum", "three_farkles"):
            worth = getattr(self, name)
            self.needs(worth >= 0, f"0 points or more for {name}: got {name}={worth}")
        self.needs(self.floor <= 0, f"a floor of 0 or less: got floor={self.floor}")
        self.needs(
            bool(self.scores.worth_of),
            f"dice that can score: got scoring={self.scoring} dice={self.dice} die={self.die}",
        )
        everything = [self.floor, self.three_farkles]
        self.needs(
            not any(points % self.step for points in everything),
            f"a floor and three_farkles in steps of {self.step}, as its scores are: "
            f"got floor={self.floor} three_farkles={self.three_farkles}",
        )

    @lazy
    def scores(self) -> Scores:
        """What the dice score, and how likely that is."""
        return Scores(self.scoring, self.dice, self.die)

    @property
    def step(self) -> int:
        """How many points a step is."""
        return self.scores.step

    @property
    def goal(self) -> int:
        """The target in steps."""
        return -(-self.target // self.step)

    def needed(self, at: FarklePosition) -> Ints:
        """Return the least that can be banked, in steps."""
        minimum = max(1, -(-self.minimum // self.step))
        return where(at.mine <= 0, max(minimum, -(-self.entry // self.step)), minimum)

    @property
    def place(self) -> Any:
        """The kind of its positions, with a bank and a row of farkles for each player."""
        return seats.seated(FarklePosition, self.players)

    def start(self) -> FarklePosition:
        """Return the position the game starts from."""
        none = [0] * self.players
        start: FarklePosition = self.place(*none, 0, self.dice, *none)
        return start

    def legal(self, at: FarklePosition, move: str) -> Bools:
        """Return whether the move is allowed: without dice to throw one can only bank."""
        if move == ROLL:
            return at.dice > 0
        return either(at.at_risk >= self.needed(at), at.dice == 0)

    def outcomes(self, at: FarklePosition, move: str) -> Iterator[Outcome | Throw]:
        """Yield (chance, next position, who moves next); a throw that scores leaves a choice."""
        if move == BANK:
            banked = where(at.at_risk >= self.needed(at), at.at_risk, 0 * at.mine)
            yield Outcome(1, self._passed(at, at.mine + banked, 0 * at.mine), OTHER)
            return
        for dice, times in self.scores.times_of.items():
            chance = Chance(times[at.dice], self.scores.every)
            yield Throw(chance, dice) if dice else self._farkle(at, chance)

    def _passed(self, at: FarklePosition, bank: Ints, farkles: Ints) -> FarklePosition:
        """Return where the next player's turn begins: everybody moves up, and I come last."""
        none, players = 0 * at.mine, self.players
        banks, rows = at[1:players], at[players + 3 :]
        place: Any = type(at)
        passed: FarklePosition = place(*banks, bank, none, none + self.dice, *rows, farkles)
        return passed

    def _farkle(self, at: FarklePosition, chance: Chance) -> Outcome:
        """Return where a throw leads in which nothing scores."""
        if not self.three_farkles:
            return Outcome(chance, self._passed(at, at.mine, 0 * at.mine), OTHER)
        third = at.farkles + 1 == IN_A_ROW
        fallen, floor = at.mine - self.three_farkles // self.step, self.floor // self.step
        bank = where(third, where(fallen < floor, floor, fallen), at.mine)
        farkles = where(third, 0, at.farkles + 1)
        return Outcome(chance, self._passed(at, bank, farkles), OTHER)

    def ways(self, at: FarklePosition, move: str, dice: Dice) -> Iterator[Way]:
        """Yield what may be put aside after a throw, by the dice of it that score."""
        for some, points in self.scores.sets_of[dice]:
            yield Way(keep(some), self._kept(at, len(some), points // self.step), SAME)

    def _kept(self, at: FarklePosition, number: int, points: int) -> FarklePosition:
        """Return where one is with so many dice put aside for so many steps."""
        # Points beyond those that win are of no use, and so are the dice that are left then.
        most, left = self.goal - at.mine, at.dice - number
        most = where(most < self.needed(at), self.needed(at), most)
        at_risk = where(at.at_risk + points > most, most, at.at_risk + points)
        all_again = at_risk == most if not self.hot_dice else either(at_risk == most, left == 0)
        left = where(all_again, self.dice, left)
        return at._replace(at_risk=at_risk, dice=left)

    def result(self, at: FarklePosition) -> Ints:
        """Return WIN where the bank and the points at risk reach the target, if one may bank."""
        reached = both(at.mine + at.at_risk >= self.goal, at.at_risk >= self.needed(at))
        won = either(at.mine >= self.goal, reached)
        found = where(won, WIN, ONGOING)
        for seat, bank in reversed([*enumerate(seats.others(at, self.players), start=1)]):
            found = where(bank >= self.goal, self.won_by(seat), found)
        return found

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws at most."""
        return self.dice if move == ROLL else 0

    def dice_at(self, at: Position, move: str) -> int:
        """Return how many dice a move throws at one position."""
        return int(at.dice) if move == ROLL else 0

    def after(self, at: Position, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if move != ROLL:
            return super().after(at, move, faces)
        dice = self.scores.scoring_dice(faces)
        certain = Chance(1, 1)
        return self.followed(at, move, Throw(certain, dice) if dice else self._farkle(at, certain))

    def size(self) -> int:
        """Return about how many positions there are."""
        banks = self.goal - self.floor // self.step
        turns = (banks * (IN_A_ROW if self.three_farkles else 1)) ** self.players
        return turns * max(2, banks * (self.dice - 1) // 2)

    def branching(self) -> float:
        """Return about how many outcomes a position has, every way after a throw counted."""
        ways = {(): 1} | {dice: len(sets) for dice, sets in self.scores.sets_of.items()}
        shown = self.scores.times_of.items()
        return 1 + sum(ways[dice] * np.count_nonzero(times) for dice, times in shown) / self.dice

    def notation(self, at: Position) -> str:
        """Return ``mine-yours +at_risk (4 dice)``, and farkles in a row where they count."""
        *banks, at_risk = (int(steps) * self.step for steps in at[: self.players + 1])
        rows = f", farkles {seats.between(at[self.players + 2 :])}" if self.three_farkles else ""
        return f"{seats.between(banks)} +{at_risk} ({count(int(at.dice), 'die')}{rows})"

    def parse(self, text: str) -> FarklePosition:
        """Return the position that a notation stands for; ``350-200`` begins a turn."""
        players = self.players
        banks = seats.pattern(r"(-?\d{1,9})", players)
        rows = r"\s*,\s*farkles" + seats.pattern(r"([0-2])", players)
        match = re.fullmatch(
            rf"{banks}\s*(?:\+\s*(\d{{1,9}}))?\s*"
            rf"(?:\(\s*([0-{self.dice}])\s*(?:dice|die)(?:{rows})?\s*\))?\s*",
            text,
        )
        if match is None or (match[players + 3] and not self.three_farkles):
            raise self.unreadable(text)
        points = [int(part or 0) for part in match.groups()[: players + 1]]
        if any(each % self.step for each in points):
            raise self.unreadable(text)
        left = match[players + 2]
        dice = self.dice if left is None else int(left)
        farkles = (int(part or 0) for part in match.groups()[players + 2 :])
        found: FarklePosition = self.place(*(each // self.step for each in points), dice, *farkles)
        return found


def keep(dice: Dice) -> str:
    """Return what putting some dice aside is called."""
    return KEEP + " ".join(map(str, dice))


def put_aside(way: str) -> Dice:
    """Return the dice that are put aside on a way."""
    return tuple(map(int, way.removeprefix(KEEP).split()))
