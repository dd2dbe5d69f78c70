"""Games written down: every move of every game, played through the rules themselves.

These are the very games that a walk by moves plays with the same seed, only slower: the rules are
asked at each position, one at a time, and chance makes the same draws.

Where players choose after throws, a walk follows the table on which all that is decided, and one
draw tells the throw and the way. Its record has both: the move where it was made, and the way at
the moment after the throw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from string import ascii_uppercase

import numpy as np

from dicelab.core.arrays import Bools
from dicelab.errors import TooLarge
from dicelab.rules import (
    DRAW,
    ONGOING,
    SAME,
    WIN,
    Moment,
    Outcome,
    Position,
    RaceAtOnce,
    answers,
    exact_amount,
)
from dicelab.rules.sentences import in_a_row
from dicelab.solvers.draws import PlainDraws, seeded
from dicelab.strategies.matchup import Pairing, by_steps
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import decided
from dicelab.table import Table
from dicelab.table.at_once import PairTable
from dicelab.table.expand import in_bytes
from dicelab.table.races import RaceTable
from dicelab.table.unfolded import outcomes_of
from dicelab.verbs.sampler import MOST_TURNS, in_parts, mixture_parts, move_walker, stuck_at

BYTES_PER_MOVE = 200  # a named tuple of three short texts
MOST_BYTES = 2_000_000_000
"""Records that would take more memory than this are refused."""


def named(seat: int) -> str:
    """Return what a player is called by his seat: A, B, C, ..., Z, then P27 and so on."""
    return ascii_uppercase[seat] if seat < len(ascii_uppercase) else f"P{seat + 1}"


@dataclass(frozen=True)
class Move:
    """One move of a game: who made it, where, which, and how many seats on the turn passes then."""

    player: str  # "A", "B", and of many "C" and so on
    position: str  # in the game's notation, seen by that player
    move: str
    passes: int = 0


@dataclass(frozen=True)
class GameRecord:
    """One game from start to end."""

    starter: str  # "A", "B", ...
    moves: tuple[Move, ...]
    final: str  # the last position, seen by whoever would move next
    winner: str  # "A", "B", ..., "draw", or "nobody" where the game did not end
    turns: int
    stopped: bool = False  # at the turn limit, though it might have ended
    #: What A collected on the way and from an end that pays; what B does counts against it. Of
    #: three players and more, what A got.
    gained: Fraction = Fraction(0)


def recorded(
    table: Table,
    plans: Sequence[Plan],
    games: int,
    seed: int,
    block_size: int,
    most_turns: int = MOST_TURNS,
    most_bytes: int = MOST_BYTES,
) -> tuple[GameRecord, ...]:
    """Return the records of games, refused once it is plain that they would not fit."""
    records: list[GameRecord] = []
    moves = 0
    for record in _all(_Rules(table, plans, most_turns), games, seed, block_size):
        records.append(record)
        moves += len(record.moves) + 2
        if len(records) == min(games, 100) or moves * BYTES_PER_MOVE > most_bytes:
            needed = moves * BYTES_PER_MOVE * games / len(records)
            if needed > most_bytes:
                raise TooLarge(
                    f"the records of {games:,} games need about {in_bytes(needed)}; the limit is "
                    f"{in_bytes(most_bytes)}: record fewer games, or only count them"
                )
    return tuple(records)


def _all(rules: _Rules, games: int, seed: int, block_size: int) -> Iterator[GameRecord]:
    for begin in range(0, games, block_size):
        draws = PlainDraws(seeded(seed, begin // block_size))
        for number in range(min(block_size, games - begin)):
            yield rules.play(draws, (begin + number) % len(rules.plans))


class _Rules:
    """The rules, asked one position at a time."""

    def __init__(self, table: Table, plans: Sequence[Plan], most_turns: int) -> None:
        self.table, self.plans, self.most_turns = table, plans, most_turns
        self.play = self._by_turns
        self.stuck: Bools | None = None
        if isinstance(table, RaceTable):
            self.play = self._race
            chances = tuple(set(table.exact_law.ravel()))
        elif isinstance(table, PairTable):
            self.play = self._both_at_once
            self.steps, self.plans = table.steps, [by_steps(each) for each in plans]
            self.stuck = move_walker(table.steps, self.plans).stuck
            chances = table.steps.chances
        else:
            self.stuck = stuck_at(Pairing(table, tuple(plans)))
            self.decided = decided(table, plans)
            chances = self.decided.table.chances
        numerators, self.whole = in_parts(chances)
        self.numerator = dict(zip(chances, numerators, strict=True))
        self.mixtures = [mixture_parts(plan) if plan.is_mixed else None for plan in self.plans]

    def _both_at_once(self, draws: PlainDraws, starter: int) -> GameRecord:
        """Return one game in which both choose at once; who starts is who sits first."""
        steps, names, turns = self.steps, "AB", 0
        table, moves, gained = steps.at_once, list[Move](), Fraction(0)
        here, sign = steps.start, 1 if starter == 0 else -1
        stopped = False
        while steps.result[here] == ONGOING:
            if self.stuck is not None and self.stuck.size and self.stuck[starter, here]:
                break
            if turns == self.most_turns:
                stopped = True
                break
            turns += 1
            at = int(np.searchsorted(steps.place, here))
            for seat, looks in ((starter, at), (1 - starter, int(table.mirror[at]))):
                row = self._row(steps, seat, here, draws)
                moves.append(Move(names[seat], table.notation(looks), steps.moves[steps.move[row]]))
                here = int(steps.target[steps.outcome_first[row]])
            begin, end = (int(place) for place in steps.outcome_first[row : row + 2])
            parts = [self.numerator[steps.chances[kind]] for kind in steps.kind[begin:end].tolist()]
            drawn = begin + (_drawn(draws, self.whole, parts) if len(parts) > 1 else 0)
            here = int(steps.target[drawn])
            gained -= sign * steps.gains[steps.kind[drawn]]
        result = int(steps.result[here])
        if result != ONGOING and table.game.pays_ends:
            gained += sign * (table.payoffs[steps.end[here]] - table.even)
        winner = {ONGOING: "nobody", DRAW: "draw", WIN: names[starter]}.get(
            result, names[1 - starter]
        )
        last = steps.notation(here)
        return GameRecord(names[starter], tuple(moves), last, winner, turns, stopped, gained)

    def _race(self, draws: PlainDraws, starter: int) -> GameRecord:
        """Return one game in which both choose, then both throw."""
        game, names = self.table.game, "AB"
        assert isinstance(game, RaceAtOnce)
        kind, scores, turns = type(game.start()), list(game.start()), 0
        moves: list[Move] = []
        while game.result(kind(*scores)) == ONGOING and turns < self.most_turns:
            turns += 1
            views = [kind(*scores), kind(*reversed(scores))]
            chosen = [
                self._choose(seat, self.table.number(view), draws)
                for seat, view in enumerate(views)
            ]
            for seat, move in enumerate(chosen):
                moves.append(Move(names[seat], game.notation(views[seat]), move))
                scores[seat] += self._throw(game.points(move), draws)
        result = game.result(kind(*scores))
        winner = {ONGOING: "nobody", DRAW: "draw", WIN: "A"}.get(result, "B")
        last = game.notation(kind(*scores))
        stopped = result == ONGOING
        return GameRecord(names[starter], tuple(moves), last, winner, turns, stopped)

    def _throw(self, law: Mapping[int, Fraction], draws: PlainDraws) -> int:
        """Return the points of one throw."""
        points = sorted(law)
        return points[_drawn(draws, self.whole, [self.numerator[law[each]] for each in points])]

    def _by_turns(self, draws: PlainDraws, starter: int) -> GameRecord:
        """Return one game in which the players take turns."""
        game, seats = self.table.game, len(self.plans)
        names = [named(seat) for seat in range(max(2, seats))]
        at, seat, turns, in_turn = game.start(), starter, 1, 0
        moves: list[Move] = []
        gained, winner, stopped = Fraction(0), "nobody", False
        while True:
            result = game.result(at) or ONGOING
            if result != ONGOING:
                ahead = answers.winners_at(game, int(result)) or (1,)
                winner = in_a_row(sorted(names[(seat + each) % len(names)] for each in ahead))
                winner = "draw" if result == DRAW else winner
                if seats > 2:
                    gained = self.table.ends[int(self.table.end[self.table.number(at)])][-seat]
                elif game.pays_ends:
                    paid = exact_amount(game.payoff(at)) - self.table.even
                    gained += paid if seat == 0 else -paid
                break
            number = self.table.number(at)
            if self.stuck is not None and self.stuck.size and self.stuck[seat, number]:
                break
            if turns > self.most_turns or in_turn >= self.most_turns:
                turns, stopped = min(turns, self.most_turns), True
                break
            if self.decided.origin is None:
                made = [(at, self._choose(seat, number, draws))]
                at, mover, gain = self._chance(*made[0], draws)
            else:
                made, at, mover, gain = self._thrown(seat, at, number, draws)
            moves += (Move(names[seat], game.write(there), move) for there, move in made)
            moves[-1] = replace(moves[-1], passes=int(mover))
            gained += gain if seat == 0 else -gain
            in_turn += 1
            if mover != SAME:
                seat = (seat + mover) % seats
                if (game.result(at) or ONGOING) == ONGOING:
                    turns, in_turn = turns + 1, 0
        last = game.notation(at)
        return GameRecord(names[starter], tuple(moves), last, winner, turns, stopped, gained)

    def _choose(self, seat: int, number: int, draws: PlainDraws) -> str:
        """Return the move a plan makes at a position."""
        row = self._row(self.table, seat, number, draws)
        return str(self.table.moves[self.table.move[row]])

    def _row(self, table: Table, seat: int, number: int, draws: PlainDraws) -> int:
        """Return the row that a plan takes at a position."""
        mixture = self.mixtures[seat]
        row = int(self.plans[seat].choice[number])
        if mixture is not None:
            parts, whole = mixture
            row, end = (int(place) for place in table.move_first[number : number + 2])
            if row + 1 < end:
                row += _drawn(draws, whole, [int(part) for part in parts[row:end]])
        return row

    def _chance(self, at: Position, move: str, draws: PlainDraws) -> tuple[Position, int, Fraction]:
        """Return what chance does: the next position, who moves there, what was gained."""
        happens = self.table.game.law(at, move)
        parts = [self.numerator[chance] for chance, _ in happens]
        outcome = happens[_drawn(draws, self.whole, parts) if len(parts) > 1 else 0][1]
        return outcome.at, outcome.mover, exact_amount(outcome.gain)

    def _thrown(
        self, seat: int, at: Position, number: int, draws: PlainDraws
    ) -> tuple[list[tuple[Position, str]], Position, int, Fraction]:
        """Return what was decided and where, and what came of it, where a way may be chosen."""
        plain, plans, origin = self.decided
        assert origin is not None
        row = int(plans[seat].choice[number])
        begin, end = (int(place) for place in plain.outcome_first[row : row + 2])
        parts = [self.numerator[plain.chances[kind]] for kind in plain.kind[begin:end].tolist()]
        drawn = begin + (_drawn(draws, self.whole, parts) if len(parts) > 1 else 0)
        outcome, table = int(origin[drawn]), self.table
        row = int(np.searchsorted(table.outcome_first, outcome, side="right")) - 1
        move = table.moves[table.move[row]]
        made: list[tuple[Position, str]] = [(at, move)]
        for first, each, ways in outcomes_of(table, row, at, move):
            if not ways and first == outcome:
                _, after, mover, gain = Outcome(*each)
                return made, after, mover, exact_amount(gain)
            if ways and outcome < first + len(ways):
                way = ways[outcome - first]
                if len(ways) > 1:
                    made.append((Moment(at, move, each.dice), way.name))
                return made, way.at, way.mover, exact_amount(way.gain)
        raise AssertionError("every outcome of a move is one that its rules tell")


def _drawn(draws: PlainDraws, whole: int, parts: Sequence[int]) -> int:
    """Return one of some places, each by its part of the whole."""
    left = draws.below(whole)
    for place, part in enumerate(parts[:-1]):
        if left < part:
            return place
        left -= part
    return len(parts) - 1
