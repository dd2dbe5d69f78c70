"""lazy: a property that is worked out the first time it is asked for.

`functools.cached_property` does that too. But until Python 3.12 it works out the property of one
object at a time, under one lock for all of them, and strategies that meet in several threads would
wait for each other. Here two threads that ask at the same moment may both do the work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 (it is read as `property` is)
    """A property that is worked out once, and then stands in the object's dictionary."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, thing: None, owner: type) -> lazy[Value]: ...

    @overload
    def __get__(self, thing: object, owner: type) -> Value: ...

    def __get__(self, thing: object | None, owner: type) -> lazy[Value] | Value:
        """Return the value; from then on it is found without asking here."""
        if thing is None:
            return self
        value = self.work(thing)
        thing.__dict__[self.name] = value
        return value


class Remembers:
    """A thing that remembers what other rooms work out about it."""

    @lazy
    def _remembered(self) -> dict[Hashable, Any]:
        return {}

    def derived(self, work: Callable[[Any], Value]) -> Value:
        """Return what `work` makes of this thing: worked out once, then kept beside it."""
        if work not in self._remembered:
            self._remembered[work] = work(self)
        found: Value = self._remembered[work]
        return found
