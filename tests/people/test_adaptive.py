"""The opponent that adapts: it gains on people, and loses no more than its margin to anyone."""

import math

import numpy as np
import pytest

from dicelab import compile, game
from dicelab.errors import RecordError, RulesError
from dicelab.games.pig import Pig
from dicelab.games.pig.study.threshold import Threshold
from dicelab.people.adaptive import Adaptive, gain, guarded_reply, worst_losses
from dicelab.people.models import plan_of
from dicelab.people.sampling import Sampler
from dicelab.verbs.best_response import best_response
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.solve import solve

PEOPLE = {"cautious": (8.0, 0.0, 2.0), "reckless": (30.0, 0.0, 4.0), "chaser": (14.0, 0.6, 2.0)}


@pytest.mark.parametrize("margin", [0.002, 0.01])
@pytest.mark.parametrize("person", PEOPLE)
def test_nobody_makes_it_lose_more_than_the_margin(short, person, margin):
    model = plan_of(Threshold(), PEOPLE[person], short.table)
    found = guarded_reply(short, model, margin)
    # the worst that anyone can do is what a best response does, in either seat
    worst = best_response(short.table, found.plan)
    first, second = worst.evaluation.values  # of the adversary, going first and second
    assert short.value - (1 - second) <= margin
    assert first - short.value <= margin
    assert max(found.worst) <= margin
    for other in ("hold-at:20", "random", "turtle", short.plan, model):
        played = evaluate(short.table, found.plan, other)
        assert played.first >= short.value - margin
        assert 1 - played.second >= 1 - short.value - margin


def test_without_a_guard_a_wrong_model_loses_a_lot(short):
    model = plan_of(Threshold(), PEOPLE["cautious"], short.table)
    free = guarded_reply(short, model, 1.0)
    assert free.caution == 0
    assert max(free.worst) > 0.05
    reply = best_response(short.table, model)
    assert free.plan.plays_like(reply.plan, where=None) or (
        evaluate(short.table, free.plan, model).overall == pytest.approx(reply.overall)
    )


def test_no_margin_is_the_optimum(short):
    found = guarded_reply(short, "hold-at:8", 0.0)
    assert found.plan.plays_like(short.plan)
    assert (found.caution, found.worst) == (math.inf, (0.0, 0.0))
    assert max(worst_losses(short, short.plan)) < 1e-9


def test_it_learns_people_and_gains_on_them(short):
    # three simulated people, 15 games each: it wins more often than the optimum would, and never
    # more than the best reply to them as they truly are
    for number, (name, numbers) in enumerate(PEOPLE.items()):
        person = plan_of(Threshold(), numbers, short.table, name)
        lab = Adaptive(short, margin=0.01)
        assert lab.plan.plays_like(short.plan)
        sampler = Sampler(short.table, [person, lab.plan])
        record = sampler.play(15, np.random.default_rng(number), (name, "lab"))
        found = lab.watch(record, name)
        assert found.numbers[0] == pytest.approx(numbers[0], abs=4 * found.estimates[0].error)
        got = gain(lab, person)
        assert got.optimal < got.adapted <= got.most + 1e-12
        assert got.gain > 0
        assert got.worst <= 0.01


def test_it_keeps_learning(short):
    person = plan_of(Threshold(), PEOPLE["cautious"], short.table)
    lab = Adaptive(short, margin=0.01)
    rng = np.random.default_rng(1)
    units = []
    for _ in range(2):
        record = Sampler(short.table, [person, lab.plan]).play(3, rng, ("ann", "lab"))
        units.append(lab.watch(record, "ann").units)
    assert units[1] > units[0]
    assert lab.fit.games == 6


def test_what_makes_no_opponent_is_refused(short):
    alone = solve(compile(game("solo-pig", target=10)))
    with pytest.raises(RulesError) as trouble:
        guarded_reply(alone, "random")
    assert str(trouble.value) == "solo-pig target=10 is played alone: there is nobody to adapt to"
    with pytest.raises(RulesError) as trouble:
        guarded_reply(short, "random", -0.1)
    assert str(trouble.value) == "a margin is what may be lost at most, 0 or more: got -0.1"
    other = compile(Pig(target=12))
    record = Sampler(other, ["random", "random"]).play(1, np.random.default_rng(1))
    with pytest.raises(RecordError) as trouble:
        Adaptive(short).watch(record, "A")
    assert str(trouble.value) == "a record of pig target=12 says nothing about pig target=50"
