"""The tracker form: for each turn of a game of Pig, how often you rolled and what you banked.

Two players sit down, each says in secret whether they are averse to risk, neutral or seeking it,
and answers two questions: a sure 10 pounds (a) or an even chance of 20 (b); a sure million (a) or
an even chance of two (b). Then they play. After each turn they write down the number of rolls and
the points banked: 0 after a bust.

As a file it is CSV with one row per turn:

    game,seat,player,preference,lottery_10,lottery_million,turn,rolls,banked,total
    14,1,ann,averse,a,a,1,4,16,16

`seat` is 1 for the player who goes first. `preference`, the two answers and `total` may be left
empty. A first line ``# {"format": "dicelab tracker 1", "game": ..., "parameters": ...}`` names the
game; without it the game is Pig to 100. A game may have one player's rows only, where the other's
are lost; what that player's gap to the other was is then unknown.

The form does not say what each roll showed. Totals, slopes and numbers of rolls are in it.
What was at risk when a player decided is not, except for the last decision of a turn that was held;
`fit` sums over the rolls nobody wrote down, exactly, and `review` gives bounds.

Source: the form and the questions are those of "Finding the optimal strategy for the dice game
Pig", University of Exeter, ECM3735 group 8, section 2.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from dicelab.core.arrays import Array
from dicelab.core.lazy import lazy
from dicelab.errors import RecordError
from dicelab.games.pig.rules import Pig
from dicelab.people.decisions import Decisions
from dicelab.rules import ONGOING

PREFERENCES = ("averse", "neutral", "seeking")
SURE, GAMBLE = "a", "b"
MOST_ROLLS = 10_000


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: how often the dice were rolled, and what was banked (0: a bust or a pass)."""

    rolls: int
    banked: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's side of a form."""

    player: str
    seat: int  # 1 goes first
    turns: tuple[Turn, ...]
    preference: str | None = None
    lotteries: tuple[str | None, str | None] = (None, None)  # for 10 pounds, for a million

    @property
    def totals(self) -> list[int]:
        """The bank after each turn."""
        totals, bank = [], 0
        for turn in self.turns:
            bank += turn.banked
            totals.append(bank)
        return totals


@dataclass(frozen=True, slots=True)
class Form:
    """One game: a sheet for each player whose turns are known, seat 1 first."""

    name: str
    sheets: tuple[Sheet, ...]

    def sheet(self, seat: int) -> Sheet | None:
        """Return the sheet of a seat, or None where it is lost."""
        return next((sheet for sheet in self.sheets if sheet.seat == seat), None)


@dataclass(frozen=True)
class Tracker:
    """Any number of forms for one game."""

    game: Pig
    forms: tuple[Form, ...]

    @property
    def sheets(self) -> list[Sheet]:
        """Every sheet of every form."""
        return [sheet for form in self.forms for sheet in form.sheets]

    @property
    def players(self) -> list[str]:
        """Every player, in the order of their first sheet."""
        return list(dict.fromkeys(sheet.player for sheet in self.sheets))


@dataclass(frozen=True, eq=False)
class Columns:
    """The turns of some sheets as arrays, sheet after sheet."""

    player: list[str]  # of each sheet
    preference: list[str | None]  # of each sheet
    turns: Array  # [sheets] how many turns it has
    sheet: Array  # [turns] which sheet
    turn: Array  # [turns] from 1
    rolls: Array  # [turns]
    banked: Array  # [turns]

    @lazy
    def total(self) -> Array:
        """The bank after each turn. `[turns]`"""
        return self.before + self.banked

    @lazy
    def before(self) -> Array:
        """The bank before each turn. `[turns]`"""
        so_far = np.cumsum(self.banked) - self.banked
        first = np.cumsum(self.turns) - self.turns
        return so_far - so_far[first][self.sheet]


def columns_of(sheets: Sequence[Sheet]) -> Columns:
    """Return the turns of some sheets as arrays."""
    counts = np.fromiter((len(sheet.turns) for sheet in sheets), np.int64, len(sheets))
    size = int(counts.sum())
    rolls = np.fromiter((turn.rolls for sheet in sheets for turn in sheet.turns), np.int64, size)
    banked = np.fromiter((turn.banked for sheet in sheets for turn in sheet.turns), np.int64, size)
    sheet = np.repeat(np.arange(len(sheets)), counts)
    turn = np.arange(size) - (np.cumsum(counts) - counts)[sheet] + 1
    players = [sheet.player for sheet in sheets]
    return Columns(players, [s.preference for s in sheets], counts, sheet, turn, rolls, banked)


def is_pig_for_two(game: object) -> TypeGuard[Pig]:
    """Return whether a game is Pig or one of its kin, between two players."""
    return isinstance(game, Pig) and game.players == 2


def has_form(game: object) -> TypeGuard[Pig]:
    """Return whether the tracker form can hold a game: a banked 0 must leave the bank as it was."""
    return is_pig_for_two(game) and not any(throw.ruins for throw in game.throws())


def needs_form(game: object) -> Pig:
    """Return a game that the tracker form can hold, refused where it cannot."""
    if not is_pig_for_two(game):
        raise RecordError(f"the tracker form is for two players at Pig or its kin: got {game}")
    if not has_form(game):
        raise RecordError(
            f"the tracker form cannot hold {game}: "
            f"a banked 0 does not tell whether the bank was lost"
        )
    return game


def impossible(game: Pig, bank: int, turn: Turn) -> str | None:
    """Return why a turn that began with this bank cannot have happened, or None."""
    rolls, banked = turn.rolls, turn.banked
    if rolls > MOST_ROLLS:
        return f"{rolls} rolls in one turn is more than {MOST_ROLLS}"
    if rolls == 0:
        if banked:
            return f"{banked} points without a roll"
        return None if game.passing else "a turn has at least one roll"
    need = game.target - bank
    scores = {throw.points for throw in game.throws() if not throw.busts}
    busts = any(throw.busts for throw in game.throws())
    sums = {0}
    for roll in range(1, rolls):
        sums = {total + score for total in sums for score in scores if total + score < need}
        if not sums:
            return (
                f"{roll} roll{'s' * (roll > 1)} without a bust had won: {need} points were enough"
            )
    ends = {total + score for total in sums for score in scores}
    if banked == 0:
        return None if busts or (game.passing and 0 in ends) else "0 points, and nothing busts"
    if banked in ends:
        return None
    if banked > max(ends) and need <= max(sums) + max(scores) and banked <= rolls * max(scores):
        return f"{banked} points in {rolls} rolls, where {need} had won and ended the turn"
    plural = "s" * (rolls > 1)
    return (
        f"{banked} points in {rolls} roll{plural}: they score {min(ends)} to {max(ends)}, or bust"
    )


def as_tracker(record: Decisions, preferences: dict[str, str] | None = None) -> Tracker:
    """Return the tracker forms that the players of Pig would have filled in."""
    game = needs_form(record.table.game)
    said = preferences or {}
    forms = []
    turns = _turns(record)
    for name, players, sides in zip(record.names, record.players, turns, strict=True):
        sheets = [
            Sheet(player, seat, tuple(side), said.get(player))
            for seat, (player, side) in enumerate(zip(players, sides, strict=True), start=1)
            if side
        ]
        forms.append(Form(name, tuple(sheets)))
    return Tracker(game, tuple(forms))


def _turns(record: Decisions) -> Iterator[tuple[list[Turn], list[Turn]]]:
    """Yield each game's turns, seat by seat; a turn that was broken off is left out."""
    table = record.table
    rolled = table.move[record.row] == table.moves.index("roll")
    over = table.result[record.after] != ONGOING
    ends = record.passes | over
    at = table.positions(record.number)
    then = table.positions(record.after)
    banked = np.where(over & ~record.passes, then.at_risk, np.where(rolled, 0, at.at_risk))
    begins = np.concatenate([[True], ends[:-1] | (np.diff(record.game) > 0)])
    turn = np.cumsum(begins) - 1
    rolls = np.bincount(turn, rolled)
    sides: list[tuple[list[Turn], list[Turn]]] = [([], []) for _ in record.names]
    last = np.flatnonzero(ends)
    for i, count, points in zip(last, rolls[turn[last]], banked[last], strict=True):
        sides[record.game[i]][record.seat[i]].append(Turn(int(count), int(points)))
    yield from sides
