"""The match of 421 on one line: how a position is written, and how it is read.

A position is written ``3-2 pot 6`` where a set begins: my tokens, the other player's, and those in
the pot. In the middle of a set it goes on: ``3-2 pot 6, other 654, 4 aside, cast 2 of 2``. What the
dice then show stands behind it: ``threw 6 1``.

The same may be asked in words, in any order after the tokens: ``3-2, the other threw 654 in 2
casts, I have 4 aside, threw 61, 0 casts left``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dicelab.errors import UnknownPosition, UnreadablePosition
from dicelab.games.four21.match_rules import CAST, MatchPosition, MatchRules
from dicelab.rules import Moment, Position
from dicelab.rules.game import shown_by
from dicelab.rules.speech import count

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


@dataclass(frozen=True)
class WrittenMatch(MatchRules):
    """The match with its notation."""

    def notation(self, at: MatchPosition) -> str:
        """Return tokens and pot, what the other threw, the dice aside and the cast."""
        told = [f"{at.mine}-{at.yours} pot {self.pot(at)}"]
        if at.other:
            told.append(f"other {self.dice.written[at.other]}")
        if at.aside:
            told.append(f"{self.aside(at)} aside")
        if at.other or at.left < at.bound:
            told.append(f"cast {at.bound - at.left + 1} of {at.bound}")
        return ", ".join(told)

    def aside(self, at: MatchPosition) -> str:
        """Return the dice aside in notation."""
        return self.dice.names[int(at.aside)].removeprefix(f"{CAST} beside ")

    def parse(self, text: str) -> MatchPosition:
        """Return the position that a notation or a question in words stands for."""
        at = self.read(text)
        return at.at if isinstance(at, Moment) else at

    def read(self, text: str) -> Position:
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

    def followed_by(self, at: MatchPosition, dice: tuple[int, ...]) -> Position:
        """Return the moment at which the dice show something; refused where nothing is left."""
        if at.left == 1:
            raise UnknownPosition(
                f"the last cast counts as it lies: there is nothing to choose at "
                f"{self.notation(at)} once {shown_by(dice)} is thrown"
            )
        return Moment(at, self.dice.names[int(at.aside)], dice)

    def _said(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return what a text says, by the kind of each part."""
        plain = " ".join(
            _NO_WORDS.sub(" ", text.lower().replace("(", " ").replace(")", " ")).split()
        )
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
        self, text: str, mine: int, yours: int, said: dict[str, tuple[str, ...]]
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

    def _other(self, text: str, said: dict[str, tuple[str, ...]]) -> tuple[int, int | None]:
        """Return the place of what the other threw, 0 if nothing, and in how many casts."""
        if "other" not in said:
            return 0, None
        written, casts = said["other"]
        full = self.numbers.number(written.replace(" ", ""), dice=self.numbers.dice)
        return self.dice.written.index(self.numbers.write(full)), int(casts) if casts else None

    def _casts(
        self,
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
            raise UnknownPosition(
                f"say which cast it is, such as 'cast 2 of {bound}': got {text!r}"
            )
        if not (1 <= bound <= self.casts and (2 if aside else 1) <= cast <= bound):
            raise UnknownPosition(
                f"no round of {self} comes to {text!r}: it has 1 to {self.casts} casts, "
                f"and dice are put aside after the first"
            )
        return bound, bound - cast + 1

    def unreadable(self, text: str) -> UnreadablePosition:
        """Return the error for a text that is no position of a match."""
        return UnreadablePosition(
            f"cannot read {text!r} as a position of {self.name}: write tokens and pot, what the "
            f"other threw, the dice aside, the cast and what you threw, like "
            f"{self.example_positions()[-1]!r}"
        )

    def example_positions(self) -> list[str]:
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
