"""python3 -m faults [--long] [WORD]...: those whose names hold one of the words, else all."""

import signal
import sys
import time
import traceback

from portal import PROGRAM

from faults import (  # noqa: F401
    costly, crowd, disks, exports, files, kept, killed, lines, links, machine, malformed, modules, races, rolled_back,
    rotations, servers, slow, two_machines)
from faults.report import Report, Skipped, row, skipped_row, table
from faults.stage import FAULTS, LONG_FORM, Stage


def main(arguments):
    if not PROGRAM:
        print("POLYCLINIC_BIN names no program", file=sys.stderr)
        return 2
    # As after Ctrl-C, all that was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    words = [argument for argument in arguments if argument != "--long"]
    stage = Stage("long" if "--long" in arguments else "short")
    rows, breaches = [], []
    try:
        for name, run in FAULTS:
            if words and not any(word in name for word in words):
                continue
            if not words and stage.form == "short" and name in LONG_FORM:
                rows.append(skipped_row(name, "in the long form, or if it is named"))
                continue
            print(f"{name} …", file=sys.stderr, flush=True)
            began = time.monotonic()
            try:
                report = run(stage)
            except Skipped as reason:
                rows.append(skipped_row(name, str(reason)))
                continue
            except Exception as error:
                # The others are still worth knowing; this one is not held.
                traceback.print_exc()
                report = Report()
                report.require(False, f"{type(error).__name__}: {error}")
            print(f"  {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            rows.append(row(name, report))
            breaches += [f"{name}: {breach}" for breach in report.breaches]
    finally:
        stage.clear()
    print(table(rows))
    for breach in breaches:
        print(breach)
    return 1 if breaches or not rows else 0


sys.exit(main(sys.argv[1:]))
