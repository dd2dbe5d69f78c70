"""What is said at the table: positions, moves and what happened, as the game itself tells it.

Everything is told to one player, who is "you"; the opponent is "the other player". Several
opponents sit in order of their turns after you, and each is called by a name.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, speaking, tr
from dicelab.lab.store import Decision, Match
from dicelab.rules import (
    DRAW,
    ONGOING,
    SAME,
    THREW,
    Game,
    Moment,
    Position,
    answers,
    before_throw,
    exact_amount,
    faces_of,
)
from dicelab.rules.board import Done, keys_of
from dicelab.rules.registry import IN_WORDS
from dicelab.rules.sentences import OTHER_PLAYER, in_a_row, upper_first
from dicelab.rules.speech import Told

YOU, OPPONENT = "you", "opponent"
GUEST = "guest"  # the kind of an opponent that is a person
SEVERAL = "several"  # the kind of an opponent that is more than one
PERFECT, EQUILIBRIUM = mark("perfect play"), mark("equilibrium play")
ADAPTS = mark("one that adapts")
ME = "me"  # the record that a player's own games make

log = logging.getLogger("dicelab.lab")


def who_at(seat: int) -> str:
    """Return who sits so many seats after you, as rows have it."""
    return YOU if seat == 0 else OPPONENT if seat == 1 else f"{OPPONENT} {seat}"


def seat_of(who: str) -> int:
    """Return how many seats after you somebody sits."""
    return 0 if who == YOU else int(who.partition(" ")[2] or 1)


def your_seat(one: Decision, players: int) -> int:
    """Return how many seats after the player about to move then you sit: 0 where it is you."""
    if players == 1:
        return 0
    passes = one.mover if one.mover != SAME else 0
    return -(seat_of(one.who) + passes) % players


def starter(match: Match) -> int:
    """Return how many seats after you the player sits who started."""
    return 0 if match.you_start else int(match.opponent.get("starter", 1))


def each_of(opponent: JsonObject) -> list[JsonObject]:
    """Return every opponent, in order of their turns after you."""
    if opponent["kind"] == SEVERAL:
        return list(opponent["others"])
    return [] if opponent["kind"] == "nobody" else [opponent]


def names_of(opponent: JsonObject) -> list[str]:
    """Return what each of several opponents is called, told apart where they play alike."""
    told = [called(each) for each in each_of(opponent)]
    if len(told) > 1:  # of three and more nobody plays perfectly: others may help one or another
        told = [tr(EQUILIBRIUM) if name == tr(PERFECT) else name for name in told]
    often, seen, found = Counter(told), Counter[str](), []
    for name in told:
        seen[name] += 1
        found.append(f"{name} {'ABCDEFGHIJ'[seen[name] - 1]}" if often[name] > 1 else name)
    return found


def called(opponent: JsonObject) -> str:
    """Return what an opponent is called."""
    kind = opponent["kind"]
    if kind == SEVERAL:
        return in_a_row(names_of(opponent))
    if kind == "strategy":
        return translated(str(opponent.get("called") or spoken(opponent["name"])))
    if kind == GUEST:
        return str(opponent.get("called") or tr("another person"))
    if kind == "brought":
        return translated(str(opponent.get("named") or spoken(opponent["called"])))
    if kind == "painted":
        return str(opponent["painted"]["name"])
    if kind == "person":
        name = tr("you") if opponent["record"] == ME else participant(opponent)
        return tr("{name}, as fitted", name=name)
    said = {"optimal": PERFECT, "adaptive": ADAPTS}.get(kind, str(kind))
    return tr(said)


def translated(name: str) -> str:
    """Return what a strategy was called when the match began, such as "hold at 20", to a reader."""
    said = tr(name)
    found = re.fullmatch(r"(.+?)( [\d ,./:-]+)", name)
    return said if said != name or not found else tr(found[1]) + found[2]


def participant(opponent: JsonObject) -> str:
    """Return who it is that was fitted; those in records stay unnamed, in early matches too."""
    name = str(opponent["player"])
    told = opponent["record"] == ME or re.fullmatch(r"participant [0-9]+", name)
    return name if told else tr("a participant")


def recorded(opponent: JsonObject) -> str:
    """Return what an opponent is called in a record: a strategy by the name that asks for it."""
    if opponent["kind"] == SEVERAL:
        return ", ".join(map(recorded, opponent["others"]))
    told = {"strategy": "name", "brought": "called"}.get(opponent["kind"])
    with speaking(None):  # a record is the same file for everybody
        return str(opponent[told]) if told else called(opponent)


def spoken(name: str, label: str = "") -> str:
    """Return the name of a strategy as one says it: hold-at:20 is "hold at 20".

    `label` is what players call it, where its name would puzzle them.
    """
    stem, _, numbers = name.partition(":")
    plain = PERFECT if stem == "optimal" else stem.replace("-", " ")
    stem = tr(label or plain)
    return " ".join(filter(None, [stem, numbers.replace(",", ", ")]))


def name_of(game: Game, text: str) -> str:
    """Return what people call a strategy of a game: a name that it gives, or its own words.

    It is in English, as it is written down with a match, and translated for who reads it.
    """
    if text in game.rivals_in_words:
        return game.rivals_in_words[text][0]
    if text == "random":
        return mark("pure chance")
    maker = game.strategies.get(text.partition(":")[0])
    label, _ = IN_WORDS.get(maker, ("", {})) if maker else ("", {})
    with speaking(None):
        return spoken(text, label)


def fields(game: Game, at: Position, seat: int, over: bool = False) -> JsonObject:
    """Return a position as the page draws it, seen by you, so many seats after who moves."""
    told = game.counters_from(before_throw(at), seat, over)
    if game.score_limit is not None:
        name, value = game.score_limit
        told[name] = value
    return told


def described(game: Game, at: Position, seat: int, names: Sequence[str] = ()) -> str:
    """Return a position in a sentence or two; its notation where the game fails to tell it."""
    try:
        before = before_throw(at)
        if game.players > 2:
            told = game.describe_to(before, seat, names)
        else:
            told = game.describe(before, seat == 0)
        if isinstance(at, Moment):
            faces = faces_of(at.dice)
            summed = len(faces) == 1 and game.dice_of(at.move) > 1
            told += f" {game.describe_throw([] if summed else faces, at.shown)}"
        return told
    except Exception:
        log.exception("a position of %s cannot be told", game)
        return tr("The position is {position}.", position=game.write(at))


def where(
    game: Game, at: Position, seat: int, over: bool = False, names: Sequence[str] = ()
) -> JsonObject:
    """Return a position in notation, in words and drawn, and what was thrown there, if it was."""
    return {
        "notation": notation(game, at, seat),
        "words": described(game, at, seat, names),
        "fields": fields(game, at, seat, over),
        "threw": faces_of(at.dice) if isinstance(at, Moment) else [],
    }


def done(rows: Sequence[Decision]) -> list[Done]:
    """Return decisions as boards look back at them."""
    return [Done(seat_of(row.who), row.position, row.move, row.faces) for row in rows]


def board(
    game: Game, at: Position, seat: int, past: Sequence[Done], names: Sequence[str]
) -> list[JsonObject]:
    """Return the parts of the board to draw; none where the game fails to tell them."""
    called = [tr("You"), *map(upper_first, names)]
    try:
        parts = game.board_parts(at, seat, past)
        for item in (item for part in parts for item in part["items"]):
            if item.get("seat") is not None:
                item["name"] = called[item["seat"]]
    except Exception:
        log.exception("the board of %s cannot be drawn", game)
        return []
    return parts


def touching(
    game: Game, at: Position, offers: list[JsonObject], parts: Sequence[JsonObject]
) -> list[JsonObject]:
    """Return the moves, each with the items of the board that it is about."""
    keys = keys_of(parts)
    if not keys:
        return offers
    try:
        touched = [game.touched(at, offer["move"]) for offer in offers]
    except Exception:
        log.exception("what moves of %s are about cannot be told", game)
        return offers
    return [
        {**offer, "touches": [key for key in some if key in keys]}
        for offer, some in zip(offers, touched, strict=True)
    ]


def notation(game: Game, at: Position, seat: int) -> str:
    """Return the notation of a position, seen by you where a position has sides."""
    before = before_throw(at)
    if not seat or not {"mine", "yours"} <= set(getattr(before, "_fields", ())):
        return game.write(at)
    threw = f"{THREW}{at.shown}" if isinstance(at, Moment) else ""
    return game.notation(game.turned(before, seat)) + threw


def told_at(game: Game, at: Position) -> Position:
    """Return a position as its game tells moves there: with the throw, where it asks for that."""
    return at if game.tells_throws else before_throw(at)


def moves(game: Game, at: Position) -> list[JsonObject]:
    """Return the moves you have, as the page offers them; the unlikely ones are not in front.

    After a throw these are the ways that are open.
    """
    allowed, thrown = game.legal_moves(at), isinstance(at, Moment)
    front = allowed if thrown else set(game.offered(at))
    sensible = None if thrown else game.sensible_move(at)
    offers: list[JsonObject] = [
        {
            "move": move,
            "label": game.label(told_at(game, at), move),
            "key": _key(move, allowed) if thrown else key(game, move, allowed),
            "dice": 0 if thrown else game.dice_at(at, move),
            "front": move in front,
            "number": numbered(move),
            "sensible": not thrown and move == sensible,
        }
        for move in allowed
    ]
    for offer in [] if thrown else offers:
        if (kept := game.kept(at, offer["move"])) is not None:
            offer["keep"] = kept
    return offers


def numbered(move: str) -> int | None:
    """Return the number that a move is about, such as 12 of "throw 12"; None where it has none."""
    found = re.fullmatch(r"(?:[a-z]+ )?([0-9]{1,6})", move)
    return int(found[1]) if found else None


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


def event(game: Game, one: Decision, names: Sequence[str] = ()) -> JsonObject:
    """Return what happened in one decision, as the page shows it.

    A decision that cannot be told, because the rules have changed since it was made, is named
    bare: whoever opens an old match still gets it.
    """
    try:
        told, label, seen = _told(game, one)
    except Exception:
        log.exception("decision %s of a match of %s cannot be told", one.ply, game)
        who = tr("You") if one.who == YOU else tr(OTHER_PLAYER)
        told, label, seen = Told(tr("{who}: {move}.", who=who, move=one.move)), one.move, {}
    if game.players > 2 and one.who != YOU:  # of several, one says who it was
        name = upper_first(names[seat_of(one.who) - 1])
        told = told._replace(text=told.text.replace(tr(OTHER_PLAYER), name))
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


def reported(game: Game, one: Decision, names: Sequence[str], player: str) -> str:
    """Return what happened in one decision to somebody who was not there, who is told the names.

    Where the rules can only say it to a player, the move and the dice are named.
    """
    name = upper_first(player if one.who == YOU else names[seat_of(one.who) - 1])
    rest = [player, *names]
    other = upper_first(rest[1 - seat_of(one.who)]) if game.players == 2 else None
    label = one.move
    try:
        at, after = told_at(game, game.read(one.position)), game.read(one.after)
        label = game.label(at, one.move)

        def told(you: bool, called: str) -> str:
            if isinstance(after, Moment):
                said = game.narrate_throw(one.move, one.faces, after.shown, you)
            else:
                seen = you == (one.mover == SAME)
                said = game.narrate(at, one.move, one.faces, after, you, seen)
            return said.text.replace(tr(OTHER_PLAYER), called)

        text = told(False, name)
        if _addressed(text) and other is not None:  # what the other got: as the mover hears it
            both = zip(_sentences(text), _sentences(told(True, other)), strict=True)
            text = " ".join(mine if not _addressed(mine) else yours for mine, yours in both)
        if name in text and not _addressed(text):
            return text
    except Exception:
        log.exception("decision %s of a match of %s cannot be told", one.ply, game)
    if not one.faces:
        return tr("{who}: {move}.", who=name, move=label)
    dice = " ".join(map(str, one.faces))
    return tr("{who}: {move}: {dice}.", who=name, move=label, dice=dice)


def _addressed(text: str) -> bool:
    """Return whether a text speaks to a player."""
    return re.search(rf"\b{tr('you')}\b", text, re.I) is not None


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!]) ", text)


def _told(game: Game, one: Decision) -> tuple[Told, str, JsonObject]:
    at, after = told_at(game, game.read(one.position)), game.read(one.after)
    seat, you = your_seat(one, game.players), one.who == YOU
    if isinstance(after, Moment):
        told = game.narrate_throw(one.move, one.faces, after.shown, you)
        return told, game.label(at, one.move), fields(game, after, seat)
    told = game.narrate(at, one.move, one.faces, after, you, seat == 0)
    over = int(game.result(after) or ONGOING) != ONGOING
    return told, game.label(at, one.move), fields(game, after, seat, over)


def outcome(game: Game, after: Position, seat: int) -> str | None:
    """Return how a game ended for you, or None where it goes on."""
    result = ONGOING if isinstance(after, Moment) else int(game.result(after) or ONGOING)
    if result == ONGOING:
        return None
    if result == DRAW and game.players > 2 and game.pays_ends:  # some share it, maybe not you
        paid = [exact_amount(each) for each in game.payoff(after)]
        return "drawn" if paid[seat] == max(paid) else "lost"
    if result == DRAW:
        return "done" if game.players == 1 else "drawn"
    return "won" if seat in answers.winners_at(game, result) else "lost"


def ending(
    game: Game,
    after: Position,
    seat: int,
    ended: str,
    turns: int,
    who: str = "You",
    names: Sequence[str] = (),
) -> str:
    """Return how a game ended for somebody, in a sentence."""
    if ended == "stopped":
        return tr("The game was stopped before its end.")
    if game.players > 2:
        return game.ending_to(after, seat, ended, names, who)
    return game.ending(after, seat == 0, ended, turns, who)
