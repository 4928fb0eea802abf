"""Runs polyclinic-decode, the sandboxed program that decodes uploaded pictures."""

import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from portal import PROGRAM

DECODER = Path(PROGRAM).resolve().parent / "polyclinic-decode"
# Runs in its own process, because a child's peak memory starts at its parent's.
# How much the program computes is told in compressions of a text on the same machine, before and after it,
# because seconds tell of the machine and of its other load.
MEASURE = """
import os, random, sys, time, zlib
text = bytes(random.Random(1).choices(b"abcdefgh", k=200_000))
def compression():
    before = time.process_time()
    zlib.compress(text, 9)
    return time.process_time() - before
compressions = [compression()]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], {})
_, status, usage = os.wait4(child, 0)
compressions.append(compression())
effort = (usage.ru_utime + usage.ru_stime) / (sum(compressions) / len(compressions))
print(os.waitstatus_to_exitcode(status), effort, usage.ru_maxrss, file=sys.stderr)
"""


@dataclass
class Decoded:
    """The frames of one run, its CPU time in compressions (see MEASURE) and its peak memory."""
    frames: list
    effort: float
    megabytes: float

    def all(self, name):
        return [content for letters, content in self.frames if letters == name]

    @property
    def names(self):
        return [letters for letters, _ in self.frames]

    @property
    def codes(self):
        return self.all("CODE")

    @property
    def refusal(self):
        """The error word of a refusal, which is its only frame."""
        [(name, word)] = self.frames
        assert name == "FAIL"
        return word.decode()


def decode(content, kind="image"):
    """Runs the program and asserts that it exits with status 0."""
    run = subprocess.run(
        [sys.executable, "-S", "-c", MEASURE, DECODER], input=kind.encode() + b"\n" + content,
        capture_output=True)
    status, effort, kilobytes = run.stderr.split()
    assert status == b"0", run.stderr
    return Decoded(list(frames(run.stdout)), float(effort), int(kilobytes) / 1024)


def frames(output):
    while output:
        name, length = struct.unpack(">4sI", output[:8])
        content, output = output[8:8 + length], output[8 + length:]
        assert len(content) == length
        yield name.decode(), content
