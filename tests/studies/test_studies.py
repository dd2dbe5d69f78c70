"""Every study: each check has a verdict, none is wrong, and what differs says why.

The numbers come from the studies themselves, as `dicelab/studies/printed` has them.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from dicelab.errors import UnknownStudy
from dicelab.games.dice_battle import DiceBattle
from dicelab.studies import STUDIES, dice_battle, four21, greed, reproduce, study
from dicelab.studies.checks import AGREES, EXPLAINED, WRONG, Reproduction

COUNTS = {  # how many numbers the study prints there
    "Tables 1 to 4: policies": ("table", 36),
    "Tables 5 to 10: tokens and result probabilities": ("table", 6 + 130 + 1),
    "Strategy against strategy": ("figure 17", 30),
}
PARTS = [(name, place) for name, one in STUDIES.items() for place in range(len(one.parts))]


@pytest.mark.usefixtures("studies_worked_out_once")
@pytest.mark.parametrize(
    ("name", "place"), PARTS, ids=[f"{n}: {STUDIES[n].parts[p].title}" for n, p in PARTS]
)
def test_every_check_agrees_or_is_explained(name, place):
    part = STUDIES[name].parts[place]
    section = part(True)
    assert section.checks or section.figures
    for check in section.checks:
        assert check.verdict in (AGREES, EXPLAINED), (check, check.remark)
        assert check.source, check
        assert check.claim, check
        assert bool(check.paper) == check.is_claimed, check
        assert check.ours, check
        assert (check.verdict == EXPLAINED) == bool(check.remark), check
    source, count = COUNTS.get(part.title, ("", len(section.checks)))
    assert sum(check.source.startswith(source) for check in section.checks) == count
    for figure in section.figures:
        assert figure.svg.startswith(b"<?xml")
        assert figure.png.startswith(b"\x89PNG")
        assert figure.command.startswith(f"dicelab plot {name}")


@pytest.mark.slow
def test_a_study_is_worked_out_part_by_part(monkeypatch):
    small = replace(STUDIES["421"], parts=STUDIES["421"].parts[2:4])
    monkeypatch.setitem(STUDIES, "421", small)
    seen = []
    (found,) = reproduce(["421"], quick=True, jobs=1, progress=seen.append)
    assert seen == [0.5, 1.0]
    assert [section.title for section in found.sections] == ["Theory", "Claims in words"]
    assert found.count(AGREES) + found.count(EXPLAINED) == len(found.checks)
    assert found.holds


@pytest.mark.slow
def test_the_charts_of_421_are_counted_by_the_tables_they_stand_in():
    # Table 7 has goals of one and two dice, table 8 the goal 111, 9 the goal 112, 10 the goal 123.
    section = four21.charts_(True)
    tables = Counter(check.source for check in section.checks)
    assert {name: tables[name] for name in ("table 7", "table 8", "table 9", "table 10")} == {
        "table 7": 2 * 8,
        "table 8": 3 * 6,
        "table 9": 3 * 13,
        "table 10": 3 * 9,
    }
    (one,) = [c for c in section.checks if c.claim == "goal 112, result 334, 1 cast"]
    assert one.source == "table 9"


def test_what_the_first_and_the_next_player_get_early_is_the_same_for_the_first_only():
    found = {check.claim: check for check in four21.theory(True).checks}
    said = "p1(J, d, j, d) = p_i(j, d, j, d) for j < J, i = "
    assert found[said + "1"].verdict == AGREES
    assert found[said + "2"].verdict == EXPLAINED
    assert found[said + "2"].ours == "421, j = 2: 227/2592 and 239/2592"  # table 6, p1 and p2


def test_a_study_counts_only_what_it_claims():
    section = dice_battle.at_once(True)
    assert [check.is_claimed for check in section.checks] == [False]
    found = Reproduction(STUDIES["dice-battle"], (section,), 0.0)
    assert (found.checks, len(found.besides)) == ([], 1)
    assert found.holds


@pytest.mark.parametrize("exact", [True, False])
def test_the_recurrence_of_dice_battle_is_really_evaluated(monkeypatch, exact):
    game = DiceBattle(dice=3, target=6)
    assert dice_battle._by_recurrence(game, exact).verdict == AGREES
    right = dice_battle.points_law

    def wrong(dice, *more):
        law = dict(right(dice, *more))
        law[1] -= Fraction(1, 10**9)
        law[2 * dice] += Fraction(1, 10**9)
        return law

    monkeypatch.setattr(dice_battle, "points_law", wrong)
    assert dice_battle._by_recurrence(game, exact).verdict == WRONG


def test_the_recurrence_of_dice_battle_by_hand():
    # N = 2, D = 3: one die wins at once unless it shows a 1; then the other needs only no 1.
    gain, best = dice_battle.recurrence(DiceBattle(dice=3, target=2), exact=True)
    assert gain[0, 0] == Fraction(13, 18)
    assert best[0, 0] == {1}


def test_theorem_1_and_lemma_2_of_greed_are_evaluated_as_printed():
    assert greed.chance_of_sum(3, 6, 10) == Fraction(27, 216)
    # Lemma 2 has C(k - sk - 1, n - 1), which for two dice and k = 0 is C(-1, 1) = -1
    assert greed.by_lemma_2(2, 6, 7) == Fraction(-1, 36)


def test_a_wrong_law_of_a_sum_would_be_seen(monkeypatch):
    monkeypatch.setattr(greed, "chance_of_sum", lambda n, s, t: Fraction(1, s**n))
    checks = {check.source: check for check in greed.sums(True).checks}
    assert checks["theorem 1"].verdict == WRONG
    assert checks["lemma 2"].verdict == WRONG  # its reason rests on theorem 1


def test_ratings_of_greed_follow_the_study_s_equations():
    rating, best = greed.ratings(10, 3)
    assert rating[0, 0, 0] == Fraction(14352595, 28697814)
    # 7-8 last: one die reaches 9 or 10 with chance 2/3 and ties with 1/3
    assert (rating[7, 8, 1], best[7, 8, 1]) == (Fraction(5, 6), 1)
    wins, loses = greed.played(10, 3)[7, 8, 1]
    assert (wins, loses) == (Fraction(2, 3), 0)


def test_an_unknown_study_is_refused():
    with pytest.raises(UnknownStudy) as refused:
        study("pgi")
    assert str(refused.value) == "no study called 'pgi'; did you mean 'pig'?"
    with pytest.raises(UnknownStudy) as refused:
        study("chess")
    assert str(refused.value) == (
        "no study called 'chess'; there is 421, all, dice-battle, greed, pig"
    )
