"""People: what they wrote down, what it says about them, and how to play against them.

`decisions` are records of play of any game; `forms` are those that a game brings itself. `models`
and `fit` describe a person by a few numbers, `adaptive` plays against that description, `review`
counts mistakes and luck, `price` tells what a way to play costs. `sampling` plays games for all of
them, with dice from a generator you give it.
"""
