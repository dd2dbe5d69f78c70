"""Records of three players and more: played, written, read back and reviewed."""

from fractions import Fraction

import numpy as np
import pytest

from dicelab import compile, game, simulate, solve
from dicelab.errors import RecordError
from dicelab.people.decisions import decisions_text, parse_decisions
from dicelab.people.fit import evidence_of, fit
from dicelab.people.game_review import Step, review_steps, tally
from dicelab.people.models import usual_model
from dicelab.people.review import review
from dicelab.people.sampling import Sampler

FORMS = {
    "pig": {"target": 8},
    "greed": {"max": 5, "sides": 4},
    "farkle": {"target": 200, "dice": 2},
}
BOTH = ["pig", "greed", "farkle"]


@pytest.fixture(scope="module", params=BOTH)
def played(request):
    rules = game(request.param, players=3, **FORMS[request.param])
    table = compile(rules)
    sampler = Sampler(table, ["random", "optimal", "random"])
    record = sampler.play(12, np.random.default_rng(4), ["ann", "best", "cid"])
    return solve(table), record


def test_a_record_of_three_is_read_back_as_it_was(played):
    _, record = played
    text = decisions_text(record)
    again = parse_decisions(text)
    assert decisions_text(again) == text
    assert set(record.players) == {("ann", "best", "cid")}
    assert again.of("cid").sum() == (record.seat == 2).sum() > 0


def test_luck_and_costs_of_three_add_up_to_the_results(played):
    # The dense check: position by position, each throw's mean taken from the rules themselves.
    solution, record = played
    found = review(record, solution)
    best = next(score for score in found.players if score.player == "best")
    assert float(best.cost) == pytest.approx(0, abs=1e-12)
    table = record.table
    for number in range(len(record.names)):
        here = range(int(record.first[number]), int(record.first[number + 1]))
        steps = [
            Step(
                int(record.seat[i]),
                table.position(int(record.number[i])),
                table.moves[table.move[record.row[i]]],
                table.position(int(record.after[i])),
                int(record.seats_on[i]),
            )
            for i in here
        ]
        judged = review_steps(solution, steps)
        scores = [one for one in found.scores if one.game == record.names[number]]
        assert sum(float(one.result) for one in scores) == pytest.approx(1)
        for score in scores:
            by_hand = tally(solution, judged, score.seat - 1)
            assert float(score.cost) == pytest.approx(by_hand.cost, abs=1e-9)
            assert float(score.luck) == pytest.approx(by_hand.luck, abs=1e-9)
            assert float(score.adjusted) == pytest.approx(by_hand.adjusted, abs=1e-9)


def test_a_person_among_three_is_fitted(played):
    solution, record = played
    solution = solution.on(record.table)
    model = usual_model(solution)
    careless = fit(model, evidence_of(record, "ann"))
    careful = fit(model, evidence_of(record, "best"))
    assert careless.units > 5
    assert careful.units > 5


@pytest.mark.parametrize("name", BOTH)
def test_games_of_three_are_written_down_as_they_are_counted(name):
    rules = game(name, players=3, **FORMS[name])
    found = simulate(rules, "random", ["optimal", "random"], games=90, seed=5, records=True)
    assert len(found.records) == 90
    for starter in range(3):
        mine = [each for each in found.records if each.starter == "ABC"[starter]]
        counts = [sum(each.winner == who for each in mine) for who in ("A", "B", "C", "draw")]
        assert counts == found.ends[starter, :4].tolist()
    got = sum((each.gained for each in found.records), Fraction(0))
    assert float(got) == pytest.approx(found.paid[0, 0])


def test_a_turn_that_skips_somebody_is_told_by_its_seats():
    rules = game("greed", players=3, max=3, sides=2)
    head = '# {"format": "dicelab decisions 1", "game": "greed", '
    head += '"parameters": {"max": "3", "die": "2", "players": "3"}}\n'
    head += "game,seat,player,position,move,after,passes\n"
    bust = "1,1,ann,0-0-0,throw 2,0-0-bust,yes\n"
    on = "1,2,bea,0-0-bust,throw 1,0-bust-1,yes\n1,3,cid,0-bust-1,throw 1,1-1-bust,2\n"
    record = parse_decisions(head + bust + on)
    assert record.seats_on.tolist() == [1, 1, 2]
    assert decisions_text(record).endswith(on.replace("\n", "\r\n")) or on in decisions_text(record)
    with pytest.raises(RecordError) as refused:
        parse_decisions(head + bust + on.replace(",2\n", ",3\n"))
    assert str(refused.value) == (
        "row 5 has passes='3': write yes or no, or how many seats on up to 2"
    )
    with pytest.raises(RecordError) as refused:
        parse_decisions(head + bust + on.replace(",2\n", ",yes\n"))
    assert str(refused.value) == (
        "row 5: to throw 1 at 0-bust-1 cannot lead to 1-1-bust where the turn passes"
    )
    assert rules.players == 3
