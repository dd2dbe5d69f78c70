"""Yahtzee and its family: one round of it, and the whole cards."""

from dicelab.games.yahtzee.rules import Kniffel, MaxiYatzy, Yahtzee, YahtzeeRound, Yatzy

__all__ = ["Kniffel", "MaxiYatzy", "Yahtzee", "YahtzeeRound", "Yatzy"]
