"""Rules tried before they are solved: all that is wrong with them, and not only the first thing.

Every verb refuses rules that it cannot honour, at the first position where it meets one. Who writes
a game wants to hear of everything at once. So `check` walks through the game one position at a
time and collects what `rules.contract` would refuse: chances that do not sum to 1, positions where
nobody can move, results and movers that are none. Besides, it reads every notation back, asks rules
on arrays about single positions and about many of them together (`rules_on_arrays`) and house rules
about the same position twice, and tries the named strategies.

A large game is not walked through to its end. Now the position met first is looked at and now the
one met last, so that both the beginning of play and what comes late are seen.

>>> from dicelab.games.pig import Pig
>>> print(*check(Pig(target=10)).lines())
pig target=10: all is well at 810 positions, which are all there are
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from dicelab.errors import DicelabError, UnknownStrategy, UnreadablePosition
from dicelab.rules import (
    ONGOING,
    Game,
    HouseRules,
    Moment,
    Outcome,
    Position,
    Throw,
    answers,
    contract,
    exact_amount,
    exact_chance,
)
from dicelab.rules.failure import check_mover, failure, line_of, line_of_definition, noted
from dicelab.rules.registry import all_games
from dicelab.strategies.named import plan, player
from dicelab.strategies.plan import failed_at
from dicelab.table import compile
from dicelab.verbs.rules_on_arrays import Law, differences

MOST = 10_000
"""Positions that are looked at unless more are asked for."""
OUTCOMES_EACH = 50
"""Outcomes that are followed for each of these; where there are more, fewer positions are seen."""
MOST_COMPARED = 2_000
"""Positions whose moves are asked about again: the first ones, and some of the rest."""
MOST_MET = 100
"""Positions that are remembered for each that is looked at; others are not followed."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with some rules, at the first position where it was met."""

    sentence: str
    position: str | None = None
    move: str | None = None
    line: str = ""  # of the file that the rules are in, where that is known
    others: int = 0  # positions besides where the same was met

    def __str__(self) -> str:
        """Return the sentence, with the line and at how many positions besides."""
        told = [self.line] if self.line and self.line not in self.sentence else []
        if self.others:
            told.append(f"and at {self.others:,} other position{'s' * (self.others > 1)}")
        return self.sentence + (f" ({'; '.join(told)})" if told else "")


@dataclass(frozen=True)
class Checked:
    """What was found when some rules were tried."""

    game: Game
    positions: int  # that were looked at
    is_whole: bool  # whether these are all that play can come to
    findings: tuple[Finding, ...]

    def lines(self) -> list[str]:
        """Return how much was looked at and that all is well, or what is not."""
        count, places = (
            len(self.findings),
            f"{self.positions:,} position{'s' * (self.positions != 1)}",
        )
        found = f"{count} finding{'s' * (count != 1)}" if count else "all is well"
        seen = "which are all there are" if self.is_whole else "and there are more"
        if self.is_whole and self.positions == 1:
            seen = "which is the only one"
        where = f" at {places}, {seen}" if self.positions else " before any position"
        return [f"{self.game}: {found}{where}", *map(str, self.findings)]


class Notes:
    """Findings as they are met; the same one at other positions is only counted."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[tuple[str, str | None], Finding] = {}

    def add(
        self,
        kind: str,
        said: object,
        at: Position | None = None,
        move: str | None = None,
        line: str | None = None,
    ) -> None:
        """Note what is wrong; the kind begins with the method to blame where no line is told."""
        known = self.found.get((kind, move))
        if known:
            self.found[kind, move] = replace(known, others=known.others + 1)
            return
        if line is None:
            line = self.blamed(kind)
        place = None if at is None else noted(self.game, at)
        self.found[kind, move] = Finding(str(said), place, move, line)

    def blamed(self, kind: str) -> str:
        """Return where the method begins that a kind of finding is about."""
        return line_of_definition(getattr(type(self.game), kind.split()[0], None))

    def add_failure(
        self, kind: str, trouble: Exception, at: Position | None = None, move: str | None = None
    ) -> None:
        """Note that rules were refused, or raised something of their own."""
        if isinstance(trouble, DicelabError):
            self.add(kind, trouble, at, move)
        else:
            line = line_of(trouble) or self.blamed(kind)
            said = failure(self.game, trouble, at, move)
            self.add(f"{type(trouble).__name__} {line}", said, at, move, line)


def check(
    game: Game, positions: int = MOST, progress: Callable[[float], None] | None = None
) -> Checked:
    """Return what is wrong with the rules of a game, tried at up to so many positions.

    `progress` is called with the share of the work that is done.
    """
    notes = Notes(game)
    try:
        contract.check(game)
        if not isinstance(game, HouseRules):
            contract.check_moves(game)
        at_once = len(compile(game)) if game.is_simultaneous else 0
    except Exception as trouble:
        notes.add_failure("itself", trouble)
        return Checked(game, 0, False, tuple(notes.found.values()))
    if at_once:  # whose map of scores is checked when it is compiled
        return Checked(game, at_once, True, ())
    walk = _Walk(game, notes, positions)
    walk.go(progress or (lambda share: None))
    if isinstance(game, HouseRules):
        if not notes.found:
            walk.ask_again()
    else:
        for method, said, at, move, line in differences(game, walk.results, walk.paid, walk.laws):
            notes.add(f"{method} on arrays", said, at, move, line)
    _strategies(game, walk, notes)
    return Checked(game, len(walk.looked), not walk.ahead, tuple(notes.found.values()))


class _Walk:
    """A walk through a game, one position at a time."""

    def __init__(self, game: Game, notes: Notes, most: int) -> None:
        self.game, self.notes, self.most = game, notes, most
        start = game.start()
        self.ahead = deque([start])  # met, and not looked at yet
        self.met = {start}
        self.looked: list[Position] = []
        self.followed = 0  # outcomes
        self.results: dict[Position, int] = {}
        self.paid: dict[
            Position, Fraction | tuple[Fraction, ...]
        ] = {}  # where ends are paid one by one
        self.going: list[Position] = []  # where every move was answered well
        self.laws: dict[Position, dict[str, Law]] = {}  # of those to compare

    def go(self, progress: Callable[[float], None]) -> None:
        """Look at positions until there are no more, or enough."""
        done = 0.0
        while self.ahead and done < 1:
            at = self.ahead.popleft() if len(self.looked) % 2 == 0 else self.ahead.pop()
            self.looked.append(at)
            self.look(at)
            done = max(len(self.looked), self.followed / OUTCOMES_EACH) / self.most
            progress(min(done, 1.0))

    def look(self, at: Position) -> None:
        """Ask everything about one position."""
        game, notes = self.game, self.notes
        kind = "result"
        try:
            result = self.result(at)
            kind = "start"
            if len(self.looked) == 1 and result != ONGOING:
                game.starting(at)  # which refuses it
            kind = "choices" if isinstance(game, HouseRules) else "legal"
            moves = self.moves(at) if result == ONGOING else []
        except Exception as trouble:
            notes.add_failure(kind, trouble, at)
            return
        self.results[at] = result
        self.read_back(at)
        if result != ONGOING:
            if game.pays_ends:
                self.pay(at)
            return
        is_compared = self.is_compared
        laws: dict[str, Law] = {move: {} for move in moves}
        totals = [self.follow(at, move, laws[move] if is_compared else None) for move in moves]
        if None in totals:
            return
        self.going.append(at)
        if is_compared:
            self.laws[at] = laws
        if not any(totals):
            notes.add(f"{kind} none", answers.dead_end(game, noted(game, at)), at)

    @property
    def is_compared(self) -> bool:
        """Whether the position looked at is one to ask about again."""
        count = len(self.looked)
        return count <= MOST_COMPARED // 2 or count % max(1, 2 * self.most // MOST_COMPARED) == 0

    def ask_again(self) -> None:
        """Note what house rules answer otherwise the second time, as those do that throw dice."""
        for at, laws in self.laws.items():
            for move, law in laws.items():
                again: Law = {}
                if self.follow(at, move, again) is not None and again != law:
                    said = answers.another_answer(self.game, f"{move} at {noted(self.game, at)}")
                    self.notes.add("outcomes again", said, at, move)

    def result(self, at: Position) -> int:
        """Return how a position stands, refused where that is no result."""
        answer = self.game.result(at)
        if not isinstance(self.game, HouseRules):
            return int(answers.check_results(self.game, answer, at))
        result: int = answer or ONGOING
        if result not in answers.results_of(self.game):
            raise answers.wrong_result(self.game, result, at)
        return result

    def pay(self, at: Position) -> None:
        """Remember what an end pays, or note that this is no amount."""
        try:
            which, amounts = answers.shares(self.game, self.game.payoff(at), at)
        except Exception as trouble:
            self.notes.add_failure("payoff", trouble, at)
        else:
            self.paid[at] = amounts[int(which.ravel()[0])]

    def moves(self, at: Position) -> list[str]:
        """Return the moves allowed at a position."""
        if isinstance(self.game, HouseRules):
            return answers.check_choices(self.game, at, self.game.choices(at))
        return self.game.legal_moves(at)

    def read_back(self, at: Position) -> None:
        """Note a notation that does not stand for its position."""
        game, said = self.game, f"the notation of {self.game} does not read back: "
        kind = "parse" if self.notes.blamed("parse") else "notation"
        try:
            text = game.notation(at)
            back = game.parse(text)
        except UnreadablePosition as trouble:
            self.notes.add(kind, f"{said}{trouble}", at)
        except Exception as trouble:
            self.notes.add_failure(kind, trouble, at)
        else:
            if back != at:
                self.notes.add(kind, f"{said}{at!r} is {text!r}, which is {back!r}", at)

    def follow(self, at: Position, move: str, law: Law | None) -> Fraction | None:
        """Return the sum of the chances after a move, or None where they are not to be honoured.

        The law is filled in, where there is one.
        """
        game, chances, kind = self.game, list[Fraction](), "outcomes"
        told: list[tuple[Any, ...]]

        def after() -> str:
            return f"after {move} at {noted(game, at)}"

        try:
            for each in game.outcomes(at, move):
                kind, chance = "outcomes", each[0]
                if type(chance) is not Fraction:  # making one of another takes time
                    chance = exact_chance(chance)
                if not chance:
                    continue
                chances.append(chance)
                if not 0 < chance.numerator <= chance.denominator:
                    wrong = answers.wrong_chance(game, chance, after())
                    self.notes.add("outcomes chance", wrong, at, move)
                if isinstance(each, Throw):
                    kind = "ways"
                    ways = game.open_ways(Moment(at, move, each.dice))
                    answers.check_ways(game, at, move, each.dice, ways)
                    told = [(way.at, way.mover, way.gain, each.dice, way.name) for way in ways]
                else:
                    told = [Outcome(*each)[1:]]
                for to, mover, gain, *way in told:
                    check_mover(mover, self.game.players)
                    place = self.meet(at, move, to)
                    amount = exact_amount(gain)
                    if law is not None:
                        key = (place, int(mover), amount, *way)
                        law[key] = law.get(key, Fraction(0)) + chance
        except Exception as trouble:
            self.notes.add_failure(kind, trouble, at, move)
            return None
        self.followed += len(chances)
        whole = lcm(*(chance.denominator for chance in chances))
        parts = sum(chance.numerator * (whole // chance.denominator) for chance in chances)
        if chances and parts != whole:
            wrong = answers.wrong_sum(Fraction(parts, whole), after())
            self.notes.add("outcomes sum", wrong, at, move)
        return Fraction(parts, whole)

    def meet(self, at: Position, move: str, to: Position) -> Position:
        """Return where a move leads, in plain numbers, and remember to look at it."""
        if not isinstance(self.game, HouseRules):
            answers.check_after(self.game, at, move, to)
            to = type(to)(*map(int, to))
        if to not in self.met and len(self.met) < MOST_MET * self.most:
            self.met.add(to)
            self.ahead.append(to)
        return to


def _strategies(game: Game, walk: _Walk, notes: Notes) -> None:
    """Note named strategies that fail or are not allowed; of a game that is well, on its table."""
    all_games()  # also strategies in other files than the game
    try:
        table = None if walk.ahead or notes.found else compile(game)
    except DicelabError as trouble:
        notes.add("itself", trouble)
        return
    for name, maker in game.strategies.items():
        given = list(inspect.signature(maker).parameters.values())[1:]
        if any(parameter.default is parameter.empty for parameter in given):
            continue  # nobody knows what to give it
        line = line_of_definition(maker)
        try:
            if table is not None:
                plan(table, name)
                continue
            choose = player(game, name)
        except UnknownStrategy:
            continue  # which is for other parameters of the game
        except DicelabError as trouble:
            notes.add(f"strategy {name}", trouble, line=line)
            continue
        for at in walk.going:
            try:
                choose(at)
            except Exception as trouble:
                known = isinstance(trouble, DicelabError)
                said = trouble if known else failed_at(name, noted(game, at), trouble)
                notes.add(f"strategy {name}", said, at, line=line_of(trouble) or line)
