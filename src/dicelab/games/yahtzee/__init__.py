"""Yahtzee: one round of it."""

from dicelab.games.yahtzee.rules import YahtzeeRound

__all__ = ["YahtzeeRound"]
