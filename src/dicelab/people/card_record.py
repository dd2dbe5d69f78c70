"""Games of a scorecard as people write them down, a row for each round, and their review.

    # {"format": "dicelab rounds 1", "game": "yahtzee", "parameters": {}}
    game,player,cast 1,keep 1,cast 2,keep 2,cast 3,box
    1,ann,66651,666,66642,666,66655,full-house

A cast shows all dice. What is kept is written as dice, ``-`` for none; who stops early leaves the
rest of the casts empty. Each decision has its cost in points, and each throw its luck: what the
position is worth after it, less what was to be expected. Without luck a game is worth what best
play brings, less its costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dicelab.core.csv_cells import guarded, unguarded
from dicelab.core.json_object import JsonObject
from dicelab.errors import DicelabError, RecordError
from dicelab.people import marks
from dicelab.people.game_review import Judged, Step, review_steps, tally
from dicelab.people.record_header import game_of, header_of, rows_of
from dicelab.people.review import costly_in_words, numbers_of
from dicelab.rounds.match import CAST, SCORE, MatchPosition
from dicelab.rounds.scorecard import Scorecard
from dicelab.rules import ONGOING, Game
from dicelab.verbs.card_play import law_of_points, optimal_card
from dicelab.verbs.points_law import PointsLaw
from dicelab.verbs.scorecards import CardValues, solve_card
from dicelab.verbs.solution import Solution

FORMAT = "dicelab rounds 1"


@dataclass(frozen=True, eq=False)
class CardRecord:
    """Games of one scorecard, decision after decision."""

    game: Scorecard
    names: tuple[str, ...]  # of the games
    players: tuple[str, ...]  # of each game
    steps: tuple[tuple[Step, ...], ...]  # of each game


def columns_of(game: Scorecard) -> list[str]:
    """Return the columns of a record: casts and what is kept between them, then the box."""
    middle = [f"{what} {n}" for n in range(1, game.casts + 1) for what in ("cast", "keep")]
    return ["game", "player", *middle[:-1], "box"]


def parse_rounds(text: str, asked: Game | None, path: str) -> CardRecord:
    """Return the games that a text stands for, refused unless the rules allow every row."""
    told, begins = header_of(text, path)
    game = game_of(told, asked, path)
    if not isinstance(game, Scorecard):
        raise RecordError(f"{path!r} has rounds of a scorecard, and {game} has no card")
    wanted = columns_of(game)
    games: dict[str, tuple[str, list[Step]]] = {}
    for number, line in rows_of(text, begins, wanted):
        cells = [unguarded(cell) for cell in line]
        if len(cells) != len(wanted):
            raise RecordError(f"row {number} has {len(cells)} cells: {len(wanted)} wanted")
        steps = games.setdefault(cells[0], (cells[1], []))[1]
        at = steps[-1].after if steps else game.start()
        try:
            steps += round_of(game, at, cells[2:-1], cells[-1])
        except DicelabError as trouble:
            raise RecordError(f"row {number}: {trouble}") from None
    if not games:
        raise RecordError(f"{path!r} has no rounds: write one row for each")
    played = [(name, player, tuple(steps)) for name, (player, steps) in games.items()]
    return CardRecord(game, *(tuple(each) for each in zip(*played, strict=True)))


def round_of(game: Scorecard, at: MatchPosition, cells: Sequence[str], box: str) -> list[Step]:
    """Return the decisions of one round from what was cast and kept."""
    if game.result(at) != ONGOING:
        raise RecordError("the card is full: this game has no further round")
    move, steps = CAST, []
    for cast, kept in zip(cells[::2], [*cells[1::2], ""], strict=True):
        if not cast:
            break
        thrown = game.numbers.number(cast, dice=game.dice)
        steps.append(_step(game, at, move, thrown))
        at = steps[-1].after
        if not kept:
            break
        move = game.keep_move(game.numbers.number(kept))
        if move == game.keep_move(thrown):  # all dice: who keeps them stops
            break
        if move not in game.choices(at):
            raise RecordError(f"cannot {move} at {game.notation(at)}")
    if not steps:
        raise RecordError("a round begins with a cast: got none")
    if SCORE + box not in game.choices(at):
        raise RecordError(f"cannot fill {box!r} at {game.notation(at)}")
    way = next(way for way in game.ends(at) if way.name == SCORE + box)
    return [*steps, Step(0, at, way.name, game.begin(way.at), way.mover, int(way.gain))]


def _step(game: Scorecard, at: MatchPosition, move: str, shown: int) -> Step:
    """Return a cast that shows all these dice, refused where what was kept is not among them."""
    kept = Counter(game.numbers.faces_of(game.kept_by(move)))
    dice = Counter(game.numbers.faces_of(shown))
    if kept - dice:
        told = game.numbers.write(shown)
        raise RecordError(f"{told} cannot follow {move}: the dice that were kept still lie there")
    after = MatchPosition(at.standing, 0, shown, at.left - 1)
    return Step(0, at, move, after, 0)


@dataclass(frozen=True, eq=False)
class CardReview:
    """What each decision of some games cost and what the dice gave, and how good a score is."""

    record: CardRecord
    solution: Solution
    judged: tuple[tuple[Judged, ...], ...]  # of each game
    law: PointsLaw  # of the score under best play
    error: float

    def percentile(self, score: float) -> float:
        """Return the share of games of best play that end with fewer points, half of equals."""
        law = self.law
        return 1 - (law.at_least(int(score)) + law.at_least(int(score) + 1)) / 2

    def scores(self) -> list[JsonObject]:
        """Return how each game went."""
        found, whole = [], marks.at_stake(self.solution)
        for number, judged in enumerate(self.judged):
            told = tally(self.solution, judged, 0, whole)
            whole = self.record.game.result(judged[-1].step.after) != ONGOING
            found.append(
                {
                    "player": self.record.players[number],
                    "game": self.record.names[number],
                    "seat": 1,
                    **numbers_of(told),
                    "percentile": self.percentile(told.result) if whole else None,
                }
            )
        return found

    def as_dict(self, worst: int) -> JsonObject:
        """Return the scores by game, and the costliest decisions."""
        whole = marks.at_stake(self.solution)
        every = [
            (one.cost, number, one)
            for number, judged in enumerate(self.judged)
            for one in judged
            if one.is_mistake
        ]
        every.sort(key=lambda each: -each[0])
        costly = [
            {
                "game": self.record.names[number],
                "player": self.record.players[number],
                "position": self.solution.notation(one.step.at),
                "move": one.step.move,
                "cost": one.cost,
                "best": list(one.best),
                "mark": one.mark(whole),
            }
            for _, number, one in every[:worst]
        ]
        answer: JsonObject = {"bounds": None, "scores": self.scores(), "players": []}
        return answer | {"worst": costly, "left_out": 0}

    def told(self, answer: JsonObject, most: int) -> tuple[list[str], list[list[str]]]:
        """Return the scores as a table for people."""
        head = ["game", "player", "unforced", "mistakes", "accuracy", "cost", "luck", "result"]
        rows = [
            [
                score["game"],
                score["player"],
                str(score["unforced"]),
                str(score["mistakes"]),
                "-" if score["accuracy"] is None else f"{100 * score['accuracy']:.1f}%",
                f"{score['cost']:.2f}",
                f"{score['luck']:+.2f}",
                f"{score['result']:.2f}",
                f"{score['luck_adjusted']:.2f}",
                "-" if score["percentile"] is None else f"{100 * score['percentile']:.0f}",
            ]
            for score in answer["scores"][:most]
        ]
        return [*head, "no luck", "%"], rows

    def remarks(self, answer: JsonObject) -> list[str]:
        """Return what the columns mean, and the costliest decisions in words."""
        return [
            "accuracy: the share kept of what hung on the unforced decisions; no luck: what the "
            "decisions alone are worth; %: games of best play with a lower score, "
            "and half of equals",
            *costly_in_words(answer["worst"], 2),
        ]

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield every decision as cells, the headings first."""
        yield "game", "player", "position", "move", "after", "unforced", "cost", "luck"
        for number, judged in enumerate(self.judged):
            for one in judged:
                yield (
                    guarded(self.record.names[number]),
                    guarded(self.record.players[number]),
                    self.solution.notation(one.step.at),
                    one.step.move,
                    self.solution.notation(one.step.after),
                    "yes" if one.unforced else "no",
                    one.cost,
                    one.luck,
                )


def review_rounds(record: CardRecord) -> CardReview:
    """Return what was given away and what the dice gave, from the solved card."""
    solution = solve_card(record.game)
    known = getattr(solution, "known", None)
    best = optimal_card(record.game, known if isinstance(known, CardValues) else None)
    judged = tuple(tuple(review_steps(solution, steps)) for steps in record.steps)
    error = float(solution.upper) - float(solution.lower)
    return CardReview(record, solution, judged, law_of_points(record.game, best), error)
