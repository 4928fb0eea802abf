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
# Targets that plugins may import besides the core and the libraries on it: the core knows no signatures.
PLUGIN_LIBRARIES = {"COpenSSL", "CZlib", "PolyclinicCryptography"}
# Each floor knows only those before it.
LAYERS = ["PolyclinicCore", "PolyclinicSystem", "PolyclinicCryptography", "PolyclinicStore", "PolyclinicVault",
          "PolyclinicServing", "PolyclinicWeb", "PolyclinicPortal", "PolyclinicServer", "PolyclinicDemonstration",
          "PolyclinicTestDatabases", "PolyclinicTesting"]
# Parts of a module author's tools that the core itself does not need; they stand on the core.
LIBRARIES = {
    "PolyclinicCharts", "PolyclinicDocuments", "PolyclinicFormats", "PolyclinicImports", "PolyclinicPlaces",
}
C_LIBRARIES = {"Glibc", "Musl", "Darwin"}
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
# Markup that a component of the core renders, by a class of its element.
COMPONENTS = {
    "actions": "an interpolation \\(actions: …)", "badge": "Context.badge",
    "button": "Context.button, .submit or .scriptButton", "count": "Context.resultCount",
    "details": "Context.facts",
    "empty": "Context.emptyState", "item": "HTML.row", "more": "Context.moreLink", "notice": "Context.notice",
    "rows": "an interpolation \\(rows: …)", "segments": "Context.tabs",
}
# They render the components, the forms and the frame, and error pages without a context.
RENDERERS = {
    ("Sources", "PolyclinicCore", "Components"), ("Sources", "PolyclinicCore", "FormPages"),
    ("Sources", "PolyclinicWeb", "Framing"),
}
HAND_WRITTEN = re.compile(r'class=\\?"(?:[\w-]+ )*(' + "|".join(COMPONENTS) + r')(?![\w-])')
# The first line of a comment, and a first word that makes its reader look for the subject.
COMMENTS = {
    "swift": re.compile(r"^\s*///?(?!/) ?(.*)$"),
    "py": re.compile(r'^\s*(?:#(?!!)|""")\s*(.*)$'),
}
RIDDLE = re.compile(
    r"(?:What|Who|Whose|Whom|Whoever|Whatever|Where|Wherever|Whether|That|When|How|Which|Since)\b")
MOST_RIDDLES = 0.02
# A module's author reads all of them; the protocols of engines and of the server are nested or `package`.
MOST_PUBLIC_TYPES = {"PolyclinicCore": 83}
# Features that Safari 13 lacks (caniuse.com).
YOUNG_CSS = [
    (re.compile(r":(?:has|is|where)\("), "a selector that Safari 13 does not know"),
    (re.compile(r"(?<![\w-])inset(?:-[\w-]+)?\s*:"), "inset"),
    (re.compile(r"(?<![\w-])aspect-ratio\s*:"), "aspect-ratio"),
    (re.compile(r"(?<![\w-])(?:margin|padding)-(?:block|inline)\s*:"), "a shorthand of two sides"),
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
    """Breaches of the import rules: docs/architecture.md, "Floors"."""
    parts = path.parts
    for match in IMPORT.finditer(text):
        name, line = match.group(1), line_of(text, match.start(1))
        if name == "CFastCGI" and parts[:3] != ("Sources", "PolyclinicServing", "FastCGI"):
            yield line, "only Sources/PolyclinicServing/FastCGI imports CFastCGI"
        if parts[0] == "Plugins":
            if name in plugins and name != parts[1]:
                yield line, f"a plugin must not import another plugin: {name}"
            elif name in {*libraries, *LAYERS[1:]} - PLUGIN_LIBRARIES:
                yield line, f"a plugin imports PolyclinicCore, not {name}"
        # The template of a new module is a module and its tests.
        if parts[0] != "Sources" or parts[1] not in [*LAYERS, *LIBRARIES] or "Template" in parts:
            continue
        if parts[1] in {"PolyclinicCore", *LIBRARIES} and name in libraries | C_LIBRARIES:
            yield line, f"{parts[1]} imports no C: {name}"
        if name in plugins:
            yield line, f"only the program names plugins: {name}"
        if parts[1] in LIBRARIES:
            if name in LAYERS[1:]:
                yield line, f"a library imports PolyclinicCore and other libraries, not {name}"
            continue
        is_higher = name in LIBRARIES and parts[1] in LAYERS[:LAYERS.index("PolyclinicServing")]
        if is_higher or name in LAYERS and LAYERS.index(name) > LAYERS.index(parts[1]):
            yield line, f"{parts[1]} stands below {name}"


def without_comments(css):
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), css, flags=re.DOTALL)


def without_supported(css):
    """Without rules for browsers that know a selector; all others leave them out."""
    block = r"@supports selector\([^{}]*\)\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}"
    return re.sub(block, lambda m: re.sub(r"[^\n]", " ", m.group()), css)


def style(text):
    """CSS that Safari 13 reads: none younger, no nesting, gap in grids alone."""
    css = without_comments(text)
    for pattern, what in YOUNG_CSS:
        for match in pattern.finditer(without_supported(css)):
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
        yield line_of(text, match.start()), f"unfinished work must not be committed: {match.group()}"
    for match in MACHINE_PATHS.finditer(text):
        yield line_of(text, match.start()), f"a path of one machine: {match.group()}"


def entrances(path, text):
    """Text from outside passes IncomingText."""
    if path.parts[0] == "Tests" or path.name in ENTRANCES:
        return
    for match in OUTSIDE_TEXT.finditer(text):
        yield line_of(text, match.start()), "text from outside becomes a String by IncomingText"


def markup(path, text):
    """Markup that has a component is written in that component alone."""
    if path.parts[0] == "Tests" or path.parts[:3] in RENDERERS:
        return
    for match in HAND_WRITTEN.finditer(text):
        component = COMPONENTS[match.group(1)]
        yield line_of(text, match.start()), f"{component} writes this markup"


def comments(text, comment):
    """The line and the first line's text of each comment that stands on lines of its own."""
    is_inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        match = comment.match(line)
        if match and not is_inside:
            yield number, match.group(1)
        is_inside = match is not None


def riddles(root):
    """Comments that begin with a question word, if more than a few of all comments in a language do."""
    for suffix, comment in COMMENTS.items():
        total, found = 0, []
        for folder in ["Sources", "Plugins", "Tests"]:
            for path in sorted((root / folder).rglob(f"*.{suffix}")):
                for line, begin in comments(path.read_text(encoding="utf-8"), comment):
                    total += 1
                    if RIDDLE.match(begin):
                        found.append((path.relative_to(root), line, "begin a comment with its noun or verb"))
        if len(found) > MOST_RIDDLES * total:
            yield from found


def topics(root, target):
    """A target's front page has each public type in one topic; its articles have none that is not."""
    folder = root / "Sources" / target
    types = {}
    for path in sorted(folder.rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for match in PUBLIC_TYPE.finditer(text):
            types[match.group(1)] = (path.relative_to(root), line_of(text, match.start(1)))
    articles = sorted((folder / f"{target}.docc").glob("*.md"))
    known = set(types) | {path.stem for path in articles}
    listed = set()
    for path in articles:
        text = path.read_text(encoding="utf-8")
        start = text.find("\n## Topics\n")
        for match in TOPIC_ENTRY.finditer(text, start) if start >= 0 else []:
            name = match.group(1) or match.group(2)
            place = (path.relative_to(root), line_of(text, match.start()))
            if name not in known:
                yield *place, f"neither a public type of {target} nor an article: {name}"
            elif path.stem == target:
                if name in listed:
                    yield *place, f"stands in a topic already: {name}"
                listed.add(name)
    if len(types) > MOST_PUBLIC_TYPES.get(target, len(types)):
        last = max(types.values(), key=str)
        yield *last, f"{target} has {len(types)} public types, more than {MOST_PUBLIC_TYPES[target]}"
    for name, place in types.items():
        if name not in listed:
            yield *place, f"stands in no topic of {target}.md: {name}"


def check(root):
    """All breaches of a tree as (path, line, sentence)."""
    package = root / "Package.swift"
    libraries = set(SYSTEM_LIBRARY.findall(package.read_text())) if package.is_file() else set()
    plugin_root = root / "Plugins"
    plugins = {p.name for p in plugin_root.iterdir() if p.is_dir()} if plugin_root.is_dir() else set()
    for entry in sorted(root.iterdir()):
        if not entry.name.startswith(".") and entry.name not in TOP_LEVEL:
            yield Path(entry.name), 1, "the top level holds what docs/architecture.md lists, and no more"
    for folder in ["Sources", "Plugins", "Tests", "www", "docs", "Package.swift", "README.md", "Makefile"]:
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
                found += markup(relative, text)
            if path.suffix == ".css":
                found += style(text)
            for line, sentence in sorted(found):
                yield relative, line, sentence
    for target in ["PolyclinicCore", *sorted(LIBRARIES)]:
        yield from topics(root, target)
    yield from riddles(root)


def main(arguments, check=check):
    """Prints the breaches that a check finds below the root, and returns the exit status."""
    if len(arguments) != 2:
        print(f"usage: {Path(arguments[0]).name} ROOT", file=sys.stderr)
        return 2
    breaches = list(check(Path(arguments[1])))
    for path, line, sentence in breaches:
        print(f"{path}:{line}: {sentence}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
