"""The script `dicelab`. It answers Ctrl-C from its first moment, while dicelab is being loaded.

It stands outside the package because importing anything from a package first runs its `__init__`.
"""

from __future__ import annotations

import gc
import os
import signal


def main() -> None:
    """Run the command line."""
    for stream in range(3):  # closed: else the next file opened would be taken for it
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # Processes that share the work take no module from the current folder either.
    os.environ["PYTHONSAFEPATH"] = "1"
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    gc.disable()  # among modules that are being loaded there is no garbage: a tenth of the start
    from dicelab.cli import main as command_line

    command_line()


def _leave(*_: object) -> None:
    """End the process: there is nothing yet to put in order."""
    os.write(2, b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
