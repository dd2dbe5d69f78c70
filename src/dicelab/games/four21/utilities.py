"""What 421 players count: the tokens a result hands over, and its rank.

``transfer`` counts the tokens (table 5 of the study); ``rank`` numbers the combinations from the
lowest, 221, to the highest, 421 (its order (54)).

Source: Albarède, "Fate stochastic management and policy benchmark in 421", table 5 and (54).

>>> from dicelab.rounds import Round, utility
>>> tokens = utility("transfer", Round())
>>> tokens.of("421"), tokens.of("611"), tokens.of("543"), tokens.of("221")
(Fraction(10, 1), Fraction(6, 1), Fraction(2, 1), Fraction(1, 1))
"""

from fractions import Fraction
from typing import Any

from dicelab.errors import RulesError
from dicelab.rounds.rules import Round
from dicelab.rounds.utilities import name_utility


def _check(name: str, game: Round) -> None:
    faces = game.die.faces
    if game.dice != 3 or faces != tuple(range(1, len(faces) + 1)) or len(faces) < 4:
        raise RulesError(
            f"the utility {name!r} is about 421 and needs 3 dice with faces 1 to 4 or more: "
            f"got {game.dice} dice with faces {', '.join(map(str, faces))}; "
            f"'sum' is for any dice"
        )


def _kind(faces: tuple[int, ...]) -> str:
    """Return which line of table 5 a combination is on, its faces highest first."""
    high, middle, low = faces
    if faces == (4, 2, 1):
        return "421"
    if faces == (1, 1, 1):
        return "111"
    if (middle, low) == (1, 1) or high == low:
        return "pair or brelan"
    return "sequence" if (high - middle, middle - low) == (1, 1) else "other"


def transfer(game: Round) -> list[Fraction]:
    """Return the tokens that each result hands over."""
    _check("transfer", game)
    tokens = []
    for number in game.numbers.full:
        faces = game.numbers.faces_of(number)[::-1]
        table = {"421": 10, "111": 7, "pair or brelan": faces[0], "sequence": 2, "other": 1}
        tokens.append(Fraction(table[_kind(faces)]))
    return tokens


def rank(game: Round) -> list[Fraction]:
    """Return the place of each result, from the lowest."""
    _check("rank", game)
    lines = ["other", "sequence", "pair or brelan", "111", "421"]

    def height(number: int) -> tuple[Any, ...]:
        faces = game.numbers.faces_of(number)[::-1]
        kind = _kind(faces)
        # 611 stands above 666, and both above 511
        order = (faces[0], faces[2] == 1 and faces[1] == 1) if kind == "pair or brelan" else faces
        return lines.index(kind), order

    rising = sorted(game.numbers.full, key=height)
    place = {number: Fraction(each) for each, number in enumerate(rising)}
    return [place[number] for number in game.numbers.full]


name_utility(
    "transfer",
    transfer,
    usual=lambda game: game.dice == 3 and game.die.faces == (1, 2, 3, 4, 5, 6),
)
name_utility("rank", rank)
