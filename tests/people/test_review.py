"""Mistakes and luck: they add up to the result, exactly, and luck is nothing on average."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab import compile, game
from dicelab.errors import RecordError
from dicelab.games.pig import Pig
from dicelab.games.pig.study.tracker import as_tracker
from dicelab.games.pig.study.turn_review import review_turns
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.decisions import parse_decisions
from dicelab.people.review import review
from dicelab.people.sampling import Sampler
from dicelab.verbs.solve import solve


def reviewed(name, players, games=30, seed=3, exact=False, **parameters):
    table = compile(game(name, **parameters))
    record = Sampler(table, players).play(games, np.random.default_rng(seed))
    return review(record, solve(table, exact=exact))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("pig", {"target": 12}),
        ("piglet", {"target": 5}),
        ("big-pig", {"target": 20}),
        ("two-dice-pig", {"target": 8}),
    ],
)
def test_result_less_value_is_luck_less_costs_exactly(name, parameters):
    found = reviewed(name, ["random", "hold-at:5"], exact=True, **parameters)
    lines = iter(found.scores)
    for number, mine in enumerate(lines):
        yours = next(lines)
        assert mine.result in (0, 1)
        assert mine.result + yours.result == 1
        start = found.start_value(number)
        assert mine.result - start == mine.luck - mine.cost - yours.luck + yours.cost
        assert mine.adjusted == start - mine.cost + yours.cost
        assert isinstance(mine.adjusted, Fraction)


@pytest.mark.parametrize("turns", [0, 4])
def test_alone_the_result_is_the_value_and_the_luck_less_the_costs(turns):
    found = reviewed("solo-pig", ["random"], exact=True, target=12, turns=turns)
    sign = -1 if turns == 0 else 1  # turns taken are better few
    for number, mine in enumerate(found.scores):
        start = found.start_value(number)
        assert sign * (mine.result - start) == mine.luck - mine.cost
        # without luck: the value, and for each cost that much worse
        assert mine.adjusted == start - sign * mine.cost


def test_alone_the_result_counts_the_turns_that_were_taken():
    found = reviewed("solo-pig", ["random"], exact=True, target=12)
    record = found.record
    for number, mine in enumerate(found.scores):
        here = slice(record.first[number], record.first[number + 1])
        assert mine.result == int(record.passes[here].sum()) + 1  # the winning turn does not pass


def test_a_blunder_costs_what_the_study_worked_out_by_hand(pig):
    # Exeter, section 2.2: to bank at 97-99 +2 leaves 99-99 to the other player, who wins 6/7;
    # rolling there is worth 0.8565.
    text = (
        '# {"format": "dicelab decisions 1", "game": "pig", "parameters": {}}\n'
        "game,seat,player,position,move,after,passes\n"
        "1,1,ann,97-99 +2,hold,99-99 +0,yes\n"
    )
    found = review(parse_decisions(text), pig)
    assert round(float(found.cost[0]) + 1 / 7, 4) == 0.8565
    assert found.luck[0] == pytest.approx(0)
    ann = found.scores[0]
    assert (ann.unforced, ann.mistakes) == (1, 1)
    assert ann.cost_per_unforced == pytest.approx(float(ann.cost))


def test_an_optimal_player_makes_no_mistakes(short):
    record = Sampler(short.table, ["optimal", "random"]).play(50, np.random.default_rng(1))
    found = review(record, short)
    best, other = found.players
    assert (best.mistakes, best.cost_per_unforced) == (0, pytest.approx(0, abs=1e-12))
    assert other.mistakes > 100
    assert other.cost > 1


def test_luck_is_nothing_on_average_whoever_plays(short):
    record = Sampler(short.table, ["random", "hold-at:9"]).play(2000, np.random.default_rng(4))
    found = review(record, short)
    by_game = np.bincount(record.game, found.luck * np.where(record.seat == 0, 1, -1))
    error = by_game.std(ddof=1) / np.sqrt(2000)
    assert abs(by_game.mean()) < 4 * error


def test_the_luck_adjusted_result_wavers_less_than_the_result(short):
    record = Sampler(short.table, ["random", "hold-at:9"]).play(500, np.random.default_rng(5))
    first = [score for score in review(record, short).scores if score.seat == 1]
    results = np.array([score.result for score in first])
    adjusted = np.array([score.adjusted for score in first])
    assert adjusted.std() < results.std()
    # both tell the same average, in one sample up to the luck of it
    assert abs((results - adjusted).mean()) < 4 * (results - adjusted).std(ddof=1) / np.sqrt(500)


def test_a_tracker_form_bounds_what_the_decisions_cost(short):
    record = Sampler(short.table, ["random", "hold-at:12"]).play(60, np.random.default_rng(6))
    true = [score for score in review(record, short).scores if score.decisions]
    whole = {f.name for f in as_tracker(record).forms if len(f.sheets) == 2}
    found = review_turns(turns_of(as_tracker(record), short.table), short)
    true = [score for score in true if score.game in whole]
    loose = 0
    for bounds, score in zip(found.bounds, true, strict=True):
        assert bounds.cost[0] - 1e-12 <= score.cost <= bounds.cost[1] + 1e-12
        assert bounds.luck[0] - 1e-12 <= score.luck <= bounds.luck[1] + 1e-12
        assert (bounds.player, bounds.unforced) == (score.player, score.unforced)
        assert bounds.result == pytest.approx(score.result, abs=1e-12)
        loose += bounds.cost[1] > bounds.cost[0] + 1e-9
    assert loose > 0
    assert sum(one.turns for one in found.players) == len(found.turns)


def test_holding_is_known_from_a_form_exactly(short):
    record = Sampler(short.table, ["hold-at:6", "hold-at:12"]).play(20, np.random.default_rng(7))
    found = review_turns(turns_of(as_tracker(record), short.table), short)
    held = (found.turns.banked > 0) & ~found.turns.wins
    for i in np.flatnonzero(held)[:40]:
        turns = found.turns
        at = f"{turns.mine[i]}-{turns.yours[i]} +{turns.banked[i]}"
        hold = next(move for move in short.moves_at(at) if move.move == "hold")
        assert found.last[i] == pytest.approx(hold.cost, abs=1e-12)
        assert found.least[i] >= hold.cost - 1e-12


def test_a_record_is_reviewed_with_the_values_of_its_own_game(short):
    table = compile(Pig(target=12))
    record = Sampler(table, ["random", "random"]).play(1, np.random.default_rng(1))
    with pytest.raises(RecordError) as trouble:
        review(record, short)
    assert str(trouble.value) == (
        "a record of pig target=12 cannot be reviewed with pig target=50: solve that game"
    )


def test_turns_reviewed_in_blocks_are_those_reviewed_together(monkeypatch):
    table = compile(Pig(target=30))
    record = Sampler(table, ["hold-at:8", "random"]).play(20, np.random.default_rng(5))
    turns, solution = turns_of(as_tracker(record), table), solve(table)
    whole = review_turns(turns, solution)
    monkeypatch.setattr("dicelab.games.pig.study.turn_review.BLOCK", 7)
    blocks = review_turns(turns, solution)
    for name in ("least", "most", "last", "change", "unforced"):
        assert getattr(blocks, name).tolist() == getattr(whole, name).tolist()
    assert [one.result for one in blocks.players] == [one.result for one in whole.players]
