"""The answers that visitors got, to compare with the records afterwards."""

import threading
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Audit:
    """The fate of the names in a ledger."""

    acknowledged: int = 0
    lost: list = field(default_factory=list)
    doubled: list = field(default_factory=list)
    foreign: list = field(default_factory=list)

    @property
    def is_clean(self):
        return not (self.lost or self.doubled or self.foreign)

    def __add__(self, other):
        return Audit(
            self.acknowledged + other.acknowledged, self.lost + other.lost,
            self.doubled + other.doubled, self.foreign + other.foreign)


class Ledger:
    """The names that one person has saved: each sent once, though perhaps by several presses of a
    button, and acknowledged or not."""

    def __init__(self, owner):
        self.owner = owner
        self.sent = []
        self.is_closed = False
        self.acknowledged = []

    def next_name(self):
        name = f"{self.owner}-{len(self.sent):06}"
        self.sent.append(name)
        return name

    def acknowledge(self, name):
        """After the power was cut nobody is told anything: what still arrives here does not count."""
        if not self.is_closed:
            self.acknowledged.append(name)

    def audit(self, found):
        """Holds it against all names that are there, repeats and all.

        What was sent and not acknowledged may be there, or not; nothing may be there twice.
        """
        counts = Counter(found)
        sent = set(self.sent)
        return Audit(
            len(self.acknowledged),
            [name for name in self.acknowledged if counts[name] == 0],
            [name for name, count in counts.items() if count > 1],
            [name for name in counts if name not in sent])


@dataclass
class Sighting:
    """One answer as a visitor saw it; a status of None is a connection that broke."""

    at: float
    took: float
    method: str
    status: int | None
    oddity: str = ""

    @property
    def has_failed(self):
        return self.status is None or self.status >= 500 or self.status == 429


class Sightings:
    """All answers that visitors saw, from several threads."""

    def __init__(self):
        self.all = []
        self.lock = threading.Lock()

    def add(self, sighting):
        with self.lock:
            self.all.append(sighting)

    def failed(self, method):
        return [sighting for sighting in self.all if sighting.method == method and sighting.has_failed]

    def statuses(self):
        return Counter(
            "broken" if sighting.status is None else sighting.status for sighting in self.all)

    def oddities(self):
        return Counter(sighting.oddity for sighting in self.all if sighting.oddity)

    def well_again(self, since):
        """Seconds from a moment until the last answer that failed; 0 when none did."""
        return max([0.0, *(seen.at - since for seen in self.all if seen.has_failed)])

    def slowest(self, method, share):
        """The duration that this share of the answers did not exceed."""
        times = sorted(seen.took for seen in self.all if seen.method == method)
        return times[min(int(len(times) * share), len(times) - 1)] if times else 0.0
