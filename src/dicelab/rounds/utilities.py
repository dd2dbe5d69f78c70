"""Utilities: what each result of a round is worth, and, if you like, when.

By name: ``goal:421`` is worth 1 for 421 and nothing else; ``goal:123+224+345`` has several goals
and ``goal:421*10+111*7`` gives them weights; ``sum`` adds the faces. A game may bring more names,
in a module `utilities` of its folder. A path to a CSV file, a dictionary, or a function of the
faces (and of the cast that ends the round) will do as well.

Worths are exact. A float means the decimal it prints: ``0.1`` is 1/10.

>>> from dicelab.rounds import Round
>>> utility("sum", Round()).of("421")
Fraction(7, 1)
"""

import csv
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.core.atomic_write import require_end
from dicelab.core.exact import exactly
from dicelab.core.lazy import lazy
from dicelab.errors import DicelabError, RulesError
from dicelab.rounds.combinations import Combination, Combinations
from dicelab.rounds.rules import Round, check_round
from dicelab.rules.registry import load_at_home

Worths = Callable[[Round], Sequence[Fraction]]
"""What gives every result of a round its worth, in the order of their numbers."""

_NAMED: dict[str, Worths] = {"sum": lambda game: _from_function(sum, game).values[0]}
_USUAL: list[tuple[Callable[[Round], bool], str]] = []
MOST = 10**300
"""What a worth may be at most, so that every value fits a float."""


@dataclass(frozen=True, eq=False)
class Utility:
    """A worth for every result, exact; ``values`` has one row, or one row for each cast."""

    name: str
    numbers: Combinations
    values: Numbers
    """Fractions: ``[1 or casts, combinations of all dice]``."""

    @property
    def is_stationary(self) -> bool:
        """Whether the worth does not depend on when the round ends."""
        return len(self.values) == 1

    def at(self, cast: int) -> Numbers:
        """Return the worth of each result of a round that ends with this cast (1, 2 ...)."""
        return np.asarray(self.values[0 if self.is_stationary else cast - 1])

    @lazy
    def denominator(self) -> int:
        """The least number that makes every worth whole."""
        return math.lcm(*{worth.denominator for worth in self.values.flat})

    def times(self, cast: int, scale: int) -> Numbers:
        """Return the worths with a cast in whole parts of 1/scale, which makes them all whole."""
        worths = self.at(cast).tolist()
        whole = [worth.numerator * (scale // worth.denominator) for worth in worths]
        return np.array(whole, dtype=object)

    def of(self, result: Combination, cast: int = 1) -> Fraction:
        """Return the worth of one result."""
        number = self.numbers.number(result, dice=self.numbers.dice)
        worth: Fraction = self.at(cast)[number - self.numbers.full.start]
        return worth

    def goals(self) -> list[int]:
        """Return the results of the highest worth, whatever the cast."""
        best = max(self.values.flat)
        found = np.flatnonzero((self.values == best).any(axis=0))
        return [int(number) + self.numbers.full.start for number in found]


AnyUtility = str | Path | Mapping[Any, object] | Callable[..., object] | Utility
"""A name, a CSV file, a dictionary, a function, or what was made of one."""


def utility(asked: AnyUtility, game: Round) -> Utility:
    """Return the utility that a name, a CSV file, a dictionary or a function describes."""
    check_round(game)
    if isinstance(asked, Utility):
        _check_fits(asked, game)
        return asked
    if isinstance(asked, Mapping):
        return _from_table("table", [(key, None, worth) for key, worth in asked.items()], game)
    if callable(asked):
        return _from_function(asked, game)
    name = str(asked).strip()
    if name.lower().endswith(".csv"):
        return _from_csv(Path(name), game)
    return _from_name(name, game, ["a path to a CSV file"])


def name_utility(name: str, worths: Worths, usual: Callable[[Round], bool] | None = None) -> None:
    """Make a utility known by a name; `usual` says which rounds take it if none is named."""
    _NAMED[name] = worths
    if usual is not None:
        _USUAL.append((usual, name))


def usual(game: Round) -> str:
    """Return the utility to take where none is named: the one of a game with these dice, or sum."""
    load_at_home("utilities")
    return next((name for suits, name in _USUAL if suits(game)), "sum")


def named_utility(name: str, game: Round) -> Utility:
    """Return the utility of a name such as ``goal:421`` or ``sum``; no file is ever opened.

    This is for names that a stranger may have written, as in the web lab.
    """
    return _from_name(name.strip(), game, ())


def _from_name(name: str, game: Round, more: Sequence[str]) -> Utility:
    """Return the utility of a name; `more` ends the list of what could have been written."""
    kind, _, rest = name.partition(":")
    if kind in ("goal", "goals") and rest:
        return _from_goals(name, rest, game)
    load_at_home("utilities")
    if name in _NAMED:
        return Utility(name, game.numbers, _row(_NAMED[name](game)))
    *others, last = [*map(repr, ("goal:123", "goal:123+224", *sorted(_NAMED))), *more]
    raise RulesError(f"no utility called {name[:60]!r}; write {', '.join(others)} or {last}")


def _row(worths: Sequence[Fraction]) -> Numbers:
    row = np.empty((1, len(worths)), dtype=object)
    row[0, :] = worths
    return row


def _worth(worth: object, result: str, name: str) -> Fraction:
    found = exactly(worth)
    if found is None or abs(found) > MOST:
        wanted = "a number such as 3, 0.5 or '1/3'" if found is None else f"at most {MOST:.0e}"
        raise RulesError(
            f"the utility {name[:60]!r} gives {result} the worth {str(worth)[:60]!r}: "
            f"a worth is {wanted}"
        )
    return found


def _check_fits(made: Utility, game: Round) -> None:
    theirs, ours = made.numbers, game.numbers
    if (theirs.dice, theirs.faces) != (ours.dice, ours.faces):
        raise RulesError(
            f"the utility {made.name!r} is for {theirs.dice} dice with {len(theirs.faces)} faces, "
            f"and this round has {ours.dice} dice with {len(ours.faces)} faces"
        )
    if not made.is_stationary and len(made.values) < game.casts:
        raise RulesError(
            f"the utility {made.name!r} covers {len(made.values)} casts "
            f"and this round has {game.casts}"
        )


def _from_goals(name: str, text: str, game: Round) -> Utility:
    worths = [Fraction(0)] * len(game.numbers.full)
    for piece in text.split("+"):
        goal, star, weight = piece.partition("*")
        number = game.numbers.number(goal, dice=game.dice)
        worths[number - game.numbers.full.start] += (
            _worth(weight, goal.strip(), name) if star else Fraction(1)
        )
    return Utility(name, game.numbers, _row(worths))


def _from_function(worth: Callable[..., object], game: Round, name: str = "") -> Utility:
    name = name or getattr(worth, "__name__", "function")
    try:
        needed = [
            place
            for place in inspect.signature(worth).parameters.values()
            if place.kind in (place.POSITIONAL_ONLY, place.POSITIONAL_OR_KEYWORD)
            and place.default is place.empty
        ]
        timed = len(needed) > 1
    except ValueError:  # a builtin that does not say what it takes
        timed = False
    rows = []
    for cast in range(1, (game.casts if timed else 1) + 1):
        row = []
        for number in game.numbers.full:
            faces = game.numbers.faces_of(number)[::-1]
            told = worth(faces, cast) if timed else worth(faces)
            row.append(_worth(told, game.numbers.write(number), name))
        rows.append(_row(row)[0])
    return Utility(name, game.numbers, np.stack(rows))


def _from_csv(path: Path, game: Round) -> Utility:
    try:
        require_end(path)
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
            header = set(rows[0]) if rows else set()
    except (OSError, ValueError, csv.Error) as problem:  # a name may be no name, the text no text
        reason = getattr(problem, "strerror", None) or "it is not text"
        reason = f"{problem}" if isinstance(problem, csv.Error) else reason
        raise RulesError(f"cannot read the utility {str(path)!r}: {reason.lower()}") from None
    if not {"combination", "value"} <= header:
        raise RulesError(
            f"the utility {str(path)!r} needs a heading with the columns combination and value, "
            f"and cast where the worth depends on it"
        )
    triples = [(row["combination"] or "", row.get("cast"), row["value"]) for row in rows]
    return _from_table(str(path), triples, game)


def _from_table(name: str, rows: Sequence[tuple[Any, Any, object]], game: Round) -> Utility:
    full = game.numbers.full
    timed = any(cast not in (None, "") for _, cast, _ in rows)
    values = np.full((game.casts if timed else 1, len(full)), None, dtype=object)
    for key, cast, worth in rows:
        try:
            number = game.numbers.number(key, dice=game.dice)
        except DicelabError as trouble:
            raise RulesError(f"the utility {name!r} names no result: {trouble}") from None
        place = number - full.start
        when = slice(None)
        if timed and cast not in (None, ""):
            if not (str(cast).isdecimal() and len(str(cast)) < 10 and 1 <= int(cast) <= game.casts):
                raise RulesError(
                    f"the utility {name!r} speaks of cast {str(cast)[:60]!r}: "
                    f"this round has casts 1 to {game.casts}"
                )
            when = slice(int(cast) - 1, int(cast))
        if any(value is not None for value in values[when, place]):
            raise RulesError(
                f"the utility {name!r} gives {game.numbers.write(number)} a worth twice"
            )
        values[when, place] = _worth(worth, game.numbers.write(number), name)
    missing = [
        game.numbers.write(int(place) + full.start) + (f" at cast {row + 1}" if timed else "")
        for row, place in np.argwhere(values == np.array(None))
    ]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise RulesError(
            f"the utility {name!r} says nothing of {', '.join(missing[:3])}{more}: "
            f"each of the {len(full)} combinations needs a worth"
        )
    return Utility(name, game.numbers, values)
