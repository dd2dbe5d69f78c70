"""How many may play, and what rules for three and more must say."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from dicelab import (
    DRAW,
    LOSS,
    ONGOING,
    OTHER,
    SAME,
    WIN,
    HouseRules,
    best_response,
    check,
    compare,
    exploitability,
    iterate,
    solve,
)
from dicelab.errors import DicelabError

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Flips(HouseRules):
    """Whoever flips heads first has won."""

    players: Any = 3  # type: ignore[misc]
    name: ClassVar[str] = "flips"

    def start(self):
        return "flip"

    def choices(self, at):
        return ["flip"]

    def outcomes(self, at, move):
        yield HALF, "over", OTHER
        yield HALF, "flip", OTHER

    def result(self, at):
        # The turn has passed on, so that the winner sits last.
        return self.won_by(self.players - 1) if at == "over" else ONGOING


def refusal(work, *given):
    with pytest.raises(DicelabError) as told:
        work(*given)
    return str(told.value)


@pytest.mark.parametrize("players", [0, -1, 101, 2.5, True, "three"])
def test_nobody_too_many_and_parts_of_players_are_refused(players):
    assert refusal(solve, Flips(players=players)).endswith(
        f"says players = {players!r}: a game is played by 1, by 2, or by as many as sit at the "
        f"table, up to 100"
    )


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_same_rules_serve_any_number_of_players(players):
    whole = 2**players - 1
    found = solve(Flips(players=players), exact=True)
    assert found.value == Fraction(2 ** (players - 1), whole)


def test_of_three_somebody_has_won_and_a_loss_says_not_who():
    kind = type("Flips", (Flips,), {"result": lambda self, at: LOSS if at == "over" else ONGOING})
    message = (
        "result() of flips answers LOSS at 'over': of 3 players somebody has won, "
        "self.won_by(seat) counted from the player about to move; or it is DRAW or ONGOING"
    )
    assert refusal(solve, kind()) == message
    assert check(kind()).lines()[1].startswith(message)


def test_a_turn_passes_to_somebody_at_the_table():
    kind = type("Flips", (Flips,), {"outcomes": lambda self, at, move: [(1, "over", 3)]})
    assert (
        "who moves next is SAME, OTHER for the next player, or so many seats on, up to 2: got 3"
        in (refusal(solve, kind()))
    )


def test_several_may_win_together_each_the_whole_game():
    kind = type(
        "Flips",
        (Flips,),
        {"result": lambda self, at: self.won_by(0, 2) if at == "over" else ONGOING},
    )
    # Who flips heads wins with the player before him, who then is about to flip again in two turns.
    assert solve(kind(), exact=True).shares == [Fraction(5, 7), Fraction(6, 7), Fraction(3, 7)]
    assert refusal(solve, kind(players=7)) == (
        "flips is played by 7: several may win together where 3 to 6 play"
    )


def test_points_on_the_way_have_nobody_to_pay_them():
    kind = type("Flips", (Flips,), {"outcomes": lambda self, at, move: [(1, "over", OTHER, 5)]})
    assert refusal(solve, kind()) == (
        "flips gains points on the way, and of 3 players nobody is said to pay them: keep them in "
        "the position and say in payoff() what each gets at the end"
    )


def test_three_share_out_one_pot():
    worth = {WIN: Fraction(1), LOSS: Fraction(0), DRAW: Fraction(1, 2)}
    kind = type("Flips", (Flips,), {"worth": worth})
    assert refusal(solve, kind()) == (
        "flips cannot be solved: a win and 2 losses are worth 1 together, so that a draw must be "
        "worth 1/3 to each of 3: got 1/2"
    )
    kind = type("Flips", (Flips,), {"never": Fraction(0)})
    assert refusal(solve, kind()) == (
        "flips cannot be solved: a win and 2 losses are worth 1 together, so that never must be "
        "worth 1/3 to each of 3: got 0"
    )


class Shares(Flips):
    name = "shares"

    def outcomes(self, at, move):
        yield HALF, "over", OTHER
        yield HALF, "done", SAME

    def result(self, at):
        return ONGOING if at == "flip" else DRAW

    def payoff(self, at):
        return (1, 2, 3) if at == "over" else (0, 4, 2)


def test_an_end_may_pay_each_player():
    # Heads turn the table once: who flipped is then the last. Half of each.
    found = solve(Shares(), exact=True)
    assert found.shares == [Fraction(3, 2), Fraction(5, 2), Fraction(2)]
    assert found.unit == "points"


def test_payoffs_that_share_out_two_pots_are_refused():
    kind = type(
        "Shares", (Shares,), {"payoff": lambda self, at: (1, 2, 3) if at == "over" else (9, 9, 9)}
    )
    assert refusal(solve, kind()) == (
        "payoff() of shares shares out 6 at one end and 27 at another: all ends share out one pot"
    )
    kind = type("Shares", (Shares,), {"payoff": lambda self, at: 6})
    assert refusal(solve, kind()) == (
        "payoff() of shares answers 6 at 'over': it says what each of 3 players gets, the one "
        "about to move first"
    ) or "at 'done'" in refusal(solve, kind())


@pytest.mark.parametrize(
    ("work", "what"),
    [
        (lambda game: compare(game, "random", "random"), "be compared in pairs of games"),
        (lambda game: iterate(game, "random"), "be climbed by replies to replies"),
        (
            lambda game: exploitability(game, "random"),
            "be asked what a perfect opponent takes",
        ),
    ],
)
def test_what_is_for_two_is_refused_to_three(work, what):
    assert refusal(work, Flips()) == (
        f"flips is played by 3 and cannot {what}: that is for one player or two; solve, evaluate, "
        f"respond, explain, density, simulate and tournament take more"
    )


def test_a_purpose_is_for_one_or_two():
    assert refusal(lambda game: solve(game, for_="win"), Flips()) == (
        "flips is for 3 players and for its own aim only: got 'win'; for another they must share "
        "out one pot as well, which payoff() can say"
    )


def test_what_never_ending_is_worth_is_not_for_three_to_say():
    assert refusal(lambda game: best_response(game, "random", never=HALF), Flips()) == (
        "flips is played by 3, who share out what the rules say: leave out never"
    )


def test_little_is_wanted_only_by_who_plays_alone():
    kind = type("Flips", (Flips,), {"fewest": True})
    assert refusal(solve, kind()) == (
        "flips is for 3 players and says fewest = True: only who plays alone can want little; "
        "between 3 players, give the end that is wanted the larger worth"
    )


def test_results_of_arrays_are_checked_for_three():
    from dicelab.rules import answers

    class Place(tuple):
        _fields = ("at",)

    together = {Flips().won_by(*seats) for seats in ((0, 1), (0, 2), (1, 2), (0, 1, 2))}
    alone = {ONGOING, WIN, DRAW, DRAW + 1, DRAW + 2}
    assert answers.results_of(Flips()) == alone | together
    assert len(together) == 4
    assert not together & alone
    assert (
        np.asarray(answers.check_results(Flips(players=2), np.array([0, 1, 2, 3]), None)).size == 4
    )
