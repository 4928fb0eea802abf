#!/usr/bin/env python3
"""The rules of the house that no compiler knows: house.py ROOT prints each breach as path:line."""

import re
import sys
from pathlib import Path

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+|public\s+|internal\s+|private\s+|fileprivate\s+|package\s+)*"
    r"import\s+(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?(\w+)",
    re.MULTILINE,
)
SYSTEM_LIBRARY = re.compile(r'\.systemLibrary\(\s*name:\s*"(\w+)"')
# What plugins may import besides the core: formats and signatures are no business of the core's.
PLUGIN_LIBRARIES = {"COpenSSL", "CZlib"}
LAYERS = ["PolyclinicCore", "PolyclinicStore", "PolyclinicServer", "PolyclinicTesting"]
CORE = Path("Sources/PolyclinicCore")
ARTICLES = CORE / "PolyclinicCore.docc"
# A nested type is indented: it stands below the one that it is in.
PUBLIC_TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:final\s+|indirect\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)",
    re.MULTILINE,
)
TOPIC_ENTRY = re.compile(r"^- (?:``(\w+)``|<doc:(\w+)>)$", re.MULTILINE)
# Spelt so that this file does not break its own rule.
BAD_WORDS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATHS = re.compile(r"(?:/wo" r"rk/|/ro" r"ot/|/ho" r"me/\w|/Us" r"ers/\w)")
# Text from outside becomes a String in one place, which bounds its runs of combining marks.
OUTSIDE_TEXT = re.compile(r"\bString\(\s*(?:validating|validatingCString|bytes):")
ENTRANCES = {"IncomingText.swift", "Charset.swift"}
# What Safari 13 does not know (caniuse.com).
YOUNG_CSS = [
    (re.compile(r":(?:has|is|where)\("), "a selector that Safari 13 does not know"),
    (re.compile(r"(?<![\w-])inset(?:-[\w-]+)?\s*:"), "inset"),
    (re.compile(r"(?<![\w-])aspect-ratio\s*:"), "aspect-ratio"),
    (re.compile(r"@(?:layer|container|property|scope)\b"), "an at-rule that Safari 13 does not know"),
    (re.compile(r"\bcolor-mix\("), "color-mix()"),
    (re.compile(r"\b\d[\d.]*(?:dvh|svh|lvh)\b"), "a unit that Safari 13 does not know"),
]
TEXT_FILES = {".swift", ".css", ".js", ".json", ".md", ".py", ".html", ".svg", ".c", ".h", ".txt", ".sh"}
TOP_LEVEL = {"Package.swift", "docs", "Package.resolved", "Sources", "Plugins", "Tests", "www", "README.md",
             "Makefile", "data", "run", "keys", "backups"}


def line_of(text, index):
    return text.count("\n", 0, index) + 1


def imports(path, text, plugins, libraries):
    """Who may import whom: design.md's house."""
    parts = path.parts
    for match in IMPORT.finditer(text):
        name, line = match.group(1), line_of(text, match.start(1))
        if name == "CFastCGI" and parts[:3] != ("Sources", "PolyclinicServer", "FastCGI"):
            yield line, "only Sources/PolyclinicServer/FastCGI imports CFastCGI"
        if parts[0] == "Plugins":
            if name in plugins and name != parts[1]:
                yield line, f"a plugin never imports a sibling: {name}"
            elif name in libraries - PLUGIN_LIBRARIES or name in LAYERS[1:]:
                yield line, f"a plugin imports PolyclinicCore, not {name}"
        if parts[0] != "Sources" or parts[1] not in LAYERS:
            continue
        if parts[1] == "PolyclinicCore" and name in libraries | {"Glibc", "Musl", "Darwin"}:
            yield line, f"the core imports no C: {name}"
        if name in plugins:
            yield line, f"only the program names plugins: {name}"
        if name in LAYERS and LAYERS.index(name) > LAYERS.index(parts[1]):
            yield line, f"{parts[1]} stands below {name}"


def without_comments(css):
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), css, flags=re.DOTALL)


def style(text):
    """CSS that Safari 13 reads: none younger, no nesting, gap in grids alone."""
    css = without_comments(text)
    for pattern, what in YOUNG_CSS:
        for match in pattern.finditer(css):
            yield line_of(css, match.start()), f"{what} is younger than Safari 13"
    # Innermost blocks; a rule directly within a rule is nesting.
    stack = []
    start = 0
    for index, character in enumerate(css):
        if character == "{":
            prelude = css[start:index].strip()
            if stack and not stack[-1][0].startswith("@"):
                yield line_of(css, index), "nesting is younger than Safari 13"
            stack.append((prelude, index + 1))
            start = index + 1
        elif character == "}" and stack:
            _, opened = stack.pop()
            block = css[opened:index]
            flex = re.search(r"(?<![\w-])display\s*:\s*(?:inline-)?flex\b", block)
            gap = re.search(r"(?<![\w-])(?:row-|column-)?gap\s*:", block)
            if flex and gap:
                yield line_of(css, opened + gap.start()), "gap in a flex box is younger than Safari 13"
            start = index + 1
        elif character == ";":
            start = index + 1


def words(text):
    """Nothing unfinished, and no place of somebody's machine."""
    for match in BAD_WORDS.finditer(text):
        yield line_of(text, match.start()), f"{match.group()} does not land"
    for match in MACHINE_PATHS.finditer(text):
        yield line_of(text, match.start()), f"a path of one machine: {match.group()}"


def entrances(path, text):
    """Text from outside passes IncomingText."""
    if path.parts[0] == "Tests" or path.name in ENTRANCES:
        return
    for match in OUTSIDE_TEXT.finditer(text):
        yield line_of(text, match.start()), "text from outside becomes a String by IncomingText"


def topics(root):
    """The core's front page has each public type in one topic; its articles have none that is not."""
    types = {}
    for path in sorted((root / CORE).rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for match in PUBLIC_TYPE.finditer(text):
            types[match.group(1)] = (path.relative_to(root), line_of(text, match.start(1)))
    articles = sorted((root / ARTICLES).glob("*.md"))
    known = set(types) | {path.stem for path in articles}
    listed = set()
    for path in articles:
        text = path.read_text(encoding="utf-8")
        start = text.find("\n## Topics\n")
        for match in TOPIC_ENTRY.finditer(text, start) if start >= 0 else []:
            name = match.group(1) or match.group(2)
            place = (path.relative_to(root), line_of(text, match.start()))
            if name not in known:
                yield *place, f"neither a public type of the core nor an article: {name}"
            elif path.stem == CORE.name:
                if name in listed:
                    yield *place, f"stands in a topic already: {name}"
                listed.add(name)
    for name, place in types.items():
        if name not in listed:
            yield *place, f"stands in no topic of {CORE.name}.md: {name}"


def check(root):
    """All breaches of a tree as (path, line, sentence)."""
    package = root / "Package.swift"
    libraries = set(SYSTEM_LIBRARY.findall(package.read_text())) if package.is_file() else set()
    plugin_root = root / "Plugins"
    plugins = {p.name for p in plugin_root.iterdir() if p.is_dir()} if plugin_root.is_dir() else set()
    for entry in sorted(root.iterdir()):
        if not entry.name.startswith(".") and entry.name not in TOP_LEVEL:
            yield Path(entry.name), 1, "the top level holds what design.md lists, and no more"
    for folder in ["Sources", "Plugins", "Tests", "www", "Package.swift", "README.md", "Makefile"]:
        place = root / folder
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            relative = path.relative_to(root)
            # The lint's own tests are made of breaches.
            if relative.parts[:2] == ("Tests", "Lint") and path.name.startswith("test_"):
                continue
            if path.suffix not in TEXT_FILES and path.name != "Makefile":
                continue
            text = path.read_text(encoding="utf-8")
            found = list(words(text))
            if path.suffix == ".swift":
                found += imports(relative, text, plugins, libraries)
                found += entrances(relative, text)
            if path.suffix == ".css":
                found += style(text)
            for line, sentence in sorted(found):
                yield relative, line, sentence
    yield from topics(root)


def main(arguments):
    if len(arguments) != 2:
        print("usage: house.py ROOT", file=sys.stderr)
        return 2
    breaches = list(check(Path(arguments[1])))
    for path, line, sentence in breaches:
        print(f"{path}:{line}: {sentence}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
