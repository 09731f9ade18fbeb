"""The two orders to stop: take nothing new, and drop what runs."""

import threading


class StopOrder:
    """Shared by all slots of a worker; orders are never taken back."""

    def __init__(self) -> None:
        #: Finish what runs and take nothing new.
        self.draining = threading.Event()
        #: Stop now; jobs go back to the queue.
        self.now = threading.Event()

    def give(self) -> bool:
        """Give the next order; whether it was the first."""
        first = not self.draining.is_set()
        if not first:
            self.now.set()
        self.draining.set()
        return first
