"""Who starts: one game, a toss for it, or a match of rounds with a rule for who begins each.

The same game may be fair or not by the order in which it is played. `alternate:4` is a match of
four rounds in which the players take turns in starting, `loser:3` one in which whoever lost a round
starts the next, `winner:3` the opposite; after a drawn round the same player starts again. The
match goes to whoever has won more rounds, and ends as soon as that is clear.

All chances of a match follow from those of a round, exactly where these are exact. Each round is
played for itself. Where no round is drawn and to win one is never worse, that is the best play of
the match as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.arrays import Real
from dicelab.errors import DicelabError, RulesError, TooLarge
from dicelab.rules import DRAW, LOSS, WIN, Game
from dicelab.rules.registry import did_you_mean
from dicelab.strategies.named import AnyStrategy
from dicelab.verbs.goals import real
from dicelab.verbs.numbers import Number, Numbers, refused, told_as

FIRST, TOSS, PIE = "first", "toss", "pie"
ROUNDS = ("alternate", "loser", "winner")
MOST_ROUNDS = 1000
"""Rounds beyond which a match is taken for a slip of the hand."""

COUNTED = ("length", "moves", "throws")
"""Numbers that add up over the rounds of a match."""
DECIDED = ("value", "advantage", "overall", "wins", "loses", "draws", "never_ends")
"""Numbers that the result of a match decides."""


def orders_read(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the orders that some texts say, each once; an unknown one is refused."""
    for text in texts:
        word, colon, rounds = text.partition(":")
        if word not in (FIRST, TOSS, PIE, *ROUNDS):
            near = did_you_mean(word, (FIRST, TOSS, PIE, *ROUNDS))
            raise RulesError(f"there is no order of starting called {word!r}{near}")
        if (word in ROUNDS) != bool(colon) or (colon and not re.fullmatch(r"\d{1,4}", rounds)):
            raise RulesError(
                f"a match is given with its rounds, as alternate:4, loser:3 or winner:3, and the "
                f"orders first, toss and pie without: got {text!r}"
            )
        if colon and not 1 <= int(rounds) <= MOST_ROUNDS:
            raise RulesError(f"a match has 1 to {MOST_ROUNDS:,} rounds: got {text!r}")
    return tuple(dict.fromkeys(texts)) or (FIRST,)


@dataclass(frozen=True)
class Match:
    """How a match of rounds ends, and how many rounds each player starts on average."""

    a_wins: Real
    b_wins: Real
    draws: Real
    starts: tuple[Real, Real]  # rounds that A and that B start
    is_best: bool  # to win a round is never worse than to lose it, and none is drawn


Round = tuple[Real, Real, Real]
"""The chances of one round that A wins, that B does, and that it is drawn."""


def match(order: str, by_a: Round, by_b: Round, starter: int = 0) -> Match:
    """Return how a match ends where `by_a` and `by_b` are its rounds that A, and that B, starts.

    >>> by_a = Fraction(2, 3), Fraction(1, 3), Fraction(0)
    >>> match("loser:3", by_a, (by_a[1], by_a[0], by_a[2])).a_wins  # 2/3 (1/3 + 4/9) + 1/3 2/9
    Fraction(16, 27)
    """
    rule, _, count = order.partition(":")
    rounds = int(count)
    zero = by_a[0] * 0
    one = zero + 1
    now: dict[tuple[int, int], Real] = {(0, starter): one}  # by lead of A and who starts
    won, lost, drawn = zero, zero, zero
    starts = [zero, zero]
    for left in range(rounds, 0, -1):
        then: dict[tuple[int, int], Real] = {}
        for (lead, who), chance in now.items():
            starts[who] += chance
            for result, share in zip((1, -1, 0), by_a if who == 0 else by_b, strict=True):
                if share == 0:
                    continue
                ahead, mass = lead + result, chance * share
                if abs(ahead) > left - 1:  # it cannot be caught up
                    won, lost = (won + mass, lost) if ahead > 0 else (won, lost + mass)
                elif left == 1:
                    drawn += mass
                else:
                    key = ahead, _next(rule, who, result)
                    then[key] = then.get(key, zero) + mass
        now = then
    is_best = by_a[2] == by_b[2] == 0 and _is_best(rule, rounds, by_a, by_b)
    return Match(won, lost, drawn, (starts[0], starts[1]), is_best)


def _next(rule: str, who: int, result: int) -> int:
    """Return who starts the next round: 0 is A."""
    if rule == "alternate":
        return 1 - who
    if result == 0:
        return who
    loser = 1 if result > 0 else 0
    return loser if rule == "loser" else 1 - loser


def _is_best(rule: str, rounds: int, by_a: Round, by_b: Round) -> bool:
    """Return whether to win a round is nowhere worse than to lose it, for either player."""
    worth: dict[tuple[int, int], Real] = {
        (lead, who): (lead > 0) + Fraction(lead == 0, 2)
        for lead in range(-rounds, rounds + 1)
        for who in (0, 1)
    }
    for left in range(1, rounds + 1):
        before = {}
        for lead in range(left - rounds, rounds - left + 1):
            for who in (0, 1):
                up, down = (worth[lead + step, _next(rule, who, step)] for step in (1, -1))
                if up < down:
                    return False
                a, b, _ = by_a if who == 0 else by_b
                before[lead, who] = a * up + b * down
        worth = before
    return True


def asked_in(
    order: str, shared: Numbers, players: Sequence[AnyStrategy], names: Sequence[str]
) -> list[Number]:
    """Return some numbers of a game played in an order, each refused in its own sentence."""
    if order == FIRST:
        return shared.asked(players, names)
    found = []
    sides = _Sides(shared, tuple(players), {})
    for name in names:
        try:
            found.append(_toss(sides, name) if order == TOSS else _round(order, sides, name))
        except DicelabError as trouble:
            found.append(refused(trouble))
    return found


@dataclass(frozen=True)
class _Sides:
    """Numbers of one game where A starts and where B does, each asked for once."""

    shared: Numbers
    players: tuple[AnyStrategy, ...]
    known: dict[tuple[int, str], Number]

    @property
    def game(self) -> Game:
        return self.shared.game

    def number(self, name: str, starter: int = 0) -> Number:
        """Return a number as the player who starts sees it."""
        if len(set(map(str, self.players))) < 2:
            starter = 0  # both play alike
        if (starter, name) not in self.known:
            players = self.players[::-1] if starter else self.players
            (self.known[starter, name],) = self.shared.asked(players, [name])
        found = self.known[starter, name]
        if found.refused:
            raise (TooLarge if found.unfound else RulesError)(found.refused)
        return found

    def get(self, name: str, starter: int = 0) -> Real:
        value = real(self.number(name, starter))
        assert value is not None
        return value


SWAPPED: Mapping[str, str] = {"wins": "loses", "loses": "wins"}
"""What the other player calls it."""


def _toss(sides: _Sides, name: str) -> Number:
    """Return a number where chance says who sits where."""
    game = sides.game
    if game.players == 1:
        raise RulesError(f"{game} is played alone: there is nobody to toss against")
    if game.players > 2 and sides.players and len(set(map(str, sides.players))) > 1:
        got = ", ".join(map(str, sides.players))
        raise RulesError(f"seats by toss are for players who play alike: got {got}")
    if name == "advantage":
        told = sides.number("advantage")
        return Number(0.0, 0.0, told.unit, "0" if told.fraction else "")
    word = name.partition(":")[0]
    if word in ("value", "overall", "points", "seat"):
        if game.players > 2 or word == "seat":
            every = [sides.number(f"seat:{seat}") for seat in range(1, game.players + 1)]
            total = sum((real(each) or 0 for each in every), Fraction(0))
            wrong = sum(each.error or 0.0 for each in every)
            return told_as(total / game.players, wrong, every[0].unit)
        return sides.number("overall")
    if word not in (*DECIDED, *COUNTED, "within"):
        raise RulesError(f"{name} is not an average, so that a toss has none of its own")
    if game.players > 2:
        return sides.number(name)
    one, other = sides.number(name), sides.number(SWAPPED.get(name, name), 1)
    value = (sides.get(name) + sides.get(SWAPPED.get(name, name), 1)) / 2
    error = None if one.error is None or other.error is None else max(one.error, other.error)
    return told_as(value, error, one.unit)


def _round(order: str, sides: _Sides, name: str) -> Number:
    """Return a number of a match of rounds that A starts."""
    game, word = sides.game, name.partition(":")[0]
    if game.players != 2:
        seats = "alone" if game.players == 1 else f"by {game.players}"
        raise RulesError(f"{game} is played {seats}: a match of rounds is for two")
    if word not in (*DECIDED, *COUNTED):
        raise RulesError(f"{name} of a match of rounds is not worked out: ask for it of one game")
    if sides.shared.table.is_for_points:
        raise RulesError(f"{game} is for points: a match of rounds is of games that are won")
    if any(sides.get("never_ends", starter) for starter in (0, 1)):
        raise RulesError(f"{game} may never end: a match of its rounds might not either")
    by_a: Round = sides.get("wins"), sides.get("loses"), sides.get("draws")
    by_b: Round = sides.get("loses", 1), sides.get("wins", 1), sides.get("draws", 1)
    rounds = int(order.partition(":")[2])
    errors = [sides.number("wins", starter).error or 0.0 for starter in (0, 1)]
    wrong = 3 * rounds * (max(errors) + 8 * 2.0**-53)  # each round may go otherwise by 3 errors
    found = match(order, by_a, by_b)
    if word in COUNTED:
        lengths = [sides.get(name, starter) for starter in (0, 1)]
        told = [sides.number(name, starter) for starter in (0, 1)]
        value = found.starts[0] * lengths[0] + found.starts[1] * lengths[1]
        apart = rounds * max(each.error or 0.0 for each in told)
        error = apart + wrong * rounds * float(max(lengths))
        if any(each.error is None for each in told):
            return Number(float(value), None, told[0].unit)
        return told_as(value, error, told[0].unit)
    if word in ("wins", "loses", "draws", "never_ends"):
        chances = {"wins": found.a_wins, "loses": found.b_wins, "draws": found.draws}
        return told_as(chances.get(word, found.draws * 0), wrong, sides.number("wins").unit)
    worth = game.worth_to(0)
    exact = isinstance(found.a_wins, Fraction)
    won, lost, drawn = (worth[end] if exact else float(worth[end]) for end in (WIN, LOSS, DRAW))
    largest = float(max(abs(worth[end]) for end in (WIN, LOSS, DRAW)))

    def value_of(each: Match) -> Real:
        return won * each.a_wins + lost * each.b_wins + drawn * each.draws

    second = match(order, by_a, by_b, 1)
    unit = sides.number("value").unit
    if word == "value":
        return told_as(value_of(found), 3 * largest * wrong, unit)
    both = value_of(found), value_of(second)
    value = both[0] - both[1] if word == "advantage" else (both[0] + both[1]) / 2
    return told_as(value, 6 * largest * wrong, unit)
