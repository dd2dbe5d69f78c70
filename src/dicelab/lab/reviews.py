"""The review of a match: how the chances went, what was given away, and what was luck."""

from __future__ import annotations

from typing import Any

from dicelab.lab import coach, narration, opponents
from dicelab.lab.arguments import RoundGame, kind_of
from dicelab.lab.http_errors import NotFound
from dicelab.lab.matches import Play, Standing
from dicelab.lab.narration import OPPONENT, YOU
from dicelab.lab.playing import Playing
from dicelab.lab.round_matches import PlayRound, Table
from dicelab.lab.store import Decision, Match
from dicelab.people.evidence import faults
from dicelab.people.game_review import Judged, Tally, review_steps, tally, worth_at
from dicelab.rounds.review import judge, worth
from dicelab.rules import LOSS, WIN, Game
from dicelab.verbs.explain import amount, sentence
from dicelab.verbs.solution import Solution

GRADES = (
    ("A+", "perfect", 1e-6),
    ("A", "excellent", 0.002),
    ("B", "good", 0.005),
    ("C", "fair", 0.01),
    ("D", "rough", 0.02),
    ("E", "costly", 1.0),
)
"""Letter, word, and the error per unforced decision below which it is given, as a share of what
can be won or lost."""


def grade(error: float, unforced: int, said: str) -> dict[str, Any]:
    """Return the grade for an error per unforced decision, a share of what is at stake."""
    letter, word, _ = next((line for line in GRADES if error < line[2]), GRADES[-1])
    if error == 0:
        said = "You gave nothing away."
    if not unforced:
        return {"letter": None, "words": "forced", "sentence": "You had nothing to decide."}
    return {"letter": letter, "words": word, "sentence": said}


def grades() -> list[dict[str, Any]]:
    """Return the scale of grades."""
    return [{"letter": letter, "words": word, "below": below} for letter, word, below in GRADES]


class Reviews:
    """Reviews of matches that are over."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing

    def review(self, id: str, wait: float) -> dict[str, Any]:
        """Return the review of a match; its id is the link that reopens it."""
        match = self.playing.store.match(id)
        if match is None or match.ended is None:
            raise NotFound(f"there is no finished match {id[:40]!r}")
        play, rows = self.playing.play_of(match), self.playing.store.decisions(id)
        if isinstance(play, PlayRound):
            told = self._round(play, rows, wait)
        else:
            told = self._steps(play, rows, wait)
        standing = play.standing(rows)
        assert match.outcome is not None
        document = {
            "id": id,
            "link": f"/review/{id}",
            "game": match.game,
            "title": match.title,
            "parameters": match.parameters,
            "kind": kind_of(play.game),
            "unit": play.game.unit,
            "opponent": opponents.shown(match.opponent),
            "player": self.playing.store.name_of(match.player),
            "you_start": match.you_start,
            "played": match.started,
            "result": {
                "outcome": match.outcome,
                "value": self.playing.value(play, standing, match.outcome),
                "sentence": play.ending(rows, match.outcome),
            },
            **told,
            "grades": grades(),
        }
        self._keep(match, document)
        return document

    def _keep(self, match: Match, document: dict[str, Any]) -> None:
        """Keep the score, for the history."""
        you = document["you"]
        score = {
            "id": match.id,
            "title": match.title,
            "game": match.game,
            "played": match.started,
            "outcome": match.outcome,
            "opponent": document["opponent"]["label"],
            **{name: you[name] for name in ("error_per_decision", "cost", "luck")},
            **{name: you[name] for name in ("luck_adjusted", "unforced", "mistakes", "result")},
            "grade": document["grade"]["letter"],
            "faults": document.pop("faults"),
        }
        if self.playing.store.score(match.id) != score:
            self.playing.store.keep_score(match.id, score)

    def score(self, match: Match, wait: float) -> dict[str, Any]:
        """Return the score of a match that is over, worked out once."""
        found = self.playing.store.score(match.id)
        if found is None:
            self.review(match.id, wait)
            found = self.playing.store.score(match.id)
        assert found is not None
        return found

    # Games with positions.

    def _steps(self, play: Play, rows: list[Decision], wait: float) -> dict[str, Any]:
        game = play.game
        solution = self.playing.solving.solution(game, wait)
        judged = review_steps(solution, play.steps(rows))
        pairs = list(zip(rows, judged, strict=True))
        start = worth_at(solution, game.start(), other=not play.match.you_start)
        mine = _tally(tally(solution, judged, 0)) if judged else _nothing(start)
        theirs = None
        if game.players == 2:
            theirs = _tally(tally(solution, judged, 1)) if judged else _nothing(start)
        stake = 1.0 if game.fewest else float(game.worth[WIN] - game.worth[LOSS])
        error = mine["error_per_decision"]
        low, high = solution.bounds_at(game.start())
        return {
            "curve": _curve(play, solution, pairs, start),
            "mistakes": _mistakes(play, solution, pairs),
            "you": mine,
            "opponent_score": theirs,
            "grade": grade(
                error / stake,
                mine["unforced"],
                f"You gave away {amount(game, error)} per unforced decision.",
            ),
            "start_value": start,
            "bounds": float(high - low),
            "faults": faults(game, [one for one in judged if one.step.seat == 0]),
        }

    # Rounds.

    def _round(self, play: PlayRound, rows: list[Decision], wait: float) -> dict[str, Any]:
        game = play.game
        assert isinstance(game, RoundGame)
        solution = self.playing.solving.round(game, wait)
        now = float(solution.value)
        curve: list[dict[str, Any]] = [_point(0, now, coach.round_share(solution, now), None, "")]
        mistakes, cost, luck, unforced = [], 0.0, 0.0, 0
        for row in rows:
            after = Table(row.after)
            if row.who == YOU:
                before = Table(row.position)
                kept = row.move.removeprefix("keep ")
                made = judge(solution, before.aside, before.thrown, before.cast, kept)
                cost += float(made.cost)
                unforced += made.unforced
                now = float(made.value)
                if made.cost:
                    told = coach.round_advice(solution, before.aside, before.thrown, before.cast)
                    standing = Standing(before, True, row.ply, before.cast, None)
                    mistakes.append(
                        {
                            "ply": row.ply,
                            "position": play.position(standing),
                            "move": row.move,
                            "label": f"Keep {coach.spoken(kept)}",
                            "best": [f"keep {one}" for one in made.best],
                            "cost": float(made.cost),
                            "sentence": told["sentence"],
                            "dice_then": list(row.faces),
                        }
                    )
            if after.thrown:
                then = float(worth(solution, after.aside, after.thrown, after.cast))
            else:
                then = play.worth(after)
            luck += then - now
            point = _point(row.ply, then, coach.round_share(solution, then), row.who, row.after)
            point |= {"move": row.move, "dice": list(row.faces), "luck": then - now}
            point["cost"] = float(made.cost) if row.who == YOU else 0.0
            curve.append(point)
            now = then
        decisions = sum(row.who == YOU for row in rows)
        mine = _tally(Tally(decisions, unforced, len(mistakes), cost, luck, now, now - luck))
        worths = solution.utility.values
        stake = float(worths.max() - worths.min()) or 1.0
        error = mine["error_per_decision"]
        said = f"You gave away {error:.3g} of the worth per decision."
        return {
            "curve": curve,
            "mistakes": sorted(mistakes, key=lambda one: -one["cost"]),
            "you": mine,
            "opponent_score": None,
            "grade": grade(error / stake, unforced, said),
            "start_value": float(solution.value),
            "bounds": 0.0,
            "faults": {},
        }


def _tally(found: Tally) -> dict[str, Any]:
    return {
        "decisions": found.decisions,
        "unforced": found.unforced,
        "mistakes": found.mistakes,
        "cost": found.cost,
        "error_per_decision": found.cost_per_unforced,
        "luck": found.luck,
        "result": found.result,
        "luck_adjusted": found.adjusted,
    }


def _nothing(value: float) -> dict[str, Any]:
    """Return the score of a match that was stopped before its first decision."""
    return _tally(Tally(0, 0, 0, 0.0, 0.0, value, value))


def _point(ply: int, value: float, share: float | None, who: str | None, at: str) -> dict[str, Any]:
    return {"ply": ply, "value": value, "share": share, "who": who, "notation": at}


def _curve(
    play: Play, solution: Solution, pairs: list[tuple[Decision, Judged]], start: float
) -> list[dict[str, Any]]:
    """Return what the match was worth to you, decision after decision."""
    game: Game = play.game
    first = narration.notation(game, game.start(), True)
    curve = [_point(0, start, coach.share(game, start), None, first)]
    spent = 0.0  # turns taken so far, where fewest is best
    for row, judged in pairs:
        if game.is_simultaneous and row.who == OPPONENT:
            continue
        mine = narration.seen_by_you(row, game.players)
        at = game.parse(row.after)
        if game.players == 1:
            value = judged.after + spent
            spent += float(row.gain)
        elif row.who == YOU:
            value = judged.after
        else:
            value = worth_at(solution, at, other=not mine)
        point = _point(
            row.ply, value, coach.share(game, value), row.who, narration.notation(game, at, mine)
        )
        point |= {
            "move": row.move,
            "dice": list(row.faces),
            "cost": judged.cost,
            "luck": judged.luck,
        }
        curve.append(point)
    return curve


def _mistakes(
    play: Play, solution: Solution, pairs: list[tuple[Decision, Judged]]
) -> list[dict[str, Any]]:
    """Return your mistakes, the costliest first, each with its position drawn."""
    game, found = play.game, []
    for row, judged in pairs:
        if row.who != YOU or not (judged.is_mistake and judged.unforced):
            continue
        at = judged.step.at
        moves = solution.moves_at(at)
        standing = Standing(at, True, row.ply, 0, None)
        found.append(
            {
                "ply": row.ply,
                "position": play.position(standing),
                "move": row.move,
                "label": narration.label(game, at, row.move),
                "best": list(judged.best),
                "cost": judged.cost,
                "sentence": solution.advice_at(at) or sentence(game, moves),
                "dice_then": list(row.faces),
            }
        )
    return sorted(found, key=lambda one: -one["cost"])
