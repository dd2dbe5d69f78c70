"""What the lab answers with: every document, for those who write a page or a bot."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from dicelab.core.json_object import JsonObject


class Problem(BaseModel):
    """A refusal: what kind, and a sentence."""

    kind: str
    message: str


class Refusal(BaseModel):
    """What is answered when something is refused."""

    error: Problem


class Job(BaseModel):
    """Something that is being worked out."""

    id: str
    what: str
    progress: float
    seconds: float
    done: bool
    error: str | None


class StillWorking(BaseModel):
    """The game is not solved yet: ask again."""

    job: Job


class Where(BaseModel):
    """A position: its notation, words, and the fields to draw, all seen by you."""

    notation: str
    words: str
    fields: JsonObject
    threw: list[int]  # what the dice show, where somebody chooses after the throw
    board: list[JsonObject] = []  # parts to draw, each with its kind as `part`


class Offer(BaseModel):
    """A move you have."""

    move: str
    label: str
    key: str
    dice: int
    front: bool  # worth a button of its own; the others are allowed, and never better
    number: int | None  # what the move is about, where all moves are numbers
    sensible: bool  # near it people choose, where there are many
    keep: list[int] | None = None
    touches: list[str] = []  # keys of the items on the board that it is about


class Event(BaseModel):
    """Something that happened: a decision and its dice."""

    ply: int
    who: str | None  # you, opponent; of several, the second and third are opponent 2, opponent 3
    move: str
    label: str
    dice: list[int]
    points: int
    effect: str
    marked: list[int]  # which of the dice lost the throw, by their place
    text: str
    fields: JsonObject


class MoveWorth(BaseModel):
    """What a move is worth, and what it costs against the best."""

    move: str
    label: str
    value: float
    lower: float
    upper: float
    share: float | None
    cost: float
    status: Literal["best", "tied", "worse"]
    sentence: str
    keep: list[int] | None = None
    exact: str | None = None


class Against(BaseModel):
    """What a position is worth against who sits opposite, with the best reply to that player."""

    label: str
    value: float | None
    lower: float | None
    upper: float | None
    share: float | None
    said: str | None
    best: list[str]
    sentence: str
    pending: bool  # being worked out: ask again


class Advice(BaseModel):
    """What the coach says: the value with its bounds, each move, and a sentence.

    All of it is about perfect play on both sides, as `assumes` says; `against` is about the
    opponent of this match, and null where that plays perfectly or there is none.
    """

    value: float
    lower: float
    upper: float
    share: float | None
    said: str
    moves: list[MoveWorth]
    sentence: str
    mixture: dict[str, float] | None
    assumes: str
    heading: str
    against: Against | None
    exact: str | None = None


class Scale(BaseModel):
    """Between what numbers values lie, and what a percentage of that means."""

    low: float
    high: float
    means: str


class Layout(BaseModel):
    """How the table is laid: which tray, how many dice wait there, the highest face."""

    tray: Literal["turn", "handfuls", "keep"]
    dice: int
    sides: int


class Opposite(BaseModel):
    """Who sits opposite."""

    kind: str
    name: str | None
    record: str | None
    painting: str | None
    player: str | None
    label: str
    says: str | None
    numbers: list[float] | None


class Painting(BaseModel):
    """A painted strategy that is kept; its map is left out of lists."""

    id: str
    name: str
    game: str
    parameters: JsonObject
    title: str
    painted: JsonObject | None
    made: str
    link: str


class BroughtIn(BaseModel):
    """What became of the games of a file."""

    added: int
    known: int
    paintings: int
    refused: list[str]


class Seat(BaseModel):
    """One who sits at the table: as events name them, as people do, and the field of the score."""

    who: str
    name: str
    field: str


class Result(BaseModel):
    """How a match ended."""

    outcome: Literal["won", "lost", "drawn", "stopped", "done"]
    value: float | None
    sentence: str
    review: str | None = None


class Judgement(BaseModel):
    """What your last move cost."""

    move: str
    cost: float
    status: str
    sentence: str


class TakenBack(BaseModel):
    """The choice that you have just taken back, and what it would have cost if that is known."""

    move: str
    label: str
    cost: float | None
    status: str | None
    sentence: str


class Caution(BaseModel):
    """What a move would cost that was not played yet."""

    move: str
    cost: float
    best: list[str]
    sentence: str


class People(BaseModel):
    """Two people at a table: who they are, whose move it is, and what who asks may do."""

    where: Literal["here", "link"]
    names: list[str | None]  # null where nobody sits yet
    you: int | None  # your seat; null at one device, and for who watches
    turn: int | None  # the seat that is to decide
    chosen: list[bool]  # at once: who has chosen, unseen by the other
    host: bool
    watching: bool
    links: list[Literal["seat", "watch"]]  # those that are open; told to the host alone


class MatchDocument(BaseModel):
    """A match as it stands."""

    id: str
    game: str
    title: str
    start: str | None  # where it began, if not at the usual start; seen by who started
    day: str | None  # whose game of the day it is; null for an ordinary game
    practice: str | None  # why it counts in no statistics; null for an ordinary game
    kind: Literal["turns", "at-once", "solo", "round"]
    parameters: JsonObject
    unit: str
    scale: Scale | None
    layout: Layout
    opponent: Opposite  # of several, all of them together
    opponents: list[Opposite]  # in order of their turns after you
    seats: list[Seat]
    starter: str
    you_start: bool
    coin: bool
    coach_mode: str
    warn_at: float
    started: str
    ended: str | None
    ply: int
    over: bool
    to_move: Literal["you", "opponent", "nobody"]
    position: Where
    moves: list[Offer]
    events: list[Event]
    coach: Advice | None
    result: Result | None
    people: People | None
    taken: TakenBack | None
    can_take_back: bool
    played: Judgement | None
    warning: Caution | None


class MovedOnDocument(BaseModel):
    """The match stands elsewhere than you thought: nothing was played."""

    error: Problem
    match: MatchDocument


Responses = dict[int | str, JsonObject]

REFUSALS: Responses = {
    status: {"model": Refusal, "description": text}
    for status, text in {
        400: "What was asked makes no sense, in a sentence",
        401: "Not a player here",
        403: "Not from this site, or not the administrator",
        404: "No such thing",
        413: "Too big",
        422: "Not of the right shape",
        429: "Too fast",
        503: "Too busy",
    }.items()
}
WORKING: Responses = {202: {"model": StillWorking, "description": "Not solved yet: ask again"}}
CSV: Responses = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
SVG: Responses = {200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
MATCH: Responses = {200: {"model": MatchDocument, "description": "The match"}, **WORKING}
BEGUN: Responses = {201: {"model": MatchDocument, "description": "The match"}, **WORKING}
MOVED: Responses = {
    **MATCH,
    409: {"model": MovedOnDocument, "description": "The match has moved on; nothing was played"},
}
