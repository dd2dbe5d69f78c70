"""A round of keep-and-reroll as a game for one: cast, put dice aside, cast the rest.

You cast all the dice. After each cast you keep some of them and cast the others again, or you stop;
after the last cast all dice count. A result is worth what the ``utility`` says. The first player
may stop after any cast (``player=first``); a next one must use every cast (``player=next``).

What lies on the table and how a cast falls is the engine's own (`dicelab.rounds`). This file says
how a round looks as a game, so that every verb knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr, trn
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError, UnreadablePosition
from dicelab.rounds.advice import read_question
from dicelab.rounds.policies import policy
from dicelab.rounds.rules import Keep, Round, check_player
from dicelab.rounds.strategies import RoundStrategy, bernoulli, ratchet
from dicelab.rounds.utilities import Utility, named_utility
from dicelab.rules import DRAW, LOSS, ONGOING, SAME, WIN, HouseRules, Outcome, Position
from dicelab.rules.dice import Die, d6
from dicelab.rules.registry import strategy
from dicelab.rules.sentences import YOU, said_by, upper_first
from dicelab.rules.speech import Told

CAST, STOP = mark("cast"), mark("stop")
_NOTATION = re.compile(
    r"\s*(?:([^a-z]*?)\s*\+)?\s*([^a-z]*?)\s*,\s*(\d{1,9})\s*(?:casts?\s*)?left\s*"
)


class RoundPosition(NamedTuple):
    """The dice aside and those just thrown, as the engine numbers combinations; the casts left."""

    aside: int
    thrown: int
    left: int  # -1 where the round is over, all dice aside


@dataclass(frozen=True)
class RoundGame(HouseRules):
    """A round: what a cast shows, what may be kept, and what results are worth."""

    dice: int = 3
    die: Die = d6
    casts: int = 3
    player: str = "first"
    utility: str = "sum"

    players: ClassVar[int] = 1
    aliases: ClassVar[Mapping[str, str]] = {"faces": "die", "sides": "die"}
    worth: ClassVar[Mapping[int, Fraction]] = dict.fromkeys((WIN, LOSS, DRAW), Fraction(0))
    list_place: ClassVar[int] = 60
    rivals: ClassVar[tuple[str, ...]] = ("ratchet", "policy", "random", "optimal")
    tray: ClassVar[str] = "keep"
    in_short: ClassVar[str] = (
        "Cast the dice, keep those you like and cast the others again. You have a few casts and "
        "no more. What the last dice are worth is for you to choose."
    )
    largest: ClassVar[Mapping[str, int]] = {"dice": 6, "casts": 10, "die": 12}
    help_in_words: ClassVar[Mapping[str, str]] = {
        "casts": "how often you may cast",
        "player": "the first may stop after any cast, the next must use every cast",
        "utility": "what a result is worth: goal:421, goal:421+111, goal:421*10+111*7, sum or rank",
    }
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "utility": {
            "sum": "the sum of the faces",
            "rank": "its place among all results",
            "goal:666": "the chance of 666",
        },
    }
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "player": {
            "first": "the first: may stop after any cast",
            "next": "the next: must use every cast",
        },
    }
    #: Whether dice once kept stay aside, or any die may be thrown again.
    keep: ClassVar[Keep] = "aside"

    def __post_init__(self) -> None:
        """Refuse a round that cannot be played, or a utility that it does not know."""
        check_player(self.player)
        assert self.worths.numbers is not None

    @lazy
    def round(self) -> Round:
        """The round as its engine knows it."""
        return Round(self.dice, self.die, self.casts, self.keep)

    @lazy
    def worths(self) -> Utility:
        """What each result is worth."""
        return named_utility(self.utility, self.round)

    @property
    def unit(self) -> str:  # type: ignore[override]
        """What the value counts."""
        return mark("chance of the goal") if self.utility.startswith("goal:") else "points"

    @property
    def stakes(self) -> tuple[float, float] | None:
        """A result that is worth 1 or nothing has a chance to be made."""
        return (0.0, 1.0) if {0, 1} >= set(self.worths.values.ravel().tolist()) else None

    @property
    def solved_exactly(self) -> bool:
        """A small round is solved in fractions within a second or two."""
        return self.size() <= 1000

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means, in a few words."""
        return tr("chance to make it")

    def size(self) -> int:
        """Return how many positions there are: tables after each cast, the start and the ends."""
        tables = len(self.round.matrices.shows)
        return self.casts * tables + len(self.round.numbers.full) + 1

    def start(self) -> RoundPosition:
        """Return the position before the first cast."""
        return self._untouched

    @property
    def _untouched(self) -> RoundPosition:
        return RoundPosition(0, 0, self.casts)

    def result(self, at: RoundPosition) -> int:
        """Return whether the round is over; what it is worth was gained on the way there."""
        return DRAW if at.left < 0 else ONGOING

    def choices(self, at: RoundPosition) -> list[str]:
        """Return what may be kept, fewest dice first; to stop is to keep all of them."""
        if at == self._untouched:
            return [CAST]
        if not at.left:
            return [STOP]
        kept = [self._keep(option) for option in self._options(at)[:-1]]
        return kept if self.player == "next" else [*kept, STOP]

    def outcomes(self, at: RoundPosition, move: str) -> Iterable[Outcome]:
        """Return every cast with its chance; to stop gains what the dice are worth."""
        if move != STOP:
            return _casts(self, self._kept(move), at.left - 1)
        shows = self._options(at)[-1]
        worth = self.worths.of(shows, self.casts - at.left)
        return (Outcome(1, RoundPosition(shows, 0, -1), SAME, worth),)

    def dice_of(self, move: str) -> int:
        """Return how many dice a move throws."""
        return 0 if move == STOP else self.live(self._kept(move))

    def after(self, at: Position, move: str, faces: Sequence[int]) -> Outcome:
        """Return what follows a move when its dice show these faces."""
        if move == STOP:
            return super().after(at, move, faces)
        thrown = self.round.numbers.number(tuple(faces))
        return Outcome(1, self.on_table(self._kept(move), thrown, at.left - 1), SAME)

    def on_table(self, kept: int, thrown: int, left: int) -> RoundPosition:
        """Return the position after a throw; at Yahtzee nothing stays aside."""
        if self.keep == "aside":
            return RoundPosition(kept, thrown, left)
        matrices = self.round.matrices
        return RoundPosition(0, int(matrices.shows[self.round.table_of(kept, thrown)]), left)

    def _options(self, at: RoundPosition) -> list[int]:
        table = self.round.table_of(at.aside, at.thrown)
        options: list[int] = self.round.options_of(table).tolist()
        return options

    def live(self, kept: int) -> int:
        """Return how many dice are cast when some are kept."""
        return self.dice - int(self.round.numbers.sizes[kept])

    def _keep(self, kept: int) -> str:
        return f"keep {self.round.numbers.write(kept)}"

    def _kept(self, move: str) -> int:
        return 0 if move == CAST else self.round.numbers.number(move.removeprefix("keep "))

    def label(self, at: RoundPosition, move: str) -> str:
        """Return what stands on the button of a move."""
        if move in (CAST, STOP):
            return upper_first(tr(move))
        kept = upper_first(self.spoken(at, move))
        return trn("{kept}, cast {n} die", "{kept}, cast {n} dice", self.dice_of(move), kept=kept)

    def spoken(self, at: RoundPosition, move: str) -> str:
        """Return a move as one says it: to keep no die is to keep nothing."""
        if move == "keep -":
            return tr("keep nothing")
        word, _, dice = move.partition(" ")
        return tr("keep {dice}", dice=dice) if dice else tr(word)

    def kept(self, at: RoundPosition, move: str) -> list[int] | None:
        """Return the faces that a move keeps; None where there is nothing to choose."""
        if move == CAST or not at.left:
            return None
        return self._faces(self._options(at)[-1] if move == STOP else self._kept(move))

    def counters(self, at: RoundPosition, mine: bool = True) -> JsonObject:
        """Return the dice on the table, the highest first, and the casts left."""
        aside, thrown = self._faces(at.aside), self._faces(at.thrown)
        return {"aside": aside, "thrown": thrown, "left": max(0, at.left)}

    def _faces(self, number: int) -> list[int]:
        return [int(face) for face in self.round.numbers.faces_of(number)[::-1]]

    def example_positions(self) -> list[str]:
        """Return positions worth asking about: after a first cast, in words and as it is written.

        The dice show the highest face, the one below and the lowest, as many as there are.
        """
        faces = [*self.die.faces[:-3:-1], *[self.die.faces[0]] * self.dice][: self.dice]
        thrown = RoundPosition(0, self.round.numbers.number(tuple(faces)), self.casts - 1)
        return [self.notation(thrown), self.notation(self.start())]

    def describe(self, at: RoundPosition, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        write = self.round.numbers.write
        if at.left < 0:
            return tr("You have {dice}.", dice=write(at.aside))
        if at == self._untouched:
            return trn("You have {n} cast.", "You have {n} casts.", self.casts)
        threw = trn(
            "You threw {dice}; {n} cast left.",
            "You threw {dice}; {n} casts left.",
            at.left,
            dice=write(at.thrown),
        )
        aside = tr("You have {dice} aside.", dice=write(at.aside)) if at.aside else ""
        return f"{aside} {threw}".strip()

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when the player kept some dice and cast the others, or stopped."""
        if move == STOP:
            kept = self.round.numbers.write(after.aside)
            return Told(tr("You stop with {dice}.", dice=kept), "stood")
        cast = ", ".join(map(str, faces))
        if move == CAST:
            return Told(tr("You cast {dice}.", dice=cast), "cast")
        kept = move.partition(" ")[2]
        if kept == "-":
            return Told(tr("You keep nothing and cast {dice}.", dice=cast), "cast")
        return Told(tr("You keep {kept} and cast {dice}.", kept=kept, dice=cast), "cast")

    def ending(self, at: RoundPosition, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a round ended, in a sentence."""
        made = self.round.numbers.write(at.aside)
        return said_by(who == YOU, "You made {dice}.", "{who} made {dice}.", who=who, dice=made)

    def notation(self, at: RoundPosition) -> str:
        """Return ``4+21, 1 left``: a 4 aside, 21 just thrown and one cast left."""
        write = self.round.numbers.write
        if at.left < 0:
            return f"{write(at.aside)}, over"
        if at == self._untouched:
            return f"{self.casts} left"
        shown = f"{write(at.aside)}+{write(at.thrown)}" if at.aside else write(at.thrown)
        return f"{shown}, {at.left} left"

    def parse(self, text: str) -> RoundPosition:
        """Return the position that a notation stands for."""
        number, said = self.round.numbers.number, text.strip()
        if said == f"{self.casts} left":
            return self._untouched
        if said.endswith(", over"):
            return RoundPosition(number(said.removesuffix(", over"), dice=self.dice), 0, -1)
        found = _NOTATION.fullmatch(said)
        parts = (found[1] or "-", found[2], int(found[3])) if found else self._asked(text)
        aside = number(parts[0])
        thrown = number(parts[1], dice=self.live(aside))
        return self.on_table(aside, thrown, parts[2])

    def _asked(self, text: str) -> tuple[str, str, int]:
        """Return the dice aside, those thrown and the casts left, as a question in words says."""
        try:
            said = read_question(text)
        except UnreadablePosition:
            raise self.unreadable(text) from None
        if said.goal is not None and self.utility != f"goal:{said.goal}":
            raise RulesError(
                f"{self} is played for another worth than the goal {said.goal}: "
                f"ask with utility=goal:{said.goal}, or leave the goal out"
            )
        return said.aside, said.thrown, said.left

    def unreadable(self, text: str) -> UnreadablePosition:
        """Return the error for a text that is no position of a round."""
        found = super().unreadable(text)
        return type(found)(
            f"cannot read {text!r} as a position of {self.name}: write the dice aside, those just "
            f"thrown and the casts left, like '4+21, 1 left'"
        )

    def follow(self, plan: RoundStrategy) -> Callable[[RoundPosition], object]:
        """Return a strategy of the engine as one of this game."""

        def decide(at: RoundPosition) -> object:
            legal = self.choices(at)
            if len(legal) == 1:
                return legal[0]
            kept = plan.decisions(at.aside, at.thrown, self.casts - at.left)
            number = self.round.numbers.number
            return {
                f"keep {what}" if self.live(number(what)) else STOP: chance
                for what, chance in kept.items()
            }

        return decide


@lru_cache(maxsize=2048)  # many positions allow the same things to be kept
def _casts(game: RoundGame, kept: int, left: int) -> tuple[Outcome, ...]:
    """Return what the dice that are not kept may show."""
    law: dict[RoundPosition, Fraction] = {}
    for thrown in game.round.numbers.of_size(game.live(kept)):
        after = game.on_table(kept, thrown, left)
        law[after] = law.get(after, Fraction(0)) + game.round.chance(thrown)
    return tuple(Outcome(chance, after, SAME) for after, chance in law.items())


@strategy(RoundGame, "ratchet", "keep what helps towards a goal")
def ratchet_(game: RoundGame, goal: str = "") -> Callable[[RoundPosition], object]:
    """Keep every die that helps towards a goal, and only those: the best result, or your own."""
    return game.follow(ratchet(game.round, goal or _best_result(game), game.player))  # type: ignore[arg-type]


@strategy(RoundGame, "bernoulli", "all or nothing")
def bernoulli_(game: RoundGame, goal: str = "") -> Callable[[RoundPosition], object]:
    """Cast every die again until the goal lies there: the best result, or your own."""
    return game.follow(bernoulli(game.round, goal or _best_result(game), game.player))  # type: ignore[arg-type]


@strategy(RoundGame, "policy", "think so many casts ahead")
def policy_(game: RoundGame, name: str = "h1s1") -> Callable[[RoundPosition], object]:
    """Think so many casts ahead about goals: a policy of the 421 study such as h0s0, h1s1, h2s0."""
    return game.follow(policy(name, game.round, game.worths, game.player))  # type: ignore[arg-type]


def _best_result(game: RoundGame) -> str:
    return game.round.numbers.write(game.worths.goals()[0])
