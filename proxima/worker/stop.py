"""The two orders to stop: take nothing new, and drop what runs."""

import threading


class StopOrder:
    """Shared by all slots of a worker; orders are never taken back."""

    def __init__(self) -> None:
        #: Finish what runs and take nothing new.
        self.draining = threading.Event()
        #: Stop now; jobs go back to the queue.
        self.now = threading.Event()

    def drain(self) -> bool:
        """Order to take nothing new; whether that was news."""
        news = not self.draining.is_set()
        self.draining.set()
        return news

    def stop_now(self) -> bool:
        """Order to drop what runs, too; whether draining was news."""
        self.now.set()
        return self.drain()
