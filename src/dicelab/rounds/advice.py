"""Advice at the table: what to keep, and what each other choice costs.

The question is one line: ``have 4, threw 21, 1 cast left``. Add ``goal 421`` if you want just that,
or bring a utility; else results count their tokens at 421, and their sum with other dice. With
nothing aside the first part may be left out. Faces beyond 9 take commas: ``threw 12,10,3``.

>>> from dicelab.rounds import Round, ask
>>> advice = ask(Round(), "421 goal, have 4, threw 61, 1 cast left")
>>> [(choice.kept, str(choice.value), str(choice.cost)) for choice in advice.choices[:2]]
[('41', '1/6', '0'), ('4', '1/18', '1/9')]
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from dicelab.core.exact import told
from dicelab.errors import RulesError, UnknownPosition, UnreadablePosition
from dicelab.rounds.combinations import Combination
from dicelab.rounds.induction import solve
from dicelab.rounds.rules import Player, Round
from dicelab.rounds.utilities import AnyUtility, usual, utility

_SHOWN = r"(\([0-9, ]*\)|-?[0-9]+(?:\s*,\s*-?[0-9]+)+|[0-9]+,|[0-9]+(?: [0-9])*|-|nothing)"
_END = r"(?=\s*(?:[,;]|$))"
_PIECES = {
    name: re.compile(f"(?:{words}){_END}", re.IGNORECASE)
    for name, words in {
        "goal": rf"goal\s+{_SHOWN}|{_SHOWN}\s+goal",
        "aside": rf"(?:i\s+)?(?:have|aside|kept)\s+{_SHOWN}|{_SHOWN}\s+aside",
        "thrown": rf"(?:i\s+)?(?:threw|thrown|cast)\s+{_SHOWN}",
        "left": r"([0-9]+|no|one|two|three)\s+(?:more\s+)?(?:casts?\s+)?left",
    }.items()
}
_WORDS = {"no": 0, "one": 1, "two": 2, "three": 3}


@dataclass(frozen=True)
class Choice:
    """One thing to keep, what it is worth and what it costs against the best."""

    kept: str
    value: Fraction
    cost: Fraction


@dataclass(frozen=True)
class Advice:
    """Every choice at a table, the best first."""

    utility: str
    table: str
    left: int
    choices: tuple[Choice, ...]

    @property
    def best(self) -> tuple[str, ...]:
        """All that is best to keep."""
        return tuple(choice.kept for choice in self.choices if not choice.cost)

    def __str__(self) -> str:
        return (
            f"keep {' or '.join(self.best)}: worth {told(self.choices[0].value)} on {self.utility}"
        )


@dataclass(frozen=True)
class Question:
    """What a question in words tells."""

    aside: str
    thrown: str
    left: int
    goal: str | None


def read_question(question: str) -> Question:
    """Return what a question in words tells, refused where it leaves out what is needed."""
    found: dict[str, str] = {}
    asked, place = question.strip().rstrip("?.!"), 0
    while place < len(asked):
        if asked[place] in " ,;":
            place += 1
            continue
        for name, pattern in _PIECES.items():
            if read := pattern.match(asked, place):
                shown = next(group for group in read.groups() if group is not None).lower()
                found[name] = shown if shown.startswith("(") else shown.replace(" ", "")
                place = read.end()
                break
        else:
            piece = re.split("[,;]", asked[place:])[0].strip()
            raise UnreadablePosition(
                f"cannot read {piece[:60]!r}; write 'have 6, threw 41, 1 cast left', "
                f"and 'goal 641' if that is all you want"
            )
    needed = {
        "thrown": "what was thrown; add 'threw 21'",
        "left": "how many casts are left; add '1 cast left'",
    }
    for name, words in needed.items():
        if name not in found:
            raise UnreadablePosition(f"the question {question[:60]!r} does not say {words}")
    left = _WORDS[found["left"]] if found["left"] in _WORDS else int(found["left"][:9])
    aside = found.get("aside", "-").replace("nothing", "-")
    return Question(aside, found["thrown"], left, found.get("goal"))


def ask(
    game: Round, question: str, worth: AnyUtility | None = None, player: Player = "first"
) -> Advice:
    """Return advice for a question in words.

    >>> str(ask(Round(), "I threw 6 5 1, two casts left, goal 421"))
    'keep 1: worth 53/324 = 0.163580 on goal:421'
    """
    found = read_question(question)
    if found.goal is not None:
        if worth is not None:
            raise RulesError(
                f"the question has the goal {found.goal} and there is a utility too: give one"
            )
        worth = f"goal:{found.goal}"
    worth = usual(game) if worth is None else worth
    return advise(game, found.aside, found.thrown, found.left, worth, player)


def advise(
    game: Round,
    aside: Combination,
    thrown: Combination,
    left: int,
    worth: AnyUtility,
    player: Player = "first",
) -> Advice:
    """Return every choice with these dice aside, those just thrown and so many casts left."""
    ours = utility(worth, game)
    table = game.table_of(aside, thrown)
    if not 1 <= left < game.casts:
        raise UnknownPosition(
            f"nothing to choose with {left} casts left: "
            f"a round of {game.casts} casts has 1 to {game.casts - 1} left at a decision"
            if game.casts > 1
            else "a round of one cast leaves nothing to choose"
        )
    kept = game.numbers.number(aside)
    if kept and left == game.casts - 1:
        raise UnknownPosition(
            f"{game.numbers.write(kept)} cannot be aside with {left} casts left: "
            f"the first cast throws all dice"
        )
    cast = game.casts - left
    solution = solve(game, ours, player)
    options = game.options_of(table)
    options = options[:-1] if player == "next" else options
    worths = [(Fraction(solution.value_of(int(option), cast)), int(option)) for option in options]
    best = max(value for value, _ in worths)
    ranked = sorted(worths, key=lambda pair: (-pair[0], pair[1]))
    return Advice(
        ours.name,
        game.write_table(table),
        left,
        tuple(Choice(game.numbers.write(option), value, best - value) for value, option in ranked),
    )
