"""Storm and OpenSpiel asked the same questions: a part of `check_random_games.py`.

Against a fixed opponent a game is a one-player problem. It is written down in the PRISM language
straight from its rules (not from our table), with a state for each position and seat, and the
opponent's mixture as chances. Storm then works out the best reply in rationals, which must be ours
to the last digit. OpenSpiel's Pig lets a player stop with nothing at risk, so it is our Pig with
passing; its value iteration stops at a change below 1e-12.
"""

from __future__ import annotations

import json
import random
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import random_games as make
from agreement import asked as function_of
from brute import SoloSketch, chances_of
from dicelab import compile, solve
from dicelab.games.pig import Pig
from dicelab.rules import DRAW, LOSS, OTHER, SAME, WIN
from dicelab.verbs.best_response import best_response

PIGS = (2, 5, 10, 15)
NEAR = 1e-9  # what a change below 1e-12 is worth at these sizes


def as_prism(game: Any, opponent: Any, seat: int) -> str:
    """Return the one-player problem of a reply in the PRISM language; alone, with no opponent."""
    seats = 1 if opponent is None else 2
    number = {
        node: place for place, node in enumerate((s, at) for s in range(seats) for at in game.graph)
    }
    won, lost = len(number), len(number) + 1
    lines = ["mdp", "module game", f"  s : [0..{lost}] init {number[seat, game.start()]};"]
    for (mover, at), here in number.items():
        rule = game.graph[at]
        if not isinstance(rule, dict):
            wins = (rule == WIN) == (mover == 0)
            ends = {won: Fraction(1, 2), lost: Fraction(1, 2)} if rule == DRAW else {}
            lines.append(command(here, ends or {won if wins else lost: Fraction(1)}))
            continue
        ways = [{move: Fraction(1)} for move in rule]
        if mover == 1:
            ways = [chances_of(opponent, at)]
        for shares in ways:
            law: dict[int, Fraction] = {}
            for move, share in shares.items():
                for chance, after, turn in rule[move]:
                    then = number[1 - mover if turn == OTHER else mover, after]
                    law[then] = law.get(then, Fraction(0)) + share * chance
            lines.append(command(here, law))
    lines += [command(end, {end: Fraction(1)}) for end in (won, lost)]
    return "\n".join([*lines, "endmodule", f'label "won" = s={won};', ""])


def command(here: int, law: dict[int, Fraction]) -> str:
    """Return one move as a line of PRISM."""
    told = " + ".join(f"{chance} : (s'={then})" for then, chance in law.items())
    return f"  [] s={here} -> {told};"


def questions(seed: int, count: int) -> tuple[list[str], list[Fraction], list[Any]]:
    """Return models, our exact answers, and the games they are of."""
    models, answers, games = [], [], []
    for number in range(count):
        pick = random.Random(f"{seed} peers {number}").choice
        if number % 4 == 0:
            game = make.random_sketch(pick, SoloSketch, most=8, movers=(SAME,))
            models.append(as_prism(game, None, 0))
            answers.append(solve(game, exact=True).value)
        else:
            game = make.random_sketch(pick, most=8)
            opponent, seat = make.random_strategy(pick, game), pick((0, 1))
            table = compile(game)
            lost = table.worth[LOSS]  # which is what Storm makes of play without an end
            reply = best_response(table, function_of(opponent), exact=True, never=lost).solution
            assert reply.replies is not None
            models.append(as_prism(game, opponent, seat))
            answers.append((reply.replies[0] if seat else reply.values)[table.start])
        games.append(game)
    return models, answers, games


def check_peers(python: str, seed: int, count: int) -> int:
    """Ask the peers, print how it went, and return how many answers differ."""
    models, answers, games = questions(seed, count)
    script = Path(__file__).with_name("peer_values.py")
    try:
        ran = subprocess.run(
            [python, str(script)],
            input=json.dumps({"models": models, "pigs": PIGS}),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as trouble:
        print(f"the peers were not asked: {python!r} cannot be run ({trouble.strerror})")
        return 0
    if ran.returncode:
        print(f"the peers failed: {ran.stderr.strip().splitlines()[-1]}")
        return 1
    told, wrong = json.loads(ran.stdout), 0
    for missing in (name for name in told if name.endswith("missing")):
        print(f"{missing}: {told[missing]}")
    if "storm" in told:
        for number, (theirs, ours) in enumerate(zip(told["storm"], answers, strict=True)):
            if Fraction(theirs) != ours:
                wrong += 1
                print(
                    f"\npeers:{number} (seed {seed}): Storm {theirs}, we {ours}\n{games[number]!r}"
                )
        print(f"storm          {count:6} replies and games alone, in rationals: {wrong} differ")
    if "open_spiel" in told:
        for score, theirs in zip(PIGS, told["open_spiel"], strict=True):
            ours = solve(Pig(target=score, passing=True))
            off = max(ours.lower - theirs, theirs - ours.upper, 0.0)
            wrong += off > NEAR
            print(f"open_spiel     Pig to {score}: {theirs:.12f}, ours within {off:.1e} of it")
    return wrong
