"""What is said at the table: positions, moves and what happened, as the game itself tells it.

Everything is told to one player, who is "you"; the opponent is "the other player".
"""

from __future__ import annotations

import logging
import re

from dicelab.core.json_object import JsonObject
from dicelab.lab.store import Decision
from dicelab.rules import (
    DRAW,
    ONGOING,
    OTHER,
    THREW,
    WIN,
    Game,
    Moment,
    Position,
    before_throw,
    faces_of,
)
from dicelab.rules.speech import Told

YOU, OPPONENT = "you", "opponent"
ME = "me"  # the record that a player's own games make

log = logging.getLogger("dicelab.lab")


def called(opponent: JsonObject) -> str:
    """Return what an opponent is called."""
    kind = opponent["kind"]
    if kind == "strategy":
        return str(opponent.get("called") or spoken(opponent["name"]))
    if kind == "person":
        return f"{'you' if opponent['record'] == ME else participant(opponent)}, as fitted"
    return {"optimal": "perfect play", "adaptive": "one that adapts"}.get(kind, str(kind))


def participant(opponent: JsonObject) -> str:
    """Return who it is that was fitted; those in records stay unnamed, in early matches too."""
    name = str(opponent["player"])
    told = opponent["record"] == ME or re.fullmatch(r"participant [0-9]+", name)
    return name if told else "a participant"


def recorded(opponent: JsonObject) -> str:
    """Return what an opponent is called in a record: a strategy by the name that asks for it."""
    return str(opponent["name"]) if opponent["kind"] == "strategy" else called(opponent)


def spoken(name: str, label: str = "") -> str:
    """Return the name of a strategy as one says it: hold-at:20 is "hold at 20".

    `label` is what players call it, where its name would puzzle them.
    """
    stem, _, numbers = name.partition(":")
    stem = label or {"optimal": "perfect play"}.get(stem, stem.replace("-", " "))
    return " ".join(filter(None, [stem, numbers.replace(",", ", ")]))


def fields(game: Game, at: Position, mine: bool, over: bool = False) -> JsonObject:
    """Return a position as the page draws it, seen by you; `mine`: you are about to move."""
    at = before_throw(at)
    told = (game.final_counters if over else game.counters)(at, mine)
    if game.score_limit is not None:
        name, value = game.score_limit
        told[name] = value
    return told


def described(game: Game, at: Position, mine: bool) -> str:
    """Return a position in a sentence or two; its notation where the game fails to tell it."""
    try:
        told = game.describe(before_throw(at), mine)
        if isinstance(at, Moment):
            faces = faces_of(at.dice)
            summed = len(faces) == 1 and game.dice_of(at.move) > 1
            told += f" {game.describe_throw([] if summed else faces, at.shown)}"
        return told
    except Exception:
        log.exception("a position of %s cannot be told", game)
        return f"The position is {game.write(at)}."


def where(game: Game, at: Position, mine: bool, over: bool = False) -> JsonObject:
    """Return a position in notation, in words and drawn, and what was thrown there, if it was."""
    return {
        "notation": notation(game, at, mine),
        "words": described(game, at, mine),
        "fields": fields(game, at, mine, over),
        "threw": faces_of(at.dice) if isinstance(at, Moment) else [],
    }


def notation(game: Game, at: Position, mine: bool) -> str:
    """Return the notation of a position, seen by you where a position has two sides."""
    before = before_throw(at)
    if mine or game.players == 1 or not {"mine", "yours"} <= set(getattr(before, "_fields", ())):
        return game.write(at)
    threw = f"{THREW}{at.shown}" if isinstance(at, Moment) else ""
    return game.notation(before._replace(mine=before.yours, yours=before.mine)) + threw


def moves(game: Game, at: Position) -> list[JsonObject]:
    """Return the moves you have, as the page offers them; the unlikely ones are not in front.

    After a throw these are the ways that are open.
    """
    allowed, thrown, before = game.legal_moves(at), isinstance(at, Moment), before_throw(at)
    front = allowed if thrown else set(game.offered(at))
    offers: list[JsonObject] = [
        {
            "move": move,
            "label": game.label(before, move),
            "key": _key(move, allowed) if thrown else key(game, move, allowed),
            "dice": 0 if thrown else game.dice_of(move),
            "front": move in front,
        }
        for move in allowed
    ]
    for offer in [] if thrown else offers:
        if (kept := game.kept(at, offer["move"])) is not None:
            offer["keep"] = kept
    return offers


def key(game: Game, move: str, allowed: list[str]) -> str:
    """Return the key that plays a move: its first letter, or its number of dice or place."""
    if game.tray == "handfuls":
        return str(game.dice_of(move) % 10)
    return _key(move, allowed)


def _key(move: str, allowed: list[str]) -> str:
    if any(one.isdigit() for one in allowed):  # a digit plays the move that it names
        return move if len(move) == 1 and move.isdigit() else ""
    firsts = [one[:1].lower() for one in allowed]
    if len(set(firsts)) == len(firsts) and all(first.isalpha() for first in firsts):
        return move[0].lower()
    place = allowed.index(move) + 1
    return str(place) if place < 10 else ""


def event(game: Game, one: Decision) -> JsonObject:
    """Return what happened in one decision, as the page shows it.

    A decision that cannot be told, because the rules have changed since it was made, is named
    bare: whoever opens an old match still gets it.
    """
    try:
        told, label, seen = _told(game, one)
    except Exception:
        log.exception("decision %s of a match of %s cannot be told", one.ply, game)
        who = "You" if one.who == YOU else "The other player"
        told, label, seen = Told(f"{who}: {one.move}."), one.move, {}
    return {
        "ply": one.ply,
        "who": one.who,
        "move": one.move,
        "label": label,
        "dice": list(one.faces),
        "points": told.points,
        "effect": told.effect,
        "marked": list(told.marked),
        "text": told.text,
        "fields": seen,
    }


def _told(game: Game, one: Decision) -> tuple[Told, str, JsonObject]:
    at, after = before_throw(game.read(one.position)), game.read(one.after)
    mine, you = seen_by_you(one, game.players), one.who == YOU
    if isinstance(after, Moment):
        told = game.narrate_throw(one.move, one.faces, after.shown, you)
        return told, game.label(at, one.move), fields(game, after, mine)
    told = game.narrate(at, one.move, one.faces, after, you, mine)
    over = int(game.result(after) or ONGOING) != ONGOING
    return told, game.label(at, one.move), fields(game, after, mine, over)


def outcome(game: Game, after: Position, mine: bool) -> str | None:
    """Return how a game ended for you, or None where it goes on."""
    result = ONGOING if isinstance(after, Moment) else int(game.result(after) or ONGOING)
    if result == ONGOING:
        return None
    if result == DRAW:
        return "done" if game.players == 1 else "drawn"
    return "won" if (result == WIN) == mine else "lost"


def ending(
    game: Game, after: Position, mine: bool, ended: str, turns: int, who: str = "You"
) -> str:
    """Return how a game ended for somebody, in a sentence."""
    if ended == "stopped":
        return "The game was stopped before its end."
    return game.ending(after, mine, ended, turns, who)


def seen_by_you(one: Decision, players: int) -> bool:
    """Return whether the position after a decision is seen by you."""
    return players == 1 or (one.who == YOU) == (one.mover != OTHER)
