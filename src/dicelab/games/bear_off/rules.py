"""Bear-off: the end of backgammon, when all chequers are home and only the race is left.

Your chequers stand on the points of your home board, the ace point being the last before they are
off. On your turn you throw two dice and move one chequer by each number; doubles are played four
times. A chequer that comes exactly off the board is borne off. So is one on the highest point that
is left, with a number that is larger than the point. Nobody is in the way, so that every number
can be played while chequers are left, and must be.

Between two players (``players=2``) the first with all chequers off wins. Alone (``players=1``) you
want the fewest turns.

A side is one number: its digits, in base ``chequers`` + 1, are the chequers on each point. A play
adds a fixed amount to it, wherever the other chequers stand, and plays with the same amount lead to
the same position: they are one way.

Every turn leaves fewer pips, so the game has no cycles.

Source: the rules of backgammon; GNU Backgammon has one- and two-sided databases of these positions.

>>> from dicelab import solve
>>> solve(BearOff(players=1).starting("0,0,0,0,0,1"), exact=True).value   # 27 throws of 36 do it
Fraction(5, 4)
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.errors import UnreadablePosition
from dicelab.games.bear_off.plays import names_of, one_on, orders
from dicelab.games.seats import AloneOrForTwo
from dicelab.rules import (
    LOSS,
    ONGOING,
    OTHER,
    WIN,
    Bools,
    Faces,
    Game,
    Ints,
    Moment,
    Position,
    Throw,
    Way,
    before_throw,
    both,
    either,
    where,
)
from dicelab.rules.board import Done, square, squares
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import DICE_SHOW, YOU, count, said_by, shown
from dicelab.rules.speech import Told, by_side

THROW = "throw"
DICE = 2
MOST_CHEQUERS = 15
MOST_SIDES = 1 << 30
"""Numbers that a side may need: two of them are looked up together."""

LAST_TWO = (5, 2), (3, 2)
"""An example: the points of the last two chequers of each player."""


class BearOffPosition(NamedTuple):
    """The chequers of both sides, written ``0,1,1,0,0,0/0,1,0,0,1,0`` from the ace point on."""

    mine: Ints
    yours: Ints  # nothing where one plays alone


@register("bear-off")
@dataclass(frozen=True)
class BearOff(AloneOrForTwo):
    """The bear-off of backgammon, for two or alone."""

    players: int = 2  # type: ignore[misc]  # a parameter here
    chequers: int = 3
    points: int = 6
    layout: str = ""
    die: Die = d6

    moves: ClassVar[tuple[str, ...]] = (THROW,)
    aliases: ClassVar[Mapping[str, str]] = {"checkers": "chequers", "faces": "die"}
    in_short: ClassVar[str] = (
        "The end of backgammon: all chequers are home. Throw two dice, move or bear off one "
        "chequer with each, with doubles two of them. The first with all chequers off wins; alone, "
        "take few turns."
    )
    list_place: ClassVar[int] = 46
    tells_throws: ClassVar[bool] = True
    rivals: ClassVar[tuple[str, ...]] = ("most-off", "fill-gaps", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "most-off": (mark("the hasty one"), mark("Bears off as many chequers as it can.")),
        "fill-gaps": (mark("the tidy one"), mark("Covers as many points as it can.")),
    }
    largest: ClassVar[Mapping[str, int]] = {"chequers": 4, "points": 6, "players": 2, "die": 6}
    help_in_words: ClassVar[Mapping[str, str]] = {
        "players": "2 against each other, 1 alone for few turns",
        "chequers": "chequers of each player, at most",
        "points": "points of the home board",
        "layout": "where the chequers stand at the start, from the ace point on, such as 0,1,2",
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(self.players in (1, 2), f"1 or 2 players: got players={self.players}")
        self.needs(
            1 <= self.chequers <= MOST_CHEQUERS,
            f"1 to {MOST_CHEQUERS} chequers: got chequers={self.chequers}",
        )
        self.needs(
            self.points >= 1 and self.base**self.points <= MOST_SIDES,
            f"at least 1 point, and few enough to number: got points={self.points} with "
            f"chequers={self.chequers}",
        )
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        self.needs(
            self._can_be_laid_out(),
            f"a layout with at most {count(self.chequers, 'chequer')} each: "
            f"got layout={self.layout}",
        )

    def _can_be_laid_out(self) -> bool:
        """Return whether every player has chequers at the start, and no more than allowed."""
        try:
            return all(self.start()[: self.players])
        except UnreadablePosition:
            return False

    @property
    def base(self) -> int:
        """The base in which a side is written."""
        return self.chequers + 1

    def on(self, side: Ints, point: int) -> Ints:
        """Return how many chequers of a side stand on a point."""
        return side // self.base ** (point - 1) % self.base

    def left(self, side: Ints) -> Ints:
        """Return how many chequers of a side are left."""
        return sum(self.on(side, point) for point in self.board)

    def pips(self, side: Ints) -> Ints:
        """Return how many pips a side must move to bear off all."""
        return sum(point * self.on(side, point) for point in self.board)

    @property
    def board(self) -> range:
        """The points, from the ace point on."""
        return range(1, self.points + 1)

    def start(self) -> BearOffPosition:
        """Return the layout that was asked for, or all chequers spread from the highest point."""
        if not self.layout:
            whole, more = divmod(self.chequers, self.points)
            spread = [whole + (point > self.points - more) for point in self.board]
            side = self._side(spread)
            return BearOffPosition(side, side if self.players == 2 else 0)
        given = self.layout if "/" in self.layout else "/".join([self.layout] * self.players)
        return self.parse(given)

    def everywhere(self) -> BearOffPosition:
        """Return every way in which chequers can stand: one table answers for all of them."""
        placed = combinations_with_replacement(range(self.points + 1), self.chequers)
        sides = np.array([sum(one_on(point, self.base) for point in each) for each in placed])
        sides = sides[sides > 0]
        if self.players == 1:
            return BearOffPosition(sides, 0 * sides)
        mine, yours = np.meshgrid(sides, sides)
        return BearOffPosition(mine.ravel(), yours.ravel())

    def legal(self, at: BearOffPosition, move: str) -> Bools:
        """Return whether the move is allowed: all throw first."""
        return (at.mine >= 0) & (move == THROW)

    def outcomes(self, at: BearOffPosition, move: str) -> Iterator[Throw]:
        """Yield what two dice show, the lower number first, each with its chance."""
        for one, two in combinations_with_replacement(self.die, DICE):
            chance = one[1] * two[1] * (1 if one == two else 2)
            yield Throw(chance, (one[0], two[0]))

    def plays(self, side: Ints, dice: tuple[int, int]) -> Iterator[tuple[str, Ints, Bools]]:
        """Yield what can be played with a throw: its name, the side then, and where it is open."""
        found: dict[int, Bools] = {}

        def play(left: tuple[int, ...], change: int, highest: int, here: Bools) -> None:
            now = side + change
            done = here if not left else both(here, now == 0)
            if np.any(done):
                found[change] = either(found[change], done) if change in found else done
            here = both(here, now > 0)
            if not left or not np.any(here):
                return
            die, *others = left
            for point in range(highest, 0, -1):
                open_here = both(here, self.on(now, point) > 0)
                if point < die:  # only from the highest point that is left
                    open_here = both(open_here, now < self.base**point)
                step = one_on(max(0, point - die), self.base) - one_on(point, self.base)
                # Equal numbers are played from the highest point down: no other order adds a play.
                below = point if others and others[0] == die else self.points
                play(tuple(others), change + step, below, open_here)

        for order in orders(dice):
            play(order, 0, self.points, side > 0)
        # In an order that does not depend on which positions were asked about.
        for change, name in names_of(self.points, self.base, dice).items():
            if change in found:
                yield name, side + change, found[change]

    def ways(self, at: BearOffPosition, move: str, dice: Faces) -> Iterator[Way]:
        """Yield the positions that a throw can be played to; a turn has passed then."""
        for name, side, allowed in self.plays(at.mine, dice):
            if self.players == 1:
                yield Way(name, BearOffPosition(side, 0 * side), OTHER, 1, allowed)
            else:
                yield Way(name, BearOffPosition(at.yours, side), OTHER, 0, allowed)

    def dice_of(self, move: str) -> int:
        """Return how many dice are thrown."""
        return DICE if move == THROW else 0

    def result(self, at: BearOffPosition) -> Ints:
        """Return who has borne off all chequers."""
        off = where(at.mine == 0, WIN, ONGOING)
        return off if self.players == 1 else where(at.yours == 0, LOSS, off)

    def size(self) -> int:
        """Return how many positions there are."""
        sides = comb(self.points + self.chequers, self.chequers)
        return sides if self.players == 1 else (sides - 1) * sides

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the pips that are left, seen by you; `mine`: you are about to move."""
        here = before_throw(at)
        if self.players == 1:
            return {"mine": int(self.pips(here.mine))}
        return by_side((int(self.pips(side)) for side in here), mine)

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return both home boards with their chequers, the ace points at the right."""
        here = before_throw(at)
        sides = here[: self.players][:: -1 if seat else 1]
        found = []
        for place, side in enumerate(sides):
            for point in self.board:
                name, key = tr("Point {point}", point=point), None if place else str(point)
                number = int(self.on(side, point))
                on = (0, number) if place else (number, 0)
                found.append(square(self.players - place, self.points + 1 - point, name, key, *on))
        return [squares(tr("Home board"), found)]

    def touched(self, at: Position, move: str) -> list[str]:
        """Return the points that chequers of a play come from."""
        return list(dict.fromkeys(re.findall(r"(\d+)/", move)))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        here = before_throw(at)
        you, other = here if mine else here[::-1]
        told = [tr("You have {side}.", side=self._told(you))]
        if self.players == 2:
            told.append(tr("The other player has {side}.", side=self._told(other)))
        if isinstance(at, Moment):
            told.append(tr(DICE_SHOW, dice=shown(at.dice)))  # type: ignore[arg-type]
        return " ".join(told)

    def _told(self, side: Ints) -> str:
        """Return a side in words."""
        chequers = trn("{n} chequer", "{n} chequers", int(self.left(side)))
        pips = trn("{n} pip", "{n} pips", int(self.pips(side)))
        return tr("{chequers} and {pips}", chequers=chequers, pips=pips)

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, or played a throw."""
        dice = ""
        if move == THROW and faces:  # where only one way is open, it was taken at once
            dice = shown(faces)
            ways = self.legal_moves(Moment(at, THROW, tuple(sorted(faces))))
            move = ways[0] if len(ways) == 1 else ""
        if dice and move:
            text = said_by(
                you,
                "You throw {dice} and play {move}.",
                "The other player throws {dice} and plays {move}.",
                dice=dice,
                move=move,
            )
        elif dice:
            text = said_by(you, "You throw {dice}.", "The other player throws {dice}.", dice=dice)
        else:
            text = said_by(you, "You play {move}.", "The other player plays {move}.", move=tr(move))
        off = sum(int(times or 1) for times in re.findall(r"/off(?:\((\d)\))?", move))
        return Told(text, "scored" if off else "played", off)

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        if self.players == 1:
            used = trn("{n} turn", "{n} turns", turns)
            return said_by(
                who == YOU,
                "You bore off in {turns}.",
                "{who} bore off in {turns}.",
                who=who,
                turns=used,
            )
        return super().ending(at, mine, ended, turns, who)

    def example_positions(self) -> list[str]:
        """Return the last two chequers of a game, where there are so many."""
        if self.chequers < len(LAST_TWO[0]) or self.points < max(map(max, LAST_TWO)):
            return [self.notation(self.start())]
        sides = [sum(one_on(point, self.base) for point in points) for points in LAST_TWO]
        return [self.notation(BearOffPosition(*sides))]

    def notation(self, at: Position) -> str:
        """Return the chequers on each point from the ace point on: mine, then the other's."""
        sides = [
            ",".join(str(self.on(side, point)) for point in self.board)
            for side in at[: self.players]
        ]
        return "/".join(sides)

    def parse(self, text: str) -> BearOffPosition:
        """Return the position that a notation stands for; points left out at the end are empty."""
        side = r"\s*\d{1,2}(?:\s*,\s*\d{1,2})*\s*"
        if not re.fullmatch("/".join([side] * self.players), text):
            raise self.unreadable(text)
        sides = [[int(number) for number in one.split(",")] for one in text.split("/")]
        if any(len(one) > self.points for one in sides):
            raise UnreadablePosition(
                f"{text!r} is no position of {self}: there are {count(self.points, 'point')}"
            )
        if any(sum(one) > self.chequers for one in sides):
            raise UnreadablePosition(
                f"{text!r} is no position of {self}: a player has at most "
                f"{count(self.chequers, 'chequer')}"
            )
        return BearOffPosition(*map(self._side, [*sides, []][:DICE]))

    def unreadable(self, text: str) -> UnreadablePosition:
        """Return the error for a text that is no position: the layout itself may be that text."""
        plain = dataclasses.replace(self, layout="") if self.layout else self
        return Game.unreadable(plain, text)

    def _side(self, chequers: Sequence[int]) -> int:
        """Return a side with these chequers on its points, from the ace point on."""
        return sum(number * self.base**place for place, number in enumerate(chequers))


def _highest(game: BearOff, score: Callable[[Ints], Ints]) -> Callable[..., object]:
    """Return the strategy that plays to the position with the highest score, none below 0."""

    def choose(at: Position, threw: Faces = None) -> object:
        if threw is None:
            return where(at.mine >= 0, THROW, "")
        found, most = where(at.mine >= 0, "", ""), 0 * at.mine - 1
        for name, side, allowed in game.plays(at.mine, threw):
            gets = where(allowed, score(side), -1)
            found = where(gets > most, name, found)
            most = where(gets > most, gets, most)
        return found

    return choose


def _covered(game: BearOff, side: Ints) -> Ints:
    """Return how many points have chequers."""
    return sum(where(game.on(side, point) > 0, 1, 0) for point in game.board)


@strategy(BearOff, "most-off")
def most_off(game: BearOff) -> Callable[..., object]:
    """Bear off as many chequers as you can; of several such plays, cover the most points."""
    rest = game.points + 1
    return _highest(
        game, lambda side: rest * (game.chequers - game.left(side)) + _covered(game, side)
    )


@strategy(BearOff, "fill-gaps")
def fill_gaps(game: BearOff) -> Callable[..., object]:
    """Cover as many points as you can; of several such plays, bear off the most chequers."""
    return _highest(
        game, lambda side: game.base * _covered(game, side) + game.chequers - game.left(side)
    )


@strategy(BearOff, "fewest-pips")
def fewest_pips(game: BearOff) -> Callable[..., object]:
    """Waste nothing: leave as few pips as you can."""
    return _highest(game, lambda side: game.chequers * game.points - game.pips(side))
