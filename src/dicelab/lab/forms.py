"""What may be sent to the lab: every body, its parts and their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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
    coach: Coach = "on"
    warn_at: Annotated[float, Field(ge=0, le=1, description="the cost from which it warns")] = 0.02


class MoveForm(Form):
    """A move, at the decision where the player thinks the match stands."""

    move: Annotated[Text, Field(examples=["roll"])]
    ply: Annotated[int, Field(ge=0, le=10**6)]
    sure: Annotated[bool, Field(description="play it though the coach would warn")] = False


class CoachForm(Form):
    """Another coach."""

    coach: Coach
    warn_at: Annotated[float, Field(ge=0, le=1)] = 0.02


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


class AnswersForm(Form):
    """The questionnaire of the study; what is left out was not answered."""

    preference: Literal["averse", "neutral", "seeking"] | None = None
    lottery_10: Literal["a", "b"] | None = None
    lottery_million: Literal["a", "b"] | None = None
