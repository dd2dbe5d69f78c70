"""One game under the glass agrees with the review of records, and adds up at once too."""

import numpy as np
import pytest

import dicelab
from dicelab.people.evidence import asked_evidence, change, faults, standing
from dicelab.people.fit import evidence_of, fit
from dicelab.people.game_review import Step, review_steps, tally, worth_at
from dicelab.people.models import Quantal
from dicelab.people.review import review
from dicelab.people.sampling import Sampler
from dicelab.rules import SAME

GAMES = [
    ("pig", {"target": 20}, ["hold-at:4", "random"]),
    ("two-dice-pig", {"target": 15}, ["random", "random"]),
    ("dice-battle", {"target": 15, "dice": 3}, ["random", "blind"]),
    ("solo-pig", {"target": 15}, ["hold-at:4"]),
    ("solo-pig", {"target": 15, "turns": 3}, ["random"]),
]


def steps_of(record):
    table = record.table
    gains = [float(table.gains[k]) for k in table.kind[record.outcome]] if table.has_gains else None
    return [
        Step(
            int(record.seat[i]),
            table.position(int(record.number[i])),
            table.moves[table.move[record.row[i]]],
            table.position(int(record.after[i])),
            int(record.passes[i]),
            gains[i] if gains else 0,
        )
        for i in range(len(record))
    ]


@pytest.mark.parametrize(("name", "parameters", "players"), GAMES)
def test_asked_one_by_one_costs_and_luck_are_those_of_the_record(name, parameters, players):
    solution = dicelab.solve(dicelab.game(name, **parameters))
    record = Sampler(solution.table, players).play(1, np.random.default_rng(3))
    whole, judged = review(record, solution), review_steps(solution, steps_of(record))
    assert [one.cost for one in judged] == pytest.approx(list(whole.cost), abs=1e-12)
    assert [one.luck for one in judged] == pytest.approx(list(whole.luck), abs=1e-12)
    for score in whole.scores:
        found = tally(solution, judged, score.seat - 1)
        assert found.result == pytest.approx(score.result, abs=1e-12)
        assert found.adjusted == pytest.approx(score.adjusted, abs=1e-12)
        assert (found.unforced, found.mistakes) == (score.unforced, score.mistakes)
        assert found.cost_per_unforced == pytest.approx(score.cost_per_unforced, abs=1e-12)


def test_at_once_luck_is_nothing_on_average_against_best_play():
    # One throw of a game to 1: every pair of faces, and the other mixes as best play does.
    game = dicelab.game("dice-battle", target=1, dice=2, variant="simultaneous")
    solution = dicelab.solve(game)
    at = game.start()
    for mine in game.moves:
        luck = total = 0.0
        for yours, share in solution.mixture_at(at).items():
            for a, p in game.points(mine).items():
                for b, q in game.points(yours).items():
                    after = type(at)(a, b)
                    pair = [
                        Step(0, at, mine, after, SAME),
                        Step(1, at, yours, type(at)(b, a), SAME),
                    ]
                    judged = review_steps(solution, pair)
                    chance = float(share) * float(p) * float(q)
                    total += chance
                    luck += chance * judged[0].luck
                    change_ = worth_at(solution, after) - worth_at(solution, at)
                    assert judged[0].luck - judged[0].cost + judged[1].cost == pytest.approx(
                        change_
                    )
        assert total == pytest.approx(1)
        assert luck == pytest.approx(0, abs=1e-9)


def test_asked_evidence_fits_like_a_record_does():
    solution = dicelab.solve(dicelab.game("dice-battle", target=15, dice=3))
    record = Sampler(solution.table, ["random", "optimal"]).play(
        20, np.random.default_rng(1), ("ann", "bob")
    )
    mine = [
        (int(record.game[i]), step.at, step.move)
        for i, step in enumerate(steps_of(record))
        if step.seat == 0
    ]
    asked = fit(Quantal(solution), asked_evidence(solution, mine))
    whole = fit(Quantal(solution), evidence_of(record, "ann"))
    assert asked.numbers[0] == pytest.approx(whole.numbers[0], rel=1e-3)
    assert asked.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-6)
    assert asked.unit == "decisions"


def test_decisions_without_a_choice_are_no_evidence():
    solution = dicelab.solve(dicelab.game("pig", target=5))
    with pytest.raises(dicelab.DicelabError) as refused:
        asked_evidence(solution, [(1, solution.game.start(), "roll")])
    assert str(refused.value) == "no decision in these games of pig target=5 left a choice"


def test_who_holds_too_early_is_told_to_roll_on_longer():
    game = dicelab.game("pig", target=20)
    solution = dicelab.solve(game)
    table = solution.table
    at = game.parse("0-15 +2")
    step = Step(0, at, "hold", game.parse("15-2 +0"), 1)
    judged = review_steps(solution, [step])
    costs = faults(game, judged)
    assert list(costs) == ["more behind"]
    told = change(game, costs, games=2)
    cost = float(solution.value_of(at, "hold").cost)
    assert costs["more behind"] == pytest.approx(cost)
    assert told.gain == pytest.approx(cost / 2)
    assert told.sentence == (
        f"Roll on longer when you are behind: holding too early cost you "
        f"{100 * cost / 2:.1f}% of the game per match."
    )
    assert change(game, {}, 3) is None
    assert len(table) > 0


def test_who_throws_too_many_dice_is_told_to_throw_fewer():
    game = dicelab.game("dice-battle", target=15, dice=5)
    solution = dicelab.solve(game)
    at = game.parse("13-1")  # any throw without a 1 wins, so one die is best
    step = Step(0, at, "throw 5", game.parse("1-14"), 1)
    judged = review_steps(solution, [step])
    assert standing(game, at) == "ahead"
    assert judged[0].best == ("throw 1",)
    assert list(faults(game, judged)) == ["fewer ahead"]
    told = change(game, {"fewer ahead": 0.5, "more level": 0.1}, 1)
    assert told.sentence == (
        "Throw fewer dice when you are ahead: too many cost you 25.0% of the game per match."
    )
