"""What must hold of play in every registered game, whatever the game is.

No number here comes from anywhere: each test says how answers must fit together. A new game is
tried by itself, in the forms of `forms.py`; and so are the games that a stranger wrote, at two of
which one chooses after the throw.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest

from dicelab import Die, compile, density, game, plan, solve
from dicelab.errors import UnknownStrategy
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.greed import Greed
from dicelab.games.pig.solo import SoloPig
from dicelab.rounds import Round
from dicelab.rounds import solve as solve_round
from dicelab.rules import DRAW, LOSS, WIN
from dicelab.strategies.named import GENERAL
from dicelab.strategies.plan import Plan
from dicelab.strategies.ways import unfolded_plan
from dicelab.table.unfolded import plain_table
from dicelab.verbs.best_response import best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.exploitability import exploit_on
from forms import FORMS as REGISTERED
from strange_games import Barrel, Heap, Ladder, Perch

FORMS = [*REGISTERED, Barrel(), Heap(), Ladder(), Perch()]
AT_ONCE = [
    DiceBattle(dice=3, target=6, variant="simultaneous"),
    DiceBattle(dice=2, target=5, variant="simultaneous-zero"),
]
TWO = [form for form in FORMS if form.players == 2] + AT_ONCE
ONE = [form for form in FORMS if form.players == 1]
ONE_POT = [form for form in TWO if not form.solver and 2 * form.worth[DRAW] == form.total]


def small(forms):
    """Return the forms with few positions, on which fractions are quick."""
    return [form for form in forms if len(table_of(form)) <= 900]


@cache
def table_of(form):
    return compile(form)


@cache
def plans_of(form):
    """Return what every strategy that has a name does in this form, without parameters."""
    table, found = table_of(form), []
    for name in [*form.strategies, *GENERAL]:
        try:
            found.append(plan(table, name))
        except UnknownStrategy:  # it needs a rule that this form leaves out, or a parameter
            continue
    return found


@cache
def best_of(form):
    return solve(table_of(form))


def worth_to_a(form, chances):
    """Return what A gets where a game that never ends is lost, as a reply counts it."""
    lost = chances.b_wins + chances.never_ends
    return (
        form.worth[WIN] * chances.a_wins
        + form.worth[DRAW] * chances.draws
        + form.worth[LOSS] * lost
    )


def on(forms):
    return pytest.mark.parametrize("form", forms, ids=str)


# Replies


@on(ONE_POT)
def test_no_strategy_beats_the_best_response_from_either_seat(form):
    table, plans = table_of(form), plans_of(form)
    for opponent in plans:
        reply = best_response(table, opponent).solution
        seconds = reply.uppers if form.is_simultaneous else reply.replies[2]
        for mine in plans:
            found = evaluate(table, mine, opponent)
            for chances, most in ((found.a_first, reply.uppers), (found.b_first, seconds)):
                gets = worth_to_a(form, chances)
                assert gets <= most[table.start] + 4 * found.error, (mine, opponent)


@on(ONE_POT)
def test_nobody_profits_from_best_play(form):
    found = exploit_on(table_of(form), best_of(form).plan)
    assert found.lower == 0
    assert found.value <= found.upper <= 1e-10


@on(ONE_POT)
def test_what_a_strategy_loses_to_its_best_reply_is_never_below_nothing(form):
    for mine in plans_of(form):
        found = exploit_on(table_of(form), mine)
        assert 0 <= found.lower <= found.value <= found.upper


@on(ONE)
def test_alone_no_strategy_beats_the_best(form):
    best, table = best_of(form), table_of(form)
    for mine in plans_of(form):
        found = evaluate(table, mine)
        if form.fewest:
            assert found.value >= best.lower - found.error, mine
        else:
            assert found.value <= best.upper + found.error, mine


# Mixtures


def mixed(table, one, two, number, share):
    """Return a plan that plays like one, but at one position like two with some chance."""
    chances = one.weights(exact=True).copy()
    rows = slice(table.move_first[number], table.move_first[number + 1])
    chances[rows] = (1 - share) * chances[rows] + share * two.weights(exact=True)[rows]
    return Plan("mixed", table, np.full(len(table), -1, np.int32), chances, one.ways)


@on(small([form for form in FORMS if not form.is_simultaneous]))
def test_evaluation_is_linear_in_what_is_done_once(form):
    # Where a position cannot come back, mixing two moves there mixes what they bring; and so it is
    # with ways after a throw.
    table, plans = plain_table(table_of(form)), list(map(unfolded_plan, plans_of(form)))
    if form.players == 1 and form.fewest:  # what never ends costs more than any number
        plans = [mine for mine in plans if evaluate(table, mine).value < float("inf")]
    one, two, share = plans[0], plan(table, "random"), Fraction(1, 3)
    sizes = np.diff(table.component_first)
    alone = table.component_first[:-1][(sizes == 1) & (table.cuts == 0)]
    there = [int(number) for number in alone if table.is_ongoing[number]][-6:]
    others = [one] if form.players == 2 else []

    def brings(mine):
        found = evaluate(table, mine, *others, exact=True)
        return found.value if form.players == 1 else found.values[0]

    for number in there:
        low, high = (brings(mixed(table, one, two, number, Fraction(k))) for k in (0, 1))
        assert brings(mixed(table, one, two, number, share)) == (1 - share) * low + share * high
    assert there or (sizes > 1).any()


# Seats and faces


@on(TWO)
def test_changing_seats_changes_names_and_nothing_else_in_every_game(form):
    table, plans = table_of(form), plans_of(form)[:3]
    for a, b in permutations(plans, 2):
        one, two = evaluate(table, a, b), evaluate(table, b, a)
        near = {"abs": 2 * (one.error + two.error), "rel": 0}
        for mine, theirs in ((one.a_first, two.b_first), (one.b_first, two.a_first)):
            assert mine.a_wins == pytest.approx(theirs.b_wins, **near)
            assert mine.b_wins == pytest.approx(theirs.a_wins, **near)
            assert mine.draws == pytest.approx(theirs.draws, **near)


@on([form for form in TWO if not form.is_simultaneous and not form.solver])
def test_what_one_player_gets_the_other_does_not(form):
    found = evaluate(table_of(form), *plans_of(form)[:2])
    for side in (found.a_first, found.b_first):
        total = side.a_wins + side.b_wins + side.draws + side.never_ends
        assert total == pytest.approx(1, abs=4 * found.error + 1e-15)


@pytest.mark.parametrize("name", ["pig", "dice-battle", "greed", "solo-pig"])
def test_the_order_in_which_faces_are_told_changes_nothing(name):
    size = {"max": 5} if name == "greed" else {"target": 6}
    told = ["1:1/2,2:1/3,5:1/6", "5:1/6,1:1/2,2:1/3", "1,1,1,2,2,5", "5,2,1,2,1,1"]
    values = {solve(game(name, die=Die.parse(text), **size), exact=True).value for text in told}
    assert len(values) == 1


@pytest.mark.parametrize("name", ["pig", "solo-pig"])
def test_faces_that_are_worth_the_same_may_change_places(name):
    # A bust is a bust: which face busts does not matter where the others are as they were.
    one = game(name, target=8, die=Die.parse("1:1/4,2:1/4,3:1/2"), bust=1)
    two = game(name, target=8, die=Die.parse("7:1/4,2:1/4,3:1/2"), bust=7)
    assert solve(one, exact=True).value == solve(two, exact=True).value


# Horizons


def test_another_turn_never_hurts_alone():
    chances = [solve(SoloPig(target=12, turns=turns), exact=True).value for turns in range(1, 7)]
    assert all(more >= less for less, more in pairwise(chances))
    assert chances[-1] > chances[0]


@pytest.mark.parametrize("utility", ["goal:421", "transfer", "sum", "goal:111+222"])
def test_another_cast_never_hurts_who_may_stop(utility):
    worth = [solve_round(Round(casts=casts), utility).value for casts in range(1, 5)]
    assert all(more >= less for less, more in pairwise(worth))


@pytest.mark.parametrize("target", [3, 5, 8])
def test_more_dice_to_choose_from_never_hurt_who_is_alone_in_having_them(target):
    # One player keeps to a single die; the best reply with more dice to choose from gets no less.
    replies = []
    for dice in (1, 2, 3, 4):
        table = compile(DiceBattle(dice=dice, target=target))
        reply = best_response(table, lambda at: "throw 1", exact=True).solution
        replies.append(reply.values[table.start])
    assert all(more >= less for less, more in pairwise(replies))


def test_a_higher_maximum_of_greed_is_another_game_with_the_same_rules():
    # What is left to throw is all that counts: at 0-0 of one and at the level start of another.
    tall, low = (solve(Greed(max=most, die=Die(3)), exact=True) for most in (6, 4))
    assert 0 <= low.value <= 1
    assert 0 <= tall.value <= 1
    assert tall.value_at("2-2") == low.value


# Where play goes


@on([form for form in FORMS if not form.is_simultaneous])
def test_a_game_ends_once_or_goes_on_for_ever(form):
    table = table_of(form)
    for mine in plans_of(form)[:3]:
        law = density(table, *([mine] * form.players))
        ends = law.ever[:, ~table.is_ongoing]
        assert ends.sum() + law.never_ends == pytest.approx(1, abs=1e-9)
        assert law.lengths.sum() + law.unfinished == pytest.approx(1, abs=1e-9)
        assert law.lengths.min(initial=0) >= 0
        assert ((law.ever >= 0) & (law.ever <= 1 + 1e-12)).all()
        assert (law.visits >= law.ever - 1e-12).all()
        assert law.ever[0, table.start] == pytest.approx(1)
