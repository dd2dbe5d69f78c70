"""Maps of scorecards: what is still to come and which box is filled, over two of their fields.

A card has no table of positions, and far more fields than two. So a map shows means over all cards
that best play may come to with such fields, each with its chance: what the boxes that are still
open bring, and the box that is most often filled then.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from dicelab.core.arrays import Floats, Ints
from dicelab.errors import RulesError
from dicelab.plots.field_maps import AXES, axes_of, field_map, grid_of
from dicelab.plots.kinds import Asked, kind
from dicelab.plots.style import blank, headline, label, whole_numbers
from dicelab.rounds.scorecard import COUNTED, Scorecard
from dicelab.verbs.card_play import optimal_card
from dicelab.verbs.card_visits import card_visits
from dicelab.verbs.scorecards import card_values

ROUND = "round"


def fields_of_cards(game: Scorecard) -> tuple[str, ...]:
    """Return what a map of a card may be over: round, what counts, and each box (1: filled)."""
    return ROUND, COUNTED, *(name.replace("-", "_") for name in game.names)


@kind(
    Scorecard,
    "map",
    "what is still to come and the box filled, over two fields, as x=round y=counted",
    fields=lambda game: (*AXES, *fields_of_cards(game)),
    often=lambda _: 2,
)
def card_map(asked: Asked) -> Figure:
    """Return what cards bring and which box is filled there, over two of their fields."""
    game: Scorecard = asked.game
    if type(game).leads is not Scorecard.leads:  # rules of its own for what results lead to
        return field_map(asked)
    across, up, kept = _chosen(asked)
    cells = _Cells(game, across, up, kept)
    known = card_values(game)
    for visit in card_visits(game, optimal_card(game, known)):
        lanes = len(visit.chance)
        values = known.values[visit.card, visit.mark, :lanes]
        cells.add(visit.card, visit.chance, values, visit.boxes)
    return _drawn(asked, cells)


def _chosen(asked: Asked) -> tuple[str, str, dict[str, int]]:
    """Return the fields of both axes, and the values of those that are held fast."""
    known = fields_of_cards(asked.game)
    across, up = axes_of(asked, known, known)
    assert across is not None
    assert up is not None
    kept = {}
    for name, text in asked.fields.items():
        if name in AXES:
            continue
        if name in (across, up):
            raise RulesError(f"{name} is an axis of the map: leave out {name}={text}")
        if not text.isdigit() or len(text) > 9:
            raise RulesError(f"{name} is a whole number: got {text!r}")
        kept[name] = int(text)
    return across, up, kept


class _Cells:
    """Sums over all cards with the same two fields."""

    def __init__(self, game: Scorecard, across: str, up: str, kept: dict[str, int]) -> None:
        self.game, self.across, self.up, self.kept = game, across, up, kept
        shape = (self._most(across) + 1, self._most(up) + 1)
        self.chance: Floats = np.zeros(shape)
        self.value: Floats = np.zeros(shape)
        self.boxes: Floats = np.zeros((*shape, len(game.boxes)))

    def _most(self, name: str) -> int:
        return {ROUND: len(self.game.boxes), COUNTED: self.game.arrays.enough}.get(name, 1)

    def _field(self, name: str, card: int, lanes: int) -> Ints:
        if name == COUNTED:
            return np.arange(lanes)
        if name == ROUND:
            return np.full(lanes, card.bit_count() + 1)
        place = fields_of_cards(self.game).index(name) - 2
        return np.full(lanes, card >> place & 1)

    def add(self, card: int, chance: Floats, values: Floats, boxes: Floats) -> None:
        """Count a card, for all that may count towards the bonus there."""
        lanes = len(chance)
        shown = chance > 0
        for name, value in self.kept.items():
            shown &= self._field(name, card, lanes) == value
        x = self._field(self.across, card, lanes)[shown]
        y = self._field(self.up, card, lanes)[shown]
        np.add.at(self.chance, (x, y), chance[shown])
        np.add.at(self.value, (x, y), (chance * values)[shown])
        np.add.at(self.boxes, (x, y), boxes.T[shown])


def _drawn(asked: Asked, cells: _Cells) -> Figure:
    game: Any = asked.game
    told = ", ".join(f"{label(name)} {value}" for name, value in cells.kept.items())
    x, y = np.nonzero(cells.chance)
    if not x.size:
        raise RulesError(f"{game} has no card with {told} where a box is open and best play comes")
    figure = blank(11, 5.2)
    left, right = figure.subplots(1, 2)
    image = grid_of(left, x, y, cells.value[x, y] / cells.chance[x, y], "cividis")
    figure.colorbar(image, ax=left, pad=0.02).set_label(f"{game.unit} still to come, on average")
    often = cells.boxes[x, y].argmax(axis=1)
    played = sorted(set(often.tolist()))
    places = np.searchsorted(played, often).astype(float)
    colours = ListedColormap(colormaps["tab20"](range(len(played))))
    image = grid_of(right, x, y, places, colours, limits=(-0.5, len(played) - 0.5))
    bar = figure.colorbar(image, ax=right, pad=0.02)
    bar.set_ticks(list(range(len(played))), labels=[game.names[box] for box in played])
    for axes in (left, right):
        axes.set(xlabel=label(cells.across), ylabel=label(cells.up))
        whole_numbers(axes.xaxis, axes.yaxis)
    left.set_title("what is still to come under best play")
    right.set_title("the box that best play fills most often then")
    headline(figure, ": ".join(filter(None, [str(game), told])))
    return figure
