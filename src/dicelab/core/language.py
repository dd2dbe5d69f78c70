"""Text in the reader's language: the code speaks English, other languages stand in catalogues.

`tr("You have {points}.", points=3)` is that sentence in the language of who asks; the web lab says
which that is with `speaking`. Everywhere else it is English, and nothing is looked up. A sentence
that no catalogue has, such as one of a game that somebody wrote an hour ago, stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

ENGLISH = "en"

Forms = tuple[str, ...]


class Catalogue:
    """The sentences of one language, which form of a plural goes with a number, and its digits."""

    def __init__(
        self,
        language: str,
        forms: Mapping[str, Forms],
        plural: Callable[[float], int],
        marks: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.language, self.forms, self.plural = language, forms, plural
        self.marks = str.maketrans(dict(marks))  # signs of an English number, and those used here

    def one(self, text: str) -> str:
        """Return a sentence in this language, or as it is where it is not known."""
        return self.forms.get(text, (text,))[0]

    def many(self, one: str, several: str, number: float) -> str:
        """Return the form of a sentence that goes with a number."""
        found = self.forms.get(one)
        if found is None or len(found) < 2:
            return one if number == 1 else several
        return found[self.plural(number)]


_spoken: ContextVar[Catalogue | None] = ContextVar("language", default=None)


@contextmanager
def speaking(catalogue: Catalogue | None) -> Iterator[None]:
    """Speak another language in what follows; None is English."""
    before = _spoken.set(catalogue)
    try:
        yield
    finally:
        _spoken.reset(before)


def language() -> str:
    """Return the language that is spoken now."""
    spoken = _spoken.get()
    return ENGLISH if spoken is None else spoken.language


def tr(text: str, /, **values: object) -> str:
    """Return a sentence in the reader's language; `values` take their places in it."""
    spoken = _spoken.get()
    said = text if spoken is None else spoken.one(text)
    return said.format(**values) if values else said


def trn(one: str, several: str, number: float, /, **values: object) -> str:
    """Return a sentence about so many things; `{n}` is their number."""
    spoken = _spoken.get()
    if spoken is None:
        said = one if number == 1 else several
    else:
        said = spoken.many(one, several, number)
    return said.format(n=number, **values)


def number(value: float, form: str = "") -> str:
    """Return a number as the reader writes it; `form` is Python's, such as .1% or ,d."""
    text = format(value, form)
    spoken = _spoken.get()
    return text if spoken is None else text.translate(spoken.marks)


class Later:
    """A sentence that is said when it is read, in the language of whoever reads it then.

    It is for what one person causes and others are told, such as work that many wait for.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        self.text, self.values = text, values

    def __str__(self) -> str:
        return tr(self.text, **self.values)


def mark(text: str) -> str:
    """Return a text as it is: one that catalogues must have, and that `tr` is given later."""
    return text
