"""Records that a game brings itself: read, fitted and reviewed by what knows no game."""

import numpy as np
import pytest

from dicelab import compile, game, solve
from dicelab.games.pig.study.tracker import Tracker, as_tracker
from dicelab.games.pig.study.tracker_file import FORMAT, write_tracker
from dicelab.people.decisions import write_decisions
from dicelab.people.fit import fit
from dicelab.people.forms import all_forms, evidence_in, reviewed
from dicelab.people.models import Coin, Quantal, models, usual_model
from dicelab.people.read_record import read_record
from dicelab.people.sampling import Sampler


def played():
    """Return games between two players, decision by decision."""
    sampler = Sampler(compile(game("pig", target=20)), ["hold-at:6", "hold-at:9"])
    return sampler.play(3, np.random.default_rng(4), ("ann", "ben"))


def test_both_kinds_of_records_are_told_apart_by_their_first_lines(tmp_path):
    record = played()
    write_decisions(record, tmp_path / "games.csv")
    write_tracker(as_tracker(record), tmp_path / "forms.csv")
    assert [forms.format for forms in all_forms()] == [FORMAT, "dicelab rounds 1"]
    forms, games = (read_record(tmp_path / name) for name in ("forms.csv", "games.csv"))
    assert isinstance(forms, Tracker)
    assert len(games) == len(record)
    assert (evidence_in(forms, "ann").unit, evidence_in(games, "ann").unit) == (
        "turns",
        "decisions",
    )


def test_the_cost_of_decisions_lies_within_the_bounds_of_their_forms():
    record = played()
    whole = {score.player: score.cost for score in reviewed(record).players}
    bounds = {one.player: one.cost for one in reviewed(as_tracker(record)).players}
    assert whole.keys() == bounds.keys() == {"ann", "ben"}
    for player, (least, most) in bounds.items():
        assert least - 1e-9 <= whole[player] <= most + 1e-9
        assert whole[player] > 0


def test_a_coin_finds_every_free_decision_equally_likely():
    record = played()
    found = fit(Coin(), evidence_in(record))
    choices = np.diff(record.table.move_first)[record.number]
    assert found.units == len(record)
    assert found.log_likelihood == pytest.approx(-np.log(choices).sum())


def test_a_game_with_models_of_its_own_is_fitted_by_them_and_any_other_by_what_moves_are_worth():
    assert list(models(game("pig"))) == ["threshold", "steady"]
    assert models(game("solo-pig")) == models(game("greed")) == {}
    assert usual_model(solve(game("pig", target=10))).name == "threshold"
    assert isinstance(usual_model(solve(game("solo-pig", target=10, turns=3))), Quantal)
