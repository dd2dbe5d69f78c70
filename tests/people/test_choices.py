"""Records, reviews and models of people know what was chosen after a throw."""

import numpy as np
import pytest

from dicelab import Moment, best_response, compile, evaluate, game, solve
from dicelab.errors import RecordError
from dicelab.people.adaptive import guarded_reply
from dicelab.people.decisions import decisions_of, decisions_text, parse_decisions
from dicelab.people.evidence import asked_evidence, faults, standing
from dicelab.people.fit import evidence_of, fit
from dicelab.people.game_review import Step, review_steps
from dicelab.people.models import Quantal, plan_of, quantal_at
from dicelab.people.review import review
from dicelab.people.sampling import Sampler
from dicelab.rules import OTHER, SAME
from dicelab.table.unfolded import unfolded_table
from strange_games import Barrel, Perch, Stake

GAMES = (Perch(), Barrel())
either_game = pytest.mark.parametrize("rules", GAMES, ids=str)


def sampled(table, games=60, players=("random", "random"), seed=3):
    return Sampler(table, players).play(games, np.random.default_rng(seed))


@pytest.mark.parametrize("name", ["Perch", "Barrel"])
def test_a_record_with_throws_survives_a_file(name):
    rules = game(f"strange_games:{name}")
    record = sampled(compile(rules))
    text = decisions_text(record)
    assert text.count(" threw 2") > 60
    again = parse_decisions(text, rules)
    assert decisions_text(again) == text
    assert np.array_equal(again.row, record.row)
    assert np.array_equal(again.after, record.after)


@either_game
def test_sampled_games_are_won_as_often_as_they_should_be(rules):
    table = compile(rules)
    record = sampled(table, 2000, ("optimal", "random"))
    last = record.first[1:] - 1
    over = record.table.result[record.after[last]]
    loser = record.seat[last] ^ record.passes[last]
    assert (over == 2).all()  # who is about to move has lost
    wins, exact = (loser == 1).mean(), float(evaluate(table, "optimal", "random").first)
    assert abs(wins - exact) < 4 * (exact * (1 - exact) / 2000) ** 0.5


@either_game
def test_result_less_value_is_luck_less_costs_exactly(rules):
    table = compile(rules)
    found = review(sampled(table), solve(table, exact=True))
    lines = iter(found.scores)
    mistakes = 0
    for number, mine in enumerate(lines):
        yours = next(lines)
        start = found.start_value(number)
        assert mine.result - start == mine.luck - mine.cost - yours.luck + yours.cost
        mistakes += mine.mistakes
    assert mistakes > 20


@either_game
def test_asked_one_by_one_costs_and_luck_are_those_of_the_record(rules):
    table = compile(rules)
    record, solution = sampled(table), solve(table, exact=True)
    told, there = review(record, solution), record.table
    columns = (record.number, record.row, record.seat, record.after, record.passes)
    steps = [
        Step(
            seat,
            there.position(at),
            there.moves[there.move[row]],
            there.position(after),
            OTHER if passes else SAME,
        )
        for at, row, seat, after, passes in zip(*(c.tolist() for c in columns), strict=True)
    ]
    judged = review_steps(solution, steps)
    assert [one.cost for one in judged] == pytest.approx(told.cost.astype(float).tolist())
    assert [one.luck for one in judged] == pytest.approx(
        told.luck.astype(float).tolist(), abs=1e-12
    )
    ways = [one for one in judged if isinstance(one.step.at, Moment)]
    assert len(ways) > 60
    assert all(one.unforced for one in ways)
    assert max(abs(one.luck) for one in ways) < 1e-12  # no dice fall after a way


def test_a_persons_precision_is_felt_after_throws_too():
    table = compile(Perch())
    model = Quantal(solve(table))
    person = plan_of(model, [6.0], table)
    assert person.table is table
    at = "mine=0 yours=0 risk=0 threw 3"
    shares = quantal_at(solve(table), at, 6.0)
    assert {way: float(share) for way, share in person.move_at(at).items()} == pytest.approx(
        {way: float(share) for way, share in shares.items()}, abs=1e-6
    )
    record = sampled(table, 400, (person, "random"))
    found = fit(model, evidence_of(record, "A"))
    assert found.estimates[0].low < 6 < found.estimates[0].high
    there = record.table
    mine = [
        (int(number), there.position(int(at)), there.moves[there.move[row]])
        for number, seat, at, row in zip(
            record.game, record.seat, record.number, record.row, strict=True
        )
        if seat == 0
    ]
    asked = fit(model, asked_evidence(solve(table), mine))
    assert asked.numbers == pytest.approx(found.numbers, rel=1e-3)


@pytest.mark.parametrize("margin", [0.0, 0.02])
def test_nobody_makes_the_adaptive_player_lose_more_than_the_margin(margin):
    table = compile(Perch())
    solution = solve(table)
    person = plan_of(Quantal(solution), [3.0], table)
    found = guarded_reply(solution, person, margin)
    assert found.plan.table is table
    reply = best_response(table, found.plan).evaluation
    first, second = (float(value) for value in reply.values)
    assert float(solution.value) - (1 - second) <= margin + 1e-9
    assert first - float(solution.value) <= margin + 1e-9
    adapted, optimal = (evaluate(table, mine, person).value for mine in (found.plan, "optimal"))
    assert adapted >= optimal - 1e-12


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [("(4, 'fresh')", "roll", "(4, 'fresh') threw 4", "no")],
            "row 1: no throw at (4, 'fresh') shows '4'",
        ),
        (
            [
                ("(4, 'fresh')", "roll", "(4, 'fresh') roll threw 2", "no"),
                ("(4, 'fresh') roll threw 2", "take 3", "(1, 'fresh')", "yes"),
            ],
            "row 2 cannot take 3 at (4, 'fresh') roll threw 2: you can take 1 or take 2 there",
        ),
        (
            [
                ("(4, 'fresh')", "roll", "(4, 'fresh') roll threw 2", "no"),
                ("(4, 'fresh') toss threw 2", "take 2", "(2, 'used')", "yes"),
            ],
            "row 2 has seat 1 at (4, 'fresh') toss threw 2: row 1 left seat 1 at "
            "(4, 'fresh') roll threw 2",
        ),
    ],
)
def test_what_the_rules_forbid_after_a_throw_is_refused_by_its_row(rows, sentence):
    table = compile(Barrel(matches=4))
    cells = [("1", "1", "ann", at, move, after, passes) for at, move, after, passes in rows]
    with pytest.raises(RecordError) as refused:
        decisions_of(table, cells)
    assert str(refused.value) == sentence


def test_ahead_or_behind_is_told_by_the_position_before_the_throw():
    rules = Perch()
    assert standing(rules, Moment(Stake(8, 0, 0), "throw", (2,))) == "ahead"
    assert standing(rules, Moment(Stake(0, 8, 0), "throw", (2,))) == "behind"


class CountsDice(Perch):
    """A game that only knows its own moves, and how many dice they throw."""

    def dice_of(self, move):
        return {"throw": 1, "hold": 0}[move]


def test_what_is_chosen_after_a_throw_is_no_number_of_dice():
    solution = solve(CountsDice())
    at = Moment(Stake(0, 0, 0), "throw", (3,))
    after = Stake(0, 3, 0)
    (judged,) = review_steps(solution, [Step(0, at, "bank", after, OTHER)])
    assert judged.is_mistake
    assert faults(solution.game, [judged]) == {}
    assert solve(unfolded_table(solution.table)).boards() == []
