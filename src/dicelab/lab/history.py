"""A player's history: how the games went, how they play, what it costs and what to change."""

from __future__ import annotations

from collections.abc import Sequence

from dicelab.core.json_object import JsonObject
from dicelab.core.language import Later, number, tr
from dicelab.core.worker_process import Report
from dicelab.errors import DicelabError
from dicelab.lab import adapting, coach, narration, starts
from dicelab.lab.http_errors import Busy
from dicelab.lab.narration import ME, SEVERAL, log
from dicelab.lab.records import brought_in
from dicelab.lab.reviews import Reviews
from dicelab.lab.solution_cache import Working
from dicelab.lab.store import Match, Player
from dicelab.people.evidence import change
from dicelab.people.fit import Fit
from dicelab.people.models import plan_of, usual_model
from dicelab.rules import Game
from dicelab.rules.registry import told
from dicelab.verbs.evaluate import evaluate
from dicelab.verbs.evaluation import Evaluation
from dicelab.verbs.solution import Solution

SMOOTH = 5  # games that a running average looks back on
MOST_STYLES = 4  # games whose style is told, the one played most first
ENOUGH_GAMES, ENOUGH_DECISIONS = 3, 10
"""From so many games with so many unforced decisions on, a style can be told."""

SHOWN = ("id", "title", "game", "played", "outcome", "opponent", "error_per_decision")
SHOWN_TOO = ("cost", "luck", "luck_adjusted", "mistakes", "unforced", "grade")


class History:
    """Histories, from the reviews of everything a player has finished."""

    def __init__(self, reviews: Reviews) -> None:
        self.reviews = reviews
        self.playing = reviews.playing
        self.solving = reviews.playing.solving

    def history(
        self, player: Player, game: str | None, wait: float, with_styles: bool = True
    ) -> JsonObject:
        """Return how a player has done, at one game or at all.

        Styles take a fit and an evaluation each: who does not want to wait leaves them out.
        """
        matches, scores = self._scores(player, game, wait)
        practice = {match.id for match in matches if match.is_practice}
        titles: dict[str, list[JsonObject]] = {}
        for score in scores:
            if score["id"] not in practice:
                titles.setdefault(score["title"], []).append(score)
        often = sorted(titles, key=lambda title: -len(titles[title]))
        some = {match.title: match for match in matches}
        styles: list[JsonObject] = []
        for title in often if with_styles else []:
            if is_enough(titles[title]):
                style = self._style(player, some[title], titles[title], wait)
                if style is not None:
                    styles.append(style)
            if len(styles) == MOST_STYLES:
                break
        note = None
        if not titles:
            note = tr("play a game to its end to see how you do")
        elif not any(map(is_enough, titles.values())):
            note = tr(
                "your style can be told after {games} games by the same rules with {decisions} "
                "decisions that were yours to make",
                games=ENOUGH_GAMES,
                decisions=ENOUGH_DECISIONS,
            )
        scales = {title: self._scale(some[title]) for title in often}
        return {
            "games": [
                {
                    **{name: score[name] for name in (*SHOWN, *SHOWN_TOO)},
                    # Kept with the score in the language of who first looked at it.
                    "opponent": narration.called(match.opponent),
                    "practice": score["id"] in practice,
                }
                for match, score in zip(matches, scores, strict=True)
            ],
            "practice": starts.left_out(len(practice)),
            "progress": [
                {"game": title, "scale": scales[title], "points": _progress(titles[title])}
                for title in often
            ],
            "totals": [{**_total(title, titles[title]), "scale": scales[title]} for title in often],
            "style": styles,
            "styles_to_come": not with_styles and any(map(is_enough, titles.values())),
            "enough": bool(scores),
            "note": note,
        }

    def _scores(
        self, player: Player, game: str | None, wait: float
    ) -> tuple[list[Match], list[JsonObject]]:
        """Return the finished matches of a player and their scores.

        A match whose game is not there any more, or no longer understands it, is left out.
        """
        matches, scores = [], []
        kept = self.playing.store.scores(player.number)
        for match in self.playing.store.matches(player.number, over=True):
            if game is not None and match.game != game:
                continue
            try:
                self.playing.game_of(match)
                scores.append(kept.get(match.id) or self.reviews.score(match, wait))
            except (Working, Busy):
                raise
            except DicelabError:
                log.exception("match %s of %s cannot be told", match.id, match.title)
                continue
            matches.append(match)
        return matches, scores

    def _scale(self, match: Match) -> JsonObject | None:
        """Return between what numbers the values of a match lie; None where that is open."""
        return coach.scale(self.playing.game_of(match))

    def _style(
        self, player: Player, match: Match, scores: list[JsonObject], wait: float
    ) -> JsonObject | None:
        """Return how a player plays one game, in a few numbers and sentences, if it tells one."""
        game = self.playing.game_of(match)
        if game.players > 2:  # a style is told against one opponent
            return None
        found = adapting.own_fit(self.playing.store, self.solving, player, game, wait)
        if found is None:
            return None
        costs: dict[str, float] = {}
        for score in scores:
            for key, cost in score["faults"].items():
                costs[key] = costs.get(key, 0.0) + cost
        best = change(game, costs, len(scores))
        return {
            "title": match.title,
            "game": match.game,
            "model": found.model.name,
            "sentence": adapting.sentence(game, found),
            "numbers": [
                {
                    "name": one.name,
                    "value": one.value,
                    "low": _number(one.low),
                    "high": _number(one.high),
                }
                for one in found.estimates
            ],
            "decisions": found.units,
            "games": found.games,
            "costs": self._costs(game, found, wait),
            "change": None if best is None else vars(best),
            "curve": _curve(game, found),
        }

    def _costs(self, game: Game, found: Fit, wait: float) -> JsonObject | None:
        """Return what a style wins against the optimum; None where that takes too long."""
        if game.players != 2 or game.solver:
            return None
        solution = self.solving.solution(game, wait)

        key = ("costs", str(game), found.numbers)
        meeting: Evaluation = self.solving.shelf.get(
            key,
            Later("your style against perfect play at {game}", game=game),
            lambda report: self.solving.apart(report, against_best, solution, found.numbers),
            wait,
        )
        overall, value = float(meeting.overall), float(meeting.value)
        even = float(game.total) / 2
        return {
            "overall": overall,
            "value": value,
            "against": "optimal",
            "loses": even - value,
            "sentence": tr(
                "Somebody who always plays like this wins {share} of games against perfect play, "
                "taking turns in starting.",
                share=number(overall, ".1%"),
            ),
        }

    def people(self, player: Player) -> list[JsonObject]:
        """Return who can be an opponent: the player, and those in records that were brought in."""
        store = self.playing.store
        own: dict[str, list[Match]] = {}
        for match in store.matches(player.number, over=True, counted=True):
            own.setdefault(match.title, []).append(match)
        found = [
            {
                "record": ME,
                "player": player.name,
                "game": matches[0].game,
                "title": title,
                "parameters": matches[0].parameters,
                "games": len(matches),
            }
            for title, matches in own.items()
            if matches[0].opponent["kind"] not in ("nobody", SEVERAL)
        ]
        for record in brought_in(store):
            for name in record.participants:
                found.append(
                    {
                        "record": record.id,
                        "player": name,
                        "game": record.game.name,
                        "title": str(record.game),
                        "parameters": told(record.game),
                        "games": record.games,
                    }
                )
        return found


def against_best(solution: Solution, numbers: Sequence[float], report: Report) -> Evaluation:
    """Return how somebody with these numbers fares against best play."""
    plan = plan_of(usual_model(solution), numbers, solution.table)
    found = evaluate(solution.table, plan, solution.plan)
    assert isinstance(found, Evaluation)
    return found


def is_enough(scores: list[JsonObject]) -> bool:
    """Return whether games of one kind tell enough about how somebody plays."""
    decided = sum(score["unforced"] for score in scores)
    return len(scores) >= ENOUGH_GAMES and decided >= ENOUGH_DECISIONS


def _progress(scores: list[JsonObject]) -> list[JsonObject]:
    points = []
    for place, score in enumerate(scores):
        last = scores[max(0, place - SMOOTH + 1) : place + 1]
        unforced = sum(one["unforced"] for one in last)
        average = sum(one["cost"] for one in last) / unforced if unforced else 0.0
        points.append(
            {
                "id": score["id"],
                "played": score["played"],
                "error_per_decision": score["error_per_decision"],
                "average": average,
            }
        )
    return points


def _total(title: str, scores: list[JsonObject]) -> JsonObject:
    unforced = sum(score["unforced"] for score in scores)
    cost = sum(score["cost"] for score in scores)
    counts = {
        outcome: sum(score["outcome"] == outcome for score in scores)
        for outcome in ("won", "lost", "drawn", "stopped", "done")
    }
    return {
        "title": title,
        "game": scores[0]["game"],
        "played": len(scores),
        **counts,
        "cost_per_game": cost / len(scores),
        "error_per_decision": cost / unforced if unforced else 0.0,
        "luck": sum(score["luck"] for score in scores),
        "mean_result": sum(score["result"] for score in scores) / len(scores),
    }


def _curve(game: Game, found: Fit) -> list[dict[str, float]] | None:
    """Return where a person holds by the gap, where a threshold tells it."""
    if found.model.name != "threshold":
        return None
    target = int(game.parameters["target"])
    step = max(1, target // 10)
    holds, behind = found.numbers[:2]
    return [
        {"gap": gap, "holds_at": min(float(target), max(0.0, holds + behind * gap))}
        for gap in range(-4 * step, 4 * step + 1, step)
    ]


def _number(value: float) -> float | None:
    return value if value == value and abs(value) < 1e300 else None
