"""The chance of a turn of which only the number of rolls and the points banked are known.

f[r] is the chance to have r at risk after so many rolls, and to have rolled on until then. One roll
moves it on; the turn ends with a bust, or stops where the points were banked.
"""

from __future__ import annotations

from dicelab.core.arrays import Array
from dicelab.core.jit import allocating


@allocating
def likelihood(
    rolling: Array,  # [turns, at risk] the chance to roll on
    stopping: Array,  # [turns, at risk] the chance to stop
    rolls: Array,  # [turns]
    banked: Array,  # [turns] 0 after a bust
    points: Array,  # [scores] what a roll may score
    chances: Array,  # [scores]
    bust: float,
    room: Array,  # [2, at risk]
    found: Array,  # [turns] the answer goes here
) -> None:
    """Find the chance of each turn, summed over the rolls that are not known."""
    width = rolling.shape[1]
    most = points.max()
    for turn in range(rolls.size):
        now, then = room[0], room[1]
        now[:] = bust * 0
        now[0] = now[0] + 1
        reach = 0  # nothing beyond this is at risk yet
        for _ in range(rolls[turn] - 1):
            then[:] = bust * 0
            for risk in range(min(reach + 1, width)):
                going = now[risk] * rolling[turn, risk]
                if going != 0:
                    for score in range(points.size):
                        after = risk + points[score]
                        if after < width:
                            then[after] += going * chances[score]
            now, then = then, now
            reach += most
        if rolls[turn] == 0:
            found[turn] = stopping[turn, 0]
        elif banked[turn] == 0:
            total = bust * 0
            for risk in range(min(reach + 1, width)):
                total = total + now[risk] * rolling[turn, risk]
            found[turn] = total * bust
        else:
            total = bust * 0
            for score in range(points.size):
                risk = banked[turn] - points[score]
                if 0 <= risk < width:
                    total = total + now[risk] * rolling[turn, risk] * chances[score]
            found[turn] = total * stopping[turn, banked[turn]]
