"""What solvers and rules both count in: who moves next, and how a game stands."""

SAME, OTHER, BOTH = 0, 1, 2
"""Who moves next: the same player, the other one (the turn passes), or both at once.

With three and more OTHER is the next player in turn, 2 the one after that, and so on: nobody moves
at once there.
"""

ONGOING, WIN, LOSS, DRAW = 0, 1, 2, 3
"""What `Game.result` answers, for the player about to move; see `Game.won_by` for many players."""
