#!/usr/bin/env python3
"""The page of docs that leads from an address to its source: addresses.py ROOT [--write].

Without --write, it prints a line and fails if docs/addresses.md is not what the source says.
"""

import re
import sys
from pathlib import Path

PAGE = "docs/addresses.md"
HEAD = """# The code of a page

Every address of the portal, with the type that serves it and its file. A page's file has its address,
who may open it, what it loads, what it shows and, for a form, what it saves.

`python3 Tests/Lint/addresses.py . --write` makes this page from the source.

| address | type | file |
| --- | --- | --- |
"""
# An address of a type, those of both kinds of measurements, and those that a list of routes spells out.
ADDRESS = re.compile(
    r'Address<[^=\n]*= "(?P<address>/[^"]*)"'
    r'|\b(?:list|chart|new|upload|export|one|edit|deletion): "(?P<measured>/[^"]*)"'
    r'|\.(?:get|post)\(\s*"(?P<route>/[^"]*)"')
TYPE = re.compile(r"^ *(?:(?:package|public|private|fileprivate) )?(?:struct|enum|class|extension) ([\w.]+)", re.M)


def addresses(root):
    """Each address once, as (address, type, path), in order."""
    found = {}
    for folder in ["Sources", "Plugins"]:
        for path in sorted((root / folder).rglob("*.swift")):
            if "Template" in path.parts or "PolyclinicDemonstration" in path.parts or "PolyclinicCore" in path.parts:
                continue
            source = path.read_text(encoding="utf-8")
            for match in ADDRESS.finditer(source):
                owner = [one[1] for one in TYPE.finditer(source, 0, match.start())]
                address = match["address"] or match["measured"] or match["route"]
                found.setdefault(address, (owner[-1] if owner else "", str(path.relative_to(root))))
    return [(address, *found[address]) for address in sorted(found)]


def page(root):
    return HEAD + "".join(
        f"| `{address}` | `{owner}` | [{Path(path).name}](../{path}) |\n" for address, owner, path in addresses(root))


def main(arguments):
    root = Path(arguments[1])
    if arguments[2:] == ["--write"]:
        (root / PAGE).write_text(page(root), encoding="utf-8")
    elif (root / PAGE).read_text(encoding="utf-8") != page(root):
        print(f"{PAGE} is not what the source says: run Tests/Lint/addresses.py . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
