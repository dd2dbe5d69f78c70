"""One game under the glass: what each decision cost and what chance gave, for any solved game.

This is the review of `people/review`, asked position by position instead of on the arrays of a
table. So it also serves games that are solved without one (Greed), and games in which both players
choose and throw at once. For games by turns the two agree; a test holds them together.

At once, let v be the value of a position, x and y the mixtures of best play and q the value of a
move against such a mixture. Both players decide, then the dice fall:

    my cost = v - q(my move against y)        your cost = q(your move against x), as you see it
    luck    = v(after) - v + my cost - your cost.

So luck is what the dice did, and how the two choices happened to meet; on average it is 0 against
best play, whatever I choose. With that, results add up as they do by turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dicelab.core.arrays import Real
from dicelab.people import marks
from dicelab.rules import (
    DRAW,
    LOSS,
    ONGOING,
    SEEN_BY_OTHER,
    WIN,
    Game,
    Moment,
    Position,
    answers,
    exact_amount,
)
from dicelab.verbs.profile_solution import Profile, SeatedSolution
from dicelab.verbs.solution import WORSE, MoveValue, Solution


@dataclass(frozen=True)
class Step:
    """One decision: who made it, where, and what followed."""

    seat: int  # 0, 1 and so on in order of the turns, whoever sits there
    at: Position  # seen by who decides
    move: str
    after: Position  # seen by who is about to move then; at once: by who decides
    mover: int  # SAME, OTHER, or so many seats on
    gain: Real = 0


@dataclass(frozen=True)
class Judged:
    """What one decision cost, in the unit of the game, and what chance then gave."""

    step: Step
    before: float  # what the position was worth to who decides
    after: float  # what it was worth to them then, gains included
    cost: float
    luck: float
    unforced: bool
    is_mistake: bool
    best: tuple[str, ...]
    worst: float = 0.0  # what the worst move there would have cost

    def mark(self, whole: float) -> str:
        """Return how good it was, where so much is at stake; what is forced is best."""
        return marks.mark_of(self.cost / whole, self.is_mistake and self.unforced)


@dataclass(frozen=True)
class Tally:
    """How one seat did in one game."""

    decisions: int
    unforced: int
    mistakes: int  # an inaccuracy or worse
    cost: float
    luck: float
    result: float
    adjusted: float | None  # the result without luck; None where the players have no common pot
    marks: Mapping[str, int]  # how often a decision was best, fine and so on
    accuracy: float | None  # the share kept of what hung on the decisions; see `marks`
    interval: tuple[float, float] | None  # of the luck-adjusted result, 95%

    @property
    def cost_per_unforced(self) -> float:
        """The average cost of an unforced decision; 0 where there was none."""
        return self.cost / self.unforced if self.unforced else 0.0


def ends_of(game: Game, at: Position) -> list[Real]:
    """Return what the end at a position brings each of three and more, who is to move first."""
    if game.pays_ends:
        paid: Any = game.payoff(at)
        return [exact_amount(each) for each in paid]
    result, seats = int(game.result(at)), range(game.players)
    if result == DRAW:
        return [game.worth_to(seat)[DRAW] for seat in seats]
    winners = answers.winners_at(game, result)
    return [game.worth_to(seat)[WIN if seat in winners else LOSS] for seat in seats]


def worth_at(solution: Solution, at: Position, seat: int = 0) -> float:
    """Return what a position is worth to who sits so many seats after who is about to move.

    The game may have ended there.
    """
    game, other = solution.game, seat != 0
    if isinstance(solution, SeatedSolution | Profile):
        return float(solution.by_seat(at)[seat])
    result = ONGOING if isinstance(at, Moment) else int(game.result(at) or ONGOING)
    if result != ONGOING:
        if game.pays_ends:
            paid = float(solution.value_at(at))
            return float(game.total) - paid if other else paid
        if game.players == 1:
            return float(solution.worth_of_end(result))
        second = int(getattr(at, "second", 0))
        if other:
            return float(game.worth_to(1 - second)[SEEN_BY_OTHER[result]])
        return float(game.worth_to(second)[result])
    if not other:
        return float(solution.value_at(at))
    if not game.is_one_pot:
        low, high = solution.other_at(at)  # type: ignore[attr-defined]
        return float(low + high) / 2
    return float(game.total) - float(solution.value_at(at))


def judge(solution: Solution, step: Step) -> Judged:
    """Return what one decision of a game by turns, or alone, cost and brought."""
    game = solution.game
    after = worth_at(solution, step.after, -step.mover % game.players) + float(step.gain)
    sign = -1 if game.fewest else 1
    chosen = solution.value_of(step.at, step.move)
    return _judged(solution, step, chosen, after, sign * (after - float(chosen.value)))


def judge_at_once(solution: Solution, steps: tuple[Step, Step]) -> tuple[Judged, Judged]:
    """Return what both decisions of one throw at once cost and brought."""
    chosen = [solution.value_of(step.at, step.move) for step in steps]
    judged = []
    for step, mine, yours in zip(steps, chosen, reversed(chosen), strict=True):
        before, after = worth_at(solution, step.at), worth_at(solution, step.after)
        luck = after + float(step.gain) - before + float(mine.cost) - float(yours.cost)
        judged.append(_judged(solution, step, mine, after, luck))
    return judged[0], judged[1]


def _judged(solution: Solution, step: Step, chosen: MoveValue, after: float, luck: float) -> Judged:
    """Return a decision with what it cost, by the moves there were."""
    moves = solution.moves_at(step.at)
    return Judged(
        step,
        worth_at(solution, step.at),
        after,
        float(chosen.cost),
        luck,
        len(moves) > 1,
        chosen.status == WORSE,
        tuple(move.move for move in moves if move.status != WORSE),
        max(float(move.cost) for move in (*moves, chosen)),
    )


def review_steps(solution: Solution, steps: Sequence[Step]) -> list[Judged]:
    """Return every decision of a game with its cost and luck, in order."""
    if solution.game.is_simultaneous:
        pairs = zip(steps[::2], steps[1::2], strict=True)
        return [judged for pair in pairs for judged in judge_at_once(solution, pair)]
    return [judge(solution, step) for step in steps]


def luck_to(solution: Solution, step: Step, seat: int) -> float:
    """Return what chance gave one of three and more after the decision of another."""
    game = solution.game
    away = (seat - step.seat) % game.players
    mean = 0.0
    for chance, then in game.law(step.at, step.move):
        mean += float(chance) * worth_at(solution, then.at, (away - then.mover) % game.players)
    return worth_at(solution, step.after, (away - step.mover) % game.players) - mean


def tally(
    solution: Solution, judged: Sequence[Judged], seat: int, whole: float | None = None
) -> Tally:
    """Return how one seat did, over the decisions of one game that had at least one.

    `whole` is what is at stake, where that is at hand.
    """
    game = solution.game
    whole = marks.at_stake(solution) if whole is None else whole
    mine = [one for one in judged if one.step.seat == seat]
    yours = [one for one in judged if one.step.seat != seat]
    sign = -1 if game.fewest else 1
    last = judged[-1].step
    if game.players == 1:
        result = judged[-1].after + sum(float(one.step.gain) for one in judged[:-1])
    elif game.is_simultaneous:
        result = mine[-1].after + sum(float(one.step.gain) for one in mine)
    else:  # the position is seen by who is about to move
        moves_then = (last.seat + last.mover) % game.players
        result = worth_at(solution, last.after, (seat - moves_then) % game.players)
        result += sum(float(one.step.gain) for one in mine)
        result -= sum(float(one.step.gain) for one in yours)
    luck = sum(one.luck for one in mine)
    # At once, one throw is both players' luck: what it gives one it takes from the other.
    theirs = 0.0 if game.is_simultaneous else sum(one.luck for one in yours)
    if game.players > 2:  # what it gives one it takes from the others, though not from all alike
        theirs = -sum(luck_to(solution, one.step, seat) for one in yours)
    adjusted = result - sign * luck + theirs if game.is_one_pot else None
    unforced = [one for one in mine if one.unforced]
    counts = marks.counted(one.mark(whole) for one in unforced)
    return Tally(
        len(mine),
        len(unforced),
        marks.errors(counts),
        sum(one.cost for one in mine),
        luck,
        result,
        adjusted,
        counts,
        marks.accuracy([one.cost for one in unforced], [one.worst for one in unforced]),
        # what the mistake of one of three costs each of the others is another matter
        marks.interval(game, adjusted, [one.cost for one in judged]) if game.players <= 2 else None,
    )
