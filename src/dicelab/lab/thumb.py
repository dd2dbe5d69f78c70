"""The rule of thumb of a game: a few numbers to remember, what they cost, what they say here.

It comes from `distil`, worked out once for each game in the background: nobody waits for it. Where
one chooses after throws, rules of that kind are long to find and hard to say, and the game's own
named strategies are compared instead. Either way the cost is exact: what best play gets more. A
rule that gives away much is not worth remembering, and then there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicelab.core.json_object import JsonObject
from dicelab.core.language import ENGLISH, Later, language, tr
from dicelab.core.lazy import lazy
from dicelab.core.worker_process import Report
from dicelab.errors import DicelabError
from dicelab.lab import narration
from dicelab.lab.arguments import strategy_name
from dicelab.lab.solution_cache import in_spare_time
from dicelab.lab.solving import Choose, Solving
from dicelab.rules import Game, Position
from dicelab.rules.sentences import upper_first
from dicelab.strategies.named import named_plan
from dicelab.strategies.named import player as named_player
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation, SoloEvaluation
from dicelab.verbs.explain import per_cent, stake
from dicelab.verbs.rule_of_thumb import RuleOfThumb, rule_of_thumb
from dicelab.verbs.solution import WORSE, Solution

MOST_WORK = 6_000_000
"""Outcomes of a game beyond which no rule is looked for while people play."""

MOST_COST = 0.05
"""The share of what there is to get that a rule may give away."""


@dataclass(frozen=True)
class Thumb:
    """A rule of thumb, ready to be asked."""

    lines: tuple[str, ...]  # in words
    cost: float  # what best play gets more, in the unit of the game
    rule: RuleOfThumb | tuple[Game, str]  # that was found; or a game and a strategy of it
    name: str = ""  # of a strategy of the game, told in a sentence

    @lazy
    def choose(self) -> Choose:
        """What it plays at a position."""
        if isinstance(self.rule, tuple):
            return named_player(*self.rule)
        rule = self.rule
        return lambda at: rule.at(at).move


def thumb(solving: Solving, game: Game) -> Thumb | None:
    """Return the rule of thumb of a game; None where it has none, `Working` where not yet."""
    game = game.at_usual_start
    work = (game.size() or 0) * (game.branching() or 1)
    if game.players > 2 or game.is_simultaneous or game.engine or game.solver or work > MOST_WORK:
        return None

    if not solving.is_ready(game):
        return None
    solution = solving.solution(game, 0)
    try:
        what = Later("a rule of thumb for {game}", game=game)
        with in_spare_time():
            rule: Thumb | None = solving.shelf.get(
                ("rule", str(game)),
                what,
                lambda report: solving.apart(report, worth_remembering, solution),
                0,
            )
    except DicelabError:  # such a game has no rules of thumb, or too much is being worked out
        rule = None
    if rule is not None and not rule.name and language() != ENGLISH:
        return None  # a rule that was found is told in English only
    return rule


def worth_remembering(solution: Solution, report: Report) -> Thumb | None:
    """Return the rule of thumb of a solved game; None where it gives away too much."""
    found = _named(solution) if solution.table.has_choices else _found(solution)
    return found if found is not None and found.cost <= _most(solution) else None


def _most(solution: Solution) -> float:
    bounds = stake(solution.game)
    return MOST_COST * (abs(float(solution.value)) if bounds is None else bounds[1] - bounds[0])


def _found(solution: Solution) -> Thumb:
    rule = rule_of_thumb(solution.table)
    assert rule.cost is not None
    return Thumb(rule.lines, max(0.0, rule.cost), rule)


def _named(solution: Solution) -> Thumb | None:
    """Return the best of the strategies that the game tells in a sentence."""
    game, found = solution.game, []
    for text, (called, says) in game.rivals_in_words.items():
        name = strategy_name(game, text)
        if name == "optimal":
            continue
        played = named_plan(solution.table, name)
        if game.players == 1:
            alone = evaluate(solution.table, played)
            assert isinstance(alone, SoloEvaluation)
            cost = abs(float(solution.value) - float(alone.value))
        else:
            met = evaluate(solution.table, played, solution.plan)
            assert isinstance(met, Evaluation)
            cost = float(game.total) / 2 - float(met.value)
        found.append(Thumb((says,), max(0.0, cost), (game, name), called))
    return min(found, key=lambda one: one.cost, default=None)


def _words(rule: Thumb) -> str:
    *first, last = map(tr, rule.lines)
    if rule.name:
        says = f"{last[:1].lower()}{last[1:]}"
        return tr("play like {name}, who {says}", name=tr(rule.name), says=says)
    return "; ".join([*first, tr("else {move}", move=last)]) if first else last


def told(rule: Thumb, solution: Solution, at: Position) -> JsonObject:
    """Return the rule in words, what it costs, and whether it is right here."""
    game = solution.game
    move = rule.choose(at)
    assert isinstance(move, str)
    here = solution.value_of(at, move)
    said = {
        "rule": _words(rule).rstrip("."),
        "cost": per_cent(game, rule.cost),
        "move": game.spoken(narration.told_at(game, at), move),
        "here": per_cent(game, here.cost),
    }
    fits = here.status != WORSE
    if fits:
        sentence = tr(
            "Rule of thumb: {rule}. Who always follows it gives away {cost}. "
            "Here it says to {move}, and so does best play.",
            **said,
        )
    else:
        sentence = tr(
            "Rule of thumb: {rule}. Who always follows it gives away {cost}. "
            "Here it says to {move}, which costs {here}.",
            **said,
        )
    return {
        "words": upper_first(str(said["rule"])),
        "cost": rule.cost,
        "move": move,
        "fits": fits,
        "sentence": sentence,
    }
