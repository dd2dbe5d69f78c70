"""The names that `dicelab.rounds` gives away."""

import dicelab.rounds as rounds


def test_every_name_is_there_sorted_and_documented():
    assert rounds.__all__ == sorted(rounds.__all__)
    for name in rounds.__all__:
        assert getattr(rounds, name).__doc__
