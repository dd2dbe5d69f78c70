"""Figures, in one house style: of solutions, of play, and of what the studies draw.

`picture` draws a solution as it suits the game. `draw` makes any figure by the name of a game and
the kind of figure: `dicelab plot` speaks from there.
"""

from dicelab.plots.solutions import density_picture, picture
from dicelab.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE, label, save, small_print

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PURPLE",
    "STYLE",
    "density_picture",
    "label",
    "picture",
    "save",
    "small_print",
]
