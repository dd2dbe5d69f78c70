"""What can go wrong, drawn once.

DicelabError
├── RulesError (ValueError)         rules that make no game, or contradict themselves
│   └── TooLarge                    a game that would not fit in the memory allowed
├── UnknownGame (KeyError)          no game of that name
├── UnknownParameter (KeyError)     the game has no parameter of that name
├── UnknownStrategy (KeyError)      no strategy of that name
├── UnknownPlot (KeyError)          the game has no figure of that kind
├── UnknownStudy (KeyError)         no study of that name
├── UnreadablePosition (ValueError) a position that does not follow the notation
├── UnknownPosition (ValueError)    a position the game cannot reach, or where it is over
├── IllegalMove (ValueError)        a move the rules forbid at that position
├── StrategyError (ValueError)      a strategy that raised, or answered with something not a move
├── RecordError (ValueError)        a record of play that cannot be read, or cannot have happened
├── WrongTable (ValueError)         a saved strategy for another game, or a file that is not one
├── WrongCheckpoint (ValueError)    a checkpoint of other work, or a file that is not one
├── ExportError (ValueError)        a game that the format asked for has no words for
├── MissingPackage (ImportError)    somebody else's package that an export is for
├── ClusterError (ConnectionError)  a cluster that cannot be reached, or is of no known kind
├── WorkerKilled (RuntimeError)     a process that shared the work, killed from outside
└── NotSolved (ArithmeticError)     the method gave up before it could prove its bounds
    └── NotFinite                   gains without end: the value is no number

A message says what was asked, what it met and what would work. The command line prints it
without a traceback and exits with 1.
"""


class DicelabError(Exception):
    """Anything dicelab refuses, with a sentence that says why."""

    def __str__(self) -> str:
        # KeyError would print the repr of the sentence, quotes and all.
        return str(self.args[0]) if self.args else type(self).__name__


class RulesError(DicelabError, ValueError):
    """The rules, or their parameters, do not make a game."""


class TooLarge(RulesError):
    """The game would not fit in the memory allowed."""


class UnknownGame(DicelabError, KeyError):
    """There is no game of that name."""


class UnknownParameter(DicelabError, KeyError):
    """The game or strategy has no parameter of that name."""


class UnknownStrategy(DicelabError, KeyError):
    """There is no strategy of that name."""


class UnknownPlot(DicelabError, KeyError):
    """The game has no figure of that kind."""


class UnknownStudy(DicelabError, KeyError):
    """There is no study of that name."""


class UnreadablePosition(DicelabError, ValueError):
    """The text does not follow the game's notation."""


class UnknownPosition(DicelabError, ValueError):
    """The position cannot be reached, or the game is over there."""


class IllegalMove(DicelabError, ValueError):
    """The rules forbid that move there."""


class StrategyError(DicelabError, ValueError):
    """A strategy raised, or answered with something that is not a move."""


class RecordError(DicelabError, ValueError):
    """The record of play cannot be read, or cannot have happened."""


class WrongTable(DicelabError, ValueError):
    """The file is not a strategy for this game."""


class WrongCheckpoint(DicelabError, ValueError):
    """The file does not remember this work."""


class ExportError(DicelabError, ValueError):
    """The format asked for has no words for this game."""


class MissingPackage(DicelabError, ImportError):
    """The package that an export is for is not installed."""


class ClusterError(DicelabError, ConnectionError):
    """The cluster cannot be used."""


class WorkerKilled(DicelabError, RuntimeError):
    """A process that shared the work was killed from outside."""


class NotSolved(DicelabError, ArithmeticError):
    """The method gave up before it could prove its bounds.

    Solvers know positions by number only. Their sentences say `{game}` and `{at}`, for whoever
    knows the names to write them in.
    """

    def __init__(self, sentence: str, at: int | None = None) -> None:
        super().__init__(sentence, at)
        self.at = at

    def __str__(self) -> str:
        return self.told("the game", f"position {self.at}")

    def told(self, game: str, at: str) -> str:
        """Return the sentence with the name of the game, and of the position it is about."""
        return str(self.args[0]).replace("{game}", game).replace("{at}", at)


class NotFinite(NotSolved):
    """Something is gained or lost without end, so that the value is no number."""
