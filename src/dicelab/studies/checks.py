"""Checks: what a study says beside what we find, and a verdict.

A check agrees, or it differs for a reason that we know, or it is wrong. A known reason has to earn
its place: it comes with a test of its own, such as rounding twice and getting the printed number.
If that test fails, or if a number that ought to differ suddenly agrees, the check is wrong too,
since then we no longer know what we claim to know.

>>> number("section 2.2.1", "both roll at 99-99", "0.8571", Fraction(6, 7)).verdict
'agrees'
>>> number("section 2.2.1", "both roll at 99-99", "0.8572", Fraction(6, 7)).verdict
'wrong'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from dicelab.core.arrays import Real

AGREES, EXPLAINED, WRONG = "agrees", "explained", "wrong"
"""The verdicts: the same; different, and we can show why; different, and we cannot."""


@dataclass(frozen=True)
class Reason:
    """Why a number differs, and whether that has been shown."""

    words: str
    shown: bool


@dataclass(frozen=True)
class Check:
    """One thing a study says, and what we find."""

    source: str  # where the study says it
    claim: str  # what it is about
    paper: str
    ours: str
    same: bool
    reason: Reason | None = None  # given where we expect a difference
    is_claimed: bool = True  # False for what we looked at although the study does not say it

    @property
    def verdict(self) -> str:
        """AGREES, EXPLAINED or WRONG."""
        if self.reason is None:
            return AGREES if self.same else WRONG
        return EXPLAINED if self.reason.shown and not self.same else WRONG

    @property
    def remark(self) -> str:
        """The reason of a difference, or what is wrong with it."""
        if self.reason is None:
            return ""
        if self.same:
            return f"agrees although a difference was expected: {self.reason.words}"
        lost = "" if self.reason.shown else "the known reason does not account for it: "
        return f"{lost}{self.reason.words}"


@dataclass(frozen=True)
class Drawn:
    """A figure as files: SVG for the page, PNG where a page would grow too large."""

    name: str
    caption: str
    command: str
    svg: bytes = field(repr=False)
    png: bytes = field(repr=False)


Finding = Check | Drawn | str
"""What a part of a study yields: a check, a figure, or a note."""


@dataclass(frozen=True)
class Section:
    """A part of a study, worked out: its checks, its figures and its notes."""

    title: str
    checks: tuple[Check, ...] = ()
    figures: tuple[Drawn, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A part of a study; called, it is worked out, `quick` with fewer games and starts."""

    title: str
    work: Callable[[bool], Iterable[Finding]]

    def __call__(self, quick: bool) -> Section:
        """Return the part worked out."""
        found = list(self.work(quick))
        return Section(
            self.title,
            tuple(each for each in found if isinstance(each, Check)),
            tuple(each for each in found if isinstance(each, Drawn)),
            tuple(each for each in found if isinstance(each, str)),
        )


def part(title: str) -> Callable[[Callable[[bool], Iterable[Finding]]], Part]:
    """Make a part of a study from the function that yields what is found in it."""
    return lambda work: Part(title, work)


@dataclass(frozen=True)
class Study:
    """A study: who wrote it, its parts, and what of it cannot be recomputed."""

    name: str
    title: str
    about: str
    page: str  # the page in docs/ that tells more
    parts: tuple[Part, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reproduction:
    """A study worked out."""

    study: Study
    sections: tuple[Section, ...]
    seconds: float

    @property
    def checks(self) -> list[Check]:
        """Every check of something that the study says."""
        return [check for check in self._all if check.is_claimed]

    @property
    def besides(self) -> list[Check]:
        """What we looked at besides: nothing that the study says, so never counted as its own."""
        return [check for check in self._all if not check.is_claimed]

    @property
    def _all(self) -> list[Check]:
        return [check for section in self.sections for check in section.checks]

    def count(self, verdict: str) -> int:
        """Return how many of the study's claims have a verdict."""
        return sum(check.verdict == verdict for check in self.checks)

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong, neither with the study's claims nor with what is besides."""
        return all(check.verdict != WRONG for check in self._all)


def rounded(number: Real, like: str) -> str:
    """Return a number with as many decimals as another was printed with, halves rounded up.

    >>> rounded(Fraction(2, 3), "0.123"), rounded(14, "14")
    ('0.667', '14')
    """
    exact = Fraction(number)
    step = Decimal(1).scaleb(min(0, int(Decimal(like).as_tuple().exponent)))
    value = Decimal(exact.numerator) / Decimal(exact.denominator)
    return str(value.quantize(step, ROUND_HALF_UP))


def shown(number: Real, digits: int = 6) -> str:
    """Return our number as people read it: a short fraction with its decimals, or decimals."""
    if isinstance(number, int):
        return f"{number:,}"
    if isinstance(number, Fraction):
        if number.denominator == 1:
            return str(number)
        text = f"{float(number):.{digits}f}"
        return f"{number} = {text}" if len(str(number)) <= 16 else text
    return f"{number:.{digits}f}"


def number(
    source: str, claim: str, paper: str, ours: Real, reason: Reason | None = None, digits: int = 6
) -> Check:
    """Return whether a printed decimal or fraction is what we find, to every printed digit."""
    same = Fraction(paper) == ours if "/" in paper else rounded(ours, paper) == paper
    return Check(source, claim, paper, shown(ours, digits), same, reason)


def counted(
    source: str, claim: str, paper: object, ours: object, reason: Reason | None = None
) -> Check:
    """Return whether a whole number, or a name, is what we find."""
    return Check(source, claim, str(paper), str(ours), ours == paper, reason)


def words(
    source: str,
    claim: str,
    ours: str,
    holds: bool,
    reason: Reason | None = None,
    paper: str = "yes",
) -> Check:
    """Return whether a claim in words holds; `ours` has the numbers."""
    return Check(source, claim, paper, ours, holds, reason)


def besides(source: str, finding: str, ours: str, holds: bool) -> Check:
    """Return something we find that the study does not claim; `source` is what it belongs to."""
    return Check(source, finding, "", ours, holds, is_claimed=False)
