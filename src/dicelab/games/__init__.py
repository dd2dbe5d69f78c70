"""The games: one file is one game, with its rules and its named strategies."""
