"""Greed: throw any number of dice you like, but go above the maximum and you have lost.

Two players start from 0. On your turn you throw as many dice as you like, in one throw, and add
their sum to your score. Above ``max`` you are bust and lose at once. Throw no dice at all and the
last turn begins: the other player throws once more, any number, none included. Then the higher
score wins and equal scores tie.

A win is worth 1, a loss 0. A tie is worth ``tie``, 1/2 unless you say otherwise; with
``second_tie`` the player who went second values it differently. Unless the two values sum to 1 the
players no longer fight over one pot: each then wants the most by its own count.

More than two may play (``players``). Who is bust is out, and the others go on; the last one left
has won. Once somebody throws no dice, each of the others who is still in has one last turn, in
order. Then the highest score wins, and those who share it share the 1 that a win is worth.

Any number of dice is allowed. Once even the lowest faces go bust, more dice change nothing, so the
moves stop there. Scores only grow, so the game has no cycles.

Source: C. Addis, "A Guide to Optimal Play in Greed: Stochastic Optimization", Reed College, 2023.

>>> from dicelab import solve
>>> solve(Greed(max=10, die=Die(3)), exact=True).value
Fraction(14352595, 28697814)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.arrays import Array
from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.games import seats
from dicelab.games.painting import dice_map, throwing
from dicelab.games.throwing import number_of_dice, throw
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    WIN,
    Amount,
    Bools,
    Chance,
    Gain,
    Game,
    Ints,
    Outcome,
    Position,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import sum_law
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import YOU, said_by, shown, threw
from dicelab.rules.speech import Told, seat_fields

NORMAL, LAST, OVER = 0, 1, 2
"""How far a game for two has come: ordinary turns, the last turn, after it.

With more players the stage is how many seats after the one who stopped the player about to move
sits; where the turn has come back to who stopped, that is as many as there are players.
"""

HALF = Fraction(1, 2)
BUST, GONE_BUST = "bust", mark("gone bust")


class GreedPosition(NamedTuple):
    """Both scores and the stage, written ``10-14`` or ``10-14 last``; others follow in turn."""

    mine: Ints
    yours: Ints
    stage: Ints
    second: Ints  # 1 where the player about to move went second, if that makes a difference


@lru_cache(maxsize=1024)
def _throws(die: Die, dice: int, most: int) -> tuple[tuple[tuple[int, int], ...], Ints, int]:
    """Return (sum, weight) up to `most`, the weight of going bust by room left, and all weights."""
    every = die.denominator**dice
    law = sum_law(die, dice, below=most + 1)
    weights = {total: int(chance * every) for total, chance in law.items()}
    fitting = tuple(weights.items())
    bust, seen = [], 0
    for room in range(most + 1):
        seen += weights.get(room, 0)
        bust.append(every - seen)
    return fitting, np.array(bust, np.int64 if every < 2**62 else object), every


@register("greed")
@dataclass(frozen=True)
class Greed(Game):
    """Greed with any maximum, any die and any worth of a tie."""

    max: int = 100
    die: Die = d6
    tie: Fraction = HALF
    second_tie: Fraction | None = None
    players: int = field(default=2, kw_only=True)  # type: ignore[misc]  # a parameter here

    aliases: ClassVar[Mapping[str, str]] = {"sides": "die"}
    unit: ClassVar[str] = "rating"
    fields_in_words: ClassVar[Mapping[str, str]] = {
        "stage": "the mark of the last turns (0 until somebody stops)"
    }
    in_short: ClassVar[str] = (
        "Throw any number of dice you like, but go above the maximum and you have lost. Throw "
        "none, and the other player has one last throw. Then the higher score wins."
    )
    list_place: ClassVar[int] = 15
    tile_dice: ClassVar[tuple[int, ...]] = (6, 2, 5, 4)
    is_daily: ClassVar[bool] = True
    tray: ClassVar[str] = "handfuls"
    map_views: ClassVar[tuple[str, ...]] = ("boards",)
    rivals: ClassVar[tuple[str, ...]] = ("aim-at", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "aim-at": (
            mark("the reckoner"),
            mark("Throws the dice whose mean comes nearest to a good score."),
        ),
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        seats.needs_seats(self)
        self.needs(self.max >= 1, f"a maximum of at least 1: got max={self.max}")
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        for name, tie in (("tie", self.tie), ("second_tie", self.second_tie)):
            self.needs(
                tie is None or 0 <= tie <= 1,
                f"a tie to be worth 0 to 1, no more than a win: got {name}={tie}",
            )
            self.needs(
                self.players == 2 or tie in (None, HALF),
                f"two players for a tie with a worth of its own: of {self.players}, those who tie "
                f"share a win evenly; got {name}={tie}",
            )

    @property
    def solver(self) -> str:  # type: ignore[override]
        """What solves it faster than its table: tables of sums, which are for two."""
        return "dicelab.games.greed.solver:solve_greed" if self.players == 2 else ""

    @property
    def pays_ends(self) -> bool:
        """Whether each end says what it pays: of three and more, some may share a win."""
        return self.players > 2

    @property
    def ties(self) -> tuple[Fraction, Fraction]:
        """What a tie is worth to the player who starts, and to the other."""
        return self.tie, self.tie if self.second_tie is None else self.second_tie

    @property
    def worth(self) -> Mapping[int, Fraction]:  # type: ignore[override]
        """What each end is worth to the player who starts."""
        return {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(self.tie)}

    def worth_to(self, seat: int) -> Mapping[int, Fraction]:
        """Return what each end is worth to the player who goes first (0) or second (1)."""
        if self.players > 2:
            return {**self.worth, DRAW: Fraction(1, self.players)}
        return {**self.worth, DRAW: Fraction(self.ties[seat])}

    @lazy
    def moves(self) -> tuple[str, ...]:
        """The numbers of dice that may help anyone."""
        return tuple(throw(dice) for dice in range(self.max // self.die.faces[0] + 1))

    @property
    def place(self) -> Any:
        """The kind of its positions, with a score for each player."""
        return seats.seated(GreedPosition, self.players)

    def scores(self, at: GreedPosition) -> list[Ints]:
        """Return what each player has, the one about to move first."""
        return [at.mine, *seats.others(at, self.players)]

    def start(self) -> GreedPosition:
        """Return the position the game starts from."""
        start: GreedPosition = self.place(*[0] * self.players, NORMAL, 0)
        return start

    def legal(self, at: GreedPosition, move: str) -> Bools:
        """Return whether the move is allowed: dice that are sure to go bust are left out."""
        return number_of_dice(move) * self.die.faces[0] + at.mine <= where(
            number_of_dice(move) == 0, at.mine, self.max
        )

    def outcomes(self, at: GreedPosition, move: str) -> Iterator[Outcome]:
        """Yield (chance, next position, who moves next)."""
        dice = number_of_dice(move)
        for goes, on in self._onward(at):
            if dice == 0:
                yield Outcome(_only(goes, 1, 1), self._passed(at, at.mine, on, dice), on)
                continue
            fitting, bust, every = _throws(self.die, dice, self.max)
            for total, weight in fitting:
                fits = at.mine + total <= self.max
                after = self._passed(at, where(fits, at.mine + total, 0), on, dice)
                may = fits if goes is True else both(fits, goes)
                yield Outcome(_only(may, weight, every), after, on)
            # However far above the maximum, bust is bust.
            lost = self._passed(at, 0 * at.mine + self.max + 1, on, dice)
            yield Outcome(_only(goes, bust[self.max - at.mine], every), lost, on)

    def _onward(self, at: GreedPosition) -> Iterator[tuple[Bools, int]]:
        """Yield whether the turn passes so many seats on: to the next player who is not bust."""
        *between, _ = seats.others(at, self.players)
        left: Bools = True
        for on, score in enumerate(between, start=1):
            yield both(score <= self.max, left), on
            left = both(score > self.max, left)
        yield left, self.players - 1

    def _passed(self, at: GreedPosition, score: Ints, on: int, dice: int) -> GreedPosition:
        """Return where a turn ends: my new score is so many seats before whose turn it is then."""
        scores = [score, *self.scores(at)[1:]]
        stage = at.stage + on if dice == 0 else where(at.stage == NORMAL, NORMAL, at.stage + on)
        second = 1 - at.second if len(set(self.ties)) == 2 else at.second
        passed: GreedPosition = self.place(*scores[on:], *scores[:on], stage, second)
        return passed

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return number_of_dice(move)

    def after(self, at: GreedPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if number_of_dice(move) == 0:
            return super().after(at, move, faces)
        score = min(at.mine + sum(faces), self.max + 1)  # however far above, bust is bust
        on = next(on for goes, on in self._onward(at) if goes)
        return Outcome(1, self._passed(at, score, on, len(faces)), on)

    def result(self, at: GreedPosition) -> Ints:
        """Return who has won, seen by the player about to move."""
        best, sharing, left = self._standing(at)
        found: Ints = DRAW
        for seat, score in enumerate(self.scores(at)):
            found = where(both(score == best, sharing == 1), self.won_by(seat), found)
        return where(either(at.stage == self.players, left == 1), found, ONGOING)

    def _standing(self, at: GreedPosition) -> tuple[Ints, Ints, Ints]:
        """Return the highest score that is not bust, how many have it, and how many are in."""
        scores = self.scores(at)
        best = seats.most_of([where(score > self.max, -1, score) for score in scores])
        sharing = sum((where(score == best, 1, 0) for score in scores[1:]), 0 * at.mine)
        left = sum((where(score > self.max, 0, 1) for score in scores[1:]), 0 * at.mine)
        return best, sharing + where(at.mine == best, 1, 0), left + where(at.mine > self.max, 0, 1)

    def payoff(self, at: GreedPosition) -> Gain:
        """Return what each of three and more gets: those with the highest score share a win."""
        if self.players == 2:
            return super().payoff(at)
        best, sharing, _ = self._standing(at)
        whole = math.lcm(*range(1, self.players + 1))
        part = whole // where(sharing == 0, 1, sharing)
        return tuple(Amount(where(score == best, part, 0), whole) for score in self.scores(at))

    def size(self) -> int:
        """Return about how many positions there are."""
        return (self.players + 1) * (self.max + 2) ** self.players * len(set(self.ties))

    def branching(self) -> float:
        """Return about how many outcomes a position has.

        With all the room there is, n dice have a sum for each number from their lowest to their
        highest, or to the maximum; with half the room there are a quarter as many. So the mean over
        all scores is a third of the first, and in the last of the stages nobody moves.
        """
        low, high = self.die.faces[0], self.die.faces[-1]
        every, free = self.max // low, self.max // high  # dice that may fit, that surely do
        sums = (high - low) * free * (free + 1) // 2
        sums += (every - free) * self.max - low * (every * (every + 1) - free * (free + 1)) // 2
        return self.players / (3 * self.players + 3) * (sums + 2 * every)

    @property
    def score_limit(self) -> tuple[str, int]:
        """The parameter that scores run up to, and its value."""
        return "max", self.max

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means."""
        if self.players > 2:
            return tr("chance to win, a tie being shared")
        if self.tie == HALF:
            return tr("chance to win, a tie counting half")
        return tr("chance to win, a tie counting {part}", part=self.tie)

    def label(self, at: GreedPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        dice = number_of_dice(move)
        if dice:
            return tr("Throw {dice}", dice=dice)
        return tr("Throw none") if at.stage else tr("Stop here")

    def spoken(self, at: GreedPosition, move: str) -> str:
        """Return a move as one says it in a sentence."""
        if dice := number_of_dice(move):
            return tr("throw {dice}", dice=dice)
        return self.label(at, move).lower()

    def offered(self, at: GreedPosition) -> list[str]:
        """Return the moves worth a button: beyond the mean that fits, more dice are no better.

        That is so for fair dice; with others all that are allowed are offered.
        """
        moves = self.legal_moves(at)
        if not self.die.is_fair:
            return moves
        return moves[: math.ceil((self.max - int(at.mine)) / self.die.mean()) + 1]

    def sensible_move(self, at: GreedPosition) -> str:
        """Return as many dice as stay within the maximum with one standard deviation to spare."""
        room, mean, apart = self.max - int(at.mine), self.die.mean(), self.die.variance()
        dice = int(room / mean) if mean > 0 else 1
        while dice > 1 and dice * mean + math.sqrt(dice * apart) > room:
            dice -= 1
        return throw(max(1, dice))

    def counters(self, at: GreedPosition, mine: bool = True) -> JsonObject:
        """Return the fields worth drawing."""
        told = super().counters(at, mine)
        del told["second"]
        if self.players > 2:  # the others play on without who is bust
            names = seat_fields("mine", "yours", self.players)
            told |= {name: BUST for name in names if told[name] > self.max}
        return told

    def describe(self, at: GreedPosition, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        yours, theirs = (
            tr(GONE_BUST) if told[side] > self.max else str(told[side])
            for side in ("mine", "yours")
        )
        text = tr(
            "You have {mine}, the other player {yours}; above {most} is bust.",
            mine=yours,
            yours=theirs,
            most=self.max,
        )
        last = tr("It is the last turn.")
        return f"{text} {last}" if told["stage"] else text

    def turned(self, at: Position, seat: int) -> Position:
        """Return a position as one sees it who sits so many seats further on.

        In last turns that is left alone: its stage says where the one sits who has stopped.
        """
        return at if NORMAL < at.stage < self.players else super().turned(at, seat)

    def score_in_words(self, score: object) -> str:
        """Return what somebody has, as one says it."""
        return tr(GONE_BUST) if score == BUST else str(score)

    def remark_on(self, at: Position) -> str:
        """Return what one must not pass, and whether somebody has stopped."""
        text = tr("Above {most} is bust.", most=self.max)
        last = tr("It is your last turn.")
        return f"{text} {last}" if NORMAL < at.stage < self.players else text

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, or stopped."""
        points = sum(faces)
        if not faces:
            none = said_by(you, "You throw no dice.", "The other player throws no dice.")
            last = said_by(
                you,
                "You throw no dice: the last turn begins.",
                "The other player throws no dice: the last turn begins.",
            )
            return Told(none if at.stage else last, "stood")
        what = threw(you, shown(faces))
        if int(at.mine) + points > self.max:
            text = tr("{done}: {points} is too much, bust.", done=what, points=points)
            return Told(text, "over", points, tuple(range(len(faces))))
        score = trn("{n} point", "{n} points", points)
        return Told(tr("{done}: {more}.", done=what, more=score), "scored", points)

    def ending(self, at: GreedPosition, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        told = self.counters(at, mine)
        if told["yours"] > self.max:
            return said_by(
                who == YOU,
                "You won with {score}: the other player went bust.",
                "{who} won with {score}: the other player went bust.",
                who=who,
                score=told["mine"],
            )
        if told["mine"] > self.max:
            return said_by(
                who == YOU,
                "You went bust and lost to {score}.",
                "{who} went bust and lost to {score}.",
                who=who,
                score=told["yours"],
            )
        return super().ending(at, mine, ended, turns, who)

    @property
    def canvas(self) -> JsonObject:
        """How a strategy can be painted: numbers of dice over both scores."""
        most = len(self.offered(self.start())) - 1
        return {"kind": "dice", "size": self.max + 1, "least": 0, "most": most}

    def painted(self, kind: str, given: JsonObject) -> Callable[[GreedPosition], object]:
        """Return the strategy that maps of numbers of dice tell; the second is for last turns."""
        if kind == "dice":
            parts = (given["dice"], given["last"] or given["dice"])
            normal, last = (dice_map(self, part, self.max + 1) for part in parts)

        def wanted(at: GreedPosition, mine: Ints, yours: Ints) -> Ints:
            dice = np.where(at.stage > NORMAL, last[mine, yours], normal[mine, yours])
            return np.minimum(dice, (self.max - at.mine) // self.die.faces[0])

        return throwing(self, self.max + 1, kind, wanted)

    def example_positions(self) -> list[str]:
        """Return a position towards the end of a game."""
        parts = [6, 7, 5, 4, *[3] * self.players][: self.players]
        at = self.place(*(self.max * part // 10 for part in parts), NORMAL, 0)
        return [self.notation(at)]

    def notation(self, at: GreedPosition) -> str:
        """Return ``mine-yours``, and the stage where it is not an ordinary turn.

        With three and more ``last 2`` says how many seats on the player sits who has stopped.
        """
        scores = [str(score) for score in self.scores(at)]
        if self.players > 2:  # between two the game is over then
            scores = [BUST if int(score) > self.max else score for score in scores]
        on = self.players - int(at.stage)
        stage = "" if at.stage == NORMAL else " last" if on else " over"
        seat = f" {on}" if stage == " last" and self.players > 2 else ""
        return f"{seats.between(scores)}{stage}{seat}{' second' if at.second else ''}"

    def parse(self, text: str) -> GreedPosition:
        """Return the position that ``10-14`` or ``10-14 last`` stands for."""
        scores = seats.pattern(rf"(\d{{1,9}}|{BUST})", self.players)
        match = re.fullmatch(rf"{scores}(\s+last(?:\s+(\d{{1,2}}))?|\s+over)?(\s+second)?\s*", text)
        if match is None:
            raise self.unreadable(text)
        *told, stage, seat, second = match.groups()
        on = int(seat or 1) if stage and "last" in stage else 0
        if on and (not on < self.players or (self.players > 2) != bool(seat)):
            raise self.unreadable(text)
        past = 0 if stage is None else self.players - on
        numbers = [self.max + 1 if each == BUST else int(each) for each in told]
        found: GreedPosition = self.place(*numbers, past, 1 if second else 0)
        return found


def _only(goes: Bools, weight: Ints, every: int) -> int | Chance:
    """Return the chance of an outcome where it may happen, and none elsewhere.

    With many dice a weight is too long for NumPy's integers.
    """
    if goes is True:
        return 1 if every == 1 else Chance(weight, every)
    if isinstance(goes, bool | np.bool_) or every < 2**62:
        return Chance(where(goes, weight, 0), every)
    return Chance(goes.astype(object) * weight, every)


@strategy(Greed, "aim-at")
def aim_at(game: Greed, score: int | None = None) -> Callable[[GreedPosition], object]:
    """Throw the dice whose mean comes nearest to a score, and none once you are there.

    The score is ``max`` less the mean of one die unless you give one. In the last turn it aims at
    the middle between the other score (of several the highest) and the maximum, and throws nothing
    when ahead.
    """
    mean = float(game.die.mean())
    goal = max(1, round(game.max - mean)) if score is None else score
    if not 1 <= goal <= game.max:
        raise RulesError(f"aim-at:{goal} cannot be played in {game}: aim at 1 to {game.max}")
    names = np.array(game.moves)
    lowest = game.die.faces[0]

    def choose(at: GreedPosition) -> Array:
        room = (game.max - at.mine) // lowest
        rest = seats.others(at, game.players)
        leader = seats.most_of([where(score > game.max, 0, score) for score in rest])
        catch_up = both(at.stage > NORMAL, at.mine <= leader, room > 0)
        middle = (leader + 1 + game.max) / 2
        aim = where(at.stage > NORMAL, middle, goal)
        nearest = np.asarray((aim - at.mine) / mean + 0.5).astype(np.int64)
        dice = np.maximum(nearest, 1)
        climbing = both(at.stage == NORMAL, at.mine < goal)
        dice = np.where(climbing | catch_up, np.minimum(dice, room), 0)
        return names[dice]

    return choose
