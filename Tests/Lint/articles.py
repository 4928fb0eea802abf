#!/usr/bin/env python3
"""Code in articles that no source file contains: articles.py ROOT prints each such block as path:line.

The tests compile the source files, so that a block that stands in one of them compiles too.
"""

import re
import sys
from pathlib import Path

from house import main

BLOCK = re.compile(r"^```(swift|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def flat(text):
    """The text without indentation, which differs between a file and an excerpt of it."""
    return "\n".join(line.strip() for line in text.strip("\n").split("\n"))


def check(root):
    """All blocks that stand in no file, as (path, line, sentence)."""
    folders = [root / name for name in ["Sources", "Plugins", "Tests"]]
    files = {
        kind: ["\n" + flat(path.read_text(encoding="utf-8")) + "\n"
               for folder in folders for path in sorted(folder.rglob(f"*.{kind}"))]
        for kind in ["swift", "json"]
    }
    for article in sorted((root / "Sources").glob("*/*.docc/*.md")):
        text = article.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            block = "\n" + flat(match.group(2)) + "\n"
            if not any(block in file for file in files[match.group(1)]):
                line = text.count("\n", 0, match.start()) + 1
                yield article.relative_to(root), line, "no source file has this code"


if __name__ == "__main__":
    sys.exit(main(sys.argv, check))
