"""Goals: what a number about a game is to be, such as advantage=0, length=8 or within:20>=95%.

A goal is a value, a range or a limit. How far a number misses it is exact where the number is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from dicelab.core.arrays import Real
from dicelab.core.exact import exactly
from dicelab.errors import RulesError
from dicelab.rules import Game
from dicelab.verbs.numbers import Number, numbers_named

AVERAGES = (
    *("value", "advantage", "seat", "overall", "wins", "loses", "draws", "never_ends"),
    *("length", "moves", "throws", "within", "points"),
)
"""Numbers that are averages: by lottery between two games they lie between those of the two."""

CHANCES = ("wins", "loses", "draws", "never_ends", "within")
"""Numbers that are chances in every game."""
ENDS = CHANCES[:4]
"""How a game may end: these chances are 1 together."""
COUNTS = {"length": 1, "moves": 1, "throws": 0, "median": 1, "positions": 1}
"""Numbers that are never below this: a game may do without chance."""

LARGEST = 10**15
"""A number beyond which no game counts."""

_GOAL = re.compile(r"\s*([a-z_]+(?::\d+)?)\s*(>=|<=|=)\s*(.+?)\s*")


@dataclass(frozen=True)
class Goal:
    """A number, and between which limits it is to lie; no limit is None."""

    number: str
    low: Fraction | None
    high: Fraction | None
    text: str

    @property
    def word(self) -> str:
        """The name of the number without what stands after its colon."""
        return self.number.partition(":")[0]

    @property
    def target(self) -> Fraction | None:
        """The single value that is wanted, or None where there are several."""
        return self.low if self.low == self.high else None

    def miss(self, value: Real) -> Real:
        """Return how far a value is from what is wanted; 0 where it is that."""
        exact = isinstance(value, Fraction)
        low, high = (
            each if exact or each is None else float(each) for each in (self.low, self.high)
        )
        if low is not None and value < low:
            return low - value
        if high is not None and value > high:
            return value - high
        return Fraction(0) if exact else 0.0

    def is_met(self, number: Number) -> bool:
        """Return whether a number is what is wanted, as far as its error lets one say.

        A limit or a range is met where the whole of what the number may be is inside. A single
        value can be hit by floats only within their error.
        """
        if self.target is not None or number.value is None:
            return self.may_be_met(number)
        return all(self.miss(each) == 0 for each in ends(number))

    def may_be_met(self, number: Number) -> bool:
        """Return whether a number is what is wanted, or its error may hide that it is."""
        value = real(number)
        return value is not None and self.miss(value) <= (number.error or 0.0)


def real(number: Number) -> Real | None:
    """Return a number as exactly as it is known."""
    return Fraction(number.fraction) if number.fraction else number.value


def ends(number: Number) -> tuple[Real, Real]:
    """Return the least and the most that a number may be; itself where no bound is known."""
    value = real(number)
    assert value is not None
    error = 0 if isinstance(value, Fraction) else number.error or 0.0
    return value - error, value + error


def goals_read(texts: Sequence[str]) -> tuple[Goal, ...]:
    """Return the goals that some texts say; what cannot be, or contradicts itself, is refused."""
    found = tuple(_read(text) for text in dict.fromkeys(texts))
    for one, other in combinations(found, 2):
        _refuse_both(one, other)
    least = [goal for goal in found if goal.word in ENDS and goal.low]
    if sum(goal.low or 0 for goal in least) > 1:
        told = " and ".join(goal.text for goal in least)
        raise RulesError(f"the goals {told} contradict each other: these chances are at most 1")
    return found


def _read(text: str) -> Goal:
    match = _GOAL.fullmatch(text)
    if match is None:
        raise RulesError(
            f"a goal is a number and what it is to be, as advantage=0, length=6..8 or "
            f"within:20>=95%: got {text!r}"
        )
    name, sign, wanted = match.groups()
    numbers_named([name])
    first, dots, last = wanted.partition("..")
    if dots and sign != "=":
        raise RulesError(f"a goal with a range has an equals sign, as length=6..8: got {text!r}")
    if dots and not (first.strip() and last.strip()):
        raise RulesError(
            f"a goal with a range has both ends, as length=6..8, and one with a limit has >= or "
            f"<=: got {text!r}"
        )
    low, high = (_number(part, text) for part in (first, last if dots else first))
    if low > high:
        raise RulesError(f"the goal {text} is empty: write the smaller number first")
    goal = Goal(
        name, None if sign == "<=" else low, None if sign == ">=" else high, text.replace(" ", "")
    )
    if goal.word not in (*CHANCES, *COUNTS):
        return goal
    least, most = COUNTS.get(goal.word, 0), 1 if goal.word in CHANCES else None
    if (most is not None and low > most) or high < least:
        between = "a chance, between 0 and 1" if most is not None else f"{least} or more"
        raise RulesError(f"the goal {text} cannot be: {goal.word} is {between}")
    return goal


def _number(text: str, goal: str) -> Fraction:
    """Return a number as people write it, also in percent."""
    text = text.strip()
    found = exactly(text.removesuffix("%").strip())
    if found is None or abs(found) > LARGEST:
        raise RulesError(f"a goal has numbers such as 0, 1/2, 0.5 or 50%: got {text!r} in {goal!r}")
    return found / 100 if text.endswith("%") else found


def _refuse_both(one: Goal, other: Goal) -> None:
    """Refuse two goals that no game can meet together."""
    clash = one.number == other.number and _apart(one, other)
    if one.word == other.word == "within":
        few, many = sorted([one, other], key=lambda goal: int(goal.number.partition(":")[2]))
        low, high = few.low, many.high
        clash = clash or (low is not None and high is not None and low > high)
    if clash:
        raise RulesError(f"the goals {one.text} and {other.text} contradict each other")
    if one.number == other.number:
        raise RulesError(
            f"the goals {one.text} and {other.text} are about one number: give one of them, or a "
            f"range"
        )


def _apart(one: Goal, other: Goal) -> bool:
    """Return whether two goals for one number leave no value."""
    lows = [goal.low for goal in (one, other) if goal.low is not None]
    highs = [goal.high for goal in (one, other) if goal.high is not None]
    return bool(lows and highs) and max(lows) > min(highs)


def refuse_for(game: Game, goals: Sequence[Goal], alike: bool) -> None:
    """Refuse goals that this game cannot have; `alike`: all play best, so that seats are mirrors.

    Between two who play for one pot, what the first gets decides the advantage.
    """
    value = next((goal for goal in goals if goal.number in ("value", "seat:1")), None)
    advantage = next((goal for goal in goals if goal.number == "advantage"), None)
    if value is None or advantage is None or not alike:
        return
    if game.players != 2 or not game.is_one_pot or game.is_simultaneous:
        return
    total = game.total
    low, high = (None if each is None else 2 * each - total for each in (value.low, value.high))
    if _apart(Goal("", low, high, ""), advantage):
        raise RulesError(
            f"the goals {value.text} and {advantage.text} contradict each other: the advantage is "
            f"twice the value less {total}"
        )
