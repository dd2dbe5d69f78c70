"""Cards for a chance and between two: brute force, files that go on, and what is refused."""

import pytest

from card_brute import Brute
from dicelab import game, solve
from dicelab.errors import RulesError, TooLarge, UnknownPosition, WrongCheckpoint
from dicelab.games.yahtzee.rules import Yahtzee
from dicelab.rounds.scorecard import Box, Scorecard
from dicelab.rules.dice import Die
from dicelab.rules.purpose import aimed
from dicelab.table import compile
from dicelab.verbs.card_chances import load_chances, solve_aimed
from dicelab.verbs.card_duels import meeting
from dicelab.verbs.card_play import law_of_points, strategy_of
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.solve import solve_graph

BOXES = (
    ("twos", lambda dice: 2 * dice.count(2), True),
    ("threes", lambda dice: 3 * dice.count(3), True),
    ("alike", lambda dice: 10 if len(set(dice)) == 1 else 0, False),
    ("sum", sum, False),
)


class Four(Scorecard):
    """Three dice with four faces, four boxes and a bonus."""

    name, dice, die, casts, enough, bonus = "four", 3, Die(4), 2, 10, 6
    boxes = tuple(Box(name, score, counts) for name, score, counts in BOXES)


class Two(Scorecard):
    """Two dice with three faces and three boxes."""

    name, dice, die, casts, enough, bonus = "two", 2, Die(3), 2, 4, 3
    boxes = (
        Box("threes", lambda dice: 3 * dice.count(3), True),
        Box("alike", lambda dice: 5 if len(set(dice)) == 1 else 0),
        Box("sum", sum),
    )


def brute_of(card):
    boxes = [(box.score, box.counts) for box in card.boxes]
    return Brute(boxes, card.dice, len(card.die.faces), card.casts, card.enough, card.bonus)


@pytest.mark.parametrize("points", [12, 20, 30, 41])
def test_the_chance_of_so_many_points_is_that_of_brute_force(points):
    found = solve(Four(), for_=f"at least {points}")
    assert found.value == pytest.approx(brute_of(Four()).chance(points), abs=1e-12)
    assert found.upper - found.lower < 1e-12


def test_two_who_see_both_cards_get_what_brute_force_says():
    duel = aimed(Two(), "more than another player")
    found = solve(duel)
    assert found.value == pytest.approx(brute_of(Two()).duel(), abs=1e-12)
    assert found.lower <= solve_graph(compile(duel)).value <= found.upper
    assert found.value < 0.5  # who throws last knows more


def test_a_position_between_two_is_written_and_read():
    duel = aimed(Two(), "more than another player")
    at = duel.parse("threes=3 vs sum=5 alike=0 | 33, 1 left")
    assert duel.notation(at) == "threes counted=3 vs alike sum counted=0 lead -2 | 33, 1 left"
    assert duel.parse(duel.notation(at)) == at
    with pytest.raises(UnknownPosition) as refused:
        duel.parse("threes=3 sum=5 vs empty")
    assert str(refused.value) == (
        "the player about to throw has as many boxes filled as the other in "
        "'threes=3 sum=5 vs empty', or one fewer: got 2 more"
    )


def test_the_whole_card_between_two_is_refused_before_the_work():
    with pytest.raises(TooLarge) as refused:
        solve(Yahtzee(), for_="more than another player")
    assert str(refused.value) == (
        "yahtzee for more than another player has about 7e+13 standings, both cards and every "
        "lead: best play in sight of the other card is for small ones, such as dice=3 with three "
        "boxes; for this one `evaluate` tells how two meet who do not look, and --for 'more than "
        "CARD' is best play against who does not"
    )


CARD = Yahtzee(only="aces+fives+sixes+yahtzee+chance", enough=30)


def test_two_who_do_not_look_meet_by_their_laws():
    duel = aimed(CARD, "more than another player")
    found = evaluate(duel, "optimal", "greedy")
    laws = [law_of_points(CARD, strategy_of(CARD, each)) for each in ("optimal", "greedy")]
    chances = [dict(zip(law.points, law.chances, strict=True)) for law in laws]
    wins = sum(p * q for x, p in chances[0].items() for y, q in chances[1].items() if x > y)
    assert found.first == pytest.approx(wins)
    assert sum(meeting(*laws)) == pytest.approx(1)
    assert found.value == pytest.approx(found.first + found.draws / 2)
    with pytest.raises(RulesError) as refused:
        evaluate(duel, "greedy")
    assert str(refused.value) == f"{duel} is played by two: say whom greedy plays against"


def test_more_than_a_score_is_one_more():
    assert aimed(CARD, "more than 89").aim == "at least 90"


def test_more_than_a_card_is_best_against_its_law():
    full = "aces=3 fives=15 sixes=18 yahtzee=50 chance=20 so far 106"
    other = aimed(CARD, f"more than {full}")
    at = "aces=2 fives=15 sixes=18 yahtzee=50 so far 120 | 66554, 0 left"
    near = "aces=2 fives=15 sixes=18 yahtzee=0 so far 80 | 66554, 0 left"
    solution = solve(other.asked_at(other.parse(at)))
    assert solution.value_at(at) == 1
    assert solve(other.asked_at(other.parse(near))).value_at(near) == 0.5  # 106 too: a draw
    begun = aimed(CARD, "more than aces=3 fives=15 sixes=18 yahtzee=0 so far 71")
    scores = dict(begun.their_scores)
    assert sum(scores.values()) == pytest.approx(1)
    assert min(scores) == 71 + 5
    small = Two()
    known = aimed(small, "more than threes=3 alike=0 sum=4")
    table = solve_graph(compile(known)).value
    assert solve(known).value == pytest.approx(table, abs=1e-12)


class Stopped(Exception):
    """The work was stopped on its way."""


def test_a_run_that_is_stopped_goes_on_and_its_file_answers(tmp_path):
    card, file = aimed(CARD, "at least 90"), tmp_path / "x90.cards"
    whole = solve(card)

    def stop(share):
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        solve(card, progress=stop, checkpoint=file)
    with pytest.raises(WrongCheckpoint) as refused:
        load_chances(file, card)
    missing = str(refused.value).split("complete, ")[1].split(" cards")[0]
    assert str(refused.value) == (
        f"{str(file)!r} is not complete, {missing} cards are missing: go on with "
        f"`dicelab solve ... --checkpoint x90.cards`"
    )
    shares = []
    assert solve(card, progress=shares.append, checkpoint=file).value == whole.value
    at = "aces=3 so far 3 | 66651, 1 left"
    read = load_chances(file, card)
    assert read.moves_at(at) == whole.moves_at(at)
    assert solve_aimed(card, checkpoint=file).value == whole.value  # nothing is left to do


def test_a_file_of_something_else_is_refused(tmp_path):
    card, file = aimed(CARD, "at least 90"), tmp_path / "x90.cards"
    solve(card, checkpoint=file)
    with pytest.raises(WrongCheckpoint) as refused:
        solve(CARD, for_="at least 91", checkpoint=file)
    assert str(refused.value) == (
        f"{str(file)!r} is the checkpoint of other work (aim is 'at least 90' there and 'at least "
        f"91' here): name another file, or remove it"
    )
    with file.open("r+b") as short:
        short.truncate(file.stat().st_size - 8)
    with pytest.raises(WrongCheckpoint) as refused:
        load_chances(file, card)
    assert str(refused.value) == (
        f"{str(file)!r} is not as long as it should be: remove it, or name another"
    )
    file.write_text("game,points\n")
    with pytest.raises(WrongCheckpoint) as refused:
        load_chances(file, card)
    assert str(refused.value) == (
        f"{str(file)!r} is no file of chances of cards: name another file"
    )
    with pytest.raises(WrongCheckpoint) as refused:
        load_chances(tmp_path / "none", card)
    assert str(refused.value) == (
        f"cannot use {str(tmp_path / 'none')!r} as a checkpoint: No such file or directory; "
        f"name another file"
    )


def test_a_game_that_is_solved_in_one_go_takes_no_checkpoint(tmp_path):
    for each in (game("pig", target=10), CARD):
        with pytest.raises(RulesError) as refused:
            solve(each, checkpoint=tmp_path / "c")
        assert str(refused.value) == (
            f"{each} is solved in one go: a checkpoint is for scorecards that are played for a "
            f"chance, such as --for 'at least 300', and for games in sets that three and more play"
        )


def test_points_that_a_card_cannot_have_are_refused():
    solution = solve(CARD, for_="at least 90")
    with pytest.raises(UnknownPosition) as refused:
        solution.value_at("aces=3 so far 40")
    assert str(refused.value) == (f"{CARD} for at least 90 never comes to aces counted=3 so far 40")


@pytest.mark.slow
def test_best_play_for_300_points_has_them_more_often_than_best_play_for_points():
    # 14.3% of all games of best play for points, from the law of the score
    found = solve(Yahtzee(), for_="at least 300", memory=500 * 10**6)
    assert 0.1434 < found.value < 0.2
    assert found.positions == 36_982_842
