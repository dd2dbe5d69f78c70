"""The study of Greed, worked out again: the first player's rating, the search, the conjectures."""

from __future__ import annotations

from dicelab.games.greed import Greed
from dicelab.games.greed.conjectures import sweep
from dicelab.games.greed.search import shortcuts
from dicelab.games.greed.solver import solve_greed
from dicelab.rules.dice import Die, sum_law
from dicelab.studies.checks import Check, Reason, Section, number, rounded, several, words
from dicelab.studies.figures import drawn
from dicelab.studies.printed import printed

PAPER = printed("greed")


def first_player(quick: bool) -> Section:
    """Return what it is worth to go first, and where 0.54 comes from."""
    known = PAPER["first_player"]
    game = Greed(max=known["max"], die=Die(known["sides"]))
    found = {search.name: search for search in shortcuts(game).last}
    solution = solve_greed(game, exact=True)
    upward = found["upward"]
    checks = [
        number(
            "section 8",
            "rating of the first player, (10, 3)",
            known["rating"],
            solution.value,
            Reason(
                f"rated by the search as printed, which misses the best dice in "
                f"{len(upward.wrong)} last turns, the first player gets {upward.value:.6f}",
                rounded(upward.value, known["rating"]) == known["rating"],
            ),
        ),
        words(
            "section 8",
            "it is very slightly advantageous to go first",
            f"by {float(2 * solution.value - 1):.6f} of rating in (10, 3)",
            solution.value > 0.5,
        ),
    ]
    for name, (dice, rating) in PAPER["tabled"].items():
        most, sides = (int(part) for part in name.split())
        ours = solve_greed(Greed(max=most, die=Die(sides)))
        near = abs(ours.value - float(rating)) < 1e-12
        claim = f"rating at 0-0 of ({most}, {sides})"
        checks.append(Check("the author's tables", claim, rating, f"{ours.value:.16f}", near))
        if dice:
            best = ours.opening == [int(dice)]
            told = ", ".join(map(str, ours.opening))
            claim = f"dice to open ({most}, {sides})"
            checks.append(Check("the author's tables", claim, dice, told, best))
    return several("Going first", checks)


def maps(quick: bool) -> Section:
    """Return figures 2 to 4, for (20, 3) and for (100, 6)."""
    small = ["max=20", "sides=3"]
    figures = [
        drawn("greed", "sums", "The law of the sum of 2, 3 and 4 dice (figure 2)."),
        drawn("greed", "last", "Last turns of (20, 3) (figure 3).", small),
        drawn("greed", "ordinary", "Ordinary turns of (20, 3) (figure 4).", small),
    ]
    if not quick:
        figures += [
            drawn("greed", "last", "Last turns of (100, 6)."),
            drawn("greed", "ordinary", "Ordinary turns of (100, 6)."),
        ]
    table = solve_greed(Greed(max=20, die=Die(3)))
    behind = [f"{mine}-{yours}" for yours in range(21) for mine in range(yours)]
    forfeits = [at for at in behind if table.best_dice(at) == [0]]
    check = words(
        "section 5",
        "forfeits never occur with best play",
        f"nobody behind throws nothing, at any of {len(behind)} positions",
        not forfeits,
    )
    return several("Ratings and dice", [check], *figures)


def conjectures(quick: bool) -> Section:
    """Return whether the conjectures hold in a range, and what the search makes of them."""
    most, sides = (20, 4) if quick else (80, 10)
    swept = sweep(most, (1, sides), jobs=1)
    checks = [
        words(
            "section 5",
            f"{claim}: {told}",
            f"no counterexample in {swept.tested} games, maxima to {most}, up to {sides} sides",
            swept.counterexamples[claim] is None,
        )
        for claim, told in _CLAIMS.items()
    ]
    found = {search.name: search for search in shortcuts(Greed(max=20, die=Die(3))).last}
    checks.append(
        words(
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
    )
    return several("The conjectures and the search", checks)


_CLAIMS = {
    "conjecture 1": "above the middle, more dice never help in a last turn",
    "conjecture 2": "in a last turn the rating rises with the dice, then falls",
    "upper bound": "dice whose mean is beyond the maximum never help on an ordinary turn",
}


def slips(quick: bool) -> Section:
    """Return the slips that numbers can show."""
    game = Greed(max=20, die=Die(3))
    at = game.parse("2-6")
    fits = sum_law(Die(3), 2)
    ours = [f"{at.yours}-{at.mine + total}" for total in sorted(fits)]
    law = sum_law(Die(6), 2)
    mean = sum(t * p for t, p in law.items())
    variance = sum((t - mean) ** 2 * p for t, p in law.items())
    listed = PAPER["example"]["leads_to"]
    checks = [
        Check(
            "section 6",
            "two dice of three sides at (2, 6) lead to",
            ", ".join(listed),
            ", ".join(ours),
            ours == listed,
            Reason("the sums are 2 to 6: the last one was left out", ours[:-1] == listed),
        ),
        number(
            "lemma 4",
            "the variance of two dice of six sides",
            PAPER["variance"]["of_six_sides"],
            variance,
            Reason(
                "stated for one die; the proof ends with n times that",
                number("", "", PAPER["variance"]["of_six_sides"], variance / 2).same,
            ),
        ),
    ]
    return several("Slips", checks)
