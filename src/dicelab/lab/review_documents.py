"""The document of a review: every decision with its mark, and how everybody did."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from dicelab.core.json_object import JsonObject
from dicelab.lab.documents import WORKING, Opposite, Responses, Result, Scale, Where

Mark = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
LuckMark = Literal["lucky", "unlucky"]


class AtTheSameTime(BaseModel):
    """What the other player did, where both choose at once."""

    move: str
    dice: list[int]


class PlayOn(BaseModel):
    """What to send with a new match to play on from a decision."""

    start: str
    starts: Literal["me", "opponent"]


class Point(BaseModel):
    """What the match was worth to you after a decision; the first one is the start."""

    ply: int
    value: float
    share: float | None
    who: str | None
    notation: str  # of the position after it, as you see it
    move: str | None = None
    label: str | None = None
    dice: list[int] | None = None
    text: str | None = None  # what happened
    before: Where | None = None  # the position of the decision, as you saw it
    cost: float | None = None
    luck: float | None = None  # what the dice then gave who decided
    unforced: bool | None = None
    mark: Mark | None = None  # null where nothing was to be chosen
    luck_mark: LuckMark | None = None  # to who decided; null where the throw was neither
    best: list[str] | None = None
    sentence: str | None = None
    other: AtTheSameTime | None = None
    play_on: PlayOn | None = None


class MistakeDocument(BaseModel):
    """A decision of yours that was not best."""

    ply: int
    place: int  # in the curve
    position: Where
    move: str
    label: str
    best: list[str]
    cost: float
    mark: Mark
    slip: bool  # so small that it is fine
    sentence: str
    dice_then: list[int]


class TakenBackDocument(BaseModel):
    """A choice that was taken back, and what it would have cost."""

    ply: int  # the number that taking it back used
    position: Where
    move: str
    label: str
    best: list[str]
    cost: float
    mark: Mark
    sentence: str


class ScoreDocument(BaseModel):
    """How one player did."""

    decisions: int
    unforced: int
    mistakes: int  # inaccuracies, mistakes and blunders
    slips: int  # decisions that were fine, and not best
    marks: dict[Mark, int]
    accuracy: float | None  # the share kept of what hung on the unforced decisions
    cost: float
    error_per_decision: float
    luck: float
    result: float
    luck_adjusted: float | None
    interval: list[float] | None  # 95% limits of what the two get on average, from this one game


class OtherScore(BaseModel):
    """How somebody else at the table did."""

    name: str
    score: ScoreDocument


class Grade(BaseModel):
    """A grade, by the error per unforced decision."""

    letter: str | None
    words: str
    sentence: str


class GradeLine(BaseModel):
    """A line of the scale of grades."""

    letter: str
    words: str
    below: float


class MarkLine(BaseModel):
    """A mark, and the share of what is at stake from which on it is given."""

    mark: Mark | LuckMark
    least: float = Field(alias="from")
    words: str


class Reviewed(BaseModel):
    """One of two people, and the link to the review of how they played."""

    name: str
    link: str
    shown: bool


class ReviewDocument(BaseModel):
    """The review of a match."""

    id: str
    link: str
    game: str
    title: str
    start: str | None
    practice: str | None
    parameters: JsonObject
    kind: str
    unit: str
    scale: Scale | None
    sides: int
    opponent: Opposite
    player: str
    people: list[Reviewed]  # of a match between two people, both
    yours: bool  # who asks played it; the sentences then say "you"
    you_start: bool
    played: str
    result: Result
    curve: list[Point]
    mistakes: list[MistakeDocument]
    taken_back: list[TakenBackDocument]
    you: ScoreDocument
    opponent_score: ScoreDocument | None
    others: list[OtherScore]
    seats: int
    grade: Grade
    assumes: str
    grades: list[GradeLine]
    marks: list[MarkLine]
    start_value: float
    bounds: float
    at_stake: float  # what a share of the marks is a share of, in the unit of the game


class FanRow(BaseModel):
    """Throws that lead to the same place, or to places worth about the same."""

    kind: Literal["", "won", "drawn", "done", "passed", "bust", "lost"]
    chance: float
    value: float  # the mean over these throws, in the unit of the game
    share: float | None
    low: float
    high: float
    throws: list[list[int]]  # the likeliest, face by face
    others: int  # throws that are not shown
    label: str
    said: str


class Still(BaseModel):
    """What a move leaves that throws nothing."""

    move: str
    label: str
    value: float
    lower: float
    upper: float
    share: float | None
    sentence: str


class FanDocument(BaseModel):
    """The next throw: what the dice may show, and what it leads to."""

    title: str
    move: str
    value: float
    lower: float
    upper: float
    share: float | None
    sentence: str
    rows: list[FanRow]
    still: list[Still]


class ThumbDocument(BaseModel):
    """A rule of thumb, what it costs who always follows it, and what it says here."""

    words: str
    cost: float
    move: str
    fits: bool
    sentence: str


class WhyDocument(BaseModel):
    """Why the coach advises what it does."""

    ply: int
    fan: FanDocument | None  # null where no throw of one's own comes next
    rule: ThumbDocument | None
    pending: bool  # a rule is being looked for: ask again


class AgainstDocument(BaseModel):
    """What a match was worth against this opponent, with the best reply to it."""

    label: str
    values: list[float | None]  # beside the points of the review; empty where not known
    sentence: str | None


WHY: Responses = {200: {"model": WhyDocument, "description": "The reasons"}, **WORKING}
AGAINST: Responses = {200: {"model": AgainstDocument, "description": "Its worths"}, **WORKING}
REVIEW: Responses = {200: {"model": ReviewDocument, "description": "The review"}, **WORKING}
