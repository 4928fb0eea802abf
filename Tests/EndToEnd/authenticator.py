"""The authenticator app of a person: codes by the secret key on the set-up page."""

import re
import subprocess
import time

from waiting import until


def key_on(text):
    """Returns the secret key on the set-up page."""
    return re.search(r'class="secret" dir="ltr">([A-Z2-7 ]+)<', text)[1].replace(" ", "")


def steady():
    """Waits out the last seconds of a code's half minute, so that the code does not expire in transit."""
    until(lambda: time.time() % 30 < 25)


def earlier_code(key):
    """Returns the previous half minute's code, which is still valid, so that the current one stays unused."""
    steady()
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(time.time() - 30))
    shown = subprocess.run(
        ["oathtool", "--totp", "--base32", f"--now={when}", key], capture_output=True, text=True, check=True)
    return shown.stdout.strip()
