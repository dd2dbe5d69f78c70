"""What a game is: positions, moves, what they lead to, and when it is over.

The rules are written once, over positions that may be one position or a million. A rule reads
fields of a position and does arithmetic on them; NumPy makes the same arithmetic work on an
integer and on an array. So a rule never branches with ``if`` on a field: it chooses with
``where``. It branches freely on the move and on the face of a die.

A position is always seen by the player about to move, so that one table serves all players. With
three and more, the fields of the others stand in the order of their turns.

A player mostly chooses and then throws. In many games he throws and then chooses: a rule then says
what the dice show and, in `ways`, which ways are open when they show that (`rules/chance`).

Someone who only wants to try a house rule derives from `HouseRules` instead and writes plain
Python, one position at a time. Everything works on such a game too, only more slowly.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from dicelab.core.lazy import lazy
from dicelab.core.results import DRAW, LOSS, ONGOING, SAME, WIN
from dicelab.errors import DicelabError, RulesError
from dicelab.rules.chance import (
    Bare,
    Bools,
    Faces,
    Gain,
    Happening,
    Ints,
    Moment,
    Outcome,
    Throw,
    Way,
    exact_amount,
    exact_chance,
)
from dicelab.rules.notation import Notation
from dicelab.rules.speech import Position, Speech

Named = Callable[..., Any]  # what a strategy of that name is, or makes it from its parameters

MOST_WINNERS = 6
"""The most who play where several may win together: the number of such an end stays small."""

SEEN_BY_OTHER = {ONGOING: ONGOING, WIN: LOSS, LOSS: WIN, DRAW: DRAW}
"""A result for the player about to move, as the other player sees it."""


def where(condition: Bools, yes: Ints, no: Ints) -> Ints:
    """Return `yes` where the condition holds and `no` elsewhere, for one position or an array."""
    if isinstance(condition, bool | np.bool_):
        return yes if condition else no
    return np.where(condition, yes, no)


def both(*conditions: Bools) -> Bools:
    """Return whether all the conditions hold, for one position or an array."""
    answer = conditions[0]
    for condition in conditions[1:]:
        answer = answer & condition
    return answer


def either(*conditions: Bools) -> Bools:
    """Return whether any of the conditions holds, for one position or an array."""
    answer = conditions[0]
    for condition in conditions[1:]:
        answer = answer | condition
    return answer


def written(value: object) -> str:
    """Return a parameter's value as people write it: what `registry.read` reads back."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parameter_fields(game: Any) -> list[dataclasses.Field[Any]]:
    """Return the parameters of a game, or of a kind of game; those given only by name come last.

    What a game works out for itself (`init=False`) is no parameter.
    """
    given = (field for field in dataclasses.fields(game) if field.init)
    return sorted(given, key=lambda field: bool(field.kw_only))


@dataclasses.dataclass(frozen=True)
class Game(Notation, Speech, ABC):
    """The contract a game keeps. Its parameters are the fields of the dataclass."""

    name: ClassVar[str] = ""
    moves: ClassVar[tuple[str, ...]] = ()
    #: How many take turns, each seeing the position in the same way.
    players: ClassVar[int] = 2
    #: What each end is worth to a player. All players together must get the same at every end,
    #: but for ends that several of three and more have won, each the whole game.
    #: Left as it is, a game for points (one with gains, or `fewest`) adds nothing for its end.
    worth: ClassVar[Mapping[int, Fraction]] = {
        WIN: Fraction(1),
        LOSS: Fraction(0),
        DRAW: Fraction(1, 2),
    }
    #: What play without an end is worth to a player. Left open it is a draw between two; alone it
    #: is a loss, or infinitely much where the `fewest` are wanted.
    never: ClassVar[Fraction | None] = None
    #: The value is a cost, and the player wants little of it (solo games).
    fewest: ClassVar[bool] = False
    #: What the value counts, in the players' words.
    unit: ClassVar[str] = "chance to win"
    #: Other names under which a parameter may be given.
    aliases: ClassVar[Mapping[str, str]] = {}
    #: ``module:function`` that solves this game faster than its table would; both must agree.
    solver: ClassVar[str] = ""
    #: ``module:function`` that returns what this solver plays as a strategy, without a table.
    best_rule: ClassVar[str] = ""
    #: The game with all its moves, where this one has only those that strategies make.
    whole: ClassVar[Game | None] = None
    follows: ClassVar[Sequence[object]] = ()
    #: ``module:function`` that reads a solution of this game from the file that it wrote.
    loader: ClassVar[str] = ""
    #: ``module:function`` that tells how much work that solver has, as a `core.forecast.Forecast`.
    forecaster: ClassVar[str] = ""
    #: Module with verbs of its own for this kind of game; see `verbs.engines`.
    engine: ClassVar[str] = ""
    #: Numbers that a player reads off the dice after a throw, for rules of thumb to compare.
    throw_numbers: ClassVar[tuple[str, ...]] = ()
    #: What finds rules of thumb where they are of another kind, as module:function.
    distiller: ClassVar[str] = ""
    #: Purposes in words that `for_words` knows, such as "more than a card".
    more_purposes: ClassVar[tuple[str, ...]] = ()
    #: The purpose it is played for, where that is not its own; see `purpose.aimed`.
    aim: ClassVar[str] = ""
    #: Named strategies: a name and what makes one of them from its parameter.
    strategies: ClassVar[dict[str, Named]] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return what a copy in another process is made of; it works the rest out for itself."""
        found = ((name, getattr(type(self), name, None)) for name in self.__dict__)
        worked_out = {name for name, kept in found if isinstance(kept, lazy | cached_property)}
        return {name: value for name, value in self.__dict__.items() if name not in worked_out}

    @abstractmethod
    def start(self) -> Position:
        """Return the position the game starts from."""

    #: Where the game begins instead of its usual start; see `starting`.
    begins_at: ClassVar[Position | None] = None

    def starting(self, at: Position | str) -> Game:
        """Return the same game begun at another position, given as such or in notation.

        Play need not lead there from the usual start: a handicap is a question like any other.
        """
        place = self.going_on_at(at)
        made: Game = _elsewhere(type(self.at_usual_start), place)(**self.parameters)
        return made

    def going_on_at(self, at: Position | str) -> Position:
        """Return a position to start from; one where the game is over, or none, is refused."""
        place = self.parse(at) if isinstance(at, str) else at
        try:
            result = self.result(place)
        except DicelabError:
            raise
        except Exception as trouble:  # the rules are somebody's own, the position anything
            said = f"{type(trouble).__name__}: {trouble}"
            raise RulesError(f"{self} cannot start at {at}: its rules raise {said}") from trouble
        if result not in (ONGOING, None):
            raise RulesError(
                f"{self} is over at {self.notation(place)}: start where there is a move to make"
            )
        return place

    @property
    def at_usual_start(self) -> Game:
        """The same game begun where it usually is."""
        if self.begins_at is None:
            return self
        kind: Any = type(self).__base__
        made: Game = kind(**self.parameters)
        return made

    @property
    def unaimed(self) -> Game:
        """The same game for its own aim."""
        return self

    def for_sum(self, at_least: bool, number: Fraction) -> Game | None:
        """Return this game for the chance of so many points, where it has its own way to count.

        None: what was gained so far becomes a part of its positions; see `purpose.aimed`.
        """
        return None

    def for_words(self, purpose: str) -> Game | None:
        """Return this game for a purpose of its own in words; None where it knows none such."""
        return None

    def asked_at(self, at: Position) -> Game:
        """Return the same game, which need be solved only as far as one position asks for."""
        return self

    def lent(self, rule: Named) -> Named:
        """Return a strategy for its positions, as it is asked at the positions of this game."""
        return rule

    def everywhere(self) -> Position | None:
        """Return positions that its table is to hold besides those that play comes to, as arrays.

        A game with a board of scores gives all pairs of them, so that its maps have no holes.
        """
        return None

    @abstractmethod
    def legal(self, at: Position, move: str) -> Bools:
        """Return whether the move is allowed."""

    @abstractmethod
    def outcomes(self, at: Position, move: str) -> Iterable[Happening]:
        """Yield (chance, next position, who moves next[, gain]); a `Throw` leaves a choice."""

    def ways(self, at: Position, move: str, dice: Faces) -> Iterable[Way | Bare]:
        """Yield (name, next position, who moves next[, gain[, where it is open]]) after a throw."""
        raise RulesError(f"{self} throws and leaves a choice: it must say in ways() what is open")

    def throw_number(self, name: str, at: Position, dice: Faces) -> Ints:
        """Return one of the `throw_numbers` after a throw."""
        raise RulesError(f"{self} reads no {name} off the dice")

    @abstractmethod
    def result(self, at: Position) -> Ints:
        """Return WIN, LOSS or DRAW for the player about to move where the game is over.

        Where more than two play, `won_by` says who has won.
        """

    def won_by(self, *seats: int) -> int:
        """Return the result where the player so many seats after the one about to move has won.

        Of three players and more several may have won together, each of them the whole game.
        """
        if len(seats) > 1:
            return self._won_by_several(seats)
        (seat,) = seats
        if seat == 0:
            return WIN
        return LOSS if self.players == 2 else DRAW + seat

    def _won_by_several(self, seats: tuple[int, ...]) -> int:
        """Return the number of an end that several have won: it tells each of them."""
        if not 2 < self.players <= MOST_WINNERS:
            raise RulesError(
                f"{self.name or self} is played by {self.players}: several may win together where "
                f"3 to {MOST_WINNERS} play"
            )
        return DRAW + self.players - 1 + sum(1 << seat for seat in seats)

    def won_where(self, *won: Bools) -> Ints:
        """Return the result where each player, the one about to move first, has won or has not.

        Where nobody has, the game goes on. For one position or an array.
        """
        every = range(len(won))
        ends = [ONGOING]
        for who in range(1, 1 << len(won)):
            seats = [seat for seat in every if who >> seat & 1]
            ends.append(DRAW if len(seats) == self.players == 2 else self.won_by(*seats))
        return np.array(ends)[sum(where(each, 1 << seat, 0) for seat, each in enumerate(won))]

    def payoff(self, at: Position) -> Gain | Bare:
        """Return what the end at a position is worth to the player about to move there.

        Left as it is, that is the `worth` of the result. A game that says it here is for points:
        whole numbers, or `Amount` where they are fractions. Between two the other player gets the
        rest of the pot, which is nothing but what a win and a loss are worth together. With three
        and more it is a tuple: what each player gets, the one about to move first.
        """
        return exact_amount(self.worth[int(self.result(at))])

    def legal_moves(self, at: Position) -> list[str]:
        """Return the moves allowed at one position, in the order of `moves`, or a moment's ways."""
        if isinstance(at, Moment):
            return [way.name for way in self.open_ways(at)]
        return [move for move in self.moves if self.legal(at, move)]

    def open_ways(self, at: Moment) -> list[Way]:
        """Return the ways that are open at a moment after a throw."""
        ways = (Way(*each) for each in self.ways(at.at, at.move, at.dice))
        return [way for way in ways if way.allowed]

    def law(self, at: Position, move: str) -> list[tuple[Fraction, Outcome]]:
        """Return what may follow a move at one position, or a way at a moment, with its chance.

        A throw leads to a `Moment`, seen by the same player; where only one way is open it is
        taken at once, and nobody is asked.
        """
        if isinstance(at, Moment):
            ways = [way for way in self.open_ways(at) if way.name == move]
            return [(Fraction(1), Outcome(1, way.at, way.mover, way.gain)) for way in ways]
        found = []
        for each in self.outcomes(at, move):
            chance = exact_chance(each[0])
            if chance:
                found.append((chance, self.followed(at, move, each)))
        return found

    def followed(self, at: Position, move: str, each: Happening) -> Outcome:
        """Return what chance did as an outcome; a throw that leaves a choice leads to a moment."""
        if not isinstance(each, Throw):
            return Outcome(*each)
        moment = Moment(at, move, each.dice)
        ways = self.open_ways(moment)
        if len(ways) == 1:
            return Outcome(each.chance, ways[0].at, ways[0].mover, ways[0].gain)
        return Outcome(each.chance, moment, SAME)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws; 0 where it throws none, or the rules do not tell."""
        return 0

    def dice_at(self, at: Position, move: str) -> int:
        """Return how many dice a move throws at one position, where that depends on it."""
        return self.dice_of(move)

    def after(self, at: Position, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move at one position when its dice show these faces.

        Where rules tell each throw by its faces, in order, they need not say this again.
        """
        every = list(self.outcomes(at, move))
        if len(every) > 1:
            shown = tuple(sorted(faces))
            every = [each for each in every if isinstance(each, Throw) and each.dice == shown]
        (only,) = every
        return self.followed(at, move, only)

    def size(self) -> int | None:
        """Return about how many positions there are, before counting them; None if unknown."""
        return None

    def branching(self) -> float | None:
        """Return about how many outcomes a position has, all its moves together; None if unknown.

        With `size` it tells how much memory the game needs before any work is done.
        """
        return None

    def example_positions(self) -> list[str]:
        """Return notations of positions worth asking about, the first one first.

        Where the first move can only be a throw that leaves a choice, that is worth more.
        """
        at, told = self.start(), super().example_positions()
        moves = self.legal_moves(at)
        if len(moves) == 1 and not self.is_simultaneous:
            after = [outcome.at for _, outcome in self.law(at, moves[0])]
            moments = [self.write(each) for each in after if isinstance(each, Moment)]
            told = [*moments[-1:], *told]
        return told

    @property
    def is_simultaneous(self) -> bool:
        """Whether both players choose and throw at once; see `SimultaneousGame`."""
        return False

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of this game by name."""
        return {field.name: getattr(self, field.name) for field in parameter_fields(self)}

    def worth_to(self, seat: int) -> Mapping[int, Fraction]:
        """Return what each end is worth to the player who goes first (0) or second (1)."""
        if self.players > 2 and self.worth is Game.worth:
            return {**self.worth, DRAW: Fraction(1, self.players)}
        return self.worth

    @property
    def total(self) -> Fraction:
        """What all players together get, however the game ends."""
        won, lost = exact_amount(self.worth[WIN]), exact_amount(self.worth[LOSS])
        return won + max(1, self.players - 1) * lost

    @property
    def is_one_pot(self) -> bool:
        """Whether what one player gets is always what the others do not; so is it alone."""
        if self.players == 1:
            return True
        if self.players > 2:
            worths = [self.worth_to(0)[DRAW], *([] if self.never is None else [self.never])]
            return all(self.players * Fraction(worth) == self.total for worth in worths)
        first, second = self.worth_to(0), self.worth_to(1)
        pots = {first[WIN] + second[LOSS], first[LOSS] + second[WIN], first[DRAW] + second[DRAW]}
        pots |= set() if self.never is None else {2 * Fraction(self.never)}
        return pots == {self.total}

    @property
    def pays_ends(self) -> bool:
        """Whether its rules say what each single end is worth; see `payoff`."""
        return type(self).payoff is not Game.payoff

    def for_points(self) -> Game:
        """Return the same game, which says of itself that it is for points.

        An end then adds nothing, unless the rules say so. A table does this where the rules gain
        something on the way or pay ends.
        """
        says_worth = self.worth is not Game.worth
        unit = "points" if self.unit == Game.unit else self.unit
        if says_worth and unit == self.unit:
            return self
        made: Game = _in_points(type(self), says_worth, unit)(**self.parameters)
        return made

    @property
    def own_parameters(self) -> dict[str, str]:
        """The parameters that differ from the defaults, as they are written."""
        return {
            field.name: written(getattr(self, field.name))
            for field in parameter_fields(self)
            if getattr(self, field.name) != field.default
        }

    def __str__(self) -> str:
        """Return the name with the parameters that differ from the defaults."""
        told = [f"{name}={value}" for name, value in self.own_parameters.items()]
        if self.begins_at is not None:
            told.append(f"from {self.notation(self.begins_at)}")
        return " ".join([self.name or type(self).__name__, *told])

    def needs(self, condition: bool, what: str) -> None:
        """Refuse parameters that make no game, saying what the game needs."""
        if not condition:
            raise RulesError(f"{self.name} needs {what}")


NOTHING: Mapping[int, Fraction] = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))
"""What ends are worth in a game for points whose rules do not say."""


@lru_cache(maxsize=256)
def _in_points(kind: type[Game], says_worth: bool, unit: str) -> type[Game]:
    """Return a kind of game that is for points; one class for each, so that equals are."""

    def again(self: Game) -> Bare:
        return Game.for_points, (kind(**self.parameters),)

    told: dict[str, Any] = {"unit": unit, "__reduce__": again}
    if not says_worth:
        told["worth"] = NOTHING
    same = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), {**same, **told})


@lru_cache(maxsize=256)
def _elsewhere(kind: type[Game], at: Position) -> type[Game]:
    """Return a kind of game that begins at a position; one class for each, so that equals are."""

    def again(self: Game) -> Bare:
        return _begun, (kind(**self.parameters), at)

    told = {"start": lambda _: at, "begins_at": at, "__reduce__": again}
    same = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), {**same, **told})


def _begun(usual: Game, at: Position) -> Game:
    """Return a game that begins at a position, as it is sent to another process."""
    return _elsewhere(type(usual), at)(**usual.parameters)
