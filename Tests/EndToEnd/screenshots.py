"""Makes the pictures of the README anew: a portal with the demonstration's town, in a real browser.

POLYCLINIC_BIN names the program. `make screenshots` builds it and calls this.
"""

import sys
import tempfile
from pathlib import Path

from browsers import DESK, Browser
from portal import PROGRAM, Portal
from townsfolk import somebody

PICTURES = Path(__file__).parents[2] / "Sources/PolyclinicCore/PolyclinicCore.docc/Resources"
# What each picture shows, and to whom.
SHOWN = [("dashboard", "patient", "/"), ("clinics", "", "/appointments/clinics/map")]


def main(directory):
    if not PROGRAM:
        sys.exit("POLYCLINIC_BIN names no program: start make screenshots")
    with tempfile.TemporaryDirectory() as data:
        portal = Portal(Path(data) / "data", options=["--demo"])
        browser = Browser("en")
        try:
            portal.start()
            for name, login, path in SHOWN:
                browser.start_over(DESK)
                browser.use_scheme("light")
                browser.lend(somebody(portal, login))
                browser.driver.get(portal.origin + path)
                (directory / f"{name}.png").write_bytes(browser.whole_page())
                print(directory / f"{name}.png")
        finally:
            browser.quit()
            portal.stop()
            portal.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
