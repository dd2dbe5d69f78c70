"""Strategies as plans on a table: named, written or loaded; what they look at; two that meet."""
