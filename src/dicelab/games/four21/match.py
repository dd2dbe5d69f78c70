"""421, the match, as it is told at the table; its rules are in `match_rules`.

>>> from dicelab import solve
>>> round(float(solve(FourTwentyOne(tokens=1)).value), 12)   # who does not take it has won
0.642757593296
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.games.four21.match_casts import CAST, KEEP, NOTHING
from dicelab.games.four21.match_notation import WrittenMatch
from dicelab.games.four21.match_rules import STOP
from dicelab.rules import ONGOING, Faces, Moment, Position, before_throw
from dicelab.rules.board import Done, heap, heaps, thrown_dice
from dicelab.rules.registry import register
from dicelab.rules.sentences import YOU, said_by, shown, verdict
from dicelab.rules.speech import Told, seat_fields

NENETTE = "221"
TO_BEAT = mark("to beat")  # a field of what is shown, as the page calls it


@register("421")
@dataclass(frozen=True)
class FourTwentyOne(WrittenMatch):
    """The match of 421."""

    called: ClassVar[str] = "421"
    list_place: ClassVar[int] = 11
    in_short: ClassVar[str] = (
        "Cast three dice up to three times; the next player must cast as often as the first did. "
        "The lowest combination takes tokens: out of the pot while there are any, then from who "
        "has the highest. Have none when the pot is empty, or get rid of all: then you have won."
    )
    rivals: ClassVar[tuple[str, ...]] = ("beat", "transfer", "rank", "goal", "random", "optimal")
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {
        "beat": (mark("the regular"), mark("Plays each set so as not to be the lowest in it.")),
        "transfer": (
            mark("the token hunter"),
            mark("Plays each round for the tokens that its result moves."),
        ),
        "rank": (
            mark("the proud one"),
            mark("Plays each round for as high a result as it can get."),
        ),
        "goal": (mark("the dreamer"), mark("Always plays for 421, whatever the tokens.")),
    }
    tile_dice: ClassVar[tuple[int, ...]] = (4, 2, 1)
    fields_in_words: ClassVar[Mapping[str, str]] = {
        "mine": "your number of tokens",
        "yours": "the other's number of tokens",
        "worth": "the worth of the dice",
    }
    first_way_in_words: ClassVar[str] = "keep nothing more"
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": (mark("Cast more often"), mark("stopping too early")),
        "fewer": (mark("Stop earlier"), mark("casting too often")),
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "tokens": "tokens in the pot at first",
        "players": "two, or three with up to 5 tokens",
        "starts": "who throws first in the next set",
        "short": "what happens where the pot holds fewer tokens than are due",
        "casts": "how often one may cast in a round",
    }
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "starts": {
            "loser": "who took tokens in the last set",
            "winner": "who had the highest combination",
            "alternate": "one after the other",
            "fixed": "always the same player",
        },
        "short": {
            "rest": "the rest of the pot is taken",
            "highest": "the player with the highest combination gives what is missing",
            "void": "nothing is taken, and the next set begins",
        },
    }
    largest: ClassVar[Mapping[str, int]] = {"tokens": 11, "players": 3, "casts": 3, "die": 6}
    most_positions: ClassVar[int] = 5 * 10**6

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move == STOP:
            return tr("Stop")
        if move.startswith(KEEP):
            left = self.numbers.dice - len(self._faces(move))
            kept = move.removeprefix(KEEP)
            if kept == NOTHING:
                return trn("Keep nothing, cast {n} die", "Keep nothing, cast {n} dice", left)
            return trn("Keep {kept}, cast {n} die", "Keep {kept}, cast {n} dice", left, kept=kept)
        return trn("Cast {n} die", "Cast {n} dice", self.dice_of(move))

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence."""
        if move.startswith(KEEP) and move.removeprefix(KEEP) != NOTHING:
            return tr("keep {dice}", dice=move.removeprefix(KEEP))
        if move.startswith(f"{CAST} beside "):
            return tr("cast beside {dice}", dice=move.removeprefix(f"{CAST} beside "))
        return tr(move)

    def _faces(self, move: str) -> list[int]:
        """Return the faces that a move keeps, the highest first."""
        written = move.removeprefix(KEEP)
        number = 0 if written == NOTHING else self.numbers.number(written)
        return [int(face) for face in self.numbers.faces_of(number)[::-1]]

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the tokens of both and in the pot, and what has been thrown in this set."""
        here = before_throw(at)
        held = self.held(here) if mine else self.held(here)[::-1]
        names = seat_fields("mine", "yours", self.players)
        told: JsonObject = {name: int(each) for name, each in zip(names, held, strict=True)}
        told["pot"] = int(self.pot(here))
        if here.other:
            told[TO_BEAT.replace(" ", "_")] = self._named(int(here.other))
        if here.aside:
            told["aside"] = self.aside(here)
        if int(self.result(here)) == ONGOING:
            now = here.bound - here.left + 1
            told["cast"] = tr("{cast} of {casts}", cast=now, casts=here.bound)
        return told

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return everybody's tokens and the pot, what is to be beaten, and the dice to keep."""
        here = before_throw(at)
        held, over = self.held(here), int(self.result(here)) != ONGOING
        first = -int(self.thrown(here).number) % self.players  # after who is about to cast
        found = []
        for place in range(self.players):
            tag = tr("throws first") if (place + seat - first) % self.players == 0 else ""
            tokens = held[(place + seat) % self.players]
            found.append(heap(tokens, seat=place, tag="" if over else tag))
        found.insert(1, heap(int(self.pot(here)), name=tr("Pot")))
        fields = [*seat_fields("mine", "yours", self.players), "pot", "to_beat", "aside", "cast"]
        parts = [heaps(tr("Tokens"), found, [] if over else self._says(here), fields)]
        if isinstance(at, Moment):
            thrown: Faces = at.dice
            parts.append(thrown_dice(tr("The dice"), thrown[::-1], thrown, self._aside_faces(here)))
        return parts

    def _says(self, here: Any) -> list[str]:
        """Return what is played for, what is to be beaten and which cast it is."""
        says = [tr("Charge: tokens come out of the pot.")]
        if not self.pot(here):
            says = [tr("Discharge: the highest combination gives tokens to the lowest.")]
        if here.other:
            lowest = self._named(int(here.other))
            to_beat = mark("To beat: {combination}.")
            if self.thrown(here).number > 1:
                to_beat = mark("The lowest so far, to beat: {combination}.")
            says.append(tr(to_beat, combination=lowest))
        return [*says, self._cast(here)]

    @staticmethod
    def _cast(here: Any) -> str:
        """Return which cast of the round comes next, in a sentence."""
        now = here.bound - here.left + 1
        return tr("Cast {cast} of {casts}.", cast=now, casts=here.bound)

    def touched(self, at: Position, move: str) -> list[str]:
        """Return the faces that a move keeps of the dice just thrown; to stop keeps them all."""
        if not isinstance(at, Moment):
            return []
        thrown: Faces = at.dice
        if move == STOP:
            return [str(face) for face in thrown]
        kept = self._faces(move)
        for face in self._aside_faces(at.at):
            kept.remove(face)
        return [str(face) for face in kept]

    def score_in_words(self, score: object) -> str:
        """Return somebody's tokens as one says them."""
        return trn("{n} token", "{n} tokens", int(str(score)))

    def remark_on(self, at: Position) -> str:
        """Return what else a position of three and more is about."""
        over = int(self.result(at)) != ONGOING
        pot = trn("{n} token in the pot.", "{n} tokens in the pot.", int(self.pot(at)))
        return pot if over else " ".join([pot, *self._says(at)])

    def _named(self, place: int) -> str:
        written = self.dice.written[place]
        return tr("{dice}, the nénette", dice=written) if written == NENETTE else written

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a few sentences."""
        here = before_throw(at)
        you, other = (here.mine, here.yours) if mine else (here.yours, here.mine)
        pot = int(self.pot(here))
        over = int(self.result(here)) != ONGOING
        held = {"mine": trn("{n} token", "{n} tokens", int(you)), "yours": int(other)}
        charge = mark("You have {mine}, the other player {yours}; {pot} in the pot.")
        full = trn("{n} token", "{n} tokens", pot)
        text = tr(
            charge if pot else mark("You have {mine}, the other player {yours}."), pot=full, **held
        )
        told = [text] if pot or over else [tr("Discharge."), text]
        if here.other:
            wants = trn("{n} token", "{n} tokens", int(self.dice.tokens[here.other]))
            told.append(
                said_by(
                    not mine,
                    "You threw {dice}, worth {tokens}.",
                    "The other player threw {dice}, worth {tokens}.",
                    dice=self._named(int(here.other)),
                    tokens=wants,
                )
            )
        if here.aside:
            aside = mark("You have {dice} aside."), mark("The other player has {dice} aside.")
            told.append(said_by(mine, *aside, dice=self.aside(here)))
        if here.left < here.bound or here.other:
            told.append(self._cast(here))
        if isinstance(at, Moment):
            told.append(self.describe_throw(list(at.dice), at.shown))  # type: ignore[call-overload]
        return " ".join(told)

    def narrate_throw(self, move: str, faces: Sequence[int], dice: str, you: bool) -> Told:
        """Return what a cast shows that leaves a choice."""
        if move == CAST:
            text = said_by(
                you, "You cast {dice}.", "The other player casts {dice}.", dice=shown(faces)
            )
            return Told(text, "threw")
        text = said_by(
            you,
            "You cast {dice} beside {aside}.",
            "The other player casts {dice} beside {aside}.",
            dice=shown(faces),
            aside=move.removeprefix(f"{CAST} beside "),
        )
        return Told(text, "threw")

    def narrate(
        self,
        at: Position,
        move: str,
        faces: Sequence[int],
        after: Position,
        you: bool,
        seen: bool,
    ) -> Told:
        """Return what happened when somebody kept dice, stopped, or made the last cast."""
        if move == KEEP + NOTHING:
            return Told(
                said_by(you, "You keep nothing.", "The other player keeps nothing."), "kept"
            )
        if move.startswith(KEEP):
            keep = mark("You keep {dice}."), mark("The other player keeps {dice}.")
            return Told(said_by(you, *keep, dice=move.removeprefix(KEEP)), "kept")
        if not at.other:
            done = self._stands(faces, self._named(int(after.other)), you)
            used = trn("{n} cast", "{n} casts", int(after.bound))
            return Told(tr("{done}, in {casts}.", done=done, casts=used), "stood")
        result = self.numbers.write(self.numbers.number((*self._aside_faces(at), *faces)))
        done = self._stands(faces, self._named(self.dice.written.index(result)), you)
        return Told(f"{done}. {self._settled(at, after, you, seen)}", "scored")

    def _stands(self, faces: Sequence[int], result: str, you: bool) -> str:
        """Return that somebody stands with a result, and what the last cast showed."""
        if not faces:
            stop = mark("You stop with {result}"), mark("The other player stops with {result}")
            return said_by(you, *stop, result=result)
        return said_by(
            you,
            "You cast {dice} and stand with {result}",
            "The other player casts {dice} and stands with {result}",
            dice=shown(faces),
            result=result,
        )

    def _aside_faces(self, at: Position) -> tuple[int, ...]:
        return tuple(int(face) for face in self.numbers.faces_of(int(at.aside)))

    def _settled(self, at: Position, after: Position, you: bool, seen: bool) -> str:
        """Return who took tokens in a set, and from where."""
        if self.players > 2:
            return self._settled_among_many(at, after)
        was = (at.mine, at.yours) if you else (at.yours, at.mine)
        now = (after.mine, after.yours) if seen else (after.yours, after.mine)
        mine, yours = int(now[0] - was[0]), int(now[1] - was[1])
        drawn = int(self.pot(at) - self.pot(after))
        if not mine and not yours:
            return tr("The pot holds too few tokens: nobody takes any.")
        given = -yours if mine > 0 else -mine
        taken = {"drawn": drawn, "given": given}
        if not given:
            some = (
                mark("You take {drawn} from the pot."),
                mark("The other player takes {drawn} from the pot."),
            )
        elif not drawn:
            some = (
                mark("You receive {given} from the winner."),
                mark("The other player receives {given} from the winner."),
            )
        else:
            some = (
                mark("You take {drawn} from the pot and {given} from the winner."),
                mark("The other player takes {drawn} from the pot and {given} from the winner."),
            )
        text = said_by(mine > 0, *some, **taken)
        goes_on = drawn and not self.pot(after) and int(self.result(after)) == ONGOING
        began = tr("The discharge begins.")
        return f"{text} {began}" if goes_on else text

    def _settled_among_many(self, at: Position, after: Position) -> str:
        """Return what a set of three and more moved; who has how many lies on the table."""
        if at.other and not after.other:
            drawn = int(self.pot(at) - self.pot(after))
            leaves = trn("{n} token leaves the pot.", "{n} tokens leave the pot.", drawn)
            return leaves if drawn else tr("The set is over.")
        return tr("The next player must cast as often.")

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a match ended, in a sentence."""
        none = mark("{verdict}: no token left in hand.")
        every = mark("{verdict}: all tokens in hand.")
        kept = none if ended == "won" else every
        return tr(kept, verdict=verdict(ended, who))
