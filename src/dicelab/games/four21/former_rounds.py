"""Matches of the lab from when it had rounds of its own, under the name 421, and no game of them.

A table was written ``aside|thrown|cast``: ``4|61|2`` had a 4 aside and a 6 and a 1 from the second
cast. The dice made the first cast, nobody had to stop after the last one, and to keep everything
was to stop. Whether kept dice stayed aside was a parameter, which is now the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from dicelab.core.json_object import JsonObject
from dicelab.games.keep_and_reroll import CAST, STOP, RoundGame, RoundPosition
from dicelab.rules import SAME, Game
from dicelab.rules.registry import Rows, formerly, registered_game

NAMES = {"aside": "421-round", "any": "yahtzee-round"}


@formerly("421")
def carry_over(parameters: Mapping[str, object], rows: Rows) -> tuple[Game, Rows] | None:
    """Return the game that is played now, and the decisions as it writes them.

    None for the game that has the name now, which is no round and says nothing of keeping.
    """
    given = dict(parameters)
    if "keep" not in given:
        return None
    game = registered_game(NAMES[str(given.pop("keep"))], **given)
    assert isinstance(game, RoundGame)
    carried = [_row(game, row) for row in rows]
    if rows and _table(game, rows[-1]["after"]).left == 0:
        last = {**carried[-1], "position": carried[-1]["after"], "ply": len(carried) + 1}
        carried.append({**last, **_stop(game, _table(game, rows[-1]["after"]))})
    return game, carried


def _row(game: RoundGame, row: JsonObject) -> JsonObject:
    at, after = _table(game, row["position"]), _table(game, row["after"])
    told = {**row, "ply": row["ply"] + 1, "who": "you", "position": game.notation(at)}
    if after.left < 0:
        return {**told, **_stop(game, at)}
    move = CAST if at == game.start() else row["move"]
    return {**told, "move": move, "after": game.notation(after), "mover": SAME}


def _stop(game: RoundGame, at: RoundPosition) -> JsonObject:
    (outcome,) = game.outcomes(at, STOP)
    after, gain = game.notation(outcome.at), str(outcome.gain)
    return {"move": STOP, "after": after, "mover": SAME, "faces": "[]", "gain": gain}


def _table(game: RoundGame, text: str) -> RoundPosition:
    """Return the position that a table was; without dice thrown, all were kept."""
    aside, thrown, cast = text.split("|")
    if cast == "0":
        return game.start()
    number = game.round.numbers.number
    if not thrown:
        return RoundPosition(number(aside), 0, -1)
    return game.on_table(number(aside), number(thrown), game.casts - int(cast))
