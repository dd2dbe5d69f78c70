"""A scorecard as the table draws it: filled boxes, and what the dice would score in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.rounds.match import SCORE, MatchPosition
from dicelab.rules.board import Done, part
from dicelab.rules.sentences import upper_first

Scorecard = Any  # a `rounds.scorecard.Scorecard`, which asks this module for its board


def card_board(game: Scorecard, at: MatchPosition, past: Sequence[Done]) -> list[JsonObject]:
    """Return the card as a part of a board.

    A position does not hold the points of single boxes: those of filled ones come from the past,
    and are left out where a game began with them.
    """
    filled, counts = int(at.standing.filled), game.arrays.counts
    gains = {way.name: int(way.gain) for way in game.ends(at)}
    paid = _paid(game, past)
    items: list[JsonObject] = [
        {
            "key": name,
            "name": upper_first(tr(name.replace("-", " "))),
            "filled": bool(filled >> place & 1),
            "points": paid[name][0] if name in paid else None,
            "would": gains.get(SCORE + name),
            "section": 0 if counts[place] else 1,
        }
        for place, name in enumerate(game.names)
    ]
    sums = _sums(game, at, paid, items)
    fields = ["rounds", "counted"]
    return [part("card", tr("Score card"), items, (), fields, sums=sums)]


def _paid(game: Scorecard, past: Sequence[Done]) -> dict[str, tuple[int, int]]:
    """Return what each box brought that was filled in the past: its own points, and all points."""
    found = {}
    for done in past:
        if done.move.startswith(SCORE):
            then, name = game.parse(done.at), done.move.removeprefix(SCORE)
            found[name] = game.box_points(then, name), game.score_of(then, done.move)
    return found


def _sums(
    game: Scorecard,
    at: MatchPosition,
    paid: dict[str, tuple[int, int]],
    items: Sequence[JsonObject],
) -> list[JsonObject]:
    """Return the lines below the boxes: the way to the bonus, what came besides, the total."""
    has_bonus, counted = bool(game.arrays.enough), int(at.standing.counted)
    reached = has_bonus and counted >= game.enough
    found = []
    if has_bonus:
        way = tr("{count} of {total}", count=counted, total=game.enough)
        told = tr("Bonus of {points}", points=game.bonus)
        found.append({"section": 0, "name": told, "text": f"+{game.bonus}" if reached else way})
    if any(item["filled"] and item["points"] is None for item in items):
        return found
    total = sum(gain for _, gain in paid.values())
    more = total - sum(points for points, _ in paid.values()) - (game.bonus if reached else 0)
    if more:
        found.append({"section": 1, "name": tr("Once more"), "text": f"+{more}"})
    found.append({"section": 1, "name": tr("Total"), "text": str(total)})
    return found
