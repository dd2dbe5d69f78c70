"""The study of Greed, worked out again: its laws and ratings, the search, the conjectures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from math import comb, prod

from dicelab.games.greed import Greed
from dicelab.games.greed.conjectures import CLAIMS, STRICTLY, Verdict, sweep
from dicelab.games.greed.search import shortcuts
from dicelab.games.greed.solver import solve_greed
from dicelab.rules.dice import Die
from dicelab.rules.dice_laws import sum_law
from dicelab.studies.checks import Check, Finding, Reason, besides, number, part, rounded, words
from dicelab.studies.figures import drawn
from dicelab.studies.printed import printed

PAPER = printed("greed")
HALF = Fraction(1, 2)

# Sections 3 and 5: the law of the sum of n dice with s sides.


def chance_of_sum(dice: int, sides: int, total: int) -> Fraction:
    """Return p(t) by Theorem 1, evaluated as printed.

    >>> chance_of_sum(2, 6, 7)
    Fraction(1, 6)
    """
    terms = (
        (-1) ** k * comb(dice, k) * comb(total - sides * k - 1, dice - 1)
        for k in range((total - dice) // sides + 1)
    )
    return Fraction(sum(terms), sides**dice)


def by_lemma_2(dice: int, sides: int, total: int) -> Fraction:
    """Return the coefficient of Lemma 2 as printed, where k stands in the place of t."""
    terms = (
        (-1) ** k * comb(dice, k) * _choose(k - sides * k - 1, dice - 1)
        for k in range((total - dice) // sides + 1)
    )
    return Fraction(sum(terms), sides**dice)


def _choose(number: int, some: int) -> int:
    """Return a binomial coefficient whose upper number may be negative."""
    return prod(number - place for place in range(some)) // prod(range(1, some + 1))


@part("The law of a sum")
def sums(quick: bool) -> Iterator[Finding]:
    """Yield Theorem 1 and Lemmas 2 to 4, each evaluated for many dice."""
    most, sides = (5, 6) if quick else (10, 12)
    asked = [(n, s) for n in range(1, most + 1) for s in range(1, sides + 1)]
    laws = {(n, s): sum_law(Die(s), n) for n, s in asked}
    places = [(n, s, t) for (n, s), law in laws.items() for t in law]
    wrong = [at for at in places if chance_of_sum(*at) != laws[at[:2]][at[2]]]
    far = f"for {len(places):,} sums of 1 to {most} dice with 1 to {sides} sides"
    misses = [at for at in places if by_lemma_2(*at) != laws[at[:2]][at[2]]]
    means = [_mean(law) == Fraction(n * (s + 1), 2) for (n, s), law in laws.items()]
    yield words("theorem 1", "the chance of a sum of n dice", f"right {far}", not wrong)
    yield words(
        "lemma 2",
        "the same chance, as the lemma prints it",
        f"wrong at {len(misses):,} of {len(places):,} sums",
        not misses,
        Reason("k stands where Theorem 1, which follows from it, has t", not wrong),
    )
    yield words(
        "lemma 3",
        "n dice with s sides have the mean n(s + 1)/2",
        f"for {len(asked)} numbers of dice and sides",
        all(means),
    )
    yield from _variances(laws)
    yield drawn("greed", "sums", "The law of the sum of 2, 3 and 4 dice (figure 2).")


def _mean(law: dict[int, Fraction]) -> Fraction:
    return sum((total * chance for total, chance in law.items()), Fraction(0))


def _variance(law: dict[int, Fraction]) -> Fraction:
    mean = _mean(law)
    return sum(((total - mean) ** 2 * chance for total, chance in law.items()), Fraction(0))


def _variances(laws: dict[tuple[int, int], dict[int, Fraction]]) -> Iterator[Check]:
    known = PAPER["variance"]["of_six_sides"]
    ours = _variance(laws[2, 6])
    proved = all(_variance(law) == n * Fraction(s * s - 1, 12) for (n, s), law in laws.items())
    yield number(
        "lemma 4",
        "the variance of two dice of six sides, by (s^2 - 1)/12",
        known,
        ours,
        Reason(
            "stated for one die; the proof ends with n times that, which is right everywhere",
            ours == 2 * Fraction(known) and proved,
        ),
    )


# Sections 4, 6 and 7: ratings of last and of ordinary turns.

Rated = tuple[dict[tuple[int, int, int], Fraction], dict[tuple[int, int, int], int]]


@cache
def ratings(most: int, sides: int) -> Rated:
    """Return the rating and the best number of dice of every state, by equations (1) to (4).

    States (mine, yours, last) are worked out from the largest sum of scores down, as section 7
    has it; a state that were needed before it is known would raise a KeyError. Equation (4) is
    taken with the weights that the text around it describes.
    """
    scores = range(most + 1)
    rated: dict[tuple[int, int, int], Fraction] = {}
    best: dict[tuple[int, int, int], int] = {}

    def settle(state: tuple[int, int, int], rate: Callable[[int], Fraction]) -> None:
        dice = max(range(most - state[0] + 1), key=lambda n: (rate(n), -n))
        rated[state], best[state] = rate(dice), dice

    law = {n: sum_law(Die(sides), n) for n in range(most + 1)}
    for mine in scores:
        for yours in scores:

            def last(n: int, mine: int = mine, yours: int = yours) -> Fraction:
                within = (p for t, p in law[n].items() if yours < mine + t <= most)
                return sum(within, HALF * law[n].get(yours - mine, 0))

            settle((mine, yours, 1), last)
    for total in range(2 * most, -1, -1):
        for mine in range(max(0, total - most), min(total, most) + 1):

            def ordinary(n: int, mine: int = mine, yours: int = total - mine) -> Fraction:
                if n == 0:
                    return 1 - rated[yours, mine, 1]
                after = ((t, p) for t, p in law[n].items() if mine + t <= most)
                return sum(((1 - rated[yours, mine + t, 0]) * p for t, p in after), Fraction(0))

            settle((mine, total - mine, 0), ordinary)
    return rated, best


def played(most: int, sides: int) -> dict[tuple[int, int, int], tuple[Fraction, Fraction]]:
    """Return, for every state, the chance of the player to move to win and to lose.

    Both play the numbers of dice that `ratings` has found; what is left over is the tie.
    """
    _, best = ratings(most, sides)
    law = {n: sum_law(Die(sides), n) for n in range(most + 1)}
    found: dict[tuple[int, int, int], tuple[Fraction, Fraction]] = {}
    # last turns first, then ordinary ones from the largest sum of scores down
    for mine, yours, last in sorted(best, key=lambda at: (-at[2], -at[0] - at[1])):
        n = best[mine, yours, last]
        wins = loses = Fraction(0)
        for total, chance in law[n].items():
            score = mine + total
            if score > most:
                loses += chance
            elif last:
                wins += chance * (score > yours)
                loses += chance * (score < yours)
            else:
                other = found[yours, score, int(n == 0)]
                wins, loses = wins + chance * other[1], loses + chance * other[0]
        found[mine, yours, last] = wins, loses
    return found


@part("Ratings and dice")
def rated(quick: bool) -> Iterator[Finding]:
    """Yield equations (1) to (4) evaluated, that ratings are complementary, and certain turns."""
    most, sides = (10, 3) if quick else (20, 3)
    rating, best = ratings(most, sides)
    table = solve_greed(Greed(max=most, die=Die(sides)), exact=True)
    names = {at: f"{at[0]}-{at[1]}{' last' if at[2] else ''}" for at in rating}
    same = all(
        table.value_at(names[at]) == rating[at] and best[at] in table.best_dice(names[at])
        for at in rating
    )
    chances = played(most, sides)
    own = {at: win + HALF * (1 - win - lose) for at, (win, lose) in chances.items()}
    other = {at: lose + HALF * (1 - win - lose) for at, (win, lose) in chances.items()}
    sure = [at for at in rating if at[2] and _certain(at, most, sides)]
    ahead = [at for at in rating if at[2] and at[0] > at[1]]
    behind = [at for at in rating if not at[2] and at[0] < at[1]]
    where = f"({most}, {sides})"
    yield words(
        "equations (1) to (4)",
        f"rating and n* of every state of {where}",
        f"all {len(rating)} states as our tables have them, in fractions",
        same,
    )
    yield words(
        "section 6",
        "rating is complementary: the ratings of the two players sum to 1",
        f"the chances to win, tie and lose, followed through best play: sums of 1 at all "
        f"{len(rating)} states of {where}, and the player's own is equation (4)'s",
        all(own[at] + other[at] == 1 and own[at] == rating[at] for at in rating),
    )
    yield words(
        "section 7",
        "from the largest sum of scores down, everything needed is known",
        f"in {where} no state was asked for before it was known",
        len(rating) == 2 * (most + 1) ** 2,
    )
    yield words(
        "section 5",
        "ahead in the last turn, throwing nothing wins (forfeit)",
        f"at all {len(ahead)} such states of {where}",
        all(rating[at] == 1 and best[at] == 0 for at in ahead),
    )
    yield words(
        "section 5",
        "forfeits never occur with best play",
        f"nobody behind throws nothing, at any of {len(behind)} states of {where}",
        all(best[at] > 0 for at in behind),
    )
    yield words(
        "section 5",
        "where all sums of some n fit, that n wins for certain",
        f"at all {len(sure)} such last turns of {where}",
        all(rating[at] == 1 for at in sure),
    )
    small = ["max=20", "sides=3"]
    yield drawn("greed", "window", "Which sums win a last turn (figure 1).")
    yield drawn("greed", "last", "Last turns of (20, 3) (figure 3).", small)
    yield drawn("greed", "ordinary", "Ordinary turns of (20, 3) (figure 4).", small)
    if not quick:
        yield drawn("greed", "last", "Last turns of (100, 6).")
        yield drawn("greed", "ordinary", "Ordinary turns of (100, 6).")


def _certain(at: tuple[int, int, int], most: int, sides: int) -> bool:
    """Return whether some number of dice has all its sums above the other score and within M."""
    mine, yours, _ = at
    return any(yours < mine + n and mine + n * sides <= most for n in range(most + 1))


# Section 8: going first.


@part("Going first")
def first_player(quick: bool) -> Iterator[Finding]:
    """Yield what it is worth to go first, and where 0.54 comes from."""
    known = PAPER["first_player"]
    game = Greed(max=known["max"], die=Die(known["sides"]))
    found = {search.name: search for search in shortcuts(game).last}
    solution = solve_greed(game, exact=True)
    upward = found["upward"]
    yield number(
        "section 8",
        "rating of the first player, (10, 3)",
        known["rating"],
        solution.value,
        Reason(
            f"rated by the search as printed, which misses the best dice in "
            f"{len(upward.wrong)} last turns, the first player gets {upward.value:.6f}",
            rounded(upward.value, known["rating"]) == known["rating"],
        ),
    )
    yield number(
        "section 8",
        "by how much going first improves the chance of winning, in %",
        known["better_by_percent"],
        100 * (solution.value - HALF),
        Reason(
            "it is what 0.54 has above a half",
            100 * (Fraction(known["rating"]) - HALF) == int(known["better_by_percent"]),
        ),
    )
    yield words(
        "section 8",
        "it is very slightly advantageous to go first",
        f"by {float(2 * solution.value - 1):.6f} of rating in (10, 3)",
        solution.value > 0.5,
    )
    for name, (dice, rating) in PAPER["tabled"].items():
        most, sides = (int(part) for part in name.split())
        ours = solve_greed(Greed(max=most, die=Die(sides)))
        near = abs(ours.value - float(rating)) < 1e-12
        claim = f"rating at 0-0 of ({most}, {sides})"
        yield Check("the author's tables", claim, rating, f"{ours.value:.16f}", near)
        if dice:
            best = ours.opening == [int(dice)]
            told = ", ".join(map(str, ours.opening))
            claim = f"dice to open ({most}, {sides})"
            yield Check("the author's tables", claim, dice, told, best)


_SECTIONS = {"conjecture 1": "section 5", "conjecture 2": "section 5", "upper bound": "section 7"}
"""Where the study claims what a sweep looks at."""


@part("The conjectures and the search")
def conjectures(quick: bool) -> Iterator[Finding]:
    """Yield whether the conjectures hold in a range, and what the search makes of them."""
    most, sides = (20, 4) if quick else (80, 10)
    swept = sweep(most, (1, sides), jobs=1)
    for claim, section in _SECTIONS.items():
        yield words(
            section,
            f"{claim}: {CLAIMS[claim]}",
            f"no counterexample in {swept.tested} games, maxima to {most}, up to {sides} sides",
            swept.counterexamples[claim] is None,
        )
    yield _strictly(sweep(15, (2, 6), jobs=1))
    found = {search.name: search for search in shortcuts(Greed(max=20, die=Die(3))).last}
    yield words(
        "section 5",
        "the search from the middle upwards finds the best dice",
        f"in (20, 3) it misses them in {len(found['upward'].wrong)} last turns",
        not found["upward"].wrong,
        Reason(
            "past the middle ratings only fall, so the best number may lie below; going down "
            "from the same place is right everywhere",
            not found["downward"].wrong,
        ),
    )
    yield _loaded()
    yield _tighter(quick)
    yield drawn("greed", "dice", "The rating against the number of dice, at 60-80.")


def _strictly(swept: Verdict) -> Check:
    """Return whether the rating past the middle is decreasing, as the study words conjecture 1."""
    one = swept.strict
    assert one is not None
    rated = ratings(one.max, one.sides)[0][0, one.gap, 1]
    return words(
        "section 5",
        f"conjecture 1, read strictly: {STRICTLY}",
        f"{one.dice} and {one.dice + 1} dice rate the same at 0-{one.gap} last in "
        f"({one.max}, {one.sides})",
        False,
        Reason(
            "where several numbers of dice win for certain the rating stays 1; it never rises",
            rated == 1 and swept.counterexamples["conjecture 1"] is None,
        ),
    )


def _loaded() -> Check:
    """Return that fairness matters: for a loaded die the conjectures fail at once."""
    found = sweep(10, die=Die({1: "1/2", 6: "1/2"}), jobs=1)
    first = found.counterexamples["conjecture 1"]
    return besides(
        "section 5",
        "for loaded dice the conjectures and the bound fail",
        "a die that shows 1 or 6: conjecture 1 fails at "
        f"0-{first.gap if first else '?'} last with maximum {first.max if first else '?'}",
        all(found.counterexamples.values()),
    )


def _tighter(quick: bool) -> Check:
    """Return that no ordinary turn throws more dice than most often hit the maximum exactly."""
    games = [(most, sides) for most in range(2, 13 if quick else 31) for sides in (2, 3, 6, 10)]
    wrong = sum(
        shortcuts(Greed(max=most, die=Die(sides)), exact=False).tighter_misses
        for most, sides in games
    )
    return besides(
        "section 7",
        "on an ordinary turn no more dice are best than most often hit the maximum exactly",
        f"in {len(games)} games, maxima to {games[-1][0]}, without exception",
        wrong == 0,
    )


@part("Slips")
def slips(quick: bool) -> Iterator[Finding]:
    """Yield the slips that numbers can show."""
    game = Greed(max=20, die=Die(3))
    at = game.parse("2-6")
    fits = sum_law(Die(3), 2)
    ours = [f"{at.yours}-{at.mine + total}" for total in sorted(fits)]
    listed = PAPER["example"]["leads_to"]
    yield Check(
        "section 6",
        "two dice of three sides at (2, 6) lead to",
        ", ".join(listed),
        ", ".join(ours),
        ours == listed,
        Reason("the sums are 2 to 6: the last one was left out", ours[:-1] == listed),
    )
