"""What solvers and rules both count in: who moves next, and how a game stands."""

SAME, OTHER = 0, 1
"""Who moves next: the same player, or the other one (the turn passes)."""

ONGOING, WIN, LOSS, DRAW = 0, 1, 2, 3
"""What `Game.result` answers, for the player about to move."""
