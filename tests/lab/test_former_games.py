"""Files of labs that had other games: what was played there opens, goes on and is reviewed."""

import sqlite3
from pathlib import Path

import pytest

from dicelab import DicelabError
from dicelab.lab.store import STEPS, hashed
from lab_rooms import Visitor, best, open_lab

MADE_THEN = Path(__file__).with_name("rounds_of_version_1.sql")
"""A file of a lab of version 1, dumped: seven matches, six of them rounds of its own 421."""


@pytest.fixture
def ann(tmp_path):
    with sqlite3.connect(tmp_path / "lab.db") as file:
        file.executescript(MADE_THEN.read_text(encoding="utf-8"))
        file.execute("UPDATE players SET token = ?", (hashed("then"),))
    file.close()
    return Visitor(open_lab(tmp_path), {"authorization": "Bearer then"})


@pytest.mark.parametrize(
    ("id", "title", "result", "cost", "worth"),
    [
        ("m_best", "421-round utility=goal:421", 0.0, 0.0, 0.2281110682441701),
        ("m_worst", "421-round utility=goal:421", 0.0, 0.3055555555555556, 0.2281110682441701),
        ("m_next", "421-round player=next", 1.0, 2.314814814814815, 2.909900834476452),
        ("m_any", "yahtzee-round dice=2 casts=4", 7.0, 9.166666666666668, 9.88888888888889),
    ],
)
def test_a_round_played_then_has_the_review_that_it_had(ann, id, title, result, cost, worth):
    # The numbers are those that the lab of version 1 told of these matches.
    match, review = ann.get(f"/api/matches/{id}"), ann.get(f"/api/reviews/{id}")
    assert (match["title"], match["over"], match["result"]["outcome"]) == (title, True, "done")
    assert match["result"]["value"] == review["you"]["result"] == result
    assert review["you"]["cost"] == pytest.approx(cost, abs=1e-12)
    assert review["start_value"] == pytest.approx(worth, abs=1e-12)
    assert all(event["text"].startswith("You ") for event in match["events"])


def test_a_round_under_way_goes_on_and_one_that_was_stopped_stays_so(ann):
    match = ann.get("/api/matches/m_open")
    assert match["position"]["fields"] == {"aside": [], "thrown": [5, 3, 2], "left": 2, "turns": 0}
    assert ann.finish(match, best)[-1]["result"]["outcome"] == "done"
    match = ann.get("/api/matches/m_stopped")
    assert match["position"]["notation"] == "1+63, 1 left"
    assert match["result"]["sentence"] == "The game was stopped before its end."
    assert ann.get("/api/matches/m_pig")["title"] == "pig target=10"
    assert {one["title"]: one["played"] for one in ann.get("/api/history")["totals"]} == {
        "421-round utility=goal:421": 4,
        "421-round player=next": 1,
        "yahtzee-round dice=2 casts=4": 1,
    }


def test_a_file_is_carried_over_once_and_one_of_a_later_lab_is_refused(ann, tmp_path):
    before = ann.get("/api/matches/m_worst")
    again = Visitor(open_lab(tmp_path), ann.headers)
    assert again.get("/api/matches/m_worst") == before
    with sqlite3.connect(tmp_path / "lab.db") as file:
        assert file.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
        file.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    file.close()
    assert before["practice"] is None  # nothing was ever taken back there
    said = f"it has version {len(STEPS) + 1} and this lab reads {len(STEPS)}; name another"
    with pytest.raises(DicelabError, match=said):
        open_lab(tmp_path)
