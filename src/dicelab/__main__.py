"""Lets ``python -m dicelab`` do what ``dicelab`` does."""

from dicelab.cli import main

if __name__ == "__main__":
    main()
