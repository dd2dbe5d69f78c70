"""The review of a match: how the chances went, what was given away, and what was luck."""

from __future__ import annotations

from contextlib import suppress

from dicelab.core.json_object import JsonObject
from dicelab.core.language import tr
from dicelab.errors import DicelabError
from dicelab.lab import coach, narration, opponents, seats, starts, taken_back, walk
from dicelab.lab.arguments import kind_of
from dicelab.lab.http_errors import NotFound
from dicelab.lab.matches import Play
from dicelab.lab.playing import Playing
from dicelab.lab.solution_cache import Working, in_spare_time
from dicelab.lab.store import Decision, Match
from dicelab.people import marks
from dicelab.people.evidence import faults
from dicelab.people.game_review import Tally, review_steps, tally, worth_at
from dicelab.verbs.explain import per_cent


def grade(error: float, unforced: int, lost: str, name: str | None) -> JsonObject:
    """Return the grade for an error per unforced decision, a share of what is at stake.

    `lost` is the error in words; `name` is the player's, where somebody else reads it.
    """
    if not unforced:
        said = (
            tr("You had nothing to decide.")
            if name is None
            else tr("{name} had nothing to decide.", name=name)
        )
        return {"letter": None, "words": tr("forced"), "sentence": said}
    if error == 0:
        said = (
            tr("You gave nothing away.")
            if name is None
            else tr("{name} gave nothing away.", name=name)
        )
    elif name is None:
        said = tr("You gave away {cost} per unforced decision.", cost=lost)
    else:
        said = tr("{name} gave away {cost} per unforced decision.", name=name, cost=lost)
    letter, word = marks.grade_of(error)
    return {"letter": letter, "words": word, "sentence": said}


class Reviews:
    """Reviews of matches that are over."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing

    def over(self, id: str) -> tuple[Match, Play, list[Decision]]:
        """Return a match that is over, ready to be told; anybody who has its id may ask."""
        match = self.playing.store.match(id)
        if match is None or match.ended is None:
            raise NotFound(tr("there is no finished match {id}", id=repr(id[:40])))
        return match, self.playing.play_of(match), self.playing.store.decisions(id)

    def review(
        self, id: str, wait: float, viewer: int | None, seat: int | None = None
    ) -> JsonObject:
        """Return the review of a match; its id is the link that reopens it.

        It speaks to who played as "you", and about them by name to everybody else. Of two people
        each is reviewed, by their seat.
        """
        match, play, rows = self.over(id)
        name, sitting = self.playing.store.name_of(match.player), self.playing.seats.seats(id)
        yours = viewer == match.player
        if match.people is not None:
            own = {one.player: one.seat for one in sitting.values() if one.player is not None}
            seat = own.get(viewer or 0, 0) if seat is None else seat
            name, yours = seats.name_at(sitting, seat), own.get(viewer or 0) == seat
            match, rows = seats.seen_from(match, rows, sitting, seat)
            play = self.playing.play_of(match)
        who = "You" if yours else name
        told = self._steps(play, rows, wait, None if yours else name)
        assert match.outcome is not None
        document = {
            "id": id,
            "link": f"/review/{id}",
            "game": match.game,
            "title": match.title,
            "start": match.start,
            "practice": starts.practice(match),
            "parameters": match.parameters,
            "kind": kind_of(play.game),
            "unit": tr(play.game.unit),
            "scale": coach.scale(play.game),
            "sides": play.layout()["sides"],
            "opponent": opponents.shown(match.opponent),
            "player": name,
            "yours": yours,
            "you_start": match.you_start,
            "played": match.started,
            "result": self.playing.result(play, rows, match.outcome, who),
            **told,
            "grades": marks.grades(),
            "marks": marks.scale(),
        }
        if match.people is not None:
            _name_the_other(document, play.names[0])
        document["people"] = [
            {"name": one.name, "link": f"/review/{id}?seat={one.seat}", "shown": one.seat == seat}
            for one in sorted(sitting.values(), key=lambda one: one.seat)
        ]
        if not seat:
            self._keep(match, document)
        document.pop("faults", None)
        return document

    def against(self, id: str, wait: float) -> JsonObject:
        """Return what a match was worth against this opponent, with the best reply to it.

        Values stand beside those of the review, at the start and after every decision; null where
        somebody else was to move, and where it is not known.
        """
        match, play, rows = self.over(id)
        label = narration.called(match.opponent)
        unknown = play.game.players == 1 or match.people is not None  # nobody knows how people play
        if unknown or opponents.is_perfect(match.opponent):
            return {"label": label, "values": [], "sentence": None}
        try:
            with in_spare_time():
                reply = opponents.reply_to(self.playing.solving, play.game, match.opponent, wait)
        except DicelabError as refused:
            said = tr("Not known against {opponent}: {why}.", opponent=label, why=refused)
            return {"label": label, "values": [], "sentence": said}
        values = walk.against(play, reply, rows)
        return {"label": label, "values": values, "sentence": None}

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
            **{name: you[name] for name in ("accuracy", "marks")},
            "grade": document["grade"]["letter"],
            "faults": document["faults"],
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

    def keep_score(self, id: str) -> None:
        """Work out the score of a match that has just ended, if its game is solved already.

        History then finds it, however many games there are; else it is worked out when asked for.
        """
        with suppress(Working, DicelabError):
            self.review(id, 0, None)

    def _steps(self, play: Play, rows: list[Decision], wait: float, name: str | None) -> JsonObject:
        """Return every decision judged; `name` is the player's, where somebody else reads it."""
        game, first = play.game, play.standing([])
        solution = self.playing.solving.solution(game, wait)
        judged = review_steps(solution, play.steps(rows))
        start = worth_at(solution, first.at, first.seat)
        whole = marks.at_stake(solution)
        seats = [
            _tally(tally(solution, judged, seat, whole)) if judged else _nothing(start)
            for seat in range(game.players)
        ]
        mine, error = seats[0], seats[0]["error_per_decision"]
        low, high = solution.bounds_at(first.at)
        points = walk.walked(play, solution, list(zip(rows, judged, strict=True)), whole, name)
        return {
            "curve": points,
            "mistakes": walk.mistakes(points),
            "taken_back": taken_back.reviewed(play, solution, self.playing.store),
            "you": mine,
            "opponent_score": seats[1] if len(seats) == 2 else None,
            "others": [
                {"name": called, "score": score}
                for called, score in zip(play.names, seats[1:], strict=False)
            ],
            "seats": len(seats),
            "grade": grade(error / whole, mine["unforced"], per_cent(game, error), name),
            "assumes": coach.assumed(game),
            "start_value": start,
            "bounds": float(high - low),
            "at_stake": whole,
            "faults": faults(game, [one for one in judged if one.step.seat == 0]),
        }


def _name_the_other(document: JsonObject, name: str) -> None:
    """Let a review between two people speak of the other by name."""
    for told in (document["result"], *document["curve"]):
        for key in ("sentence", "text"):
            if told.get(key):
                told[key] = seats.named(told[key], name)


def _tally(found: Tally) -> JsonObject:
    return {
        "decisions": found.decisions,
        "unforced": found.unforced,
        "mistakes": found.mistakes,
        "slips": found.marks[marks.FINE],
        "marks": dict(found.marks),
        "accuracy": found.accuracy,
        "cost": found.cost,
        "error_per_decision": found.cost_per_unforced,
        "luck": found.luck,
        "result": found.result,
        "luck_adjusted": found.adjusted,
        "interval": None if found.interval is None else list(found.interval),
    }


def _nothing(value: float) -> JsonObject:
    """Return the score of a match that was stopped before its first decision."""
    return _tally(Tally(0, 0, 0, 0.0, 0.0, value, value, marks.counted([]), None, None))
