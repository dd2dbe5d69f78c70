"""People: what they wrote down, what it says about them, and how to play against them.

`tracker` and `decisions` read records of play. `slopes` and `interplay` are the study's questions
with a test for each. `risk` turns risk preferences into strategies. `models` and `fit` describe a
person by a few numbers, `adaptive` plays against that description, `review` counts mistakes and
luck. `sampling` plays games for all of them, with dice from a generator you give it.
"""
