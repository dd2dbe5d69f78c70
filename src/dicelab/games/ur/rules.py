"""Royal Game of Ur: race your pieces along the board, capture on the way, rest on rosettes.

Two players race ``pieces`` pieces each along a path of squares, from the start to home. On your
turn you throw dice that show a mark or none, and move one piece by as many squares as there are
marks: one that waits at the start, or one on the board. Every square holds one piece. You may not
land on your own; the other player's piece is captured and goes back to its start. A piece gets
home by an exact throw. If no piece can move, or the dice show nothing, the turn passes; if one can
move, one must. A piece that lands on a rosette gives its player another throw. The first whose
pieces are all home wins.

Nobody knows how the game was played in Ur. Three sets of rules are here:

- ``finkel``: a path of 14 squares, of which the eight of the middle row are shared; four dice; a
  piece on a rosette is safe. The game has 7 pieces.
- ``blitz``: a path of 16 squares through both far corners, of which all but the first four are
  shared; four dice; no piece is safe, and a capture gives another throw too. 5 pieces.
- ``masters``: the same path; three dice, and four squares if they show nothing; no piece is safe.
  7 pieces.

A side is one number: its bits are the squares, and what stands above the last square counts the
pieces that are home. So a piece moves by a subtraction and an addition, also when it gets home.

Captures lead back, so the game has cycles; only pieces at home stay there.

Source: I. Finkel, "On the Rules for the Royal Game of Ur", in Ancient Board Games in Perspective,
British Museum Press, 2007; for all three sets royalur.net, and JeroenOlieslagers/game_of_ur.

>>> from dicelab import solve
>>> from dicelab.games.ur import Ur
>>> solve(Ur().starting("1-1 14/14"), exact=True).value     # v = 1/4 + 3/4 (1 - v): home by a 1
Fraction(4, 7)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, NamedTuple

from dicelab.core.language import mark
from dicelab.errors import UnreadablePosition
from dicelab.rules import (
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Faces,
    Game,
    Ints,
    Outcome,
    Position,
    Throw,
    Way,
    both,
    where,
)
from dicelab.rules.dice import Die
from dicelab.rules.sentences import count

THROW, ENTER, BEAR_OFF, PASS = "throw", mark("enter"), mark("bear off"), mark("pass")


class RuleSet(NamedTuple):
    """What a set of rules says of the board and of the dice."""

    squares: int  # of a path; home is one further
    rosettes: tuple[int, ...]
    meets: Mapping[int, int]  # squares that are shared, and how the other player counts them
    dice: int
    for_none: int  # squares for dice that show nothing
    safe: bool  # whether a piece on a rosette cannot be captured
    again: bool  # whether a capture gives another throw


MIDDLE = {square: square for square in range(5, 13)}
ROUND_THE_END = {square: square if square < 12 else 28 - square for square in range(5, 17)}
RULES = {
    "finkel": RuleSet(14, (4, 8, 14), MIDDLE, 4, 0, safe=True, again=False),
    "blitz": RuleSet(16, (4, 8, 12, 16), ROUND_THE_END, 4, 0, safe=False, again=True),
    "masters": RuleSet(16, (4, 8, 12, 16), ROUND_THE_END, 3, 4, safe=False, again=False),
}


class UrPosition(NamedTuple):
    """Both sides, written ``1-0 4,8/6``: pieces home, then on which squares of its own path."""

    mine: Ints
    yours: Ints


class Step(NamedTuple):
    """A piece that may move, and what that does."""

    name: str
    target: int  # the square it comes to
    side: Ints  # its side then
    other: Ints  # the other player's side then
    captures: Bools
    allowed: Bools


def stands(side: Ints, square: int) -> Ints:
    """Return 1 where a side has a piece on a square of the board, else 0."""
    return side >> square & 1


@dataclass(frozen=True)
class UrRules(Game):
    """The board, the pieces, and where a throw may take them."""

    rules: str = "finkel"
    pieces: int = 2

    moves: ClassVar[tuple[str, ...]] = (THROW,)
    die: ClassVar[Die] = Die({0: "1/2", 1: "1/2"})

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(
            self.rules in RULES, f"a set of rules among {', '.join(RULES)}: got rules={self.rules}"
        )
        self.needs(self.pieces >= 1, f"at least 1 piece each: got pieces={self.pieces}")

    @property
    def board(self) -> RuleSet:
        """The board and the dice of these rules."""
        return RULES[self.rules]

    def home(self, side: Ints) -> Ints:
        """Return how many pieces of a side are home."""
        return side >> self.board.squares + 1

    def on_board(self, side: int) -> list[int]:
        """Return the squares that a side has pieces on."""
        return [square for square in self.path if stands(side, square)]

    @property
    def path(self) -> range:
        """The squares that a piece may stand on."""
        return range(1, self.board.squares + 1)

    def waiting(self, side: Ints) -> Ints:
        """Return how many pieces of a side wait at the start."""
        return self.pieces - self.home(side) - sum(stands(side, square) for square in self.path)

    def start(self) -> UrPosition:
        """Return the position the game starts from."""
        return UrPosition(0, 0)

    def legal(self, at: UrPosition, move: str) -> Bools:
        """Return whether the move is allowed: all throw first."""
        return (at.mine >= 0) & (move == THROW)

    def outcomes(self, at: UrPosition, move: str) -> Iterator[Throw]:
        """Yield how many squares the dice give, each with its chance."""
        dice = self.board.dice
        for marks in range(dice + 1):
            yield Throw(Fraction(comb(dice, marks), 2**dice), marks or self.board.for_none)

    def steps(self, at: UrPosition, threw: Faces) -> Iterator[Step]:
        """Yield the pieces that may move after a throw, the one farthest ahead first."""
        squares, rosettes, meets, *_ = self.board
        home = squares + 1
        if not threw:
            return
        for source in range(home - threw, -1, -1):
            target = source + threw
            mine = stands(at.mine, source) if source else self.waiting(at.mine)
            own = stands(at.mine, target) if target < home else 0
            theirs = stands(at.yours, meets[target]) if target in meets else 0 * at.yours
            in_the_way = own + theirs if self.board.safe and target in rosettes else own
            yield Step(
                BEAR_OFF if target == home else f"move {source}" if source else ENTER,
                target,
                at.mine + (1 << target) - (1 << source if source else 0),
                at.yours - (theirs << meets.get(target, 0)),
                theirs == 1,
                both(mine > 0, in_the_way == 0),
            )

    def ways(self, at: UrPosition, move: str, dice: int) -> Iterator[Way]:
        """Yield the ways to move so many squares, or to pass where no piece can."""
        stuck = at.mine >= 0
        for name, target, side, other, captures, allowed in self.steps(at, dice):
            stuck = where(allowed, False, stuck)
            again = captures & self.board.again
            if target in self.board.rosettes:
                again = at.mine >= 0
            yield Way(name, UrPosition(side, other), SAME, 0, both(allowed, again))
            yield Way(name, UrPosition(other, side), OTHER, 0, both(allowed, again == 0))
        yield Way(PASS, UrPosition(at.yours, at.mine), OTHER, 0, stuck)

    def dice_of(self, move: str) -> int:
        """Return how many dice are thrown."""
        return self.board.dice if move == THROW else 0

    def after(self, at: UrPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a throw when its dice show these faces, 1 for a mark."""
        return self.followed(at, move, Throw(1, sum(faces) or self.board.for_none))

    def result(self, at: UrPosition) -> Ints:
        """Return who has all pieces home: the player who has just moved."""
        over = where(self.home(at.mine) >= self.pieces, WIN, ONGOING)
        return where(self.home(at.yours) >= self.pieces, LOSS, over)

    def size(self) -> int:
        """Return how many positions there are; pieces that are home at the start stay there."""
        fewer, more = sorted(self.pieces - int(self.home(side)) for side in self.start())
        ways = self._positions(fewer, more) + self._positions(more, fewer)
        return ways - self._positions(fewer, fewer)  # which are among both

    def _positions(self, mine: int, yours: int) -> int:
        """Return in how many ways up to so many pieces stand, of which the mover has one left."""
        shared = len(self.board.meets)
        private = self.board.squares - shared
        return sum(
            comb(private, alone)
            * comb(shared, meeting)
            * comb(self.board.squares - meeting, theirs)  # anywhere but where mine are
            * (mine - max(1, alone + meeting) + 1)  # some of the others wait, the rest are home
            * (yours - theirs + 1)
            for alone in range(mine + 1)
            for meeting in range(mine - alone + 1)
            for theirs in range(yours + 1)
        )

    def branching(self) -> float:
        """Return about how many outcomes a position has, as counted in small games."""
        return 3.0 + 2.0 * self.pieces

    def notation(self, at: Position) -> str:
        """Return ``1-0 4,8/6``: pieces home, then the squares with pieces; ``-`` for none."""
        squares = (",".join(map(str, self.on_board(side))) or "-" for side in at)
        return f"{self.home(at.mine)}-{self.home(at.yours)} {'/'.join(squares)}"

    def parse(self, text: str) -> UrPosition:
        """Return the position that ``1-0 4,8/6`` stands for."""
        squares = r"(-|\d{1,2}(?:\s*,\s*\d{1,2})*)"
        pattern = rf"\s*(\d{{1,4}})\s*-\s*(\d{{1,4}})\s+{squares}\s*/\s*{squares}\s*"
        match = re.fullmatch(pattern, text)
        if match is None:
            raise self.unreadable(text)
        mine, yours = (
            list(map(int, re.findall(r"\d+", squares))) for squares in match.groups()[2:]
        )
        if {self.board.meets.get(square) for square in mine} & set(yours):
            raise self._impossible(text, "two pieces cannot share a square")
        return UrPosition(
            self._side(text, int(match[1]), mine), self._side(text, int(match[2]), yours)
        )

    def _side(self, text: str, home: int, squares: list[int]) -> int:
        """Return a side with so many pieces home and pieces on these squares."""
        if not set(squares) <= set(self.path) or len(set(squares)) < len(squares):
            raise self._impossible(text, f"squares are 1 to {self.board.squares}, one piece each")
        if home + len(squares) > self.pieces:
            raise self._impossible(text, f"each player has {count(self.pieces, 'piece')}")
        return sum(1 << square for square in squares) + (home << self.board.squares + 1)

    def _impossible(self, text: str, why: str) -> UnreadablePosition:
        """Return the error for a notation of what cannot be on this board."""
        return UnreadablePosition(f"{text!r} is no position of {self}: {why}")
