"""The parts of Swift source that the lint of folders reads: names declared, and names used."""

import re
from collections import namedtuple

Declaration = namedtuple("Declaration", "name kind owner is_private")

TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}
WORD = re.compile(
    r"(?P<brace>[{}])"
    r"|\b(?P<kind>struct|class|enum|protocol|actor|extension|typealias|func|var|let)"
    r"\s+(?P<name>`?[A-Za-z_][\w.]*`?)"
    r"|\bcase\s+(?P<cases>[^\n:{}=]+)"
)
PRIVATE = re.compile(r"\b(?:private|fileprivate)(?!\s*\(set\))\b[^\n;{}]*$")
RAW_STRING = re.compile(r'(#*)("""|")')


def code(text):
    """The source with comments and the text of strings blanked, line by line; interpolations stay."""
    out = []
    position = 0

    def blank(part):
        out.append(re.sub(r"[^\n]", " ", part))

    def string(position, hashes, quote):
        """Blanks a string from behind its opening quote and returns the position behind its end."""
        escape, end = "\\" + hashes, quote + hashes
        while position < len(text):
            # A quote in a regular expression opens no string.
            if quote == '"' and text[position] == "\n":
                return position
            if text.startswith(end, position):
                blank(end)
                return position + len(end)
            if text.startswith(escape + "(", position):
                blank(escape)
                position = plain(position + len(escape) + 1, inside=True)
            elif text.startswith(escape, position):
                blank(text[position:position + len(escape) + 1])
                position += len(escape) + 1
            else:
                blank(text[position])
                position += 1
        return position

    def plain(position, inside):
        """Copies code, within an interpolation until its closing parenthesis."""
        depth = 1
        if inside:
            out.append("(")
        while position < len(text):
            opening = RAW_STRING.match(text, position)
            if text.startswith("//", position):
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
                blank(text[position:end])
                position = end
            elif text.startswith("/*", position):
                end = text.find("*/", position)
                end = len(text) if end < 0 else end + 2
                blank(text[position:end])
                position = end
            elif opening:
                blank(opening.group())
                position = string(opening.end(), *opening.groups())
            else:
                character = text[position]
                out.append(character)
                position += 1
                depth += (character == "(") - (character == ")")
                if inside and depth == 0:
                    return position
        return position

    plain(position, inside=False)
    return "".join(out)


def declarations(source):
    """The types, functions, variables and cases that the code declares outside of functions."""
    scopes, pending = [], None
    for match in WORD.finditer(source):
        if match.group("brace") == "{":
            scopes.append(pending)
            pending = None
            continue
        if match.group("brace") == "}":
            if scopes:
                scopes.pop()
            continue
        if None in scopes:
            continue
        owner = scopes[-1] if scopes else None
        if match.group("cases"):
            # Payloads first: their commas separate no cases.
            names = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", match.group("cases"))
            for name in re.findall(r"\w+", names):
                yield Declaration(name, "case", owner, False)
            continue
        kind, name = match.group("kind"), match.group("name").strip("`")
        if name in {"func", "var", "let", "override"}:
            continue
        if kind == "extension":
            pending = name
            continue
        if kind in TYPES - {"typealias"}:
            pending = name if owner is None else f"{owner}.{name}"
        else:
            pending = None
        line_start = source.rfind("\n", 0, match.start()) + 1
        is_private = bool(PRIVATE.search(source[line_start:match.start()]))
        yield Declaration(name, kind, owner, is_private)


def extended(source):
    """The names of the types that the code declares or extends."""
    return set(re.findall(r"\b(?:extension|struct|class|enum|protocol|actor)\s+([A-Z]\w*)", source))
