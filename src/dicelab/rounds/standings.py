"""The standings of a match, found breadth first on arrays, and what rounds lead to from each.

All that a solver needs of a match: for every standing which round is thrown, and for every result
after so many casts the ways on, each with the standing it leads to, who moves there and what is
gained. What happens inside a round is the same for all of them and is not here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge, UnknownPosition
from dicelab.rounds.match import Match, Standing, Throws, check_name
from dicelab.rounds.rules import Player
from dicelab.rules import ONGOING, Amount, Way
from dicelab.rules.chance import whole
from dicelab.rules.contract import RESULTS
from dicelab.rules.failure import check_mover

BYTES_PER_WAY, BYTES_EACH = 52, 600
"""What a way on takes, open or not: a target, a mover and a gain, twice while they are joined, and
what is made of them; and a standing: its fields, its number, and what finds it by them."""
AT_ONCE = 500_000
"""Fields of standings that are asked about at once, for each way on."""


@dataclass(frozen=True, eq=False)
class RoundsAt:
    """The standings where one kind of round is thrown, and what each result leads to there."""

    throws: Throws
    here: Ints  # [standings] their numbers
    casts: tuple[int, ...]  # after which casts the round may end
    target: NDArray[np.int32]  # [standings, casts, results, ways] -1 where a way is not open
    mover: NDArray[np.int8]  # the same shape: seats on
    gain: Floats  # the same shape
    names: tuple[str, ...]  # [ways]

    @property
    def is_open(self) -> Bools:
        """Where a way is open. `[standings, casts, results, ways]`"""
        return self.target >= 0


class _Piece(NamedTuple):
    """Some of the standings where one kind of round is thrown, as they were found together."""

    here: Ints
    target: NDArray[np.int32]
    mover: NDArray[np.int8]
    gain: Floats
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Standings:
    """Every standing that a match may come to, numbered, and what rounds lead to from each."""

    game: Match
    fields: NDArray[np.int64]  # [standings, fields]
    ended: NDArray[np.int64]  # [standings] ONGOING, WIN, LOSS or DRAW
    rounds: tuple[RoundsAt, ...]

    def __len__(self) -> int:
        return len(self.fields)

    @lazy
    def numbers(self) -> dict[tuple[int, ...], int]:
        """The number of each standing."""
        return {tuple(row): number for number, row in enumerate(self.fields.tolist())}

    def number(self, standing: Standing) -> int:
        """Return the number of a standing, refused where play does not come."""
        found = self.numbers.get(tuple(map(int, standing)))
        if found is None:
            told = self.game.standing_notation(standing)
            raise UnknownPosition(f"{self.game} never comes to {told}")
        return found

    def standing(self, number: int) -> Standing:
        """Return the standing that has a number."""
        return type(self.game.opening())(*self.fields[number].tolist())

    @property
    def has_gains(self) -> bool:
        """Whether points are gained on the way."""
        return any(bool(each.gain[each.is_open].any()) for each in self.rounds)


def standings_of(
    game: Match,
    memory: int,
    found_so_far: Callable[[int], None] | None = None,
) -> Standings:
    """Return every standing that a match may come to from its opening.

    `memory` is a limit in bytes; `found_so_far` is called with how many there are.
    """
    kind, rounds = type(game.opening()), game.rounds
    for throws in rounds:
        cast = throws.round.numbers
        if (cast.dice, cast.faces) != (game.numbers.dice, game.numbers.faces):
            raise RulesError(f"{game} has rounds with other dice than the first: all cast the same")
        if throws.player not in get_args(Player):
            raise RulesError(
                f"{game} says that a round is for {throws.player!r}: it is for 'first', who may "
                f"stop early, or for 'next'"
            )
    rows = [tuple(int(value) for value in game.opening())]
    numbers = {rows[0]: 0}
    frontier = [0]
    parts: dict[int, list[_Piece]] = {}
    bytes_used = 0
    while frontier:
        fields = np.array([rows[number] for number in frontier], np.int64)
        columns = _in_columns(kind, fields)
        over = _spread(game, "ended", game.ended(columns), RESULTS, fields)
        which_round = _spread(game, "round_at", game.round_at(columns), range(len(rounds)), fields)
        thrown = np.where(over == ONGOING, which_round, -1)
        before = len(rows)
        for which, here in _in_parts(game, thrown):
            piece, meant = _ways_from(game, kind, fields[here], which)
            bytes_used += BYTES_PER_WAY * piece.target.size
            if bytes_used + BYTES_EACH * len(rows) > memory:
                raise TooLarge(
                    f"{game} needs more than {memory / 10**9:g} GB for what its rounds lead to, "
                    f"after {len(rows):,} standings; the limit is {memory / 10**9:g} GB (--memory)"
                )
            piece.target[piece.target == 0] = _numbered(meant, numbers, rows)
            parts.setdefault(which, []).append(piece._replace(here=np.array(frontier)[here]))
        frontier = list(range(before, len(rows)))
        if found_so_far:
            found_so_far(len(rows))
    fields = np.array(rows, np.int64)
    every = _in_columns(kind, fields)
    return Standings(
        game,
        fields,
        _spread(game, "ended", game.ended(every), RESULTS, fields),
        tuple(_joined(game, which, part) for which, part in sorted(parts.items())),
    )


def _in_parts(game: Match, thrown: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield which round is thrown at which standings, so few at once that it takes little room."""
    for which in np.unique(thrown[thrown >= 0]).tolist():
        here, throws = np.flatnonzero(thrown == which), game.rounds[which]
        each = len(casts_of(throws)) * len(throws.round.numbers.full) * len(game.opening())
        many = max(1, AT_ONCE // each)
        yield from ((which, here[first : first + many]) for first in range(0, len(here), many))


def casts_of(throws: Throws) -> tuple[int, ...]:
    """Return after which casts a round may end."""
    casts = throws.round.casts
    return (casts,) if throws.player == "next" else tuple(range(1, casts + 1))


def _in_columns(kind: type, fields: Ints) -> Standing:
    """Return standings as columns, one for each field, from their rows."""
    return kind(*(fields[:, field : field + 1] for field in range(fields.shape[1])))


def _spread(
    game: Match, rule: str, told: object, allowed: Collection[int], fields: Ints
) -> NDArray[np.int64]:
    """Return what a rule said of a column of standings as an array with an entry for each."""
    each = np.broadcast_to(np.asarray(told), (len(fields), 1))[:, 0]
    wrong = [place for place, answer in enumerate(each.tolist()) if answer not in allowed]
    if wrong:
        at = game.standing_notation(type(game.opening())(*fields[wrong[0]].tolist()))
        raise RulesError(
            f"{rule}() of {game} answers {each[wrong[0]]} at {at}: it must be one of "
            f"{', '.join(map(str, allowed))}"
        )
    return each.astype(np.int64)


def _ways_from(
    game: Match, kind: type, fields: Ints, which: int
) -> tuple[_Piece, NDArray[np.int64]]:
    """Return all ways on from some standings, targets 0 where open, and what those are.

    The latter are `[open ways, fields]`.
    """
    throws = game.rounds[which]
    results = np.arange(len(throws.round.numbers.full))
    columns = _in_columns(kind, fields)
    shape = (len(fields), len(results))
    told: list[list[Way]] = []
    for cast in casts_of(throws):
        told.append([Way(*each) for each in game.leads(columns, cast, results)])
    names = tuple(dict.fromkeys(way.name for each in told for way in each))
    whole = (len(fields), len(told), len(results), len(names))
    target = np.zeros((*whole, fields.shape[1]), np.int64)
    mover, gain, is_open = np.zeros(whole, np.int8), np.zeros(whole), np.zeros(whole, bool)
    for place, ways in enumerate(told):
        for way in ways:
            at = (slice(None), place, slice(None), names.index(way.name))
            allowed = np.broadcast_to(np.asarray(way.allowed, bool), shape)
            _check_way(game, way, bool((is_open[at] & allowed).any()))
            is_open[at] |= allowed
            np.copyto(mover[at], way.mover, where=allowed)
            np.copyto(gain[at], gain_in_floats(way.gain), where=allowed)
            for field, value in enumerate(way.at):
                np.copyto(target[(*at, field)], value, where=allowed)
    if not is_open.any(axis=3).all():
        one, place, result, _ = np.argwhere(~is_open.any(axis=3, keepdims=True))[0].tolist()
        shown = throws.round.numbers.write(throws.round.numbers.full[result])
        raise RulesError(
            f"{game} has no way on from {game.standing_notation(kind(*fields[one].tolist()))} "
            f"with {shown} after cast {casts_of(throws)[place]}: one must be open"
        )
    number = np.where(is_open, 0, -1).astype(np.int32)
    return _Piece(np.arange(len(fields)), number, mover, gain, names), target[is_open]


def _check_way(game: Match, way: Way, is_twice: bool) -> None:
    """Refuse a way whose name is taken, after which nobody moves, or that is no whole numbers."""
    check_name(game, way.name, is_twice)
    for name, value in (("who moves next", way.mover), *way.at._asdict().items()):
        if np.asarray(value).dtype.kind not in "iub":
            raise RulesError(
                f"{game} leads to {name}={repr(value)[:80]} by {way.name!r}: fields and who moves "
                f"next are whole numbers; divide with //"
            )
    for mover in np.unique(way.mover).tolist():
        check_mover(int(mover), game.players)


def gain_in_floats(gain: object) -> Floats | float:
    """Return what a way gains as floats, refused where that is no number."""
    told = gain if isinstance(gain, Amount) else Amount(gain, 1)
    floats = np.asarray(told.numerator, np.float64) / whole(told.denominator)
    if not np.isfinite(floats).all():
        raise ValueError(f"a gain is a number: got {gain}")
    return floats


def _numbered(
    meant: NDArray[np.int64], numbers: dict[tuple[int, ...], int], rows: list[tuple[int, ...]]
) -> NDArray[np.int32]:
    """Return the numbers of standings given by their fields; new ones are numbered."""
    least = meant.min(axis=0)
    spans = (meant.max(axis=0) - least + 1).tolist()
    product = 1
    for span in spans:
        product *= span
    if product >= 2**62:
        raise TooLarge("the fields of the standings have too wide a range to be numbered")
    key = np.zeros(len(meant), np.int64)
    for field, span in enumerate(spans):
        key = key * span + (meant[:, field] - least[field])
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    known = np.empty(len(first), np.int32)
    for place, row in enumerate(map(tuple, meant[first].tolist())):
        number = numbers.get(row)
        if number is None:
            number = numbers[row] = len(rows)
            rows.append(row)
        known[place] = number
    return known[inverse.ravel()]


def _joined(game: Match, which: int, parts: list[_Piece]) -> RoundsAt:
    """Return the pieces that were found one after another as one; names in their first order."""
    throws = game.rounds[which]
    names = tuple(dict.fromkeys(name for piece in parts for name in piece.names))
    here = np.concatenate([piece.here for piece in parts])
    results = len(throws.round.numbers.full)
    whole = (len(here), len(casts_of(throws)), results, len(names))
    target = np.full(whole, -1, np.int32)
    mover, gain = np.zeros(whole, np.int8), np.zeros(whole)
    row = 0
    for piece in parts:
        rows = slice(row, row + len(piece.here))
        columns = [names.index(name) for name in piece.names]
        target[rows, ..., columns] = piece.target
        mover[rows, ..., columns] = piece.mover
        gain[rows, ..., columns] = piece.gain
        row += len(piece.here)
    return RoundsAt(throws, here, casts_of(throws), target, mover, gain, names)
