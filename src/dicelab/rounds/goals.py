"""Goal identification: choose a goal by its odds, then go for it.

A player with little time does not think the whole round through. He looks at each goal, weighs what
it pays by the chance of getting it (equation (51)), and takes the best. With **serendipity** he
also counts what he may get instead (equation (52)). The **horizon** h is how many casts he thinks
ahead before he trusts that estimate: with h = 0 he fixes a goal and follows the ratchet, with
h = 1 he waits for the throw and asks which dice to keep (equation (53)), with more he works back
from the estimates h casts ahead. **Revision** says how often he thinks again.

The name of such a policy is ``h1s0r1``: horizon 1, no serendipity, revised after every cast. The
last part may be left out: h0 is then never revised (``r0``), all others after each cast (``r1``).
Between two revisions, and once the horizon is passed, the player follows the ratchet to the goal he
saw there. That goal is part of his history; the chances returned here are those of each decision
given the table, which leave every result as likely as it was.

How the study is read, where it leaves a choice: a first player's probabilities are p_1, a next
player's p_2. Equal goals: the first in a dictionary. Equal decisions: fewest dice, then the
dictionary (``ties`` says otherwise). Serendipity for next players goes beyond the study; the rule
for ties defines it.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", section 5.

>>> from dicelab.rounds import Round, policy, evaluate
>>> game = Round()
>>> float(evaluate(policy("h1s1", game, "transfer"), "transfer").value)
3.73308...
"""

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicelab.core.arrays import Numbers
from dicelab.core.lazy import lazy
from dicelab.errors import RulesError
from dicelab.rounds.evaluation import ZERO, decided_at, presence, thrown_from
from dicelab.rounds.induction import allowed, best_of_tables, means, over, solve
from dicelab.rounds.results import Play, ResultLaws, laws_of
from dicelab.rounds.rules import Player, Round, check_player
from dicelab.rounds.strategies import RoundStrategy, Ties, among, goal_options
from dicelab.rounds.utilities import AnyUtility, Utility, utility

NOTATION = re.compile(r"h([0-9]{1,4})s([01])(?:r([0-9]{1,4}))?")


@dataclass(frozen=True)
class Thinking:
    """How a player identifies a goal: how far he looks, what he counts, when he thinks again."""

    horizon: int
    serendipity: bool
    period: int
    """Casts between two revisions; 0 for never."""

    @classmethod
    def parse(cls, name: str) -> "Thinking":
        """Return what a name such as ``h1s0`` or ``h0s1r1`` stands for."""
        read = NOTATION.fullmatch(name.strip())
        if not read:
            raise RulesError(
                f"cannot read a goal identification policy from {name[:60]!r}; write 'h1s0' for "
                f"horizon 1 without serendipity, 'h0s1r1' to revise after every cast"
            )
        horizon = int(read[1])
        period = int(read[3]) if read[3] else int(horizon > 0)
        return cls(horizon, read[2] == "1", period)

    def __str__(self) -> str:
        usual = int(self.horizon > 0)
        tail = "" if self.period == usual else f"r{self.period}"
        return f"h{self.horizon}s{int(self.serendipity)}{tail}"

    def last_revision(self, cast: int) -> int:
        """Return after how many casts the player last thought, when he decides after a cast."""
        return (cast - 1) // self.period * self.period if self.period else 0


@dataclass(frozen=True, eq=False)
class Identification:
    """The estimates (51) and (52) of every position, and the goals that reach them."""

    game: Round
    utility: Utility
    player: Player
    serendipity: bool
    ties: Ties
    play: Play

    @lazy
    def laws(self) -> ResultLaws:
        """The result probabilities the estimates are made of."""
        return laws_of(self.game, self.player, self.ties, self.play)

    def scores(self, time: int, live: int) -> Numbers:
        """Return what each goal promises from each position with so many live dice.

        ``[kept, goals]``, both in the order of their numbers; ``time`` is the number of casts made.
        """
        numbers, casts = self.game.numbers, self.game.casts - time
        kept, goals = numbers.of_size(self.game.dice - live), numbers.of_size(live)
        counts = numbers.counts
        whole = counts[kept.start : kept.stop, None] + counts[None, goals.start : goals.stop]
        result = numbers.rank(whole) - numbers.full.start
        paid = self.utility.at(self.game.casts)[result]
        if self.serendipity:
            law, scale = self.laws.matrix(live, casts)
            worth = self.utility.times(self.game.casts, self.utility.denominator)[result]
            found = over(worth @ law.T, scale * self.utility.denominator)
        else:
            found = paid * np.array([self.laws.hit(goal, casts) for goal in goals], dtype=object)
        if self.player == "first" and self.utility.is_stationary:
            hits = np.array([self.laws.before(goal, casts) for goal in goals], dtype=object)
            found = found + paid * hits
        elif self.player == "first":
            for sooner in range(1, casts):
                hits = np.array([self.laws.hit(goal, sooner) for goal in goals], dtype=object)
                found = found + self.utility.at(time + sooner)[result] * hits
        return np.asarray(found)

    def estimates(self, time: int) -> Numbers:
        """Return what each position promises after so many casts: (51) or (52), ``[kept]``."""
        row = np.full(len(self.game.numbers), ZERO)
        if time:
            row[self.game.numbers.full.start :] = self.utility.at(time)
        if time < self.game.casts:
            for live in range(1, self.game.dice + 1):
                kept = self.game.numbers.of_size(self.game.dice - live)
                row[kept.start : kept.stop] = self.scores(time, live).max(axis=1)
        return row

    def goals(self, time: int) -> list[dict[int, Fraction]]:
        """Return the goal of each position with live dice, as a result, with its chance."""
        numbers = self.game.numbers
        found: list[dict[int, Fraction]] = []
        for live in range(self.game.dice, 0, -1):
            scores = self.scores(time, live)
            for row, kept in zip(scores, numbers.of_size(self.game.dice - live), strict=True):
                results = self.best_goals(row, kept)
                if self.ties != "even":
                    results = results[:1]
                found.append(dict.fromkeys(results, Fraction(1, len(results))))
        return found

    def best_goals(self, scores: Numbers, kept: int) -> list[int]:
        """Return the goals that promise most from a position, as results."""
        numbers = self.game.numbers
        wanted = numbers.of_size(self.game.dice - int(numbers.sizes[kept]))
        best = wanted.start + np.flatnonzero(scores == scores.max())
        found: list[int] = numbers.rank(numbers.counts[kept] + numbers.counts[best]).tolist()
        return found

    def ahead(self, time: int, horizon: int) -> dict[int, Numbers]:
        """Return the worths after the casts up to the horizon, worked back from the estimates."""
        end = min(time + horizon, self.game.casts)
        row = self.estimates(end)
        rows = {end: row}
        for cast in range(end, time + 1, -1):
            row = means(self.game, best_of_tables(self.game, self.player, cast, row))
            row[self.game.numbers.full.start :] = self.utility.at(cast - 1)
            rows[cast - 1] = row
        return rows


def identify(
    game: Round,
    worth: AnyUtility,
    thinking: Thinking,
    player: Player = "first",
    ties: Ties = "fewest",
    play: Play = "ratchet",
) -> RoundStrategy:
    """Return the strategy of a player who identifies goals."""
    check_player(player)
    ours = utility(worth, game)
    seen = Identification(game, ours, player, thinking.serendipity, ties, play)
    rows: list[Numbers] = []
    kept = np.full(len(game.numbers), ZERO)
    kept[0] = Fraction(1)
    goals: dict[int, Numbers] = {}
    plan: dict[int, Numbers] = {}
    for cast in range(1, game.casts + 1):
        revised = thinking.last_revision(cast)
        if cast - 1 == revised:
            goals = {}
            plan = seen.ahead(revised, thinking.horizon) if thinking.horizon else {}
        if cast == game.casts:
            rows.append(among(game, allowed(game, player, cast), "fewest"))
        elif cast in plan:
            rows.append(_planned(game, player, cast, plan[cast], ties))
        else:
            if cast - 1 == revised + thinking.horizon:
                goals = _split(seen, cast - 1, kept)
            rows.append(_pursued(seen, cast, goals))
        # where the player may be now, and with which goal
        kept = _moved(game, kept, rows[-1])
        for goal in goals:
            goals[goal] = _moved(game, goals[goal], _row(seen, goal, cast))
    return RoundStrategy(str(thinking), game, player, tuple(rows))


@dataclass(frozen=True)
class Identified:
    """The goals that promise most at one position: several where they are equally good."""

    cast: int
    """Casts made so far."""
    aside: int
    goals: tuple[int, ...]
    """Results; the first one is pursued unless ties are even."""
    promise: Fraction
    chance: Fraction
    """How likely the player is to be there."""


def identified(
    plan: RoundStrategy,
    worth: AnyUtility,
    ties: Ties = "fewest",
    play: Play = "ratchet",
) -> list[Identified]:
    """Return the goals a player of goal identification sees, wherever his play may come.

    After the last revision he keeps the goal that he had, so nothing is identified there.

    >>> from dicelab.rounds import policy
    >>> found = identified(policy("h0s0", Round(), "goal:421+111*2"), "goal:421+111*2")
    >>> [(each.cast, [Round().numbers.write(goal) for goal in each.goals]) for each in found]
    [(0, ['421'])]
    """
    game, thinking = plan.game, Thinking.parse(plan.name)
    ours = utility(worth, game)
    seen = Identification(game, ours, plan.player, thinking.serendipity, ties, play)
    numbers, where = game.numbers, presence(plan)
    found = []
    for time in range(game.casts):
        # looked at when the goal is (re)considered, as many casts ahead as the horizon goes
        if time != thinking.last_revision(max(time - thinking.horizon, 0) + 1) + thinking.horizon:
            continue
        for live in range(game.dice, 0, -1):
            kept = numbers.of_size(game.dice - live)
            met = [number for number in kept if where.kept[time][number]]
            if not met:
                continue
            scores = seen.scores(time, live)
            for number in met:
                row = scores[number - kept.start]
                goals = seen.best_goals(row, number)
                promise, chance = Fraction(row.max()), Fraction(where.kept[time][number])
                found.append(Identified(time, number, tuple(goals), promise, chance))
    return found


def _planned(game: Round, player: Player, cast: int, row: Numbers, ties: Ties) -> Numbers:
    best = best_of_tables(game, player, cast, row)
    good = row[game.matrices.option] == best[game.matrices.of]
    return among(game, np.asarray(good, dtype=bool) & allowed(game, player, cast), ties)


def _split(seen: Identification, time: int, kept: Numbers) -> dict[int, Numbers]:
    """Return where the player may be, by the goal he has in mind: ``[kept]`` each."""
    split: dict[int, Numbers] = {}
    for number, goals in enumerate(seen.goals(time)):
        for goal, chance in goals.items():
            if kept[number]:
                part = split.setdefault(goal, np.full(len(kept), ZERO))
                part[number] = kept[number] * chance
    return split


def _row(seen: Identification, goal: int, cast: int) -> Numbers:
    """Return the chances of a player with one goal."""
    game = seen.game
    if seen.play == "ratchet" or cast == game.casts:
        return among(game, goal_options(game, goal, seen.player, cast), seen.ties)
    wanted = utility("goal:" + game.numbers.write(goal), game)
    return among(game, solve(game, wanted, seen.player).best(cast), seen.ties)


def _pursued(seen: Identification, cast: int, goals: dict[int, Numbers]) -> Numbers:
    """Return the chances of a player whose goal depends on how he came to the table."""
    game = seen.game
    matrices = game.matrices
    total = np.full(len(matrices.shows), ZERO)
    weighted = np.full(len(matrices.option), ZERO)
    for goal, kept in goals.items():
        met = thrown_from(game, kept)
        total = total + met
        weighted = weighted + met[matrices.of] * _row(seen, goal, cast)
    # tables this player never meets: as if he had just thought
    if len(goals) == 1:
        astray = _row(seen, next(iter(goals)), cast)
    else:
        astray = np.full(len(matrices.option), ZERO)
        by_kept = seen.goals(cast - 1)
        for goal in {goal for found in by_kept for goal in found}:
            share = np.array([found.get(goal, ZERO) for found in by_kept], dtype=object)
            astray = astray + share[np.maximum(matrices.aside, 0)][matrices.of] * _row(
                seen, goal, cast
            )
    never = (total == 0)[matrices.of]
    total[total == 0] = Fraction(1)
    return np.where(never, astray, weighted / total[matrices.of])


def _moved(game: Round, kept: Numbers, row: Numbers) -> Numbers:
    """Return where the player may be one cast later; rounds that ended are left out."""
    after = decided_at(game, thrown_from(game, kept), row)
    after[game.numbers.full.start :] = ZERO
    return after
