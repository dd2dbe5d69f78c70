"""Games in the language of the model checkers PRISM and Storm.

For one player, or against an opponent whose moves are fixed, the model is an ``mdp``; for two it
is an ``smg``, a stochastic game of the players ``first`` and ``second``. Where the rules can be
read as formulas, the model is as short as they are and its variables are the fields of a position.
Else it has one variable, the number of the position, and a command for each move at each position.

>>> from dicelab import compile, game
>>> for line in "".join(prism(compile(game("piglet", target=2)))).splitlines()[17:23]:
...     print(line)
  [roll_first] seat=0 & going ->
    1/2 : (mine'=yours) & (yours'=mine) & (at_risk'=0) & (seat'=1-seat)
    + 1/2 : (at_risk'=at_risk+1);
  [hold_first] seat=0 & going & at_risk>0 ->
    (mine'=yours) & (yours'=mine+at_risk) & (at_risk'=0) & (seat'=1-seat);
  [roll_second] seat=1 & going ->
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dicelab.errors import ExportError
from dicelab.exchange.formulas import Unreadable, both, field, written
from dicelab.exchange.objective import Objective
from dicelab.exchange.read_rules import Command, ReadRules, read_rules
from dicelab.exchange.seated import SEATS, Seated, seated
from dicelab.rules import DRAW, LOSS, ONGOING, SEEN_BY_OTHER, WIN
from dicelab.strategies.named import AnyStrategy
from dicelab.table import Table

_WORDS = """
A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endplayer
endrewards endsystem false formula filter func F global G init invariant I int label max mdp min
module X nondeterministic observable observables of Pmax Pmin P player pomdp popta probabilistic
prob pta rate rewards Rmax Rmin R S smg stochastic system true U W mod floor ceil pow log
seat paid going result done over first second settle stay s
"""
RESERVED = frozenset(_WORDS.split())
"""Words that PRISM, or the model around the rules, has taken."""


def word(name: str) -> str:
    """Return a name as PRISM may have it."""
    plain = re.sub(r"\W", "_", name)
    plain = f"_{plain}" if plain[:1].isdigit() else plain
    return f"{plain}_" if plain in RESERVED else plain


def prism(
    table: Table, against: AnyStrategy | None = None, seat: str = "first", explicit: bool = False
) -> Iterator[str]:
    """Yield the pieces of a game's model; `explicit` writes out every position."""
    model = seated(table, against, seat)
    if table.game.is_simultaneous and model.is_for_two:
        raise ExportError(
            f"both players of {table.game} move at once, which no smg can say: fix one with "
            f"--against STRATEGY, or export it --to openspiel or pettingzoo"
        )
    goal = Objective(model)
    rules = None
    if not explicit:
        try:
            rules = read_rules(model, word, against)
        except Unreadable:
            rules = None
    return _model(model, goal, rules)


def _model(model: Seated, goal: Objective, rules: ReadRules | None) -> Iterator[str]:
    yield f"// {model.game}{goal.opponent}, written by dicelab\n"
    yield f"// its value is {goal.said}\n"
    yield "smg\n\n" if model.is_for_two else "mdp\n\n"
    # A win pays, a loss does not. Only an end that is worth something between, or points gained on
    # the way, need a variable that says what was paid.
    results = set(np.unique(model.table.result).tolist()) - {ONGOING}
    settles = goal.counts_rewards or any(goal.share_of(result) not in (0, 1) for result in results)
    if model.is_for_two:
        yield from _players(model, rules, settles or rules is None)
    if rules is not None:
        yield from _compact(model, goal, rules, settles)
    else:
        yield from _explicit(model, goal)


def _players(model: Seated, rules: ReadRules | None, settles: bool) -> Iterator[str]:
    """Yield who owns which moves; PRISM wants none that nobody ever makes."""
    if rules is not None:
        made = {(command.seat, command.move) for command in rules.commands}
    else:
        made = {(node.seat, move) for node in model.nodes for move in model.moves(node)}
    for number, seat in enumerate(SEATS):
        moves = [move for move in model.table.moves if (number, move) in made]
        labels = [f"[{label(model, move, number)}]" for move in moves]
        extra = [*["[settle]"] * settles, "[stay]"] if number == 0 else []
        yield f"player {seat} {', '.join(labels + extra)} endplayer\n"
    yield "\n"


def label(model: Seated, move: str, seat: int) -> str:
    """Return the label of a seat's move."""
    return word(move) if model.game.players == 1 else f"{word(move)}_{SEATS[seat]}"


def _compact(model: Seated, goal: Objective, rules: ReadRules, settles: bool) -> Iterator[str]:
    yield f"// for the player about to move: {WIN} won, {LOSS} lost, {DRAW} drawn\n"
    yield f"formula result = {written(rules.result)};\n"
    yield f"formula going = {'paid=0 & ' if settles else ''}result={ONGOING};\n\n"
    yield f"module {word(model.game.name or type(model.game).__name__)}\n"
    for name, (low, high, start) in rules.ranges.items():
        yield f"  {name} : [{low}..{high}] init {start};\n"
    if model.game.players == 2:
        yield "  seat : [0..1] init 0;  // who is about to move\n"
    if settles:
        yield "  paid : [0..2] init 0;  // 1 once an end is paid, 2 once it is not\n"
    yield "\n"
    for command in rules.commands:
        yield from _command(model, command)
    for place, share in _ends(model, goal, rules) if settles else ():
        yield f"  [settle] paid=0 & {place} -> {_paid(share, 'paid', 1, 2)};\n"
    yield f"  [stay] {'paid>0' if settles else '!going'} -> true;\nendmodule\n\n"
    paid = [f"({place})" for place, share in _ends(model, goal, rules) if share == 1]
    yield f'label "paid" = {"paid=1" if settles else " | ".join(paid) or "false"};\n'
    yield f'label "done" = {"paid>0" if settles else "!going"};\nlabel "over" = result!=0;\n'
    if goal.counts_rewards:
        yield from _rewards(model, rules)


def _rewards(model: Seated, rules: ReadRules) -> Iterator[str]:
    yield '\nrewards "value"\n'
    for command in rules.commands:
        gain = written(command.gain)
        if gain != "0":
            yield f"  [{label(model, command.move, command.seat)}] true : {gain};\n"
    for result, worth in model.table.worth_to(model.us).items():
        if worth:
            yield f"  [settle] result={result} : {written(worth)};\n"
    yield "endrewards\n"


def _ends(model: Seated, goal: Objective, rules: ReadRules) -> Iterator[tuple[str, Fraction]]:
    """Yield the ends of a game, by result and who is about to move there, and what they pay."""
    for result in sorted(rules.results - {ONGOING}):
        for seat in range(model.game.players):
            seen = result if seat == model.us else SEEN_BY_OTHER[result]
            at = f"seat={seat} & " if model.game.players == 2 else ""
            yield f"{at}result={result}", goal.share_of(seen)


def _command(model: Seated, command: Command) -> Iterator[str]:
    guard = both(field("going"), command.guard)
    if model.game.players == 2:
        guard = both(field("seat") == command.seat, guard)
    yield f"  [{label(model, command.move, command.seat)}] {written(guard)} ->\n"
    several = len(command.branches) > 1
    for place, (chance, updates, passes) in enumerate(command.branches):
        changes = [f"({name}'={written(new)})" for name, new in updates.items()]
        if passes and model.game.players == 2:
            changes.append("(seat'=1-seat)")
        share = f"{written(chance)} : " if several else ""
        yield f"    {'+ ' if place else ''}{share}{' & '.join(changes) or 'true'}"
        yield ";\n" if place == len(command.branches) - 1 else "\n"


def _paid(share: Fraction, name: str, yes: int, no: int) -> str:
    if share in (0, 1):
        return f"({name}'={yes if share == 1 else no})"
    return f"{share} : ({name}'={yes}) + 1-{share} : ({name}'={no})"


def _explicit(model: Seated, goal: Objective) -> Iterator[str]:
    paid, unpaid = len(model.nodes), len(model.nodes) + 1
    rewards, ends = [], []
    yield f"module {word(model.game.name or type(model.game).__name__)}\n"
    yield f"  s : [0..{unpaid}] init 0;  // {paid} once an end is paid, {unpaid} once it is not\n"
    for number, node in enumerate(model.nodes):
        yield f"  // {number}: {model.notation(node)}\n"
        if model.result(node) != ONGOING:
            ends.append(number)
            share = goal.share(node)
            yield f"  [settle] s={number} -> {_paid(share, 's', paid, unpaid)};\n"
            rewards.append(("settle", number, goal.reward(node)))
            continue
        for choice in model.choices(node):
            moved = label(model, choice.move, node.seat)
            parts = [
                f"{written(chance)} : (s'={model.number[after]})"
                for after, chance in choice.outcomes.items()
            ]
            yield f"  [{moved}] s={number} -> {' + '.join(parts)};\n"
            rewards.append((moved, number, choice.gain))
    yield f"  [stay] s>={paid} -> true;\nendmodule\n\n"
    yield f'label "paid" = s={paid};\nlabel "done" = s>={paid};\n'
    yield f'label "over" = {" | ".join(f"s={number}" for number in ends) or "false"};\n'
    if goal.counts_rewards:
        yield '\nrewards "value"\n'
        for moved, number, gain in rewards:
            if gain:
                yield f"  [{moved}] s={number} : {written(gain)};\n"
        yield "endrewards\n"
