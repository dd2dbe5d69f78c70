"""What a long piece of work takes, in words."""

import pytest

from dicelab.core.forecast import Forecast


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(75, "75 seconds"), (600, "10 minutes"), (5400, "1.5 hours")],
)
def test_a_forecast_is_told_in_words(seconds, told):
    found = Forecast("3,213 openings of sets", 7.2e9, seconds)
    assert found.sentence == f"3,213 openings of sets, about 7.2 GB and {told}"


def test_what_is_done_several_times_takes_as_long_each_time():
    once = Forecast("9 standings", 1e9, 50)
    assert not once.is_long
    assert once.times(3).is_long
    assert once.times(3).sentence == "9 standings, about 1 GB and 2 minutes"
