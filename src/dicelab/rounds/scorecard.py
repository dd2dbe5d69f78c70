"""A scorecard: after every round one box is filled, and all boxes together are the score.

A card is declared by its boxes, each a function of the dice (their faces, rising), and by what is
gained besides:

- boxes that count towards the **bonus**: so many points in them, and there are so many more;
- one box may be **special**: where it has been filled with points, every further result that would
  fill it again gains `again` points. Such a result may then be a joker, which fills other boxes
  with what they say a joker is worth (`joker`: forced, free or none).

What stands between rounds is which boxes are filled, what counts towards the bonus (no further than
it takes), and whether the special box has its points.

>>> from dicelab.rules.dice import Die
>>> class Two(Scorecard):
...     dice, die, casts, enough, bonus = 2, Die(3), 2, 4, 10
...     boxes = (Box("threes", lambda dice: 3 * dice.count(3), counts=True), Box("sum", sum))
>>> game = Two()
>>> game.notation(game.start()), [way.name for way in game.ways_on(game.opening(), 2, 5)]
('empty counted=0', ['score threes', 'score sum'])
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr, trn
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, TooLarge, UnknownPosition
from dicelab.rounds.card_arrays import (
    JOKERS,
    MOST_POINTS,
    Again,
    Box,
    card_arrays,
    scores_of,
)
from dicelab.rounds.card_board import card_board
from dicelab.rounds.card_kernels import CardArrays
from dicelab.rounds.match import SCORE, Match, MatchPosition, Throws
from dicelab.rounds.rules import Round
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, WIN, Game, Ints, Position, Way, where
from dicelab.rules.board import Done
from dicelab.rules.dice import Die, d6
from dicelab.rules.failure import failure
from dicelab.rules.registry import did_you_mean, imported
from dicelab.rules.sentences import YOU, said_by, upper_first
from dicelab.rules.speech import Told

EMPTY, COUNTED = "empty", "counted"
MOST_BOXES = 20
MOST_COUNTED = 10**8
"""Numbers that may count towards a bonus, for each set of the boxes that count."""
WHOLE = re.compile(r"\d{1,9}")


class Card(NamedTuple):
    """What stands between rounds."""

    filled: Ints  # a bit for each box
    counted: Ints  # towards the bonus, no further than it takes
    marked: Ints  # 1 where the special box has its points


@dataclass(frozen=True)
class Scorecard(Match):
    """A game alone for the points of a card; derive from it and declare the boxes."""

    players: ClassVar[int] = 1
    unit: ClassVar[str] = "points"
    worth: ClassVar[Mapping[int, Fraction]] = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))
    solver: ClassVar[str] = "dicelab.verbs.scorecards:solve_card"
    forecaster: ClassVar[str] = "dicelab.verbs.scorecards:forecast_card"
    engine: ClassVar[str] = "dicelab.verbs.card_play"
    distiller: ClassVar[str] = "dicelab.verbs.card_distil:distil_card"
    more_purposes: ClassVar[tuple[str, ...]] = ("more than a card", "more than another player")
    #: What a card becomes that is played for the chance of so many points.
    aimed_kind: ClassVar[str] = "dicelab.rounds.card_aim:AimedCard"
    #: What it becomes where it is played to have more points than somebody else.
    rival_kind: ClassVar[str] = "dicelab.rounds.card_aim:CardAgainst"
    #: What it becomes where two fill a card each, in sight of each other.
    duel_kind: ClassVar[str] = "dicelab.rounds.card_duel:CardDuel"

    most_positions: ClassVar[int] = 5 * 10**9
    dice: ClassVar[int] = 5
    die: ClassVar[Die] = d6
    casts: ClassVar[int] = 3
    boxes: ClassVar[Sequence[Box]] = ()
    enough: ClassVar[int] = 0
    bonus: ClassVar[int] = 0
    special: ClassVar[str] = ""
    again: ClassVar[int] = 0
    joker: ClassVar[str] = "none"

    def __post_init__(self) -> None:
        """Refuse a card that cannot be filled."""
        self.needs(len(self.boxes) > 0, "a box to fill: got none")
        strange = [box for box in self.boxes if not isinstance(box, Box)]
        self.needs(not strange, f"a Box for each of its boxes: got {strange[:1]}")
        self.needs(
            len(self.boxes) <= MOST_BOXES,
            f"at most {MOST_BOXES} boxes, each of which doubles the work: got {len(self.boxes)}",
        )
        twice = [name for name in self.names if self.names.count(name) > 1]
        self.needs(
            not twice, f"boxes of different names: got {', '.join(sorted(set(twice)))} twice"
        )
        odd = [
            name
            for name in self.names
            if name.split() != [name] or set(name) & set("=|,+") or name in (EMPTY, COUNTED)
        ]
        self.needs(not odd, f"names of one word for its boxes: got {odd[:1]}")
        self.needs(
            self.joker in JOKERS, f"joker to be {', '.join(JOKERS[:-1])} or {JOKERS[-1]}: "
            f"got {self.joker!r}"
        )  # fmt: skip
        self.needs(self.enough >= 0, f"enough=0 or more points for the bonus: got {self.enough}")
        for name in ("bonus", "again"):  # less than none could take back what was enough
            points = getattr(self, name)
            self.needs(
                0 <= points < MOST_POINTS,
                f"{name}=0 or more points, and fewer than {MOST_POINTS:,}: got {points}",
            )
        assert self.arrays is not None

    # The card as arrays

    @property
    def names(self) -> list[str]:
        """The names of the boxes."""
        return [box.name for box in self.boxes]

    @lazy
    def rounds(self) -> tuple[Throws, ...]:
        """The one round that is thrown."""
        return (Throws(Round(self.dice, self.die, self.casts, "any")),)

    @lazy
    def results(self) -> list[tuple[int, ...]]:
        """The faces of each result, rising."""
        return [self.numbers.faces_of(each) for each in self.numbers.full]

    @lazy
    def arrays(self) -> CardArrays:
        """The card as arrays: what a result scores, by how it may be scored."""
        written = [self.numbers.write(each) for each in self.numbers.full]
        again = Again(self.special, self.again, self.joker)
        try:
            score = scores_of(self.boxes, self.results, written, self.name or type(self).__name__)
            return card_arrays(self.boxes, self.results, score, again, self.enough, self.bonus)
        except RulesError:
            raise
        except Exception as trouble:  # in a function of the user's own
            raise failure(self, trouble) from trouble

    # The rules

    def opening(self) -> Card:
        """Return the empty card."""
        return Card(0, 0, 0)

    def ended(self, standing: Card) -> Ints:
        """Return where the card is full."""
        return where(standing.filled == (1 << len(self.boxes)) - 1, DRAW, ONGOING)

    def leads(self, standing: Card, cast: int, result: Ints) -> Iterable[Way]:
        """Yield the boxes that may be filled, each with what that gains."""
        rules = self.arrays
        mode = self._mode(standing, result)
        for place, name in enumerate(self.names):
            score = rules.score[mode, place, result]
            allowed = ((standing.filled >> place & 1) == 0) & (score >= 0)
            counted = standing.counted + rules.counts[place] * score
            reaches = (counted >= rules.enough) & (standing.counted < rules.enough)
            gain = score + rules.extra[standing.marked, mode, result]
            gain = gain + where(reaches, rules.bonus, 0)
            after = Card(
                standing.filled | 1 << place,
                where(counted < rules.enough, counted, rules.enough),
                standing.marked | rules.marks[place, result],
            )
            yield Way(SCORE + name, after, OTHER, gain, allowed)

    def _mode(self, standing: Card, result: Ints) -> Ints:
        """Return how a result may be scored on a card: as any other, or as one of the jokers."""
        rules = self.arrays
        which = rules.special_of[result]
        return where(which >= 0, rules.modes[standing.filled * (len(rules.modes) > 1), which], 0)

    # Notation: the filled boxes, what counts towards the bonus, the special box with its points

    @property
    def _special_points(self) -> int:
        return int(self.arrays.score[0, self.names.index(self.special)].max())

    def standing_notation(self, standing: Card) -> str:
        """Return ``aces yahtzee=50 counted=3``: the filled boxes and what counts."""
        told = []
        for place, name in enumerate(self.names):
            if int(standing.filled) >> place & 1:
                has = name == self.special and standing.marked
                told.append(f"{name}={self._special_points}" if has else name)
        told = told or [EMPTY]
        if self.arrays.enough:
            told.append(f"{COUNTED}={int(standing.counted)}")
        return " ".join(told)

    def read_standing(self, text: str) -> Card:
        """Return the card of a notation; boxes may have their points, ``aces=3 chance=22``.

        Where all boxes that count have theirs, what counts need not be given.
        """
        filled, counted, marked, said = 0, 0, 0, None
        missing = 0  # the boxes that count and are filled, without their points
        for word in text.split():
            name, equals, points = word.partition("=")
            if equals and not WHOLE.fullmatch(points):
                raise self.unreadable(text)
            if name == COUNTED:
                if not equals or said is not None:
                    raise self.unreadable(text)
                said = int(points)
                continue
            if name == EMPTY:
                continue
            place = self._place(name)
            if filled >> place & 1:
                raise UnknownPosition(f"{name} is filled twice in {text!r}: a box is filled once")
            filled |= 1 << place
            if equals:
                self._check_points(name, place, int(points))
            if name == self.special and self.arrays.marks.any():
                marked = int(bool(equals) and int(points) > 0)
            if self.arrays.counts[place]:
                counted += int(points) if equals else 0
                missing |= 0 if equals else 1 << place
        return self._card(text, filled, counted, marked, said, missing)

    def points_told(self, text: str, card: Card, instead: str) -> int:
        """Return the points of a card as its notation tells them, box by box, with the bonus.

        Refused where a box is filled and its points are not told.
        """
        told = {name: int(points) for name, points in re.findall(r"(\S+)=(\d+)", text)}
        if self.arrays.marks.any():  # without points it has none
            told.setdefault(self.special, 0)
        for place, name in enumerate(self.names):
            if card.filled >> place & 1 and name not in told:
                raise UnknownPosition(
                    f"the points of {name} are not told in {text!r}: write {name}=N, "
                    f"or {instead} at the end"
                )
        boxes = sum(points for name, points in told.items() if name in self.names)
        enough = self.arrays.enough and card.counted >= self.arrays.enough
        return boxes + (self.bonus if enough else 0)

    def begins_position(self, word: str) -> bool:
        """Return whether a notation may begin with a word and an equals sign."""
        return word in (*self.names, COUNTED)

    def _card(
        self,
        text: str,
        filled: int,
        counted: int,
        marked: int,
        said: int | None,
        missing: int,
    ) -> Card:
        enough = self.arrays.enough
        if said is None and missing:
            name = self.names[(missing & -missing).bit_length() - 1]
            raise UnknownPosition(
                f"what counts towards the bonus is not told in {text!r}: give {name} its "
                f"points, such as {name}=0, or add {COUNTED}=N"
            )
        total = min(enough, counted if said is None else said)
        may = [min(enough, counted + more) for more in self.counted_with(missing)]
        if total not in may:
            raise UnknownPosition(
                f"{total} cannot be counted with what is filled in {text!r}: the most is {max(may)}"
            )
        return Card(filled, total, marked)

    def _place(self, name: str) -> int:
        if name not in self.names:
            if name.isdecimal():  # dice without the casts that are left
                raise self.unreadable(name)
            raise UnknownPosition(f"{self} has no box {name!r}{did_you_mean(name, self.names)}")
        return self.names.index(name)

    def _check_points(self, name: str, place: int, points: int) -> None:
        score = self.arrays.score[:, place]
        if points not in score[score >= 0]:
            shown = sorted(set(score[score >= 0].tolist()))
            told = ", ".join(map(str, shown)) if len(shown) <= 8 else f"{shown[0]} to {shown[-1]}"
            raise UnknownPosition(f"{name} cannot have {points} points: it has {told}")

    def counted_with(self, filled: int) -> list[int]:
        """Return what may count towards the bonus where some boxes are filled."""
        return np.flatnonzero(self.countable[self.counting(filled)]).tolist()

    def counting(self, filled: Ints) -> Ints:
        """Return which of the boxes that count are filled, as a number of its own."""
        found, bit = 0 * filled, 0
        for place in np.flatnonzero(self.arrays.counts).tolist():
            found, bit = found | (filled >> place & 1) << bit, bit + 1
        return found

    @lazy
    def countable(self) -> Any:
        """What may count, by which of the boxes that count are filled. `[sets, counted]`"""
        rules = self.arrays
        places = np.flatnonzero(rules.counts).tolist()
        if rules.enough << len(places) > MOST_COUNTED:
            raise TooLarge(
                f"{self} counts up to {rules.enough:,} points in {len(places)} boxes: "
                f"that is too many to look at each number with each of the boxes filled"
            )
        found = np.zeros((1 << len(places), rules.enough + 1), bool)
        found[0, 0] = True
        for boxes in range(1, len(found)):
            bit = boxes.bit_length() - 1
            before = np.flatnonzero(found[boxes - (1 << bit)])
            score = rules.score[:, places[bit]]  # jokers may bring another number
            for points in np.unique(score[score >= 0]).tolist():
                found[boxes, np.minimum(rules.enough, before + points)] = True
        return found

    def boxes_filled(self, filled: Ints) -> Ints:
        """Return how many boxes are filled."""
        many = 0 * filled
        for place in range(len(self.boxes)):
            many = many + (filled >> place & 1)
        return many

    def size(self) -> int:
        """Return about how many positions there are, in every round of every standing."""
        tables = len(self.results)
        return self.standings * (self.casts * tables + 1)

    @lazy
    def marks_may(self) -> Any:
        """How many marks each card may have: a second where the special box is filled. `[cards]`"""
        cards = np.arange(1 << len(self.boxes))
        marks = np.ones_like(cards)
        if self.arrays.marks.any():
            marks += cards >> self.names.index(self.special) & 1
        return marks

    @lazy
    def standings_each(self) -> Any:
        """In how many standings each card may be. `[cards]`"""
        cards = np.arange(1 << len(self.boxes))
        return self.countable.sum(axis=1)[self.counting(cards)] * self.marks_may

    @property
    def standings(self) -> int:
        """How many standings there are."""
        return int(self.standings_each.sum())

    def for_sum(self, at_least: bool, number: Fraction) -> Game | None:
        """Return the card for the chance of so many points; see `rounds.card_aim`."""
        if not at_least:
            raise RulesError(
                f"{self} is for many points: ask for at least so many, and take that from 1"
            )
        least = max(0, math.ceil(number))
        self.needs(least < 10**9, f"fewer points to be asked for than a billion: got {least:,}")
        game: Any = imported(self.aimed_kind)(self, least)
        return game if self.begins_at is None else game.starting(game.lifted(self.begins_at))

    def for_words(self, purpose: str) -> Game | None:
        """Return the card for more than a score, or than a player has who fills another card."""
        told = re.fullmatch("more than (.+)", purpose, re.IGNORECASE)
        if told is None:
            return None
        other = told[1]
        if other.lower() == "another player":
            return imported(self.duel_kind)(self)
        if WHOLE.fullmatch(other):
            return self.for_sum(True, Fraction(int(other) + 1))
        blank: Any = imported(self.aimed_kind)(self, 0)
        game: Any = imported(self.rival_kind)(self, other=blank.read_standing(other))
        return game if self.begins_at is None else game.starting(game.lifted(self.begins_at))

    # Speech

    def score_of(self, at: MatchPosition, move: str) -> int:
        """Return what a box gains at a position, bonuses included."""
        gains: dict[str, Any] = {way.name: way.gain for way in self.ends(at)}
        return int(gains[move])

    def box_points(self, at: MatchPosition, name: str) -> int:
        """Return what stands in a box that is filled at a position, without any bonus."""
        result = self.shown(at)
        mode = self._mode(at.standing, result)
        return int(self.arrays.score[mode, self.names.index(name), result])

    def board_parts(self, at: MatchPosition, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return the card, with what the dice on the table would score."""
        return card_board(self, at, past)

    def touched(self, at: MatchPosition, move: str) -> list[str]:
        """Return the box that a move fills."""
        return [move.removeprefix(SCORE)] if move.startswith(SCORE) else []

    def label(self, at: MatchPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        if not move.startswith(SCORE):
            return super().label(at, move)
        box = upper_first(_words(move.removeprefix(SCORE)))
        return tr("{box}: {points}", box=box, points=self.score_of(at, move))

    def spoken(self, at: MatchPosition, move: str) -> str:
        """Return a move as one says it in a sentence."""
        if not move.startswith(SCORE):
            return super().spoken(at, move)
        return tr("score {box}", box=_words(move.removeprefix(SCORE)))

    def describe_standing(self, standing: Card, mine: bool = True) -> str:
        """Return the card in a sentence or two."""
        open_ = [
            _words(name)
            for place, name in enumerate(self.names)
            if not int(standing.filled) >> place & 1
        ]
        if not open_:
            return tr("The card is full.")
        told = tr("The card is empty.")
        if standing.filled:
            told = tr("Open: {boxes}.", boxes=", ".join(open_))
        missing = self.enough - int(standing.counted)
        if self.arrays.enough and missing > 0 and standing.filled:
            short = trn("{n} point short of the bonus.", "{n} points short of the bonus.", missing)
            return f"{told} {short}"
        return told

    def counters(self, at: MatchPosition, mine: bool = True) -> JsonObject:
        """Return the dice on the table, the casts left, the rounds to come and what counts."""
        told = super().counters(at, mine)
        filled = int(at.standing.filled)
        rounds = {"rounds": len(self.boxes) - filled.bit_count(), COUNTED: told[COUNTED]}
        dice = {"aside": told["aside"], "thrown": told["thrown"], "left": told["left"]}
        return {**rounds, **dice}

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when the player cast some dice, or filled a box."""
        if not move.startswith(SCORE):
            return super().narrate(at, move, faces, after, you, seen)
        points = self.score_of(at, move)
        box = _words(move.removeprefix(SCORE))
        text = said_by(
            you,
            "You score {points} in {box}.",
            "The other player scores {points} in {box}.",
            points=points,
            box=box,
        )
        return Told(text, "scored", points)

    def ending(self, at: MatchPosition, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        return said_by(who == YOU, "You filled the card.", "{who} filled the card.", who=who)


def _words(name: str) -> str:
    return tr(name.replace("-", " "))
