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
`dicelab.games.farkle_scores`. M. Busche, "Maximizing Win Probability in the Game of Farkle", 2016,
has solved the game to 10000.

>>> from dicelab import solve
>>> solve(Farkle(target=50, dice=1), exact=True).value      # v = 1/3 + 2/3 (1 - v), so v = 3/5
Fraction(3, 5)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.games import seats
from dicelab.games.farkle_scores import TABLES, Dice, Scores, combinations_of
from dicelab.rules import (
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Chance,
    Game,
    Ints,
    Moment,
    Outcome,
    Position,
    Throw,
    Way,
    before_throw,
    both,
    either,
    where,
)
from dicelab.rules.board import Done, thrown_dice
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import FURTHER, count, rolled, said_by, shown
from dicelab.rules.speech import YOU_HAVE, Told, seat_fields, turned_to

ROLL, BANK, KEEP = "roll", "bank", "keep "
IN_A_ROW = 3  # farkles that cost something
MOST_DICE = 6
FARKLED = {
    1: (mark("You farkled once in a row."), mark("The other player farkled once in a row.")),
    2: (mark("You farkled twice in a row."), mark("The other player farkled twice in a row.")),
}

Choose = Callable[..., object]
"""A named strategy: a move before the throw, and after it what to put aside."""


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


@register("farkle")
@dataclass(frozen=True)
class Farkle(Game):
    """Farkle for two, with the scores and the house rules of your table."""

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
    in_short: ClassVar[str] = (
        "Throw the dice, put aside some that score, and throw the rest or bank. A throw in which "
        "nothing scores costs you the turn. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 12
    tile_dice: ClassVar[tuple[int, ...]] = (1, 5, 1, 3, 1)
    rivals: ClassVar[tuple[str, ...]] = (
        "bank-at:300",
        "cautious",
        "greedy",
        "look-ahead",
        "random",
        "optimal",
    )
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "bank-at:300": (
            mark("the classic"),
            mark("Keeps every die that scores, and banks from 300 points on."),
        ),
        "cautious": (mark("the cautious one"), mark("Banks as soon as it may.")),
        "greedy": (
            mark("the gambler"),
            mark("Keeps few dice and never banks: wins in this turn or farkles."),
        ),
        "look-ahead": (
            mark("the reckoner"),
            mark("Weighs one throw more, as if it were the last of the turn."),
        ),
    }
    seat_pairs: ClassVar[tuple[tuple[str, str], ...]] = (("mine", "yours"), ("farkles", "others"))
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": (mark("Roll on longer"), mark("banking too early")),
        "fewer": (mark("Bank earlier"), mark("rolling too long")),
    }
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "scoring": {
            "standard": "1s, 5s and three of a kind",
            "facebook": "sets up to six, 1500 for a straight, 750 for three pairs",
            "patch": "1000 to 3000 for four to six of a kind, 2500 for two triplets",
            "kingdom-come": "every die beyond three doubles the set; short straights count",
        }
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "scoring": "a table, or entries such as standard,straight:1500",
        "entry": "the least that a first bank must have",
        "minimum": "the least that any bank must have",
        "hot_dice": "throw all dice again where all have scored",
        "three_farkles": "what three farkles in a row cost; 0: nothing",
        "floor": "what a bank never falls below",
    }
    largest: ClassVar[Mapping[str, int]] = {"target": 2000, "dice": MOST_DICE, "die": 6}

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

    # At the table

    def points(self, steps: Ints) -> int:
        """Return so many steps in points."""
        return int(steps) * self.step

    def points_of_one(self, name: str) -> int:
        """Return how many points one of a field is: scores are counted in steps."""
        seats = seat_fields("mine", "yours", self.players)
        return self.step if name in (*seats, "at_risk") else 1

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move == ROLL:
            return tr("Roll {dice}", dice=trn("{n} die", "{n} dice", int(at.dice)))
        if move == BANK:
            return tr("Bank {points}", points=self.points(at.at_risk))
        worth = self.scores.worth_of[put_aside(move)]
        return tr("Keep {dice} for {points}", dice=move.removeprefix(KEEP), points=worth)

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: roll, bank, keep 1 5."""
        if move.startswith(KEEP):
            return tr("keep {dice}", dice=move.removeprefix(KEEP))
        return super().spoken(at, move)

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position in points; farkles in a row only where they count."""
        told = super().counters(before_throw(at), mine)
        for name in (*seat_fields("mine", "yours", self.players), "at_risk"):
            told[name] = self.points(told[name])
        names = seat_fields("farkles", "others", self.players)
        rows = {name: told.pop(name) for name in names}
        if self.three_farkles:
            told |= rows if mine else turned_to(rows, [names], 1)
        return told

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return the dice of a throw, of which those that score can be picked."""
        if not isinstance(at, Moment):
            return []
        scoring: Dice = at.dice  # type: ignore[assignment]
        thrown = past[-1].faces if past and past[-1].move == ROLL else scoring
        return [thrown_dice(tr("The dice"), thrown, scoring)]

    def touched(self, at: Position, move: str) -> list[str]:
        """Return the faces that a move puts aside."""
        return [str(face) for face in put_aside(move)] if move.startswith(KEEP) else []

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the last score: the points at risk that reached the target are banked."""
        told = self.counters(at, mine)
        winner = "mine" if mine else "yours"
        return {**told, winner: told[winner] + told["at_risk"], "at_risk": 0}

    def remark_on(self, at: Position) -> str:
        """Return how many dice are left to throw in a turn under way."""
        return trn("There is {n} die to throw.", "There are {n} dice to throw.", int(at.dice))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        text = [self._has(told, "mine", mine), self._has(told, "yours", not mine)]
        if isinstance(at, Moment):
            threw = at.shown
            text.append(
                said_by(mine, "You threw {dice}.", "The other player threw {dice}.", dice=threw)
            )
        for you, farkles in ((True, "farkles"), (False, "others")):
            if times := told.get(farkles):
                text.append(said_by(you, *FARKLED[times]))
        return " ".join(text)

    def _has(self, told: JsonObject, whose: str, moves: bool) -> str:
        """Return what one of two has, and what is at risk where that player moves."""
        you, score = whose == "mine", told[whose]
        if not (moves and told["at_risk"]):
            return said_by(you, YOU_HAVE, mark("The other player has {score}."), score=score)
        return said_by(
            you,
            "You have {score} and {risk} at risk, with {dice} to throw.",
            "The other player has {score} and {risk} at risk, with {dice} to throw.",
            score=score,
            risk=told["at_risk"],
            dice=trn("{n} die", "{n} dice", told["dice"]),
        )

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, put dice aside or banked."""
        if move == BANK:
            held = self.points(at.at_risk)
            text = said_by(
                you, "You bank {points}.", "The other player banks {points}.", points=held
            )
            return Told(text, "held", held)
        wins = not isinstance(after, Moment) and int(self.result(after)) == WIN
        if move != ROLL:
            some = put_aside(move)
            points = self.scores.worth_of[some]
            done = said_by(
                you, "You keep {dice}", "The other player keeps {dice}", dice=shown(some)
            )
        else:
            dice, thrown = self.scores.scoring_dice(faces), shown(faces)
            done = rolled(you, thrown)
            if not dice:
                marked = tuple(range(len(faces)))
                return Told(tr("{done}: a farkle.", done=done), "bust", 0, marked)
            if len(self.scores.sets_of[dice]) > 1:
                return Told(f"{done}.", "threw")
            some, points = self.scores.sets_of[dice][0]
            done = said_by(
                you,
                "{done} and keep {dice}",
                "{done} and keeps {dice}",
                done=done,
                dice=shown(some),
            )
        if wins:
            return Told(
                said_by(you, "{done} and win.", "{done} and wins.", done=done), "won", points
            )
        more = trn("{n} point", "{n} points", points)
        hot = mark("{done}: {more}, and all dice again.")
        text = tr(hot if after.dice == self.dice else FURTHER, done=done, more=more)
        return Told(text, "scored", points)

    def example_positions(self) -> list[str]:
        """Return a position somewhere in the middle of a game."""
        parts = [40, 50, *range(30, 30 + self.players - 2)]
        banks = [self.goal * part // 100 for part in parts]
        dice, at_risk = -(-self.dice // 2), max(1, self.goal * 20 // 100)
        return [self.notation(self.place(*banks, at_risk, dice, *[0] * self.players))]

    def notation(self, at: Position) -> str:
        """Return ``mine-yours +at_risk (4 dice)``, and farkles in a row where they count."""
        *banks, at_risk = map(self.points, at[: self.players + 1])
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


def _playing(game: Farkle, wants: Callable[[FarklePosition], Bools], few: bool) -> Choose:
    """Return the strategy that banks where it wants to and may, and keeps few dice or all."""

    def choose(at: FarklePosition, threw: Dice | None = None) -> object:
        if threw is not None:
            return keep(game.scores.sets_of[threw][0 if few else -1][0])
        banks = either(both(wants(at), game.legal(at, BANK)), at.dice == 0)
        return where(banks, BANK, ROLL)

    return choose


@strategy(Farkle, "bank-at")
def bank_at(game: Farkle, points: int = 300) -> Choose:
    """Keep every die that scores, and bank once this many points are at risk."""
    return _playing(game, lambda at: at.at_risk * game.step >= points, few=False)


@strategy(Farkle, "keep-few")
def keep_few(game: Farkle, points: int = 300) -> Choose:
    """Keep as few dice as one may, and bank once this many points are at risk."""
    return _playing(game, lambda at: at.at_risk * game.step >= points, few=True)


@strategy(Farkle, "cautious")
def cautious(game: Farkle) -> Choose:
    """Keep every die that scores, and bank as soon as one may."""
    return bank_at(game, 0)


@strategy(Farkle, "greedy")
def greedy(game: Farkle) -> Choose:
    """Keep as few dice as one may, and never bank: win in this turn or farkle."""
    return _playing(game, lambda at: at.at_risk < 0, few=True)


@strategy(Farkle, "look-ahead")
def look_ahead(game: Farkle) -> Choose:
    """Keep and bank what is best on average if one more throw were the last of the turn.

    With s points at risk and n dice that farkle with the chance p and score m points on average,
    nothing counted for a farkle, that is the larger of s and (1 - p) s + m.
    """
    every, scores = game.scores.every, game.scores
    lost = (scores.times_of[()] / every).astype(float)
    added = np.zeros(game.dice + 1)
    for dice, sets in scores.sets_of.items():
        added += (scores.times_of[dice] / every * sets[-1][1]).astype(float)

    def worth(points: Ints, dice: Ints) -> Ints:
        then = (1 - lost[dice]) * points + added[dice]
        return where(both(then > points, dice > 0), then, points)

    def choose(at: FarklePosition, threw: Dice | None = None) -> object:
        at_risk = at.at_risk * game.step
        if threw is None:
            banks = both(worth(at_risk, at.dice) <= at_risk, game.legal(at, BANK))
            return where(banks, BANK, ROLL)
        found = [
            worth(at_risk + points, where(at.dice > len(some), at.dice - len(some), hot))
            for some, points in scores.sets_of[threw]
        ]
        names = np.array([keep(some) for some, _ in scores.sets_of[threw]])
        return names[np.argmax(np.array(found), axis=0)]

    hot = game.dice if game.hot_dice else 0
    return choose
