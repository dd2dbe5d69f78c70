"""fit: the numbers that make a person's records most likely, with how sure they are.

The evidence is a record of decisions, or a record of another kind that a game brings. Estimates
are those of maximum likelihood. Their intervals come from the observed information: the curvature
of the log likelihood at its top. A positive number is searched for, and given its interval, by its
logarithm.

Models are compared by the likelihood of games they have not seen: each game is left out in turn
with its fold, the model is fitted to the other folds, and asked how likely the left-out games are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dicelab.core.arrays import Array, Floats, Ints
from dicelab.core.lazy import lazy
from dicelab.errors import RecordError
from dicelab.people.decisions import Decisions
from dicelab.people.models import Features, Model, Parameter, log_chances, plan_of
from dicelab.strategies.plan import Plan
from dicelab.table import Table

CONFIDENCE = 0.95
SHIFTS = (0.0, -1.5, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a person did, decision by decision; a record of another kind has its own class."""

    record: Any
    game: Array  # [units] which game each decision is from

    def __len__(self) -> int:
        """Return how many decisions there are."""
        return len(self.game)

    @property
    def table(self) -> Table:
        """The table of the game."""
        table: Table = self.record.table
        return table

    @property
    def unit(self) -> str:
        """What is counted."""
        return "decisions"

    @property
    def numbers(self) -> Ints:
        """The positions that matter, by number; -1 is none."""
        return self.record.number

    @lazy
    def moves(self) -> tuple[Ints, Ints, Ints]:
        """The rows of all positions that matter, where each position begins, and its place."""
        table = self.table
        here = np.unique(self.numbers)
        here = here[here >= 0]
        here = here[np.diff(table.move_first)[here] > 0]
        counts = np.diff(table.move_first)[here]
        first = np.concatenate([[0], np.cumsum(counts)])[:-1]
        rows = np.repeat(table.move_first[here] - first, counts) + np.arange(counts.sum())
        place = np.full(table.rows, -1)
        place[rows] = np.arange(rows.size)
        return rows, first, place

    def features(self, model: Model) -> Features:
        """Return what a model has to know about the moves that matter."""
        return model.features(self.table, self.moves[0])

    def log_likelihood(self, model: Model, features: Features, numbers: Sequence[float]) -> Array:
        """Return the logarithm of the chance of each decision or turn. `[units]`"""
        logs = log_chances(model.utilities(features, numbers), self.moves[1])
        return logs[self.moves[2][self.record.row]]

    def pick(self, which: Array) -> Evidence:
        """Return some of it."""
        record = self.record
        columns = {
            name: getattr(record, name)[which] for name in ("game", "seat", "row", "outcome")
        }
        picked = Decisions(record.table, record.names, record.players, **columns)
        return Evidence(picked, self.game[which])


def evidence_of(record: Any, player: str | None = None) -> Evidence:
    """Return what one player did, or all of them."""
    if not isinstance(record, Decisions):
        found: Evidence = record.evidence(player)
        return found
    everything = Evidence(record, record.game)
    if player is None:
        return everything
    mine = record.of(player)
    if not mine.any():
        raise nobody(player, [name for pair in record.players for name in pair])
    return everything.pick(mine)


def nobody(player: str, known: Sequence[str]) -> RecordError:
    """Return the refusal of a player who is not in a record."""
    from dicelab.rules.registry import did_you_mean

    known = list(dict.fromkeys(known))
    return RecordError(f"nobody called {player!r} is in this record{did_you_mean(player, known)}")


@dataclass(frozen=True)
class Estimate:
    """One number that describes a person, and how sure it is."""

    name: str
    value: float
    error: float  # standard error; of a positive number, that of its logarithm; nan if undetermined
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Fit:
    """A model with the numbers that fit a person best."""

    model: Model
    estimates: tuple[Estimate, ...]
    log_likelihood: float
    units: int
    games: int
    unit: str
    #: Numbers that ran to the end of their range: the evidence does not bound them.
    at_edge: tuple[str, ...]
    covariance: Array  # [numbers, numbers] on the scale they were searched on

    @property
    def numbers(self) -> tuple[float, ...]:
        """The estimates alone."""
        return tuple(estimate.value for estimate in self.estimates)

    def plan(self, table: Table) -> Plan:
        """Return the person as a strategy: for `evaluate`, `best_response`, `save_strategy`."""
        return plan_of(self.model, self.numbers, table)


def fit(
    model: Model, evidence: Evidence, confidence: float = CONFIDENCE, prior: bool = False
) -> Fit:
    """Return the numbers of a model that make the evidence most likely.

    With `prior`, numbers far from what people are usually like count as unlikely: an estimate
    from a few turns then stays sensible.
    """
    features = evidence.features(model)
    best, top = _search(model, evidence, features, prior)
    covariance, edges = _curvature(model, evidence, features, best, prior)
    estimates = tuple(
        _estimate(parameter, place, covariance[i, i], confidence)
        for i, (parameter, place) in enumerate(zip(model.parameters, best, strict=True))
    )
    return Fit(
        model,
        estimates,
        top,
        len(evidence),
        len(np.unique(evidence.game)),
        evidence.unit,
        edges,
        covariance,
    )


def _outside(parameters: Sequence[Parameter], places: Floats) -> list[float]:
    """Return numbers as people read them, from the scale they are searched on."""
    return [
        math.exp(place) if parameter.positive else float(place)
        for parameter, place in zip(parameters, places, strict=True)
    ]


def _inside(parameter: Parameter, number: float) -> float:
    return math.log(number) if parameter.positive else number


def _penalty(model: Model, places: Floats) -> float:
    centres = [_inside(p, p.start) for p in model.parameters]
    spreads = [p.spread for p in model.parameters]
    return float((((np.asarray(places) - centres) / spreads) ** 2).sum() / 2)


def _search(
    model: Model, evidence: Evidence, features: Features, prior: bool
) -> tuple[Floats, float]:
    from scipy.optimize import minimize

    parameters = model.parameters

    def likelihood(places: Floats) -> float:
        logs = evidence.log_likelihood(model, features, _outside(parameters, places))
        return float(logs.sum())

    if not parameters:
        return np.zeros(0), likelihood(np.zeros(0))
    scale = np.array([parameter.scale for parameter in parameters])
    lows = np.array([_inside(p, p.low) for p in parameters]) / scale
    highs = np.array([_inside(p, p.high) for p in parameters]) / scale
    start = np.array([_inside(p, p.start) for p in parameters]) / scale

    def badness(at: Floats) -> float:
        worse = _penalty(model, at * scale) if prior else 0.0
        return worse - likelihood(at * scale)

    # begin at the best of a few values of the first number, lest a far hill be missed
    begins = [np.clip(start + np.eye(len(start))[0] * shift, lows, highs) for shift in SHIFTS]
    bounds = list(zip(lows, highs, strict=True))
    begin = min(begins, key=badness)
    # A simplex does not overshoot on to the plain where all noise is alike; a gradient may. It
    # comes near the top, and the gradient goes the rest of the way.
    corners = np.vstack([begin, begin + 0.5 * np.eye(len(begin))])
    near = minimize(
        badness,
        begin,
        method="Nelder-Mead",
        bounds=bounds,
        options={"initial_simplex": np.clip(corners, lows, highs), "xatol": 1e-3, "fatol": 1e-3},
    )
    found = minimize(badness, near.x, method="L-BFGS-B", bounds=bounds, options={"eps": 1e-6})
    found = found if found.fun <= near.fun else near
    places = found.x * scale
    return places, likelihood(places)


def _curvature(
    model: Model, evidence: Evidence, features: Features, best: Floats, prior: bool
) -> tuple[Floats, tuple[str, ...]]:
    """Return the inverse of the observed information, and what ran to the end of its range."""
    parameters = model.parameters
    size = len(parameters)
    edges = tuple(
        p.name
        for p, place in zip(parameters, best, strict=True)
        if not _inside(p, p.low) + 1e-6 < place < _inside(p, p.high) - 1e-6
    )
    steps = np.array([2e-3 * p.scale for p in parameters])
    free = [i for i, p in enumerate(parameters) if p.name not in edges]

    def at(*moves: tuple[int, int]) -> float:
        places = np.array(best, float)
        for i, sign in moves:
            places[i] += sign * steps[i]
        logs = evidence.log_likelihood(model, features, _outside(parameters, places))
        return float(logs.sum()) - (_penalty(model, places) if prior else 0.0)

    covariance = np.full((size, size), np.nan)
    if not free:
        return covariance, edges
    middle, second = at(), np.zeros((len(free), len(free)))
    for a, i in enumerate(free):
        second[a, a] = (at((i, 1)) + at((i, -1)) - 2 * middle) / steps[i] ** 2
        for b, j in enumerate(free[:a]):
            corners = at((i, 1), (j, 1)) - at((i, 1), (j, -1))
            corners -= at((i, -1), (j, 1)) - at((i, -1), (j, -1))
            second[a, b] = second[b, a] = corners / (4 * steps[i] * steps[j])
    try:
        inverse = np.linalg.inv(-second)
    except np.linalg.LinAlgError:
        return covariance, edges
    if (np.diag(inverse) <= 0).any():
        return covariance, edges
    covariance[np.ix_(free, free)] = inverse
    return covariance, edges


def _estimate(parameter: Parameter, place: float, variance: float, confidence: float) -> Estimate:
    from scipy.special import ndtri

    error = math.sqrt(variance) if variance > 0 else math.nan
    reach = float(ndtri((1 + confidence) / 2)) * error
    outside = math.exp if parameter.positive else float
    value, low, high = outside(place), outside(place - reach), outside(place + reach)
    return Estimate(parameter.name, value, error, low, high)


@dataclass(frozen=True)
class HeldOut:
    """How well a model foretells games it has not seen."""

    model: str
    log_likelihood: float  # over all left-out decisions or turns
    per_unit: float
    behind: float  # how much less than the best model's, in all
    error: float  # standard error of `behind`, from game to game


def held_out(
    models: Sequence[Model], evidence: Evidence, rng: np.random.Generator, folds: int = 5
) -> list[HeldOut]:
    """Return how likely each model finds games it was not fitted to, best model first."""
    games = np.unique(evidence.game)
    if len(games) < 2:
        raise RecordError("models are compared on games left out: there must be two games or more")
    folds = min(folds, len(games))
    fold = rng.permutation(np.arange(len(games)) % folds)
    which = fold[np.searchsorted(games, evidence.game)]
    by_game = np.zeros((len(models), len(games)))
    for number in range(folds):
        train, test = (evidence.pick(keep) for keep in (which != number, which == number))
        for i, model in enumerate(models):
            numbers = _outside(
                model.parameters, _search(model, train, train.features(model), prior=False)[0]
            )
            logs = test.log_likelihood(model, test.features(model), numbers)
            np.add.at(by_game[i], np.searchsorted(games, test.game), logs)
    totals = by_game.sum(axis=1)
    best = int(totals.argmax())
    lines = []
    for i in np.argsort(-totals, kind="stable"):
        apart = by_game[best] - by_game[i]
        error = math.sqrt(len(games)) * float(apart.std(ddof=1))
        total = float(totals[i])
        lines.append(
            HeldOut(models[i].name, total, total / len(evidence), float(apart.sum()), error)
        )
    return lines
