"""A lab and its parts: a file, a shelf of solved tables, and those who answer from them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from dicelab.core.worker_process import WorkerProcess
from dicelab.lab.daily import Daily
from dicelab.lab.drills import Drills
from dicelab.lab.explore import Explore
from dicelab.lab.history import History
from dicelab.lab.limits import BURST, LOOPBACK, RATE
from dicelab.lab.playing import Playing
from dicelab.lab.reviews import Reviews
from dicelab.lab.solution_cache import AT_ONCE, Shelf
from dicelab.lab.solving import Solving
from dicelab.lab.store import Store
from dicelab.lab.study import StudyRoom
from dicelab.lab.together import Together
from dicelab.lab.versus import Versus
from dicelab.lab.why import Why
from dicelab.strategies.plan import Plan
from dicelab.table import Table
from dicelab.verbs.solution import Solution


@dataclass(frozen=True)
class Settings:
    """How a lab is set up."""

    data: Path
    memory: int = 4 * 10**9
    seed: int | None = None
    admin_token: str | None = None  # None: this machine only, and its user is the administrator
    hosts: tuple[str, ...] | None = LOOPBACK
    rate: float = RATE
    burst: float = BURST
    apart: bool = False  # long work is done in a process of its own
    games: tuple[str, ...] = ()  # those that are listed first, in this order
    prepared: bool = False  # the usual games are solved before anybody asks


@dataclass(frozen=True)
class Lab:
    """Everything a route needs."""

    settings: Settings
    store: Store
    shelf: Shelf
    solving: Solving
    playing: Playing
    reviews: Reviews
    history: History
    explore: Explore
    versus: Versus
    study: StudyRoom
    drills: Drills
    daily: Daily
    why: Why
    together: Together
    began: float = field(default_factory=time.monotonic)
    launched: threading.Event = field(default_factory=threading.Event)  # the usual games are solved

    def table(self, id: str) -> Playing | Together:
        """Return who answers about a match: between people, others than against the lab."""
        match = self.store.match(id)
        return self.playing if match is None or match.people is None else self.together


def lab_of(settings: Settings) -> Lab:
    """Return a lab that is ready to answer."""
    held = settings.memory // 10 if settings.apart else 0  # by the process that works for this one
    store, shelf = Store(settings.data), Shelf(settings.memory - held)
    worker = WorkerProcess((Table, Solution, Plan), held, AT_ONCE) if settings.apart else None
    if worker is not None:
        worker.start()
    solving = Solving(shelf, settings.memory // 2, worker)  # one table never fills the shelf
    playing = Playing(store, solving, settings.seed)
    reviews = Reviews(playing)
    return Lab(
        settings,
        store,
        shelf,
        solving,
        playing,
        reviews,
        History(reviews),
        Explore(solving),
        Versus(solving),
        StudyRoom(playing),
        Drills(playing),
        Daily(playing, reviews),
        Why(playing, reviews),
        Together(playing),
    )
