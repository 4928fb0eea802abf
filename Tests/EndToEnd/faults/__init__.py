"""Faults of a portal, one file for each kind: python3 -m faults [--long] [WORD]..."""
