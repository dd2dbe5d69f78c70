"""dicelab lab: the web page where people play against perfection."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dicelab.console.app import app
from dicelab.console.arguments import in_bytes
from dicelab.console.files import a_file
from dicelab.console.interrupts import left_alone
from dicelab.console.output import note, say
from dicelab.console.progress import no_bar
from dicelab.core.typed_modules import looking_in
from dicelab.errors import DicelabError
from dicelab.rules.registry import admit

HOST, PORT = "127.0.0.1", 8421


@app.command("lab")
def lab(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help="Games to list first: registered ones, or module:Class."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; others may then play.")
    ] = HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = PORT,
    data: Annotated[str | None, a_file("The records. [default: in your data folder]")] = None,
    memory: Annotated[
        Any,
        typer.Option(
            parser=in_bytes,
            metavar="SIZE",
            help="The most that solved games may take, such as 2GB. [default: 8GB, or half of all]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Make the dice of a player's first, second ... match known."),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="A proxy in front of the lab, whose word on who asks is taken."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Play against perfection in the browser, with a coach beside you.

    It listens on this machine only, unless --host says otherwise.

    Examples:

        dicelab lab

        dicelab lab box:ShutTheBox

        dicelab lab --port 8500 --no-browser --data games.db

        dicelab lab --host 0.0.0.0 --memory 2GB
    """
    try:
        from dicelab.lab.app import create, new_token
        from dicelab.lab.container import Settings
        from dicelab.lab.limits import LOOPBACK
        from dicelab.lab.server import Server
    except ModuleNotFoundError as missing:
        raise DicelabError(
            f"the lab needs {missing.name}, which is not installed: "
            f"pip install 'dicelab[lab]', or run make lab"
        ) from None
    first = tuple(dict.fromkeys(map(admit, games or [])))  # imported now: what was typed here
    local = host in LOOPBACK
    token = None if local else new_token()
    listening = listen(host, port)
    with listening, looking_in(None):  # whoever visits the lab has typed nothing here
        place = Path(data) if data else default_data()
        settings = Settings(
            place,
            memory or default_memory(),
            seed,
            token,
            LOOPBACK if local else None,
            games=first,
            prepared=True,
            apart=os.name == "posix",  # elsewhere lines between processes are other ones
        )
        server = Server(create(settings), proxy)
        with left_alone(), server.capture_signals():  # heard as soon as the address is told
            no_bar()
            announce(host, port, place, token, seed)
            if browser:
                open_browser(address_of(host, port))
            server.run(sockets=[listening])


def announce(host: str, port: int, place: Path, token: str | None, seed: int | None) -> None:
    """Say where the lab is, and what to mind."""
    say(f"the lab is at {address_of(host, port)} (records in {place}); Ctrl-C ends it")
    if token:
        note(
            f"note: everybody who can reach {host}:{port} can play, open a review whose link "
            f"they have, and make this machine work; nothing is encrypted"
        )
        say(f"the administrator's token is {token}")
    if seed is not None:
        note("note: with --seed the dice can be foretold: for tests and demonstrations only")
    sys.stdout.flush()  # somebody may wait for the address through a pipe


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser on this machine."""
    if host in ("0.0.0.0", "::"):  # every address there is, this one among them
        host = HOST
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, refused with a sentence where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Said to be TCP, so that asyncio sends each answer at once: 40 ms less to wait for it.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as trouble:
        listening.close()
        reason = (trouble.strerror or str(trouble)).lower()
        raise DicelabError(
            f"cannot listen on {host}:{port}: {reason}; another lab may be running there, "
            f"or try --port {port + 1 if port < 65535 else port - 1}"
        ) from None
    return listening


def default_memory() -> int:
    """Return how much memory solved games may take: half of what there is, up to 8 GB."""
    from dicelab.table import memory_limit

    return min(8 * 10**9, int(memory_limit() / 0.8 / 2))


def default_data() -> Path:
    """Return the file in the user's data folder."""
    folder = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(folder) / "dicelab" / "lab.db"


def open_browser(address: str) -> None:
    """Open the page where there is a browser with a screen to show it on."""
    import threading
    import webbrowser

    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if os.name == "posix" and os.uname().sysname != "Darwin" and not screen:
        return
    # The server begins to answer a moment after this.
    timer = threading.Timer(1.0, webbrowser.open, (address,))
    timer.daemon = True
    timer.start()
