"""Games for other people's tools: `prism`, `storm`, `openspiel`, `gymnasium` and `pettingzoo`.

Each module is imported by whoever wants it, so that dicelab needs none of these packages itself.
"""
