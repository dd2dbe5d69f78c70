"""The tables on the pages of 421 say what the machine says."""

import re
from fractions import Fraction
from pathlib import Path

from dicelab.rounds import Round, cut, effort, evaluate, mistakes, policy, solve

DOCS = Path(__file__).parents[2] / "docs"
GAME = DOCS.joinpath("games", "421-round.md").read_text("utf-8")
STUDY = DOCS.joinpath("papers", "421.md").read_text("utf-8")


def rows(page, first_cell):
    """Return the cells of the table rows that begin with a cell."""
    lines = [line for line in page.splitlines() if line.startswith(f"| {first_cell} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")][1:] for line in lines]


def test_the_page_has_the_headings_of_every_game():
    headings = re.findall(r"^## (.*)$", GAME, re.MULTILINE)
    assert headings == ["Rules", "Notation", "What is known", "Strategies", "Commands", "Sources"]


def test_the_best_values_on_the_page():
    for name in ("goal:421", "goal:123+224+345", "transfer", "sum"):
        (cells,) = rows(GAME, f"`{name}`")
        for player, (fraction, decimal) in zip(
            ("first", "next"), (cells[:2], cells[2:]), strict=True
        ):
            value = solve(Round(), name, player).value
            assert (fraction, decimal) == (str(value), cut(value))


def test_five_of_a_kind_on_the_page():
    found = re.search(r"Yahtzee has the chance ([0-9]+/[0-9]+)", GAME)
    game = Round(5, keep="any")
    assert Fraction(found[1]) == solve(game, lambda faces: int(len(set(faces)) == 1)).value


def test_the_cells_beyond_the_study():
    for name in ("goal:123", "goal:123+224+345", "transfer", "sum"):
        cells = rows(STUDY, f"`{name}`")[0]
        best = solve(Round(), name).value
        ours = [policy(each, Round(), name, "next") for each in ("h0s1", "h1s1", "optimal")]
        assert cells == [cut(evaluate(plan, name).value / best) for plan in ours]


def test_horizon_and_revision_apart():
    for name in ("transfer", "sum"):
        cells = rows(STUDY, f"`{name}`")[1]
        best = solve(Round(), name).value
        ours = [policy(each, Round(), name) for each in ("h0s0", "h0s0r1", "h1s0r0", "h1s0")]
        assert cells == [cut(evaluate(plan, name).value / best) for plan in ours]


def test_the_operations_on_the_study_page():
    def first(name, casts=3):
        return effort(name, Round(casts=casts), "transfer").first.operations

    assert "about 906 operations" in " ".join(STUDY.split())
    assert round(float(first("optimal"))) == 906
    assert first("optimal", 4) - first("optimal") == 1084
    assert (first("h1s1"), first("h0s0")) == (4466, 117)
    assert int(first("h1s0")) == 248
    assert first("optimal", 6) < first("h1s1", 6) == first("h1s1", 7) < first("optimal", 7)


def test_the_mistakes_on_the_study_page():
    found = mistakes(policy("h1s1", Round(), "transfer"), "transfer")
    assert len(found) == 13
    assert str(found[0]).startswith("after cast 1 at 511: keeps 511, best 11 ")
