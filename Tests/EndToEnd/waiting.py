"""Waiting for what is to become true: never for a time to pass."""

import time


def until(condition, seconds=15):
    """Asks until the answer is true, and returns it; fails when the time is over."""
    deadline = time.monotonic() + seconds
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"It did not become true within {seconds} s")
        time.sleep(0.02)
