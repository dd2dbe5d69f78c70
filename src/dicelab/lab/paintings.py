"""Strategies that players painted and kept: to be met at the table, and shared by a link.

A painted strategy is a map, and only that: numbers and letters from the page, never code. Its id
cannot be guessed and is the link to it: whoever has it may look at the map and play against it.
"""

from __future__ import annotations

import json
import secrets
import sqlite3

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import RulesError
from dicelab.lab.arguments import game_of
from dicelab.lab.forms import PaintingForm
from dicelab.lab.http_errors import NotFound
from dicelab.lab.solving import Solving
from dicelab.lab.store import Player, Store, now
from dicelab.rules.registry import told

MOST_KEPT = 100
"""Paintings of one player."""


class Paintings:
    """The painted strategies in the file."""

    def __init__(self, store: Store, solving: Solving) -> None:
        self.store, self.solving = store, solving

    def keep(self, player: Player, asked: PaintingForm, wait: float) -> JsonObject:
        """Return a painting that is kept from now on; one that cannot play its game is refused."""
        game = game_of(asked.game, asked.parameters, self.solving.memory)
        painted = asked.painted.model_dump()
        self.solving.painted(game, painted, wait)
        id = "p_" + secrets.token_urlsafe(15)
        row = (id, player.number, asked.game, json.dumps(told(game)), str(game))
        with self.store.writing() as file:
            count = "SELECT count(*) FROM paintings WHERE player = ?"
            if file.execute(count, (player.number,)).fetchone()[0] >= MOST_KEPT:
                raise RulesError(
                    tr("you keep {most} paintings already: remove one first", most=MOST_KEPT)
                )
            file.execute(
                "INSERT INTO paintings VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, json.dumps(painted), now()),
            )
        return self.painting(id)

    def painting(self, id: str) -> JsonObject:
        """Return a painting, to whoever has its id."""
        rows = self.store.rows("SELECT * FROM paintings WHERE id = ?", id)
        if not rows:
            raise NotFound(tr("there is no painting {id}", id=repr(id[:40])))
        return shown(rows[0])

    def own(self, player: Player) -> list[JsonObject]:
        """Return the paintings of a player, the newest first, without their maps."""
        question = "SELECT * FROM paintings WHERE player = ? ORDER BY made DESC, id"
        found = map(shown, self.store.rows(question, player.number))
        return [{**one, "painted": None} for one in found]

    def remove(self, player: Player, id: str) -> None:
        """Forget a painting of a player; matches against it go on, for they hold its map."""
        with self.store.writing() as file:
            gone = file.execute(
                "DELETE FROM paintings WHERE id = ? AND player = ?", (id, player.number)
            )
            if not gone.rowcount:
                raise NotFound(tr("you have no painting {id}", id=repr(id[:40])))


def shown(row: sqlite3.Row) -> JsonObject:
    """Return a painting as the page gets it."""
    painted = json.loads(row["painted"])
    return {
        "id": row["id"],
        "name": painted["name"],
        "game": row["game"],
        "parameters": json.loads(row["parameters"]),
        "title": row["title"],
        "painted": painted,
        "made": row["made"],
        "link": f"/versus?painting={row['id']}",
    }
