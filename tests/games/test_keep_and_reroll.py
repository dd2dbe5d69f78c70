"""Rounds as games: the same numbers as the round's own engine, through the ordinary verbs."""

from fractions import Fraction

import pytest

from dicelab import compile, density, evaluate, explain, game, rounds, simulate, solve
from dicelab.errors import RulesError, UnknownPosition, UnreadablePosition

WORTHS = ["transfer", "rank", "sum", "goal:421", "goal:111*2+321"]
POLICIES = ["h0s0", "h0s1", "h1s0", "h1s1", "random", "ratchet:421", "bernoulli:111"]


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("worth", WORTHS)
def test_best_play_is_worth_what_the_engine_of_rounds_finds(worth, player):
    found = solve(game("421-round", utility=worth, player=player), exact=True)
    assert found.value == rounds.solve(rounds.Round(), worth, player=player).value


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_earns_what_the_engine_of_rounds_says(name):
    played = name if name == "random" or ":" in name else f"policy:{name}"
    found = evaluate(game("421-round"), played, exact=True)
    plan = rounds.policy(name, rounds.Round(), "transfer")
    assert found.value == rounds.evaluate(plan, "transfer").value


def test_a_round_of_yahtzee_has_a_closed_form():
    # Each die is cast until it shows a six, at most three times.
    found = solve(game("yahtzee-round", utility="goal:66666"), exact=True)
    assert found.value == (1 - Fraction(5, 6) ** 3) ** 5


def test_what_was_kept_stays_in_421_and_not_at_yahtzee():
    assert "keep 1" not in compile(game("421-round")).game.choices(
        game("421-round").parse("4+21, 1 left")
    )
    other = game("yahtzee-round", dice=3)
    assert "keep 1" in other.choices(other.parse("4+21, 1 left"))


def test_density_is_the_presence_of_the_study():
    table = compile(game("421-round"))
    where = density(table, "ratchet:111")
    seen = rounds.presence(rounds.ratchet(rounds.Round(), "111"))
    over = {n: table.notation(n) for n in range(len(table)) if not table.is_ongoing[n]}
    for number, notation in over.items():
        chance = float(seen.result_of(notation.removesuffix(", over")))
        assert where.visits[0][number] == pytest.approx(chance, abs=1e-12)


def test_a_position_is_asked_about_in_the_words_of_the_study():
    said = explain(solve(game("421-round", utility="goal:421")), "4+61, 1 left")
    assert (said.moves[0].move, said.moves[0].value) == ("keep 41", pytest.approx(1 / 6))


@pytest.mark.parametrize(
    "text", ["3 left", "421, 2 left", "4+21, 1 left", "6+65, 0 left", "421, over"]
)
def test_a_notation_reads_back(text):
    rules = game("421-round")
    assert rules.notation(rules.parse(text)) == text


def test_a_simulation_agrees_with_the_exact_value():
    found = simulate(game("421-round"), "policy:h1s1", games=2000, seed=1)
    exact = float(evaluate(game("421-round"), "policy:h1s1", exact=True).value)
    assert found.value.low - 0.1 < exact < found.value.high + 0.1


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        (
            lambda: game("421-round", utility="luck"),
            RulesError,
            "no utility called 'luck'; write 'goal:123', 'goal:123+224', 'rank', "
            "'sum' or 'transfer'",
        ),
        (
            lambda: game("421-round", player="last"),
            RulesError,
            "the player is 'first' (may stop early) or 'next' (must use every cast): got 'last'",
        ),
        (
            lambda: game("421-round").parse("threw 421"),
            UnreadablePosition,
            "cannot read 'threw 421' as a position of 421-round: write the dice aside, those just "
            "thrown and the casts left, like '4+21, 1 left'",
        ),
        (
            lambda: solve(game("421-round")).value_at("4+21, 2 left"),
            UnknownPosition,
            "no play of 421-round leads to 4+21, 2 left: try the start, '3 left'",
        ),
    ],
)
def test_what_is_no_round_is_refused_in_a_sentence(asked, error, said):
    with pytest.raises(error) as refused:
        asked()
    assert str(refused.value) == said
