"""When is the ratchet the best way to one goal? A check of a theorem of the study.

The study says: for fair dice the ratchet is optimal if and only if D <= F. Its argument compares
the chance of what is still wanted in *one* cast. That settles the decision before the last cast.
Earlier decisions depend on the chance in *two or more* casts, and there it may pay to throw a
helpful die again: ``first_failure`` finds the fewest casts at which it does.

Only positions that can still reach the goal matter, and such a position is what is still wanted. So
the whole round lives on the parts of the goal, and every number is exact.

>>> print(first_failure(3, 3))
(3, 3) fails with 3 casts, goal 112: ratchet 3431/6561, best 3466/6561
>>> first_failure(2, 6, most=20) is None
True
"""

from dataclasses import dataclass
from fractions import Fraction

from dicelab.errors import RulesError
from dicelab.rounds.combinations import Combination
from dicelab.rounds.results import ResultLaws, combination_classes
from dicelab.rounds.rules import Round
from dicelab.rules.dice import Die

STUDIED, MOST_CASTS = (4, 8), 20
"""How far to look unless told otherwise: dice and faces of the study's drawing, and casts."""


@dataclass(frozen=True)
class Failure:
    """The fewest casts with which some goal is better pursued otherwise than by the ratchet."""

    dice: int
    faces: int
    casts: int
    goal: str
    ratchet: Fraction
    best: Fraction
    goals: tuple[str, ...]
    """All classes of goals for which it fails with so many casts."""

    def __str__(self) -> str:
        return (
            f"({self.dice}, {self.faces}) fails with {self.casts} casts, goal {self.goal}: "
            f"ratchet {self.ratchet}, best {self.best}"
        )


def goal_values(game: Round, goal: Combination, casts: int) -> list[tuple[Fraction, Fraction]]:
    """Return the chances of the ratchet and of best play to reach a goal in 0, 1 ... casts."""
    numbers = game.numbers
    target = numbers.number(goal, dice=game.dice)
    wanted = [
        number
        for number in range(len(numbers))
        if (numbers.counts[number] <= numbers.counts[target]).all()
    ]
    laws = ResultLaws(game, "first")
    shown = {rest: laws.shown(rest) if rest else {} for rest in wanted}
    less = {
        (rest, part): int(numbers.rank(numbers.counts[rest] - numbers.counts[part]))
        for rest in wanted
        for part in wanted
        if (numbers.counts[part] <= numbers.counts[rest]).all()
    }
    parts = {part: [other for other in wanted if (part, other) in less] for part in wanted}
    ratchet = {rest: Fraction(int(rest == 0)) for rest in wanted}
    best = dict(ratchet)
    values = [(ratchet[target], best[target])]
    for _ in range(casts):
        before, above = ratchet, best
        ratchet = {0: Fraction(1)}
        best = {0: Fraction(1)}
        for rest in wanted[1:]:
            ratchet[rest] = sum(
                (chance * before[less[rest, part]] for part, chance in shown[rest].items()),
                Fraction(0),
            )
            best[rest] = sum(
                (
                    chance * max(above[less[rest, kept]] for kept in parts[part])
                    for part, chance in shown[rest].items()
                ),
                Fraction(0),
            )
        values.append((ratchet[target], best[target]))
    return values


def first_failure(dice: int, faces: int, most: int = 20) -> Failure | None:
    """Return the first failure of the ratchet with up to ``most`` casts, or None."""
    game = Round(dice, Die(faces), 1)
    goals = list(combination_classes(game))
    values = {goal: goal_values(game, goal, most) for goal in goals}
    for casts in range(1, most + 1):
        failing = [goal for goal in goals if values[goal][casts][0] < values[goal][casts][1]]
        if failing:
            names = tuple(game.numbers.write(goal, rising=True) for goal in failing)
            return Failure(dice, faces, casts, names[0], *values[failing[0]][casts], names)
    return None


def failures(
    dice: int = 4, faces: int = 8, most: int = 20
) -> dict[tuple[int, int], Failure | None]:
    """Return the first failure for every number of dice and faces up to these."""
    if min(dice, faces, most) < 1:
        raise RulesError(
            f"the theorem is about 1 die, 1 face and 1 cast or more: "
            f"got dice={dice} faces={faces} casts={most}"
        )
    return {
        (each, sides): first_failure(each, sides, most)
        for each in range(1, dice + 1)
        for sides in range(1, faces + 1)
    }
