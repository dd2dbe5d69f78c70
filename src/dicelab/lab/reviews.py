"""The review of a match: how the chances went, what was given away, and what was luck."""

from __future__ import annotations

from dicelab.core.json_object import JsonObject
from dicelab.lab import coach, narration, opponents
from dicelab.lab.arguments import kind_of
from dicelab.lab.http_errors import NotFound
from dicelab.lab.matches import Play, Standing
from dicelab.lab.narration import OPPONENT, YOU
from dicelab.lab.playing import Playing
from dicelab.lab.store import Decision, Match
from dicelab.people import marks
from dicelab.people.evidence import faults
from dicelab.people.game_review import Judged, Tally, review_steps, tally, worth_at
from dicelab.rules import SAME, Game, before_throw
from dicelab.verbs.explain import gerund, per_cent
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


SLIP = 0.001
"""A mistake that costs less than this share of what is at stake is called a slip."""


def grade(error: float, unforced: int, said: str, who: str) -> JsonObject:
    """Return the grade for an error per unforced decision, a share of what is at stake."""
    letter, word, _ = next((line for line in GRADES if error < line[2]), GRADES[-1])
    if error == 0:
        said = f"{who} gave nothing away."
    if not unforced:
        return {"letter": None, "words": "forced", "sentence": f"{who} had nothing to decide."}
    return {"letter": letter, "words": word, "sentence": said}


def grades() -> list[JsonObject]:
    """Return the scale of grades."""
    return [{"letter": letter, "words": word, "below": below} for letter, word, below in GRADES]


class Reviews:
    """Reviews of matches that are over."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing

    def review(self, id: str, wait: float, viewer: int | None) -> JsonObject:
        """Return the review of a match; its id is the link that reopens it.

        It speaks to who played as "you", and about them by name to everybody else.
        """
        match = self.playing.store.match(id)
        if match is None or match.ended is None:
            raise NotFound(f"there is no finished match {id[:40]!r}")
        play, rows = self.playing.play_of(match), self.playing.store.decisions(id)
        name = self.playing.store.name_of(match.player)
        yours = viewer == match.player
        who = "You" if yours else name
        told = self._steps(play, rows, wait, who)
        assert match.outcome is not None
        document = {
            "id": id,
            "link": f"/review/{id}",
            "game": match.game,
            "title": match.title,
            "parameters": match.parameters,
            "kind": kind_of(play.game),
            "unit": play.game.unit,
            "scale": coach.scale(play.game),
            "sides": play.layout()["sides"],
            "opponent": opponents.shown(match.opponent),
            "player": name,
            "yours": yours,
            "you_start": match.you_start,
            "played": match.started,
            "result": {
                "outcome": match.outcome,
                "value": self.playing.value(play, rows, match.outcome),
                "sentence": play.ending(rows, match.outcome, who),
            },
            **told,
            "grades": grades(),
        }
        self._keep(match, document)
        return document

    def _keep(self, match: Match, document: JsonObject) -> None:
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

    def score(self, match: Match, wait: float) -> JsonObject:
        """Return the score of a match that is over, worked out once."""
        found = self.playing.store.score(match.id)
        if found is None:
            self.review(match.id, wait, match.player)
            found = self.playing.store.score(match.id)
        assert found is not None
        return found

    def _steps(self, play: Play, rows: list[Decision], wait: float, who: str) -> JsonObject:
        game = play.game
        solution = self.playing.solving.solution(game, wait)
        judged = review_steps(solution, play.steps(rows))
        pairs = list(zip(rows, judged, strict=True))
        start = worth_at(solution, game.start(), play.standing([]).seat)
        at_stake = marks.at_stake(solution)
        seats = [
            _tally(tally(solution, judged, seat), _small(judged, seat, at_stake))
            if judged
            else _nothing(start)
            for seat in range(game.players)
        ]
        mine, error = seats[0], seats[0]["error_per_decision"]
        low, high = solution.bounds_at(game.start())
        return {
            "curve": _curve(play, solution, pairs, start),
            "mistakes": _mistakes(play, pairs, at_stake, who),
            "you": mine,
            "opponent_score": seats[1] if len(seats) == 2 else None,
            "others": [
                {"name": name, "score": score}
                for name, score in zip(play.names, seats[1:], strict=False)
            ],
            "seats": len(seats),
            "grade": grade(
                error / at_stake,
                mine["unforced"],
                f"{who} gave away {per_cent(game, error)} per unforced decision.",
                who,
            ),
            "assumes": coach.assumed(game),
            "start_value": start,
            "bounds": float(high - low),
            "faults": faults(game, [one for one in judged if one.step.seat == 0]),
        }


def _tally(found: Tally, slips: int = 0) -> JsonObject:
    return {
        "decisions": found.decisions,
        "unforced": found.unforced,
        "mistakes": found.mistakes - slips,
        "slips": slips,
        "cost": found.cost,
        "error_per_decision": found.cost_per_unforced,
        "luck": found.luck,
        "result": found.result,
        "luck_adjusted": found.adjusted,
    }


def _small(judged: list[Judged], seat: int, at_stake: float) -> int:
    """Return how many mistakes of a seat are slips."""
    return sum(
        one.step.seat == seat and one.is_mistake and one.unforced and one.cost < SLIP * at_stake
        for one in judged
    )


def _object(who: str) -> str:
    return "you" if who == "You" else who


def _nothing(value: float) -> JsonObject:
    """Return the score of a match that was stopped before its first decision."""
    return _tally(Tally(0, 0, 0, 0.0, 0.0, value, value))


def _point(ply: int, value: float, share: float | None, who: str | None, at: str) -> JsonObject:
    return {"ply": ply, "value": value, "share": share, "who": who, "notation": at}


def _curve(
    play: Play, solution: Solution, pairs: list[tuple[Decision, Judged]], start: float
) -> list[JsonObject]:
    """Return what the match was worth to you, decision after decision."""
    game: Game = play.game
    first = narration.notation(game, game.start(), 0)
    curve = [_point(0, start, coach.share(game, start), None, first)]
    spent = 0.0  # what you gained so far, less what the other did; turns, where fewest is best
    for row, judged in pairs:
        if game.is_simultaneous and row.who == OPPONENT:
            continue
        seat = narration.your_seat(row, game.players)
        at = game.read(row.after)
        gain = float(row.gain)
        if game.players == 1 or row.who == YOU:
            value = judged.after + spent
        else:
            gain = -gain
            value = worth_at(solution, at, seat) + spent + gain
        spent += gain
        point = _point(
            row.ply, value, coach.share(game, value), row.who, narration.notation(game, at, seat)
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
    play: Play, pairs: list[tuple[Decision, Judged]], at_stake: float, who: str
) -> list[JsonObject]:
    """Return your mistakes, the costliest first, each with its position drawn."""
    game, found, turns = play.game, [], 0
    for row, judged in pairs:
        before, turns = turns, turns + (row.who == YOU and row.mover != SAME)
        if row.who != YOU or not (judged.is_mistake and judged.unforced):
            continue
        decided = judged.step.at
        at = before_throw(decided)
        best = " or ".join(game.spoken(at, move) for move in judged.best)
        doing = gerund(game.spoken(at, row.move))
        found.append(
            {
                "ply": row.ply,
                "position": play.position(Standing(decided, 0, row.ply, before, None)),
                "move": row.move,
                "label": game.label(at, row.move),
                "best": list(judged.best),
                "cost": judged.cost,
                "slip": judged.cost < SLIP * at_stake,
                "sentence": f"Best was to {best}. {doing[:1].upper()}{doing[1:]} cost "
                f"{_object(who)} {per_cent(game, judged.cost)}.",
                "dice_then": list(row.faces),
            }
        )
    return sorted(found, key=lambda one: -one["cost"])
