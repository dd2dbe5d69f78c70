"""Shut the Box: throw two dice and shut open tiles that add up to them, until you cannot.

Tiles numbered 1 to ``tiles`` lie open. You throw the dice and shut open tiles whose numbers add up
to the throw: after a 9 you may shut the 9, or 4 and 5, or 1, 2 and 6. Then you throw again. When no
open tiles add up to a throw, you stop. Who shuts every tile has shut the box.

When you may throw one die instead is what ``one_die`` says:

- ``high``: once every tile above the die's highest face is shut (7, 8 and 9);
- ``rest``: once the open tiles add up to no more than the highest face (6);
- ``must``: there you throw one die, whether you like it or not;
- ``always``, ``never``.

What counts at the end is what ``score`` says: ``rest`` is the sum of the open tiles, ``digits`` the
number that they make when read from left to right (1, 5 and 9 open are 159), and ``shut`` counts
nothing but whether the box is shut. Alone you want little of it. For two (``players=2``) the first
plays to the end, then the second does; the lower score wins, and equal ones are a draw.

You throw before you choose, and no tile opens again, so nothing comes back. The second player has
won as soon as his score is below the other's, and stops.

Source: a pub game with no author; the rule for one die differs from place to place. The chance to
shut the box is that of B. Butler ("Durango Bill").

>>> from dicelab import solve
>>> round(solve(ShutTheBox(score="shut")).value, 6)
0.097614
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.games.seats import AloneOrForTwo
from dicelab.games.throwing import number_of_dice, throw
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    Bools,
    Ints,
    Moment,
    Outcome,
    Position,
    Throw,
    Way,
    before_throw,
    both,
    either,
    where,
)
from dicelab.rules.board import Done, row_of_tiles
from dicelab.rules.dice import Die, d6
from dicelab.rules.dice_laws import sum_law
from dicelab.rules.registry import register, strategy
from dicelab.rules.sentences import YOU, in_a_row, said_by, shown, threw, upper_first
from dicelab.rules.speech import Told, by_side

HIGH, REST, MUST, ALWAYS, NEVER = ONE_DIE = "high", "rest", "must", "always", "never"
SUM, DIGITS, SHUT = SCORES = "rest", "digits", "shut"
STOP = mark("stop")
MOST_TILES, MOST_DICE = 20, 6
MOST_DIGITS = 9
"""Tiles that may be read as a number: beyond them, 1 and 2 would read like the 12."""
NOBODY = -1
"""Stands for the score to beat where there is none."""


class BoxPosition(NamedTuple):
    """The open tiles, the score to beat and whether play is over: ``1 2 9, 11 to beat``."""

    open: Ints  # the sum of 2**(tile - 1) over the open tiles
    beat: Ints  # a score, or the tiles that are read as one; NOBODY where there is none
    over: Ints


Tiles = tuple[int, ...]


def bits(tiles: Tiles) -> int:
    """Return a set of tiles as a number with a bit for each."""
    return sum(1 << tile - 1 for tile in tiles)


def shut(tiles: Tiles) -> str:
    """Return the name of the way that shuts these tiles."""
    return " ".join(["shut", *map(str, tiles)])


def sets_of(total: int, most: int, least: int = 1) -> list[Tiles]:
    """Return every set of tiles from `least` to `most` that adds up to a total."""
    if not total:
        return [()]
    return [
        (tile, *others)
        for tile in range(least, min(most, total) + 1)
        for others in sets_of(total - tile, most, tile + 1)
    ]


@register("shut-the-box")
@dataclass(frozen=True)
class ShutTheBox(AloneOrForTwo):
    """Shut the Box, alone for a low score or a shut box, or two for the lower score."""

    tiles: int = 9
    dice: int = 2
    die: Die = d6
    one_die: str = HIGH
    score: str = SUM
    players: int = 1  # type: ignore[misc]  # a parameter here

    counted: ClassVar[str] = "points"
    aliases: ClassVar[Mapping[str, str]] = {"faces": "die", "sides": "die"}
    in_short: ClassVar[str] = (
        "Throw two dice and shut open tiles that add up to them; go on until you cannot. "
        "Few points left open are good, and the shut box is best. "
        "Two players play one after the other, and the lower score wins."
    )
    list_place: ClassVar[int] = 17
    tile_dice: ClassVar[tuple[int, ...]] = (5, 4)
    tells_throws: ClassVar[bool] = True
    rivals: ClassVar[tuple[str, ...]] = ("highest-first", "most-tiles", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "highest-first": (mark("the classic"), mark("Shuts the highest tile it can.")),
        "most-tiles": (mark("the busy one"), mark("Shuts as many tiles as it can.")),
    }
    largest: ClassVar[Mapping[str, int]] = {"tiles": 12, "dice": 3, "die": 12, "players": 2}
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "one_die": {
            HIGH: "may be thrown once the tiles above its highest face are shut",
            REST: "may be thrown once the open tiles add up to no more than its highest face",
            MUST: "must be thrown once the open tiles add up to no more than its highest face",
            ALWAYS: "may always be thrown",
            NEVER: "is never thrown alone",
        },
        "score": {
            SUM: "the open tiles added up",
            DIGITS: "the open tiles read as a number",
            SHUT: "only whether the box is shut",
        },
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "tiles": "how many tiles there are",
        "one_die": "when one die is thrown instead of all",
        "score": "what counts at the end; less is better",
        "players": "1 alone, 2 for the lower score",
    }

    def __post_init__(self) -> None:
        """Refuse parameters that make no game."""
        most = MOST_DIGITS if self.score == DIGITS else MOST_TILES
        why = " that are read as a number" if self.score == DIGITS else ""
        self.needs(1 <= self.tiles <= most, f"1 to {most} tiles{why}: got tiles={self.tiles}")
        self.needs(1 <= self.dice <= MOST_DICE, f"1 to {MOST_DICE} dice: got dice={self.dice}")
        self.needs(self.die.faces[0] >= 1, f"faces of 1 or more: got die={self.die}")
        self.needs(
            self.one_die in ONE_DIE,
            f"a rule for one die among {', '.join(ONE_DIE)}: got one_die={self.one_die}",
        )
        self.needs(
            self.score in SCORES, f"a score among {', '.join(SCORES)}: got score={self.score}"
        )
        self.needs(self.players in (1, 2), f"1 or 2 players: got players={self.players}")

    @property
    def fewest(self) -> bool:  # type: ignore[override]
        """Whether the value is a number of points, of which little is wanted."""
        return self.players == 1 and self.score != SHUT

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means, in a few words."""
        return tr("chance to win") if self.players == 2 else tr("chance to shut the box")

    @lazy
    def moves(self) -> tuple[str, ...]:
        """All dice, or one."""
        return tuple(map(throw, (self.dice, 1) if self.dice > 1 else (1,)))

    @property
    def _all(self) -> int:
        return (1 << self.tiles) - 1

    def start(self) -> BoxPosition:
        """Return the position with every tile open."""
        return BoxPosition(self._all, NOBODY, 0)

    def rest(self, tiles: Ints) -> Ints:
        """Return the sum of the open tiles."""
        return sum((tile * (tiles >> tile - 1 & 1) for tile in range(1, self.tiles + 1)), 0)

    def points(self, tiles: Ints) -> Ints:
        """Return the score of who is left with these open tiles."""
        if self.score == SUM:
            return self.rest(tiles)
        if self.score == SHUT:
            return where(tiles == 0, 0, 1)
        read = 0 * tiles
        for tile in range(1, self.tiles + 1):
            read = where(tiles >> tile - 1 & 1 == 1, read * 10 ** len(str(tile)) + tile, read)
        return read

    def legal(self, at: BoxPosition, move: str) -> Bools:
        """Return whether so many dice may be thrown."""
        highest = self.die.faces[-1]
        if number_of_dice(move) == self.dice:
            needs_all = self.one_die != MUST or self.dice == 1
            return either(self.rest(at.open) > highest, needs_all)
        if self.one_die == HIGH:
            return at.open < 1 << highest
        if self.one_die in (ALWAYS, NEVER):
            return both(at.open >= 0, self.one_die == ALWAYS)
        return self.rest(at.open) <= highest

    @lazy
    def _sets(self) -> Mapping[int, list[Tiles]]:
        """The sets of tiles that add up to each throw, those with the fewest tiles first."""
        most = self.dice * self.die.faces[-1]
        return {n: sorted(sets_of(n, self.tiles), key=len) for n in range(1, most + 1)}

    def outcomes(self, at: BoxPosition, move: str) -> Iterator[Throw]:
        """Yield what the dice add up to; the tiles are chosen then."""
        for total, chance in sum_law(self.die, number_of_dice(move)).items():
            yield Throw(chance, total)

    def ways(self, at: BoxPosition, move: str, dice: int) -> Iterator[Way]:
        """Yield the sets of open tiles that add up to the throw; without any, one stops."""
        first = both(at.beat == NOBODY, self.players == 2)
        last = either(at.beat != NOBODY, self.players == 1)
        stuck = at.open >= 0
        for tiles in self._sets[dice]:
            some = bits(tiles)
            is_open, is_all = at.open & some == some, at.open == some
            after = BoxPosition(at.open - some, at.beat, at.over)
            stays = either(last, at.open != some)
            yield Way(shut(tiles), after, SAME, 0, both(is_open, stays))
            yield Way(shut(tiles), self._second(after), OTHER, 0, both(is_all, first))
            stuck = both(stuck, at.open & some != some)
        over, points = at._replace(over=at.over + 1), self.points(at.open)
        yield Way(STOP, self._second(at), OTHER, 0, both(stuck, first))
        for left in np.unique(points).tolist() if self.fewest else [0]:
            here = both(stuck, last, either(points == left, not self.fewest))
            yield Way(STOP, over, SAME, left, here)

    def _second(self, at: BoxPosition) -> BoxPosition:
        """Return where the second player begins, with what the first was left with to beat."""
        beat = at.open if self.score == DIGITS else self.points(at.open)
        return BoxPosition(0 * at.open + self._all, beat, at.over)

    def to_beat(self, at: BoxPosition) -> Ints:
        """Return the score that the second player has to beat."""
        return self.points(at.beat) if self.score == DIGITS else at.beat

    def result(self, at: BoxPosition) -> Ints:
        """Return whether the box is shut or, with a score to beat, who has the lower one."""
        if self.players == 1:
            return where(at.open == 0, WIN, where(at.over == 1, LOSS, ONGOING))
        points, beat = self.points(at.open), self.to_beat(at)
        done = either(at.over == 1, at.open == 0)
        behind = where(done, where(points == beat, DRAW, LOSS), ONGOING)
        return where(at.beat == NOBODY, ONGOING, where(points < beat, WIN, behind))

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return number_of_dice(move)

    def after(self, at: BoxPosition, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a throw that shows these faces: only their sum counts."""
        return self.followed(at, move, Throw(1, sum(faces)))

    def size(self) -> int:
        """Return about how many positions there are."""
        if self.players == 1:
            return 2 << self.tiles
        every = self.tiles * (self.tiles + 1) // 2
        scores = {SUM: every, DIGITS: 1 << self.tiles, SHUT: 2}[self.score]
        return (1 + scores) << self.tiles

    def open_tiles(self, at: Position) -> list[int]:
        """Return the numbers of the open tiles at one position."""
        return [tile for tile in range(1, self.tiles + 1) if at.open >> tile - 1 & 1]

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move: Throw 2 dice, Shut 4 and 5."""
        return upper_first(self.spoken(at, move))

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: throw 2 dice, shut 4 and 5."""
        word, *numbers = move.split()
        if word == "throw":
            return tr("throw {dice}", dice=trn("{n} die", "{n} dice", number_of_dice(move)))
        return tr("shut {tiles}", tiles=in_a_row(numbers)) if numbers else tr(word)

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the open tiles, what they add up to, and the score to beat where there is one."""
        at = before_throw(at)
        told: JsonObject = {"open": self.open_tiles(at), "rest": int(self.rest(at.open))}
        return told if at.beat == NOBODY else {**told, "beat": int(self.to_beat(at))}

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return the tiles, the open ones up."""
        here = before_throw(at)
        return [
            row_of_tiles(tr("Tiles"), range(1, self.tiles + 1), self.open_tiles(here), ["open"])
        ]

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the last score: what is left open alone, both scores for two."""
        if self.players == 1:
            return self.counters(at, mine)
        return by_side((int(self.points(at.open)), int(self.to_beat(at))), mine)

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        left = tr("The box is shut.")
        if tiles := in_a_row(list(map(str, told["open"]))):
            points = trn("{n} point", "{n} points", told["rest"])
            left = tr("Open: {tiles}, {points}.", tiles=tiles, points=points)
        if "beat" not in told:
            return left
        beat = told["beat"]
        scored = said_by(
            not mine, "You scored {score}.", "The other player scored {score}.", score=beat
        )
        return f"{left} {scored}"

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody threw, or shut tiles after a throw."""
        if isinstance(at, Moment):
            tiles = in_a_row(move.split()[1:])
            text = said_by(you, "You shut {tiles}.", "The other player shuts {tiles}.", tiles=tiles)
            return Told(text, "scored")
        if not faces:
            return Told(said_by(you, "You throw.", "The other player throws."))
        done = threw(you, shown(faces))
        ways = self.legal_moves(Moment(at, move, sum(faces)))
        if ways == [STOP]:
            text = said_by(
                you,
                "{done}: nothing to shut. You stop with {points}.",
                "{done}: nothing to shut. The other player stops with {points}.",
                done=done,
                points=trn("{n} point", "{n} points", int(self.points(at.open))),
            )
            return Told(text, "bust")
        if len(ways) == 1:
            text = said_by(
                you,
                "{done} and shut {tiles}.",
                "{done} and shuts {tiles}.",
                done=done,
                tiles=in_a_row(ways[0].split()[1:]),
            )
            return Told(text, "scored")
        return Told(f"{done}.")

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended, in a sentence."""
        if self.players == 2:
            return super().ending(at, mine, ended, turns, who)
        if at.open == 0:
            return said_by(who == YOU, "You shut the box.", "{who} shut the box.", who=who)
        return said_by(
            who == YOU,
            "You left {tiles} open.",
            "{who} left {tiles} open.",
            who=who,
            tiles=in_a_row(list(map(str, self.open_tiles(at)))),
        )

    def example_positions(self) -> list[str]:
        """Return the start, the usual throw there, and a position with few tiles left."""
        usual = max(sum_law(self.die, self.dice).items(), key=lambda each: each[1])[0]
        start = self.start()
        few = BoxPosition(self._all & 0b1111, NOBODY, 0)
        asked = Moment(start, self.moves[0], usual)
        chosen = [self.write(asked)] if len(self.legal_moves(asked)) > 1 else []
        return list(dict.fromkeys([*chosen, self.notation(few), self.notation(start)]))

    def notation(self, at: Position) -> str:
        """Return the open tiles, the score to beat and whether play is over."""
        tiles = " ".join(map(str, self.open_tiles(at))) or SHUT
        beat = "" if at.beat == NOBODY else f", {self.to_beat(at)} to beat"
        return f"{tiles}{beat}{', over' if at.over else ''}"

    def parse(self, text: str) -> BoxPosition:
        """Return the position that ``1 2 9``, ``1 2 9, 11 to beat`` or ``shut`` stands for."""
        tile = r"\d{1,2}"
        found = re.fullmatch(
            rf"\s*({SHUT}|{tile}(?:\s+{tile})*)\s*(?:,\s*(\d{{1,18}})\s+to\s+beat)?"
            rf"\s*(,\s*over)?\s*",
            text,
        )
        if found is None or (self.players == 1 and found[2]):
            raise self.unreadable(text)
        tiles = () if found[1] == SHUT else tuple(map(int, found[1].split()))
        if sorted({*tiles} & {*range(1, self.tiles + 1)}) != sorted(tiles):
            raise self.unreadable(text)
        beat = int(found[2]) if found[2] else NOBODY
        if found[2] and self.score == DIGITS:  # 0 is the shut box
            beat = bits(tuple(int(digit) for digit in found[2] if digit != "0"))
        return BoxPosition(bits(tiles), beat, int(bool(found[3])))


Choice = Callable[..., object]


def _preferring(game: ShutTheBox, better: Callable[[Tiles], object]) -> Choice:
    """Return who shuts the best set of tiles, and throws one die when all are likely too many."""

    def choose(at: BoxPosition, threw: int | None = None) -> object:
        if threw is None:
            one = both(game.legal(at, throw(1)), game.rest(at.open) <= game.die.faces[-1])
            return where(one, throw(1), game.moves[0])
        answer: object = STOP
        for tiles in sorted(game._sets[threw], key=better):  # type: ignore[arg-type]
            answer = where(at.open & bits(tiles) == bits(tiles), shut(tiles), answer)
        return answer

    return choose


@strategy(ShutTheBox, "highest-first")
def highest_first(game: ShutTheBox) -> Choice:
    """Shut the highest tile one can, then the highest of the rest."""
    return _preferring(game, lambda tiles: tiles[::-1])


@strategy(ShutTheBox, "most-tiles")
def most_tiles(game: ShutTheBox) -> Choice:
    """Shut as many tiles as one can; of as many, the highest."""
    return _preferring(game, lambda tiles: (len(tiles), tiles[::-1]))


@strategy(ShutTheBox, "fewest-tiles")
def fewest_tiles(game: ShutTheBox) -> Choice:
    """Shut as few tiles as one can; of as few, the highest."""
    return _preferring(game, lambda tiles: (-len(tiles), tiles[::-1]))
