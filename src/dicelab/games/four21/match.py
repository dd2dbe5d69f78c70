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
from dicelab.games.four21.match_notation import WrittenMatch
from dicelab.games.four21.match_rules import CAST, KEEP, NOTHING, STOP
from dicelab.rules import ONGOING, Moment, Position
from dicelab.rules.registry import register
from dicelab.rules.speech import OTHER_PLAYER, YOU, Told, count, shown

NENETTE = "221"


@register("421")
@dataclass(frozen=True)
class FourTwentyOne(WrittenMatch):
    """The match of 421."""

    called: ClassVar[str] = "421"
    list_place: ClassVar[int] = 16
    in_short: ClassVar[str] = (
        "Cast three dice up to three times; the next player must cast as often as the first did. "
        "The lowest combination takes tokens: out of the pot while there are any, then from who "
        "has the highest. Have none when the pot is empty, or get rid of all: then you have won."
    )
    rivals: ClassVar[tuple[str, ...]] = ("beat", "transfer", "rank", "goal", "random", "optimal")
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": ("Cast more often", "stopping too early"),
        "fewer": ("Stop earlier", "casting too often"),
    }
    help_in_words: ClassVar[Mapping[str, str]] = {
        "tokens": "tokens in the pot at first",
        "players": "who sit at the table",
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
    largest: ClassVar[Mapping[str, int]] = {"tokens": 11, "players": 2, "casts": 3, "die": 6}

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        if move == STOP:
            return "Stop"
        if move.startswith(KEEP):
            left = self.numbers.dice - len(self._faces(move))
            return f"{move.capitalize()}, cast {count(left, 'die')}"
        return f"Cast {count(self.dice_of(move), 'die')}"

    def _faces(self, move: str) -> list[int]:
        """Return the faces that a move keeps, the highest first."""
        written = move.removeprefix(KEEP)
        number = 0 if written == NOTHING else self.numbers.number(written)
        return [int(face) for face in self.numbers.faces_of(number)[::-1]]

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the tokens of both and in the pot, and what has been thrown in this set."""
        here = at.at if isinstance(at, Moment) else at
        held = (here.mine, here.yours) if mine else (here.yours, here.mine)
        told: JsonObject = {"mine": int(held[0]), "yours": int(held[1]), "pot": int(self.pot(here))}
        if here.other:
            told["to_beat"] = self._named(int(here.other))
        if here.aside:
            told["aside"] = self.aside(here)
        if int(self.result(here)) == ONGOING:
            told["cast"] = f"{here.bound - here.left + 1} of {here.bound}"
        return told

    def _named(self, place: int) -> str:
        written = self.dice.written[place]
        return f"{written}, the nénette" if written == NENETTE else written

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a few sentences."""
        here = at.at if isinstance(at, Moment) else at
        you, other = (here.mine, here.yours) if mine else (here.yours, here.mine)
        who, verb, whom = (
            (YOU, "have", "the other player") if mine else (OTHER_PLAYER, "has", "you")
        )
        held = f"You have {count(int(you), 'token')}, the other player {int(other)}"
        pot = int(self.pot(here))
        over = int(self.result(here)) != ONGOING
        told = [f"{held}; {count(pot, 'token')} in the pot." if pot else f"{held}."]
        told = told if pot or over else ["Discharge.", *told]
        if here.other:
            wants = self.dice.tokens[here.other]
            told.append(
                f"{whom.capitalize()} threw {self._named(int(here.other))}, "
                f"worth {count(int(wants), 'token')}."
            )
        if here.aside:
            told.append(f"{who} {verb} {self.aside(here)} aside.")
        if here.left < here.bound or here.other:
            told.append(f"Cast {here.bound - here.left + 1} of {here.bound}.")
        if isinstance(at, Moment):
            told.append(self.describe_throw(list(at.dice), at.shown))  # type: ignore[call-overload]
        return " ".join(told)

    def narrate_throw(self, move: str, faces: Sequence[int], dice: str, you: bool) -> Told:
        """Return what a cast shows that leaves a choice."""
        who, s = (YOU, "") if you else (OTHER_PLAYER, "s")
        beside = "" if move == CAST else f" beside {move.removeprefix(f'{CAST} beside ')}"
        return Told(f"{who} cast{s} {shown(faces)}{beside}.", "threw")

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
        who, s = (YOU, "") if you else (OTHER_PLAYER, "s")
        if move.startswith(KEEP):
            return Told(f"{who} keep{s} {move.removeprefix(KEEP)}.", "kept")
        thrown = f"cast{s} {shown(faces)} and stand{s} with" if faces else f"stop{s} with"
        if not at.other:
            used = count(int(after.bound), "cast")
            return Told(f"{who} {thrown} {self._named(int(after.other))}, in {used}.", "stood")
        result = self.numbers.write(self.numbers.number((*self._aside_faces(at), *faces)))
        place = self.dice.written.index(result)
        return Told(
            f"{who} {thrown} {self._named(place)}. {self._settled(at, after, you, seen)}", "scored"
        )

    def _aside_faces(self, at: Position) -> tuple[int, ...]:
        return tuple(int(face) for face in self.numbers.faces_of(int(at.aside)))

    def _settled(self, at: Any, after: Any, you: bool, seen: bool) -> str:
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
        goes_on = drawn and not self.pot(after) and int(self.result(after)) == ONGOING
        began = " The discharge begins." if goes_on else ""
        return f"{taker} take{s} {' and '.join(parts)}.{began}"

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a match ended, in a sentence."""
        return f"{who} {ended}: {'no token left' if ended == 'won' else 'all tokens'} in hand."
