"""The match of 421 on one line: how a position is written, and how it is read.

A position is written ``3-2 pot 6`` where a set begins: my tokens, the other player's, and those in
the pot. In the middle of a set it goes on: ``3-2 pot 6, other 654, 4 aside, cast 2 of 2``. What the
dice then show stands behind it: ``threw 6 1``.

The same may be asked in words, in any order after the tokens: ``3-2, the other threw 654 in 2
casts, I have 4 aside, threw 61, 0 casts left``.

With three players and more the tokens of all stand there in order of their turns, ``3-0-2 pot 6``.
Where several have thrown, the lowest combination and the highest are told, and whose they are: ``2
others 321 by 3 and 654 by 2``, the third and the second in the row of tokens. Where it does not
matter whose the highest is, how many tokens it moves: ``2 others 321 by 3 and worth 2``. A question
may name them all as they were thrown: ``others 654 and 321 in 2 casts``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dicelab.errors import UnknownPosition, UnreadablePosition
from dicelab.games import seats
from dicelab.games.four21.match_casts import CAST
from dicelab.games.four21.match_rules import MatchPosition, MatchRules
from dicelab.rules import Moment, Position, before_throw
from dicelab.rules.chance import shown_by
from dicelab.rules.sentences import count

DICE = r"([1-9](?:[ +]?[1-9]){0,19}|-)"  # too many are refused by their number
EACH = r"(?:[1-9]{3}(?: by \d)?|worth \d{1,2})"
PARTS = {
    "tokens": r"(?:tokens )?(\d{1,3}(?: ?- ?\d{1,3})+)(?: tokens)?(?: pot (\d{1,3}))?",
    "pot": r"(?:pot|in the pot) (\d{1,3})|(\d{1,3})(?: tokens?)? in the pot",
    "other": rf"(?:other|to beat)(?: threw| has)? {DICE}(?: (?:in|with) (\d)(?: casts?)?)?",
    "others": rf"(?:(\d) )?others(?: threw| have)? ({EACH}(?: {EACH})*)"
    r"(?: (?:in|with) (\d)(?: casts?)?)?",
    "aside": rf"(?:have )?{DICE} aside|(?:have|kept|keep) {DICE}",
    "cast": r"cast (\d) of (\d)",
    "left": r"(\d)(?: casts?)? (?:left|to go)",
    "threw": rf"(?:threw|dice show) {DICE}",
}
_READERS = {name: re.compile(pattern) for name, pattern in PARTS.items()}
_LOWEST_AND_HIGHEST = re.compile(r"([1-9]{3}) by (\d) (?:([1-9]{3}) by (\d)|worth (\d{1,2}))")
_PARTED = re.compile(r"[,;|]|(?<!other)(?<!others) (?=threw )|(?<=\d) (?=other )")
_DICE_APART = re.compile(r"\b[1-9](?:,[1-9])+\b(?! ?(?:casts?|left|to go)\b)")
_NUMBERS = {"no": "0", "one": "1", "two": "2", "three": "3"}
_IN_WORDS = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")
_NO_WORDS = re.compile(r"\b(?:i|the|player|you|me|and|with|my|dice are)\b")


@dataclass(frozen=True)
class WrittenMatch(MatchRules):
    """The match with its notation."""

    def notation(self, at: MatchPosition) -> str:
        """Return tokens and pot, what the others threw, the dice aside and the cast."""
        told = [f"{seats.between(self.held(at))} pot {self.pot(at)}"]
        if at.other:
            told.append(self._others(at))
        if at.aside:
            told.append(f"{self.aside(at)} aside")
        if at.other or at.left < at.bound:
            told.append(f"cast {at.bound - at.left + 1} of {at.bound}")
        return ", ".join(told)

    def _others(self, at: MatchPosition) -> str:
        """Return what others have thrown in this set: one, or the lowest and the highest."""
        before, written = self.thrown(at), self.dice.written
        if before.number == 1:
            return f"other {written[before.low]}"
        high = f"{written[before.high]} by {before.high_by + 1}"
        if not self.highest_counts(at):
            high = f"worth {self.dice.tokens[before.high]}"
        low = f"{written[before.low]} by {before.low_by + 1}"
        return f"{before.number} others {low} and {high}"

    def aside(self, at: MatchPosition) -> str:
        """Return the dice aside in notation."""
        return self.dice.names[int(at.aside)].removeprefix(f"{CAST} beside ")

    def parse(self, text: str) -> MatchPosition:
        """Return the position that a notation or a question in words stands for."""
        at = self.read(text)
        return before_throw(at)

    def read(self, text: str) -> Position:
        """Return the position, or the moment after a throw, that a text stands for."""
        said = self._said(text)
        tokens = [int(each) for each in said["tokens"][0].split("-")]
        self._check_tokens(text, tokens, said)
        numbers = self.numbers
        before, imposed = self._before(text, tokens, said)
        aside = numbers.number(said["aside"][0] or said["aside"][1]) if "aside" in said else 0
        if numbers.sizes[aside] >= numbers.dice:
            raise UnknownPosition(f"with {numbers.write(aside)} aside no die is left in {text!r}")
        thrown = said["threw"][0] if "threw" in said else None
        is_next = before.other > 0
        bound, left = self._casts(text, said, is_next, imposed, bool(aside), thrown is not None)
        at = before._replace(bound=bound, aside=aside, left=left)
        if thrown is None:
            return at
        live = numbers.dice - int(numbers.sizes[aside])
        dice = numbers.faces_of(numbers.number(thrown.replace(" ", ""), dice=live))
        return self.followed_by(at, dice)

    def followed_by(self, at: MatchPosition, dice: tuple[int, ...]) -> Position:
        """Return the moment at which the dice show something; refused where nothing is left."""
        if int(self.result(at)):
            raise UnknownPosition(f"the match is over at {self.notation(at)}: nobody casts there")
        if at.left == 1:
            raise UnknownPosition(
                f"the last cast counts as it lies: there is nothing to choose at "
                f"{self.notation(at)} once {shown_by(dice)} is thrown"
            )
        return Moment(at, self.dice.names[int(at.aside)], dice)

    def _said(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return what a text says, by the kind of each part."""
        plain = _NO_WORDS.sub(" ", text.lower().replace("(", " ").replace(")", " "))
        plain = " ".join(_IN_WORDS.sub(lambda word: _NUMBERS[word[0]], plain).split())
        plain = _DICE_APART.sub(lambda dice: dice[0].replace(",", ""), plain)
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

    def _check_tokens(self, text: str, tokens: list[int], said: dict[str, tuple[str, ...]]) -> None:
        """Refuse tokens that cannot lie so."""
        if len(tokens) != self.players:
            raise UnknownPosition(
                f"{self} is played by {self.players}: got the tokens of {len(tokens)} in {text!r}"
            )
        held = f"{', '.join(map(str, tokens[:-1]))} and {count(tokens[-1], 'token')}"
        pots = [*said["tokens"][1:], *said.get("pot", ())]
        pot = next((int(each) for each in pots if each), self.tokens - sum(tokens))
        if sum(tokens) > self.tokens:
            raise UnknownPosition(f"{held} are more than there are in {self}: {self.tokens} in all")
        if sum(tokens) + pot != self.tokens:
            raise UnknownPosition(
                f"{held} and {pot} in the pot make {sum(tokens) + pot}: "
                f"there are {self.tokens} in {self}"
            )

    def _before(
        self, text: str, tokens: list[int], said: dict[str, tuple[str, ...]]
    ) -> tuple[MatchPosition, int | None]:
        """Return the round that begins after what others threw, and in how many casts they did."""
        if "other" in said:
            written, casts = said["other"]
            thrown = [self._place(written.replace(" ", ""))]
        elif "others" in said:
            number, listed, casts = said["others"]
            if "by" in listed or "worth" in listed:
                return self._told(text, tokens, number, listed), int(casts) if casts else None
            thrown = [self._place(each) for each in listed.split()]
            if number and int(number) != len(thrown):
                raise self.unreadable(text)
        else:
            return self.opening(*tokens), None
        if len(thrown) >= self.players:
            raise UnknownPosition(
                f"{self} is played by {self.players}, so that at most "
                f"{count(self.players - 1, 'other')} threw before: got {len(thrown)} in {text!r}"
            )
        seat = self.players - len(thrown)
        at = self.opening(*tokens[seat:], *tokens[:seat])
        for place in thrown:
            at = self.passed(at, place)
        return at, int(casts) if casts else None

    def _told(self, text: str, tokens: list[int], number: str, listed: str) -> MatchPosition:
        """Return the round after several have thrown, from the lowest and the highest of them."""
        match = _LOWEST_AND_HIGHEST.fullmatch(listed)
        if match is None or self.players < 3:
            raise self.unreadable(text)
        low, low_by, high, high_by, worth = match.groups()
        if worth:
            alike = [p for p in set(self.dice.alike[1:]) if self.dice.tokens[p] == int(worth)]
            if not alike:
                raise self.unreadable(text)
            highest = max(alike), 0
        else:
            highest = self._place(high), int(high_by) - 1
        at: Position = self.opening(*tokens)
        found: MatchPosition = at._replace(
            other=self._place(low),
            other_by=int(low_by) - 1,
            high=int(highest[0]),
            high_by=highest[1],
            thrown=int(number or 2),
        )
        return found

    def _place(self, written: str) -> int:
        """Return the place of a combination of all dice."""
        full = self.numbers.number(written, dice=self.numbers.dice)
        return self.dice.written.index(self.numbers.write(full))

    def _casts(
        self,
        text: str,
        said: dict[str, tuple[str, ...]],
        is_next: bool,
        imposed: int | None,
        aside: bool,
        thrown: bool,
    ) -> tuple[int, int]:
        """Return how many casts the round has, and how many are still to be made."""
        bound = imposed if is_next else self.casts
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
        early = self.start()
        late = self.opening(*((self.tokens + seat) // self.players for seat in range(self.players)))
        late = early if int(self.result(late)) else late
        if self.casts == 1:
            return [self.notation(early), self.notation(late)]
        high = self.die.faces[-1]
        dice = (1, high - 1, high)
        held = self.held(late)
        turned = self.opening(held[-1], *held[:-1])._replace(left=self.casts - 1)  # in two casts
        after = self.passed(turned, self.dice.written.index("321"))
        told = [Moment(early, CAST, dice), Moment(late, CAST, dice), Moment(after, CAST, dice)]
        return [self.write(each) for each in told]
