"""Renews the screenshots of the README, taken in a real browser from a portal with demonstration data.

POLYCLINIC_BIN names the program. `make screenshots` builds it and calls this.
"""

import sys
import tempfile
from pathlib import Path

from browsers import DESKTOP, Browser
from portal import PROGRAM, Portal
from demo_users import demo_user

PICTURES = Path(__file__).parents[2] / "Sources/PolyclinicCore/PolyclinicCore.docc/Resources"
# The name, login and path of each screenshot.
SHOWN = [("dashboard", "patient", "/"), ("clinics", "", "/appointments/clinics/map")]


def main(directory):
    if not PROGRAM:
        sys.exit("POLYCLINIC_BIN names no program: start make screenshots")
    with tempfile.TemporaryDirectory() as data:
        portal = Portal(Path(data) / "data", options=["--demo"])
        browser = Browser("en", Path(data))
        try:
            portal.start()
            for name, login, path in SHOWN:
                browser.start_over(DESKTOP)
                browser.use_scheme("light")
                browser.sign_in_as(demo_user(portal, login))
                browser.driver.get(portal.origin + path)
                (directory / f"{name}.png").write_bytes(browser.whole_page())
                print(directory / f"{name}.png")
        finally:
            browser.quit()
            portal.stop()
            portal.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
