"""dicelab: write the rules of a dice game once, find the best play and prove it."""

__version__ = "0.1.0"
