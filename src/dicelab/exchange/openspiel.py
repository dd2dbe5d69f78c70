"""Games for OpenSpiel: registered with it as Python games.

Players are 0, who goes first, and 1. Every throw of the dice is a chance node. OpenSpiel wants what
one player gets to be what the other loses, so a return is the worth of the end, centred and scaled
so that the best end is 1: `value_of` turns it back. Points gained on the way are part of the return
but not of the state's text, which names the position alone.

>>> from dicelab import game
>>> pig = load(game("pig", target=20))
>>> state = pig.new_initial_state()
>>> print(state, [state.action_to_string(move) for move in state.legal_actions()])
0-0 +0, first to move ['roll']
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np

from dicelab.exchange.packages import missing
from dicelab.exchange.seated import Node, check_one_pot, seated
from dicelab.exchange.steps import Prepared, Steps
from dicelab.rules import Game
from dicelab.strategies.named import AnyStrategy
from dicelab.table import Table, compile
from dicelab.table.at_once import PairTable
from dicelab.table.races import RaceTable

try:
    import pyspiel
except ImportError:
    raise missing("open_spiel") from None

LONGEST = 1_000_000
"""The most moves OpenSpiel is told to expect; a game with cycles has no most."""

_registered: dict[str, tuple[Game, Setting]] = {}


class Setting:
    """A game as OpenSpiel needs it: types, sizes, and what an end is worth there."""

    def __init__(self, table: Table, against: AnyStrategy | None, seat: str, name: str) -> None:
        game = table.game
        self.name = name
        self.model = seated(table, against, seat)
        self.steps = Steps(self.model)
        self.players = 2 if self.model.is_for_two else 1
        self.at_once = self.model.is_for_two and game.is_simultaneous
        check_one_pot(self.model)
        worths = [Fraction(worth) for worth in table.worth_to(self.model.us).values()]
        if game.pays_ends:
            worths = [worth for pair in table.ends.values() for worth in pair]
        self.middle = Fraction(game.total) / 2 if self.players == 2 else Fraction(0)
        self.scale = max(abs(worth - self.middle) for worth in worths) or Fraction(1)
        if self.players == 1 or table.is_for_points:
            self.scale = Fraction(1)
        kinds = pyspiel.GameType
        gains = table.has_gains
        self.type = kinds(
            short_name=name,
            long_name=f"{game}, by dicelab",
            dynamics=kinds.Dynamics.SIMULTANEOUS if self.at_once else kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kinds.Information.PERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM if self.players == 2 else kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.REWARDS if gains else kinds.RewardModel.TERMINAL,
            max_num_players=self.players,
            min_num_players=self.players,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )
        ends = [self.utility(worth) for worth in worths]
        most = sum(abs(float(gain)) for gain in table.gains) * LONGEST
        self.info = pyspiel.GameInfo(
            num_distinct_actions=len(self.steps.moves),
            max_chance_outcomes=self._most_outcomes(),
            num_players=self.players,
            min_utility=min(ends) - most,
            max_utility=max(ends) + most,
            utility_sum=0.0 if self.players == 2 else None,
            max_game_length=LONGEST,
        )

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # A state that is copied, or saved and read again, still plays the same game.
        return setting_of, (self.name,)

    def _most_outcomes(self) -> int:
        table = self.model.table
        if isinstance(table, RaceTable):
            return int(table.exact_law.shape[1]) ** 2
        if isinstance(table, PairTable):
            table = table.pairs
        widest = int(np.max(np.diff(table.outcome_first), initial=1))
        return widest * (len(table.moves) if self.model.against is not None else 1)

    def utility(self, worth: Fraction) -> float:
        """Return what an end of this worth gives in OpenSpiel."""
        sign = -1 if self.model.game.fewest else 1
        return sign * float((worth - self.middle) / self.scale)

    def value(self, utility: float) -> float:
        """Return the value that a return in OpenSpiel stands for."""
        sign = -1 if self.model.game.fewest else 1
        return float(self.middle) + sign * utility * float(self.scale)


def setting_of(name: str) -> Setting:
    """Return the setting of a game that is registered."""
    return _registered[name][1]


class DiceState(pyspiel.State):  # type: ignore[misc]
    """Where a game is: a position, and dice that are in the air or not."""

    def __init__(self, game: Any, setting: Setting) -> None:
        super().__init__(game)
        self.setting = setting
        self.node: Node = setting.model.start
        self.air: Prepared | None = None  # a move whose dice are still in the air
        self.text = ""  # how it came about
        self.gained = self.last = 0.0
        self._opponent_moves()

    def _opponent_moves(self) -> None:
        """Put an opponent's dice in the air where it is its turn."""
        model, steps = self.setting.model, self.setting.steps
        if model.against is None or steps.is_over(self.node) or self.node.seat == model.us:
            return
        (self.air,) = steps.moves_at(self.node).values()
        self.text = "the opponent moves"

    def current_player(self) -> int:
        """Return who is next: a player, chance, both, or nobody."""
        if self.air is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.setting.steps.is_over(self.node):
            return int(pyspiel.PlayerId.TERMINAL)
        if self.setting.at_once:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self.node.seat if self.setting.players == 2 else 0

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.air is None and self.setting.steps.is_over(self.node)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.setting.steps.legal(self.setting.model.seen_by(self.node, player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the throw by number, with their chances."""
        assert self.air is not None
        return list(enumerate(np.diff(self.air.edges, prepend=0.0).tolist()))

    def _apply_action(self, action: int) -> None:
        steps = self.setting.steps
        self.last = 0.0
        if self.air is None:
            self.air = steps.moves_at(self.node)[action]
            self.text = steps.moves[action]
            if len(self.air.nodes) > 1:
                return
            action = 0  # a move without dice is over at once
        self.node, gain = self.air.nodes[action], self.air.gains[action]
        self.air, self.text = None, ""
        self.last = -gain if self.setting.model.game.fewest else gain
        self.gained += self.last
        self._opponent_moves()

    def _apply_actions(self, actions: list[int]) -> None:
        steps, self.last = self.setting.steps, 0.0
        self.air = steps.met(self.node, actions[0], actions[1])
        self.text = f"{steps.moves[actions[0]]} and {steps.moves[actions[1]]}"

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            assert self.air is not None
            return str(self.setting.model.notation(self.air.nodes[action]))
        return self.setting.steps.moves[action]

    def _end(self) -> list[float]:
        model = self.setting.model
        if not self.is_terminal():
            return [0.0] * self.setting.players
        ours = self.setting.utility(model.worth(self.node, model.us))
        return [ours, -ours] if self.setting.players == 2 else [ours]

    def returns(self) -> list[float]:
        """Return what each player got so far."""
        return self._shared(self.gained)

    def rewards(self) -> list[float]:
        """Return what each player got with the last action."""
        return self._shared(self.last)

    def _shared(self, gained: float) -> list[float]:
        """Return what each player has of some gains and the end: what one gets the other pays."""
        return [sign * gained + end for sign, end in zip((1, -1), self._end(), strict=False)]

    def __str__(self) -> str:
        at = str(self.setting.model.notation(self.node))
        return f"{at}: {self.text}" if self.text else at


class DiceObserver:
    """What everybody sees: the fields of the position, each scaled to 0..1, and who is to move."""

    def __init__(self, setting: Setting) -> None:
        self.low, self.high = setting.steps.bounds()
        self.setting = setting
        self.tensor = np.zeros(len(self.low) + 1, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DiceState, player: int) -> None:
        """Fill the tensor."""
        seen = self.setting.steps.seen(state.node)
        self.tensor[:-1] = (seen - self.low) / np.maximum(self.high - self.low, 1)
        self.tensor[-1] = float(state.current_player() == player)

    def string_from(self, state: DiceState, player: int) -> str:
        """Return the position in words."""
        return str(state)


def register(game: Game | Table, against: AnyStrategy | None = None, seat: str = "first") -> str:
    """Register a game with OpenSpiel and return the name that `pyspiel.load_game` knows it by."""
    table = compile(game)
    told = f"{table.game} {against} {seat}" if against is not None else str(table.game)
    name = "dicelab_" + re.sub(r"\W+", "_", told).strip("_").lower()
    known = _registered.get(name)
    if known is not None and known[0] == table.game and isinstance(against, str | None):
        return name
    if known is not None:
        name = f"{name}_{len(_registered)}"  # another game, function or plan of that name
    setting = Setting(table, against, seat, name)

    class DiceGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(setting.type, setting.info, params or {})

        def new_initial_state(self) -> DiceState:
            return DiceState(self, setting)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DiceObserver:
            return DiceObserver(setting)

    _registered[name] = (table.game, setting)
    pyspiel.register_game(setting.type, DiceGame)
    return name


def load(game: Game | Table, against: AnyStrategy | None = None, seat: str = "first") -> Any:
    """Return a game as OpenSpiel plays it."""
    return pyspiel.load_game(register(game, against, seat))


def value_of(name: str, utility: float) -> float:
    """Return the value in dicelab that a return of a registered game stands for.

    >>> from dicelab import game
    >>> value_of(register(game("pig", target=20)), 0.0)
    0.5
    """
    return setting_of(name).value(utility)
