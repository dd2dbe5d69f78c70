"""A match of rounds: what stands between rounds, which one is thrown, what its result leads to.

In many games one throws the same dice again and again, keeps some after each cast, and what the
dice show in the end changes what stands on the table: a box of a scorecard is filled, tokens change
hands. Such a game is told by its **standings**, which are what stands between rounds:

- `opening` is the first one, and `ended` says where the match is over;
- `round_at` says which of the `rounds` is thrown there;
- `leads` says what may follow when a round ends with a result after so many casts. Where there are
  several ways on, such as the boxes that could be filled, the player who threw takes one of them.

These rules are asked about one standing or about many at once: fields are integers or arrays
``[standings, 1]``, results are numbers of combinations or arrays ``[results]``, and all that a way
has is broadcast from them. So a rule chooses with ``where`` and looks up tables.

Everything else is made from that: the positions inside a round, its moves and its notation, so that
a match is a game like any other. Its engine (`verbs.match`) keeps numbers for standings only and
makes what happens inside a round again when it is asked about.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.errors import RulesError, UnknownPosition, UnreadablePosition
from dicelab.rounds.combinations import Combinations
from dicelab.rounds.rules import Player, Round
from dicelab.rules import ONGOING, SAME, HouseRules, Outcome, Position, Way
from dicelab.rules.sentences import OTHER_PLAYER, count, said_by, upper_first
from dicelab.rules.speech import Told

CAST = "cast"
SCORE = "score "
"""What the names of ways begin with that fill a box."""
BAR = " | "
"""What stands between a standing and the dice on the table."""

Standing = Any  # a NamedTuple of integers, or of arrays of them
Ints = Any  # an int, or an array of them

_TABLE = re.compile(r"\s*(?:([^a-z]*?)\s*\+)?\s*([^a-z]*?)\s*,\s*(\d{1,9})\s*(?:casts?\s*)?left\s*")


class Throws(NamedTuple):
    """One of the rounds that a match may throw, and whether its player may stop early."""

    round: Round
    player: Player = "first"


class MatchPosition(NamedTuple):
    """A standing, the dice aside and those just thrown (numbers of combinations), casts left."""

    standing: Standing
    aside: int
    thrown: int  # 0, no dice: the round has not begun
    left: int


@dataclass(frozen=True)
class Match(HouseRules):
    """A game whose turns are rounds of keep-and-reroll."""

    tray: ClassVar[str] = "keep"
    solver: ClassVar[str] = "dicelab.verbs.match:solve_match"
    #: Whether it may end in a draw; None: its standings tell.
    may_draw: ClassVar[bool | None] = None
    loader: ClassVar[str] = "dicelab.verbs.match:load_standings"

    # What the rules of a match say

    @property
    @abstractmethod
    def rounds(self) -> tuple[Throws, ...]:
        """The rounds that may be thrown, all with the same dice."""

    @abstractmethod
    def opening(self) -> Standing:
        """Return what stands before the first round, seen by the player about to throw."""

    @abstractmethod
    def ended(self, standing: Standing) -> Ints:
        """Return WIN, LOSS or DRAW for the player about to throw where the match is over."""

    def round_at(self, standing: Standing) -> Ints:
        """Return which of the rounds is thrown at a standing."""
        return 0

    @abstractmethod
    def leads(self, standing: Standing, cast: int, result: Ints) -> Iterable[Way | tuple[Any, ...]]:
        """Yield (name, next standing, who moves next[, gain[, where it is open]]) after a round.

        `result` counts from 0 among the combinations of all dice; `cast` is how many casts it took.
        """

    def standing_notation(self, standing: Standing) -> str:
        """Return the one-line notation of a standing."""
        return " ".join(f"{field}={value}" for field, value in standing._asdict().items())

    def begins_position(self, word: str) -> bool:
        """Return whether a notation may begin with a word and an equals sign."""
        return word in self.opening()._fields

    def read_standing(self, text: str) -> Standing:
        """Return the standing that a notation stands for."""
        found = dict(re.findall(r"(\w+)\s*=\s*(-?\d{1,18})", text))
        like = self.opening()
        if set(found) != set(like._fields) or len(text.split()) != len(found):
            raise self.unreadable(text)
        return type(like)(**{field: int(found[field]) for field in like._fields})

    # What is made from them: the game inside a round

    @property
    def numbers(self) -> Combinations:
        """The combinations of the dice, numbered."""
        return self.rounds[0].round.numbers

    def thrown_at(self, standing: Standing) -> Throws:
        """Return the round that is thrown at one standing."""
        return self.rounds[int(self.round_at(standing))]

    def begin(self, standing: Standing) -> MatchPosition:
        """Return the position before the first cast at a standing."""
        over = int(self.ended(standing)) != ONGOING
        return MatchPosition(standing, 0, 0, 0 if over else self.thrown_at(standing).round.casts)

    def start(self) -> MatchPosition:
        """Return the position before the first cast of the match."""
        return self.begin(self.opening())

    def result(self, at: MatchPosition) -> int:
        """Return how the match ended, for the player about to throw."""
        return ONGOING if at.thrown else int(self.ended(at.standing))

    def ends(self, at: MatchPosition) -> list[Way]:
        """Return the ways on from a position where the round may end; none where it may not."""
        throws = self.thrown_at(at.standing)
        if not at.thrown or (at.left and throws.player == "next"):
            return []
        return self.ways_on(at.standing, throws.round.casts - at.left, self.shown(at))

    def ways_on(self, standing: Standing, cast: int, result: int) -> list[Way]:
        """Return the ways that are open after a round, at one standing."""
        ways = [each for told in self.leads(standing, cast, result) if (each := Way(*told)).allowed]
        names = [way.name for way in ways]
        for name in names:
            check_name(self, name, names.count(name) > 1)
        return ways

    def shown(self, at: MatchPosition) -> int:
        """Return what all the dice show, as a result counts."""
        table = self.thrown_at(at.standing).round.table_of(at.aside, at.thrown)
        shows = self.thrown_at(at.standing).round.matrices.shows[table]
        return int(shows) - self.numbers.full.start

    def keeps(self, at: MatchPosition) -> list[int]:
        """Return what may be kept so that some dice are cast again, fewest first."""
        if not at.thrown or not at.left:
            return []
        game = self.thrown_at(at.standing).round
        options: list[int] = game.options_of(game.table_of(at.aside, at.thrown)).tolist()
        return options[:-1]

    def choices(self, at: MatchPosition) -> list[str]:
        """Return what may be kept, fewest dice first, then the ways on from what lies there."""
        if not at.thrown:
            return [CAST]
        return [*map(self.keep_move, self.keeps(at)), *(way.name for way in self.ends(at))]

    def outcomes(self, at: MatchPosition, move: str) -> Iterable[Outcome]:
        """Return every cast with its chance, or what the end of the round leads to."""
        if move == CAST or move.startswith("keep "):
            return _casts(self, at.standing, self.kept_by(move), at.left - 1)
        way = next(way for way in self.ends(at) if way.name == move)
        return (Outcome(1, self.begin(way.at), way.mover, way.gain),)

    def on_table(self, at: MatchPosition, kept: int, thrown: int) -> MatchPosition:
        """Return the position after a cast; where any die may be cast again none stays aside."""
        game = self.thrown_at(at.standing).round
        if game.keep == "any":
            kept, thrown = 0, int(game.matrices.shows[game.table_of(kept, thrown)])
        return MatchPosition(at.standing, kept, thrown, at.left - 1)

    def after(self, at: Position, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if not self.dice_of(move):
            return super().after(at, move, faces)
        return Outcome(1, self.on_table(at, self.kept_by(move), self._number(faces)), SAME)

    def _number(self, faces: Sequence[int]) -> int:
        return self.numbers.number(tuple(faces))

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        if move == CAST or move.startswith("keep "):
            return self.numbers.dice - int(self.numbers.sizes[self.kept_by(move)])
        return 0

    def keep_move(self, kept: int) -> str:
        """Return the name of the move that keeps a combination."""
        return _keeping(self.numbers)[0][kept]

    def kept_by(self, move: str) -> int:
        """Return the combination that a move keeps."""
        if move == CAST:
            return 0
        known = _keeping(self.numbers)[1].get(move)
        return self.numbers.number(move.removeprefix("keep ")) if known is None else known

    # Notation

    def notation(self, at: MatchPosition) -> str:
        """Return the standing, and the dice on the table where there are any."""
        standing = self.standing_notation(at.standing)
        if not at.thrown:
            return standing
        write = self.numbers.write
        shown = f"{write(at.aside)}+{write(at.thrown)}" if at.aside else write(at.thrown)
        return f"{standing}{BAR}{shown}, {at.left} left"

    def parse(self, text: str) -> MatchPosition:
        """Return the position that a notation stands for; dice alone lie there at the start."""
        before, bar, table = text.rpartition(BAR.strip())
        alone = not bar and _TABLE.fullmatch(text)
        standing = (
            self.opening() if alone else self.read_standing((before if bar else text).strip())
        )
        begins = self.begin(standing)
        if not (bar or alone):
            return begins
        found = _TABLE.fullmatch(table)
        if found is None:
            raise self.unreadable(text)
        kept, shown = ((dice or "-").replace(" ", "") for dice in found.groups()[:2])
        aside = self.numbers.number(kept)
        live = self.numbers.dice - int(self.numbers.sizes[aside])
        thrown, left = self.numbers.number(shown, dice=live), int(found[3])
        if not 0 <= left < begins.left:
            raise UnknownPosition(
                f"there are {count(begins.left, 'cast')} at {self.standing_notation(standing)}: "
                f"got {left} left after a cast"
            )
        if aside and self.thrown_at(standing).round.keep == "any":
            raise UnknownPosition(
                f"nothing stays aside in {self}, where any die may be cast again: "
                f"write all dice together, such as {self.numbers.write(self._all(aside, thrown))}"
            )
        return MatchPosition(standing, aside, thrown, left)

    def _all(self, aside: int, thrown: int) -> int:
        return int(self.numbers.rank(self.numbers.counts[aside] + self.numbers.counts[thrown]))

    def unreadable(self, text: str) -> UnreadablePosition:
        """Return the error for a text that is no position of this match."""
        example = self.example_positions()[0]
        return UnreadablePosition(
            f"cannot read {text!r} as a position of {self.name or self}: write it like {example!r}"
        )

    def example_positions(self) -> list[str]:
        """Return positions worth asking about: after a first cast of the match, and before it."""
        at, faces = self.start(), self.numbers.faces
        shows = [*faces[:-3:-1], *[faces[0]] * self.numbers.dice][: self.numbers.dice]
        return [self.notation(self.on_table(at, 0, self._number(shows))), self.notation(at)]

    # Speech

    def label(self, at: MatchPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        if not self.dice_of(move) or move == CAST:
            return upper_first(tr(move))
        kept = upper_first(self.spoken(at, move))
        return trn("{kept}, cast {n} die", "{kept}, cast {n} dice", self.dice_of(move), kept=kept)

    def spoken(self, at: MatchPosition, move: str) -> str:
        """Return a move as one says it: to keep no die is to keep nothing."""
        if move == "keep -":
            return tr("keep nothing")
        return tr("keep {dice}", dice=move[5:]) if move.startswith("keep ") else tr(move)

    def kept(self, at: MatchPosition, move: str) -> list[int] | None:
        """Return the faces that a move keeps; None where it is not about keeping."""
        return self._faces(self.kept_by(move)) if move.startswith("keep ") else None

    def _faces(self, number: int) -> list[int]:
        return [int(face) for face in self.numbers.faces_of(number)[::-1]]

    def counters(self, at: MatchPosition, mine: bool = True) -> JsonObject:
        """Return what stands, the dice on the table (highest first) and the casts left."""
        told = {field: int(value) for field, value in at.standing._asdict().items()}
        dice = {"aside": self._faces(at.aside), "thrown": self._faces(at.thrown)}
        return {**told, **dice, "left": at.left}

    def describe(self, at: MatchPosition, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        before, left = self.describe_standing(at.standing, mine), at.left
        if not at.thrown and not left:
            return before
        if not at.thrown:
            casts = trn("{n} time", "{n} times", left)
            now = said_by(
                mine, "You can cast {casts}.", "The other player can cast {casts}.", casts=casts
            )
            return f"{before} {now}"
        threw = mark("You threw {dice}; {left} left."), mark("{who} threw {dice}; {left} left.")
        if at.aside:
            threw = (
                mark("You threw {dice}, {aside} aside; {left} left."),
                mark("{who} threw {dice}, {aside} aside; {left} left."),
            )
        now = said_by(
            mine,
            *threw,
            who=tr(OTHER_PLAYER),
            dice=self.numbers.write(at.thrown),
            aside=self.numbers.write(at.aside),
            left=trn("{n} cast", "{n} casts", left),
        )
        return f"{before} {now}"

    def describe_standing(self, standing: Standing, mine: bool = True) -> str:
        """Return a standing in a sentence."""
        return tr("The standing is {standing}.", standing=self.standing_notation(standing))

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when the player kept some dice and cast others, or ended a round."""
        cast, kept = ", ".join(map(str, faces)), move.partition(" ")[2]
        if not self.dice_of(move):
            who = tr("You") if you else tr(OTHER_PLAYER)
            return Told(tr("{who}: {move}.", who=who, move=self.spoken(at, move)), "stood")
        if move == CAST:
            text = said_by(you, "You cast {dice}.", "The other player casts {dice}.", dice=cast)
        elif kept == "-":
            text = said_by(
                you,
                "You keep nothing and cast {dice}.",
                "The other player keeps nothing and casts {dice}.",
                dice=cast,
            )
        else:
            text = said_by(
                you,
                "You keep {kept} and cast {dice}.",
                "The other player keeps {kept} and casts {dice}.",
                kept=kept,
                dice=cast,
            )
        return Told(text, "cast")


def check_name(game: Match, name: str, is_twice: bool) -> None:
    """Refuse a way on whose name another way or a cast has."""
    if is_twice or name == CAST or name.startswith("keep "):
        raise RulesError(
            f"{game} has two moves called {name!r} when a round ends: give each way its own name"
        )


@lru_cache(maxsize=32)
def _keeping(numbers: Combinations) -> tuple[list[str], dict[str, int]]:
    """Return the name of the move that keeps each combination, and the reverse."""
    names = [f"keep {numbers.write(kept)}" for kept in range(len(numbers))]
    return names, {name: kept for kept, name in enumerate(names)}


@lru_cache(maxsize=4096)
def _casts(game: Match, standing: Standing, kept: int, left: int) -> tuple[Outcome, ...]:
    """Return what the dice that are not kept may show."""
    law: dict[MatchPosition, Fraction] = {}
    thrown_at = game.thrown_at(standing).round
    at = MatchPosition(standing, 0, 0, left + 1)
    for thrown in game.numbers.of_size(game.numbers.dice - int(game.numbers.sizes[kept])):
        after = game.on_table(at, kept, thrown)
        law[after] = law.get(after, Fraction(0)) + thrown_at.chance(thrown)
    return tuple(Outcome(chance, after, SAME) for after, chance in law.items())
