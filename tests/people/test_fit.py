"""Models of people: what they say, found again from what simulated people did."""

import math

import numpy as np
import pytest

from dicelab import compile, evaluate, game, load_strategy, plan, save_strategy
from dicelab.errors import RecordError, RulesError
from dicelab.games.pig import Pig
from dicelab.games.pig.study.example import games
from dicelab.games.pig.study.threshold import Steady, Threshold
from dicelab.games.pig.study.tracker import as_tracker
from dicelab.games.pig.study.unrecorded_rolls import turns_of
from dicelab.people.fit import evidence_of, fit, held_out
from dicelab.people.models import Coin, Quantal, plan_of
from dicelab.people.sampling import Sampler
from dicelab.verbs.solve import solve

TRUE = (12.0, 0.15, 2.0)


def record_of(solution, numbers=TRUE, games=10, seed=1, model=None):
    person = plan_of(model or Threshold(), numbers, solution.table)
    rng = np.random.default_rng(seed)
    return Sampler(solution.table, [person, person]).play(games, rng)


def test_the_chance_to_hold_is_logistic_in_what_is_at_risk(short):
    # 9 at risk, 8 behind, so 12 + 0.15 * 8 = 13.2 are wanted: log odds (9 - 13.2) / 2
    held = plan_of(Threshold(), TRUE, short.table).move_at("10-18 +9")["hold"]
    assert float(held) == pytest.approx(1 / (1 + math.exp(4.2 / 2)), abs=1e-6)


def test_a_forced_move_is_played_for_certain(short):
    assert plan_of(Threshold(), TRUE, short.table).move_at("10-18 +0") == {"roll": 1}


def test_the_named_player_is_the_model(short):
    named = plan(short.table, "noisy:12,0.15,2")
    assert named.plays_like(plan_of(Threshold(), TRUE, short.table))


def test_a_precise_quantal_player_is_nearly_optimal(short):
    sharp = plan_of(Quantal(short), (1e5,), short.table)
    assert evaluate(short.table, sharp, short.plan).overall == pytest.approx(0.5, abs=1e-4)


def test_a_quantal_player_of_no_precision_throws_a_coin(short):
    dull = plan_of(Quantal(short), (1e-9,), short.table)
    assert dull.plays_like(plan(short.table, "random"))
    assert plan_of(Coin(), (), short.table).plays_like(plan(short.table, "random"))


def test_the_likelihood_of_decisions_is_the_product_of_their_chances(short):
    record = record_of(short, games=1)
    evidence, model = evidence_of(record), Threshold()
    person = plan_of(model, TRUE, short.table)
    told = [
        math.log(person.move_at(short.table.position(int(at)))[short.table.moves[move]])
        for at, move in zip(record.number, short.table.move[record.row], strict=True)
    ]
    found = evidence.log_likelihood(model, evidence.features(model), TRUE)
    assert found == pytest.approx(told, abs=1e-4)  # the plan rounds its chances


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["decisions", "turns"])
def test_estimates_lie_in_their_intervals_at_the_nominal_rate(short, seen):
    # 40 simulated studies of 10 games: of 120 intervals at 95% about 114 hold the truth, and at
    # least 104 do unless something is wrong by four standard deviations
    inside, held = 0, np.zeros(3, int)
    for seed in range(40):
        record = record_of(short, seed=seed)
        if seen == "turns":
            record = turns_of(as_tracker(record), short.table)
        found = fit(Threshold(), evidence_of(record))
        assert found.at_edge == ()
        hits = [e.low <= true <= e.high for e, true in zip(found.estimates, TRUE, strict=True)]
        held += hits
        inside += sum(hits)
    assert inside >= 104
    assert inside < 120
    assert (held >= 32).all()


def test_seeing_the_rolls_tells_more_than_the_form_does(short):
    record = record_of(short, games=40)
    whole = fit(Threshold(), evidence_of(record))
    form = fit(Threshold(), evidence_of(turns_of(as_tracker(record), short.table)))
    for sharp, blurred in zip(whole.estimates, form.estimates, strict=True):
        assert sharp.error < blurred.error
        assert abs(sharp.value - blurred.value) < 4 * blurred.error


def test_precision_is_found_again_in_any_game():
    solution = solve(compile(game("solo-pig", target=30, turns=5)))
    person = plan_of(Quantal(solution), (40.0,), solution.table)
    record = Sampler(solution.table, [person]).play(300, np.random.default_rng(3), ("ann",))
    found = fit(Quantal(solution), evidence_of(record, "ann")).estimates[0]
    assert found.low < 40 < found.high
    assert found.high / found.low < 1.5


def test_where_fewest_is_best_a_quantal_player_wants_few():
    solution = solve(compile(game("solo-pig", target=30)))
    sharp = plan_of(Quantal(solution), (1e4,), solution.table)
    best = evaluate(solution.game, solution.plan).value
    assert evaluate(solution.game, sharp).value == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("seen", ["decisions", "turns"])
def test_the_true_model_foretells_games_it_has_not_seen_best(short, seen):
    record = record_of(short, games=40, seed=2)
    if seen == "turns":
        record = turns_of(as_tracker(record), short.table)
    models = [Coin(), Quantal(short), Steady(), Threshold()]
    lines = held_out(models, evidence_of(record), np.random.default_rng(1))
    assert [line.model for line in lines] == ["threshold", "steady", "quantal", "coin"]
    assert lines[0].behind == 0
    assert all(line.behind > 2 * line.error for line in lines[1:])
    assert lines[0].per_unit == pytest.approx(lines[0].log_likelihood / len(evidence_of(record)))


def test_a_quantal_person_is_recognised(short):
    record = record_of(short, (60.0,), games=60, seed=2, model=Quantal(short))
    lines = held_out([Threshold(), Quantal(short)], evidence_of(record), np.random.default_rng(1))
    assert lines[0].model == "quantal"


def test_one_player_of_two_can_be_told_from_the_other(short):
    plans = [plan_of(Threshold(), n, short.table) for n in ((8.0, 0.0, 1.0), (20.0, 0.0, 1.0))]
    record = Sampler(short.table, plans).play(15, np.random.default_rng(1), ("ann", "ben"))
    for seen in (record, turns_of(as_tracker(record), short.table)):
        ann, ben = (fit(Steady(), evidence_of(seen, name)).numbers for name in ("ann", "ben"))
        assert ann[0] == pytest.approx(8, abs=1.5)
        assert ben[0] == pytest.approx(20, abs=3)


def test_a_player_who_never_wavers_has_noise_at_its_edge(short):
    record = Sampler(short.table, ["hold-at:12", "hold-at:12"]).play(10, np.random.default_rng(1))
    found = fit(Steady(), evidence_of(record))
    assert found.at_edge == ("noise",)
    assert found.numbers[0] == pytest.approx(11.5, abs=0.6)
    assert math.isnan(found.estimates[1].error)


def test_a_prior_keeps_a_single_turn_sensible(short):
    record = Sampler(short.table, ["hold-at:40", "hold-at:40"]).play(1, np.random.default_rng(1))
    loose, kept = (fit(Threshold(), evidence_of(record), prior=prior) for prior in (False, True))
    assert kept.at_edge == ()
    assert abs(kept.numbers[1]) < 1
    assert kept.log_likelihood <= loose.log_likelihood


def test_a_fitted_person_can_be_saved_and_played(short, tmp_path):
    found = fit(Threshold(), evidence_of(record_of(short)))
    person = found.plan(short.table)
    for name in ("ann.npz", "ann.csv"):
        save_strategy(person, tmp_path / name)
        again = load_strategy(tmp_path / name, short.table)
        assert again.plays_like(person)
    played = evaluate(Pig(target=50), f"file:{tmp_path / 'ann.npz'}", "optimal")
    assert 0.3 < played.overall < 0.5


def test_what_cannot_be_fitted_is_refused(short):
    record = record_of(short, games=1)
    turns = turns_of(as_tracker(record), short.table)
    for seen in (record, turns):
        with pytest.raises(RecordError) as trouble:
            evidence_of(seen, "C")
        assert str(trouble.value) == "nobody called 'C' is in this record; there is A, B"
    with pytest.raises(RecordError) as trouble:
        held_out([Coin()], evidence_of(record), np.random.default_rng(1))
    assert str(trouble.value) == (
        "models are compared on games left out: there must be two games or more"
    )
    alone = compile(game("solo-pig", target=10))
    with pytest.raises(RulesError) as trouble:
        plan_of(Threshold(), TRUE, alone)
    assert str(trouble.value) == (
        "a threshold is for Pig and its kin between two players: got solo-pig target=10"
    )
    with pytest.raises(RulesError) as trouble:
        plan_of(Quantal(short), (1.0,), alone)
    assert str(trouble.value) == (
        "the values of pig target=50 do not tell about solo-pig target=10"
    )


def test_a_name_that_nobody_has_is_answered_with_each_name_once():
    record = games(compile(Pig()))
    with pytest.raises(RecordError) as trouble:
        evidence_of(record, "zed")
    assert str(trouble.value) == "nobody called 'zed' is in this record; there is ann, ben"
