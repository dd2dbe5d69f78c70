"""How a game speaks at the table: what stands on a button, what happened, what is worth drawing.

Every method here has an answer for any game, made from its moves and from the fields of its
positions. A game that can say it better overrides it, in its own file. So the lab asks the game
and never which game it is.

Everything is told to one player, who is "you"; whoever sits opposite is "the other player". At a
table of three and more the others have names, and what belongs to a seat is turned around, so that
yours comes first. It is told in the language of who asks (`core/language`), in whole sentences:
what somebody does has one sentence for you and one for another.

>>> from dicelab.games.pig import Pig
>>> pig = Pig(target=50)
>>> pig.label(pig.parse("30-12 +9"), "hold"), pig.describe(pig.parse("30-12 +9"))
('Hold 9', 'You have 30 and 9 at risk. The other player has 12.')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from dicelab.core.json_object import JsonObject
from dicelab.core.language import mark, tr
from dicelab.errors import StrategyError
from dicelab.rules.board import Done, plain_parts
from dicelab.rules.sentences import (
    DICE_SHOW,
    FURTHER,
    OTHER_PLAYER,
    THROWING,
    YOU,
    in_a_row,
    moved,
    shown,
    upper_first,
    verdict,
)

Position = Any  # a NamedTuple whose fields are Ints; house rules may use any hashable thing

MOST_ON_TILE = 5  # dice that a tile has room for
MOST_TOLD = 3  # fields that a generic sentence names
FIELDS = {
    "mine": mark("your score"),
    "yours": mark("the other player's score"),
    "at_risk": mark("the sum at risk"),
    "dice": mark("the number of dice"),
}
"""What fields are called that many games have."""
NAMES = {"mine": mark("you"), "yours": mark("the other player"), "at_risk": mark("at risk")}
UNITS = (mark("chance to win"), mark("turns"), mark("points"), mark("gain"), mark("rating"))
HAS, YOU_HAVE = mark("{name} has {score}"), mark("You have {score}.")
WORDS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Fields for what those have who sit after the next player."""


def seat_fields(first: str, second: str, players: int) -> list[str]:
    """Return the fields of a position that belong to one seat each, in order of the turns."""
    more = WORDS[: max(0, players - 2)]
    return [first, second, *(word if second == "yours" else f"{second}_{word}" for word in more)]


def turned_to(told: Mapping[str, Any], groups: Sequence[Sequence[str]], seat: int) -> JsonObject:
    """Return fields as one sees them who sits so many seats after the player about to move."""
    found = dict(told)
    for names in groups:
        if set(names) <= set(told):
            for place, name in enumerate(names):
                found[name] = told[names[(place + seat) % len(names)]]
    return found


def by_side(both: Iterable[object], mine: bool) -> JsonObject:
    """Return what both players have by whose it is; `mine`: the first of the two is yours."""
    return dict(zip(("mine", "yours") if mine else ("yours", "mine"), both, strict=True))


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
    #: Whether it is among the games of the day: for two, and solved in seconds by its usual rules.
    is_daily: ClassVar[bool] = False
    #: Which maps the lab can draw of a strategy.
    map_views: ClassVar[tuple[str, ...]] = ()
    #: Named strategies worth meeting, the first one first.
    rivals: ClassVar[tuple[str, ...]] = ()
    #: Faces that lie on the tile of the game in a list; without them, some that its dice show.
    tile_dice: ClassVar[tuple[int, ...]] = ()
    #: Parameters of the game that a tap on its tile begins, where the defaults make a poor evening.
    tile_rules: ClassVar[Mapping[str, str]] = {}
    #: What people call such a strategy, and how it plays in a sentence: strategy, both of them.
    rivals_in_words: ClassVar[Mapping[str, tuple[str, str]]] = {}
    #: What to change by who throws too few dice (more) or too many (fewer), and what they do now.
    habits: ClassVar[Mapping[str, tuple[str, str]]] = {
        "more": (mark("Throw more dice"), mark("too few")),
        "fewer": (mark("Throw fewer dice"), mark("too many")),
    }
    #: Choices of a parameter in the players' words: parameter, value, words.
    choices_in_words: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: Values worth suggesting of a parameter that takes others too: parameter, value, words.
    suggested: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: What a parameter means, where its name does not tell: parameter, words.
    help_in_words: ClassVar[Mapping[str, str]] = {}
    #: Pairs of fields of which one belongs to who is about to move and one to the next in turn.
    seat_pairs: ClassVar[tuple[tuple[str, str], ...]] = (("mine", "yours"),)
    #: What fields are called in a rule of thumb, where their name does not tell: field, words.
    fields_in_words: ClassVar[Mapping[str, str]] = {}
    #: What it is to take the first way after a throw, where a rule of thumb says so.
    first_way_in_words: ClassVar[str] = "take the first that is open"
    #: What the other player has more than you, and you more than the other player.
    apart_in_words: ClassVar[tuple[str, str]] = ("what you are behind", "what you are ahead")
    #: Whether `label`, `spoken` and `narrate` are asked with the throw (a `Moment`) where one
    #: chooses after it; else they get the position before the throw.
    tells_throws: ClassVar[bool] = False
    #: The largest parameters that are solved while people wait; of a die, its faces.
    largest: ClassVar[Mapping[str, int]] = {}
    #: The most positions that are solved while people wait; 0: what memory holds.
    most_positions: ClassVar[int] = 0

    @property
    def headline(self) -> str:
        """The name of the game as a headline."""
        name = str(getattr(self, "name", "") or type(self).__name__).rpartition(":")[2]
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_]", " ", name).split()
        spelt = upper_first(
            " ".join(word if word == "the" else upper_first(word) for word in words)
        )
        return tr(self.called or spelt)

    def tile(self) -> tuple[int, tuple[int, ...]]:
        """Return what lies on the tile of the game in a list: the sides of its dice, and faces."""
        faces = getattr(getattr(self, "die", None), "faces", range(1, 7))
        dice = getattr(self, "dice", None)
        count = min(max(1, dice), MOST_ON_TILE) if isinstance(dice, int) else 2
        # Spread out, and in no order: as dice lie that were thrown.
        spread = [faces[(len(faces) * at) // 6] for at in (4, 2, 5, 0, 3)]
        return max(faces), self.tile_dice or tuple(spread[:count])

    @property
    def score_limit(self) -> tuple[str, int] | None:
        """The parameter that scores run up to, and its value; None where there is none."""
        target = getattr(self, "parameters", {}).get("target")
        return ("target", target) if isinstance(target, int) else None

    @property
    def counts_as(self) -> str:
        """What a percentage of this game means, in a few words."""
        return tr("chance to win")

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
        return upper_first(tr(move))

    def spoken(self, at: Position, move: str) -> str:
        """Return a move as one says it in a sentence: hold, throw 3, play 4+5."""
        return tr(move) if move.partition(" ")[0].isalpha() else tr("play {move}", move=move)

    def offered(self, at: Position) -> list[str]:
        """Return the allowed moves that are worth a button of their own at one position."""
        return list(getattr(self, "legal_moves")(at))  # noqa: B009  a mixin: the game has it

    def sensible_move(self, at: Position) -> str | None:
        """Return a move near which people choose among many numbers; None where any may be it."""
        return None

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

    def board_parts(self, at: Position, seat: int, past: Sequence[Done]) -> list[JsonObject]:
        """Return what lies on the table, in parts that `rules.board` makes.

        `at` is a `Moment` after a throw; you sit `seat` seats after who is about to move; `past`
        are the decisions so far. Here: what can be drawn of any position.
        """
        return plain_parts(self, at.at if hasattr(at, "shown") else at)

    def touched(self, at: Position, move: str) -> list[str]:
        """Return the keys of the items on the board that a move is about, each as often as it is.

        Here: every word and number of a move that is no throw; those that no item has are left out.
        """
        words = re.findall(r"\w+", move)
        return [] if words[:1] and words[0] in THROWING else words

    @property
    def _seat_groups(self) -> list[list[str]]:
        players = int(getattr(self, "players", 2))
        return [seat_fields(*pair, players) for pair in self.seat_pairs]

    def turned(self, at: Position, seat: int) -> Position:
        """Return a position with the scores as one sees them who sits so many seats further on."""
        if not seat or not hasattr(at, "_asdict"):
            return at
        return at._replace(**turned_to(at._asdict(), self._seat_groups, seat))

    def counters_from(self, at: Position, seat: int, over: bool = False) -> JsonObject:
        """Return the fields as you see them who sit so many seats after the player about to move.

        `over`: the game has ended there, and these are the last scores.
        """
        tell = self.final_counters if over else self.counters
        if getattr(self, "players", 2) <= 2:
            return tell(at, seat == 0)
        return turned_to(tell(at, True), self._seat_groups, seat)

    def describe_to(self, at: Position, seat: int, names: Sequence[str]) -> str:
        """Return a position in a sentence or two, to one of three and more.

        `names` are the other players, in order of their turns after you.
        """
        told = self.counters_from(at, seat)
        fields = self._seat_groups[0]
        if not set(fields) <= set(told):
            position = _notation(self, at)
            text = tr("The position is {position}, seen by who is to move.", position=position)
            return text if seat == 0 else f"{text} {_to_move(names[-seat])}"
        risk = told.get("at_risk")
        others = []
        for place, (name, field) in enumerate(zip(names, fields[1:], strict=True), -len(names)):
            score, risking = self.score_in_words(told[field]), risk and place == -seat
            has = mark("{name} has {score} and {risk} at risk") if risking else HAS
            others.append(tr(has, name=name, score=score, risk=risk))
        own = self.score_in_words(told["mine"])
        have = mark("You have {score} and {risk} at risk.") if risk and seat == 0 else YOU_HAVE
        mine = tr(have, score=own, risk=risk)
        more = f" {remark}" if (remark := self.remark_on(at)) else ""
        return f"{mine} {upper_first(in_a_row(others))}.{more}"

    def field_in_words(self, name: str) -> str:
        """Return what a field or a parameter is called where a rule of thumb names it."""
        known = {**FIELDS, **self.fields_in_words}
        called = name.replace("_", " ")
        return known.get(name, called if re.fullmatch(r"part_\d+", name) else f"the {called}")

    def one_in_words(self, name: str) -> str:
        """Return what one of a field is called, where a rule gives points for each; else nothing.

        >>> Speech().one_in_words("dice")
        'die'
        """
        return {"dice": "die"}.get(name, "")

    def points_of_one(self, name: str) -> int:
        """Return how many points one of a field is, where positions count in larger steps."""
        return 1

    def score_in_words(self, score: object) -> str:
        """Return what somebody has, as one says it."""
        return str(score)

    def remark_on(self, at: Position) -> str:
        """Return what else a position is about, in a sentence; nothing where scores tell it all."""
        return ""

    def ending_to(
        self, at: Position, seat: int, ended: str, names: Sequence[str], who: str = YOU
    ) -> str:
        """Return how a game of three and more ended for somebody, in a sentence."""
        told, fields = self.counters_from(at, seat, over=True), self._seat_groups[0]
        if not set(fields) <= set(told):
            return f"{verdict(ended, who)}."
        mine, *others = (self.score_in_words(told[field]) for field in fields)
        own = tr("You have {score}", score=mine) if who == YOU else tr(HAS, name=who, score=mine)
        rest = [tr(HAS, name=name, score=each) for name, each in zip(names, others, strict=True)]
        return f"{verdict(ended, who)}. {in_a_row([own, *rest])}."

    def describe(self, at: Position, mine: bool = True) -> str:
        """Return a position in a sentence or two."""
        told = self.counters(at, mine)
        if not told:
            text = tr("The position is {position}.", position=_notation(self, at))
            return text if mine else f"{text} {_to_move(tr(OTHER_PLAYER))}"
        return _sentence(_listed(told))

    def narrate(
        self, at: Position, move: str, faces: Sequence[int], after: Position, you: bool, seen: bool
    ) -> Told:
        """Return what happened when somebody made a move; `seen`: you see `after` as yours."""
        done = moved(move, faces, you, self.label(at, move))
        before, then = self.counters(at, you), self.counters(after, seen)
        many = getattr(self, "players", 2) > 2
        if not (you and seen) and (many or not {"mine", "yours"} <= set(then)):
            then = {}  # seen by the other player, and what is whose cannot be told
        changed = {name: value for name, value in then.items() if before.get(name) != value}
        where = _listed(dict(list(changed.items())[:MOST_TOLD]))
        if not hasattr(after, "_asdict"):
            where = _notation(self, after)
            if not seen:
                where = tr("{position}, seen by the other player", position=where)
        return Told(_further(done, where) if where else f"{done}.")

    def narrate_throw(self, move: str, faces: Sequence[int], dice: str, you: bool) -> Told:
        """Return what a throw shows that leaves a choice; `dice` is how the rules tell it.

        That may be more than the faces, such as their sum.
        """
        more = not faces or (len(faces) > 1 and dice.isdigit())
        done = moved(move, faces, you)
        return Told(_further(done, dice) if more else f"{done}.", "threw")

    def describe_throw(self, faces: Sequence[int], dice: str) -> str:
        """Return what the dice show in a sentence, where one chooses after the throw."""
        if not faces:
            return tr("The throw is {dice}.", dice=dice)
        one = len(faces) == 1
        return tr(mark("The die shows {dice}.") if one else DICE_SHOW, dice=shown(faces))

    def ending(self, at: Position, mine: bool, ended: str, turns: int, who: str = YOU) -> str:
        """Return how a game ended for somebody called `who`, in a sentence."""
        told = self.final_counters(at, mine)
        if {"mine", "yours"} <= set(told):
            values = {"mine": told["mine"], "yours": told["yours"]}
            return tr("{verdict}, {mine} to {yours}.", verdict=verdict(ended, who), **values)
        return f"{verdict(ended, who)}."

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
    names = {name: NAMES.get(name, name.replace("_", " ")) for name in told}
    return ", ".join(f"{tr(names[name])} {told[name]}" for name in told)


def _sentence(text: str) -> str:
    return f"{upper_first(text)}."


def _further(done: str, more: str) -> str:
    return tr(FURTHER, done=done, more=more)


def _to_move(who: str) -> str:
    return tr("{who} is to move.", who=upper_first(who))
