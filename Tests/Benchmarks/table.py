"""The figures as a table in Markdown."""

import statistics
from dataclasses import dataclass

from pages import Row

HEAD = """\
| | portal | C | ratio | with nginx | of all rounds | aim | | requests/s | aim | | p50 ms | p99 ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |"""


@dataclass
class Comparison:
    """The rounds of two under the same load, in pairs of one after the other."""

    kind: Row
    rounds: list
    others: list

    def ratios(self, figure):
        """The ratios of the pairs. They vary less than each figure, because the machine's speed does."""
        return [getattr(one, figure) / getattr(other, figure)
                for one, other in zip(self.rounds, self.others)]

    def line(self):
        together = self.ratios("together")
        ratio, rate = statistics.median(together), statistics.median(self.ratios("rate"))
        one, other = (f"{self.median(of, 'per_request'):.0f} µs" for of in self.both)
        aim, least_rate = self.kind.aim, self.kind.rate
        return row(
            self.kind.title, one, f"{other} {self.kind.other}".strip(),
            times(statistics.median(self.ratios("per_request"))), times(ratio),
            f"{times(min(together))} – {times(max(together))}", f"≤ {times(aim)}" if aim else "",
            verdict(ratio, aim), self.pair("rate", 1), f"≥ {times(least_rate)}" if least_rate else "",
            f"{times(rate)}, {verdict(-rate, -least_rate)}" if least_rate else times(rate),
            self.pair("median", 1e-3), self.pair("slowest", 1e-3))

    @property
    def both(self):
        return [self.rounds, self.others]

    def median(self, rounds, figure):
        return statistics.median(getattr(one, figure) for one in rounds)

    def pair(self, figure, factor):
        digits = 0 if factor == 1 else 1
        return " : ".join(f"{self.median(of, figure) * factor:.{digits}f}" for of in self.both)


def plain(title, unit, figures, aim):
    """A row of two figures that are not under load; the first is to be below the aim."""
    one, other = figures
    return row(title, f"{one:.0f} {unit}", f"{other:.0f} {unit}", times(one / other), "", "",
               f"< {aim} {unit}", verdict(one, aim), "", "", "", "", "")


def figure(title, unit, one, aim, digits):
    """A row of a figure of the portal alone, which is to be below the aim."""
    return row(title, f"{one:.{digits}f} {unit}", "", "", "", "", f"< {aim:.0f} {unit}",
               verdict(one, aim), "", "", "", "", "")


def row(*cells):
    return f"| {' | '.join(cells)} |"


def times(ratio):
    """A ratio; a small one as the part that it is."""
    return f"{ratio:.2f}" if ratio > 0.2 else f"1/{1 / ratio:.0f}"


def verdict(figure, aim):
    if aim is None:
        return ""
    return "met" if figure <= aim else "missed"
