"""dicelab and its peers on the same jobs in the same run: `make bench`.

Every job runs in a process of its own on one core, and is repeated; the median is shown. Start-up
(the interpreter, imports, loading compiled code), building the model and solving it are measured
apart. Beside every time stands the error of the value that was found: certified where the tool
proves it, else measured against a reference. A stopping rule is not an error.

Nothing here is a test. Results go to out/bench as Markdown and JSON; with `--page` they also go to
the page docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import after_throws
import growth
import page
import ways_back
from job import BEGAN

HERE = Path(__file__).parent
ROOT = HERE.parent
PEERS = ROOT / ".venv-peers" / "bin" / "python"
LONG = 20.0
"""Seconds beyond which a job is not repeated."""
LIMIT = 900.0
"""Seconds after which a job is given up."""
ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

Run = dict[str, Any]

TWO_PLAYERS = {
    "dicelab": ("solve", (20, 30, 40, 50, 100)),
    "specialist": ("specialist", (20, 30, 40, 50, 100)),
    "pure Python": ("pure_python", (20, 30, 40, 50, 100)),
    "OpenSpiel": ("openspiel", (20, 30, 40)),
    "PAYNT": ("paynt", (20, 50, 100)),
}
"""Pig to some targets: who does it, by which job."""

ONE_PLAYER = {
    "dicelab": ("response", (100,)),
    "Storm": ("storm", (100,)),
    "Storm, 12 digits": ("storm", (100, 12)),
    "QuantEcon": ("quantecon", (100,)),
    "mdpsolver": ("mdpsolver", (100,)),
}
"""The best reply to hold-at:20 in Pig to 100."""

OURS = ("evaluation", "tournament", "cold")
TARGETS = (50, 100, 150, 200, 300)


class Bench:
    """Runs jobs, each in its own process, and remembers nothing but what they print."""

    def __init__(self, repeats: int, models: Path) -> None:
        self.repeats, self.models = repeats, models

    def once(self, script: Path, *words: object) -> Run:
        """Return one run of a job, or why there is none."""
        peer = script.parent.name == "peers"
        if peer and not PEERS.exists():
            return {"failed": "not installed: make peers"}
        command = [str(PEERS) if peer else sys.executable, str(script), *map(str, words)]
        env = {**os.environ, **dict.fromkeys(ONE_CORE, "1"), "BENCH_MODELS": str(self.models)}
        if peer:
            env["PYTHONPATH"] = str(HERE)  # `job`, and nothing of ours besides
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env={**env, BEGAN: str(time.time())},
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"not done after {LIMIT:.0f} s"}
        if done.returncode:
            return {"failed": (done.stderr.strip().splitlines() or ["no reason given"])[-1]}
        found: Run = json.loads(done.stdout.splitlines()[-1])
        found["end"] = found.get("build", 0.0) + found.get("solve", 0.0)
        return found

    def median(self, script: Path, *words: object) -> Run:
        """Return the median run of a job, by the time that building and solving took."""
        print("measuring", script.stem, *words, flush=True)
        runs = [self.once(script, *words)]
        while len(runs) < self.repeats and "failed" not in runs[-1] and runs[0]["end"] < LONG:
            runs.append(self.once(script, *words))
        if "failed" in runs[-1]:
            return runs[-1]
        by = "end" if runs[0]["end"] else "startup"
        middle = statistics.median_low([run[by] for run in runs])
        return {**next(run for run in runs if run[by] == middle), "runs": len(runs)}


def script_of(job: str) -> Path:
    """Return the script that knows a job."""
    theirs = ("openspiel", "paynt", "storm", "quantecon", "mdpsolver")
    return HERE / "peers" / "jobs.py" if job in theirs else HERE / "ours.py"


def write_models(folder: Path) -> None:
    """Write the models that Storm and PAYNT read."""
    export = [sys.executable, "-m", "dicelab", "export", "pig"]
    for target in TWO_PLAYERS["PAYNT"][1]:
        out = str(folder / f"pig{target}.prism")
        subprocess.run([*export, f"target={target}", "--out", out], check=True)
    out = str(folder / "reply100.prism")
    subprocess.run([*export, "--against", "hold-at:20", "--out", out], check=True)


def machine() -> dict[str, Any]:
    """Return where this ran, and what else ran there."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return {
        "platform": platform.platform(),
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "date": date.today().isoformat(),
    }


def measure(repeats: int, largest: int, quick: bool) -> dict[str, Any]:
    """Return everything measured."""
    found: dict[str, Any] = {"machine": machine(), "repeats": repeats}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(repeats, Path(folder))
        write_models(bench.models)
        ours = HERE / "ours.py"
        found["exact"] = bench.once(ours, "exact", 20)
        found["two players"] = {
            name: {
                str(size): bench.median(script_of(job), job, size)
                for size in sizes
                if not quick or size <= 40
            }
            for name, (job, sizes) in TWO_PLAYERS.items()
        }
        found["one player"] = {
            name: bench.median(script_of(job), job, *words)
            for name, (job, words) in ONE_PLAYER.items()
        }
        found["ours"] = {job: bench.median(ours, job, 100) for job in OURS}
        found["targets"] = {
            str(size): bench.median(ours, "solve", size) for size in TARGETS if size <= largest
        }
        found["growth"] = {
            name: {
                str(size): bench.median(HERE / "growth.py", name, size)
                for size in (sizes[:3] if quick else sizes)
            }
            for name, sizes in growth.SIZES.items()
        }
        for name, part in PARTS.items():
            found[name] = part(bench, quick)
    found["machine"]["load after"] = round(os.getloadavg()[0], 1)
    return found


def many_ways_back(bench: Bench, quick: bool) -> dict[str, Any]:
    """Return games with very many ways back, solved by us and by plain value iteration."""
    script = HERE / "ways_back.py"
    return {
        name: {
            str(places): {job: bench.median(script, job, kind, places) for job in ways_back.JOBS}
            for places in (ways_back.PLACES[:1] if quick else ways_back.PLACES)
        }
        for kind, name in enumerate(ways_back.KINDS)
    }


def choices_after_throws(bench: Bench, quick: bool) -> dict[str, Any]:
    """Return games with choices after throws, folded and with every moment numbered."""
    script = HERE / "after_throws.py"
    return {
        name: {job: bench.median(script, job, number) for job in after_throws.JOBS}
        for number, name in enumerate(after_throws.GAMES)
    }


PARTS = {"ways back": many_ways_back, "after throws": choices_after_throws}
"""Parts that may be measured by themselves."""


def main() -> None:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--largest", type=int, default=300, help="the largest target of Pig")
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks.md as well")
    parser.add_argument("--from", dest="old", metavar="FILE", help="tables of an old run's JSON")
    parser.add_argument("--part", choices=PARTS, help="that part alone anew, with --from")
    options = parser.parse_args()
    if options.old:
        found = json.loads(Path(options.old).read_text(encoding="utf-8"))
        if options.part:
            found[options.part] = PARTS[options.part](Bench(options.repeats, HERE), options.quick)
    else:
        found = measure(options.repeats, options.largest, options.quick)
    out = ROOT / "out" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "benchmarks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    tables = page.tables(found)
    text = "\n\n".join(f"## {title}\n\n{table}" for title, table in tables.items())
    (out / "benchmarks.md").write_text(text + "\n", encoding="utf-8")
    growth.draw(page.grown(found), out / "growth.svg")
    if options.page:
        page.write(found, tables, out)
    print(text)


if __name__ == "__main__":
    main()
