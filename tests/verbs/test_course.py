"""The course of a game, against a chain of the same game laid out in rationals."""

from fractions import Fraction

import numpy as np
import pytest

import dicelab
from dicelab import OTHER, WIN
from dicelab.strategies.named import plan
from dicelab.verbs.course import course_of


def lay_out(game):
    """Return what may follow each (position, seat) when both play best: chance, node, turn over."""
    solution = dicelab.solve(game, exact=True)
    first = (game.start(), 0)
    follows, waiting = {}, [first]
    while waiting:
        at, seat = node = waiting.pop()
        if node in follows:
            continue
        follows[node] = []
        if game.result(at):
            continue
        for chance, outcome in game.law(at, solution.best_moves(at)[0]):
            then = (outcome.at, 1 - seat if outcome.mover == OTHER else seat)
            ends = outcome.mover == OTHER or bool(game.result(outcome.at))
            follows[node].append((chance, then, ends))
            waiting.append(then)
    return first, follows


def summed(first, follows, own):
    """Return the sum of what nodes bring in a game, from v = own + P v in rationals."""
    nodes = list(follows)
    place = {node: number for number, node in enumerate(nodes)}
    rows = []
    for node in nodes:
        row = [Fraction(0)] * len(nodes) + [Fraction(own(node))]
        row[place[node]] += 1
        for chance, then, _ in follows[node]:
            row[place[then]] -= chance
        rows.append(row)
    for column in range(len(nodes)):
        pivot = next(number for number in range(column, len(nodes)) if rows[number][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for number, row in enumerate(rows):
            if number != column and row[column]:
                factor = row[column]
                rows[number] = [a - factor * b for a, b in zip(row, rows[column], strict=True)]
    return rows[place[first]][-1]


@pytest.fixture(
    scope="module", params=[("piglet", {"target": 3}), ("pig", {"target": 3, "die": "3"})]
)
def both(request):
    name, given = request.param
    game = dicelab.game(name, **given)
    first, follows = lay_out(game)
    values = dicelab.solve(game, exact=True)

    def worth(node):
        at, seat = node
        mine = Fraction(game.result(at) == WIN) if game.result(at) else values.value_at(at)
        return mine if seat == 0 else 1 - mine

    table = dicelab.compile(game)
    best = dicelab.solve(table).plan
    return first, follows, worth, course_of(table, (best, best))


def is_near(number, exact):
    """Return whether a number has a tight bound, and the exact one is within it."""
    return number.error < 1e-11 and abs(number.value - float(exact)) <= number.error + 1e-15


def test_turns_and_moves_are_those_of_the_chain(both):
    first, follows, _, course = both
    ended = summed(first, follows, lambda node: sum(c for c, _, ends in follows[node] if ends))
    assert is_near(course.turns(), ended)
    assert is_near(course.moves(), summed(first, follows, lambda node: bool(follows[node])))


def test_the_luck_of_all_throws_is_the_variance_of_the_result(both):
    first, follows, worth, course = both
    value = worth(first)
    assert is_near(course.variance(), value * (1 - value))  # of a win or a loss

    def luck(node):
        mean = sum((c * worth(then) for c, then, _ in follows[node]), Fraction(0))
        return sum((c * (worth(then) - mean) ** 2 for c, then, _ in follows[node]), Fraction(0))

    assert summed(first, follows, luck) == value * (1 - value)
    told = course.by_turn()
    assert told.luck.sum() == pytest.approx(float(value * (1 - value)), abs=1e-8)
    assert told.settled[-1] == pytest.approx(1)
    assert (np.diff(told.leader) >= -1e-12).all()  # nobody knows less as the game goes on


def test_the_lead_changes_as_often_as_in_the_chain(both):
    first, follows, worth, course = both
    half = Fraction(1, 2)
    assert all(worth(node) != half for node in follows)  # so a lead is always somebody's

    def changes(node):
        leads = worth(node) > half
        return sum(
            (c for c, then, _ in follows[node] if (worth(then) > half) != leads), Fraction(0)
        )

    assert is_near(course.lead_changes(), summed(first, follows, changes))


def test_it_is_decided_when_somebody_can_expect_so_much(both):
    first, follows, worth, course = both
    share = Fraction(3, 4)

    def is_decided(node):
        return max(worth(node), 1 - worth(node)) >= share

    stopped = {node: [] if is_decided(node) else then for node, then in follows.items()}
    turns = summed(first, stopped, lambda node: sum(c for c, _, ends in stopped[node] if ends))
    assert is_near(course.decided_after(0.75), turns)
    missing = summed(
        first,
        stopped,
        lambda node: sum(
            (c * min(worth(t), 1 - worth(t)) for c, t, _ in stopped[node] if is_decided(t)),
            Fraction(0),
        ),
    )
    assert is_near(course.upsets(0.75), missing)


def test_across_even_positions_the_last_leader_is_remembered():
    # Undercut begins even and comes to even positions again: here play is followed with who led
    # last, so that a first lead is no change, and one that comes back after a tie is none either.
    table = dicelab.compile(dicelab.game("undercut", most=3, target=5))
    best = dicelab.solve(table).plan
    course = course_of(table, (best, best))
    chain = course.pairing.chain
    ahead = np.sign(np.round(course.worths[:, 0] - course.worths[:, 1], 12)).astype(int)
    assert ahead[course.start] == 0
    now, changes = {(course.start, 0): 1.0}, 0.0
    while sum(now.values()) > 1e-14:
        then = {}
        for (node, led), mass in now.items():
            for o in range(chain.first[node], chain.first[node + 1]):
                to, part = int(chain.target[o]), mass * chain.chance[o]
                leads = ahead[to] or led
                changes += part * (leads * led < 0)
                if not course.over[to]:
                    then[to, leads] = then.get((to, leads), 0.0) + part
        now = then
    assert changes > 0
    assert course.lead_changes().value == pytest.approx(changes, abs=1e-12)


def test_played_alone_for_points_the_variance_is_that_of_their_law():
    table = dicelab.compile(dicelab.game("shut-the-box", tiles=4, die=3))
    best = dicelab.solve(table).plan
    found = course_of(table, (best,)).variance()
    law = dicelab.density(table, best).points
    assert found.value == pytest.approx(law.deviation**2, abs=1e-9)


def test_three_players_lead_in_turn():
    table = dicelab.compile(dicelab.game("pig", target=5, players=3))
    best = dicelab.solve(table).plan
    course = course_of(table, (best,) * 3)
    assert course.worths[course.start].sum() == pytest.approx(1)
    law = dicelab.density(table, best, [best, best])
    assert course.turns().value == pytest.approx(law.mean_length, abs=1e-6)


def test_who_waits_for_ever_takes_for_ever():
    table = dicelab.compile(dicelab.game("pig", target=5, passing="yes"))
    wait = plan(table, "rule:hold; roll")
    assert course_of(table, (wait, wait)).turns().value == float("inf")
