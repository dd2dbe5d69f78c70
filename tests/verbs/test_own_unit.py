"""Whoever is better is better in the game's own unit: draws and points count as the game says."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

from dicelab import compare, evaluate, fair_test, game, simulate, tournament
from dicelab.cli import app
from dicelab.core.intervals import score, share
from dicelab.errors import RulesError
from dicelab.plots.play import heat_map, one_against_all_picture
from dicelab.plots.style import signed
from dicelab.rules import DRAW, LOSS, ONGOING, OTHER, WIN, HouseRules
from dicelab.verbs.best_of_family import best_member

ENDS = {"won": WIN, "lost": LOSS, "drawn": DRAW}


@dataclass(frozen=True)
class OneChoice(HouseRules):
    """Whoever starts makes the only choice: a certain draw, or a throw that wins or loses."""

    name: ClassVar[str] = "one-choice"
    moves: ClassVar[tuple[str, ...]] = ("safe", "bold", "bolder")
    wins: ClassVar[dict[str, Fraction]] = {"bold": Fraction(2, 5), "bolder": Fraction(9, 20)}

    def start(self) -> str:
        """Return the position the game starts from."""
        return "start"

    def choices(self, at: str) -> Iterable[str]:
        """Return the moves allowed at a position."""
        return self.moves

    def outcomes(self, at: str, move: str) -> Iterator[tuple[Any, ...]]:
        """Yield (chance, next position, who moves next): how it ended is seen by the other."""
        if move == "safe":
            yield 1, "drawn", OTHER
            return
        yield self.wins[move], "lost", OTHER
        yield 1 - self.wins[move], "won", OTHER

    def result(self, at: str) -> int:
        """Return who has won, seen by the player about to move."""
        return ENDS.get(at, ONGOING)


@dataclass(frozen=True)
class ForStakes(OneChoice):
    """The same for a stake of three."""

    name: ClassVar[str] = "for-stakes"
    worth: ClassVar[dict[int, Fraction]] = {WIN: Fraction(3), LOSS: Fraction(-3), DRAW: Fraction(0)}
    unit: ClassVar[str] = "coins"


def always(move):
    """Return the strategy that always makes one move."""

    def choose(at):
        return move

    choose.__name__ = move
    return choose


SAFE, BOLD, BOLDER = (always(move) for move in OneChoice.moves)
# By hand, safe against bold: a draw when safe starts, and 3/5 when bold does: (1/2 + 3/5)/2 = 0.55,
# of which 0.3 are wins. Against bolder 0.525. So safe gets 0.5375 on average. Bolder gets 0.475
# against safe and (0.45 + 0.6)/2 = 0.525 against bold: 0.5, though it wins more often than safe.
BY_HAND = [[0.5, 0.55, 0.525], [0.45, 0.5, 0.475], [0.475, 0.525, 0.5]]


def test_a_tournament_ranks_by_what_is_got_and_not_by_bare_wins():
    found = tournament(OneChoice(), [SAFE, BOLD, BOLDER])
    assert np.allclose(found.values, BY_HAND, atol=1e-14)
    assert found.ranking == ["safe", "bolder", "bold"]
    assert np.allclose(found.share, [0.5375, 0.4625, 0.5])
    assert found.champion == "safe"
    assert found.wins[0].tolist() == pytest.approx([0.0, 0.3, 0.275])
    assert not found.only_wins_count


def test_a_game_for_points_ranks_by_points():
    found = tournament(ForStakes(), [SAFE, BOLD, BOLDER])
    # A stake of three either way is six times the distance from a half.
    assert np.allclose(found.values, 6 * (np.array(BY_HAND) - 0.5), atol=1e-14)
    assert np.allclose(found.margins, found.values, atol=1e-14)
    assert found.champion == "safe"
    assert found.strengths == pytest.approx(tournament(OneChoice(), [SAFE, BOLD, BOLDER]).strengths)


@pytest.mark.parametrize(("rules", "scale"), [(OneChoice, 1), (ForStakes, 6)])
def test_a_simulated_tournament_counts_draws_as_the_exact_one_does(rules, scale):
    found = tournament(rules(), [SAFE, BOLD, BOLDER], games=4000, seed=1)
    truth = scale * np.array(BY_HAND) - (3 if scale == 6 else 0)
    assert np.abs(found.values - truth).max() < 4 * scale * 0.5 / 4000**0.5
    assert (found.low <= truth).all()
    assert (truth <= found.high).all()


def test_an_evaluation_tells_what_each_player_gets():
    found = evaluate(OneChoice(), SAFE, BOLD, exact=True)
    assert (found.value, found.value_of_b) == (Fraction(11, 20), Fraction(9, 20))
    assert (found.overall, found.draws, found.value_error) == (Fraction(3, 10), Fraction(1, 2), 0.0)
    floats = evaluate(ForStakes(), SAFE, BOLD)
    assert abs(floats.value - 0.3) <= floats.value_error < 1e-12


def test_a_simulation_tells_what_a_got():
    found = simulate(OneChoice(), SAFE, BOLD, games=4000, seed=2)
    ends = found.tally.ends.sum(axis=0)
    assert found.value.value == pytest.approx((ends[0] + ends[2] / 2) / 4000)
    assert found.value.low < 0.55 < found.value.high


def test_the_best_of_a_family_is_the_best_in_the_games_own_unit():
    # The ratings are those of the table of Greed to 20 with a three-sided die; 17 wins more often.
    greed = game("greed", max=20, sides=3)
    ratings = {name: evaluate(greed, name, "optimal").value for name in ("aim-at:17", "aim-at:19")}
    assert {name: round(rating, 4) for name, rating in ratings.items()} == {
        "aim-at:17": 0.3213,
        "aim-at:19": 0.324,
    }
    found = best_member(greed, list(ratings))
    assert (found.best_reply, found.best_reply_value) == ("aim-at:19", ratings["aim-at:19"])
    assert found.best_reply_wins < evaluate(greed, "aim-at:17", "optimal").overall


def test_draws_worth_more_to_one_seat_are_counted_so():
    greed = game("greed", max=6, sides=3, tie=Fraction(2, 3), second_tie=Fraction(1, 3))
    found = tournament(greed, ["aim-at:5", "aim-at:4"])
    one = evaluate(greed, "aim-at:5", "aim-at:4")
    # Two who share one pot always get all of it together.
    assert found.values[0, 1] + found.values[1, 0] == pytest.approx(1)
    by_hand = (one.a_first.a_wins + 2 * one.a_first.draws / 3) / 2
    by_hand += (one.b_first.a_wins + one.b_first.draws / 3) / 2
    assert found.values[0, 1] == pytest.approx(by_hand)


def test_a_comparison_counts_half_a_point_where_nobody_wins():
    found = compare(OneChoice(), SAFE, BOLD, seed=1)
    assert found.better == "A"
    assert found.draws == found.games // 2
    assert found.score.value == pytest.approx(found.overall.value + 0.25)


def test_a_fair_test_counts_half_a_point_where_nobody_wins():
    # Two who always draw: nobody is better, though neither wins a single game.
    found = fair_test(OneChoice(), SAFE, SAFE, repeats=3, games=100)
    assert (found.better, found.mean) == ("neither", 0.5)
    assert found.points.tolist() == [50.0, 50.0, 50.0]


def test_pairs_of_games_refuse_draws_that_depend_on_the_seat():
    greed = game("greed", max=6, sides=3, tie=Fraction(2, 3), second_tie=Fraction(1, 3))
    with pytest.raises(RulesError) as refused:
        compare(greed, "aim-at:5", "aim-at:4")
    assert str(refused.value) == (
        "greed max=6 die=3 tie=2/3 second_tie=1/3 has draws that are not worth the same to both "
        "seats, and pairs of games count them as halves: evaluate and tournament tell what each "
        "player gets"
    )


def test_a_comparison_plays_no_more_games_than_it_may():
    assert compare(game("pig", target=20), "hold-at:9", "hold-at:9", most_games=5).games == 4
    with pytest.raises(RulesError) as refused:
        compare(game("pig", target=20), "hold-at:9", "hold-at:9", most_games=1)
    assert str(refused.value) == "a comparison plays pairs of games, 2 or more: got games=1"


def test_an_interval_for_points_is_wilsons_stretched():
    wins = share(30, 100)
    stretched = score(3 * 30 - 3 * 70, 100, -3.0, 3.0)
    assert stretched.low == pytest.approx(6 * wins.low - 3)
    assert stretched.high == pytest.approx(6 * wins.high - 3)
    assert score(50.0, 100, 0.0, 1.0) == share(50, 100)  # a hundred draws vary less, and are safe


def run(*words):
    """Return what a command prints."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def test_compare_tells_of_games_that_never_end():
    told = run("compare", "pig", "roll-and-wait", "roll-and-wait", "passing=yes", "seed=1")
    assert "neither is better by 0.025" in told
    assert "roll-and-wait scored 50.0000% of the points" in told
    assert "won 0.0000% of the games and lost 0.0000%; 100.0000% never ended" in told


def test_evaluate_tells_the_score_where_games_never_end():
    told = run("evaluate", "pig", "roll-and-wait", "roll-and-wait", "passing=yes")
    assert "A wins 0.0000%" in told
    assert "A scores 50.0000%: a game that never ends counts 1/2" in told


def test_family_shows_the_unit_it_ranks_by():
    told = run("family", "greed", "aim-at:17", "aim-at:19", "max=20", "sides=3", "--jobs", "1")
    assert "best against optimal rating beats all others by nearest" in told
    assert "aim-at:19 0.324000 aim-at:17 0.059610 aim-at:19" in told


def test_the_figures_show_what_is_got():
    found = tournament(ForStakes(), [SAFE, BOLD, BOLDER])
    axes = signed("a test", heat_map, found).axes[0]
    assert (axes.images[0].get_array() == found.values).all()
    # colours part at an even share, 0, and reach as far as the values do
    assert axes.images[0].get_clim() == pytest.approx((-0.3, 0.3))
    line = signed("a test", one_against_all_picture, found, "safe").axes[0].lines[0]
    assert line.get_ydata().tolist() == found.values[0].tolist()


def test_a_game_at_once_has_nobody_who_starts():
    told = run(
        *("simulate", "dice-battle", "optimal", "blind:2", "dice=3", "target=6"),
        *("variant=simultaneous", "games=20"),
    )
    assert "at once" in told
    assert "starts" not in told


def test_one_strategy_alone_meets_nobody():
    told = run("tournament", "pig", "hold-at:3", "target=5", "--jobs", "1")
    assert "pig target=5: 1 strategy, everybody meets everybody" in told
    assert "there is nobody to meet: name two strategies or more" in told
    assert "beats every other" not in told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["advantage", "--max", "5..3"], "--max 5..3 is empty: write the smaller number first"),
        (
            ["simulate", "pig", "turtle", "turtle", f"games={'9' * 20}"],
            f"games has at most 15 digits: got '{'9' * 20}'",
        ),
        (
            ["evaluate", "pig", "turtle", "turtle", f"target={'9' * 20}"],
            f"target must be a whole number of at most 18 digits: got '{'9' * 20}'",
        ),
    ],
)
def test_numbers_that_cannot_be_taken_are_refused_for_what_they_are(words, sentence):
    done = CliRunner().invoke(app, words)
    assert done.exit_code in (1, 2)
    assert sentence in " ".join(done.stderr.split())
