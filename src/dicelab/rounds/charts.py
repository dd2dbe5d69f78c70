"""Charts: the result probabilities a player may learn by heart, one line for each class.

A line has a goal and a result, standing for all couples that differ only by which faces are which,
and the chance of that result with that goal after one cast, two casts and so on, if the round has
just so many. These are tables 6 to 10 of the study, for any dice: the diagonal (the result is the
goal) for both players, and all other couples. Goals of fewer dice come first; they are what is
still wanted once some dice are aside, so at least one cast is gone.

The study gives next players the diagonal only: off it, what they do with a goal reached too early
decides. Here all such decisions are equally likely, which treats all faces alike.

Source: Albarède, "Fate stochastic management and policy benchmark in 421", appendix C.

>>> from dicelab.rounds import Round
>>> for line in charts(Round(dice=1, casts=3)):
...     print(line.goal, line.result, *map(str, line.first))
1 1 1/6 5/36 25/216
1 2 1/6 5/36 25/216
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.csv_cells import csv_text
from dicelab.rounds.results import couple_classes, laws_of
from dicelab.rounds.rules import Round

COLUMNS = ("dice", "goal", "result", "couples", "player", "casts", "fraction", "decimal")


@dataclass(frozen=True)
class ChartLine:
    """A class of couples and its probabilities by number of casts."""

    dice: int
    goal: str
    result: str
    couples: int
    """How many results share the line, for one goal."""
    first: tuple[Fraction, ...]
    next: tuple[Fraction, ...]

    @property
    def is_diagonal(self) -> bool:
        """Whether the result is the goal."""
        return self.goal == self.result


def charts(game: Round) -> list[ChartLine]:
    """Return the charts of a round: the diagonal of each number of dice, then its other couples."""
    lines = []
    for size in range(1, game.dice + 1):
        casts = game.casts if size == game.dice else max(game.casts - 1, 1)
        start = game.numbers.of_size(size).start
        laws = {player: laws_of(game, player, "even") for player in ("first", "next")}
        couples = couple_classes(game, size)
        for couple in sorted(couples, key=lambda each: not each.is_diagonal):
            chances = {
                player: tuple(
                    Fraction(law.last(couple.goal, cast)[couple.result - start])
                    for cast in range(1, casts + 1)
                )
                for player, law in laws.items()
            }
            lines.append(
                ChartLine(
                    size,
                    game.numbers.write(couple.goal, rising=True),
                    game.numbers.write(couple.result, rising=True),
                    couple.members,
                    chances["first"],
                    chances["next"],
                )
            )
    return lines


def rounded(number: Fraction) -> str:
    """Return a decimal of four significant digits, as the study's charts print them.

    >>> rounded(Fraction(1, 13824)), rounded(Fraction(35, 324)), rounded(Fraction(1, 36))
    ('0.00007234', '0.108', '0.02778')
    """
    text = f"{float(number):.4g}"
    if "e" in text:
        digits = int(text.partition("e-")[2]) + 3
        text = f"{float(number):.{digits}f}".rstrip("0")
    return text


def as_text(lines: Sequence[ChartLine]) -> str:
    """Return the charts as plain text, fractions with their decimals."""
    rows = [("goal", "result", "player", "casts", "fraction", "decimal")]
    for line in lines:
        for player, chances in _players(line):
            for cast, chance in enumerate(chances, 1):
                head = (line.goal, line.result, player) if cast == 1 else ("", "", "")
                rows.append((*head, str(cast), str(chance), rounded(chance)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def as_csv(lines: Sequence[ChartLine]) -> str:
    """Return the charts as CSV, one probability a row."""
    rows = [
        (line.dice, line.goal, line.result, line.couples, player, cast, chance, rounded(chance))
        for line in lines
        for player, chances in _players(line)
        for cast, chance in enumerate(chances, 1)
    ]
    return csv_text([COLUMNS, *rows])


def _players(line: ChartLine) -> list[tuple[str, tuple[Fraction, ...]]]:
    return [("first", line.first), ("next", line.next)]
