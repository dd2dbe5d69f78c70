"""Yahtzee and its family: published numbers, and the table of all positions on small cards."""

import numpy as np
import pytest

from dicelab import game, solve
from dicelab.errors import (
    RulesError,
    TooLarge,
    UnknownParameter,
    UnknownPosition,
    UnreadablePosition,
    WrongCheckpoint,
    WrongTable,
)
from dicelab.games.yahtzee.rules import YAHTZEE_BOXES, Kniffel, MaxiYatzy, Yahtzee, Yatzy
from dicelab.rounds.card_strategy import CardStrategy
from dicelab.rounds.scorecard import Box, Card, Scorecard
from dicelab.rules.chance import Way
from dicelab.rules.dice import Die
from dicelab.rules.purpose import aimed
from dicelab.strategies.named import player
from dicelab.table import compile
from dicelab.verbs.card_play import FEW, follow, law_of_points, optimal_card, strategy_of
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.match import load_standings, solve_match
from dicelab.verbs.solve import solve_graph

SMALL = [
    Yahtzee(dice=2, casts=2, only="aces+chance", enough=2, bonus=5),
    Yahtzee(dice=2, casts=2, only="sixes+yahtzee+full-house", enough=12, joker="free"),
    Yahtzee(dice=2, casts=2, only="twos+yahtzee+full-house", enough=4),
    Yahtzee(dice=2, casts=3, only="aces+yahtzee", joker="none", again=10),
    Kniffel(dice=2, casts=1, only="fives+kniffel+chance", die=Die({1: "1/2", 2: "1/10", 3: "1/10",
            4: "1/10", 5: "1/10", 6: "1/10"})),
    Yatzy(dice=3, casts=2, only="twos+two-pairs", enough=6),
    MaxiYatzy(dice=2, casts=2, only="fives+one-pair+maxi-yatzy", enough=10),
]  # fmt: skip


@pytest.fixture(scope="module")
def official():
    return solve(Yahtzee())


def test_best_play_scores_what_verhoeff_and_scheffers_print(official):
    assert official.value == pytest.approx(254.5877, abs=5e-5)
    assert official.upper - official.lower < 1e-9


def test_a_free_joker_is_worth_what_verhoeff_printed_in_1999():
    assert solve(Yahtzee(joker="free")).value == pytest.approx(254.5896, abs=5e-5)


def test_without_jokers_and_further_bonuses_it_is_what_several_solvers_say():
    # 245.870775, also by batches of the keep-and-reroll engine with matrices
    assert solve(Yahtzee(joker="none", again=0)).value == pytest.approx(245.870775, abs=5e-7)
    assert solve(Kniffel()).value == pytest.approx(245.870775, abs=5e-7)


def test_the_scandinavian_game_scores_what_two_public_solvers_say():
    assert solve(Yatzy()).value == pytest.approx(248.44, abs=5e-3)


def test_there_are_as_many_turn_starts_as_liese_and_kelly_count(official):
    assert official.positions == 536_448


@pytest.mark.slow
def test_the_law_of_the_score_is_what_liese_and_kelly_print(official):
    # 2017: deviation 59.61, median 248; and the mean is the value, found backward
    law = law_of_points(Yahtzee(), optimal_card(Yahtzee(), official.known))
    assert law.mean == pytest.approx(official.value, abs=1e-9)
    assert law.deviation == pytest.approx(59.61, abs=5e-3)
    assert law.quantile(0.5) == 248
    assert law.unfinished < 1e-12
    assert law.chances.sum() == pytest.approx(1, abs=1e-12)


def test_best_play_followed_brings_its_value(official):
    found = follow(Yahtzee(), optimal_card(Yahtzee(), official.known))
    assert float(found.at(Card(0, 0, 0))[0]) == pytest.approx(official.value, abs=1e-10)


@pytest.mark.parametrize("card", SMALL, ids=str)
def test_small_cards_are_worth_what_the_table_of_all_positions_says(card):
    fast, table = solve(card), compile(card)
    whole = solve_graph(table)
    for number in np.flatnonzero(table.is_ongoing).tolist()[::7]:
        at = table.position(number)
        lower, upper = fast.bounds_at(at)
        assert lower - 1e-12 <= whole.value_at(at) <= upper + 1e-12
        ours = {move.move: move.value for move in fast.moves_at(at)}
        assert ours == pytest.approx({m.move: m.value for m in whole.moves_at(at)}, abs=1e-10)


@pytest.mark.parametrize("card", SMALL, ids=str)
def test_cards_and_standings_agree(card):
    # the same rules, by the engine for any match of rounds
    fast, any_match = solve(card), solve_match(card)
    assert any_match.value == pytest.approx(fast.value, abs=1e-11)
    assert len(any_match.known) <= len(fast.known)


def test_three_dice_and_four_boxes_are_the_sum_over_all_throws():
    # Only one cast, and the box is the only choice: best play by hand over all orders of throws.
    class Four(Scorecard):
        name, dice, die, casts = "four", 3, Die(2), 1
        boxes = tuple(Box(f"box{n}", lambda dice, n=n: dice.count(2) * (n + 1)) for n in range(4))

    def best(left):
        if not left:
            return 0.0
        law = {0: 1 / 8, 1: 3 / 8, 2: 3 / 8, 3: 1 / 8}
        return sum(
            chance * max(twos * (box + 1) + best(left - {box}) for box in left)
            for twos, chance in law.items()
        )

    assert solve(Four()).value == pytest.approx(best(frozenset(range(4))), abs=1e-12)


@pytest.mark.parametrize("name", ["greedy", "one-round-ahead", "upper-first", "chase", "optimal"])
@pytest.mark.parametrize("card", SMALL[:3], ids=str)
def test_a_strategy_followed_over_cards_brings_what_its_table_says(name, card):
    rule = strategy_of(card, name)
    assert isinstance(rule, CardStrategy)
    value = float(follow(card, rule).at(Card(0, 0, 0))[0])
    assert evaluate(compile(card), rule).value == pytest.approx(value, abs=1e-11)
    law = law_of_points(card, rule)
    assert law.mean == pytest.approx(value, abs=1e-11)


def test_nobody_beats_best_play():
    best = solve(Yahtzee(only="aces+fives+sixes+yahtzee+chance", enough=30)).value
    for name in ("greedy", "one-round-ahead", "upper-first", "chase"):
        card = Yahtzee(only="aces+fives+sixes+yahtzee+chance", enough=30)
        assert card.size() > FEW
        assert evaluate(card, name).value < best


def test_a_solution_is_read_back_and_not_solved_again(tmp_path, official):
    official.save(tmp_path / "card.npz")
    read = load_standings(tmp_path / "card.npz", Yahtzee())
    at = "aces=3 twos=6 yahtzee=50 chance=22 | 55555, 1 left"
    assert read.moves_at(at) == official.moves_at(at)
    assert read.value == official.value
    with pytest.raises(WrongTable, match="it cannot answer for yahtzee joker=free"):
        load_standings(tmp_path / "card.npz", Yahtzee(joker="free"))
    (tmp_path / "bad.npz").write_bytes((tmp_path / "card.npz").read_bytes()[:1000])
    with pytest.raises(WrongTable, match="is no complete file of standings"):
        load_standings(tmp_path / "bad.npz", Yahtzee())
    with pytest.raises(WrongTable, match=r"cannot read the standings in .*: No such file"):
        load_standings(tmp_path / "none.npz", Yahtzee())


def test_files_of_ones_own_card_are_refused_once_its_boxes_were_changed(tmp_path):
    before, now = (
        type("Own", (Scorecard,), {"name": "own", "dice": 2, "boxes": (Box("a", score),)})()
        for score in (sum, max)
    )
    solve(before).save(tmp_path / "own.npz")
    assert load_standings(tmp_path / "own.npz", before).value == solve(before).value
    with pytest.raises(WrongTable, match="has the standings of own by other rules than now"):
        load_standings(tmp_path / "own.npz", now)
    checkpoint = tmp_path / "own.cards"
    solve(aimed(before, "at least 5"), checkpoint=checkpoint)
    with pytest.raises(WrongCheckpoint, match="is the checkpoint of other work"):
        solve(aimed(now, "at least 5"), checkpoint=checkpoint)


def test_a_forced_joker_goes_to_its_upper_box_and_brings_a_hundred():
    rules = Yahtzee()
    at = rules.parse("aces=3 yahtzee=50 | 55555, 0 left")
    assert rules.choices(at) == ["score fives"]
    assert [way.gain for way in rules.ends(at)] == [125]
    used = rules.parse("fives=15 yahtzee=50 | 55555, 0 left")
    scores = {way.name: way.gain for way in rules.ends(used)}
    assert scores["score full-house"] == 125
    assert scores["score large-straight"] == 140
    assert "score aces" not in scores
    free = Yahtzee(joker="free")
    assert "score aces" in free.choices(free.parse("fives=15 yahtzee=0 | 55555, 0 left"))


def test_a_crossed_out_yahtzee_brings_no_further_hundred():
    rules = Yahtzee()
    at = rules.parse("fives=15 yahtzee=0 | 55555, 0 left")
    assert {w.name: w.gain for w in rules.ends(at)}["score large-straight"] == 40


def test_the_bonus_comes_with_the_point_that_makes_63():
    rules = Yahtzee()
    at = rules.parse("aces=3 twos=6 threes=9 fours=12 fives=15 | 66621, 0 left")
    assert {w.name: w.gain for w in rules.ends(at)}["score sixes"] == 18 + 35


def test_boxes_score_what_the_rules_say():
    score = {box.name: box.score for box in YAHTZEE_BOXES}
    assert score["three-of-a-kind"]((1, 4, 4, 4, 6)) == 19
    assert score["four-of-a-kind"]((1, 4, 4, 4, 6)) == 0
    assert score["full-house"]((2, 2, 5, 5, 5)) == 25
    assert score["full-house"]((5, 5, 5, 5, 5)) == 0
    assert score["small-straight"]((1, 3, 4, 5, 6)) == 30
    assert score["large-straight"]((1, 3, 4, 5, 6)) == 0
    named = {box.name: box.score for box in Yatzy().boxes}
    assert named["two-pairs"]((3, 3, 5, 5, 6)) == 16
    assert named["two-pairs"]((5, 5, 5, 5, 6)) == 0
    assert named["one-pair"]((3, 3, 5, 5, 6)) == 10
    assert named["full-house"]((2, 2, 5, 5, 5)) == 19
    assert named["large-straight"]((2, 3, 4, 5, 6)) == 20


def test_boxes_of_the_large_card_score_what_its_rules_say():
    score = {box.name: box.score for box in MaxiYatzy().boxes}
    assert score["villa"]((2, 2, 2, 5, 5, 5)) == 21
    assert score["tower"]((1, 1, 4, 4, 4, 4)) == 18
    assert score["full-house"]((1, 3, 3, 3, 6, 6)) == 21
    assert score["three-pairs"]((1, 1, 3, 3, 6, 6)) == 20
    assert score["three-pairs"]((3, 3, 3, 3, 6, 6)) == 0
    assert score["full-straight"]((1, 2, 3, 4, 5, 6)) == 21


def test_the_large_card_is_refused_before_the_work_where_it_does_not_fit():
    with pytest.raises(TooLarge) as refused:
        solve(MaxiYatzy(), memory=500 * 10**6)
    assert str(refused.value) == (
        "maxi-yatzy has 57,507,840 standings, which needs about 0.72 GB; "
        "the limit is 0.5 GB (--memory)"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "aces=3 aces=2 | 55555, 1 left",
            "aces is filled twice in 'aces=3 aces=2': a box is filled once",
        ),
        ("aces=7 | 55555, 1 left", "aces cannot have 7 points: it has 0, 1, 2, 3, 4, 5"),
        (
            "aces | 55555, 1 left",
            "what counts towards the bonus is not told in 'aces': give aces its points, such as "
            "aces=0, or add counted=N",
        ),
        ("aces=3 | 5555511, 1 left", "5555511 has 7 dice: 5 wanted here"),
        ("ones=3 | 55555, 1 left", "yahtzee has no box 'ones'; did you mean 'twos'?"),
        (
            "aces counted=6 | 55555, 1 left",
            "6 cannot be counted with what is filled in 'aces counted=6': the most is 5",
        ),
        (
            "aces=3 | 55555, 3 left",
            "there are 3 casts at aces counted=3: got 3 left after a cast",
        ),
        (
            "aces=3 counted=4 | 55555, 1 left",
            "4 cannot be counted with what is filled in 'aces=3 counted=4': the most is 3",
        ),
    ],
)
def test_a_card_that_cannot_be_gets_a_sentence(text, told):
    with pytest.raises(UnknownPosition) as refused:
        Yahtzee().parse(text)
    assert str(refused.value) == told


def test_dice_may_stand_apart():
    assert Yahtzee().parse("aces=3 | 6 6 6 5 1, 2 left") == Yahtzee().parse(
        "aces=3 | 66651, 2 left"
    )
    with pytest.raises(UnreadablePosition, match=r"^cannot read '66651' as a position of yahtzee"):
        Yahtzee().parse("66651")


@pytest.mark.parametrize("text", ["aces=x", "aces=³", "counted aces", "counted=3 counted=4 aces"])
def test_a_text_that_is_no_card_gets_an_example(text):
    with pytest.raises(UnreadablePosition) as refused:
        Yahtzee().parse(f"{text} | 55555, 1 left")
    assert str(refused.value) == (
        f"cannot read {text!r} as a position of yahtzee: "
        "write it like 'empty counted=0 | 65111, 2 left'"
    )


@pytest.mark.parametrize(
    ("purpose", "at", "told"),
    [
        ("at least 30", "aces=3 chance", "the points of chance are not told in 'aces=3 chance': "
         "write chance=N, or so far N at the end"),
        ("more than another player", "aces=3 vs chance", "the points of chance are not told in "
         "'chance': write chance=N, or lead N at the end"),
    ],
)  # fmt: skip
def test_points_so_far_are_never_guessed(purpose, at, told):
    with pytest.raises(UnknownPosition) as refused:
        aimed(Yahtzee(only="aces+chance"), purpose).parse(at)
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"dice": 7}, "yahtzee needs 1 to 6 dice: got dice=7"),
        ({"casts": 0}, "yahtzee needs 1 to 20 casts: got casts=0"),
        ({"joker": "wild"}, "yahtzee needs joker to be forced, free or none: got 'wild'"),
        ({"die": Die(4)}, "yahtzee needs a die with the faces 1 to 6, loaded or not: got 4"),
        ({"only": "aces+aces"}, "yahtzee needs boxes of different names: got aces twice"),
        ({"enough": -1}, "yahtzee needs enough=0 or more points for the bonus: got -1"),
        ({"bonus": -1}, "yahtzee needs bonus=0 or more points, and fewer than 1,000,000: got -1"),
        (
            {"again": 10**6},
            "yahtzee needs again=0 or more points, and fewer than 1,000,000: got 1000000",
        ),
    ],
)
def test_a_card_that_cannot_be_filled_is_refused(parameters, told):
    with pytest.raises(RulesError) as refused:
        Yahtzee(**parameters)
    assert str(refused.value) == told


def test_a_box_that_there_is_none_is_refused():
    with pytest.raises(UnknownParameter) as refused:
        Yahtzee(only="ones")
    assert str(refused.value) == "yahtzee has no box 'ones'; did you mean 'twos'?"


@pytest.mark.parametrize("worth", [0.5, None, float("inf"), "7", -1])
def test_boxes_of_ones_own_are_checked(worth):
    class Odd(Scorecard):
        name, boxes = "odd", (Box("half", lambda dice: worth),)

    with pytest.raises(RulesError) as refused:
        Odd()
    assert str(refused.value) == (
        f"odd needs whole points from 0 up in every box: half gives {worth!r} for 11111"
    )


@pytest.mark.parametrize(
    ("boxes", "told"),
    [
        ((Box("a", lambda dice: dice[9]),), "the rules of odd failed: IndexError: tuple index"),
        (("a",), "odd needs a Box for each of its boxes: got ['a']"),
        ((Box("counted", sum),), "odd needs names of one word for its boxes: got ['counted']"),
    ],
)
def test_boxes_that_cannot_be_read_are_refused(boxes, told):
    odd = type("Odd", (Scorecard,), {"name": "odd", "boxes": boxes})
    with pytest.raises(RulesError) as refused:
        odd()
    assert str(refused.value).startswith(told)


def test_boxes_may_be_named_in_capitals():
    big = type("Big", (Scorecard,), {"name": "big", "boxes": (Box("Sum", sum), Box("B", min))})
    assert str(aimed(big(), "More than Sum=20 B=3")) == "big for more than Sum B so far 23"


def test_a_joker_may_bring_more_towards_the_bonus_than_its_faces():
    class Odd(Scorecard):
        name, dice, die, casts = "odd", 2, Die(3), 2
        enough, bonus, special, again, joker = 12, 50, "alike", 4, "free"
        boxes = (
            Box("threes", lambda dice: 3 * dice.count(3), counts=True, joker=9),
            Box("twos", lambda dice: 2 * dice.count(2), counts=True),
            Box("alike", lambda dice: 10 if len(set(dice)) == 1 else 0),
            Box("low", min, counts=True),
        )

    # the table of all positions, by the rules alone
    assert solve(Odd()).value == pytest.approx(solve_graph(compile(Odd())).value, abs=1e-11)


def test_a_bonus_out_of_reach_needs_no_more_room_however_far_it_is():
    near, far = (Yahtzee(only="aces+chance", enough=many) for many in (6, 10**15))
    assert far.standings == near.standings
    assert solve(far).value == solve(near).value
    assert "999999999999999 points short" in far.describe(far.parse("aces=1"))

    class Many(Scorecard):
        name, boxes = "many", tuple(Box(f"b{n}", sum) for n in range(21))

    with pytest.raises(RulesError) as refused:
        Many()
    assert str(refused.value) == (
        "many needs at most 20 boxes, each of which doubles the work: got 21"
    )


def test_a_card_that_does_not_fit_is_refused_before_the_work():
    with pytest.raises(TooLarge) as refused:
        solve(Yahtzee(), memory=10**6)
    assert str(refused.value) == (
        "yahtzee has 536,448 standings, which needs about 0.0094 GB; "
        "the limit is 0.001 GB (--memory)"
    )


def test_fractions_of_a_full_card_are_refused_with_their_length():
    with pytest.raises(TooLarge) as refused:
        solve(Yahtzee(), exact=True)
    assert str(refused.value) == (
        "yahtzee has 536,448 standings, and its exact values are fractions of about 504 bits: "
        "exact mode goes up to 20,000 positions, bounds to any size"
    )


def test_fractions_of_a_small_card_lie_within_the_bounds():
    card = Yahtzee(dice=2, casts=2, only="aces+yahtzee", enough=2)
    exact, fast = solve(card, exact=True), solve(card)
    assert fast.lower <= exact.value <= fast.upper


def test_rules_of_ones_own_for_what_follows_are_solved_as_any_match():
    class Kind(Yahtzee):
        def leads(self, standing, cast, result):
            for way in super().leads(standing, cast, result):
                yield Way(*way[:3], way.gain + 1, way.allowed)

    card = Kind(dice=2, casts=2, only="aces+chance", enough=2)
    plain = Yahtzee(dice=2, casts=2, only="aces+chance", enough=2)
    assert solve(card).value == pytest.approx(solve(plain).value + 2, abs=1e-11)


def test_a_named_strategy_answers_at_one_position():
    rules = game("yahtzee")
    greedy = player(rules, "greedy")
    assert greedy(rules.parse("empty counted=0 | 66666, 1 left")) == "score yahtzee"
    assert greedy(rules.start()) == "cast"
