"""Strategies of a round as CSV: what is kept at every table after every cast.

The first line names the round, so that a file cannot be taken for another one. Then a row for each
decision: the cast, the dice aside, the dice thrown, what is kept in all, and its chance. After the
last cast nothing is decided, so nothing is written.

>>> from dicelab.rounds import Round, ratchet
>>> game = Round(dice=1, casts=2)
>>> text = as_csv(ratchet(game, "6"))
>>> print(*text.splitlines()[:3], sep="\\n")
# dicelab round dice=1 die=6 casts=2 keep=aside player=first policy=ratchet:6
cast,aside,threw,keep,chance
1,-,1,-,1
>>> read_csv(game, text).name
'ratchet:6'
"""

import csv
import io
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from dicelab.core.csv_cells import csv_text
from dicelab.errors import DicelabError, WrongTable
from dicelab.rounds.rules import Player, Round
from dicelab.rounds.strategies import RoundStrategy, from_function

COLUMNS = ("cast", "aside", "threw", "keep", "chance")


def _round(game: Round) -> str:
    return f"# dicelab round dice={game.dice} die={game.die} casts={game.casts} keep={game.keep}"


def as_csv(plan: RoundStrategy) -> str:
    """Return a strategy as text: every decision of every table before the last cast."""
    game = plan.game
    rows: list[tuple[object, ...]] = [COLUMNS]
    numbers, matrices = game.numbers, game.matrices
    for cast in range(1, game.casts):
        row = plan.chances[cast - 1]
        for table in range(len(matrices.shows)):
            aside = max(int(matrices.aside[table]), 0)
            rest = numbers.counts[matrices.shows[table]] - numbers.counts[aside]
            threw = numbers.write(int(numbers.rank(rest)))
            first = int(matrices.start[table])
            for place, kept in enumerate(game.options_of(table)):
                if row[first + place]:
                    chance = Fraction(row[first + place])
                    cells = (numbers.write(aside), threw, numbers.write(int(kept)), chance)
                    rows.append((cast, *cells))
    return csv_text(rows, f"{_round(game)} player={plan.player} policy={plan.name}\n")


def load(game: Round, path: str | Path, player: Player | None = None) -> RoundStrategy:
    """Return the strategy that a file holds."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:  # a name may be no name, the text no text
        reason = getattr(problem, "strerror", None) or "it is not text"
        raise WrongTable(f"cannot read the strategy {str(path)!r}: {reason.lower()}") from None
    return read_csv(game, text, player)


def read_csv(game: Round, text: str, player: Player | None = None) -> RoundStrategy:
    """Return the strategy that a text holds, refused where it is for another round or player."""
    head, _, body = text.partition("\n")
    start = _round(game)
    if not head.startswith(start + " player="):
        raise WrongTable(
            f"this is no strategy of {start.removeprefix('# dicelab ')}: it begins with "
            f"{head[:100]!r}"
        )
    who, _, name = head.removeprefix(start + " player=").partition(" policy=")
    if who not in ("first", "next") or player not in (None, who):
        raise WrongTable(f"this strategy is for a {who[:20]} player: got player={player}")
    decisions = _decisions(game, body)

    def decide(aside: tuple[int, ...], thrown: tuple[int, ...], left: int) -> dict[Any, Any]:
        numbers = game.numbers
        key = (game.casts - left, numbers.number(aside), numbers.number(thrown))
        if key not in decisions:
            told = f"{numbers.write(key[1])}+{numbers.write(key[2])}".removeprefix("-+")
            raise WrongTable(f"the strategy says nothing about {told} after cast {key[0]}")
        return decisions[key]

    return from_function(game, decide, "first" if who == "first" else "next", name or "file")


def _decisions(game: Round, body: str) -> dict[tuple[int, int, int], dict[Any, Fraction]]:
    """Return the chances of what is kept, by cast, dice aside and dice thrown."""
    found: dict[tuple[int, int, int], dict[Any, Fraction]] = defaultdict(dict)
    reader = csv.DictReader(io.StringIO(body))
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise WrongTable(
            f"a strategy of a round has the columns {', '.join(COLUMNS)}: got "
            f"{', '.join(map(str, reader.fieldnames or ('none',)))[:100]}"
        )
    for line, row in enumerate(reader, start=3):
        try:
            aside, threw = (game.numbers.number(row[column]) for column in ("aside", "threw"))
            key = (int(row["cast"]), aside, threw)
            kept = game.numbers.faces_of(game.numbers.number(row["keep"]))
            found[key][kept] = Fraction(row["chance"])
        except (DicelabError, ValueError, TypeError, ZeroDivisionError) as trouble:
            raise WrongTable(f"line {line} cannot be read: {trouble}") from None
    return found
