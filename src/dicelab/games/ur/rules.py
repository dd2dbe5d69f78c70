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
>>> solve(Ur().starting("1-1 14/14"), exact=True).value     # v = 1/4 + 3/4 (1 - v): home by a 1
Fraction(4, 7)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
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
    Moment,
    Outcome,
    Position,
    Throw,
    Way,
    before_throw,
    both,
    where,
)
from dicelab.rules.board import Done, square, squares
from dicelab.rules.dice import Die
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import count, in_a_row, said_by, threw
from dicelab.rules.speech import Told, by_side

THROW, ENTER, BEAR_OFF, PASS = "throw", mark("enter"), mark("bear off"), mark("pass")
WENT = {
    PASS: (
        (mark("You pass"), mark("The other player passes")),
        (mark("{thrown} and pass"), mark("{thrown} and passes")),
    ),
    BEAR_OFF: (
        (mark("You bring a piece home"), mark("The other player brings a piece home")),
        (mark("{thrown} and bring a piece home"), mark("{thrown} and brings a piece home")),
    ),
    ENTER: (
        (
            mark("You enter a piece on {square}"),
            mark("The other player enters a piece on {square}"),
        ),
        (
            mark("{thrown} and enter a piece on {square}"),
            mark("{thrown} and enters a piece on {square}"),
        ),
    ),
    "move": (
        (
            mark("You move a piece to {square}"),
            mark("The other player moves a piece to {square}"),
        ),
        (
            mark("{thrown} and move a piece to {square}"),
            mark("{thrown} and moves a piece to {square}"),
        ),
    ),
}
"""What somebody does, you or the other player: without the throw before it, and with it."""


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


START = "start"  # the key of the place where pieces wait


def place_on(board: RuleSet, square: int) -> tuple[int, int]:
    """Return the column of a square of a path, and its row: 0 own, 1 the middle, 2 across."""
    if square <= 4:
        return 5 - square, 0
    if board.meets is MIDDLE:
        return (square - 4, 1) if square <= 12 else (21 - square, 0)
    ends = {12: (7, 0), 13: (8, 0), 14: (8, 1), 15: (8, 2), 16: (7, 2)}
    return ends.get(square, (square - 4, 1))


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


@register("ur")
@dataclass(frozen=True)
class Ur(Game):
    """The Royal Game of Ur, by three sets of rules and with any number of pieces."""

    rules: str = "finkel"
    pieces: int = 2

    moves: ClassVar[tuple[str, ...]] = (THROW,)
    die: ClassVar[Die] = Die({0: "1/2", 1: "1/2"})
    called: ClassVar[str] = "Royal Game of Ur"
    in_short: ClassVar[str] = (
        "Throw the dice and move one piece by the marks they show. Capture the other player's "
        "pieces on the squares you share, and throw again from a rosette. "
        "The first whose pieces are all home wins."
    )
    list_place: ClassVar[int] = 16
    tile_dice: ClassVar[tuple[int, ...]] = (1, 0, 1, 1)
    tells_throws: ClassVar[bool] = True
    rivals: ClassVar[tuple[str, ...]] = (
        "capture-first",
        "rosette-first",
        "first-piece",
        "random",
        "optimal",
    )
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "capture-first": (
            mark("the hunter"),
            mark("Captures where it can, else moves the piece that is farthest ahead."),
        ),
        "rosette-first": (
            mark("the stargazer"),
            mark("Lands on a rosette where it can, else moves the piece that is farthest ahead."),
        ),
        "first-piece": (mark("the runner"), mark("Moves the piece that is farthest ahead.")),
    }
    largest: ClassVar[Mapping[str, int]] = {"pieces": 3}
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "rules": {
            "finkel": "Finkel: 14 squares, rosettes are safe",
            "blitz": "Blitz: 16 squares, captures throw again",
            "masters": "Masters: 16 squares, three dice",
        }
    }

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

    @property
    def score_limit(self) -> tuple[str, int]:
        """The number of pieces that must get home."""
        return "target", self.pieces

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the pieces home, seen by you; `mine`: you are about to move."""
        home = (int(self.home(side)) for side in before_throw(at))
        return by_side(home, mine)

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return the board, your path at the bottom; at its ends those that wait and are home."""
        here = before_throw(at)
        own, other = here[::-1] if seat else here
        found: dict[tuple[int, int], JsonObject] = {}
        for whose, side in (("yours", other), ("mine", own)):
            for number in self.path:
                column, row = place_on(self.board, number)
                row = row + 1 if whose == "yours" else 3 - row
                name, rosette = tr("Square {number}", number=number), number in self.board.rosettes
                key = str(number) if whose == "mine" else None
                before = found.get((row, column), {"mine": 0, "yours": 0})
                on = {"mine": before["mine"], "yours": before["yours"]}
                on[whose] += stands(int(side), number)
                pieces = on["mine"], on["yours"]
                found[row, column] = square(row, column, name, key, *pieces, rosette)
        for mine, side, row in ((False, other, 1), (True, own, 3)):
            waiting, home = int(self.waiting(side)), int(self.home(side))
            wait = (waiting, 0) if mine else (0, waiting)
            found[row, 5] = square(row, 5, tr("Waiting"), START if mine else None, *wait)
            found[row, 6] = square(row, 6, tr("Home"), None, *((home, 0) if mine else (0, home)))
        return [squares(tr("The board"), (found[each] for each in sorted(found)))]

    def touched(self, at: Position, move: str) -> list[str]:
        """Return where the piece stands that a move is about."""
        if move == ENTER:
            return [START]
        if move == BEAR_OFF and isinstance(at, Moment):
            threw: Faces = at.dice
            return [str(self.board.squares + 1 - threw)]
        return [move.removeprefix("move ")] if move.startswith("move ") else []

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move, or of a way after a throw."""
        step = self._step(at, move)
        if step is None or move == BEAR_OFF:
            return super().label(at, move)
        if move == ENTER:
            enter = mark("Enter on {square}")
            told = mark("Enter on {square} and capture") if step.captures else enter
        else:
            piece = mark("Move {piece} to {square}")
            told = mark("Move {piece} to {square} and capture") if step.captures else piece
        return tr(told, piece=move.partition(" ")[2], square=step.target)

    def spoken(self, at: Position, move: str) -> str:
        """Return a move or a way as one says it in a sentence."""
        word, _, piece = move.partition(" ")
        return tr("move the piece on {piece}", piece=piece) if word == "move" else tr(move)

    def _step(self, at: Position, move: str) -> Step | None:
        """Return the step that a way after a throw takes; None for what moves no piece."""
        steps = self.steps(at.at, at.dice) if isinstance(at, Moment) else ()
        return next((step for step in steps if step.name == move and step.allowed), None)

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        here = before_throw(at)
        you, other = here if mine else here[::-1]
        told = [
            tr("You have {side}.", side=self._told(you)),
            tr("The other player has {side}.", side=self._told(other)),
        ]
        if isinstance(at, Moment):
            told.append(tr("The throw is {dice}.", dice=at.shown))
        return " ".join(told)

    def _told(self, side: int) -> str:
        """Return in words where the pieces of a side are."""
        squares = self.on_board(side)
        told = []
        if squares:
            on = in_a_row(list(map(str, squares)))
            here = trn(
                "{n} piece on {squares}", "{n} pieces on {squares}", len(squares), squares=on
            )
            told.append(here)
        if waiting := self.waiting(side):
            told.append(trn("{n} waiting", "{n} waiting", waiting))
        if home := self.home(side):
            told.append(trn("{n} home", "{n} home", home))
        return ", ".join(told)

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, or moved after a throw."""
        thrown = ""
        if move == THROW and faces:  # where only one way is open, it was taken at once
            squares = sum(faces) or self.board.for_none
            thrown = threw(you, squares)
            at = Moment(at, THROW, squares)
            if isinstance(after, Moment):
                return Told(f"{thrown}.")
            (move,) = self.legal_moves(at)
        text = self._went(self._step(at, move), move, you, thrown)
        return Told(text, "scored" if move == BEAR_OFF else "played", int(move == BEAR_OFF))

    def _went(self, step: Step | None, move: str, you: bool, thrown: str) -> str:
        """Return what somebody did in a sentence, after a throw that is told with it or before."""
        what = PASS if step is None else move.partition(" ")[0] if move != BEAR_OFF else move
        square = None if step is None else step.target
        done = said_by(you, *WENT[what][bool(thrown)], thrown=thrown, square=square)
        if step is None or move == BEAR_OFF:
            return f"{done}."
        if step.captures:
            done = said_by(you, "{done} and capture", "{done} and captures", done=done)
        rosette = step.target in self.board.rosettes
        return tr("{done}, a rosette.", done=done) if rosette else f"{done}."

    def example_positions(self) -> list[str]:
        """Return a position with pieces on both sides of the board."""
        return [self.notation(UrPosition(1 << 7, 1 << 10))]

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


Choose = Callable[..., object]


def _preferring(game: Ur, wanted: Callable[[Step], Bools], backwards: bool = False) -> Choose:
    """Return the strategy that takes a wanted step, or else any; of several the first listed."""

    def choose(at: Position, threw: Faces = None) -> object:
        if threw is None:
            return where(at.mine >= 0, THROW, "")
        steps = list(game.steps(at, threw))[:: -1 if backwards else 1]
        found = where(at.mine >= 0, PASS, "")
        for step in reversed(steps):
            found = where(step.allowed, step.name, found)
        for step in reversed(steps):
            found = where(both(step.allowed, wanted(step)), step.name, found)
        return found

    return choose


@strategy(Ur, "first-piece")
def first_piece(game: Ur) -> Choose:
    """Move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.allowed)


@strategy(Ur, "last-piece")
def last_piece(game: Ur) -> Choose:
    """Move the piece that is farthest behind: enter one wherever that is possible."""
    return _preferring(game, lambda step: step.allowed, backwards=True)


@strategy(Ur, "capture-first")
def capture_first(game: Ur) -> Choose:
    """Capture where you can, else move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.captures)


@strategy(Ur, "rosette-first")
def rosette_first(game: Ur) -> Choose:
    """Land on a rosette where you can, else move the piece that is farthest ahead."""
    return _preferring(game, lambda step: step.target in game.board.rosettes)
