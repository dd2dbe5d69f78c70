"""Lets ``python -m dicelab`` do what ``dicelab`` does."""

import os
import sys

# Python has put the current folder first among those that modules come from.
if not sys.flags.safe_path and sys.path and sys.path[0] == os.getcwd():
    del sys.path[0]

from dicelab_command import main

if __name__ == "__main__":
    main()
