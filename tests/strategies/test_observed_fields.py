"""Sights: a strategy is asked once for each thing it looks at, and plays as if asked everywhere.

Its turns are then followed pattern by pattern, and lead where they lead when followed one by one.
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dicelab import ONGOING, OTHER, SAME, WIN, Game, compile, evaluate, game, plan
from dicelab.errors import IllegalMove
from dicelab.games.pig import Pig
from dicelab.rules import where
from dicelab.rules.registry import all_games
from dicelab.strategies.plan import ObservedPlan, Plan, on_arrays
from dicelab.strategies.turn_laws import laws_of, turns_of
from random_games import sketches

SMALL = {
    "pig": {"target": 20},
    "piglet": {"target": 14},
    "two-dice-pig": {"target": 20},
    "big-pig": {"target": 26},
    "solo-pig": {"target": 30},
    "greed": {"max": 24},
    "dice-battle": {"dice": 3, "target": 20},
}
WAITING = [("pig", {"target": 20, "passing": True})]
NAMED = [
    (name, given, each)
    for name, given in [*SMALL.items(), *WAITING]
    for each in all_games()[name].strategies
    if given.get("passing") or each not in ("roll-and-wait", "skip-when-level")
]


def seen_whole(table, rule, monkeypatch):
    """Return the plan of a strategy that is shown whole positions."""
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["dicelab.strategies.plan"], "look", lambda *_: None)
        return plan(table, rule)


def by_target(laws, start):
    """Return where one turn leads, as a dictionary."""
    low, high = laws.first[start], laws.first[start + 1]
    return dict(zip(laws.target[low:high].tolist(), laws.chance[low:high].tolist(), strict=True))


@pytest.mark.parametrize(("name", "given", "rule"), NAMED)
def test_a_strategy_plays_what_it_would_if_shown_whole_positions(name, given, rule, monkeypatch):
    table = compile(game(name, **given))
    seen, whole = plan(table, rule), seen_whole(table, rule, monkeypatch)
    assert not isinstance(whole, ObservedPlan)
    assert (seen.choice == whole.choice).all()
    assert seen.is_mixed == whole.is_mixed


def test_a_strategy_that_looks_at_one_field_is_found_out():
    table = compile(Pig(target=30))
    found = plan(table, "hold-at:9")
    assert isinstance(found, ObservedPlan)
    assert found.sight.fields == ("at_risk",)
    assert found.moves.size == 29  # nothing, or 2 to 29 points, until somebody has won
    assert not isinstance(plan(table, "end-race-or-keep-pace"), ObservedPlan)


@pytest.mark.parametrize(
    "rules",
    [
        game("pig", target=20),
        game("pig", target=24, die="1:1/2,3:1/3,5:1/6"),
        game("pig", target=16, passing=True),
        game("piglet", target=14),
        game("two-dice-pig", target=20),
        game("big-pig", target=26),
    ],
    ids=str,
)
@pytest.mark.parametrize("rule", ["hold-at:7", "hold-at:20", "turtle", "roll-to-win"])
def test_turns_followed_by_pattern_lead_where_each_leads_by_itself(rules, rule):
    table = compile(rules)
    found = plan(table, rule)
    assert isinstance(found, ObservedPlan)
    by_pattern = turns_of(table).sighted_laws(found.sight, found.moves)
    one_by_one = turns_of(table).laws(found)
    assert 4 * turns_of(table).patterns(found.sight).first.size < turns_of(table).starts.size
    assert by_pattern.depth == one_by_one.depth
    for start in range(turns_of(table).starts.size):
        assert by_target(by_pattern, start) == by_target(one_by_one, start)


class Place(NamedTuple):
    mine: int
    yours: int
    step: int
    hidden: int


@dataclass(frozen=True)
class Stairs(Game):
    """Climb to the top; after a slip the other climbs. Whoever stumbles stays where he is."""

    stumbles: bool = False
    name: ClassVar[str] = "stairs"
    moves: ClassVar[tuple[str, ...]] = ("climb", "rest")

    def start(self):
        return Place(0, 0, 0, 0)

    def legal(self, at, move):
        return (at.step < 12) if move == "climb" else (at.step > 0)

    def outcomes(self, at, move):
        none = 0 * at.mine
        if move == "rest":
            yield 1, Place(at.yours, at.mine + at.step, none, none), OTHER
            return
        sure = Fraction(3, 4) if self.stumbles else Fraction(1)
        yield sure / 3, Place(at.mine, at.yours, at.step + 1, at.hidden), SAME
        yield sure / 6, Place(at.mine, at.yours, at.step + 2, 1 - at.hidden), SAME
        yield sure / 2, Place(at.yours, at.mine, none, none), OTHER
        yield 1 - sure, at, SAME

    def result(self, at):
        return where(at.mine + at.step >= 15, WIN, ONGOING)


@on_arrays
def rests_at_five(at):
    return where(at.step >= 5, "rest", "climb")


@on_arrays
def looks_twice(at):
    """Look at a second field only where several positions are told apart."""
    if at.step.size > 1:
        return where(at.step + at.hidden >= 5, "rest", "climb")
    return where(at.step >= 5, "rest", "climb")


@on_arrays
def unpacks(at):
    _, _, step, _ = at
    return where(step >= 5, "rest", "climb")


@on_arrays
def always(at):
    return "climb"


@on_arrays
def never_climbs(at):
    return where(at.step >= 0, "rest", "climb")


def test_whoever_looks_elsewhere_later_is_shown_whole_positions():
    table = compile(Stairs())
    found = plan(table, looks_twice)
    here, at = table.ongoing
    rests = table.move[found.choice[here]] == 1
    assert not isinstance(found, ObservedPlan)
    assert (rests == (at.step + at.hidden >= 5)).all()


def test_a_position_that_is_taken_apart_is_shown_whole():
    table = compile(Stairs())
    found, other = plan(table, unpacks), plan(table, rests_at_five)
    assert (isinstance(found, ObservedPlan), isinstance(other, ObservedPlan)) == (False, True)
    assert (found.choice == other.choice).all()


def test_a_move_that_is_illegal_somewhere_is_refused_by_its_position():
    table = compile(Stairs())
    with pytest.raises(IllegalMove, match="never_climbs cannot rest at"):
        plan(table, never_climbs)
    with pytest.raises(IllegalMove, match="always cannot climb at"):
        plan(table, always)


def test_turns_that_may_stay_where_they_are_have_no_pattern():
    steady, stumbling = compile(Stairs()), compile(Stairs(stumbles=True))
    for table, there in ((steady, True), (stumbling, False)):
        found = plan(table, rests_at_five)
        assert (turns_of(table).patterns(found.sight) is not None) == there
        assert (laws_of(found) is not None) == there
    # A stumble is thrown again until it is none, so who wins is the same.
    one, two = (evaluate(t, rests_at_five, rests_at_five) for t in (steady, stumbling))
    assert one.first == pytest.approx(two.first, abs=1e-12)


def test_a_strategy_of_one_field_is_as_good_as_its_twin_that_sees_all():
    table = compile(Stairs())
    seen, whole = plan(table, rests_at_five), plan(table, unpacks)
    against = [evaluate(table, each, looks_twice) for each in (seen, whole)]
    assert against[0].first == against[1].first
    assert (seen.weights(exact=True) == whole.weights(exact=True)).all()


@dataclass(frozen=True, eq=False)
class Labels:
    """A sight of labels given to the positions of any game."""

    which: np.ndarray


def shared_by_many(table):
    """Return whether writing down all turns takes more than four times the outcomes there are."""
    outcomes = np.diff(table.outcome_first[table.move_first])
    total = 0
    for start in turns_of(table).starts.tolist():
        members, new = set(), {start}
        while new:
            members |= new
            after = {
                int(table.target[o])
                for n in new
                for o in range(*table.outcome_first[table.move_first[n : n + 2]])
                if not table.passing[table.kind[o]]
            }
            new = after - members
        total += sum(int(outcomes[n]) for n in members)
    return total > 4 * table.target.size


@pytest.mark.slow
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
@given(st.data())
def test_turns_of_random_games_lead_by_pattern_where_each_leads_by_itself(data):
    table = compile(data.draw(sketches(most=6, moves=2)))
    legal = [tuple(table.legal_moves(number)) for number in range(len(table))]
    things = sorted({(moves, n % 2) for n, moves in enumerate(legal)})
    which = np.array([things.index((moves, n % 2)) for n, moves in enumerate(legal)], np.int32)
    played = [data.draw(st.sampled_from(moves)) if moves else None for moves, _ in things]
    numbers = np.array([table.moves.index(m) if m else 0 for m in played], np.int16)
    found = turns_of(table).sighted_laws(Labels(which), numbers)
    choice = [table.row_of(played[which[n]])[n] if legal[n] else -1 for n in range(len(table))]
    laws = turns_of(table).laws(Plan("played", table, np.array(choice, np.int32)))
    event("has patterns" if found else "has none")
    if found is None:
        source = np.repeat(table.row_position, np.diff(table.outcome_first))
        inside = ~table.passing[table.kind]
        assert (table.target >= source)[inside].any() or shared_by_many(table)
        return
    assert found.depth == laws.depth
    for start in range(turns_of(table).starts.size):
        assert by_target(found, start) == pytest.approx(by_target(laws, start), abs=1e-15)
