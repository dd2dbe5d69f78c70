"""How a game speaks at the table: what stands on a button, what happened, what is worth drawing.

Every method here has an answer for any game, made from its moves and from the fields of its
positions. A game that can say it better overrides it, in its own file. So the lab asks the game
and never which game it is.

Everything is told to one player, who is "you"; whoever sits opposite is "the other player".

>>> from dicelab.games.pig import Pig
>>> pig = Pig(target=50)
>>> pig.label(pig.parse("30-12 +9"), "hold"), pig.describe(pig.parse("30-12 +9"))
('Hold 9', 'You have 30 and 9 at risk. The other player has 12.')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.errors import StrategyError

Position = Any  # a NamedTuple whose fields are Ints; house rules may use any hashable thing

YOU, OTHER_PLAYER = "You", "The other player"
MOST_TOLD = 3  # fields that a generic sentence names
THROWING = ("cast", "roll", "throw", "toss")  # moves that are the throw itself
NAMES = {"mine": "you", "yours": "the other player"}


class Told(NamedTuple):
    """What happened in one decision."""

    text: str
    effect: str = "played"  # a word for the page: scored, bust, held, ...
    points: int = 0
    marked: tuple[int, ...] = ()  # which of the dice lost the throw, by their place


class Speech:
    """What a game says about itself; generic answers for any game."""

    #: How the table is laid: one player rolls at a time ("turn"), both show what they threw
    #: ("handfuls"), or dice are picked to be kept ("keep", with the counters aside and thrown).
    tray: ClassVar[str] = "turn"
    #: What the game is called where its name with capitals would not do.
    called: ClassVar[str] = ""
    #: The rules in up to three sentences; without them the docstring of the class is told.
    in_short: ClassVar[str] = ""
    #: Where a list of games names it: the best known first.
    list_place: ClassVar[int] = 100
    #: Which maps the lab can draw of a strategy.
    map_views: ClassVar[tuple[str, ...]] = ()
    #: Named strategies worth meeting, the first one first.
    rivals: ClassVar[tuple[str, ...]] = ()
    #: What to change by who throws too few dice (more) or too many (fewer), and what they do now.
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": ("Throw more dice", "too few"),
        "fewer": ("Throw fewer dice", "too many"),
    }
    #: Choices of a parameter in the players' words: parameter, value, words.
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: Values worth suggesting of a parameter that takes others too: parameter, value, words.
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: What a parameter means, where its name does not tell: parameter, words.
    help_in_words: ClassVar[Mapping[str, str]] = {}
    #: The largest parameters that are solved while people wait; of a die, its faces.
    largest: ClassVar[Mapping[str, int]] = {}

    @property
    def headline(self) -> str:
        """The name of the game as a headline."""
        name = str(getattr(self, "name", "") or type(self).__name__).rpartition(":")[2]
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_]", " ", name).split()
        return self.called or " ".join(word[:1].upper() + word[1:] for word in words)

    @property
    def score_limit(self) -> tuple[str, int] | None:
        """The parameter that scores run up to, and its value; None where there is none."""
        target = getattr(self, "parameters", {}).get("target")
        return ("target", target) if isinstance(target, int) else None

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means, in a few words."""
        return "chance to win"

    @property
    def stakes(self) -> tuple[float, float] | None:
        """The least and the most that one can get, where a percentage between them says something.

        This is for a game alone that collects gains; for any other its worths tell it.
        """
        return None

    @property
    def solved_exactly(self) -> bool:
        """Whether fractions take no longer than people wait; else values come with bounds."""
        return False

    def kept(self, at: Position, move: str) -> list[int] | None:
        """Return the faces that a move keeps on the table; None where it is not about keeping."""
        return None

    def label(self, at: Position, move: str) -> str:
        """Return what stands on the button of a move."""
        return move[:1].upper() + move[1:]

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: hold, throw 3, play 4+5."""
        return move if move.partition(" ")[0].isalpha() else f"play {move}"

    def offered(self, at: Position) -> list[str]:
        """Return the allowed moves that are worth a button of their own at one position."""
        return list(getattr(self, "legal_moves")(at))  # noqa: B009  a mixin: the game has it

    def counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position by name, seen by you; `mine`: you are about to move."""
        if not hasattr(at, "_asdict"):
            return {}
        told = {name: _plain(value) for name, value in at._asdict().items()}
        if not mine and {"mine", "yours"} <= set(told):
            told["mine"], told["yours"] = told["yours"], told["mine"]
        return told

    def final_counters(self, at: Position, mine: bool = True) -> JsonObject:
        """Return the fields of a position where the game is over, as the last score."""
        return self.counters(at, mine)

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        if not told:
            whose = "" if mine else " The other player is to move."
            return f"The position is {_notation(self, at)}.{whose}"
        return _sentence(_listed(told))

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody made a move; `seen`: you see `after` as yours."""
        done = _threw(move, faces, you)
        before, then = self.counters(at, you), self.counters(after, seen)
        if not (you and seen) and not {"mine", "yours"} <= set(then):
            then = {}  # seen by the other player, and what is whose cannot be told
        changed = {name: value for name, value in then.items() if before.get(name) != value}
        where = _listed(dict(list(changed.items())[:MOST_TOLD]))
        if not hasattr(after, "_asdict"):
            where = _notation(self, after) + ("" if seen else ", seen by the other player")
        return Told(f"{done}: {where}." if where else f"{done}.")

    def narrate_throw(self, move: str, faces: Sequence[int], dice: str, you: bool) -> Told:
        """Return what a throw shows that leaves a choice; `dice` is how the rules tell it.

        That may be more than the faces, such as their sum.
        """
        more = not faces or (len(faces) > 1 and dice.isdigit())
        return Told(f"{_threw(move, faces, you)}{f': {dice}' if more else ''}.", "threw")

    def describe_throw(self, faces: Sequence[int], dice: str) -> str:
        """Return what the dice show in a sentence, where one chooses after the throw."""
        if not faces:
            return f"The throw is {dice}."
        return f"The {'die shows' if len(faces) == 1 else 'dice show'} {shown(faces)}."

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended for somebody called `who`, in a sentence."""
        told = self.final_counters(at, mine)
        verb = "It is a draw" if ended == "drawn" else f"{who} {ended}"
        if {"mine", "yours"} <= set(told):
            return f"{verb}, {told['mine']} to {told['yours']}."
        return f"{verb}."

    @property
    def canvas(self) -> JsonObject | None:
        """How a strategy of this game can be painted; None where it cannot.

        ``{"kind": "grid", "size": 50}`` is a map of roll and hold over one's bank and what is at
        risk; ``{"kind": "dice", "size": 50, "least": 1, "most": 5}`` one of numbers of dice over
        both scores.
        """
        return None

    def painted(self, kind: str, given: JsonObject) -> Callable[[Position], object]:
        """Return the strategy, on arrays of positions, that a painted map tells."""
        raise StrategyError(f"{self} cannot be painted")

    def example_positions(self) -> list[str]:
        """Return notations of positions worth asking about, the first one first."""
        start = getattr(self, "start")()  # noqa: B009  a mixin: the game has it
        return [_notation(self, start)]


def _notation(game: Any, at: Position) -> str:
    return str(getattr(game, "notation")(at))  # noqa: B009  a mixin: the game has it


def _plain(value: object) -> object:
    """Return a field as numbers, lists and text, which is what a page can be sent."""
    if isinstance(value, str | bool | None):
        return value
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(one) for one in value]
    return int(value) if hasattr(value, "__index__") else str(value)


def _listed(told: Mapping[str, object]) -> str:
    return ", ".join(f"{NAMES.get(name, name.replace('_', ' '))} {told[name]}" for name in told)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def count(number: int, thing: str) -> str:
    """Return a number with what it counts: 1 turn, 3 turns, 2 dice."""
    if number == 1:
        return f"{number} {thing}"
    return f"{number} {'dice' if thing == 'die' else f'{thing}s'}"


def doing(move: str, you: bool) -> str:
    """Return a move as somebody does it: you roll, the other player rolls; you play 4+5."""
    word, _, rest = move.partition(" ")
    if not word.isalpha() or not word.islower():
        return f"{'play' if you else 'plays'} {move}"
    return " ".join(filter(None, [word if you else third_person(word), rest]))


def _threw(move: str, faces: Sequence[int], you: bool) -> str:
    """Return who made a move and what the dice showed: you roll a 3; you climb and throw a 3."""
    who, (verb, _, rest) = YOU if you else OTHER_PLAYER, move.partition(" ")
    if not faces:
        return f"{who} {doing(move, you)}"
    if verb in THROWING and (not rest or rest == str(len(faces))):
        return f"{who} {doing(verb, you)} {shown(faces)}"
    return f"{who} {doing(move, you)} and {'throw' if you else 'throws'} {shown(faces)}"


def third_person(verb: str) -> str:
    """Return what somebody else does: throws, passes, tries."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def shown(faces: Sequence[int]) -> str:
    """Return the faces of a throw in words; many of them by their number."""
    if len(faces) == 1:
        return f"{'an' if str(faces[0])[0] == '8' or faces[0] in (11, 18) else 'a'} {faces[0]}"
    if len(faces) > 6 or not faces:
        return f"{len(faces)} dice"
    return ", ".join(map(str, faces[:-1])) + f" and {faces[-1]}"
