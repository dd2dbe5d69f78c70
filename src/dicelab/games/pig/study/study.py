"""study: all the questions of the Pig study, asked of any set of tracker forms."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, mark
from dicelab.errors import RecordError
from dicelab.games.pig.study.interplay import Influence, Mirroring, influence, mirroring
from dicelab.games.pig.study.played_risk import MOST_TURNS, Played, PlayedRisk, played_risk
from dicelab.games.pig.study.slopes import (
    SHUFFLES,
    TOO_FEW,
    Curve,
    Differ,
    Lotteries,
    Slope,
    curve,
    groups_of,
    lotteries,
    slope,
)
from dicelab.games.pig.study.tracker import Sheet, Tracker, columns_of
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.table import compile

EVERYBODY = "everybody"


@dataclass(frozen=True)
class Habits:
    """How a group rolls: plain averages over its turns."""

    turns: int
    rolls: float  # per turn
    busts: float  # share of the turns that banked nothing
    banked: float  # per turn that was held or won


@dataclass(frozen=True, eq=False)
class Study:
    """What tracker forms say; a part that they cannot answer is None, and `notes` say why."""

    tracker: Tracker
    slopes: dict[str, Slope]  # by stated preference, then everybody
    habits: dict[str, Habits]
    curves: dict[str, Curve]
    differ: Differ | None
    lotteries: Lotteries | None
    influence: Influence | None
    mirroring: Mirroring | None
    risk: PlayedRisk
    notes: tuple[Later, ...]
    seed: int


def study(
    tracker: Tracker,
    seed: int = 1,
    shuffles: int = SHUFFLES,
    of: Container[str] | None = None,
) -> Study:
    """Return the study's tables and tests for these forms.

    With `of`, only these players are asked about; the others only sit opposite, as machines do.
    """
    rng = np.random.default_rng(seed)
    named = groups_of(tracker)
    people = [sheet for sheet in tracker.sheets if of is None or sheet.player in of]
    if not people:
        raise RecordError("none of these forms is one of the players asked about")
    groups = {**named, EVERYBODY: people}
    notes = []
    risk = played_risk(tracker.game, people, rng, shuffles)
    apart: Differ | None = None
    if "slope" in risk.measures:
        apart = risk.measures["slope"].differ
        if not risk.measures["slope"].records:
            most = f"{MOST_TURNS:,}"
            text = mark("power and size are worked out for records of up to {most} turns")
            notes.append(Later(text, most=most))
    else:
        notes.append(Later(TOO_FEW))
    alone = {name for name, sheets in named.items() if len({s.player for s in sheets}) < 2}
    if apart is not None and alone:
        text = mark("left out of the comparison, having one player: {names}")
        notes.append(Later(text, names=", ".join(sorted(alone))))
    looks: Influence | None = None
    mirrors: Mirroring | None = None
    try:
        turns = turns_of(tracker, compile(tracker.game))
        asked = [of is None or player in of for player in turns.players]
        looks = influence(turns.pick(np.array(asked)[turns.player]))
        mirrors = mirroring(turns, rng, shuffles)
        if turns.left_out:
            text = mark("games with one player's turns only: {games}")
            notes.append(Later(text, games=some(turns.left_out)))
    except RecordError as trouble:
        said = trouble.args[0]
        notes.append(said if isinstance(said, Later) else Later(str(said)))
    return Study(
        tracker,
        {name: slope(name, sheets) for name, sheets in groups.items()},
        {name: habits(sheets) for name, sheets in groups.items()},
        {name: curve(name, sheets) for name, sheets in groups.items()},
        apart,
        lotteries(tracker, rng, shuffles),
        looks,
        mirrors,
        risk,
        tuple(notes),
        seed,
    )


def numbers(found: Study) -> JsonObject:
    """Return what a study found as plain data, for programs."""
    tracker = found.tracker
    return {
        "games": len(tracker.forms),
        "players": len(tracker.players),
        "groups": {
            name: {
                "players": slope.players,
                "slope": slope.value,
                "error": slope.error,
                "interval": [slope.low, slope.high],
                "trend": slope.trend,
                **dataclasses.asdict(found.habits[name]),
                "curve": {
                    "turn": found.curves[name].turns.tolist(),
                    "mean": found.curves[name].mean.tolist(),
                    "low": found.curves[name].low.tolist(),
                    "high": found.curves[name].high.tolist(),
                    "players": found.curves[name].players.tolist(),
                },
            }
            for name, slope in found.slopes.items()
        },
        **{
            part: dataclasses.asdict(value) if value is not None else None
            for part, value in (
                ("differ", found.differ),
                ("lotteries", found.lotteries),
                ("influence", found.influence),
                ("mirroring", found.mirroring),
            )
        },
        "risk": _risk(found.risk),
        "notes": list(map(str, found.notes)),
        "seed": found.seed,
    }


def _risk(found: PlayedRisk) -> JsonObject:
    """Return how people played, and what they said, as plain data."""
    return {
        "neutral": found.neutral,
        "measures": {name: dataclasses.asdict(each) for name, each in found.measures.items()},
        "table": found.table,
        "more_seeking": dataclasses.asdict(found.more_seeking) if found.more_seeking else None,
        "players": {
            field.name: [getattr(one, field.name) for one in found.players]
            for field in dataclasses.fields(Played)
        },
    }


def some(names: Sequence[str], most: int = 12) -> str:
    """Return some names for people: the first few, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def habits(sheets: list[Sheet]) -> Habits:
    """Return how some players roll."""
    columns = columns_of(sheets)
    held = columns.banked[columns.banked > 0]
    return Habits(
        columns.rolls.size,
        float(columns.rolls.mean()),
        1 - held.size / columns.rolls.size,
        float(held.mean()) if held.size else 0.0,
    )
