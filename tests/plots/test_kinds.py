"""Every kind of figure is drawn, says where it comes from, and speaks the players' words."""

import numpy as np
import pytest
from typer.testing import CliRunner

from dicelab import density, evaluate, solve
from dicelab.cli import app
from dicelab.errors import RecordError, RulesError, UnknownPlot
from dicelab.games.dice_battle import DiceBattle
from dicelab.games.pig import Pig
from dicelab.games.pig.figures import climbed, reached
from dicelab.plots.kinds import draw, kinds_of, takes
from dicelab.rules import registry
from dicelab.strategies.holding_points import holding_points
from dicelab.studies.printed import printed

SMALL = {
    "pig": ["target=20"],
    "two-dice-pig": ["target=10"],
    "dice-battle": ["target=6", "dice=3"],
    "greed": ["max=8", "sides=3"],
    "piglet": ["target=3"],
    "yahtzee-round": ["dice=2", "faces=3", "casts=2"],
    "421-round": ["dice=2", "faces=3", "casts=2", "utility=sum"],
}
REFUSED = [("two-dice-pig", "people")]  # a game that can lose the bank has no tracker forms
KINDS = [(game, kind) for game in SMALL for kind in kinds_of(game) if (game, kind) not in REFUSED]
KINDS += [("solo-pig", "best"), ("solo-pig", "length")]  # its others are for two players


def small(game, kind):
    """Return what makes a figure small."""
    numbers = kinds_of(game)[kind].numbers
    entrants = {"champion": ["hold-at:9", "hold-at:8..11"], "tournament": ["hold-at:8..11"]}
    few = {"most_casts": 3, "games": 40, "repeats": 10, "tests": 2, "sizes": 3, "most_dice": 3}
    return [
        *SMALL.get(game, ["target=8"]),
        *entrants.get(kind, []),
        *(f"{name}={few[name]}" for name in numbers if name in few),
    ]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_every_kind_has_labels_and_small_print(game, kind):
    arguments = small(game, kind)
    figure = draw(game, kind, arguments)
    command = f"made by: dicelab plot {game} {kind} {' '.join(arguments)}"
    assert " ".join(figure.get_supxlabel().split()).endswith(command)
    assert figure.get_suptitle()
    shown = [axes for axes in figure.axes if axes.get_visible()]
    for axes in shown:
        is_bar = axes.get_label() == "<colorbar>"
        last = axes.get_subplotspec() is None or axes.get_subplotspec().is_last_row()
        assert axes.get_xlabel() or axes.get_ylabel() or not last or is_bar, axes
    assert any(axes.get_xlabel() for axes in shown)


def test_the_boundary_is_below_what_would_win():
    figure = draw("pig", "boundary", ["target=20"])
    assert figure.axes[0].get_zlabel() == "points at risk"
    assert figure.axes[0].get_zlim()[1] == 20


def test_reachable_positions_are_those_met_against_somebody_who_does_anything():
    # Twenty thousand games against a player at random come only to these.
    solution = solve(Pig(target=20))
    at, share = reached(solution)
    assert 0 < share < 1
    assert at.at_risk.max() < 20
    mutual = density(Pig(target=20), solution.plan, solution.plan).ever[0]
    met = solution.table.positions(np.flatnonzero(solution.table.is_ongoing & (mutual > 0)))
    ours = set(zip(at.mine.tolist(), at.yours.tolist(), at.at_risk.tolist(), strict=True))
    theirs = zip(met.mine.tolist(), met.yours.tolist(), met.at_risk.tolist(), strict=True)
    assert set(theirs) < ours


def test_the_last_reply_is_not_drawn_apart_from_the_optimal_one():
    figure = draw("pig", "replies", ["hold-at:5", "target=20"])
    line = figure.axes[1].lines[0]
    assert line.get_ydata()[-1] == 0
    assert line.get_ydata()[0] > 0
    assert len(line.get_ydata()) == 1 + len(climbed(Pig(target=20), "hold-at:5").orders)


def test_the_charts_show_a_next_player_where_the_result_is_the_goal():
    # Table 6 of the study: two dice of a kind for a next player, 1/36 and 91/1296.
    panel = next(
        a for a in draw("421-round", "charts").axes if a.get_title(loc="left") == "goal 11"
    )
    hollow = [line for line in panel.lines if line.get_markerfacecolor() == "none"]
    assert [line.get_xdata()[0] for line in hollow] == pytest.approx([1 / 36, 91 / 1296])


def test_a_utility_without_mistakes_has_no_empty_panel():
    figure = draw("421-round", "mistakes")
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "goal:123+224+345",
        "transfer",
        "sum",
    ]
    assert figure.get_suptitle().endswith("(none with goal:123)")


def test_at_once_every_level_score_is_shown_and_mixing_is_marked():
    race = draw("dice-battle", "equilibria", ["target=30", "dice=3"]).axes[1]
    assert race.images[0].get_array().shape == (3, 30)
    figure = draw("dice-battle", "maps", ["target=6", "dice=5", "variant=simultaneous"])
    assert figure.get_suptitle().replace("\n", " ").endswith("for either player")
    solution = solve(DiceBattle(target=6, dice=5, variant="simultaneous"))
    mixing = sum(
        len(solution.mixture_at(f"{mine}-{yours}")) > 1
        for mine in range(6)
        for yours in range(6)
        if (mine and yours) or not (mine or yours)
    )
    marked = [t for t in figure.axes[0].texts if t.get_text().endswith("\N{MIDDLE DOT}")]
    assert len(marked) == mixing > 0


def test_ratings_are_coloured_by_how_far_they_are_from_even():
    axes = draw("greed", "ordinary", ["max=20", "sides=3"]).axes[0]
    low, high = axes.images[0].get_clim()
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low < 1


def test_the_tables_of_421_are_as_the_study_prints_them():
    known = printed("421")["tables_1_to_4"]
    figure = draw("421-round", "tables")
    for axes, (name, cells) in zip(figure.axes, known.items(), strict=True):
        assert axes.get_title(loc="left").endswith(f"best is {cells['best']}")
        assert f": {name}\n" in axes.get_title(loc="left")
        (table,) = axes.tables
        shown = {key: cell.get_text().get_text() for key, cell in table.get_celld().items()}
        for row in range(1, 6):
            first, *after = cells[shown[row, -1]]
            assert shown[row, 0] == first
            assert after in ([], [shown[row, 1]])


def test_what_to_keep_of_every_first_throw_is_shown():
    (axes,) = draw("421-round", "keep", ["utility=goal:421"]).axes
    texts = [text.get_text() for text in axes.texts]
    kept = dict(zip(texts[::2], texts[1::2], strict=True))
    assert len(kept) == 56
    assert (kept["421"], kept["641"], kept["665"], kept["222"]) == ("all", "41", "nothing", "2")


def test_the_dice_left_are_binomial_for_one_face_only():
    first, second, _ = draw("421-round", "live").axes
    for axes, same in ((first, True), (second, False)):
        bars = [bar.get_height() for bar in axes.patches[:4]]
        law = axes.lines[0].get_ydata().tolist()
        assert (bars == pytest.approx(law)) is same


def test_a_made_up_study_has_trend_lines_and_is_refused_where_there_are_no_forms():
    figure = draw("pig", "people", ["target=30"])
    assert "Nobody played these games" in figure.get_suptitle()
    for axes in figure.axes:
        (trend,) = [line for line in axes.lines if line.get_label().startswith("trend ")]
        mean = next(line for line in axes.lines if line.get_marker() == "o")
        rise, start = np.polyfit(mean.get_xdata(), mean.get_ydata(), 1)
        assert trend.get_ydata() == pytest.approx(start + rise * trend.get_xdata())
    with pytest.raises(RecordError, match="bank"):
        draw("two-dice-pig", "people")


def test_the_curves_of_utility_mark_where_each_player_holds():
    axes = draw("pig", "utility").axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "risk:crra,0.5: holds at 10",
        "risk:neutral: holds at 20",
        "risk:crra,-0.5: holds at 32",
    ]
    curve = axes.lines[0].get_ydata()  # the square root, scaled to meet the others at 40
    assert curve[10] == pytest.approx(40 * (10 / 40) ** 0.5)
    for wrong, sentence in (
        (["risk:crra,1"], "risk:crra of 1 or more is minus infinity at 0 points: got 1"),
        (["turtle"], "a preference is written risk:crra,0.5 and the like: got 'turtle'"),
        (["points=1"], "a curve needs 2 points or more: got points=1"),
    ):
        with pytest.raises(RulesError) as refused:
            draw("pig", "utility", wrong)
        assert str(refused.value) == sentence


def test_a_number_that_is_not_given_suits_the_game():
    assert takes("greed", "window") == ["mine=80", "yours=90"]
    figure = draw("greed", "window", ["max=20", "sides=3"])
    assert "the last turn with 16 against 18" in figure.get_suptitle()


def test_the_window_of_a_last_turn_has_the_ratings_of_its_neighbours():
    # 80 against 90 with room for 20: four dice reach 91 to 100, or tie at 90, best.
    titles = [axes.get_title(loc="left") for axes in draw("greed", "window").axes]
    assert titles == [
        "throw 3: rating 0.5625",
        "throw 4: rating 0.8449, the best",
        "throw 5: rating 0.7542",
    ]


def test_a_score_beyond_the_maximum_is_refused():
    with pytest.raises(RulesError) as refused:
        draw("greed", "dice", ["max=20", "sides=3", "mine=21"])
    assert str(refused.value) == "scores of greed max=20 die=3 are 0 to 20: got mine=21, yours=16"


def test_the_theorem_figure_has_the_first_failures():
    figure = draw("421-round", "theorem", ["most_casts=4"])
    shown = figure.axes[0].images[0].get_array().filled(0).astype(int).tolist()
    assert shown[2] == [0, 2, 3, 4, 0, 0, 0, 0]  # as in docs/papers/421.md


def test_a_figure_draws_as_many_dice_as_were_asked_for():
    (axes,) = draw("dice-battle", "points", ["most_dice=1"]).axes
    assert axes.lines[0].get_xdata().tolist() == [1]
    sums = draw("greed", "sums", ["least=1", "most_dice=1", "sides=4"]).axes[0]
    assert [line.get_label() for line in sums.lines] == ["1 dice"]


def test_the_theorem_figure_goes_as_far_as_was_asked():
    axes = draw("421-round", "theorem", [*SMALL["421-round"]]).axes[0]
    assert axes.images[0].get_array().shape == (2, 3)
    assert axes.get_title(loc="left").startswith("-: best up to 2 casts")


def test_blind_play_is_drawn_in_the_variant_that_was_asked_for():
    figure = draw("dice-battle", "blind", ["variant=simultaneous", "dice=3", "target=6"])
    assert figure.get_suptitle().startswith("dice-battle dice=3 target=6 variant=simultaneous")
    (axes,) = figure.axes
    game = registry.game("dice-battle", variant="simultaneous", dice=3, target=6)
    gains = [float(evaluate(game, f"blind:{n}", "optimal").value) for n in (1, 2, 3)]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx(gains)


@pytest.mark.parametrize("told", ["variant=zero", "variant=simultaneous-zero", "die=2,3,4"])
def test_equilibria_are_drawn_at_the_level_scores_that_play_comes_to(told):
    figure = draw("dice-battle", "equilibria", ["dice=3", "target=10", told])
    race = next(axes for axes in figure.axes if axes.get_xlabel() == "both players have")
    shares = np.ma.filled(race.images[0].get_array(), np.nan)
    # A whole mixture at every score that play comes to, and a gap at the others.
    come_to = ~np.isnan(shares).all(axis=0)
    assert shares.shape[1] == 10
    assert come_to.sum() > 5
    assert np.nansum(shares[:, come_to], axis=0).tolist() == pytest.approx([100] * come_to.sum())


def test_the_surface_tells_how_often_best_play_rolls_above_it():
    # At 40-60 +56 best play rolls, though it holds with far less.
    figure = draw("pig", "boundary", [])
    assert figure.axes[0].get_title() == (
        "above it, rolling is right again at 18,774 of 228,165 positions"
    )
    solution = solve(Pig())
    assert solution.moves_at("40-60 +56")[0].move == "roll"
    assert holding_points(solution.plan).at(40, 60) < 56


@pytest.mark.parametrize(
    ("game", "kind", "arguments", "kind_of_error", "sentence"),
    [
        (
            "pig",
            "boundry",
            [],
            UnknownPlot,
            "pig has no figure called 'boundry'; did you mean 'boundary'?",
        ),
        (
            "421-round",
            "xyz",
            [],
            UnknownPlot,
            "421-round has no figure called 'xyz'; there is best, charts, costs, keep, ladder, "
            "length, live, map, mistakes, players, sweep, tables, theorem",
        ),
        (
            "pig",
            "slices",
            ["hold-at:3"],
            RulesError,
            "the figure 'slices' of pig takes no strategy: got hold-at:3",
        ),
        (
            "421-round",
            "charts",
            ["utility=sum"],
            RulesError,
            "this figure does not depend on utility: leave that out",
        ),
        (
            "421-round",
            "charts",
            ["dice=two"],
            RulesError,
            "dice must be a whole number: got 'two'",
        ),
        (
            "dice-battle",
            "points",
            ["most_dice=0"],
            RulesError,
            "most_dice is a whole number from 1 to 100: got '0'",
        ),
        (
            "pig",
            "fair-tests",
            ["tests=0"],
            RulesError,
            "tests is a whole number from 1 to 1000000000: got '0'",
        ),
        (
            "pig",
            "fair-tests",
            ["tests=3", "tests=4"],
            RulesError,
            "tests is given twice: the second is tests=4",
        ),
        (
            "pig",
            "scatter",
            ["games=5", "sizes=3"],
            RulesError,
            "the figure 'scatter' needs two games or more for each of its sizes: "
            "got games=5 sizes=3",
        ),
        (
            "greed",
            "sums",
            ["least=5", "most_dice=2"],
            RulesError,
            "the figure 'sums' goes from least to most_dice: got least=5 most_dice=2",
        ),
        (
            "solo-pig",
            "boundary",
            ["target=10"],
            RulesError,
            "solo-pig target=10 is played alone: this figure is over the banks of two players",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(game, kind, arguments, kind_of_error, sentence):
    with pytest.raises(kind_of_error) as refused:
        draw(game, kind, arguments)
    assert str(refused.value) == sentence


# The command.


def run(*arguments):
    return CliRunner().invoke(app, ["plot", *arguments])


def test_a_headline_is_as_wide_as_its_figure_at_most():
    told = draw("421", "given-away", ["transfer", "tokens=1"]).get_suptitle()
    lines = told.split("\n")
    assert " ".join(lines).endswith("who plays for a utility, throwing first")
    assert max(map(len, lines)) <= 9.5 * 4.2  # letters an inch, inches


def test_without_a_kind_the_kinds_are_listed():
    answer = run("421-round")
    assert answer.exit_code == 0
    assert [line.split()[0] for line in answer.stdout.splitlines() if line[:1].strip()] == [
        "kind",
        *sorted(kinds_of("421-round")),
    ]


@pytest.mark.parametrize(
    ("out", "names"),
    [("theorem.png", ["theorem.png"]), ("deep/theorem", ["deep/theorem.svg", "deep/theorem.png"])],
)
def test_a_figure_is_written_as_its_name_says(tmp_path, out, names):
    (tmp_path / "deep").mkdir()
    answer = run("421-round", "theorem", "most_casts=2", "--out", str(tmp_path / out))
    assert answer.exit_code == 0
    written = "".join(answer.stdout.split())
    for name in names:
        assert f"wrote{tmp_path / name}" in written
        assert (tmp_path / name).stat().st_size > 5_000


def test_a_figure_of_another_kind_of_file_is_refused(tmp_path):
    answer = run("421-round", "theorem", "--out", str(tmp_path / "theorem.gif"))
    assert answer.exit_code == 2
    assert "a figure ends in .svg, .png or .pdf" in answer.stderr


@pytest.mark.parametrize("kind", ["maps", "blind"])
@pytest.mark.parametrize(
    ("variant", "after"),
    [
        ("one", {"maps": "questions 4, 5", "blind": "question 3"}),
        ("zero", {"maps": "question 6", "blind": "question 6"}),
        ("simultaneous", {}),
        ("simultaneous-zero", {}),
    ],
)
def test_a_figure_names_the_study_only_for_the_game_it_is_about(kind, variant, after):
    said = draw("dice-battle", kind, ["dice=2", "target=5", f"variant={variant}"]).get_supxlabel()
    made = f"made by: dicelab plot dice-battle {kind} dice=2 target=5 variant={variant}"
    start = f"after: the study of Dice Battle, {after[kind]}. " if after else ""
    assert said == start + made
