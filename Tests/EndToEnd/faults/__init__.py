"""What befalls a portal, one file for each kind of fault: python3 -m faults [--long] [WORD]..."""
