"""Games for two as environments of PettingZoo, in its form for players who take turns (AEC).

The agents are ``player_0``, who goes first, and ``player_1``. What one observes are the fields of
the position that ever change, seen by the player about to move, then a 1 if that is oneself; and
the mask of legal moves. At the end each gets what the game is worth to it. Where both throw at
once, the second chooses without knowing what the first chose.

>>> from dicelab import game
>>> env = environment(game("pig", target=20))
>>> env.reset(seed=1)
>>> env.agent_selection, env.observe("player_0")["action_mask"]
('player_0', array([1, 0], dtype=int8))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dicelab.core.json_object import JsonObject
from dicelab.errors import ExportError, IllegalMove
from dicelab.exchange.modules import several_players
from dicelab.exchange.packages import missing
from dicelab.exchange.seated import seated
from dicelab.exchange.steps import WORDS, Prepared, Steps
from dicelab.rules import Game
from dicelab.table import Table, compile

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing("pettingzoo") from None

AGENTS = ("player_0", "player_1")


class DiceGame(AECEnv, EzPickle):  # type: ignore[misc]
    """A dice game for two agents."""

    def __init__(self, table: Table, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, table, render_mode)
        super().__init__()
        if table.game.players != 2:
            raise ExportError(several_players(table.game))
        self.model = seated(table)
        self.steps = Steps(self.model)
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": ["ansi"],
            "render_fps": 1,
            "name": f"dicelab_{table.game.name}",
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        low, high = self.steps.bounds()
        fields = spaces.Box(np.append(low, 0), np.append(high, 1), dtype=np.int64)
        mask = spaces.Box(0, 1, (len(self.steps.moves),), dtype=np.int8)
        self.observation_spaces = {
            seat: spaces.Dict({"observation": fields, "action_mask": mask}) for seat in AGENTS
        }
        self.action_spaces = {seat: spaces.Discrete(len(self.steps.moves)) for seat in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the moves by number."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: JsonObject | None = None) -> None:
        """Begin a game."""
        if seed is not None or not hasattr(self, "np_random"):
            self.np_random = np.random.default_rng(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, JsonObject] = {seat: {} for seat in AGENTS}
        self._node = self.model.start
        self._waiting: int | None = None  # what the first chose, where both throw at once
        self.agent_selection = AGENTS[self._node.seat]

    def observe(self, agent: str) -> JsonObject:
        """Return what an agent sees."""
        node = self.model.seen_by(self._node, AGENTS.index(agent))
        next_up = agent == self.agent_selection and not self.steps.is_over(self._node)
        mask = self.steps.mask(node) if next_up else np.zeros(len(self.steps.moves), np.int8)
        seen = np.append(self.steps.seen(node), int(next_up))
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make the move of the agent whose turn it is."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        node = self.model.seen_by(self._node, AGENTS.index(self.agent_selection))
        if int(action) not in self.steps.legal(node):
            table = self.model.table
            asked = self.steps.moves[action] if 0 <= action < len(self.steps.moves) else action
            raise IllegalMove(
                f"{self.agent_selection} cannot {asked} at {table.notation(node.position)}: "
                f"you can only {' or '.join(table.legal_moves(node.position))} here"
            )
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if not self.model.game.is_simultaneous:
            self._throw(self.steps.moves_at(self._node)[int(action)])
            self.agent_selection = AGENTS[self._node.seat]
        elif self._waiting is None:
            self._waiting, self.agent_selection = int(action), AGENTS[1]
        else:
            self._throw(self.steps.met(self._node, self._waiting, int(action)))
            self._waiting, self.agent_selection = None, AGENTS[0]
        if self.steps.is_over(self._node):
            for seat, agent in enumerate(AGENTS):
                self.rewards[agent] += float(self.model.worth(self._node, seat))
                self.terminations[agent] = True
                self.infos[agent] = {"result": WORDS[self.model.result(self._node, seat)]}
        self._accumulate_rewards()

    def _throw(self, made: Prepared) -> None:
        """Let chance decide what follows; what one gains on the way the other pays."""
        self._node, gain = made.throw(self.np_random)
        for agent, sign in zip(AGENTS, (1, -1), strict=True):
            self.rewards[agent] = sign * gain

    def render(self) -> str | None:
        """Return the position in notation."""
        return self.model.notation(self._node) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Leave the table; there is nothing to put away."""


def environment(game: Game | Table, render_mode: str | None = None) -> Any:
    """Return the environment of a game, wrapped as PettingZoo's own: an illegal move loses."""
    table = compile(game)
    lowest = float(min(min(pair) for pair in table.ends.values()))
    env: Any = DiceGame(table, render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=lowest)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
