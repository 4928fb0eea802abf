"""The judged effects of faults, as a table."""

from dataclasses import dataclass, field

from faults.ledger import Audit


@dataclass
class Report:
    """The effects of one fault. Each breach names a broken rule in words."""

    times: str = "once"
    saw: str = ""
    audit: Audit | None = None
    seconds: float | None = None
    remark: str = ""
    breaches: list = field(default_factory=list)

    def require(self, holds, rule):
        if not holds and rule not in self.breaches:
            self.breaches.append(rule)


class Skipped(Exception):
    """The fault cannot be made here; the text says why."""


def table(rows):
    """Lines of equal columns, under headings."""
    heading = ["fault", "times", "saved", "lost", "doubled", "visitors saw", "well again", "held"]
    lines = [heading, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def row(name, report):
    audit = report.audit
    counts = [audit.acknowledged, len(audit.lost), len(audit.doubled)] if audit else ["-"] * 3
    seconds = "-" if report.seconds is None else f"{report.seconds:.2f} s"
    held = "no" if report.breaches else "yes"
    return [name, report.times, *map(str, counts), report.saw or "-", seconds, held]


def skipped_row(name, reason):
    return [name, "-", "-", "-", "-", "-", "-", f"skipped: {reason}"]
