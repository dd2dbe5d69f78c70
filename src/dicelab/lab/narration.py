"""What is said at the table: positions, moves and what happened, in the players' own words.

Everything is told to one player, who is "you"; the opponent is "the other player".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import LAST, Greed
from dicelab.games.pig import HOLD, Pig
from dicelab.lab.store import Decision
from dicelab.rules import DRAW, ONGOING, OTHER, WIN, Game, Position
from dicelab.rules.dice import coin

YOU, OPPONENT = "you", "opponent"
ME = "me"  # the record that a player's own games make


def called(opponent: dict[str, Any]) -> str:
    """Return what an opponent is called."""
    kind = opponent["kind"]
    if kind == "strategy":
        return str(opponent["name"])
    if kind == "person":
        return f"{'you' if opponent['record'] == ME else opponent['player']}, as fitted"
    return str(kind)  # optimal, adaptive or nobody


def fields(game: Game, at: Position, mine: bool) -> dict[str, int]:
    """Return a position as the page draws it, seen by you; `mine`: you are about to move."""
    told = {name: int(value) for name, value in at._asdict().items() if name != "second"}
    if not mine and "yours" in told:
        told["mine"], told["yours"] = told["yours"], told["mine"]
    for bound in ("target", "max"):
        if bound in game.parameters:
            told[bound] = int(game.parameters[bound])
    return told


def notation(game: Game, at: Position, mine: bool) -> str:
    """Return the notation of a position, seen by you where a position has two sides."""
    if mine or game.players == 1:
        return game.notation(at)
    return game.notation(at._replace(mine=at.yours, yours=at.mine))


def words(game: Game, at: Position, mine: bool) -> str:
    """Return a position in a sentence or two."""
    told = fields(game, at, mine)
    if game.players == 1:
        left = f" {_count(told['left'], 'turn')} left." if told["left"] else ""
        return f"You have {told['mine']}{_risk(told)} of {told['target']}.{left}"
    if isinstance(game, Greed):
        last = " It is the last turn." if told["stage"] == LAST else ""
        yours, theirs = (_greed(told[side], game) for side in ("mine", "yours"))
        return f"You have {yours}, the other player {theirs}; above {game.max} is bust.{last}"
    if "at_risk" in told and told["at_risk"] and not mine:
        return (
            f"You have {told['mine']}. The other player has {told['yours']} and "
            f"{told['at_risk']} at risk."
        )
    return f"You have {told['mine']}{_risk(told)}. The other player has {told['yours']}."


def _risk(told: dict[str, int]) -> str:
    return f" and {told['at_risk']} at risk" if told.get("at_risk") else ""


def _greed(score: int, game: Greed) -> str:
    return "gone bust" if score > game.max else str(score)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def label(game: Game, at: Position, move: str) -> str:
    """Return what stands on the button of a move."""
    if isinstance(game, Pig):
        if move != HOLD:
            return "Roll"
        return f"Hold {int(at.at_risk)}" if at.at_risk else "Pass"
    dice = game.dice_of(move)
    if dice == 0:
        return "Stop here" if isinstance(game, Greed) and at.stage != LAST else "Throw none"
    return f"Throw {dice}"


def key(game: Game, move: str) -> str:
    """Return the key that plays a move."""
    return move[0] if isinstance(game, Pig) else str(game.dice_of(move) % 10)


def moves(game: Game, at: Position) -> list[dict[str, Any]]:
    """Return the moves you have, as the page offers them."""
    return [
        {
            "move": move,
            "label": label(game, at, move),
            "key": key(game, move),
            "dice": game.dice_of(move),
        }
        for move in game.moves
        if game.legal(at, move)
    ]


def event(game: Game, one: Decision) -> dict[str, Any]:
    """Return what happened in one decision, as the page shows it."""
    at, after = game.parse(one.position), game.parse(one.after)
    seen = fields(game, after, mine=seen_by_you(one, game.players))
    effect, points, text = happened(game, at, one, after)
    return {
        "ply": one.ply,
        "who": one.who,
        "move": one.move,
        "label": label(game, at, one.move),
        "dice": list(one.faces),
        "points": points,
        "effect": effect,
        "text": text,
        "fields": seen,
    }


def happened(game: Game, at: Position, one: Decision, after: Position) -> tuple[str, int, str]:
    """Return the effect of a move, the points it brought, and a sentence."""
    you = one.who == YOU
    who = "You" if you else "The other player"
    s = "" if you else "s"
    over = int(game.result(after) or ONGOING)
    if isinstance(game, Pig):
        if one.move == HOLD:
            held = int(at.at_risk)
            return (
                ("held", held, f"{who} hold{s} {held}.")
                if held
                else ("passed", 0, f"{who} pass{'es' * (not you)}.")
            )
        thrown = game.landed(one.faces)
        what = f"{who} roll{s} {shown(one.faces)}"
        if game.die == coin and game.dice == 1:
            what = f"{who} toss{'es' * (not you)} {('tails', 'heads')[one.faces[0]]}"
        if thrown.ruins:
            return "ruined", 0, f"{what} and lose{s} everything."
        if thrown.busts:
            return "bust", 0, f"{what} and lose{s} the turn."
        if over == WIN:
            return "won", thrown.points, f"{what} and {'win' if you else 'wins'}."
        score = f": {_count(thrown.points, 'point')}" if len(one.faces) > 1 else ""
        return "scored", thrown.points, f"{what}{score}."
    what = f"{who} throw{s} {shown(one.faces)}"
    if isinstance(game, DiceBattle):
        points = game.scored(one.move, one.faces)
        if 1 in one.faces:
            return "spoiled", points, f"{what}: spoiled by a 1, {_count(points, 'point')}."
        return "scored", points, f"{what}: {_count(points, 'point')}."
    assert isinstance(game, Greed)
    points = sum(one.faces)
    if not one.faces:
        last = "" if at.stage == LAST else ": the last turn begins"
        return "stood", 0, f"{who} throw{s} no dice{last}."
    if int(at.mine) + points > game.max:
        return "over", points, f"{what}: {points} is too much, bust."
    return "scored", points, f"{what}: {_count(points, 'point')}."


def shown(faces: Sequence[int]) -> str:
    """Return the faces of a throw in words; many of them by their number."""
    if len(faces) == 1:
        return f"{'an' if str(faces[0])[0] == '8' or faces[0] in (11, 18) else 'a'} {faces[0]}"
    if len(faces) > 6 or not faces:
        return f"{len(faces)} dice"
    return ", ".join(map(str, faces[:-1])) + f" and {faces[-1]}"


def outcome(game: Game, after: Position, mine: bool) -> str | None:
    """Return how a game ended for you, or None where it goes on."""
    result = int(game.result(after) or ONGOING)
    if result == ONGOING:
        return None
    if result == DRAW:
        return "drawn"
    return "won" if (result == WIN) == mine else "lost"


def ending(game: Game, after: Position, mine: bool, ended: str, turns: int) -> str:
    """Return how a game ended, in a sentence."""
    told = fields(game, after, mine)
    if ended == "stopped":
        return "The game was stopped before its end."
    if game.players == 1:
        score = told["mine"] + told["at_risk"]
        if ended == "won":
            return f"You reached {score} in {_count(turns, 'turn')}."
        return f"Your turns are used up at {score}."
    yours, theirs = told["mine"], told["yours"]
    risk = told.get("at_risk", 0)
    if mine:
        yours += risk
    else:
        theirs += risk
    verb = {"won": "You won", "lost": "You lost", "drawn": "It is a draw"}[ended]
    if isinstance(game, Greed):
        if theirs > game.max:
            return f"You won: the other player went bust. You have {yours}."
        if yours > game.max:
            return f"You lost: you went bust. The other player has {theirs}."
    return f"{verb}, {yours} to {theirs}."


def seen_by_you(one: Decision, players: int) -> bool:
    """Return whether the position after a decision is seen by you."""
    return players == 1 or (one.who == YOU) == (one.mover != OTHER)
