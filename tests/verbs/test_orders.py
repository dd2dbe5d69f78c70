"""Who starts: matches of rounds against every way they can go, a toss, and goals about them."""

from fractions import Fraction
from itertools import product

import pytest

from dicelab import compile
from dicelab.games.pig import Pig
from dicelab.rules.dice import Die
from dicelab.verbs.numbers import Numbers
from dicelab.verbs.orders import asked_in, match

BY_A = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
BY_B = Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)


def played_out(rule, rounds, starter):
    """Return the same by going through every sequence of results, none ended early."""
    ends, starts = [Fraction(0)] * 3, [Fraction(0)] * 2
    for results in product((1, -1, 0), repeat=rounds):
        who, lead, chance = starter, 0, Fraction(1)
        begun = [0, 0]
        for place, result in enumerate(results):
            if abs(lead) <= rounds - place:
                begun[who] += 1
            chance *= (BY_A, BY_B)[who][(1, -1, 0).index(result)]
            lead += result
            loser = {1: 1, -1: 0, 0: who}[result]
            winner = {1: 0, -1: 1, 0: who}[result]
            who = {"alternate": 1 - who, "loser": loser, "winner": winner}[rule]
        ends[0 if lead > 0 else 1 if lead < 0 else 2] += chance
        starts = [total + chance * count for total, count in zip(starts, begun, strict=True)]
    return *ends, tuple(starts)


@pytest.mark.parametrize("rule", ["alternate", "loser", "winner"])
@pytest.mark.parametrize("starter", [0, 1])
def test_a_match_is_what_all_its_sequences_of_results_say(rule, starter):
    for rounds in (1, 2, 3, 5):
        found = match(f"{rule}:{rounds}", BY_A, BY_B, starter)
        told = found.a_wins, found.b_wins, found.draws, found.starts
        assert told == played_out(rule, rounds, starter)


def test_to_win_a_round_may_be_worse_where_the_loser_starts():
    # Who starts always wins, and the loser starts: of two rounds everybody wins one, and of three
    # the first winner wins the third. Rounds that may be drawn are never said to be best play.
    sure = Fraction(1), Fraction(0), Fraction(0)
    other = Fraction(0), Fraction(1), Fraction(0)
    assert match("loser:3", sure, other).is_best
    assert match("alternate:3", sure, other).is_best
    assert not match("loser:3", BY_A, BY_B).is_best


def test_numbers_of_a_match_follow_from_its_rounds():
    # To 2 with a die of two sides a turn wins with 1/2, so who starts wins with 2/3, in 2 turns.
    shared = Numbers(Pig(target=2, die=Die(2)), exact=True)
    names = ["value", "advantage", "overall", "wins", "loses", "draws", "never_ends", "length"]
    told = [number.fraction for number in asked_in("loser:3", shared, (), names)]
    # 2/3 (1/3 + 2/3 2/3) + 1/3 (2/3 1/3); a third round follows one win each: 2/3 2/3 + 1/3 2/3
    assert told == [
        "16/27",
        "5/27",
        "1/2",
        "16/27",
        "11/27",
        "0",
        "0",
        str(2 * (2 + Fraction(2, 3))),
    ]
    assert [number.fraction for number in asked_in("alternate:2", shared, (), names[:2])] == [
        "1/2",
        "0",
    ]
    assert [number.fraction for number in asked_in("toss", shared, (), names)] == [
        *("1/2", "0", "1/2", "1/2", "1/2", "0", "0", "2"),
    ]


def test_of_two_who_play_differently_each_starts_as_himself():
    shared = Numbers(Pig(target=4, die=Die(2)), exact=True)
    players = ("hold-at:2", "roll-to-win")
    there = shared.asked(players, ["wins", "loses"])
    back = shared.asked(players[::-1], ["wins", "loses"])
    a, b = ([Fraction(each.fraction) for each in told] for told in (there, back))
    (wins, length) = asked_in("alternate:2", shared, players, ["wins", "length"])
    assert Fraction(wins.fraction) == a[0] * b[1]  # both rounds
    both = [shared.asked(each, ["length"])[0].fraction for each in (players, players[::-1])]
    assert Fraction(length.fraction) == sum(map(Fraction, both))
    (toss,) = asked_in("toss", shared, players, ["wins"])
    assert Fraction(toss.fraction) == (a[0] + b[1]) / 2


@pytest.mark.parametrize(
    ("game", "order", "name", "sentence"),
    [
        (
            Pig(target=3),
            "loser:3",
            "within:20",
            "within:20 of a match of rounds is not worked out: ask for it of one game",
        ),
        (
            Pig(target=3),
            "toss",
            "median",
            "median is not an average, so that a toss has none of its own",
        ),
        (
            Pig(target=3, players=3),
            "loser:3",
            "value",
            "pig target=3 players=3 is played by 3: a match of rounds is for two",
        ),
    ],
)
def test_numbers_that_an_order_does_not_have_are_refused(game, order, name, sentence):
    (told,) = asked_in(order, Numbers(game), (), [name])
    assert told.refused == sentence


def test_three_seats_by_toss_share_alike():
    game = Pig(target=3, players=3)
    value, advantage = asked_in("toss", Numbers(game, exact=True), (), ["value", "advantage"])
    assert (value.fraction, advantage.fraction) == ("1/3", "0")
    assert len(compile(game)) > 0
