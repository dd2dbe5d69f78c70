"""Games in DRN, the explicit format of the model checker Storm: every state and every chance.

The format knows one player. A game for two needs an opponent whose moves are fixed; then Storm's
optimum is what the best reply to that opponent gets. Chances are rationals, so that Storm can
compute with them exactly.

>>> from dicelab import compile, game
>>> text = drn(compile(game("pig", target=2)), against="hold-at:2")
>>> print("".join(text).splitlines()[0])
// pig target=2 against hold-at:2 by dicelab: its value is Pmax=? [F "paid"]
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dicelab.errors import ExportError
from dicelab.exchange.objective import Objective
from dicelab.exchange.seated import SEATS, Node, Seated, seated
from dicelab.rules import ONGOING
from dicelab.strategies.named import AnyStrategy
from dicelab.table import Table


def drn(table: Table, against: AnyStrategy | None = None, seat: str = "first") -> Iterator[str]:
    """Yield the lines of a game in DRN; two players need an opponent."""
    model = seated(table, against, seat)
    if model.is_for_two:
        raise ExportError(
            f"storm's explicit format knows one player, and {table.game} is for two: fix one with "
            f"--against STRATEGY, or export it --to prism"
        )
    return _lines(model)


def _lines(model: Seated) -> Iterator[str]:
    goal = Objective(model)
    counted = goal.counts_rewards
    paid, unpaid = len(model.nodes), len(model.nodes) + 1
    choices = sum(max(1, model.count(node)) for node in model.nodes)
    yield f"// {model.game}{goal.opponent} by dicelab: its value is {goal.said}\n"
    yield "@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\n"
    yield f"{'value' if counted else ''}\n"
    yield f"@nr_states\n{len(model.nodes) + 2}\n@nr_choices\n{choices + 2}\n@model\n"
    none = " [0]" if counted else ""
    for number, node in enumerate(model.nodes):
        yield f"state {number}{none}{_labels(model, node, number)}\n//{model.notation(node)}\n"
        if model.result(node) == ONGOING:
            for choice in model.choices(node):
                gain = f" [{choice.gain}]" if counted else ""
                word = "".join(letter if letter.isalnum() else "_" for letter in choice.move)
                yield f"\taction {word}{gain}\n"
                for after, chance in choice.outcomes.items():
                    yield f"\t\t{model.number[after]} : {chance}\n"
            continue
        share = goal.share(node)
        worth = f" [{goal.reward(node)}]" if counted else ""
        yield f"\taction settle{worth}\n"
        for end, chance in ((paid, share), (unpaid, 1 - share)):
            if chance:
                yield f"\t\t{end} : {Fraction(chance)}\n"
    for number, label in ((paid, " paid done"), (unpaid, " done")):
        yield f"state {number}{none}{label}\n\taction stay{none}\n\t\t{number} : 1\n"


def _labels(model: Seated, node: Node, number: int) -> str:
    words = ["init"] if number == 0 else []
    if model.result(node) != ONGOING:
        words.append("over")
    elif model.game.players == 2 and not model.game.is_simultaneous:
        words.append(SEATS[node.seat])
    return "".join(f" {word}" for word in words)
