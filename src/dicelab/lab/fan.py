"""The fan of the next throw: what the dice may show, how likely it is, and what it leads to.

It is read off the rules of the move and the solved game, so it works for any game: throws that lead
to the same place belong together, and of many only a few rows are left, those merged whose worth
is nearest. The mean over the rows is what the move is worth.

Where somebody chooses after a throw, the throw is the one after the best choice, if the turn goes
on. At a game that both play at once there is no next throw of one's own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, islice
from typing import NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr
from dicelab.lab import coach, narration
from dicelab.people.game_review import worth_at
from dicelab.rules import (
    SAME,
    Game,
    Moment,
    Outcome,
    Position,
    Throw,
    before_throw,
    exact_amount,
    exact_chance,
    faces_of,
)
from dicelab.rules.dice import Die
from dicelab.rules.speech import NAMES
from dicelab.verbs.explain import gerund
from dicelab.verbs.solution import MoveValue, Solution

MOST_ROWS = 8
MOST_STEPS = 3  # choices that are followed until dice are thrown
MOST_THROWS = 3100  # different throws that are looked at one by one
MOST_FACES = 6  # throws of one die that a row shows
MOST_STILL = 3  # moves without dice that are told beside the throw, and places without dice

BUST = "bust"
BUSTS = {"bust", "ruined", "over", "spoiled"}
"""What a game calls a throw that lost something; see `Told.effect`."""
PASSED = "passed"
"""The turn is over, where luckier throws go on."""
ENDS = {
    "won": mark("you win"),
    "drawn": mark("a draw"),
    "": "",
    "done": mark("it is over"),
    PASSED: mark("the turn is over"),
    BUST: mark("bust"),
    "lost": mark("you lose"),
}
"""What rows are called that end something, in the order in which they stand."""


class Thrown(NamedTuple):
    """Something the dice may do."""

    chance: Fraction
    faces: tuple[int, ...]  # in order; empty where the rules tell no faces
    then: Outcome


@dataclass(frozen=True)
class Row:
    """Throws that lead to the same place, or to places worth about the same."""

    kind: str  # one of `ENDS`; empty where the turn or the game just goes on
    chance: Fraction
    value: float  # the mean over the throws
    low: float
    high: float
    throws: tuple[tuple[Fraction, tuple[int, ...]], ...]
    fields: tuple[JsonObject, ...]  # of the positions that follow, as you see them; none where
    # somebody chooses first
    places: tuple[Position | Moment, ...]  # where the throws lead

    def with_(self, other: Row) -> Row:
        """Return two rows as one."""
        chance = self.chance + other.chance
        part = float(self.chance / chance)
        return Row(
            self.kind,
            chance,
            part * self.value + (1 - part) * other.value,
            min(self.low, other.low),
            max(self.high, other.high),
            self.throws + other.throws,
            self.fields + other.fields,
            self.places + other.places,
        )


def fan(solution: Solution, at: Position) -> JsonObject | None:
    """Return the next throw at a position of who is about to move; None where there is none."""
    game = solution.game
    if game.is_simultaneous:
        return None
    found = _next_throw(solution, at)
    if found is None:
        return None
    place, first, moves, throwing = found
    said = game.spoken(narration.told_at(game, place), throwing.move)
    if first is None:
        title = tr("If you {move}", move=said)
    else:
        before = game.spoken(narration.told_at(game, at), first)
        title = tr("If you {first} and then {move}", first=before, move=said)
    rows = rows_of(solution, place, throwing.move)
    number, worth = counted(rows), throwing.value
    rows = merged(rows, number)
    return {
        "title": title,
        "move": throwing.move,
        **coach.valued(game, throwing.value, throwing.lower, throwing.upper),
        "sentence": _on_average(game, coach.said(game, float(worth))),
        "rows": [_told(game, row, number) for row in rows],
        "still": [
            _still(game, place, move)
            for move in islice((one for one in moves if _is_still(game, place, one)), MOST_STILL)
        ],
    }


def _on_average(game: Game, worth: str) -> str:
    if game.players == 2:
        return tr("On average that is {worth} against perfect play.", worth=worth)
    return tr("On average that is {worth}.", worth=worth)


def _next_throw(
    solution: Solution, at: Position
) -> tuple[Position, str | None, list[MoveValue], MoveValue] | None:
    """Return where dice are thrown next, what is done before, the moves and the best throw."""
    game, first = solution.game, None
    for _ in range(MOST_STEPS):
        moves = solution.moves_at(at)
        throwing = next((one for one in moves if not _is_still(game, at, one)), None)
        if throwing is not None:
            return at, first, moves, throwing
        then = game.law(at, moves[0].move)[0][1]
        over = not isinstance(then.at, Moment) and _ended(game, then) is not None
        if then.mover != SAME or over:
            return None
        first = first or moves[0].move
        at = then.at
    return None


def _is_still(game: Game, at: Position, move: MoveValue) -> bool:
    """Return whether a move leads to one place, whatever the dice do."""
    places = (
        (then.at, then.mover, exact_amount(then.gain)) for then in _may_follow(game, at, move.move)
    )
    first = next(places, None)
    return all(place == first for place in places)


def _may_follow(game: Game, at: Position, move: str) -> Iterator[Outcome]:
    """Yield what may follow a move, or a way after a throw, one after another."""
    if isinstance(at, Moment):
        yield from (then for _, then in game.law(at, move))
    else:
        happening = (each for each in game.outcomes(at, move) if exact_chance(each[0]))
        yield from (game.followed(at, move, each) for each in happening)


def _ended(game: Game, then: Outcome) -> str | None:
    return narration.outcome(game, then.at, -then.mover % game.players)


def thrown(game: Game, at: Position, move: str) -> Iterator[Thrown]:
    """Yield everything the dice of a move may do, face by face where there are not too many."""
    die: Die | None = getattr(game, "die", None)
    dice = game.dice_at(at, move)
    if dice and die and math.comb(len(die.faces) + dice - 1, dice) <= MOST_THROWS:
        for chance, faces in throws_of(die, dice):
            yield Thrown(chance, faces, game.after(at, move, faces))
        return
    for each in game.outcomes(at, move):
        chance = exact_chance(each[0])
        if chance:
            faces = tuple(faces_of(each.dice)) if isinstance(each, Throw) else ()
            yield Thrown(chance, faces, game.followed(at, move, each))


@lru_cache(maxsize=64)
def throws_of(die: Die, dice: int) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return everything so many dice may show, in order, each with its chance."""
    weight = dict(zip(die.faces, die.weights, strict=True))
    whole, found = sum(die.weights) ** dice, []
    for faces in combinations_with_replacement(die.faces, dice):
        ways = math.factorial(dice)
        for face, times in Counter(faces).items():
            ways = ways // math.factorial(times) * weight[face] ** times
        if ways:
            found.append((Fraction(ways, whole), faces))
    return found


def rows_of(solution: Solution, at: Position, move: str) -> list[Row]:
    """Return what may follow a move, throws that lead to the same place together, best first."""
    game = solution.game
    places: dict[object, list[Thrown]] = {}
    for one in thrown(game, at, move):
        then = one.then
        places.setdefault((then.at, then.mover, exact_amount(then.gain)), []).append(one)
    every = [some[0].then for some in places.values()]
    seats = [-then.mover % game.players for then in every]
    values = [
        worth_at(solution, then.at, seat) + float(exact_amount(then.gain))
        for then, seat in zip(every, seats, strict=True)
    ]
    choosing = any(isinstance(then.at, Moment) for then in every)
    mean, sign = float(solution.value_of(at, move).value), -1 if game.fewest else 1
    # The turn's end is told where it is bad luck: some throws go on, and all that do not are worse.
    ending = [
        sign * value < sign * mean
        for then, value in zip(every, values, strict=True)
        if then.mover != SAME
    ]
    passing = not choosing and 0 < len(ending) < len(every) and all(ending)
    rows = []
    for some, then, seat, value in zip(places.values(), every, seats, values, strict=True):
        kind = _kind(game, at, move, some[0])
        if not kind and passing and then.mover != SAME:
            kind = PASSED
        shown = tuple((one.chance, one.faces) for one in some)
        fields = () if choosing or kind else (narration.fields(game, then.at, seat),)
        chance = sum((one.chance for one in some), Fraction(0))
        rows.append(Row(kind, chance, value, value, value, shown, fields, (then.at,)))
    order = list(ENDS)
    return sorted(rows, key=lambda row: (order.index(row.kind), -sign * row.value, -row.chance))


def _kind(game: Game, at: Position, move: str, one: Thrown) -> str:
    """Return how a throw ends something, as the game tells it; empty where it does not."""
    if isinstance(one.then.at, Moment):
        return ""
    ended = _ended(game, one.then)
    for_points = game.players == 1 and coach.scale(game) is None  # nobody wins or loses then
    if ended and not for_points:
        return ended
    if one.faces:
        seen = one.then.mover == SAME
        told = game.narrate(before_throw(at), move, one.faces, one.then.at, True, seen)
        if told.effect in BUSTS:
            return BUST
    return "done" if ended else ""


def counted(rows: Sequence[Row]) -> str | None:
    """Return the one number that differs among the places where the game goes on, if one does."""
    every = [fields for row in rows for fields in row.fields]
    names = {name for fields in every for name, value in fields.items() if type(value) is int}
    varying = [name for name in names if len({fields.get(name) for fields in every}) > 1]
    return varying[0] if len(varying) == 1 else None


def merged(rows: Sequence[Row], number: str | None) -> list[Row]:
    """Return at most so many rows: ends of a kind together, then neighbours nearest in worth.

    Neighbours are those with the next `number`, where one tells the places apart.
    """
    found: list[Row] = []
    for row in rows:
        last = found[-1] if found else None
        alike = last and last.kind == row.kind
        if last and alike and (row.kind or (not number and _alike(last.value, row.value))):
            found[-1] = last.with_(row)
        else:
            found.append(row)
    if number is not None:
        at = [i for i, row in enumerate(found) if not row.kind]
        some = sorted((found[i] for i in at), key=lambda row: -row.fields[0][number])
        found[at[0] : at[-1] + 1] = some
    while len(found) > MOST_ROWS:
        pairs = [i for i in range(len(found) - 1) if found[i].kind == found[i + 1].kind]
        if not pairs:
            break
        i = min(pairs, key=lambda i: _apart(found[i], found[i + 1]))
        found[i : i + 2] = [found[i].with_(found[i + 1])]
    return found


def _alike(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _apart(one: Row, other: Row) -> float:
    """Return what is lost by telling two rows as one: the spread that this adds (Ward)."""
    p, q = float(one.chance), float(other.chance)
    return p * q / (p + q) * (one.value - other.value) ** 2


def _told(game: Game, row: Row, number: str | None) -> JsonObject:
    throws = [faces for _, faces in sorted(row.throws, key=lambda each: -each[0]) if faces]
    dice = max(map(len, throws), default=0)
    if dice == 1:
        throws.sort()
    most = MOST_FACES if dice == 1 else 2 if dice == 2 else 1
    return {
        "kind": row.kind,
        "chance": float(row.chance),
        "value": row.value,
        "share": coach.share(game, row.value),
        "low": row.low,
        "high": row.high,
        "throws": [list(faces) for faces in throws[:most]],
        "others": max(0, len(throws) - most),
        "label": tr(ENDS[row.kind]) if row.kind else _label(game, row, number),
        "said": coach.said(game, row.value),
    }


def _label(game: Game, row: Row, number: str | None) -> str:
    """Return what the places of a row have in common; they are named where no dice tell them."""
    if number is None:
        if any(faces for _, faces in row.throws):
            return ""
        some = ", ".join(map(game.write, row.places[:MOST_STILL]))
        return some if len(row.places) <= MOST_STILL else tr("{places} and more", places=some)
    every = [fields[number] for fields in row.fields]
    low, high = min(every), max(every)
    field = tr(NAMES.get(number, number.replace("_", " ")))
    if low == high:
        return tr("{field} {number}", field=field, number=low)
    return tr("{field} {low} to {high}", field=field, low=low, high=high)


def _still(game: Game, at: Position, move: MoveValue) -> JsonObject:
    """Return what a move leaves that throws nothing, such as to hold."""
    told = narration.told_at(game, at)
    doing = gerund(game.spoken(told, move.move))
    worth = coach.said(game, float(move.value))
    said = tr("{doing} leaves {worth}.", doing=f"{doing[:1].upper()}{doing[1:]}", worth=worth)
    return {
        "move": move.move,
        "label": game.label(told, move.move),
        **coach.valued(game, move.value, move.lower, move.upper),
        "sentence": said,
    }
