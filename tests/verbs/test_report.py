"""report: every section for every kind of game, or a sentence in its place."""

import pytest
from tests.strange_games import Purse

import dicelab
from dicelab.errors import RulesError, TooLarge
from dicelab.verbs.best_play import best_play
from dicelab.verbs.report import _card
from dicelab.verbs.report_sections import Refused


@pytest.fixture(scope="module")
def pig():
    return dicelab.report(dicelab.game("pig", target=20), tries=20)


def test_a_report_says_what_the_verbs_say(pig):
    told, game = pig.as_dict(), pig.game
    solution = dicelab.solve(game)
    assert told["value"]["value"]["value"] == solution.value
    assert told["value"]["advantage"]["value"] == pytest.approx(2 * solution.value - 1)
    found = dicelab.density(game, "optimal", "optimal")
    assert told["length"]["turns"]["value"] == pytest.approx(found.mean_length, abs=1e-6)
    assert told["length"]["throws"]["value"] == pytest.approx(found.mean_throws)
    assert told["length"]["quantiles"]["50"] == found.quantile(0.5)
    assert told["endings"]["wins"][0]["value"] == pytest.approx(solution.value)
    assert told["size"]["positions"] == len(solution.table)
    assert told["changes"][1]["to"] == "21"
    assert told["rules_of_thumb"]["rules"][0]["rule"] == "roll"


def test_every_number_is_exact_or_has_a_bound(pig):
    def numbers(told):
        if isinstance(told, dict):
            if {"value", "error", "unit"} <= set(told):
                yield told
            for each in told.values():
                yield from numbers(each)
        elif isinstance(told, list):
            for each in told:
                yield from numbers(each)

    every = list(numbers(pig.as_dict()))
    assert len(every) > 60
    assert all(one["error"] is not None and one["error"] < 1e-7 for one in every)


def test_what_one_gains_the_other_pays_in_a_game_for_points():
    # One throw of three faces brings 2 coins on average; two throws, one by each, come out even.
    seats = dicelab.report(Purse()).worth.seats
    assert [seat.value for seat in seats] == [pytest.approx(2), pytest.approx(-2)]
    assert dicelab.report(Purse(throws=2)).worth.advantage.in_digits == "0"


def test_a_report_that_would_not_fit_is_refused_before_the_work(pig):
    table = pig.best.table
    needed = 180 * table.target.size  # and the table, a megabyte
    assert dicelab.report(pig.game, memory=4 * needed, tries=1).lead.changes
    with pytest.raises(TooLarge) as refused:
        dicelab.report(pig.game, memory=needed)
    told = f"pig target=20 has {len(table):,} positions, which needs about "
    assert str(refused.value).startswith(told)


def test_three_seats_say_what_each_gets_and_how_far_apart_they_are():
    found = dicelab.report(dicelab.game("pig", target=6, players=3))
    shares = [float(share) for share in dicelab.solve(found.game).shares]
    assert [seat.value for seat in found.worth.seats] == pytest.approx(shares)
    assert found.worth.spread.value == pytest.approx(max(shares) - min(shares))
    assert isinstance(found.card, Refused)


def test_a_card_without_a_table_says_so_where_one_is_needed():
    game = dicelab.game("yahtzee", only="aces+twos+threes+fours+yahtzee", enough=2)
    found = dicelab.report(game)
    assert found.worth.value.value == pytest.approx(float(dicelab.solve(game).value))
    assert found.worth.points.mean == pytest.approx(found.worth.value.value)
    assert found.length.turns.value == 5
    assert found.lead.sentence == (
        f"{game} has about {game.size():,} positions and no table of them: ask about a smaller form"
    )
    assert [rung.name for rung in found.skill.ladder.rungs][-1] == "optimal"
    assert found.skill.ladder.rungs[0].name == "random"


def test_a_game_without_choices_has_no_mistakes():
    found = dicelab.report(dicelab.game("craps"))
    assert found.skill.decisions.value == 0
    assert found.moves == found.turning == ()
    assert found.endings.wins[0].value == pytest.approx(244 / 495)  # of the pass line
    assert found.card.sentence == (
        "craps has no fields that are numbers to a player: a rule of thumb compares some"
    )


def test_a_report_sends_to_distil_where_rules_take_minutes():
    with pytest.raises(RulesError) as refused:
        _card(best_play(dicelab.game("yahtzee")), None, lambda share: None)
    assert str(refused.value) == (
        "rules of thumb for yahtzee take minutes to find: ask `dicelab distil yahtzee`"
    )
