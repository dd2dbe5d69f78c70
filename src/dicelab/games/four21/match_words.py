"""The match of 421 in words: how a position is written and read, and what is said at the table.

A position is written ``3-2 pot 6`` where a set begins: my tokens, the other player's, and those in
the pot. In the middle of a set it goes on: ``3-2 pot 6, other 654, 4 aside, cast 2 of 2``. What the
dice then show stands behind it: ``threw 6 1``.

The same may be asked in words, in any order after the tokens: ``3-2, the other threw 654 in 2
casts, I have 4 aside, threw 61, 0 casts left``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.errors import UnknownPosition, UnreadablePosition
from dicelab.rules import Moment, Position
from dicelab.rules.game import shown_by
from dicelab.rules.speech import OTHER_PLAYER, YOU, Told, count, shown

if TYPE_CHECKING:
    from dicelab.games.four21.match import FourTwentyOne, MatchPosition

CAST, STOP, KEEP = "cast", "stop", "keep "
NOTHING, NENETTE = "nothing", "221"
DICE = r"([1-9](?:[ +]?[1-9]){0,2}|-)"
PARTS = {
    "tokens": r"(?:tokens )?(\d{1,3}) ?- ?(\d{1,3})(?: tokens)?(?: pot (\d{1,3}))?",
    "pot": r"(?:pot|in the pot) (\d{1,3})|(\d{1,3})(?: tokens?)? in the pot",
    "other": rf"(?:other|to beat)(?: threw| has)? {DICE}(?: (?:in|with) (\d)(?: casts?)?)?",
    "aside": rf"(?:have )?{DICE} aside|(?:have|kept|keep) {DICE}",
    "cast": r"cast (\d) of (\d)",
    "left": r"(\d)(?: casts?)? (?:left|to go)",
    "threw": rf"(?:threw|dice show) {DICE}",
}
_READERS = {name: re.compile(pattern) for name, pattern in PARTS.items()}
_PARTED = re.compile(r"[,;|]|(?<!other) (?=threw )")
_NO_WORDS = re.compile(r"\b(?:i|the|player|you|me|and|with|my|dice are)\b")


def keep(written: str) -> str:
    """Return what keeping dice is called, all that are aside then together."""
    return KEEP + (NOTHING if written == "-" else written)


class MatchWords:
    """How the match of 421 speaks; mixed into its rules."""

    in_short: ClassVar[str] = (
        "Cast three dice up to three times; the other player must cast as often as the first did. "
        "The lower combination takes tokens: out of the pot while there are any, then from the "
        "other player. Have none when the pot is empty, or get rid of all: then you have won."
    )
    rivals: ClassVar[tuple[str, ...]] = ("beat", "transfer", "rank", "goal", "random", "optimal")
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": ("Cast more often", "stopping too early"),
        "fewer": ("Stop earlier", "casting too often"),
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "tokens": "tokens in the pot at first",
        "players": "who play; for two it is solved",
        "starts": "who throws first in the next set",
        "short": "what happens where the pot holds fewer tokens than are due",
        "casts": "how often one may cast in a round",
    }
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "starts": {
            "loser": "who took tokens in the last set",
            "winner": "who took none",
            "alternate": "both by turns",
            "fixed": "always the same player",
        },
        "short": {
            "rest": "the rest of the pot is taken",
            "highest": "the player with the higher combination gives what is missing",
            "void": "nothing is taken, and the next set begins",
        },
    }
    largest: ClassVar[Mapping[str, int]] = {"tokens": 11, "players": 2, "casts": 3, "die": 6}

    # Notation

    def notation(self: FourTwentyOne, at: MatchPosition) -> str:
        """Return tokens and pot, what the other threw, the dice aside and the number of the cast."""
        told = [f"{at.mine}-{at.yours} pot {self.pot(at)}"]
        if at.other:
            told.append(f"other {self.dice.written[at.other]}")
        if at.aside:
            told.append(f"{self.aside(at)} aside")
        if at.other or at.left < at.bound:
            told.append(f"cast {at.bound - at.left + 1} of {at.bound}")
        return ", ".join(told)

    def aside(self: FourTwentyOne, at: MatchPosition) -> str:
        """Return the dice aside in notation."""
        return self.moves[int(at.aside)].removeprefix(f"{CAST} beside ")

    def parse(self: FourTwentyOne, text: str) -> MatchPosition:
        """Return the position that a notation or a question in words stands for."""
        at = self.read(text)
        return at.at if isinstance(at, Moment) else at

    def read(self: FourTwentyOne, text: str) -> Position:
        """Return the position, or the moment after a throw, that a text stands for."""
        said = self._said(text)
        mine, yours = int(said["tokens"][0]), int(said["tokens"][1])
        self._check_tokens(text, mine, yours, said)
        numbers = self.numbers
        other, imposed = self._other(text, said)
        aside = numbers.number(said["aside"][0] or said["aside"][1]) if "aside" in said else 0
        if numbers.sizes[aside] >= numbers.dice:
            raise UnknownPosition(f"with {numbers.write(aside)} aside no die is left in {text!r}")
        thrown = said["threw"][0] if "threw" in said else None
        bound, left = self._casts(text, said, other, imposed, bool(aside), thrown is not None)
        at = self.opening(mine, yours)._replace(other=other, bound=bound, aside=aside, left=left)
        if thrown is None:
            return at
        live = numbers.dice - int(numbers.sizes[aside])
        dice = numbers.faces_of(numbers.number(thrown.replace(" ", ""), dice=live))
        return self.followed_by(at, dice)

    def followed_by(self: FourTwentyOne, at: MatchPosition, dice: tuple[int, ...]) -> Position:
        """Return the moment at which the dice show something; refused where nothing is left."""
        if at.left == 1:
            raise UnknownPosition(
                f"the last cast counts as it lies: there is nothing to choose at "
                f"{self.notation(at)} once {shown_by(dice)} is thrown"
            )
        return Moment(at, self.moves[int(at.aside)], dice)

    def _said(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return what a text says, by the kind of each part."""
        plain = " ".join(_NO_WORDS.sub(" ", text.lower().replace("(", " ").replace(")", " ")).split())
        found: dict[str, tuple[str, ...]] = {}
        for part in filter(None, (part.strip() for part in _PARTED.split(plain))):
            for kind, reader in _READERS.items():
                match = reader.fullmatch(part)
                if match and kind not in found:
                    found[kind] = match.groups("")
                    break
            else:
                raise self.unreadable(text)
        if "tokens" not in found:
            raise self.unreadable(text)
        return found

    def _check_tokens(
        self: FourTwentyOne, text: str, mine: int, yours: int, said: dict[str, tuple[str, ...]]
    ) -> None:
        """Refuse tokens that cannot lie so."""
        pots = [*said["tokens"][2:], *said.get("pot", ())]
        pot = next((int(each) for each in pots if each), self.tokens - mine - yours)
        if mine + yours > self.tokens:
            raise UnknownPosition(
                f"{mine} and {count(yours, 'token')} are more than there are in {self}: "
                f"{self.tokens} in all"
            )
        if mine + yours + pot != self.tokens:
            raise UnknownPosition(
                f"{mine} and {count(yours, 'token')} and {pot} in the pot make "
                f"{mine + yours + pot}: there are {self.tokens} in {self}"
            )

    def _other(
        self: FourTwentyOne, text: str, said: dict[str, tuple[str, ...]]
    ) -> tuple[int, int | None]:
        """Return the place of what the other threw, 0 if nothing, and in how many casts."""
        if "other" not in said:
            return 0, None
        written, casts = said["other"]
        full = self.numbers.number(written.replace(" ", ""), dice=self.numbers.dice)
        return self.dice.written.index(self.numbers.write(full)), int(casts) if casts else None

    def _casts(
        self: FourTwentyOne,
        text: str,
        said: dict[str, tuple[str, ...]],
        other: int,
        imposed: int | None,
        aside: bool,
        thrown: bool,
    ) -> tuple[int, int]:
        """Return how many casts the round has, and how many are still to be made."""
        bound = imposed if other else self.casts
        cast = 2 if aside else 1
        if "cast" in said:
            cast, told = map(int, said["cast"])
            if bound not in (None, told):
                raise UnknownPosition(f"the round has {count(bound or 0, 'cast')} in {text!r}")
            bound = told
        if bound is None:
            raise UnknownPosition(
                f"say in how many casts the other threw it, such as 'other 654 in 2': got {text!r}"
            )
        if "left" in said:
            cast = bound - int(said["left"][0]) + (0 if thrown else 1)
        elif aside and "cast" not in said and bound != 2:
            raise UnknownPosition(f"say which cast it is, such as 'cast 2 of {bound}': got {text!r}")
        if not (1 <= bound <= self.casts and (2 if aside else 1) <= cast <= bound):
            raise UnknownPosition(
                f"no round of {self} comes to {text!r}: it has 1 to {self.casts} casts, "
                f"and dice are put aside after the first"
            )
        return bound, bound - cast + 1

    def unreadable(self: FourTwentyOne, text: str) -> UnreadablePosition:
        """Return the error for a text that is no position of a match."""
        return UnreadablePosition(
            f"cannot read {text!r} as a position of {self.name}: write tokens and pot, what the "
            f"other threw, the dice aside, the cast and what you threw, like "
            f"{self.example_positions()[-1]!r}"
        )

    def example_positions(self: FourTwentyOne) -> list[str]:
        """Return positions worth asking about: a first throw, the same late, the next player."""
        early = self.opening(0, 0)
        mine = self.tokens // 2
        late = self.opening(mine, self.tokens - mine) if mine else early
        if self.casts == 1:
            return [self.notation(early), self.notation(late)]
        high = self.die.faces[-1]
        dice = (1, high - 1, high)
        after = late._replace(other=self.dice.written.index("321"), bound=2, left=2)
        told = [Moment(early, CAST, dice), Moment(late, CAST, dice), Moment(after, CAST, dice)]
        return [self.write(each) for each in told]

    # At the table

    def label(self: FourTwentyOne, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move == STOP:
            return "Stop"
        if move.startswith(KEEP):
            left = self.numbers.dice - len(self._faces(move))
            return f"{move.capitalize()}, cast {count(left, 'die')}"
        return f"Cast {count(self.dice_of(move), 'die')}"

    def _faces(self: FourTwentyOne, move: str) -> list[int]:
        """Return the faces that a move keeps, the highest first."""
        written = move.removeprefix(KEEP)
        number = 0 if written == NOTHING else self.numbers.number(written)
        return [int(face) for face in self.numbers.faces_of(number)[::-1]]

    def counters(self: FourTwentyOne, at: Position, mine: bool = True) -> JsonObject:
        """Return the tokens of both and in the pot, and what has been thrown in this set."""
        here = at.at if isinstance(at, Moment) else at
        held = (here.mine, here.yours) if mine else (here.yours, here.mine)
        told: JsonObject = {"mine": int(held[0]), "yours": int(held[1]), "pot": int(self.pot(here))}
        if here.other:
            told["to_beat"] = self._named(int(here.other))
        if here.aside:
            told["aside"] = self.aside(here)
        if int(self.result(here)) == 0:
            told["cast"] = f"{here.bound - here.left + 1} of {here.bound}"
        return told

    def _named(self: FourTwentyOne, place: int) -> str:
        written = self.dice.written[place]
        return f"{written}, the nénette" if written == NENETTE else written

    def describe(self: FourTwentyOne, at: Position, mine: bool = True) -> str:
        """Return a position in a few sentences."""
        here = at.at if isinstance(at, Moment) else at
        you, other = (here.mine, here.yours) if mine else (here.yours, here.mine)
        who, verb, whom = (YOU, "have", "the other player") if mine else (OTHER_PLAYER, "has", "you")
        held = f"You have {count(int(you), 'token')}, the other player {int(other)}"
        pot = int(self.pot(here))
        told = [f"{held}; {count(pot, 'token')} in the pot." if pot else f"Discharge. {held}."]
        if here.other:
            wants = self.dice.tokens[here.other]
            told.append(
                f"{whom.capitalize()} threw {self._named(int(here.other))}, "
                f"worth {count(int(wants), 'token')}."
            )
        if here.aside:
            told.append(f"{who} {verb} {self.aside(here)} aside.")
        if here.left < here.bound or here.other:
            must = "must cast" if here.other else "may cast"
            times = "once more" if here.left == 1 else f"{here.left} more times"
            told.append(f"{who} {must} {times if here.left < here.bound else count(int(here.left), 'time')}.")
        if isinstance(at, Moment):
            told.append(self.describe_throw(list(at.dice), at.shown))  # type: ignore[call-overload]
        return " ".join(told)

    def narrate_throw(
        self: FourTwentyOne, move: str, faces: Sequence[int], dice: str, you: bool
    ) -> Told:
        """Return what a cast shows that leaves a choice."""
        who, s = (YOU, "") if you else (OTHER_PLAYER, "s")
        beside = "" if move == CAST else f" beside {move.removeprefix(f'{CAST} beside ')}"
        return Told(f"{who} cast{s} {shown(faces)}{beside}.", "threw")

    def narrate(
        self: FourTwentyOne,
        at: Position,
        move: str,
        faces: Sequence[int],
        after: Position,
        you: bool,
        seen: bool,
    ) -> Told:
        """Return what happened when somebody kept dice, stopped, or made the last cast."""
        who, s = (YOU, "") if you else (OTHER_PLAYER, "s")
        if move.startswith(KEEP):
            return Told(f"{who} keep{s} {move.removeprefix(KEEP)}.", "kept")
        thrown = f"cast{s} {shown(faces)} and stand{s} with" if faces else f"stop{s} with"
        if not at.other:
            used = count(int(after.bound), "cast")
            return Told(f"{who} {thrown} {self._named(int(after.other))}, in {used}.", "stood")
        result = self.numbers.write(self.numbers.number((*self._aside_faces(at), *faces)))
        place = self.dice.written.index(result)
        return Told(f"{who} {thrown} {self._named(place)}. {self._settled(at, after, you, seen)}", "scored")

    def _aside_faces(self: FourTwentyOne, at: Position) -> tuple[int, ...]:
        return tuple(int(face) for face in self.numbers.faces_of(int(at.aside)))

    def _settled(self: FourTwentyOne, at: Any, after: Any, you: bool, seen: bool) -> str:
        """Return who took tokens in a set, and from where."""
        was = (at.mine, at.yours) if you else (at.yours, at.mine)
        now = (after.mine, after.yours) if seen else (after.yours, after.mine)
        mine, yours = int(now[0] - was[0]), int(now[1] - was[1])
        drawn = int(self.pot(at) - self.pot(after))
        if not mine and not yours:
            return "The pot holds too few tokens: nobody takes any."
        taker, s, given = (YOU, "", -yours) if mine > 0 else (OTHER_PLAYER, "s", -mine)
        whose = "the other player's" if mine > 0 else "yours"
        parts = [f"{drawn} from the pot"] if drawn else []
        parts += [f"{given} of {whose}"] if given else []
        began = " The discharge begins." if drawn and not self.pot(after) else ""
        return f"{taker} take{s} {' and '.join(parts)}.{began}"

    def ending(
        self: FourTwentyOne, at: Position, mine: bool, ended: str, turns: int, who: str = YOU
    ) -> str:
        """Return how a match ended, in a sentence."""
        return f"{who} {ended}: {'no token left' if ended == 'won' else 'all tokens'} in hand."
