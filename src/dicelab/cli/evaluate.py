"""dicelab evaluate: exactly how one strategy fares against another."""

from __future__ import annotations

from dicelab.cli.sweep import short_way
from dicelab.console.app import app
from dicelab.console.arguments import (
    Exact,
    GameName,
    Json,
    Memory,
    Players,
    asked_of,
    two_strategies,
)
from dicelab.console.arguments import given as read_given
from dicelab.console.output import emit, never_counts, percent, picked, say, show, within
from dicelab.console.ranges import range_in
from dicelab.console.seats import evaluation_json, tell_evaluation
from dicelab.core.json_object import JsonObject
from dicelab.rules import DRAW, LOSS, WIN
from dicelab.verbs.evaluate import evaluate as worked_out
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.seats import SeatedEvaluation


@app.command("evaluate")
def evaluate(
    game: GameName,
    players: Players,
    exact: Exact = False,
    memory: Memory = None,
    json: Json = False,
) -> None:
    """Tell how strategy A fares against B, whoever starts.

    A parameter or a strategy may have several values, as hold-at:15..25: that is a sweep, with its
    table and its JSON keys.

    JSON keys: game, parameters, a, b, first (A wins when A starts), second (B wins when B starts),
    overall (A wins when they take turns in starting), never_ends, draws, error, starts, value (what
    A gets in the game's unit: a when A starts, b when B does, overall), value_error, never (what
    play without an end is worth to A), unit, exact, seconds; with --exact also fractions.
    A game played alone has a, value, unit, never_ends,
    never (what that is worth; null: infinitely much), error, exact, seconds; with --exact also
    fraction. Three players and more are named in order of their turns, or the first and one for
    all others; the answer then has players, values (what each gets where the first starts),
    overall, starts (for each who starts: wins, draws, never_ends, values), error, value_error,
    unit, exact, seconds.

    Examples:

        dicelab evaluate pig hold-at:20 hold-at:21

        dicelab evaluate pig hold-at:20 optimal target=50 --json

        dicelab evaluate solo-pig hold-at:25

        dicelab evaluate pig hold-at:15..25 hold-at:20 target=50
    """
    if asked := range_in(game, players):
        short_way(asked, "value never_ends", "wins loses overall", exact, memory=memory, json=json)
        return
    given = read_given(game, players)
    a, b = two_strategies(given, least=1)
    asked_about = asked_of(given.game, memory, a, b, exact=exact)
    found = worked_out(asked_about, a, b, exact, memory=memory)
    if isinstance(found, SeatedEvaluation):
        emit(given.header | evaluation_json(found)) if json else tell_evaluation(found)
        return
    if not json:
        _tell_alone(found) if isinstance(found, SoloEvaluation) else tell(found)
        return
    if isinstance(found, SoloEvaluation):
        answer: JsonObject = {"a": found.strategy}
        answer |= picked(found, "value unit never_ends never error exact seconds")
        answer |= {"fraction": str(found.value)} if exact else {}
    else:
        answer = picked(found, "a b first second overall never_ends draws error")
        starts = {"a": found.a_first, "b": found.b_first}
        four = "a_wins b_wins draws never_ends"
        answer["starts"] = {who: picked(chances, four) for who, chances in starts.items()}
        values = (*found.values, found.value)
        answer["value"] = dict(zip(("a", "b", "overall"), map(float, values), strict=True))
        answer |= {"value_error": found.value_error, "never": float(found.stakes.never[0])}
        answer |= {"unit": found.game.unit, **picked(found, "exact seconds")}
        if exact:
            names = ("first", "second", "overall", "never_ends", "value")
            answer["fractions"] = {name: str(getattr(found, name)) for name in names}
    emit(given.header | answer)


def tell(found: Evaluation) -> None:
    """Print an evaluation for people."""
    say(f"{found.game}: A is {found.a}, B is {found.b}")
    starts = {"A starts": found.a_first, "B starts": found.b_first}
    if found.game.is_simultaneous:
        starts = {"at once": found.a_first}
    columns = {"A wins": "a_wins", "B wins": "b_wins", "draw": "draws", "never ends": "never_ends"}
    shown = {
        title: field
        for title, field in columns.items()
        if field.endswith("wins") or any(getattr(each, field) for each in starts.values())
    }
    show(
        ["", *shown],
        [
            [start, *(percent(getattr(chances, field)) for field in shown.values())]
            for start, chances in starts.items()
        ],
    )
    turns = "" if found.game.is_simultaneous else " when they take turns in starting"
    say(f"A wins {percent(found.overall)}{turns} ({_certainty(found.exact, found.error)})")
    if found.game.unit != "chance to win":
        a, b = (float(value) for value in found.values)
        unit = found.game.unit
        if unit.endswith("s"):
            say(
                f"A gets {a:.6g} {unit} when A starts, {b:.6g} when B starts, "
                f"{float(found.value):.6g} overall ({_certainty(found.exact, found.value_error)})"
            )
            if found.never_ends:
                counts = never_counts(found.game, found.stakes.never[0], unit)
                say(f"a game that never ends {counts}")
        elif found.game.is_simultaneous:
            say(f"the {found.game.unit} of A is {a:.6g}")
        else:
            say(
                f"the {found.game.unit} of A is {a:.6g} when A starts, {b:.6g} when B starts, "
                f"{float(found.value):.6g} overall"
            )
    elif found.draws or found.never_ends:
        ends = found.stakes.ends[0]
        is_share = ends[LOSS] == 0 and ends[WIN] == 1
        score = percent(found.value) if is_share else f"{float(found.value):.6g}"
        say(f"A scores {score}: {_halves(found)}")


def _halves(found: Evaluation) -> str:
    """Return in words what a game that nobody wins counts."""
    told = []
    if found.draws:
        worths = [found.stakes.ends[seat][DRAW] for seat in (0, 1)]
        same = worths[0] == worths[1]
        counts = f"{worths[0]}" if same else f"{worths[0]} (starting) or {worths[1]}"
        told.append(f"a draw counts {counts}")
    if found.never_ends:
        never = found.stakes.never[0]
        told.append(f"a game that never ends {'' if told else 'counts '}{never}")
    return ", ".join(told)


def _tell_alone(found: SoloEvaluation) -> None:
    game = found.game
    if found.unit == "chance to win":
        said = f"wins {percent(found.value)}"
    else:
        said = f"{float(found.value):.6g} {found.unit} on average"
    say(f"{game}: {found.strategy}: {said} ({_certainty(found.exact, found.error)})")
    if found.never_ends:
        counts = never_counts(game, found.never, found.unit)
        say(f"the game never ends in {percent(found.never_ends)} of cases: that {counts}")


def _certainty(exact: bool, error: float) -> str:
    return "computed in rationals" if exact else f"certified {within(error)}"
