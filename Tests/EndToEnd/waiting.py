"""Waits for conditions by polling."""

import time


def until(condition, seconds=60):
    """Polls until the condition is true and returns its value; raises TimeoutError after that many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"It did not become true within {seconds} s")
        time.sleep(0.02)
