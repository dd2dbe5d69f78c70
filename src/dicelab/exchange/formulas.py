"""Rules read as formulas: the same lines that serve a million positions also serve none.

A rule does arithmetic on the fields of a position. Give it fields that only write down what is
done to them, and it writes its own formula, in the language of PRISM. A rule that looks something
up in an array, or asks a field for its number, cannot be read so: `Unreadable` is raised, and the
game is written out position by position instead.

>>> mine, at_risk = field("mine"), field("at_risk")
>>> str(mine + at_risk >= 100)
'mine+at_risk>=100'
>>> str(np.where(at_risk >= 20, 1, 0))
'at_risk>=20?1:0'
>>> str(equal(np.where(at_risk >= 20, "hold", "roll"), "hold"))
'at_risk>=20'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dicelab.core.arrays import Array
from dicelab.rules.chance import Ints

#: What binds tightest comes last. PRISM reads formulas as C does.
_BINDS = ("?", "|", "&", "=", "<", "+", "*", "!")
_LEVEL = {
    **{op: _BINDS.index(op) for op in _BINDS},
    **{"!=": 3, "<=": 4, ">": 4, ">=": 4, "-": 5, "/": 6},
}
_LONGEST = 2**62
"""Whole numbers from here on are written with a point, since PRISM's own have 64 bits."""


class Unreadable(Exception):
    """A rule that cannot be read as a formula."""


@dataclass(frozen=True, eq=False)
class Formula(NDArrayOperatorsMixin):
    """An operation and what it is done to; a name or a number has nothing below it.

    NumPy's mixin turns every operator, of a formula on either side, into one of its functions.
    """

    op: str
    parts: tuple[Term, ...]

    def __str__(self) -> str:
        if self.op == "name":
            return str(self.parts[0])
        if self.op in ("floor", "mod", "min", "max"):
            return f"{self.op}({', '.join(map(written, self.parts))})"
        inner = [_within(part, self.op, place) for place, part in enumerate(self.parts)]
        if self.op == "?":
            return f"{inner[0]}?{inner[1]}:{inner[2]}"
        if self.op == "!":
            return f"!{inner[0]}"
        space = " " if self.op in "&|" else ""
        return f"{inner[0]}{space}{self.op}{space}{inner[1]}"

    def __array_function__(
        self, function: Callable[..., object], types: object, args: tuple[Term, ...], kwargs: object
    ) -> Term:
        if function is np.where and len(args) == 3 and not kwargs:
            return choose(*args)
        raise Unreadable(f"np.{function.__name__}")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *args: Term, **kwargs: object) -> Term:
        if method == "__call__" and not kwargs and ufunc in _WRITTEN:
            return _WRITTEN[ufunc](*args)
        for op, compares in _COMPARED.items():
            if method == "__call__" and not kwargs and ufunc is compares:
                return compared(op, *args)
        raise Unreadable(f"np.{ufunc.__name__}")

    def _no(self, *_: object) -> NoReturn:
        raise Unreadable("a field was asked for its number")

    __bool__ = __int__ = __index__ = __float__ = __len__ = __iter__ = __getitem__ = _no

    def __hash__(self) -> int:
        return id(self)


Term = Formula | bool | int | Fraction | str | np.generic | Array
"""What a formula is made of: formulas again, numbers, truths, and words for moves."""


def field(name: str) -> Formula:
    """Return a field that writes down what is done to it."""
    return Formula("name", (name,))


def written(thing: object) -> str:
    """Return a formula, a number or a truth as PRISM reads it."""
    if isinstance(thing, Formula):
        return str(thing)
    if isinstance(thing, bool | np.bool_):
        return "true" if thing else "false"
    if isinstance(thing, int | np.integer):
        return f"{int(thing)}.0" if abs(int(thing)) >= _LONGEST else str(int(thing))
    if isinstance(thing, Fraction):
        if thing.denominator == 1:
            return written(thing.numerator)
        return f"{written(thing.numerator)}/{written(thing.denominator)}"
    raise Unreadable(f"{thing!r} is no number")


def _within(part: Term, op: str, place: int) -> str:
    """Return a part of an operation, in brackets where it would be misread without."""
    text = written(part)
    if isinstance(part, Fraction) and part.denominator > 1:
        level = _LEVEL["/"]
    elif isinstance(part, Formula):
        level = _LEVEL.get(part.op, len(_BINDS))
    else:
        return f"({text})" if text.startswith("-") else text
    # a-(b-c) needs its brackets; (a+b)+c and a&b&c do not. A choice always gets them.
    alike = level == _LEVEL[op] and (place == 0 or op in "&|+*")
    return text if level > _LEVEL[op] or (alike and op != "?") else f"({text})"


def _is(thing: Term, number: int) -> bool:
    return isinstance(thing, int | np.integer | Fraction) and bool(thing == number)


def plus(a: Term, b: Term) -> Term:
    """Return a sum."""
    return b if _is(a, 0) else a if _is(b, 0) else Formula("+", (a, b))


def minus(a: Term, b: Term) -> Term:
    """Return a difference."""
    return a if _is(b, 0) else Formula("-", (a, b))


def times(a: Term, b: Term) -> Term:
    """Return a product."""
    if _is(a, 0) or _is(b, 0):
        return 0
    return b if _is(a, 1) else a if _is(b, 1) else Formula("*", (a, b))


def _truth(thing: Term) -> bool | None:
    return bool(thing) if isinstance(thing, bool | np.bool_) else None


def both(a: Term, b: Term) -> Term:
    """Return whether both hold."""
    if _truth(a) is False or _truth(b) is False:
        return False
    return b if _truth(a) else a if _truth(b) else Formula("&", (a, b))


def either(a: Term, b: Term) -> Term:
    """Return whether one holds."""
    if _truth(a) or _truth(b):
        return True
    return b if _truth(a) is False else a if _truth(b) is False else Formula("|", (a, b))


def negated(a: Term) -> Term:
    """Return whether it does not hold."""
    if _truth(a) is not None:
        return not a
    if not isinstance(a, Formula):
        raise Unreadable(f"{a!r} is no truth")
    opposite = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "="}
    if a.op in opposite:
        return Formula(opposite[a.op], a.parts)
    return a.parts[0] if a.op == "!" else Formula("!", (a,))


def compared(op: str, a: Term, b: Term) -> Term:
    """Return a comparison."""
    if op in ("=", "!=") and (isinstance(a, str) or isinstance(b, str)):
        same = equal(a, str(b)) if isinstance(b, str) else equal(b, str(a))
        return same if op == "=" else negated(same)
    return Formula(op, (a, b))


def choose(condition: Term, yes: Term, no: Term) -> Term:
    """Return one or the other, as the condition has it."""
    truth = _truth(condition)
    if truth is not None:
        return yes if truth else no
    return Formula("?", (condition, yes, no))


def equal(thing: Term, word: str) -> Term:
    """Return where a choice among words gives this one."""
    if isinstance(thing, str):
        return thing == word
    if isinstance(thing, np.ndarray) and thing.ndim == 0:
        return equal(thing.item(), word)
    if not isinstance(thing, Formula) or thing.op != "?":
        raise Unreadable(f"{thing!r} is no choice among moves")
    condition, yes, no = thing.parts
    yes, no = equal(yes, word), equal(no, word)
    return either(both(condition, yes), both(negated(condition), no))


def at(thing: Term, values: Mapping[str, Ints]) -> Ints:
    """Return what a formula is at positions whose fields are given, one position or an array."""
    if not isinstance(thing, Formula):
        return thing
    if thing.op == "name":
        return values[str(thing.parts[0])]
    parts = [at(part, values) for part in thing.parts]
    return _DONE[thing.op](*parts)


_COMPARED: dict[str, np.ufunc] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

_WRITTEN: dict[np.ufunc, Callable[..., Term]] = {
    np.add: plus,
    np.subtract: minus,
    np.multiply: times,
    np.negative: lambda a: minus(0, a),
    np.floor_divide: lambda a, b: Formula("floor", (Formula("/", (a, b)),)),
    np.remainder: lambda a, b: Formula("mod", (a, b)),
    np.maximum: lambda a, b: Formula("max", (a, b)),
    np.minimum: lambda a, b: Formula("min", (a, b)),
    np.bitwise_and: both,
    np.logical_and: both,
    np.bitwise_or: either,
    np.logical_or: either,
    np.invert: negated,
    np.logical_not: negated,
}

_DONE: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "floor": lambda a: np.asarray(np.floor(a)).astype(np.int64),
    "mod": lambda a, b: a % b,
    "min": np.minimum,
    "max": np.maximum,
    "&": np.logical_and,
    "|": np.logical_or,
    "!": np.logical_not,
    "?": np.where,
    **_COMPARED,
}
