"""421, the match: tokens out of a pot, then from hand to hand.

Eleven tokens lie in a pot. Play goes in sets. In each set the first player casts three dice up to
three times, putting dice aside as he likes, and may stop after any cast; the next players must cast
as often as he did. The lowest combination takes tokens, as many as the highest one says: 10 for a
421, 7 for 111, f for f11 and fff, 2 for a sequence, 1 for any other. Of equal combinations the one
thrown first is the highest and the one thrown last the lowest.

In the charge the tokens come out of the pot. Who has none when the pot is empty has won, and of
three players and more several may have. If nobody has, the discharge begins: now the tokens come
from the player with the highest combination, and whoever is rid of all tokens first has won. As
soon as somebody has won the match is over.

The source leaves two things open, which are parameters here. ``starts`` says who throws first in
the next set: the ``loser`` of the last one, who took tokens; its ``winner``, who had the highest
combination; one after the other (``alternate``); or always the same (``fixed``). ``short`` says
what happens where fewer tokens are in the pot than are due: the ``rest`` of it is taken, the
``highest`` combination gives what is missing, or the set is ``void`` and nothing is taken.

A position is seen by the player about to cast: everybody's tokens, what has been thrown in this
set and in how many casts, the dice aside and the casts left. A throw leaves a choice, which is
what to keep. Tokens go back and forth in the discharge, so the match has cycles.

Of what several others have thrown only the lowest and the highest matter, and who threw them. While
tokens come out of the pot it does not even matter who threw the highest, only how many tokens it
moves. With three players that makes less than a fourth of all positions.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", appendix A.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.core.made_classes import made_tuple
from dicelab.games import seats
from dicelab.games.four21.match_casts import CAST, DICE, Casts, casts_of
from dicelab.rounds.combinations import Combinations
from dicelab.rounds.match import Throws
from dicelab.rounds.rules import Round
from dicelab.rounds.sets import InRound, InSets
from dicelab.rules import (
    ONGOING,
    OTHER,
    SAME,
    Bools,
    Faces,
    Ints,
    Position,
    Throw,
    Way,
    both,
    either,
    where,
)
from dicelab.rules.dice import Die, d6
from dicelab.rules.game import MOST_WINNERS

STARTS = ("loser", "winner", "alternate", "fixed")
SHORT = ("rest", "highest", "void")
STOP = "stop"
MOST_TOKENS, MOST_CASTS = 60, 9


class MatchPosition(NamedTuple):
    """What the player about to cast sees, written ``3-2 pot 6, other 654, cast 1 of 2``."""

    mine: Ints
    yours: Ints
    other: Ints  # the place of what the other has thrown, from 1, the lowest; 0: nothing yet
    bound: Ints  # casts of this round: at most for the first player, exactly for the next
    aside: Ints  # the number of the combination that was put aside
    left: Ints  # casts still to be made


@lru_cache(maxsize=8)
def place_of(players: int) -> Any:
    """Return the kind of positions of so many players; `MatchPosition` for two.

    With more, `other` is the lowest combination so far in this set and `other_by` how many seats on
    its player sits; `high` and `high_by` the same of the highest; `thrown` how many have thrown.
    While it does not matter who threw the highest, `high_by` is 0, and `high` the highest place
    that moves as many tokens.
    """
    two = seats.seated(MatchPosition, players)
    if players == 2:
        return two
    names = list(two._fields)
    after = names.index("other") + 1
    names[after:after] = ["other_by", "high", "high_by", "thrown"]
    made = made_tuple("MatchPosition", names, place_of, players)
    made.__doc__ = two.__doc__
    return made


class Thrown(NamedTuple):
    """What has been thrown in a set, by those before the player about to cast."""

    number: Ints  # how many have thrown
    low: Ints  # the place of the lowest combination, the last of equals; 0: nothing yet
    low_by: Ints  # how many seats on its player sits
    high: Ints  # the place of the highest, the first of equals
    high_by: Ints


@dataclass(frozen=True)
class MatchRules(InSets):
    """The match of 421: what is thrown, what may be kept, who takes tokens."""

    tokens: int = 11
    players: int = 2  # type: ignore[misc]  # a parameter here
    starts: str = "loser"
    short: str = "rest"
    casts: int = 3
    die: Die = d6

    aliases: ClassVar[Mapping[str, str]] = {"faces": "die", "sides": "die", "pot": "short"}
    throw_numbers: ClassVar[tuple[str, ...]] = ("worth",)

    def __post_init__(self) -> None:
        """Refuse parameters that make no match."""
        self.needs(
            1 <= self.tokens <= MOST_TOKENS,
            f"1 to {MOST_TOKENS} tokens: got tokens={self.tokens}",
        )
        self.needs(
            2 <= self.players <= MOST_WINNERS,
            f"2 to {MOST_WINNERS} players: got players={self.players}",
        )
        self.needs(self.starts in STARTS, f"starts to be {_any(STARTS)}: got starts={self.starts}")
        self.needs(self.short in SHORT, f"short to be {_any(SHORT)}: got short={self.short}")
        self.needs(
            1 <= self.casts <= MOST_CASTS, f"1 to {MOST_CASTS} casts: got casts={self.casts}"
        )
        faces = self.die.faces
        self.needs(
            len(faces) >= 4 and faces == tuple(range(1, len(faces) + 1)),
            f"a die with the faces 1 to 4 or more: got die={self.die}",
        )

    @property
    def solver(self) -> str:  # type: ignore[override]
        """Set by set where three and more play; two have few positions."""
        return "dicelab.verbs.sets:solve_sets" if self.players > 2 else ""

    @property
    def forecaster(self) -> str:  # type: ignore[override]
        """What tells how long a match for three and more takes."""
        return "dicelab.verbs.sets:forecast_sets" if self.players > 2 else ""

    @property
    def loader(self) -> str:  # type: ignore[override]
        """What reads the openings of a match for three and more."""
        return "dicelab.verbs.sets:load_sets" if self.players > 2 else ""

    @lazy
    def dice(self) -> Casts:
        """What the dice may show."""
        return casts_of(self.die)

    @property
    def numbers(self) -> Combinations:
        """The combinations of the dice, numbered."""
        return Round(DICE, self.die, 1).numbers

    @property
    def moves(self) -> tuple[str, ...]:  # type: ignore[override]
        """To cast the dice that are not aside, named by those that are."""
        return self.dice.names if self.casts > 1 else (CAST,)

    @property
    def place(self) -> Any:
        """The kind of its positions, with tokens for each player."""
        return place_of(self.players)

    def start(self) -> MatchPosition:
        """Return the position before the first cast of the match."""
        return self.opening(*[0] * self.players)

    def opening(self, *tokens: Ints) -> MatchPosition:
        """Return the position before the first cast of a set, by everybody's tokens."""
        none = 0 * tokens[0]
        nothing = [none] * (len(self.place._fields) - self.players - 3)
        casts = none + self.casts
        opening: MatchPosition = self.place(*tokens, *nothing, casts, none, casts)
        return opening

    def everywhere(self) -> MatchPosition:
        """Return the openings of sets with all tokens that the players may have."""
        held: list[Ints] = []
        pot = np.array([self.tokens])
        for _ in range(self.players):
            ways = pot + 1  # so many tokens the next player may have
            more = np.arange(ways.sum()) - np.repeat(np.cumsum(ways) - ways, ways)
            held = [*(np.repeat(tokens, ways) for tokens in held), more]
            pot = np.repeat(pot, ways) - more
        return self.opening(*held)

    def held(self, at: MatchPosition) -> list[Ints]:
        """Return everybody's tokens, those of the player about to cast first."""
        return list(at[: self.players])

    def pot(self, at: MatchPosition) -> Ints:
        """Return how many tokens are in the pot."""
        return self.tokens - sum(self.held(at))

    def thrown(self, at: Position) -> Thrown:
        """Return what has been thrown in this set before."""
        if self.players > 2:
            return Thrown(at.thrown, at.other, at.other_by, at.high, at.high_by)
        before = where(at.other > 0, 1, 0)
        return Thrown(before, at.other, before, at.other, before)

    def legal(self, at: MatchPosition, move: str) -> Bools:
        """Return whether the move is allowed: all dice that are not aside are cast."""
        return at.aside == self.moves.index(move)

    def outcomes(self, at: MatchPosition, move: str) -> Iterator[Throw]:
        """Yield what the dice show, rising, each with its chance."""
        for fall in self.dice.falls[self.moves.index(move)]:
            yield Throw(fall.chance, fall.dice)

    def ways(self, at: MatchPosition, move: str, dice: Faces) -> Iterator[Way]:
        """Yield what may be kept, fewest dice first; to stop is to keep all of them."""
        fall = next(fall for fall in self.dice.falls[self.moves.index(move)] if fall.dice == dice)
        for name, aside in fall.keeps:
            kept = at._replace(aside=0 * at.aside + aside, left=at.left - 1)
            yield Way(name, kept, SAME, 0, at.left > 1)
        yield from self.stops(at, fall.result)

    def throw_number(self, name: str, at: MatchPosition, dice: Faces) -> Ints:
        """Return the tokens that all dice on the table would move."""
        return self.dice.tokens[self.dice.shown[dice][at.aside]]

    def stops(self, at: MatchPosition, result: int) -> Iterator[Way]:
        """Yield what follows where a player stands with a result: the next round, or another set.

        A first player may stop after any cast, the others after the last.
        """
        is_last = self.thrown(at).number == self.players - 1
        may_stop = either(at.other == 0, at.left == 1)
        goes_on = both(may_stop, is_last == False)  # noqa: E712  arrays too
        yield Way(STOP, self.passed(at, result), OTHER, 0, goes_on)
        tokens, begins = self.settled(at, result)
        for seat in range(self.players):
            opening = self.opening(*tokens[seat:], *tokens[:seat])
            yield Way(STOP, opening, seat, 0, both(is_last, at.left == 1, begins == seat))

    @lazy
    def throws(self) -> tuple[Throws, ...]:
        """The rounds of a match: the first player's, then those of so many casts that are due."""
        first = Round(DICE, self.die, self.casts)
        due = [Throws(first.imposed(casts), "next") for casts in range(1, self.casts + 1)]
        return (Throws(first), *due)

    @property
    def opening_count(self) -> int:
        """With how many tokens of everybody a set may begin."""
        return sum(self._phases)

    def openings(self) -> MatchPosition:
        """Return the openings of sets in which nobody has won yet."""
        every = self.everywhere()
        return self.place(*(field[self.result(every) == ONGOING] for field in every))

    def stage(self, at: MatchPosition) -> Ints:
        """Return how many tokens have left the pot: none ever goes back."""
        return sum(self.held(at))

    def begins_set(self, at: MatchPosition) -> Bools:
        """Return whether nobody has thrown in this set."""
        return at.other == 0

    def round_at(self, at: MatchPosition) -> Ints:
        """Return which round is thrown: the first player's, or one of so many casts."""
        return where(at.other == 0, 0, at.bound)

    def round_ends(self, at: MatchPosition, cast: Ints, result: int) -> Iterator[Way]:
        """Yield what follows where a round ends so."""
        last = at._replace(left=at.bound - cast + 1)
        return self.stops(last, self.dice.places[result])

    def in_round(self, at: MatchPosition) -> InRound:
        """Return where a position lies in its set and in its round."""
        began = -int(self.thrown(at).number) % self.players  # where who threw first sits
        held = self.held(at)
        opening = self.opening(*held[began:], *held[:began])
        begins = at._replace(aside=0, left=at.bound)
        return InRound(opening, begins, int(at.aside), int(at.bound - at.left))

    def passed(self, at: MatchPosition, result: int) -> MatchPosition:
        """Return what the next player sees once one has thrown something in this set."""
        before, none = self.thrown(at), 0 * at.mine
        bound = where(before.number == 0, self.casts + 1 - at.left, at.bound)
        tokens = [*at[1 : self.players], at.mine]
        last, place = self.players - 1, self.place
        if self.players == 2:
            other: MatchPosition = place(*tokens, none + result, bound, none, bound)
            return other
        is_low = either(before.number == 0, result <= before.low)
        is_high = either(before.number == 0, result > before.high)
        low = where(is_low, result, before.low), where(is_low, last, before.low_by - 1)
        high = where(is_high, result, before.high), where(is_high, last, before.high_by - 1)
        counts = self.highest_counts(at)
        high = where(counts, high[0], self.dice.alike[high[0]]), where(counts, high[1], 0)
        after: MatchPosition = place(*tokens, *low, *high, before.number + 1, bound, none, bound)
        return after

    def highest_counts(self, at: MatchPosition) -> Bools:
        """Return whether it matters who throws the highest combination of this set."""
        always = self.starts == "winner" or self.short == "highest"
        return either(self.pot(at) == 0, always)

    def settled(self, at: MatchPosition, result: int) -> tuple[list[Ints], Ints]:
        """Return everybody's tokens after a set that a last player ends, and who begins another.

        Of equal combinations the last takes the tokens, and here that is the last player's.
        """
        before, pot, held = self.thrown(at), self.pot(at), self.held(at)
        taker = where(result <= before.low, 0, before.low_by)
        giver = where(result > before.high, 0, before.high_by)
        highest = where(result > before.high, result, before.high)
        due = self.dice.tokens[highest]
        drawn = where(due < pot, due, pot)
        has = sum(where(giver == seat, tokens, 0) for seat, tokens in enumerate(held))
        missing = where(due - drawn < has, due - drawn, has)
        if self.short == "rest":
            missing = where(pot > 0, 0, missing)
        elif self.short == "void":
            lacks = both(pot > 0, pot < due)
            drawn, missing = where(lacks, 0, drawn), where(pot > 0, 0, missing)
        moved = [
            tokens + where(taker == seat, drawn + missing, 0) - where(giver == seat, missing, 0)
            for seat, tokens in enumerate(held)
        ]
        next_in_turn = 0 * taker + 2 % self.players  # the first player of this set sits next
        begins = {"loser": taker, "winner": giver, "alternate": next_in_turn}
        return moved, begins.get(self.starts, 0 * taker + 1)

    def result(self, at: MatchPosition) -> Ints:
        """Return who has won: whoever has no token when the pot is empty."""
        empty = self.pot(at) == 0
        return self.won_where(*(both(empty, tokens == 0) for tokens in self.held(at)))

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return len(self.dice.falls[self.moves.index(move)][0].dice) if move in self.moves else 0

    def size(self) -> int:
        """Return about how many positions there are; exactly, where two or three play."""
        kept = len(self.moves)
        first = 1 + (self.casts - 1) * kept
        after = sum(1 + (casts - 1) * kept for casts in range(1, self.casts + 1))
        ends = math.comb(self.tokens + self.players - 1, self.players - 1)
        ends -= math.comb(self.tokens - 1, self.players - 1)
        return self.opening_count * first + self._next_rounds * after + ends

    def branching(self) -> float:
        """Return how many outcomes a position has, every way after a throw counted."""
        keeps = [sum(len(fall.keeps) for fall in falls) for falls in self.dice.falls]
        ends, results = sum(map(len, self.dice.falls)), len(self.dice.written) - 1

        def outcomes(casts: int, stops: int) -> int:
            """Count those of one round: a first cast, others beside any dice, the last."""
            first = results * stops + keeps[0]
            later = ends * stops + sum(keeps)
            return results if casts == 1 else first + (casts - 2) * later + ends

        after = sum(outcomes(casts, 0) for casts in range(1, self.casts + 1))
        every = self.opening_count * outcomes(self.casts, 1) + self._next_rounds * after
        return every / self.size()

    @property
    def _phases(self) -> tuple[int, int]:
        """With how many tokens a set may begin in the charge, and in the discharge."""
        charge = math.comb(self.tokens - 1 + self.players, self.players)
        return charge, math.comb(self.tokens - 1, self.players - 1)

    @property
    def _next_rounds(self) -> int:
        """With how many tokens and combinations of the others a next player's round begins."""
        results, alike = len(self.dice.written) - 1, self.dice.alike[1:]
        pairs = math.comb(results, 2)
        total = 0
        for many, exactly in zip(
            self._phases, (self.starts == "winner" or self.short == "highest", True), strict=True
        ):
            total += many * results  # the second player's
            for thrown in range(2, self.players):
                if exactly:
                    total += many * (results + pairs * thrown * (thrown - 1))
                    continue
                # The lowest is the last of equals: only if it was thrown last, all may be equal.
                heights = [np.unique(alike[place:]).size for place in range(results + 1)]
                total += many * (sum(heights[:-1]) + (thrown - 1) * sum(heights[1:]))
        return total


def _any(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
