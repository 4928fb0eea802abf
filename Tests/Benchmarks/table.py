"""The figures as a table in Markdown."""

import statistics
from dataclasses import dataclass

from pages import Row

HEAD = """\
| | portal | C | ratio | with nginx | ratio | of all rounds | aim | | requests/s | ratio | aim | | p50 ms | p99 ms |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: | ---: |"""
COLUMNS = 15


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

    def lines(self):
        """The row; if one more client saved meanwhile, another one for the forms of that client."""
        spent = [""] * 8 if self.kind.is_beside_saves else self.time_cells()
        waits = [self.pair(figure, 1e-3) for figure in ["median", "slowest"]]
        yield row(self.kind.title, *spent, *self.rate_cells("rate", self.kind.rate), *waits)
        if self.kind.is_beside_saves:
            yield row("the client that saves", *[""] * 8, *self.rate_cells("saves", None))

    def time_cells(self):
        """The cells of the processor time of a request: the responders' own and with nginx."""
        one, other = (f"{self.median(of, 'per_request'):.0f} µs" for of in self.both)
        together, aim = self.ratios("together"), self.kind.aim
        ratio = statistics.median(together)
        return [
            one, f"{other} {self.kind.other}".strip(), times(statistics.median(self.ratios("per_request"))),
            f"{self.pair('together', 1)} µs", times(ratio),
            f"{times(min(together))} – {times(max(together))}",
            f"≤ {times(aim)}" if aim else "", verdict(ratio, aim)]

    def rate_cells(self, figure, aim):
        """The cells of the requests a second, of which there are to be at least so many times the other's."""
        ratio = statistics.median(self.ratios(figure))
        return [self.pair(figure, 1), times(ratio), f"≥ {times(aim)}" if aim else "",
                verdict(-ratio, -aim) if aim else ""]

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
    return row(title, f"{one:.0f} {unit}", f"{other:.0f} {unit}", times(one / other), *[""] * 3,
               f"< {aim} {unit}", verdict(one, aim))


def figure(title, unit, one, aim, digits):
    """A row of a figure of the portal alone, which is to be below the aim if there is one."""
    return row(title, f"{one:.{digits}f} {unit}", *[""] * 5, f"< {aim:.0f} {unit}" if aim else "",
               verdict(one, aim))


def row(*cells):
    """A row with these cells and empty ones behind them."""
    return f"| {' | '.join([*cells, *[''] * (COLUMNS - len(cells))])} |"


def times(ratio):
    """A ratio; a small one as the part that it is."""
    return f"{ratio:.2f}" if ratio > 0.2 else f"1/{1 / ratio:.0f}"


def verdict(figure, aim):
    if aim is None:
        return ""
    return "met" if figure <= aim else "missed"
