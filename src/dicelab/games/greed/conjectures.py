"""The conjectures of the Greed study, tested in whole numbers.

In a last turn, with `gap` to the other score and `room` to the maximum, n dice of mean m rate

    r(n) = P(gap < T <= room) + tie x P(T = gap),        T the sum of the dice.

Conjecture 1: where the mean of n dice is above the middle, 2 n m > gap + room, r never rises.
Conjecture 2: r rises and then falls: it is unimodal in n.
The upper bound, on ordinary turns: once the mean of n dice is above the room, every sum that fits
is at most as likely with one more die. (That one has a proof for fair dice, in `solvers.sums`; a
sweep that found a counterexample would have found a mistake.)

The study says of conjecture 1 that the rating is *decreasing*. Read strictly (each further die
lowers the rating, until it is 0) that is false: where several numbers of dice win for certain, the
rating stays 1. `Verdict.strict` has the smallest such turn.

The study supposes fair dice. With a loaded `die` the same questions are asked of that die alone.

A position enters only through its gap and room. So every last turn of every game up to a maximum M
is one of the pairs gap <= room <= M, and the smallest game with a counterexample has room = M. Who
is ahead (gap < 0) throws nothing; there r(n) is the chance to stay within the room, which only
falls. r(n) is a whole number over the n-th power of the die's denominator (s for a fair die of s
sides), so r(n + 1) > r(n) is asked of whole numbers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from dicelab.core.atomic_write import require_regular, written_whole
from dicelab.core.jobs import results
from dicelab.errors import RulesError, WrongTable
from dicelab.rules.dice import Die

CLAIMS = {
    "conjecture 1": "above the middle, more dice never help in a last turn",
    "conjecture 2": "in a last turn the rating rises with the dice, then falls",
    "upper bound": "dice whose mean is beyond the maximum never help on an ordinary turn",
}
"""What is claimed, in words."""

STRICTLY = "above the middle, each further die lowers the rating of a last turn"
"""Conjecture 1 read strictly, which is false."""

MOST = 1_000


@dataclass(frozen=True)
class Counterexample:
    """Where a claim fails: a last turn ``0-gap`` of the game (max, sides), or a sum."""

    claim: str
    max: int
    sides: int
    gap: int  # for the upper bound: the sum that becomes likelier
    dice: int  # one die more is better, and ought not to be
    die: str = ""  # a loaded die, as it is written


@dataclass(frozen=True)
class Verdict:
    """What a sweep over 1..max and the sides from..to has shown."""

    max: int
    sides: tuple[int, int]
    tie: Fraction
    tested: int  # pairs (max, sides) that were looked at
    counterexamples: dict[str, Counterexample | None]  # the smallest of each claim
    strict: Counterexample | None = None  # where one die more is no worse than it, for conjecture 1
    die: Die | None = None  # the loaded die that was asked about, in place of the sides

    @property
    def is_clean(self) -> bool:
        """Whether every claim holds in the whole range."""
        return not any(self.counterexamples.values())


@lru_cache(maxsize=2)
def _counts(die: Die, most: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the weight of each sum, and of at most each sum, with 0, 1, ..., most + 1 dice."""
    now = [1] + [0] * most
    ways, within = [], []
    for _ in range(most + 2):
        ways.append(now)
        sums = list(accumulate(now, initial=0))
        within.append(sums[1:])
        if die.is_fair:
            # One more die: the sum t comes from t - 1, ..., t - sides.
            now = [sums[t] - sums[max(0, t - die.sides)] for t in range(most + 1)]
        else:
            now = [
                sum(
                    weight * now[t - face]
                    for face, weight in zip(die.faces, die.weights, strict=True)
                    if face <= t
                )
                for t in range(most + 1)
            ]
    return ways, within


def look(room: int, sides: int | Die, tie: Fraction, most: int) -> list[Counterexample]:
    """Return the counterexamples whose game has this maximum, the smallest gap of each claim."""
    die = Die(sides) if isinstance(sides, int) else sides
    ways, _ = _counts(die, most)
    mean, found = die.mean(), dict[str, Counterexample]()
    for gap in range(room + 1):
        rated, fell = _rated(die, gap, room, tie, most), False
        for dice in range(room + 1):
            before, after = die.denominator * rated[dice], rated[dice + 1]
            if after > before:
                if 2 * dice * mean > gap + room:
                    _note(found, _counterexample("conjecture 1", room, die, gap, dice))
                if fell:
                    _note(found, _counterexample("conjecture 2", room, die, gap, dice))
            fell = fell or after < before
    for dice in range(1, room + 1):
        # The sum `room` itself; smaller sums were looked at with smaller rooms.
        if dice * mean > room and ways[dice + 1][room] > die.denominator * ways[dice][room]:
            _note(found, _counterexample("upper bound", room, die, room, dice))
    return list(found.values())


def _rated(die: Die, gap: int, room: int, tie: Fraction, most: int) -> list[int]:
    """Return r(n) for 0, 1, ..., room + 1 dice, times the denominators of the tie and the dice."""
    ways, within = _counts(die, most)
    part, whole = tie.numerator, tie.denominator
    return [
        whole * (within[n][room] - within[n][gap]) + part * ways[n][gap] for n in range(room + 2)
    ]


def _strictly(most: int, dice: list[Die], tie: Fraction) -> Counterexample | None:
    """Return the smallest last turn where, above the middle, one die more is no worse."""
    for room in range(1, most + 1):
        for die in dice:
            mean = die.mean()
            for gap in range(room + 1):
                rated = _rated(die, gap, room, tie, room)
                for n in range(room + 1):
                    level = rated[n + 1] >= die.denominator * rated[n] > 0
                    if level and 2 * n * mean > gap + room:
                        return _counterexample("conjecture 1", room, die, gap, n)
    return None


def _counterexample(claim: str, room: int, die: Die, gap: int, dice: int) -> Counterexample:
    loaded = "" if die.is_fair else str(die)
    return Counterexample(claim, room, die.sides, gap, dice, loaded)


def _note(found: dict[str, Counterexample], one: Counterexample) -> None:
    found.setdefault(one.claim, one)


def sweep(
    most: int = 100,
    sides: tuple[int, int] = (1, 20),
    tie: Fraction = Fraction(1, 2),
    kept: str | Path | None = None,
    jobs: int = -1,
    progress: Callable[[float], None] | None = None,
    die: Die | None = None,
) -> Verdict:
    """Return whether the claims hold for every maximum up to `most` and these sides.

    With `die`, one that may be loaded, they are asked of that die in place of the fair ones.

    With `kept`, every finished (max, sides) is a line of that file, and a sweep that is started
    again goes on from there.

    >>> sweep(12, (1, 4), jobs=1).is_clean
    True
    >>> sweep(5, die=Die({1: "1/2", 6: "1/2"}), jobs=1).counterexamples["conjecture 1"].gap
    2
    """
    first, last = sides
    if not 1 <= most <= MOST or not 1 <= first <= last <= MOST:
        raise RulesError(
            f"a sweep goes over maxima from 1 and sides from 1 up, at most {MOST}: "
            f"got max={most}, sides={first}..{last}"
        )
    if not 0 <= tie <= 1:
        raise RulesError(f"a tie is worth 0 to 1: got tie={tie}")
    if die is not None and die.faces[0] < 1:
        raise RulesError(f"greed needs faces of 1 or more: got die={die}")
    dice = [Die(s) for s in range(first, last + 1)] if die is None else [die]
    done = _read(kept, tie)
    missing = {
        each: [room for room in range(1, most + 1) if (room, str(each)) not in done]
        for each in dice
    }
    total = most * len(dice)
    left = sum(map(len, missing.values()))
    with _appending(kept) as write:
        for answers in _run({d: rooms for d, rooms in missing.items() if rooms}, tie, jobs):
            for room, each, found in answers:
                done[room, str(each)] = found
                write(_line(room, each, tie, found))
            left -= len(answers)
            if progress:
                progress(1 - left / total)
    places = [(room, str(each)) for room in range(1, most + 1) for each in dice]
    smallest: dict[str, Counterexample | None] = dict.fromkeys(CLAIMS)
    for place in reversed(places):
        for one in done[place]:
            smallest[one.claim] = one
    return Verdict(most, (first, last), tie, len(places), smallest, _strictly(most, dice, tie), die)


Answer = tuple[int, Die, list[Counterexample]]


def _run(missing: dict[Die, list[int]], tie: Fraction, jobs: int) -> Iterator[list[Answer]]:
    """Yield the answers for some rooms at a time, in any order."""
    parts = [
        (die, rooms[low : low + 20])
        for die, rooms in missing.items()
        for low in range(0, len(rooms), 20)
    ]
    yield from results(partial(_look_at, tie), parts, jobs)


def _look_at(tie: Fraction, part: tuple[Die, list[int]]) -> list[Answer]:
    die, rooms = part
    return [(room, die, look(room, die, tie, max(rooms))) for room in rooms]


def _line(room: int, die: Die, tie: Fraction, found: list[Counterexample]) -> str:
    told = {"max": room, "sides": die.sides, "tie": str(tie)}
    loaded = {} if die.is_fair else {"die": str(die)}
    return json.dumps({**told, **loaded, "found": [asdict(one) for one in found]}) + "\n"


def _read(kept: str | Path | None, tie: Fraction) -> dict[tuple[int, str], list[Counterexample]]:
    """Return what an earlier sweep has left, less a last line that was cut short."""
    if kept is None or not Path(kept).exists():
        return {}
    require_regular(kept)
    done = {}
    try:
        text = Path(kept).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise WrongTable(
            f"{str(kept)!r} is not from a sweep of conjectures: it is no text"
        ) from None
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if not line.endswith("\n"):
            break
        try:
            told = json.loads(line)
            if Fraction(told["tie"]) == tie:
                found = [Counterexample(**one) for one in told["found"]]
                called = str(told.get("die") or int(told["sides"]))
                done[int(told["max"]), called] = found
        except (ValueError, KeyError, TypeError) as trouble:
            raise WrongTable(
                f"line {number} of {str(kept)!r} is not from a sweep of conjectures: "
                f"{type(trouble).__name__}: {trouble}"
            ) from None
    return done


class _appending:  # noqa: N801
    """Write lines to the end of a file, each whole, or nowhere if there is no file."""

    def __init__(self, kept: str | Path | None) -> None:
        self.path = None if kept is None else Path(kept)
        self.file: Any = None

    def __enter__(self) -> Callable[[str], None]:
        if self.path is None:
            return lambda line: None
        if self.path.exists():  # drop what an interruption cut short
            content = self.path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            if whole != content:
                with written_whole(self.path, "wb") as file:
                    file.write(whole)
        self.file = self.path.open("ab", buffering=0)
        return self._write

    def _write(self, line: str) -> None:
        """Write one line for good, or none of it where the disk is full."""
        before = self.file.tell()
        content = line.encode()
        try:
            while content:
                content = content[self.file.write(content) :]
            os.fsync(self.file.fileno())
        except OSError as trouble:
            self.file.truncate(before)
            raise OSError(trouble.errno, trouble.strerror, str(self.path)) from None

    def __exit__(self, *trouble: Any) -> None:
        if self.file is not None:
            self.file.close()
