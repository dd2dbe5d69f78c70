"""The match of 421, against the same match told again without the package."""

from fractions import Fraction
from itertools import product

import pytest

from dicelab import compile, evaluate, explain, game, solve
from dicelab.errors import RulesError, UnknownPosition, UnknownStrategy, UnreadablePosition
from dicelab.games.four21.match import FourTwentyOne
from dicelab.games.four21.match_rules import SHORT, STARTS
from dicelab.rules import Moment
from dicelab.rules.dice import Die
from four21_match import Twin

SMALL = {"casts": 2, "die": Die(4)}


def outcomes(match, text, move):
    """What may follow a move, by notation."""
    found = {}
    for chance, outcome in match.law(match.parse(text), move):
        there = match.write(outcome.at)
        found[there] = found.get(there, 0) + chance
    return found


@pytest.fixture(scope="module")
def solved():
    """The match with eleven tokens."""
    return solve(FourTwentyOne())


@pytest.mark.parametrize(("starts", "short"), list(product(STARTS, SHORT)))
def test_small_matches_are_worth_what_the_twin_says_at_all_tokens(starts, short):
    twin = Twin(3, starts, short, casts=2, sides=4).solve()
    found = solve(FourTwentyOne(tokens=3, starts=starts, short=short, **SMALL))
    for mine, yours in product(range(3), repeat=2):
        if mine + yours <= 3:
            at = f"{mine}-{yours}"
            assert found.value_at(at) == pytest.approx(twin[mine, yours], abs=1e-12)


@pytest.mark.parametrize("tokens", [1, 2])
def test_where_no_token_comes_back_the_value_is_the_same_fraction(tokens):
    # At 1-1 whoever hands over a token has won, so that no set is played twice.
    twin = Twin(tokens, casts=2, sides=4, number=Fraction).solve()
    assert solve(FourTwentyOne(tokens=tokens, **SMALL), exact=True).value == twin[0, 0]


def test_eleven_tokens_are_certified_and_worth_what_the_twin_says(solved):
    # 0.558056165827788 by value iteration in plain NumPy (tests/four21_match.py)
    assert float(solved.value) == pytest.approx(0.558056165827788, abs=1e-12)
    assert float(solved.upper) - float(solved.lower) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("starts", "short"), list(product(STARTS, SHORT)))
def test_eleven_tokens_under_every_rule(starts, short):
    twin = Twin(11, starts, short).solve()
    found = solve(FourTwentyOne(starts=starts, short=short))
    assert (found.uppers - found.lowers).max() < 1e-12
    for mine, yours in product(range(11), repeat=2):
        if mine + yours <= 11 and ((mine and yours) or mine + yours < 11):
            assert found.value_at(f"{mine}-{yours}") == pytest.approx(twin[mine, yours], abs=1e-12)


@pytest.mark.parametrize(
    ("throw", "best"),
    [
        ("511", "stop"),
        ("222", "stop"),
        ("654", "stop"),
        ("543", "stop"),
        ("322", "keep 2"),
        ("522", "keep 2"),
        ("622", "keep 2"),
        ("332", "keep 2"),
        ("421", "stop"),
        ("661", "keep 1"),
    ],
)
def test_first_throws_of_a_match_are_kept_as_the_twin_keeps_them(solved, throw, best):
    assert explain(solved, f"0-0, threw {throw}").moves[0].move == best


def test_the_lower_combination_takes_what_the_higher_says():
    match = FourTwentyOne()
    # against a 421 everything else takes ten tokens, and so does another 421, thrown last
    after = outcomes(match, "0-0 pot 11, other 421, 42 aside, cast 2 of 2", "cast beside 42")
    assert after == {"10-0 pot 1": 1}
    # beside 21: 221 is equal and takes one; 421 hands over ten, 211 two, 321 two, 521 and 621 one
    after = outcomes(match, "0-0 pot 11, other 221, 21 aside, cast 2 of 2", "cast beside 21")
    sixth = Fraction(1, 6)
    assert after == {
        "1-0 pot 10": 3 * sixth,  # taken by the last thrower once, by the other twice
        "2-0 pot 9": 2 * sixth,
        "10-0 pot 1": sixth,
    }


def test_in_the_discharge_the_higher_gives_and_no_more_than_he_has():
    after = outcomes(
        FourTwentyOne(), "7-4 pot 0, other 421, 22 aside, cast 2 of 2", "cast beside 22"
    )
    assert after == {"11-0 pot 0": 1}  # the other hands over four, all he had, and has won


@pytest.mark.parametrize(
    ("short", "then"), [("rest", "9-2 pot 0"), ("highest", "11-0 pot 0"), ("void", "6-2 pot 3")]
)
def test_what_happens_where_the_pot_holds_too_few(short, then):
    match = FourTwentyOne(short=short)
    after = outcomes(match, "6-2 pot 3, other 421, 22 aside, cast 2 of 2", "cast beside 22")
    assert after == {then: 1}


@pytest.mark.parametrize(
    ("starts", "then"),
    [
        ("loser", "1-0 pot 10"),
        ("winner", "0-1 pot 10"),
        ("alternate", "1-0 pot 10"),
        ("fixed", "0-1 pot 10"),
    ],
)
def test_who_begins_the_next_set(starts, then):
    match = FourTwentyOne(starts=starts)
    after = outcomes(match, "0-0 pot 11, other 665, 66 aside, cast 2 of 2", "cast beside 66")
    assert after[then] >= Fraction(1, 6)


def test_the_first_player_may_stop_and_the_next_may_not():
    match = FourTwentyOne()
    ways = match.legal_moves(match.read("0-0 threw 421"))
    assert ways == [
        "keep nothing",
        "keep 1",
        "keep 2",
        "keep 4",
        "keep 21",
        "keep 41",
        "keep 42",
        "stop",
    ]
    after = match.legal_moves(match.read("0-0, other 654 in 2, threw 421"))
    assert after == ways[:-1]


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("3-2", "3-2 pot 6"),
        ("tokens 3-2, pot 6", "3-2 pot 6"),
        ("3-2 pot 6 threw 421", "3-2 pot 6 threw 1 2 4"),
        ("3-2, 4 aside, threw 61, 1 cast left", "3-2 pot 6, 4 aside, cast 2 of 3 threw 1 6"),
        ("3-2; the other threw 654 in 2 casts", "3-2 pot 6, other 654, cast 1 of 2"),
        ("3-2 the other threw 654 in two casts", "3-2 pot 6, other 654, cast 1 of 2"),
        ("3-2, threw 5,1,1", "3-2 pot 6 threw 1 1 5"),
        ("3-2, I kept 4, threw 6,1, 1 cast left", "3-2 pot 6, 4 aside, cast 2 of 3 threw 1 6"),
        (
            "3-2, I kept 4, threw 6 1, one cast left",
            "3-2 pot 6, 4 aside, cast 2 of 3 threw 1 6",
        ),
        (
            "3-2, the other player threw 654 in 3 casts, I have 4 aside, I threw 61, 1 left",
            "3-2 pot 6, other 654, 4 aside, cast 2 of 3 threw 1 6",
        ),
    ],
)
def test_a_question_in_words_is_read(asked, written):
    match = FourTwentyOne()
    at = match.read(asked)
    assert match.write(at) == written
    assert match.read(written) == at
    assert isinstance(at, Moment) == ("threw" in written)


EXAMPLE = "5-6 pot 0, other 321, cast 1 of 2 threw 1 5 6"


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ("7-6", UnknownPosition, "7 and 6 tokens are more than there are in 421: 11 in all"),
        (
            "3-2 pot 7",
            UnknownPosition,
            "3 and 2 tokens and 7 in the pot make 12: there are 11 in 421",
        ),
        (
            "nonsense",
            UnreadablePosition,
            "cannot read 'nonsense' as a position of 421: write tokens and pot, what the other "
            f"threw, the dice aside, the cast and what you threw, like {EXAMPLE!r}",
        ),
        (
            "3-2, other 654",
            UnknownPosition,
            "say in how many casts the other threw it, such as 'other 654 in 2': "
            "got '3-2, other 654'",
        ),
        (
            "3-2, 4 aside",
            UnknownPosition,
            "say which cast it is, such as 'cast 2 of 3': got '3-2, 4 aside'",
        ),
        ("3-2 threw 6543211", UnknownPosition, "6543211 has 7 dice: 3 wanted here"),
        (
            "11-0, threw 421",
            UnknownPosition,
            "the match is over at 11-0 pot 0: nobody casts there",
        ),
        ("3-2, 421 aside", UnknownPosition, "with 421 aside no die is left in '3-2, 421 aside'"),
        (
            "3-2, other 654 in 2, cast 1 of 3",
            UnknownPosition,
            "the round has 2 casts in '3-2, other 654 in 2, cast 1 of 3'",
        ),
        (
            "3-2, 4 aside, cast 1 of 3",
            UnknownPosition,
            "no round of 421 comes to '3-2, 4 aside, cast 1 of 3': it has 1 to 3 casts, "
            "and dice are put aside after the first",
        ),
        (
            "3-2, threw 421, 0 left",
            UnknownPosition,
            "the last cast counts as it lies: there is nothing to choose at "
            "3-2 pot 6, cast 3 of 3 once 1 2 4 is thrown",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(asked, error, message):
    with pytest.raises(error) as refused:
        FourTwentyOne().read(asked)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tokens": 0}, "421 needs 1 to 60 tokens: got tokens=0"),
        ({"players": 7}, "421 needs 2 to 6 players: got players=7"),
        (
            {"starts": "me"},
            "421 needs starts to be loser, winner, alternate or fixed: got starts=me",
        ),
        ({"short": "all"}, "421 needs short to be rest, highest or void: got short=all"),
        ({"casts": 0}, "421 needs 1 to 9 casts: got casts=0"),
        ({"die": Die(3)}, "421 needs a die with the faces 1 to 4 or more: got die=3"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(given, message):
    with pytest.raises(RulesError) as refused:
        game("421", **given)
    assert str(refused.value) == message


def test_the_sizes_are_known_before_the_work():
    for form in (FourTwentyOne(tokens=2, **SMALL), FourTwentyOne(tokens=3, casts=3, die=Die(5))):
        table = compile(form)
        assert form.size() == len(table)
        assert form.size() * form.branching() == pytest.approx(table.target.size)


def test_who_plays_for_a_utility_never_does_better_than_best_play():
    table = compile(FourTwentyOne(tokens=2, **SMALL))
    best = solve(table)
    for name in (
        "transfer",
        "rank",
        "goal:421",
        "ratchet:111",
        "beat",
        "transfer:h1s1",
        "rank:h0s0",
    ):
        met = evaluate(table, name, best.plan)
        assert met.first <= best.value + met.error


def test_not_to_be_the_lowest_is_best_where_one_token_is_all():
    # With one token whoever is lowest has lost.
    table = compile(FourTwentyOne(tokens=1))
    met = evaluate(table, "beat", solve(table).plan)
    assert met.first == pytest.approx(0.642757593296028, abs=1e-12)
    assert met.second == pytest.approx(0.642757593296028, abs=1e-12)


def test_a_policy_that_mixes_is_refused():
    with pytest.raises(UnknownStrategy) as refused:
        evaluate(FourTwentyOne(tokens=1, **SMALL), "transfer:random", "rank")
    assert str(refused.value) == (
        "random leaves to chance what it keeps: in a match a policy takes one way"
    )
