"""What may be sent to the lab: every body, its parts and their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicelab.people import marks

MISTAKE = dict(marks.COSTS)[marks.MISTAKE]  # what the coach warns of, unless told otherwise
Value = int | bool | str | None
Text = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=40)]
GameName = Annotated[str, Field(min_length=1, max_length=100)]
Parameters = Annotated[dict[str, Value], Field(max_length=20, examples=[{"target": 20}])]
Score = Annotated[int, Field(ge=0, le=1_000_000)]
Row = Annotated[list[Score | None], Field(max_length=1001)]
Coach = Literal["on", "off", "after", "warn"]


class Form(BaseModel):
    """A body with these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class OpponentForm(Form):
    """Who sits opposite."""

    kind: Literal["strategy", "optimal", "person", "adaptive", "painted", "nobody"] = "optimal"
    name: Annotated[Text | None, Field(description="of a strategy", examples=["hold-at:20"])] = None
    record: Annotated[
        Text | None, Field(description="a record to fit a person to; yours if left out")
    ] = None
    player: Annotated[Text | None, Field(description="whom to fit in that record")] = None
    painting: Annotated[Text | None, Field(description="the id of a painting that is kept")] = None
    margin: Annotated[
        float, Field(ge=0, le=0.5, description="what an adaptive one may lose at most")
    ] = 0.01


class PeopleForm(Form):
    """Two people: at one device, or the other comes by a link."""

    where: Literal["here", "link"]
    me: Annotated[Name | None, Field(description="what you are called there")] = None
    name: Annotated[Name | None, Field(description="what the other is called, at one device")] = (
        None
    )
    coach: Annotated[Coach, Field(description="the other's, at one device")] = "off"


class MatchForm(Form):
    """A match to begin."""

    game: GameName
    parameters: Parameters = {}
    opponent: OpponentForm = OpponentForm()
    opponents: Annotated[
        list[OpponentForm],
        Field(max_length=9, description="at a table of three and more, each in order of the turns"),
    ] = []
    starts: Annotated[
        Literal["me", "opponent", "coin"], Field(description="of several, the one after you")
    ] = "me"
    start: Annotated[
        Text | None,
        Field(
            description="a position to begin from, in the game's notation, seen by who starts",
            examples=["30-12 +9"],
        ),
    ] = None
    people: Annotated[
        PeopleForm | None, Field(description="a person sits opposite, and no opponent of the lab")
    ] = None
    coach: Coach = "on"
    warn_at: Annotated[
        float,
        Field(ge=0, le=1, description="the cost from which it warns, a share of what is at stake"),
    ] = MISTAKE


class MoveForm(Form):
    """A move, at the decision where the player thinks the match stands."""

    move: Annotated[Text, Field(examples=["roll"])]
    ply: Annotated[int, Field(ge=0, le=10**6)]
    sure: Annotated[bool, Field(description="play it though the coach would warn")] = False
    seat: Annotated[
        int | None, Field(ge=0, le=1, description="whose move it is, where two people play")
    ] = None


class TakeBackForm(Form):
    """Taking back the last choice, at the decision where the player thinks the match stands."""

    ply: Annotated[int, Field(ge=0, le=10**6)]


class CoachForm(Form):
    """Another coach."""

    coach: Coach
    warn_at: Annotated[float, Field(ge=0, le=1)] = MISTAKE


class LinkForm(Form):
    """A link to a match between people: to its free seat, or to watch."""

    kind: Literal["seat", "watch"]


class JoinForm(Form):
    """Somebody who takes the seat that a link leads to."""

    name: Name | None = None
    coach: Coach = "off"


class NameForm(Form):
    """How a player wants to be called."""

    name: Name


class GameForm(Form):
    """A game with its parameters."""

    game: GameName
    parameters: Parameters = {}


class Painted(Form):
    """A strategy that was drawn."""

    painted: Literal["holds", "grid", "dice"]
    name: Name = "painted"
    holds: Score | Row | Annotated[list[Row], Field(max_length=1001)] | None = None
    grid: Annotated[list[Annotated[str, Field(max_length=1200)]], Field(max_length=1001)] = []
    dice: Annotated[list[Row], Field(max_length=1001)] = []
    last: Annotated[list[Row], Field(max_length=1001)] = []


AnyStrategyForm = Text | Painted


class PaintingForm(GameForm):
    """A painted strategy to keep."""

    painted: Painted


Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT[0-9:.]{5,12}Z$")]


class KeptDecision(Form):
    """A decision of a game in a file, as the lab wrote it there."""

    ply: Annotated[int, Field(ge=1, le=10_000)]
    who: Annotated[str, Field(max_length=12)]
    position: Text
    move: Text
    after: Text
    mover: Annotated[int, Field(ge=-10, le=10)]
    faces: Annotated[list[Annotated[int, Field(ge=-1000, le=1000)]], Field(max_length=100)]
    gain: Annotated[str, Field(pattern=r"^-?\d{1,40}(/[1-9]\d{0,39})?$")] = "0"


class KeptGame(Form):
    """A finished game in a file."""

    origin: Annotated[str, Field(min_length=1, max_length=60)]
    game: GameName
    parameters: Parameters
    you_start: bool
    starter: Annotated[int, Field(ge=0, le=9)] = 0
    opponent: Text
    started: Moment
    ended: Moment
    outcome: Literal["won", "lost", "drawn", "stopped", "done"]
    start: Text | None = None
    taken_back: Annotated[int, Field(ge=0, le=10**6)] | None = None
    decisions: Annotated[list[KeptDecision], Field(max_length=10_000)]


class BelongingsForm(Form):
    """Some of the games and paintings of a file; a large file is sent in several parts."""

    games: Annotated[list[KeptGame], Field(max_length=200)] = []
    paintings: Annotated[list[PaintingForm], Field(max_length=100)] = []


class VersusForm(GameForm):
    """Two strategies to meet; alone, one."""

    a: Annotated[AnyStrategyForm, Field(examples=["hold-at:20"])]
    b: Annotated[AnyStrategyForm | None, Field(examples=["optimal"])] = None


class ReplyForm(GameForm):
    """A strategy to reply to."""

    to: Annotated[AnyStrategyForm, Field(examples=["hold-at:20"])]


class TournamentForm(GameForm):
    """Strategies that all meet each other."""

    strategies: Annotated[list[AnyStrategyForm], Field(min_length=2, max_length=12)]


class DrillAnswerForm(Form):
    """The answer to a card of a drill."""

    card: Annotated[str, Field(min_length=1, max_length=40)]
    move: Annotated[
        Text | None, Field(examples=["roll"], description="left out where the time ran out")
    ] = None
    allowed: Annotated[
        float | None,
        Field(gt=0, le=3600, description="seconds to think; left out where the clock is off"),
    ] = None
    number: Annotated[int, Field(ge=1, le=10**6, description="which try of this card it is")]


class AnswersForm(Form):
    """The questionnaire of the study; what is left out was not answered."""

    preference: Literal["averse", "neutral", "seeking"] | None = None
    lottery_10: Literal["a", "b"] | None = None
    lottery_million: Literal["a", "b"] | None = None
