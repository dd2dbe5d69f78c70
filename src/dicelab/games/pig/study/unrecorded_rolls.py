"""Turns of which only the number of rolls and the banked points are known.

The tracker form does not say what each roll showed. What may have been at risk after k rolls is
still a small set, and everything that adds up along a turn follows from it by going roll by roll:

    f(0, 0) = 1
    f(k+1, r+s) = sum over scores s of  f(k, r) x (chance to roll on at r) x (chance of s)

A turn of n rolls that banked b > 0 has chance f(n, b) x (chance to hold at b), where the last
factor is 1 if b wins. One that banked nothing has chance sum over r of f(n-1, r) x (chance to roll
on at r) x (chance of a bust). This is the chance of what was written down, summed exactly over all
that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Array, Ints
from dicelab.core.language import Later
from dicelab.core.lazy import lazy
from dicelab.errors import RecordError
from dicelab.games.pig.rules import HOLD, ROLL, Pig, PigPosition
from dicelab.games.pig.study.tracker import Tracker
from dicelab.people.fit import Evidence, nobody
from dicelab.people.models import Features, Model, log_chances
from dicelab.solvers.turn_likelihood import likelihood as kernel
from dicelab.table import Table

IMPOSSIBLE = 1e-300


@dataclass(frozen=True, eq=False)
class Turns:
    """Every turn of the forms that have both players, in the order they were taken."""

    table: Table
    names: tuple[str, ...]  # of the games
    players: tuple[str, ...]
    left_out: tuple[str, ...]  # games with one player's turns only
    game: Array  # [turns] which of `names`
    player: Array  # [turns] which of `players`
    seat: Array  # [turns] 0 or 1
    turn: Array  # [turns] from 1
    mine: Array  # [turns] bank of the player when the turn began
    yours: Array  # [turns] bank of the other
    rolls: Array  # [turns]
    banked: Array  # [turns]

    def __len__(self) -> int:
        """Return the number of turns."""
        return len(self.game)

    @property
    def rules(self) -> Pig:
        """The game."""
        game = self.table.game
        assert isinstance(game, Pig)
        return game

    @property
    def wins(self) -> Array:
        """Whether the turn won the game. `[turns]`"""
        return self.mine + self.banked >= self.rules.target

    def began(self, i: int) -> str:
        """Return where a turn began, in the game's notation."""
        return self.rules.notation(PigPosition(int(self.mine[i]), int(self.yours[i]), 0))

    def pick(self, which: Array | slice) -> Turns:
        """Return some of the turns."""
        columns = ("game", "player", "seat", "turn", "mine", "yours", "rolls", "banked")
        taken = {name: getattr(self, name)[which] for name in columns}
        return Turns(self.table, self.names, self.players, self.left_out, **taken)

    @lazy
    def numbers(self) -> Array:
        """The position with r at risk in each turn, -1 where there is none. `[turns, at risk]`"""
        scores = [throw.points for throw in self.rules.throws() if not throw.busts]
        width = int(min(self.rolls.max() * max(scores), self.rules.target + max(scores))) + 1
        risk = np.arange(width)
        mine, yours = (np.repeat(bank, width) for bank in (self.mine, self.yours))
        flat = self.table.numbers(PigPosition(mine, yours, np.tile(risk, len(self))))
        return flat.reshape(len(self), width)

    @lazy
    def is_over(self) -> Array:
        """Whether r at risk has won. `[turns, at risk]`"""
        return self.mine[:, None] + np.arange(self.numbers.shape[1]) >= self.rules.target

    def rows(self, move: str) -> Ints:
        """Return the rows of a move with r at risk, -1 where it is not allowed."""
        assert move in (ROLL, HOLD)
        return np.where(self.numbers >= 0, self.table.row_of(move)[self.numbers], -1)

    def evidence(self, player: str | None = None) -> TurnEvidence:
        """Return what one player did, or all of them."""
        mine = self
        if player is not None:
            if player not in self.players:
                raise nobody(player, self.players)
            mine = self.pick(self.player == self.players.index(player))
        if not len(mine):
            raise RecordError(f"no turn of {player!r} can be used: the other player's are missing")
        return TurnEvidence(mine, mine.game)

    def likelihood(self, roll_on: Array, hold: Array) -> Array:
        """Return the chance of each turn for a player with these chances to roll on and to hold.

        Both are `[turns, at risk]`, so that neither loses digits as 1 minus the other.
        """
        throws = self.rules.throws()
        scored = [throw for throw in throws if not throw.busts]
        chance = np.zeros(len(self))
        kernel(
            np.where(self.is_over, 0.0, roll_on),
            np.where(self.is_over, 1.0, hold),
            self.rolls,
            self.banked,
            np.array([throw.points for throw in scored]),
            np.array([float(throw.chance) for throw in scored]),
            float(sum(throw.chance for throw in throws if throw.busts)),
            np.zeros((2, roll_on.shape[1])),
            chance,
        )
        return chance

    def extremes(self, cost: dict[str, Array]) -> tuple[Array, Array]:
        """Return the least and the most that each turn's decisions may have cost. `[turns]`

        `cost` gives what a move costs with r at risk, `[turns, at risk]`, for roll and hold.
        """
        answers = []
        for worst, pick in ((np.inf, np.minimum), (-np.inf, np.maximum)):
            scores = {t.points for t in self.rules.throws() if not t.busts}
            size, width = self.numbers.shape
            rolling = np.where(self.is_over, worst, cost[ROLL])
            stopping = np.where(self.is_over, 0.0, cost[HOLD])
            found = np.where(self.rolls == 0, stopping[:, 0], 0.0)
            f = np.full((size, width), worst)
            f[:, 0] = 0.0
            for roll in range(1, int(self.rolls.max()) + 1):
                going = f + rolling
                ends = np.flatnonzero(self.rolls == roll)
                busted = self.banked[ends] == 0
                found[ends[busted]] = pick.reduce(going[ends[busted]], axis=1)
                f = np.full((size, width), worst)
                for points in scores:
                    f[:, points:] = pick(f[:, points:], going[:, : width - points])
                held = ends[~busted]
                found[held] = f[held, self.banked[held]] + stopping[held, self.banked[held]]
            answers.append(found)
        return answers[0], answers[1]


@dataclass(frozen=True, eq=False)
class TurnEvidence(Evidence):
    """What a person did, turn by turn: chances are summed over the rolls nobody wrote down."""

    @property
    def unit(self) -> str:
        """What is counted."""
        return "turns"

    @property
    def numbers(self) -> Array:
        """The positions that may have come up, by number; -1 is none. `[turns, at risk]`"""
        return self.record.numbers

    @lazy
    def _places(self) -> list[Ints]:
        """Where rolling and holding stand among the rows that matter. `[turns, at risk]`"""
        rows = (self.record.rows(move) for move in (ROLL, HOLD))
        return [np.where(each >= 0, self.moves[2][each], -1) for each in rows]

    def log_likelihood(self, model: Model, features: Features, numbers: Sequence[float]) -> Array:
        """Return the logarithm of the chance of each turn. `[turns]`"""
        logs = log_chances(model.utilities(features, numbers), self.moves[1])
        chances = np.append(np.exp(logs), 0.0)  # the last is for moves that are not allowed
        roll_on, hold = (chances[places] for places in self._places)
        return np.log(np.maximum(self.record.likelihood(roll_on, hold), IMPOSSIBLE))

    def pick(self, which: Array) -> TurnEvidence:
        """Return some of it."""
        return TurnEvidence(self.record.pick(which), self.game[which])


def turns_of(tracker: Tracker, table: Table) -> Turns:
    """Return the turns of every form that has both players."""
    columns: list[tuple[int, ...]] = []
    players = {player: number for number, player in enumerate(tracker.players)}
    whole = [form for form in tracker.forms if len(form.sheets) == 2]
    for number, form in enumerate(whole):
        banks = [0, 0]
        for turn in range(max(len(sheet.turns) for sheet in form.sheets)):
            for seat, sheet in enumerate(form.sheets):
                if turn >= len(sheet.turns):
                    continue
                rolls, banked = sheet.turns[turn].rolls, sheet.turns[turn].banked
                who = players[sheet.player]
                place = (number, who, seat, turn + 1, banks[seat], banks[1 - seat])
                columns.append((*place, rolls, banked))
                banks[seat] += banked
    left_out = tuple(form.name for form in tracker.forms if len(form.sheets) < 2)
    if not columns:
        raise RecordError(
            Later(
                "game {game} has the turns of one player only: this needs those of both",
                game=repr(left_out[0]),
            )
        )
    names = tuple(form.name for form in whole)
    return Turns(table, names, tuple(players), left_out, *np.array(columns).T)
