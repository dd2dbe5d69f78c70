"""Tables of a run, in Markdown, and the page that shows them.

In docs/benchmarks.md a table stands between two comments that name it; the rest of the page is
written by hand.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import growth

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
END = "<!-- end -->"

Run = dict[str, Any]


def seconds(amount: float | None) -> str:
    """Return a time with three digits."""
    if amount is None:
        return ""
    return f"{amount:.3f}" if amount < 1 else f"{amount:.2f}" if amount < 10 else f"{amount:.0f}"


def ratio(amount: float) -> str:
    """Return how many times something is."""
    return f"{amount:.2f}" if amount < 10 else f"{amount:,.0f}"


def error(run: Run, reference: Run | None) -> str:
    """Return how far a value is off: proved, or measured against a reference."""
    if run.get("error"):
        return f"{run['error']:.0e}, certified"
    if reference is None or "value" not in run or "value" not in reference:
        return ""
    off = abs(run["value"] - reference["value"])
    unsure = reference.get("error", 0.0)
    return f"{off:.0e}" if off > unsure else f"below {unsure:.0e}"


def as_table(columns: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown; numbers stand to the right."""
    ruler = ["---", *["---:"] * (len(columns) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ruler, *rows])


COLUMNS = ["start-up", "build", "solve", "build and solve", "times ours", "peak MB", "off by"]


def cells(run: Run, ours: Run, reference: Run) -> list[str]:
    """Return the cells of one run, compared with ours."""
    if "failed" in run:
        return [*[""] * 5, "", run["failed"]]
    several = "" if run.get("runs", 1) > 1 else " (once)"
    times = ratio(run["end"] / ours["end"]) if "end" in ours and run is not ours else ""
    return [
        seconds(run["startup"]),
        seconds(run.get("build")),
        seconds(run["solve"]),
        seconds(run["end"]) + several,
        times,
        f"{run['peak']:.0f}",
        error(run, reference),
    ]


def two_players(found: dict[str, Any]) -> str:
    """Return the table of Pig to some targets."""
    parts = found["two players"]
    rows = []
    for size in parts["dicelab"]:
        ours = parts["dicelab"][size]
        reference = found["exact"] if size == "20" and "value" in found["exact"] else ours
        for name, runs in parts.items():
            if size in runs:
                rows.append([f"{size}, {name}", *cells(runs[size], ours, reference)])
    return as_table(["Pig to", *COLUMNS], rows)


def one_player(found: dict[str, Any]) -> str:
    """Return the table of the best reply."""
    runs = found["one player"]
    ours = runs["dicelab"]
    rows = [[name, *cells(run, ours, ours)] for name, run in runs.items()]
    return as_table(["best reply to hold-at:20, Pig to 100", *COLUMNS], rows)


def verbs(found: dict[str, Any]) -> str:
    """Return the table of our own jobs."""
    runs = found["ours"]
    evaluation, tournament, cold = runs["evaluation"], runs["tournament"], runs["cold"]
    reply = found["one player"]["dicelab"]
    whole = found["targets"].get("100", {})
    rows = []
    if "positions" in whole:
        special = found["two players"]["specialist"].get("100", {})
        ahead = f"{ratio(whole['end'] / special['solve'])} times the specialist's solve"
        rows.append(["rules to certified strategy", seconds(whole["end"]), ahead])
    for name, run, key, told in (
        ("the first evaluation on a compiled table", evaluation, "build", ""),
        ("any other evaluation", evaluation, "solve", "hold-at:20 against hold-at:21"),
        ("one of strategies met before", evaluation, "known", "as in a tournament"),
        ("a best reply on a compiled table", reply, "solve", "to hold-at:20"),
        ("a tournament of 100, exact", tournament, "solve", "two cores, compiling included"),
        ("`dicelab solve pig`, cold", cold, "startup", "a new process"),
    ):
        rows.append([name, seconds(run.get(key)), run.get("failed", told)])
    return as_table(["Pig to 100", "seconds", "remarks"], rows)


def targets(found: dict[str, Any]) -> str:
    """Return the table of time and memory a position as the target grows."""
    runs = {size: run for size, run in found["targets"].items() if "failed" not in run}
    base = runs["50"]["end"] / runs["50"]["positions"]
    rows = []
    for size, run in runs.items():
        each = run["end"] / run["positions"]
        shares = [f"{each * 1e9:.0f}", ratio(each / base)]
        rows.append([size, f"{run['positions']:,}", seconds(run["end"]), *shares])
        rows[-1] += [f"{run['peak']:.0f}", error(run, None)]
    columns = ["Pig to", "positions", "seconds", "ns a position", "times that to 50", "peak MB"]
    return as_table([*columns, "off by"], rows)


def grown(found: dict[str, Any]) -> dict[str, list[Run]]:
    """Return the runs of each game that grew, without those that failed."""
    return {
        name: [run for run in runs.values() if "failed" not in run]
        for name, runs in found["growth"].items()
    }


def growths(found: dict[str, Any]) -> str:
    """Return the table of exponents."""
    rows = []
    for name, runs in grown(found).items():
        least, most = runs[0], runs[-1]
        rows.append(
            [
                name,
                f"{least['positions']:,} to {most['positions']:,}",
                f"{seconds(least['solve'])} to {seconds(most['solve'])}",
                f"{growth.exponent(runs, 'solve'):.2f}",
                f"{most['bytes'] / most['positions']:.0f}",
                f"{growth.exponent(runs, 'bytes'):.2f}",
                f"{max(run['error'] for run in runs):.0e}",
            ]
        )
    columns = ["game", "positions", "seconds", "exponent", "bytes a position, largest"]
    return as_table([*columns, "exponent", "certified within"], rows)


def ways_back(found: dict[str, Any]) -> str:
    """Return games with very many ways back: ours beside plain value iteration."""
    rows = []
    for name, sizes in found["ways back"].items():
        for runs in sizes.values():
            ours, plain = runs["solve"], runs["iteration"]
            if "failed" in ours or "failed" in plain:
                rows.append([name, *[""] * 4, ours.get("failed") or plain["failed"], ""])
                continue
            rows.append(
                [
                    name,
                    f"{ours['positions']:,}",
                    seconds(ours["build"]),
                    seconds(ours["solve"]),
                    seconds(plain["solve"]),
                    f"{ours['error']:.0e}",
                    error(plain, ours),
                ]
            )
    columns = ["game", "positions", "build", "solve and certify", "value iteration"]
    return as_table([*columns, "certified within, everywhere", "value iteration off by"], rows)


def after_throws(found: dict[str, Any]) -> str:
    """Return games with choices after throws: folded, and with a number for every moment."""
    rows = []
    for name, runs in found["after throws"].items():
        has_choices = runs["folded"].get("positions") != runs["numbered"].get("positions")
        for form, run in runs.items() if has_choices else [("", runs["folded"])]:
            what = f"{name}, {form}" if form else name
            if "failed" in run:
                rows.append([what, *[""] * 8, run["failed"]])
                continue
            rows.append(
                [
                    what,
                    f"{run['positions']:,}",
                    f"{run['outcomes']:,}",
                    seconds(run["build"]),
                    seconds(run["solve"]),
                    f"{(run['build'] + run['solve']) / run['outcomes'] * 1e9:.0f}",
                    f"{run['grown'] * 2**20 / run['outcomes']:.0f}",
                    f"{run['grown'] * 2**20 / run['positions']:,.0f}",
                    f"{run['grown']:.0f}",
                    f"{run['error']:.0e}",
                ]
            )
    columns = ["game", "positions", "outcomes", "build", "solve", "ns an outcome"]
    grown = ["bytes an outcome, at most", "bytes a position", "MB"]
    return as_table([*columns, *grown, "certified within"], rows)


def about(found: dict[str, Any]) -> str:
    """Return where it ran, with what."""
    where = found["machine"]
    versions: dict[str, str] = {}
    for runs in (*found["two players"].values(), {"": found["one player"]}):
        for run in runs.values():
            for each in run.values() if "startup" not in run and "failed" not in run else [run]:
                versions |= each.get("versions", {}) if isinstance(each, dict) else {}
    told = ", ".join(f"{name} {number}" for name, number in sorted(versions.items()))
    return (
        f"{where['processor']}, {where['cores']} cores, {where['platform']}, Python "
        f"{where['python']}, {where['date']}; load of the machine {where['load']} before and "
        f"{where['load after']} after. {told}. Median of {found['repeats']} runs."
    )


def tables(found: dict[str, Any]) -> dict[str, str]:
    """Return every table by name."""
    return {
        "where": about(found),
        "two players": two_players(found),
        "one player": one_player(found),
        "ours": verbs(found),
        "targets": targets(found),
        "growth": growths(found),
        "ways back": ways_back(found),
        "after throws": after_throws(found),
    }


def write(found: dict[str, Any], tables: dict[str, str], out: Path) -> None:
    """Put the tables into the page, and the numbers and the figure beside it."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        before, begin, rest = text.partition(f"<!-- measured: {name} -->")
        assert begin, name
        text = f"{before}{begin}\n\n{table}\n\n{END}{rest.partition(END)[2]}"
    PAGE.write_text(text, encoding="utf-8")
    shutil.copy(out / "benchmarks.json", ROOT / "docs" / "data" / "benchmarks.json")
    shutil.copy(out / "growth.svg", ROOT / "docs" / "images" / "growth.svg")
