"""The Royal Game of Ur at the table: its board, and what happened in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.ur.rules import (
    BEAR_OFF,
    ENTER,
    MIDDLE,
    PASS,
    THROW,
    RuleSet,
    Step,
    UrPosition,
    UrRules,
    stands,
)
from dicelab.rules import Faces, Moment, Position, before_throw
from dicelab.rules.board import Done, square, squares
from dicelab.rules.registry import register
from dicelab.rules.sentences import in_a_row, said_by, threw
from dicelab.rules.speech import Told, by_side

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

START = "start"  # the key of the place where pieces wait


def place_on(board: RuleSet, square: int) -> tuple[int, int]:
    """Return the column of a square of a path, and its row: 0 own, 1 the middle, 2 across."""
    if square <= 4:
        return 5 - square, 0
    if board.meets is MIDDLE:
        return (square - 4, 1) if square <= 12 else (21 - square, 0)
    ends = {12: (7, 0), 13: (8, 0), 14: (8, 1), 15: (8, 2), 16: (7, 2)}
    return ends.get(square, (square - 4, 1))


@register("ur")
@dataclass(frozen=True)
class Ur(UrRules):
    """The Royal Game of Ur, by three sets of rules and with any number of pieces."""

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
