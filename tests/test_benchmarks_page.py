"""The page of benchmarks shows what the last run found, and nothing else."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("page")


@pytest.fixture
def found():
    return json.loads((ROOT / "docs" / "data" / "benchmarks.json").read_text(encoding="utf-8"))


def test_every_table_on_the_page_is_made_from_the_numbers_beside_it(page, found):
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    tables = page.tables(found)
    assert len(tables) == 8
    for name, table in tables.items():
        assert f"<!-- measured: {name} -->\n\n{table}\n\n<!-- end -->" in text


def test_nobody_failed_and_everybody_was_there(found):
    for runs in found["two players"].values():
        assert all("value" in run for run in runs.values())
    assert all("value" in run for run in found["one player"].values())
    assert set(found["two players"]) == {
        "dicelab",
        "specialist",
        "pure Python",
        "OpenSpiel",
        "PAYNT",
    }


def test_games_with_many_ways_back_are_solved_up_to_a_million_positions(found):
    for sizes in found["ways back"].values():
        assert max(runs["solve"]["positions"] for runs in sizes.values()) > 900_000
        for runs in sizes.values():
            ours, plain = runs["solve"], runs["iteration"]
            assert ours["error"] < 1e-9
            assert abs(ours["value"] - plain["value"]) < 1e-9


def test_games_grow_by_two_decades(found):
    for name, runs in found["growth"].items():
        positions = [run["positions"] for run in runs.values()]
        assert max(positions) >= 100 * min(positions), name


def test_an_exponent_is_the_slope_of_a_power(page):
    # Four times the positions, eight times the seconds: 3/2.
    runs = [{"positions": 4**n, "solve": 8.0**n} for n in range(1, 6)]
    assert page.growth.exponent(runs, "solve") == pytest.approx(1.5)


def test_an_error_is_certified_or_measured(page):
    reference = {"value": 0.5, "error": 1e-13}
    assert page.error({"value": 0.5, "error": 2e-13}, reference) == "2e-13, certified"
    assert page.error({"value": 0.50001}, reference) == "1e-05"
    assert page.error({"value": 0.5}, reference) == "below 1e-13"
