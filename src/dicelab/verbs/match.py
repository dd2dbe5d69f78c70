"""solve for a match of rounds: values for what stands between rounds, and rounds made again.

A number is kept for each standing only. What happens inside a round follows from them: one sweep of
the keep-and-reroll engine, in a millisecond or two, whenever a position there is asked about. The
rules are those of the game itself; a small match is also solved by the table of all its positions,
and the tests hold the two against each other.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from dicelab.core.arrays import Floats, Ints, Real
from dicelab.core.atomic_write import written_whole
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, RulesError, UnknownPosition, WrongTable
from dicelab.rounds.induction import round_sweep
from dicelab.rounds.match import CAST, SCORE, Match, MatchPosition, Standing
from dicelab.rounds.match_values import match_values, roundings
from dicelab.rounds.standings import casts_of, gain_in_floats, standings_of
from dicelab.rules import DRAW, ONGOING, Game, Position, Way, contract, exact_amount
from dicelab.rules.failure import failure
from dicelab.solvers.settle import Progress
from dicelab.strategies.file import header_of, mark_of_rules, parameters_of
from dicelab.strategies.plan import Plan
from dicelab.table import Table, compile, memory_limit
from dicelab.verbs.solution import BEST, TIED, WORSE, MoveValue, Sheet, Solution
from dicelab.verbs.solve import in_halves, solve_graph

MOST_REMEMBERED = 64
"""Rounds made again that a solution remembers: a player asks about one standing several times."""


FORMAT = "dicelab standings 1"

WITHIN_ROUNDS = (
    *("choices", "outcomes", "result", "begin", "ends", "ways_on", "shown", "keeps"),
    *("thrown_at", "on_table"),
)
"""Rules that standings are solved without: what follows from the others."""


class KnownStandings(Protocol):
    """What standings are worth to who is about to throw, by whatever engine that was found."""

    def __len__(self) -> int:
        """Return how many there are."""

    def at(self, standing: Standing) -> tuple[Floats, Floats]:
        """Return the values of standings and how far off they may be; fields may be arrays."""

    def listed(self) -> tuple[Ints, Floats, Floats]:
        """Return the fields of all standings `[standings, fields]`, their values and errors."""


@dataclass(frozen=True, eq=False)
class ListedStandings:
    """Standings one by one, and what each is worth."""

    game: Match
    fields: Ints  # [standings, fields]
    values: Floats  # [standings]
    errors: Floats  # [standings]

    def __len__(self) -> int:
        return len(self.fields)

    @lazy
    def _sorted(self) -> tuple[Ints, Ints]:
        """The standings as single numbers, the least first, and whose these are."""
        keys = self._keys(self.fields)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    @lazy
    def _span(self) -> tuple[Ints, Ints]:
        """The least and the most of each field."""
        return self.fields.min(axis=0), self.fields.max(axis=0)

    def _keys(self, rows: Ints) -> Ints:
        """Return standings as single numbers; -1 where a field is beyond all known ones."""
        least, most = self._span
        keys = np.zeros(len(rows), np.int64)
        for place in range(rows.shape[1]):
            keys = keys * (most[place] - least[place] + 1) + rows[:, place] - least[place]
        return np.where(((rows >= least) & (rows <= most)).all(axis=1), keys, -1)

    def at(self, standing: Standing) -> tuple[Floats, Floats]:
        """Return the values of standings and how far off they may be; fields may be arrays."""
        fields = np.stack(np.broadcast_arrays(*standing), axis=-1)
        rows, (known, order) = fields.reshape(-1, fields.shape[-1]), self._sorted
        keys = self._keys(rows)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        strange = np.flatnonzero(known[place] != keys)
        if strange.size:
            row = type(self.game.opening())(*rows[strange[0]].tolist())
            told = self.game.standing_notation(row)
            raise UnknownPosition(f"{self.game} never comes to {told}")
        numbers = order[place].reshape(fields.shape[:-1])
        return self.values[numbers], self.errors[numbers]

    def listed(self) -> tuple[Ints, Floats, Floats]:
        """Return the fields of all standings `[standings, fields]`, their values and errors."""
        return self.fields, self.values, self.errors


@dataclass(frozen=True, eq=False)
class RoundInside:
    """One round at one standing: what its ends pay, and what is worth keeping."""

    ways: list[list[tuple[Way, Floats, Floats]]]  # [casts] each way: values and errors, [results]
    kept: list[Floats]  # [casts from 0] what each kept combination is worth, [combinations]
    error: float  # how far off that may be


@dataclass(frozen=True, eq=False, repr=False)
class MatchSolution(Solution):
    """What every position of a match is worth, from the values of its standings."""

    rules: Match
    known: KnownStandings
    seconds: float
    method: str = "certified float rounds between standings"
    exact: bool = False
    known_table: Table | None = None
    remembered: dict[Standing, RoundInside] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.rules

    @property
    def positions(self) -> int:
        """How many standings were solved."""
        return len(self.known)

    @property
    def sweeps(self) -> int:  # type: ignore[override]
        """How many standings were visited."""
        return len(self.known)

    def on(self, table: Table) -> MatchSolution:
        """Return the same solution with the graph of positions that somebody has made."""
        return dataclasses.replace(self, known_table=table)

    @lazy
    def table(self) -> Table:
        """The graph of positions, made when something asks for it."""
        return self.known_table or compile(self.rules)

    @lazy
    def plan(self) -> Plan:
        """A best move at every position of the graph."""
        return solve_graph(self.table).plan

    @lazy
    def ties(self) -> Sequence[Position]:
        """The positions of the graph where several moves are best, or cannot be told apart."""
        here = np.flatnonzero(self.table.is_ongoing)
        return [at for at in self.table.each(here) if len(self.best_moves(at)) > 1]

    def save(self, path: str | Path) -> None:
        """Write what every standing is worth: as CSV if the name ends so, else compact.

        The compact file is read back by `load_standings`.
        """
        fields, values, errors = self.known.listed()
        mark = {"unit": self.unit, "mark": mark_of_rules(self.rules)}
        told = header_of(self.rules.unaimed, FORMAT) | mark
        names = type(self.rules.opening())._fields
        if str(path).endswith(".csv"):
            with written_whole(path) as file:
                file.write(f"# {json.dumps(told)}\n")
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow([*names, "value", "lower", "upper"])
                measures = (values, values - errors, values + errors)
                rows = zip(*fields.T.tolist(), *(each.tolist() for each in measures), strict=True)
                writer.writerows(rows)
            return
        columns: dict[str, Any] = {name: fields[:, place] for place, name in enumerate(names)}
        with written_whole(path, "wb") as file:
            np.savez_compressed(
                file, header=np.array(json.dumps(told)), values=values, errors=errors, **columns
            )

    def worth_of_end(self, result: int) -> Real:
        """Return what an end is worth to who plays alone, besides what was gained."""
        return self.rules.worth[result]

    @property
    def may_draw(self) -> bool:
        """Whether the match may end in a draw."""
        if self.rules.may_draw is not None:
            return self.rules.may_draw
        standings = type(self.rules.opening())(*self.known.listed()[0].T)
        return bool(np.any(np.asarray(self.rules.ended(standings)) == DRAW))

    def spread(self) -> float | None:
        """Return how far the values of the standings lie apart."""
        return float(np.ptp(self.known.listed()[1]))

    def first_casts(self) -> list[tuple[str, str]]:
        """Return every first cast at the start and what is best to do then, highest dice first."""
        rules, start = self.rules, self.rules.start()
        if start.thrown or rules.result(start) != ONGOING:
            return []
        found = []
        for thrown in reversed(rules.numbers.full):
            best = self.moves_at(rules.on_table(start, 0, thrown))[0].move
            told = best.removeprefix("keep ").removeprefix(SCORE)
            found.append((rules.numbers.write(thrown), told))
        return sorted(found, reverse=True)

    def summary(self) -> list[str]:
        """Return what to do after a few first casts."""
        return in_short("What to keep of a first cast", self.first_casts())

    def sheet(self) -> Sheet | None:
        """Return what to do after every first cast, on one page."""
        told, rules = self.first_casts(), self.rules
        if not told:
            return None
        at = rules.standing_notation(rules.start().standing)
        return Sheet(f"{rules} at {at}: what to keep of a first cast", told)

    def located(self, at: MatchPosition | str) -> MatchPosition:
        """Return a position of this match, read where it is in notation."""
        place: MatchPosition = self.rules.parse(at) if isinstance(at, str) else at
        return place

    def notation(self, at: MatchPosition | str) -> str:
        """Return the notation of a position."""
        return self.rules.notation(self.located(at))

    def inside(self, standing: Standing) -> RoundInside:
        """Return the round at a standing, made again or remembered."""
        found = self.remembered.get(standing)
        if found is None:
            found = self._made(standing)
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.pop(next(iter(self.remembered)), None)
            self.remembered[standing] = found
        return found

    def _made(self, standing: Standing) -> RoundInside:
        throws = self.rules.thrown_at(standing)
        results = np.arange(len(throws.round.numbers.full))
        ways, paid, carried = [], [], 0.0
        for cast in casts_of(throws):
            every = []
            for each in (Way(*told) for told in self.rules.leads(standing, cast, results)):
                allowed = np.broadcast_to(each.allowed, results.shape)
                if allowed.any():
                    every.append((each, *self._after(each, allowed)))
            ways.append(every)
            paid.append(np.max([value for _, value, _ in every], axis=0))
            carried = max(carried, *(float(error.max()) for _, _, error in every))
        kept = round_sweep(throws.round, np.array(paid)[None], throws.player, everything=True)
        size = float(np.abs(paid).max()) + abs(float(self.rules.total))
        error = carried + roundings(throws.round) * 2.0**-53 * size
        return RoundInside(ways, [column[:, 0] for column in kept], error)

    def _after(self, way: Way, allowed: Floats) -> tuple[Floats, Floats]:
        """Return what a way is worth with each result to who threw, and the error of that."""
        kind, shape = type(way.at), allowed.shape
        open_ = kind(*(np.broadcast_to(value, shape)[allowed] for value in way.at))
        found, off = self.known.at(open_)
        if self.rules.players == 2:
            passes = np.broadcast_to(way.mover, shape)[allowed] != 0
            found = np.where(passes, float(self.rules.total) - found, found)
        gain = np.broadcast_to(gain_in_floats(way.gain), shape)[allowed]
        values, errors = np.full(shape, -np.inf), np.zeros(shape)
        values[allowed] = gain + found
        errors[allowed] = off + 2.0**-52 * (np.abs(gain) + np.abs(found))
        return values, errors

    def value_at(self, at: MatchPosition | str) -> Real:
        """Return what the match is worth at a position."""
        return self._valued(self.located(at))[0]

    def bounds_at(self, at: MatchPosition | str) -> tuple[Real, Real]:
        """Return the certified bounds at a position."""
        value, error = self._valued(self.located(at))
        return value - error, value + error

    def _valued(self, at: MatchPosition) -> tuple[float, float]:
        if not at.thrown:
            value, error = self.known.at(at.standing)
            return float(value), float(error)
        moves = self.moves_at(at)
        best = max(float(move.value) for move in moves)
        return best, max(float(move.upper) for move in moves) - best

    def moves_at(self, at: MatchPosition | str) -> list[MoveValue]:
        """Return every legal move at a position with its value, best first."""
        place, rules = self.located(at), self.rules
        if rules.result(place) != ONGOING:
            raise UnknownPosition(
                f"the game is over at {rules.notation(place)}: there is no move to make"
            )
        if not place.thrown:
            value, error = self._valued(place)
            return [MoveValue(CAST, value, value - error, value + error, 0.0, BEST)]
        inside, throws = self.inside(place.standing), rules.thrown_at(place.standing)
        cast = throws.round.casts - place.left
        found = [
            (rules.keep_move(kept), float(inside.kept[cast][kept]), inside.error)
            for kept in rules.keeps(place)
        ]
        result, when = rules.shown(place), casts_of(throws)
        if cast in when:
            for way, values, errors in inside.ways[when.index(cast)]:
                if np.isfinite(values[result]):
                    found.append((way.name, float(values[result]), float(errors[result])))
        return ranked(found)


def in_short(about: str, told: list[tuple[str, str]]) -> list[str]:
    """Return a sentence with some of what is seen and what to do then; none where that is none."""
    few = told[:: max(1, len(told) // 6)][:6]
    said = ", ".join(f"{seen}: {rest}" for seen, rest in few)
    return [f"{about}, for instance: {said}."] if told else []


def ranked(found: list[tuple[str, float, float]]) -> list[MoveValue]:
    """Return moves with their values and errors, best first; those that tie in their order."""
    surely = max(value - error for _, value, error in found)
    best = max(value for _, value, _ in found)
    tied = [value + error >= surely for _, value, error in found]
    order = sorted(
        range(len(found)), key=lambda i: (not tied[i], 0.0 if tied[i] else -found[i][1], i)
    )
    said = {True: BEST if sum(tied) == 1 else TIED, False: WORSE}
    return [
        MoveValue(name, value, value - error, value + error, best - value, said[tied[i]])
        for i, (name, value, error) in ((i, found[i]) for i in order)
    ]


def solve_match(
    game: Match,
    exact: bool = False,
    progress: Progress | None = None,
    began: float | None = None,
    memory: int | None = None,
) -> Solution:
    """Return the solution of a match: its standings' values, with certified bounds.

    In exact mode the table of all positions is solved in fractions, which suits small matches. It
    is solved as well where the rules say otherwise what may be done within a round, or want little.
    """
    began = time.perf_counter() if began is None else began
    differs = any(getattr(type(game), rule) is not getattr(Match, rule) for rule in WITHIN_ROUNDS)
    if exact or differs or game.fewest:
        return solve_graph(compile(game, memory, exact=exact), exact, progress, began)
    if game.players > 2:
        raise RulesError(f"{game} is for {game.players}: a match of rounds is for one or for two")
    contract.check_one_pot(game, "be solved for one value")
    limit = memory_limit() if memory is None else memory
    counting, later = in_halves(progress, game.size())
    try:
        standings = standings_of(game, limit, counting)
    except (DicelabError, MemoryError):
        raise
    except Exception as trouble:  # the rules are somebody's own code
        raise failure(game, trouble) from trouble
    rules: Any = game.for_points() if standings.has_gains else game
    ends = np.zeros(len(standings))
    for number in np.flatnonzero(standings.ended != ONGOING).tolist():
        ends[number] = float(exact_amount(rules.payoff(rules.begin(standings.standing(number)))))
    sign = -1 if game.players == 2 else 1
    found = match_values(standings, ends, float(rules.total), sign, later)
    known = ListedStandings(rules, standings.fields, found.values, found.errors)
    return MatchSolution(rules, known, time.perf_counter() - began)


def load_standings(path: str | Path, game: Match) -> MatchSolution:
    """Return a solution that `MatchSolution.save` wrote, refused unless it is for this game.

    Nothing is solved again: positions inside a round are made from the file's values.
    """
    began = time.perf_counter()
    try:
        content = io.BytesIO(Path(path).read_bytes())
        with np.load(content, allow_pickle=False) as arrays:
            told = json.loads(str(arrays["header"]))
            names = type(game.opening())._fields
            fields = np.stack([arrays[name] for name in names], axis=1).astype(np.int64)
            values, errors = arrays["values"], arrays["errors"]
    except OSError as trouble:
        raise WrongTable(
            f"cannot read the standings in {str(path)!r}: {trouble.strerror}"
        ) from None
    except Exception:  # damaged bytes trip zlib, zipfile and NumPy in many ways
        raise WrongTable(
            f"{str(path)!r} is no complete file of standings, as `dicelab solve {game.name} "
            f"--out FILE.npz` writes it"
        ) from None
    is_other = told.get("format") != FORMAT or told["game"] != game.name
    if is_other or told["parameters"] != parameters_of(game):
        other = " ".join(f"{name}={value}" for name, value in told.get("parameters", {}).items())
        raise WrongTable(
            f"{str(path)!r} has the standings of {told.get('game')} {other}: "
            f"it cannot answer for {game}"
        )
    if told.get("mark", "") != mark_of_rules(game):
        raise WrongTable(
            f"{str(path)!r} has the standings of {game} by other rules than now: solve it again"
        )
    finite = np.isfinite(values).all() and (errors >= 0).all()
    if not finite or not len(values) == len(errors) == len(fields):
        raise WrongTable(f"{str(path)!r} is no complete file of standings: values are missing")
    known = ListedStandings(game, fields, values, errors)
    return MatchSolution(game, known, time.perf_counter() - began, method="read from a file")
