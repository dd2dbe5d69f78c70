"""Influence and mirroring: noticed where they are, and not where they are not."""

import math
from functools import cache

import numpy as np
import pytest

from dicelab import compile
from dicelab.games.pig import Pig
from dicelab.games.pig.study.interplay import influence, mirroring
from dicelab.games.pig.study.threshold import Threshold
from dicelab.games.pig.study.tracker import Form, Sheet, Tracker, Turn, as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.models import plan_of
from dicelab.people.sampling import Sampler

GAMES = 15
STUDIES = 150


@cache
def table():
    return compile(Pig(target=70))


def studies(one, two, seed=1, count=STUDIES):
    """Yield simulated studies of 15 games between different people."""
    plans = [plan_of(Threshold(), numbers, table()) for numbers in (one, two)]
    record = Sampler(table(), plans).play(count * GAMES, np.random.default_rng(seed))
    forms = as_tracker(record).forms
    for start in range(0, len(forms), GAMES):
        chunk = [
            Form(form.name, tuple(_renamed(sheet, form.name) for sheet in form.sheets))
            for form in forms[start : start + GAMES]
        ]
        yield turns_of(Tracker(Pig(target=70), tuple(chunk)), table())


def _renamed(sheet, game):
    return Sheet(f"{sheet.player}{game}", sheet.seat, sheet.turns)


@pytest.mark.parametrize("people", [((20, 0, 3), (20, 0, 3)), ((18, 0, 0.5), (9, 0, 1))], ids=str)
def test_people_who_do_not_look_are_rarely_found_to(people):
    # at 5% about 7.5 of 150 studies cry wolf, at most 18 unless something is wrong by four
    # standard deviations; and the push has no direction
    rng = np.random.default_rng(2)
    alarms, pushes = np.zeros(3, int), []
    for turns in studies(*people):
        looks, alike = influence(turns), mirroring(turns, rng, 199)
        alarms += [p <= 0.05 for p in (looks.p, alike.p_by_turn, alike.p_by_game)]
        pushes.append(looks.per_ten_points / looks.error)
    assert (alarms <= 18).all()
    assert abs(np.mean(pushes)) < 4 / math.sqrt(STUDIES)
    assert np.std(pushes) == pytest.approx(1, abs=4 / math.sqrt(2 * STUDIES))


def test_people_who_chase_are_found_to():
    found = [influence(turns) for turns in studies((15, 0.4, 2), (15, 0.4, 2), count=20)]
    assert sum(one.p < 0.05 for one in found) >= 18
    assert all(one.per_ten_points > 0 for one in found)


def test_people_who_give_up_roll_less():
    found = [influence(turns) for turns in studies((15, -0.3, 2), (15, -0.3, 2), count=20)]
    assert np.mean([one.per_ten_points for one in found]) < 0
    assert sum(one.p < 0.05 for one in found) >= 15


def _copied(rolls_of, games=12, rounds=6):
    """Return turns where the second player answers the first one's rolls."""
    rng = np.random.default_rng(3)
    forms = []
    for number in range(games):
        first = [Turn(int(n), 0) for n in rng.integers(1, 6, rounds)]
        second = [Turn(rolls_of(turn.rolls, number), 0) for turn in first]
        pair = (Sheet(f"a{number}", 1, tuple(first)), Sheet(f"b{number}", 2, tuple(second)))
        forms.append(Form(str(number), pair))
    return turns_of(Tracker(Pig(target=70), tuple(forms)), table())


def test_a_copycat_mirrors_turn_by_turn():
    found = mirroring(_copied(lambda rolls, _: rolls), np.random.default_rng(1), 999)
    assert found.by_turn == pytest.approx(1)
    assert (found.p_by_turn, found.rounds, found.games) == (0.001, 72, 12)


def test_a_contrarian_mirrors_backwards():
    found = mirroring(_copied(lambda rolls, _: 6 - rolls), np.random.default_rng(1), 999)
    assert found.by_turn == pytest.approx(-1)
    assert found.by_game == pytest.approx(-1)


def test_constant_rolls_tell_nothing():
    found = mirroring(_copied(lambda *_: 2), np.random.default_rng(1), 99)
    assert math.isnan(found.by_turn)
    assert found.p_by_turn == 1
    looks = influence(_copied(lambda *_: 1).pick(slice(0, 1)))
    assert (looks.p, looks.decisions) == (1.0, 0)
