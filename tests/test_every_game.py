"""The contract: what every registered game must keep, whatever it is.

A new game is found by itself and tried with its default parameters if that is cheap, and in the
forms that `forms.py` gives it. What holds for play on all of them is in `test_properties.py`.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dicelab import Chance, Outcome, all_games, compile, game, plan
from dicelab.errors import UnknownStrategy
from dicelab.rules import DRAW, LOSS, ONGOING, WIN, HouseRules, Moment, Throw, Way
from forms import FORMS
from strange_games import Barrel, Heap, Ladder, Perch

# What follows a pair of moves at once is asked in tests/verbs/test_at_once.
BY_TURNS = [form for form in FORMS if not form.is_simultaneous]
RULES = [*BY_TURNS, Barrel(), Heap(), Ladder(), Perch()]
on_every_form = pytest.mark.parametrize("form", RULES, ids=str)
on_every_array_form = pytest.mark.parametrize(
    "form", [form for form in RULES if not isinstance(form, HouseRules)], ids=str
)
on_every_registered_form = pytest.mark.parametrize("form", FORMS, ids=str)


@cache
def table_of(form):
    return compile(form)


def positions_of(form):
    table = table_of(form)
    return [table.position(number) for number in range(len(table))]


def exact(chance):
    if isinstance(chance, Chance):
        return Fraction(int(chance.numerator), int(chance.denominator))
    return Fraction(chance)


def plain(after):
    """Return a position as a tuple of whole numbers, if it has fields."""
    if not hasattr(after, "_fields"):
        return after
    return tuple(plain(field) if hasattr(field, "_fields") else int(field) for field in after)


def law(form, at, move):
    """Return the chance of everything that may happen: the ways on, of which a player takes one.

    A way is (fields, mover, gain); only after a throw is there more than one.
    """
    found = defaultdict(Fraction)
    for each in form.outcomes(at, move):
        if not (chance := exact(each[0])):
            continue
        if isinstance(each, Throw):
            ways = form.open_ways(Moment(at, move, each.dice))
            key = tuple((plain(way.at), way.mover, way.gain) for way in ways)
        else:
            _, after, mover, gain = Outcome(*each)
            key = ((plain(after), mover, gain),)
        found[key] += chance
    return dict(found)


def allowed(form, at):
    moves = form.choices(at) if isinstance(form, HouseRules) else form.moves
    return [move for move in moves if form.legal(at, move)]


@on_every_form
def test_the_chances_of_every_move_sum_to_exactly_one(form):
    for at in positions_of(form):
        if not form.result(at):
            for move in allowed(form, at):
                assert sum(law(form, at, move).values()) == 1, (at, move)


@on_every_form
def test_no_chance_is_negative(form):
    for at in positions_of(form):
        if not form.result(at):
            for move in allowed(form, at):
                assert min(law(form, at, move).values()) > 0, (at, move)


@on_every_form
def test_someone_may_move_wherever_the_game_is_not_over(form):
    table = table_of(form)
    for number, at in enumerate(positions_of(form)):
        over = bool(form.result(at))
        assert over or allowed(form, at), at
        assert table.legal_moves(number) == ([] if over else allowed(form, at))


@on_every_form
def test_the_table_holds_every_position_that_play_can_reach_and_its_box_and_no_other(form):
    waiting = [form.start()]
    if (others := form.everywhere()) is not None:  # its box, which its table holds too
        waiting += map(type(others), *(field.tolist() for field in others))
    seen = set(waiting)
    while waiting:
        at = waiting.pop()
        if form.result(at):
            continue
        for move in allowed(form, at):
            for _, outcome in form.law(at, move):
                after, places = outcome.at, [outcome.at]
                if isinstance(after, Moment):
                    places = [way.at for way in form.open_ways(after)]
                waiting += [place for place in places if place not in seen]
                seen.update(places)
    assert set(positions_of(form)) == seen
    assert len(table_of(form)) == len(seen)


@on_every_form
def test_the_table_keeps_the_chances_the_rules_give(form):
    table = table_of(form)
    for number, at in enumerate(positions_of(form)):
        for row in range(table.move_first[number], table.move_first[number + 1]):
            met = []
            for o in range(table.outcome_first[row], table.outcome_first[row + 1]):
                after = table.position(int(table.target[o]))
                way = (after, int(table.passes(o)), table.gains[table.kind[o]])
                if table.another[table.kind[o]]:  # another way on after the same throw
                    met[-1][1].append(way)
                else:
                    met.append((table.chances[table.kind[o]], [way]))
            found = defaultdict(Fraction)
            for chance, ways in met:
                found[tuple(ways)] += chance
            move = table.moves[table.move[row]]
            assert found == law(form, at, move), (at, move)


@on_every_form
def test_a_result_is_one_of_the_four(form):
    assert {form.result(at) or ONGOING for at in positions_of(form)} <= {ONGOING, WIN, LOSS, DRAW}
    assert not form.result(form.start())


@on_every_array_form
def test_the_rules_say_the_same_for_an_array_and_for_each_of_its_positions(form):
    at = positions_of(form)
    array = type(at[0])(*(np.array(field) for field in zip(*at, strict=True)))
    results = np.broadcast_to(form.result(array), len(at))
    assert results.tolist() == [form.result(one) for one in at]
    for move in form.moves:
        legal = np.broadcast_to(form.legal(array, move), len(at))
        assert legal.tolist() == [bool(form.legal(one, move)) for one in at]


@on_every_array_form
def test_chance_does_the_same_to_an_array_and_to_each_of_its_positions(form):
    for move in form.moves:
        at = [one for one in positions_of(form) if not form.result(one) and form.legal(one, move)]
        array = type(at[0])(*(np.array(field) for field in zip(*at, strict=True)))
        found = [defaultdict(Fraction) for _ in at]
        for each in form.outcomes(array, move):
            chances = spread(each[0], len(at))
            here = [number for number, chance in enumerate(chances) if chance]
            if isinstance(each, Throw):
                part = type(array)(*(field[here] for field in array))
                ways = [Way(*way) for way in form.ways(part, move, each.dice)]
            else:
                after = [np.broadcast_to(field, len(at))[here] for field in each[1]]
                ways = [Way("", after, *each[2:])]
            for number, *keys in zip(here, *(open_to(way, len(here)) for way in ways), strict=True):
                found[number][tuple(key for key in keys if key)] += chances[number]
        assert found == [law(form, one, move) for one in at]


def spread(chance, size):
    """Return a chance at each of some positions."""
    if not isinstance(chance, Chance):
        return [Fraction(chance)] * size
    return [
        Fraction(part, chance.denominator)
        for part in np.broadcast_to(chance.numerator, size).tolist()
    ]


def open_to(way, size):
    """Return a way on at each of some positions, None where it is closed."""
    fields = zip(*(np.broadcast_to(field, size).tolist() for field in way.at), strict=True)
    allowed = np.broadcast_to(way.allowed, size).tolist()
    return [
        (key, way.mover, way.gain) if is_open else None
        for key, is_open in zip(fields, allowed, strict=True)
    ]


@on_every_form
def test_the_notation_of_a_position_reads_back_as_the_position(form):
    table = table_of(form)
    written = [form.notation(at) for at in positions_of(form)]
    assert [table.number(text) for text in written] == list(range(len(table)))
    assert len(set(written)) == len(written)


@on_every_form
def test_every_throw_that_leaves_a_choice_is_written_and_read_back(form):
    if not table_of(form).has_choices:
        return
    throws = 0
    for at in positions_of(form)[::-1][:100]:
        for move in [] if form.result(at) else allowed(form, at):
            for chance, outcome in form.law(at, move):
                assert chance > 0
                if isinstance(outcome.at, Moment):
                    throws += 1
                    assert form.read(form.write(outcome.at)) == outcome.at
                    assert len(form.legal_moves(outcome.at)) > 1
    assert throws


@on_every_form
def test_what_both_players_get_does_not_depend_on_how_it_ends(form):
    if form.players == 2:
        assert form.worth[WIN] + form.worth[LOSS] == 2 * form.worth[DRAW] == form.total
    assert form.worth[WIN] >= form.worth[DRAW] >= form.worth[LOSS]


@pytest.mark.parametrize("name", all_games())
def test_the_estimate_of_the_size_is_near_the_count(name):
    # Small forms are mostly ends of the game: an estimate is for the real thing.
    plain = all_games()[name]()
    if plain.size() is not None and not plain.solver:  # else it is not meant to be compiled whole
        count = len(compile(plain))
        assert count / 3 <= plain.size() <= 3 * count
    for form in FORMS:
        if form.name == name and form.size() is not None:
            assert form.size() >= len(table_of(form)) / 3


@on_every_registered_form
def test_the_words_for_a_game_read_back_as_the_game(form):
    name, *told = str(form).split(" ")
    assert game(name, **dict(part.split("=", 1) for part in told)) == form


@on_every_registered_form
def test_every_parameter_can_be_given_as_text(form):
    texts = {name: str(value) for name, value in form.parameters.items()}
    assert game(form.name, **texts) == form


@pytest.mark.parametrize("name", all_games())
def test_every_named_strategy_plays_legal_moves_at_every_position(name):
    tables = [table_of(form) for form in FORMS if form.name == name]
    for strategy in all_games()[name].strategies:
        played = []
        for table in tables:
            try:
                played.append(plan(table, strategy))
            except UnknownStrategy:  # a strategy may need a rule that this form leaves out
                continue
        assert all((p.choice[p.table.is_ongoing] >= 0).all() or p.is_mixed for p in played)
        if any("passing" in str(table.game) for table in tables):
            assert played, strategy


@pytest.mark.parametrize("name", all_games())
def test_a_game_says_what_its_value_counts(name):
    units = ("chance to win", "turns", "points", "gain", "rating", "tokens")
    assert all_games()[name]().unit in units
