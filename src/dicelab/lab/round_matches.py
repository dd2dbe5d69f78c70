"""A round of keep-and-reroll as a match: the dice are cast here, what is kept is checked here.

A table is written ``aside|thrown|cast``: ``4|61|2`` has a 4 aside and a 6 and a 1 from the second
cast. Where everything is kept nothing is thrown: ``421||2``.
"""

from __future__ import annotations

from typing import Any

from dicelab.errors import IllegalMove
from dicelab.lab import coach
from dicelab.lab.arguments import RoundGame
from dicelab.lab.matches import DICE, Standing, chance
from dicelab.lab.narration import YOU
from dicelab.lab.opponents import Chooser
from dicelab.lab.store import Decision, Match
from dicelab.rounds.combinations import Combinations
from dicelab.rules import OTHER, SAME
from dicelab.rules.throw import throw

NOBODY = "dice"


class Table:
    """What lies on the table of a round."""

    def __init__(self, text: str) -> None:
        self.aside, self.thrown, cast = text.split("|")
        self.cast = int(cast)

    def __str__(self) -> str:
        return f"{self.aside}|{self.thrown}|{self.cast}"


def faces_of(numbers: Combinations, written: str) -> list[int]:
    """Return the faces of a combination, the highest first."""
    return list(numbers.faces_of(numbers.number(written))[::-1]) if written else []


class PlayRound:
    """A match of one round, alone against a utility."""

    def __init__(self, game: RoundGame, match: Match) -> None:
        self.game = game
        self.match = match
        self.round = game.round
        self.numbers = game.round.numbers

    def standing(self, rows: list[Decision]) -> Standing:
        """Return where the round stands."""
        at = Table(rows[-1].after)
        over = not at.thrown or at.cast == self.round.casts
        return Standing(at, True, rows[-1].ply, at.cast, "done" if over else None)

    def begin(self, other: Chooser | None = None) -> list[Decision]:
        """Return the first cast, which nobody decides about."""
        return [self._cast("-", 0, 0, NOBODY, "cast", "-||0")]

    def _cast(self, kept: str, cast: int, ply: int, who: str, move: str, before: str) -> Decision:
        dice = self.round.dice - int(self.numbers.sizes[self.numbers.number(kept)])
        faces = throw(self.round.die, dice, chance(self.match, ply, DICE))
        after = f"{kept}|{self._write(faces)}|{cast + 1}" if dice else f"{kept}||{cast}"
        return Decision(ply, who, before, move, after, SAME if dice else OTHER, tuple(faces))

    def _write(self, faces: list[int]) -> str:
        return self.numbers.write(self.numbers.number(tuple(faces)))

    def check(self, standing: Standing, move: str) -> str:
        """Return what a move keeps, refused where it cannot be kept."""
        options = self._options(standing)
        if move not in options:
            can = " or ".join(options) if len(options) < 6 else f"{options[0]} to {options[-1]}"
            raise IllegalMove(f"cannot {move[:60]} here: you can {can}")
        return move.removeprefix("keep ")

    def _options(self, standing: Standing) -> list[str]:
        at = standing.at
        found = self.round.options_of(self.round.table_of(at.aside, at.thrown))
        if self.game.player == "next":
            found = found[:-1]
        return [f"keep {self.numbers.write(int(number))}" for number in found]

    def move(self, standing: Standing, move: str, other: Chooser | None = None) -> list[Decision]:
        """Return your decision and the cast that follows."""
        kept = self.check(standing, move)
        at = standing.at
        return [self._cast(kept, at.cast, standing.ply + 1, YOU, move, str(at))]

    def ended(self, rows: list[Decision]) -> str | None:
        """Return whether the round is done."""
        return self.standing(rows).outcome

    def result(self, at: Table) -> str:
        """Return the combination that all dice make."""
        if not at.thrown:
            return at.aside
        shows = self.round.matrices.shows[self.round.table_of(at.aside, at.thrown)]
        return self.numbers.write(int(shows))

    def worth(self, at: Table) -> float:
        """Return what the result is worth."""
        return float(self.game.utility.of(self.result(at), at.cast))

    def events(self, rows: list[Decision]) -> list[dict[str, Any]]:
        """Return what happened, as the page shows it."""
        return [self._event(row) for row in rows]

    def _event(self, row: Decision) -> dict[str, Any]:
        kept = coach.spoken(row.move.removeprefix("keep "))
        thrown = ", ".join(map(str, row.faces))
        if row.who == NOBODY:
            effect, text = "cast", f"The first cast: {thrown}."
        elif row.faces:
            effect, text = "cast", f"You keep {kept} and cast {thrown}."
        else:
            effect, text = "kept", f"You keep {kept} and stop."
        return {
            "ply": row.ply,
            "who": YOU if row.who == YOU else None,
            "move": row.move,
            "label": f"Keep {kept}" if row.who == YOU else "Cast",
            "dice": list(row.faces),
            "points": 0,
            "effect": effect,
            "marked": [],
            "text": text,
            "fields": self.fields(Table(row.after)),
        }

    def fields(self, at: Table) -> dict[str, Any]:
        """Return a table as the page draws it."""
        return {
            "aside": faces_of(self.numbers, at.aside),
            "thrown": faces_of(self.numbers, at.thrown),
            "cast": at.cast,
            "casts": self.round.casts,
            "left": self.round.casts - at.cast if at.thrown else 0,
            "dice": self.round.dice,
            "utility": self.game.worth,
        }

    def position(self, standing: Standing) -> dict[str, Any]:
        """Return where the round stands, as the page draws it."""
        at = standing.at
        left = self.round.casts - at.cast
        aside = "" if at.aside == "-" else f"{coach.spoken(at.aside)} aside. "
        if standing.outcome:
            text = f"The result is {coach.spoken(self.result(at))}."
            notation = self.result(at)
        else:
            text = (
                f"{aside[:1].upper()}{aside[1:]}You threw {coach.spoken(at.thrown)}; "
                f"{left} cast{'s' * (left != 1)} left."
            )
            notation = at.thrown if at.aside == "-" else f"{at.aside}+{at.thrown}"
        return {"notation": notation, "words": text, "fields": self.fields(at)}

    def moves(self, standing: Standing) -> list[dict[str, Any]]:
        """Return what may be kept, as the page offers it."""
        told = []
        for move in self._options(standing):
            number = self.numbers.number(move.removeprefix("keep "))
            rest = self.round.dice - int(self.numbers.sizes[number])
            told.append(
                {
                    "move": move,
                    "label": coach.keep_label(self.round, number),
                    "key": "",
                    "keep": faces_of(self.numbers, move.removeprefix("keep ")),
                    "dice": rest,
                    "front": True,
                }
            )
        return told

    def layout(self) -> dict[str, Any]:
        """Return how the table is laid."""
        return {"tray": "keep", "dice": self.round.dice, "sides": max(self.round.die.faces)}

    def ending(self, rows: list[Decision], outcome: str, who: str = "You") -> str:
        """Return how the round ended for somebody, in a sentence."""
        if outcome == "stopped":
            return "The round was stopped before its end."
        at = Table(rows[-1].after)
        worth = self.worth(at)
        return f"{who} made {coach.spoken(self.result(at))}, worth {worth:g}."
