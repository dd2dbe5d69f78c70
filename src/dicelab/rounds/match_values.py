"""What every standing of a match is worth to the player about to throw, with bounds.

v(s) = the worth of the round thrown at s, where a result after so many casts is paid

    max over the ways on of  gain + (v(next), or total - v(next) where the turn passes).

Standings that cannot come back to themselves are solved a batch at a time, last ones first. Where
they can (tokens go to and fro), the round's best play gives the law of where it leads, a linear
system gives the values of playing so, and that is improved until nothing changes.

**Bounds.** The worth of a round is a mean of what it pays, so errors are carried, never grown; each
round adds its own rounding. In a circle let r be the largest difference that one more step makes to
the values, rounding included, and w(s) at least the expected number of rounds before play leaves
the circle, however it is played. Then the values are off by at most r x w(s), and what is carried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dicelab.core.arrays import Bools, Floats, Ints
from dicelab.core.jit import jit
from dicelab.errors import NotSolved
from dicelab.rounds.induction import cast_law, round_sweep
from dicelab.rounds.rules import Round
from dicelab.rounds.standings import RoundsAt, Standings

MOST_IMPROVED = 60
"""How often values of a circle are improved before what is reached is taken, with its bound."""

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class MatchValues:
    """The value of every standing and how far off it may be."""

    values: Floats  # [standings]
    errors: Floats  # [standings]
    circles: int  # how many standings may come back to themselves


def roundings(game: Round) -> int:
    """Return how many roundings of 2**-53 the worth of a round has at most, for what it pays.

    Each cast adds up as many terms as there are throws, with the rounding of their chances.
    """
    return game.casts * (len(game.numbers.full) + 2) + 3


def match_values(
    standings: Standings, ends: Floats, total: float, sign: int, progress: Progress | None = None
) -> MatchValues:
    """Return what every standing is worth: `ends` is that of the ended ones, `[standings]`.

    `sign` is -1 between two, where what the other player gets is the rest of `total`, else 1.
    """
    values, errors = ends.copy(), np.zeros(len(standings))
    component, level, is_circle = order_of(standings)
    done = 0
    for now in range(int(level.max()) + 1):
        solved = (level == now) & (standings.ended == 0)
        for group in _groups(solved, component, is_circle):
            problem = _Part(standings, group, total, sign)
            if is_circle[component[group[0]]]:
                _settle_circle(problem, values, errors)
            else:
                found, error = problem.improved(values)
                errors[group] = problem.carried(errors) + error
                values[group] = found
            done += len(group)
            if progress:
                progress(done / max(1, len(standings)))
    return MatchValues(values, errors, int(is_circle[component].sum()))


def _groups(solved: Bools, component: Ints, is_circle: Bools) -> list[Ints]:
    """Return what is solved together: all that is in no circle at once, then each circle."""
    here = np.flatnonzero(solved)
    plain = here[~is_circle[component[here]]]
    groups: list[Ints] = [plain] if plain.size else []
    for circle in np.unique(component[here[is_circle[component[here]]]]).tolist():
        groups.append(here[component[here] == circle])
    return groups


def order_of(standings: Standings) -> tuple[Ints, Ints, Bools]:
    """Return the component of each standing, its level (0 leads to none), and who is a circle."""
    from scipy.sparse import coo_array  # slow to import, and only needed here
    from scipy.sparse.csgraph import connected_components

    many = len(standings)
    pairs = [np.zeros(0, np.int64)]
    for each in standings.rounds:
        source = np.broadcast_to(each.here[:, None, None, None], each.target.shape)
        pairs.append(np.unique(source[each.is_open] * many + each.target[each.is_open]))
    source, target = np.divmod(np.unique(np.concatenate(pairs)), many)
    graph = coo_array((np.ones(len(source), np.int8), (source, target)), shape=(many, many))
    count, component = connected_components(graph, directed=True, connection="strong")
    is_circle = np.bincount(component, minlength=count) > 1
    is_circle[component[source[source == target]]] = True
    of_source, of_target = component[source], component[target]
    outward = of_source != of_target
    of_source, of_target = of_source[outward], of_target[outward]
    level = np.zeros(count, np.int64)
    while True:
        raised = level.copy()
        np.maximum.at(raised, of_source, level[of_target] + 1)
        if (raised == level).all():
            break
        level = raised
    return component, level[component], is_circle


class _Part:
    """Some standings that are solved together, and the rounds thrown there."""

    def __init__(self, standings: Standings, group: Ints, total: float, sign: int) -> None:
        self.standings, self.group = standings, group
        self.total, self.sign = total, sign
        inside = np.full(len(standings), -1)
        inside[group] = np.arange(len(group))
        self.inside = inside
        self.rounds: list[tuple[RoundsAt, Ints]] = []
        for each in standings.rounds:
            rows = np.flatnonzero(inside[each.here] >= 0)
            if rows.size:
                self.rounds.append((each, rows))

    def carried(self, errors: Floats) -> float:
        """Return the largest error of a standing outside that play may lead to."""
        most = 0.0
        for each, rows in self.rounds:
            target = each.target[rows]
            reached = target[(target >= 0) & (self.inside[target] < 0)]
            most = max(most, float(errors[reached].max(initial=0.0)))
        return most

    def paid(self, each: RoundsAt, rows: Ints, values: Floats) -> Floats:
        """Return what each way on is worth to who throws. `[standings, casts, results, ways]`"""
        target, gain = each.target[rows], each.gain[rows]
        after = values[target]
        if self.sign < 0:
            after = np.where(each.mover[rows] == 0, after, self.total - after)
        return np.where(target >= 0, gain + after, -np.inf)

    def improved(self, values: Floats) -> tuple[Floats, float]:
        """Return what the standings are worth after one more step, and the rounding of that."""
        found, rounding = np.empty(len(self.group)), 0.0
        for each, rows in self.rounds:
            paid = self.paid(each, rows, values).max(axis=3)
            game = each.throws.round
            found[self.inside[each.here[rows]]] = round_sweep(game, paid, each.throws.player)[0][0]
            size = float(np.abs(paid).max()) + abs(self.total)
            rounding = max(rounding, roundings(game) * 2.0**-53 * size)
        return found, rounding

    def system(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the linear system of playing best for some values: v = matrix v + constant."""
        many = len(self.group)
        matrix, constant = np.zeros((many, many)), np.zeros(many)
        for each, rows in self.rounds:
            paid = self.paid(each, rows, values)
            best = paid.argmax(axis=3)[..., None]
            chance = round_law(each, paid.max(axis=3))
            place = np.broadcast_to(self.inside[each.here[rows]][:, None, None], chance.shape)
            target = np.take_along_axis(each.target[rows], best, 3)[..., 0]
            passes = np.take_along_axis(each.mover[rows], best, 3)[..., 0] != 0
            gain = np.take_along_axis(each.gain[rows], best, 3)[..., 0]
            turned = passes & (self.sign < 0)
            sign = np.where(turned, -1.0, 1.0)
            own = gain + np.where(turned, self.total, 0.0)
            leaves = self.inside[target] < 0
            own = own + np.where(leaves, sign * values[target], 0.0)
            np.add.at(constant, place.ravel(), (chance * own).ravel())
            stays = ~leaves
            cells = (place[stays], self.inside[target][stays])
            np.add.at(matrix, cells, (chance * sign)[stays])
        return matrix, constant

    def stay(self) -> tuple[Floats, float]:
        """Return w(s), at least the rounds before play leaves, and the least that w - Tw is.

        All players together try to stay as long as they can; gains do not matter.
        """
        many = len(self.group)
        longest = np.ones(many)
        for _ in range(MOST_IMPROVED):
            matrix = np.zeros((many, many))
            for each, rows in self.rounds:
                worth = self._staying(each, rows, longest)
                best = worth.argmax(axis=3)[..., None]
                chance = round_law(each, worth.max(axis=3))
                chosen = np.take_along_axis(each.target[rows], best, 3)[..., 0]
                place = np.broadcast_to(self.inside[each.here[rows]][:, None, None], chance.shape)
                stays = self.inside[chosen] >= 0
                cells = (place[stays], self.inside[chosen][stays])
                np.add.at(matrix, cells, chance[stays])
            try:
                grown = np.linalg.solve(np.eye(many) - matrix, np.ones(many))
            except np.linalg.LinAlgError:
                grown = np.full(many, np.inf)
            if not (np.isfinite(grown).all() and grown.min() >= 1 - 1e-9):
                raise NotSolved(
                    f"{self.standings.game} has a circle of {many} standings that play may never "
                    f"leave: a match of rounds must end however it is played"
                )
            if (grown <= longest * (1 + 1e-9)).all():
                break
            longest = np.maximum(longest, grown)
        # rounded up, and then what one more step leaves of it is looked at, rounding included
        longest = longest * (1 + 1e-6)
        found = np.zeros(many)
        for each, rows in self.rounds:
            worth = self._staying(each, rows, longest).max(axis=3)
            swept = round_sweep(each.throws.round, worth, each.throws.player)[0][0]
            found[self.inside[each.here[rows]]] = swept * (1 + 1e-12)
        return longest, float((longest - found).min())

    def _staying(self, each: RoundsAt, rows: Ints, longest: Floats) -> Floats:
        """Return how long play stays after each way on. `[standings, casts, results, ways]`"""
        target = each.target[rows]
        here = np.where(target >= 0, self.inside[target] >= 0, False)
        worth = np.where(here, longest[self.inside[target]], 0.0)
        return np.where(target >= 0, worth, -np.inf)


def _settle_circle(part: _Part, values: Floats, errors: Floats) -> None:
    """Fill in the values and errors of standings that may come back to themselves."""
    group, many = part.group, len(part.group)
    longest, least = part.stay()
    values[group] = part.total / 2
    before, best, kept = np.inf, np.inf, values[group].copy()
    for _ in range(MOST_IMPROVED):
        matrix, constant = part.system(values)
        values[group] = np.linalg.solve(np.eye(many) - matrix, constant)
        found, rounding = part.improved(values)
        residual = float(np.abs(found - values[group]).max())
        if residual < best:
            best, kept = residual, values[group].copy()
        if residual <= rounding:
            break
        if residual >= before:  # improving both at once may go round: a step of each calms it
            values[group] = found
        before = residual
    values[group] = kept
    found, rounding = part.improved(values)
    residual = float(np.abs(found - values[group]).max())
    if least <= 0:
        raise NotSolved(f"{part.standings.game}: no bound was found for a circle of standings")
    errors[group] = part.carried(errors) + (residual + rounding) * longest / least


def round_law(each: RoundsAt, paid: Floats) -> Floats:
    """Return how likely best play of a round is to end after each cast with each result.

    `paid` and what comes back are `[standings, casts, results]`; of equally good options the first
    is taken, which keeps the fewest dice.
    """
    game, player = each.throws.round, each.throws.player
    kept = round_sweep(game, paid, player, everything=True)
    matrices, many = game.matrices, paid.shape[0]
    reached = np.zeros((len(game.numbers), many))
    reached[0] = 1.0
    law = np.zeros(paid.shape)
    stops = matrices.start[1:] - (1 if player == "next" else 0)
    for cast in range(1, game.casts + 1):
        tables = cast_law(game).T @ reached
        if cast == game.casts:
            ended = np.zeros((paid.shape[2], many))
            np.add.at(ended, matrices.shows - game.numbers.full.start, tables)
            law[:, -1] += ended.T
            break
        reached = np.zeros((len(game.numbers), many))
        _take_best(kept[cast], matrices.start, stops, matrices.option, tables, reached)
        full = game.numbers.full.start
        if player == "first":
            law[:, cast - 1] += reached[full:].T
        reached[full:] = 0.0
    return law


@jit
def _take_best(
    values: Floats, starts: Ints, stops: Ints, options: Ints, tables: Floats, reached: Floats
) -> None:
    """Add the chance of each table to what is kept there: the first of the best options."""
    for table in range(len(stops)):
        for b in range(values.shape[1]):
            best = options[starts[table]]
            for place in range(starts[table] + 1, stops[table]):
                option = options[place]
                if values[option, b] > values[best, b]:
                    best = option
            reached[best, b] += tables[table, b]
