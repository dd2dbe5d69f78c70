"""Wrong decisions, what each costs, and what they add up to."""

from fractions import Fraction

import pytest

from dicelab.rounds import Round, evaluate, mistakes, policy, presence, solve

GAME = Round()


@pytest.mark.parametrize("player", ["first", "next"])
@pytest.mark.parametrize("name", ["h0s0", "h1s0", "h1s1", "h1s0r0", "random", "ratchet:666"])
@pytest.mark.parametrize("worth", ["transfer", "sum"])
def test_mistakes_add_up_to_what_a_policy_loses(name, player, worth):
    # telescoping: each decision costs its gap to the best, weighed by how often it is made
    plan = policy(name, GAME, worth, player)
    lost = solve(GAME, worth, player).value - evaluate(plan, worth).value
    assert sum(mistake.loss for mistake in mistakes(plan, worth)) == lost


def test_best_play_makes_no_mistakes_anywhere():
    plan = policy("optimal", GAME, "transfer", ties="even")
    assert mistakes(plan, "transfer", every=True) == []


def test_a_mistake_by_hand():
    # one die, two casts: stopping on 3 gives up 7/2 - 3
    game = Round(1, casts=2)
    plan = policy("ratchet:3", game)
    found = {(m.cast, game.write_table(m.table)): m for m in mistakes(plan, "sum")}
    stopped = found[1, "3"]
    assert (stopped.cost, stopped.chance, stopped.loss) == (
        Fraction(1, 2),
        Fraction(1, 6),
        Fraction(1, 12),
    )
    assert str(stopped) == "after cast 1 at 3: keeps 3, best - (costs 1/2, chance 1/6)"
    # throwing a 6 again gives up 6 - 7/2
    assert found[1, "6"].cost == Fraction(5, 2)


def test_the_most_expensive_on_the_whole_comes_first():
    losses = [mistake.loss for mistake in mistakes(policy("h1s0", GAME, "sum"), "sum")]
    assert losses == sorted(losses, reverse=True)
    assert min(losses) > 0


def test_tables_never_met_are_listed_only_when_asked():
    plan = policy("ratchet:421", GAME)
    met, every = (mistakes(plan, "transfer", every=way) for way in (False, True))
    where = presence(plan)
    assert len(met) < len(every)
    assert all(where.tables[mistake.cast - 1][mistake.table] > 0 for mistake in met)
