"""Games as environments of Gymnasium: for one player, or against an opponent whose moves are fixed.

What is observed are the fields of the position that ever change, seen by the player about to move;
``info`` has the mask of legal moves, as ``action_mask``, and the notation. The reward is what the
game is worth to the learner, at its end, so the mean return of a learner is its value. Where the
value is a cost (the fewest turns of Solo Pig) the reward is what was spent, below zero.

An illegal move changes nothing: the position stays, ``info["illegal"]`` is True, and where things
cost it costs the most that a move may. So it never helps.

>>> from dicelab import game
>>> env = environment(game("pig", target=20), against="hold-at:10")
>>> seen, info = env.reset(seed=1)
>>> info["position"], info["action_mask"]
('0-0 +0', array([1, 0], dtype=int8))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicelab.core.json_object import JsonObject
from dicelab.errors import ExportError
from dicelab.exchange.modules import one_learner
from dicelab.exchange.packages import missing
from dicelab.exchange.seated import Node, seated
from dicelab.exchange.steps import WORDS, Steps
from dicelab.rules import Game
from dicelab.strategies.named import AnyStrategy
from dicelab.table import Table, compile

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise missing("gymnasium") from None


Seen = NDArray[np.int64]


class DiceGame(gymnasium.Env[Seen, int | np.int64]):
    """A dice game for one learner."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        table: Table,
        against: AnyStrategy | None = None,
        seat: str = "first",
        render_mode: str | None = None,
    ) -> None:
        self.model = seated(table, against, seat)
        if self.model.is_for_two:
            raise ExportError(one_learner(table.game))
        self.steps = Steps(self.model)
        self.render_mode = render_mode
        low, high = self.steps.bounds()
        self.observation_space = spaces.Box(low, high, dtype=np.int64)
        self.action_space = spaces.Discrete(len(self.steps.moves))
        costs = [abs(float(gain)) for gain in table.gains]
        self._waste = max(costs, default=0.0) if table.game.fewest else 0.0
        self._node = self.model.start

    def reset(
        self, *, seed: int | None = None, options: JsonObject | None = None
    ) -> tuple[Seen, JsonObject]:
        """Begin a game; an opponent who goes first has moved when it returns."""
        super().reset(seed=seed)
        self._node, _ = self._until_our_turn(self.model.start)
        return self.steps.seen(self._node), self._info()

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, JsonObject]:
        """Make a move, and let the opponent answer."""
        gained = 0.0
        moves = self.steps.moves_at(self._node)
        illegal = int(action) not in moves and not self.steps.is_over(self._node)
        if illegal:
            gained = self._waste
        elif not self.steps.is_over(self._node):
            after, gained = moves[int(action)].throw(self.np_random)
            self._node, more = self._until_our_turn(after)
            gained += more
        over = self.steps.is_over(self._node)
        reward = gained + (float(self.model.worth(self._node, self.model.us)) if over else 0.0)
        sign = -1.0 if self.model.game.fewest else 1.0
        info = {**self._info(), "illegal": True} if illegal else self._info()
        return self.steps.seen(self._node), sign * reward, over, False, info

    def _until_our_turn(self, node: Node) -> tuple[Node, float]:
        """Return where the learner moves next, or where the game is over, and what was gained."""
        gained = 0.0
        while node.seat != self.model.us and not self.steps.is_over(node):
            (answer,) = self.steps.moves_at(node).values()
            node, more = answer.throw(self.np_random)
            gained += more
        return node, gained

    def _info(self) -> JsonObject:
        info = {
            "action_mask": self.steps.mask(self._node),
            "position": self.model.table.notation(self._node.position),
        }
        if self.steps.is_over(self._node):
            info["result"] = WORDS[self.model.result(self._node, self.model.us)]
        return info

    def render(self) -> str | None:
        """Return the position in notation."""
        return self.model.notation(self._node) if self.render_mode == "ansi" else None


def environment(
    game: Game | Table,
    against: AnyStrategy | None = None,
    seat: str = "first",
    render_mode: str | None = None,
) -> DiceGame:
    """Return the environment of a game."""
    table = compile(game)
    return DiceGame(table, against, seat, render_mode)


def register(
    id: str, game: Game | Table, against: AnyStrategy | None = None, seat: str = "first"
) -> str:
    """Register a game under an id such as ``dicelab/Pig-v0``, for `gymnasium.make`."""
    table = compile(game)

    def made(**options: Any) -> DiceGame:
        return DiceGame(table, against, seat, **options)

    gymnasium.register(id, entry_point=made)
    return id
