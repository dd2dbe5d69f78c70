"""The benchmark as a table, with other dice, other policies and costs; and the figures."""

from fractions import Fraction

import pytest

from dicelab.plots import save
from dicelab.plots.rounds import chart_figure, cost_figure
from dicelab.rounds import Round, benchmark, charts, cut, evaluate, policy
from dicelab.rules.dice import Die


def test_any_utilities_and_policies_may_be_compared():
    game = Round(2, Die(4), 2)
    (table,) = benchmark(game, [max], ["random", "h2s1", "optimal"])
    assert [cell.policy for cell in table.cells[::2]] == ["random", "h2s1", "optimal"]
    assert table.cell("optimal", "first").optimality == 1
    assert table.cell("h2s1", "first").optimality == 1
    assert (
        table.cell("random", "next").value
        == evaluate(policy("random", game, None, "next"), max).value
    )


def test_next_players_may_have_fewer_casts():
    # with one cast imposed nobody decides anything: the mean of three dice
    (table,) = benchmark(Round(), ["sum"], ["optimal"], casts_imposed=1)
    assert table.cell("optimal", "next").value == Fraction(21, 2)


def test_a_utility_that_is_never_positive_has_no_optimality():
    (table,) = benchmark(Round(1), [lambda faces: -sum(faces)], ["optimal"])
    assert table.best < 0
    assert table.cell("optimal", "first").optimality is None


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("349621/93312", "3.7467"),
        ("14", "14"),
        ("3/4", "0.75"),
        ("9990079/10000000", "0.99900"),
        ("-2/3", "-0.66666"),
        ("1234567/2", "617283"),
        ("1/1000", "0.001"),
        ("7/700000", "0.00001"),
    ],
)
def test_decimals_are_cut_and_not_rounded(number, shown):
    assert cut(Fraction(number)) == shown


def test_costs_come_with_the_table_when_asked():
    (table,) = benchmark(Round(1), ["sum"], ["h0s0", "optimal"], costs=True)
    assert table.cell("h0s0", "first").effort.first.terms == 6
    assert table.cell("optimal", "next").effort.first.terms > 0


def test_the_charts_make_a_figure_with_a_panel_for_each_goal(tmp_path):
    figure = chart_figure(charts(Round()), "421")
    shown = [axis for axis in figure.axes if axis.get_visible()]
    assert [axis.get_title() for axis in shown] == [
        f"goal {goal}" for goal in ("1", "11", "12", "111", "112", "123")
    ]
    rows = [[label.get_text() for label in axis.get_yticklabels()] for axis in shown]
    assert rows[2] == ["12", "11", "13", "33", "34"]
    assert sum(map(len, rows)) == 42  # 6 on the diagonal and 36 others
    assert min(label.get_fontsize() for axis in shown for label in axis.get_yticklabels()) >= 10
    save(figure, tmp_path / "charts.svg")
    assert (tmp_path / "charts.svg").read_text()[:5] == "<?xml"


def test_optimality_is_drawn_against_operations(tmp_path):
    tables = benchmark(Round(2, Die(3), 2), ["sum"], ["h0s0", "h1s0", "optimal"], costs=True)
    figure = cost_figure(tables, "costs")
    (axis,) = figure.axes
    first = axis.get_lines()[0]
    assert [round(float(y), 6) for y in first.get_ydata()] == [
        round(float(tables[0].cell(name, "first").optimality), 6)
        for name in ("h0s0", "h1s0", "optimal")
    ]
    save(figure, tmp_path / "costs.png")
    assert (tmp_path / "costs.png").stat().st_size > 10_000
