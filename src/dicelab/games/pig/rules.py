"""Pig: roll for as long as you dare; a 1 costs you the turn.

Two players race to ``target`` points, or as many as sit at the table (``players``). On your turn
you roll as often as you like. Each roll adds to the points at risk, which count only once you hold.
Roll a 1 and the turn ends with nothing.
As soon as your bank and the points at risk reach the target you have won: nobody would roll again.

The family: another ``die`` (loaded if you like), another losing face (``bust``), several ``dice``
per roll of which none may show it, ``passing`` (holding with nothing at risk). *Piglet* is played
with a coin that adds 1. *Two-dice Pig* takes your whole bank for a double 1. *Big Pig* pays 25 for
it and doubles the other doubles.

Two busts in a row lead back to the same position, so the game has cycles and no last round to
count back from. In Two-dice Pig a bank can be lost: almost the whole game is one cycle.

Source: Neller & Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1), 2004.

>>> from dicelab import solve
>>> round(solve(Pig(target=2)).value, 6)     # v = 5/6 + (1 - v)/6, so v = 6/7
0.857143
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from dicelab.core.arrays import Array
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.errors import RulesError, StrategyError
from dicelab.games import seats
from dicelab.games.painting import holding_grid, holding_points
from dicelab.rules import (
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Game,
    Ints,
    Outcome,
    Position,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, coin, d6
from dicelab.rules.dice_laws import chance_of_any, sum_law_without
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import rolled, said_by, shown
from dicelab.rules.speech import Told

ROLL, HOLD = "roll", "hold"

Choose = Callable[["PigPosition"], object]
"""A named strategy: the move at a position, or the moves at an array of them."""


class PigPosition(NamedTuple):
    """What the player about to move sees, written ``30-12 +9``."""

    mine: Ints
    yours: Ints
    at_risk: Ints


class Throw(NamedTuple):
    """One thing a roll may do: score some points, or end the turn."""

    chance: Fraction
    points: int
    busts: bool = False
    ruins: bool = False  # the bank is lost as well


@register("pig")
@dataclass(frozen=True)
class Pig(Game):
    """Pig with one die, or with several of which none may show the losing face."""

    target: int = 100
    die: Die = d6
    bust: int = 1
    dice: int = 1
    passing: bool = False
    players: int = field(default=2, kw_only=True)  # type: ignore[misc]  # a parameter here

    may_play: ClassVar[range] = range(2, seats.MOST + 1)
    moves: ClassVar[tuple[str, ...]] = (ROLL, HOLD)
    in_short: ClassVar[str] = (
        "Roll for as long as you dare; a 1 costs you the turn. Hold to bank what the turn has "
        "earned. The first to reach the target wins."
    )
    list_place: ClassVar[int] = 10
    is_daily: ClassVar[bool] = True
    map_views: ClassVar[tuple[str, ...]] = ("holding", "slice")
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": (mark("Roll on longer"), mark("holding too early")),
        "fewer": (mark("Hold earlier"), mark("rolling too long")),
    }
    rivals: ClassVar[tuple[str, ...]] = (
        "hold-at:20",
        "hold-at:15",
        "hold-at:25",
        "end-race-or-keep-pace",
        "turtle",
        "roll-to-win",
        "random",
        "optimal",
    )
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "hold-at:20": (
            mark("the classic"),
            mark("Holds once 20 points are at risk, as players are taught."),
        ),
        "hold-at:15": (mark("the cautious one"), mark("Holds once 15 points are at risk.")),
        "hold-at:25": (mark("the daring one"), mark("Holds once 25 points are at risk.")),
        "end-race-or-keep-pace": (
            mark("the expert"),
            mark("Holds at about 21, and rolls to win once somebody is near the end."),
        ),
        "turtle": (mark("the turtle"), mark("Holds at 5: slowly, but surely.")),
        "roll-to-win": (mark("the gambler"), mark("Never holds: wins in one turn or busts.")),
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        self.needs(
            self.players in self.may_play, f"2 to {seats.MOST} players: got players={self.players}"
        )
        self.needs(self.target >= 1, f"a target of at least 1: got target={self.target}")
        self.needs(1 <= self.dice <= 100, f"1 to 100 dice a roll: got dice={self.dice}")
        self.needs(
            self.die.faces != (self.bust,),
            f"a face besides the {self.bust}: got die={self.die}",
        )
        scoring = [face for face in self.die.faces if face != self.bust]
        self.needs(
            min(scoring) >= 0 and max(scoring) > 0,
            f"faces that score 0 or more, one of them above 0: got die={self.die}",
        )

    def throws(self) -> list[Throw]:
        """Return what one roll may do; the chances sum to 1.

        Points beyond the target win like the target itself, and count as that.
        """
        scores = sum_law_without(self.die, self.bust, self.dice, below=self.target)
        bust = chance_of_any(self.die, self.bust, self.dice)
        if beyond := 1 - bust - sum(scores.values(), Fraction(0)):
            scores[self.target] = beyond
        scored = [Throw(chance, points) for points, chance in scores.items()]
        return [Throw(bust, 0, busts=True), *scored] if bust else scored

    @property
    def place(self) -> Any:
        """The kind of its positions, with a bank for each player."""
        return seats.seated(PigPosition, self.players)

    def start(self) -> PigPosition:
        """Return the position the game starts from."""
        start: PigPosition = self.place(*[0] * (self.players + 1))
        return start

    def legal(self, at: PigPosition, move: str) -> Bools:
        """Return whether the move is allowed: you hold what is at risk, or pass if you may."""
        return (at.at_risk >= 0) if move == ROLL or self.passing else (at.at_risk > 0)

    def outcomes(self, at: PigPosition, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        if move == HOLD:
            yield Outcome(1, self._passed(at, at.mine + at.at_risk), OTHER)
            return
        for throw in self.throws():
            yield self._then(at, throw)

    def _then(self, at: PigPosition, throw: Throw) -> Outcome:
        """Return where one roll leads."""
        if throw.ruins:
            return Outcome(throw.chance, self._passed(at, 0 * at.mine), OTHER)
        if throw.busts:
            return Outcome(throw.chance, self._passed(at, at.mine), OTHER)
        points = min(throw.points, self.target)
        return Outcome(throw.chance, at._replace(at_risk=at.at_risk + points), SAME)

    def _passed(self, at: PigPosition, bank: Ints) -> PigPosition:
        """Return where the next turn begins: everybody moves up, and my bank comes last."""
        return type(at)(*at[1:-1], bank, 0 * at.mine)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return self.dice if move == ROLL else 0

    def landed(self, faces: Sequence[int]) -> Throw:
        """Return what the dice do when they show these faces."""
        if self.bust in faces:
            return Throw(Fraction(1), 0, busts=True)
        return Throw(Fraction(1), sum(faces))

    def after(self, at: PigPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if move == HOLD:
            return super().after(at, move, faces)
        return self._then(at, self.landed(faces))

    def result(self, at: PigPosition) -> Ints:
        """Return WIN where the bank and the points at risk reach the target."""
        return where(at.mine + at.at_risk >= self.target, WIN, ONGOING)

    def size(self) -> int:
        """Return about how many positions there are: all banks, and what may be at risk."""
        most = max(throw.points for throw in self.throws())
        return self.target**self.players * (self.target + 2 * most) // 2

    def branching(self) -> float:
        """Return how many outcomes a position has: those of a roll, and holding."""
        return 1 + sum(1 for _ in self.outcomes(self.start(), ROLL))

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move != HOLD:
            return tr("Roll")
        return tr("Hold {points}", points=int(at.at_risk)) if at.at_risk else tr("Pass")

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it: to hold nothing is to pass."""
        return tr(move if move != HOLD or at.at_risk else mark("pass"))

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        scores = {"mine": told["mine"], "yours": told["yours"], "risk": told["at_risk"]}
        if not told["at_risk"]:
            return tr("You have {mine}. The other player has {yours}.", **scores)
        return said_by(
            mine,
            "You have {mine} and {risk} at risk. The other player has {yours}.",
            "You have {mine}. The other player has {yours} and {risk} at risk.",
            **scores,
        )

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the last score: the points at risk that reached the target are banked."""
        told = self.counters(at, mine)
        winner = "mine" if mine else "yours"
        return {**told, winner: told[winner] + told["at_risk"], "at_risk": 0}

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody rolled, held or passed."""
        if move == HOLD:
            held = int(at.at_risk)
            if held:
                held_text = said_by(
                    you, "You hold {points}.", "The other player holds {points}.", points=held
                )
                return Told(held_text, "held", held)
            return Told(said_by(you, "You pass.", "The other player passes."), "passed")
        thrown = self.landed(faces)
        what = rolled(you, shown(faces))
        if self.die == coin and self.dice == 1:
            tails, heads = tr("tails"), tr("heads")
            side = heads if faces[0] else tails
            what = said_by(you, "You toss {side}", "The other player tosses {side}", side=side)
        if thrown.busts:
            lost = tuple(place for place, face in enumerate(faces) if face == self.bust)
            if thrown.ruins:
                ruined = said_by(
                    you,
                    "{rolled} and lose everything.",
                    "{rolled} and loses everything.",
                    rolled=what,
                )
                return Told(ruined, "ruined", 0, lost)
            bust = said_by(
                you, "{rolled} and lose the turn.", "{rolled} and loses the turn.", rolled=what
            )
            return Told(bust, "bust", 0, lost)
        if int(self.result(after)) == WIN:
            won = said_by(you, "{rolled} and win.", "{rolled} and wins.", rolled=what)
            return Told(won, "won", thrown.points)
        if len(faces) == 1:
            return Told(f"{what}.", "scored", thrown.points)
        points = trn("{n} point", "{n} points", thrown.points)
        return Told(tr("{done}: {more}.", done=what, more=points), "scored", thrown.points)

    @property
    def canvas(self) -> JsonObject:
        """How a strategy can be painted: roll and hold over one's bank and what is at risk."""
        return {"kind": "grid", "size": self.target}

    def painted(self, kind: str, given: JsonObject) -> Callable[[Position], object]:
        """Return the strategy that a map of holding points, or a grid of r and h, tells."""
        if kind == "grid":
            grid = holding_grid(self, self.target, self.target + self.most_points, given["grid"])
            wants: Callable[[PigPosition], Bools] = lambda at: grid[at.mine, at.at_risk]  # noqa: E731
        elif kind == "holds" and self.players == 2:
            points = holding_points(self, self.target, given["holds"])
            wants = lambda at: at.at_risk >= points[at.mine, at.yours]  # noqa: E731
        else:
            raise StrategyError(f"{self} is painted as a grid of r and h: got {kind!r}")
        return lambda at: where(both(wants(at), self.legal(at, HOLD)), HOLD, ROLL)

    @property
    def most_points(self) -> int:
        """The most that one roll can score."""
        return max(throw.points for throw in self.throws())

    def slice_of(self, mine: Ints, at_risk: Ints, across: Ints) -> Position:
        """Return positions by one's bank and what is at risk; `across` is the other bank."""
        return PigPosition(mine, across, at_risk)

    @property
    def slices(self) -> tuple[str, int, int]:
        """What a slice holds fixed, the most that may be, and where one begins to look."""
        return "yours", self.target - 1, 0

    def example_positions(self) -> list[str]:
        """Return a position somewhere in the middle of a game."""
        parts = [30, 12, *range(40, 40 + self.players - 2), 9]
        at = self.place(*(self.target * part // 100 for part in parts[-self.players - 1 :]))
        return [self.notation(at._replace(at_risk=max(2, at.at_risk)))]

    def notation(self, at: PigPosition) -> str:
        """Return ``mine-yours +at_risk``."""
        return f"{seats.between(at[:-1])} +{at.at_risk}"

    def parse(self, text: str) -> PigPosition:
        """Return the position that ``30-12 +9`` stands for; ``30-12`` alone is ``30-12 +0``."""
        banks = seats.pattern(r"(\d{1,9})", self.players)
        match = re.fullmatch(rf"{banks}\s*(?:\+\s*(\d{{1,9}}))?\s*", text)
        if match is None:
            raise self.unreadable(text)
        found: PigPosition = self.place(*(int(part or 0) for part in match.groups()))
        return found


@strategy(Pig, "hold-at")
def hold_at(game: Pig, points: int = 20) -> Choose:
    """Hold once this many points are at risk."""
    return lambda at: where(at.at_risk >= points, HOLD, ROLL)


@strategy(Pig, "turtle")
def turtle(game: Pig) -> Choose:
    """Hold at 5: slowly, but surely."""
    return hold_at(game, 5)


@strategy(Pig, "roll-to-win")
def roll_to_win(game: Pig) -> Choose:
    """Never hold: win in this turn or bust."""
    return lambda at: where(at.at_risk >= 0, ROLL, HOLD)


@strategy(Pig, "end-race-or-keep-pace")
def end_race_or_keep_pace(game: Pig) -> Choose:
    """Roll to win once either player is within 29 of the target; before that, hold at about 21.

    The holding point is 21 plus an eighth of what the other player is ahead, rounded to the
    nearest integer, halves up; of several others the leader counts. Neller & Presser, "Practical
    Play of the Dice Game Pig", The UMAP Journal 31(1), 2010, give it for a target of 100; other
    targets keep the distance.
    """

    def choose(at: PigPosition) -> Array:
        leader = seats.most_of(seats.others(at, game.players))
        racing = either(at.mine >= game.target - 29, leader >= game.target - 29)
        pace = 21 + (leader - at.mine + 4) // 8
        return where(racing, ROLL, where(at.at_risk >= pace, HOLD, ROLL))

    return choose


@strategy(Pig, "roll-and-wait")
def roll_and_wait(game: Pig, bank: int = 80, near: int = 86, points: int = 20) -> Choose:
    """Bank up to 80, then wait until the other player comes near, then roll to win.

    With fewer than ``bank`` points it holds at ``points``, or as soon as its bank would reach
    ``bank``. From there on it passes while the other player has fewer than ``near``, and rolls
    to win after that. Waiting is passing, so the game must be played with ``passing=yes``.
    """
    _needs_passing(game, "roll-and-wait")

    def choose(at: PigPosition) -> Array:
        banked = either(at.at_risk >= points, at.mine + at.at_risk >= bank)
        leader = seats.most_of(seats.others(at, game.players))
        waiting = both(leader < near, at.at_risk == 0)
        return where(at.mine < bank, where(banked, HOLD, ROLL), where(waiting, HOLD, ROLL))

    return choose


@strategy(Pig, "skip-when-level")
def skip_when_level(game: Pig, points: int = 20) -> Choose:
    """Pass whenever all banks are equal, the opening excepted; otherwise hold at some points.

    Two such players wait for each other for ever once they are level.
    """
    _needs_passing(game, "skip-when-level")

    def choose(at: PigPosition) -> Array:
        even = both(*(at.mine == bank for bank in seats.others(at, game.players)))
        level = both(even, at.mine > 0, at.at_risk == 0)
        return where(either(level, at.at_risk >= points), HOLD, ROLL)

    return choose


def _needs_passing(game: Pig, name: str) -> None:
    if not game.passing:
        raise RulesError(f"{name} passes with nothing at risk: play {game.name} passing=yes")
