"""Cells that hold what people wrote: no spreadsheet runs them, and they come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from dicelab.core.csv_cells import guarded, guarded_row, unguarded


@given(st.text(alphabet="=+-@'\t1a|", max_size=6))
def test_what_was_guarded_comes_back_and_begins_no_formula(text):
    cell = guarded(text)
    assert unguarded(cell) == text
    if not cell.startswith(("'", "1", "a", "|")) and cell not in ("", "-"):
        assert float(cell) == float(text)  # a number, which a spreadsheet may read as one


def test_numbers_and_dashes_stay_as_they_are():
    plain = ["-", "-1", "+0.5", "-1e-05", "-3/4", "ann", "'tis", ""]
    assert [guarded(one) for one in plain] == plain
    assert guarded_row(["=1", -1, 0.5, None]) == ["'=1", -1, 0.5, None]
