"""Waits for conditions by polling."""

import time


def until(condition, seconds=60):
    """Polls until the condition is true and returns its value; raises TimeoutError after that many seconds."""
    start = time.monotonic()
    while True:
        if answer := condition():
            return answer
        waited = time.monotonic() - start
        if waited > seconds:
            raise TimeoutError(f"It did not become true within {seconds} s")
        # Asking takes processor time from what is waited for.
        time.sleep(min(0.02 + waited / 10, 0.5))
