#!/usr/bin/env python3
"""Folders of a target that use each other in a circle: folders.py ROOT prints references as path:line.

Files that stand directly in a target's folder are its composition root: they may use all folders, and
no folder may use them. A link to a page is no use of it: pages of two features lead to each other.
"""

import re
import sys
from collections import Counter, defaultdict, namedtuple
from itertools import permutations
from pathlib import Path

from swift_source import TYPES, code, declarations, extended

ROOT = "."
# Among more folders than these, the order with the fewest references upwards is searched greedily.
MOST_PERMUTED = 7
LINK = re.compile(r"\b[A-Z]\w*(?:\.[a-z]\w*)?\.(?:path|pattern)\b")
USE = re.compile(r"(?<![\w`#@])(?:(\w+)?(\.))?([A-Za-z_]\w*)")

File = namedtuple("File", "path folder source declared")
Reference = namedtuple("Reference", "path line name origin goal")


def files(target):
    """The Swift files of a target, each with its folder; that of nested folders is the outermost one."""
    for path in sorted(target.rglob("*.swift")):
        parts = path.relative_to(target).parts
        # The template of a new module is no source of its target.
        if "Template" in parts:
            continue
        source = LINK.sub(lambda link: " " * len(link[0]), code(path.read_text(encoding="utf-8")))
        yield File(path, parts[0] if len(parts) > 1 else ROOT, source, list(declarations(source)))


def names(everything):
    """The number of declarations of each name in all targets."""
    return Counter(one.name for target in everything for file in target for one in file.declared)


def outermost(name):
    return name.split(".")[0]


def references(target, known):
    """The uses of a name that another folder of the target declares.

    Types count by their name. A function, and a member that one folder adds to a type of another one
    or to a type from outside, counts if no other declaration in any target has its name.
    """
    types, nested, functions, members = {}, defaultdict(dict), {}, {}
    for file in target:
        for one in file.declared:
            if one.is_private:
                continue
            if one.owner is None and one.kind in TYPES:
                types[one.name] = file.folder
            elif one.owner is None and known[one.name] == 1:
                functions[one.name] = file.folder
            elif one.owner and one.kind in TYPES:
                nested[outermost(one.owner)][one.name] = file.folder
    for file in target:
        for one in file.declared:
            if one.owner and not one.is_private and known[one.name] == 1 and one.kind not in TYPES:
                if types.get(outermost(one.owner)) != file.folder:
                    members[one.name] = file.folder
    for file in target:
        own = {one.name for one in file.declared if one.is_private or one.owner}
        own |= {name for owner in extended(file.source) for name in nested[owner]}
        for match in USE.finditer(file.source):
            before, dot, name = match.groups()
            called = file.source.startswith("(", match.end())
            if dot:
                # The name before the dot is a use of its own.
                uses = [(before, None if before in own else types.get(before))]
                uses.append((name, nested[before].get(name) if before in nested else members.get(name)))
            elif name in types:
                uses = [(name, None if name in own else types[name])]
            else:
                uses = [(name, functions.get(name) if called else None)]
            line = file.source.count("\n", 0, match.start()) + 1 if any(goal for _, goal in uses) else 0
            for used, goal in uses:
                if goal and goal != file.folder:
                    yield Reference(file.path, line, used, file.folder, goal)


def circles(edges):
    """The sets of folders, of two or more, that reach each other."""
    reach = {}
    for start in edges:
        seen, waiting = set(), [start]
        while waiting:
            for goal in edges.get(waiting.pop(), ()):
                if goal not in seen:
                    seen.add(goal)
                    waiting.append(goal)
        reach[start] = seen
    found = {
        frozenset(other for other in reach[folder] if folder in reach.get(other, ()))
        for folder in edges if folder in reach[folder]
    }
    return sorted(sorted(circle) for circle in found)


def upwards(circle, weights):
    """The edges of a circle that go upwards in the order of its folders with the fewest such uses."""
    def cost(order):
        return sum(
            weights[low, high]
            for index, low in enumerate(order) for high in order[index + 1:])

    if len(circle) <= MOST_PERMUTED:
        best = min(permutations(circle), key=cost)
    else:
        best = []
        for folder in circle:
            places = [best[:i] + [folder] + best[i:] for i in range(len(best) + 1)]
            best = min(places, key=cost)
    return {
        (low, high) for index, low in enumerate(best) for high in best[index + 1:]
        if weights[low, high]}


def breaches(target, known):
    """The references to the composition root, and those that close a circle, with a sentence each."""
    found = list(references(target, known))
    weights = Counter()
    for one in found:
        if ROOT in (one.origin, one.goal):
            if one.goal == ROOT:
                yield one, f"{one.name} → the target's root, which no folder may use"
        else:
            weights[one.origin, one.goal] += 1
    edges = defaultdict(set)
    for origin, goal in weights:
        edges[origin].add(goal)
    for circle in circles(edges):
        closing = upwards(circle, weights)
        for one in found:
            if (one.origin, one.goal) in closing:
                yield one, f"{one.name} → {one.goal} closes a circle: {', '.join(circle)}"


def check(root, exceptions=()):
    """All breaches of a tree as (path, line, sentence)."""
    targets = {
        f"{folder}/{target.name}": list(files(target))
        for folder in ["Sources", "Plugins"] if (root / folder).is_dir()
        for target in sorted((root / folder).iterdir()) if target.is_dir()}
    known = names(targets.values())
    for target in targets.values():
        for one, sentence in sorted(breaches(target, known)):
            yield one.path.relative_to(root), one.line, sentence


def main(arguments):
    if len(arguments) != 2:
        print("usage: folders.py ROOT", file=sys.stderr)
        return 2
    found = list(check(Path(arguments[1])))
    for path, line, sentence in found:
        print(f"{path}:{line}: {sentence}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
