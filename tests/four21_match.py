"""The match of 421 for two, told again in plain Python and NumPy: an oracle for the tests.

Nothing here uses the package. A set is worked out from its last cast to its first, the next player
first and then the first one, against what the tokens are worth afterwards; that is repeated until
nothing changes. With ``number=Fraction`` all is exact, which serves where no token comes back.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

import numpy as np


class Twin:
    """The match with so many tokens and casts, and dice with so many faces."""

    def __init__(self, tokens=11, starts="loser", short="rest", casts=3, sides=6, number=float):
        self.tokens, self.starts, self.short, self.casts = tokens, starts, short, casts
        self.number = number
        faces = range(1, sides + 1)
        self.kept = [c for n in range(3) for c in combinations_with_replacement(faces, n)]
        self.full = list(combinations_with_replacement(faces, 3))
        self.law = {n: self._law(faces, n) for n in (1, 2, 3)}
        self.height = {c: place for place, c in enumerate(self._rising(sides))}

    def _law(self, faces, dice):
        found = []
        for thrown in combinations_with_replacement(faces, dice):
            ways = factorial(dice) // prod(map(factorial, Counter(thrown).values()))
            found.append((thrown, self.number(Fraction(ways, len(faces) ** dice))))
        return found

    def _rising(self, sides):
        """Every result, the lowest first, as the study lists them from the highest down."""
        listed = ["421", "111"]
        for face in range(sides, 1, -1):
            listed += [f"{face}11", f"{face}{face}{face}"]
        listed += [f"{face}{face - 1}{face - 2}" for face in range(sides, 2, -1)]
        high = [tuple(sorted(map(int, each))) for each in listed]
        rest = sorted((c for c in self.full if c not in high), key=lambda c: c[::-1])
        return [*rest, *reversed(high)]

    def moved(self, result):
        """How many tokens a result moves."""
        low, middle, high = result
        if result == (1, 2, 4):
            return 10
        if result == (1, 1, 1):
            return 7
        if low == high or (low, middle) == (1, 1):
            return high
        return 2 if (high - middle, middle - low) == (1, 1) else 1

    def after_set(self, first, second, one, two):
        """The tokens of both after a set, and whether the first player took some."""
        takes = self.height[one] < self.height[two]  # equals: the last of them takes
        due = self.moved(two if takes else one)
        pot = self.tokens - first - second
        drawn = min(due, pot)
        given = 0
        if pot == 0 or self.short == "highest":
            given = min(due - drawn, second if takes else first)
        elif self.short == "void" and pot < due:
            drawn = 0
        if takes:
            return first + drawn + given, second - given, True
        return first - given, second + drawn + given, False

    def worth(self, values, first, second, one, two):
        """The first player's chance after a set."""
        first, second, took = self.after_set(first, second, one, two)
        if first + second == self.tokens and 0 in (first, second):
            return self.number(first == 0)
        if self.starts == "fixed" or (
            took == (self.starts == "loser") and self.starts != "alternate"
        ):
            return values[first, second]
        return 1 - values[second, first]

    def best(self, paid, casts, must):
        """What every combination aside is worth after 0, 1 ... casts of a round."""
        after = dict(paid[casts])
        found = [after]
        for cast in range(casts, 0, -1):
            now = {} if must or cast == 1 else dict(paid[cast - 1])
            for aside in self.kept:
                total = 0
                for thrown, chance in self.law[3 - len(aside)]:
                    if cast == casts:
                        gets = after[tuple(sorted(aside + thrown))]
                    else:
                        sizes = range(len(thrown) + (0 if must else 1))
                        parts = {part for n in sizes for part in combinations(thrown, n)}
                        each = [after[tuple(sorted(aside + part))] for part in parts]
                        gets = each[0]
                        for other in each[1:]:
                            gets = np.maximum(gets, other)
                    total = total + chance * gets
                now[aside] = total
            after = now
            found.append(now)
        return found[::-1]

    def a_set(self, values, first, second):
        """The first player's round in a set: what each combination aside is worth to him."""
        lost = {
            two: np.array([1 - self.worth(values, first, second, one, two) for one in self.full])
            for two in self.full
        }
        paid = {}
        for cast in range(1, self.casts + 1):
            wins = 1 - self.best(dict.fromkeys(range(1, cast + 1), lost), cast, must=True)[0][()]
            paid[cast] = dict(zip(self.full, wins, strict=True))
        return self.best(paid, self.casts, must=False)

    def solve(self, within=1e-15, most=400):
        """The first player's chance at every pair of tokens, the pot settled from its end."""
        shape = self.tokens + 1, self.tokens + 1
        values = np.full(
            shape, self.number(Fraction(1, 2)), object if self.number is Fraction else float
        )
        for pot in range(self.tokens + 1):
            held = [(a, self.tokens - pot - a) for a in range(self.tokens - pot + 1)]
            held = [pair for pair in held if pot or 0 not in pair]
            for _ in range(most):
                change = 0
                for pair in held:
                    before, values[pair] = values[pair], self.a_set(values, *pair)[0][()]
                    change = max(change, abs(values[pair] - before))
                if change <= within:
                    break
        return values


class SeatedTwin:
    """The match for several, from the rules of appendix A: nothing of the others is forgotten.

    Tokens stand in order of seats; the player in the first throws first in a set. `ask` says what a
    player keeps: by the tokens, what was thrown before, the casts of the round, how many are left,
    what is aside and what the dice show; None is to stop.
    """

    def __init__(
        self,
        players,
        tokens,
        starts="loser",
        short="rest",
        casts=3,
        sides=6,
        ask=None,
        number=Fraction,
    ):
        self.players, self.tokens, self.starts, self.short = players, tokens, starts, short
        self.casts, self.sides, self.ask, self.number = casts, sides, ask, number
        self.one = Twin(tokens, starts, short, casts, sides, number=number)
        self.gained = number(0)  # the most that another decision would have brought
        self.known = {}

    def after_set(self, held, results):
        """Everybody's tokens after a set, and who begins the next."""
        seats = range(self.players)
        height = [self.one.height[each] for each in results]
        taker = max(seat for seat in seats if height[seat] == min(height))
        giver = min(seat for seat in seats if height[seat] == max(height))
        due, pot, after = self.one.moved(results[giver]), self.tokens - sum(held), list(held)
        drawn = 0 if self.short == "void" and 0 < pot < due else min(due, pot)
        given = min(due - drawn, held[giver]) if pot == 0 or self.short == "highest" else 0
        after[taker] += drawn + given
        after[giver] -= given
        begins = {"loser": taker, "winner": giver, "alternate": 1 % self.players, "fixed": 0}
        return tuple(after), begins[self.starts]

    def value(self, held):
        """Everybody's chance to win where a set begins and no token can come back."""
        if held not in self.known:
            over = sum(held) == self.tokens and 0 in held
            won = tuple(self.number(own == 0) for own in held)
            self.known[held] = won if over else self.cast(held, (), None, self.casts, ())
        return self.known[held]

    def thrown(self, held, results, bound, result, used):
        """Everybody's chance once a player's round has ended."""
        results = (*results, result)
        bound = used if bound is None else bound
        if len(results) < self.players:
            return self.cast(held, results, bound, bound, ())
        after, begins = self.after_set(held, results)
        turned = self.value((*after[begins:], *after[:begins]))
        back = self.players - begins
        return (*turned[back:], *turned[:back])

    def cast(self, held, results, bound, left, aside):
        """Everybody's chance before a cast."""
        key = held, results, bound, left, aside
        if key not in self.known:
            total = [self.number(0)] * self.players
            for dice, chance in self.one.law[3 - len(aside)]:
                then = self.kept(held, results, bound, left, aside, dice)
                total = [sum_ + chance * each for sum_, each in zip(total, then, strict=True)]
            self.known[key] = tuple(total)
        return self.known[key]

    def kept(self, held, results, bound, left, aside, dice):
        """Everybody's chance after a throw: one keeps what `ask` says, which ought to be best."""
        me, every = len(results), {}
        if bound is None or left == 1:
            full = tuple(sorted(aside + dice))
            every[None] = self.thrown(held, results, bound, full, self.casts - left + 1)
        if left > 1:
            for part in {part for size in range(len(dice)) for part in combinations(dice, size)}:
                kept = tuple(sorted(aside + part))
                every[kept] = self.cast(held, results, bound, left - 1, kept)
        if len(every) == 1:
            return next(iter(every.values()))
        taken = every[self.ask(held, results, bound, left, aside, dice)]
        self.gained = max(self.gained, max(each[me] for each in every.values()) - taken[me])
        return taken

    def played(self, generator):
        """Who has won a match that is played with these dice, by seat."""
        held, first = (0,) * self.players, 0
        while sum(held) < self.tokens or 0 not in held:
            results, bound = (), None
            for _ in range(self.players):
                aside, left = (), bound or self.casts
                while True:
                    thrown = generator.integers(1, self.sides + 1, 3 - len(aside)).tolist()
                    dice = tuple(sorted(thrown))
                    asked = held, results, bound, left, aside, dice
                    kept = None if left == 1 else self.ask(*asked)
                    if kept is None:
                        break
                    aside, left = kept, left - 1
                bound = bound or self.casts - left + 1
                results = (*results, tuple(sorted(aside + dice)))
            after, begins = self.after_set(held, results)
            held, first = after[begins:] + after[:begins], (first + begins) % self.players
        return [held[(seat - first) % self.players] == 0 for seat in range(self.players)]

    def solve(self, rounds=400):
        """Everybody's chance at all tokens, where one cast leaves nothing to choose."""
        law = self.one.law[3]
        shared = [t for t in np.ndindex(*[self.tokens + 1] * self.players) if sum(t) <= self.tokens]
        place = {held: number for number, held in enumerate(shared)}
        chain = np.zeros((len(shared), len(shared), self.players))  # by how many seats it turns
        values = np.zeros((len(shared), self.players))
        for held, number in place.items():
            if sum(held) == self.tokens and 0 in held:
                values[number] = [own == 0 for own in held]
                continue
            for one in product(law, repeat=self.players):
                after, begins = self.after_set(held, [dice for dice, _ in one])
                there = place[after[begins:] + after[:begins]]
                chain[number, there, begins] += float(prod(chance for _, chance in one))
        over = chain.sum(axis=(1, 2)) == 0
        for _ in range(rounds):
            turned = [np.roll(values, seat, axis=1) for seat in range(self.players)]
            new = sum(chain[:, :, seat] @ turned[seat] for seat in range(self.players))
            values[~over] = new[~over]
        return {held: values[number] for held, number in place.items()}


def keeps_of(rules, way_at):
    """What `SeatedTwin` asks, answered by a strategy that knows the rules' own positions."""
    write, number, known = rules.numbers.write, rules.numbers.number, {}

    def ask(held, results, bound, left, aside, dice):
        me = len(results)
        told = ["-".join(map(str, (*held[me:], *held[:me])))]
        if results:
            thrown = " ".join(write(number(each)) for each in results)
            told.append(f"other{'s' * (me > 1)} {thrown} in {bound}")
        told += [f"{write(number(aside))} aside"] * bool(aside) + [f"{left} left"]
        at = rules.parse(", ".join(told))
        if (at, dice) not in known:
            moment = rules.read(f"{rules.notation(at)} threw {' '.join(map(str, dice))}")
            known[at, dice] = way_at(moment).removeprefix("keep ")
        kept = known[at, dice]
        if kept == "stop":
            return None
        return () if kept == "nothing" else rules.numbers.faces_of(number(kept))

    return ask
