"""SlotGate: how many jobs a worker has at a time; changed while it runs."""

from typing import Any

from proxima.worker.slot_board import SlotBoard

#: More would only fight for the disk; it bounds what an order can do.
MOST_SLOTS = 64


class SlotGate:
    """Lets Celery fetch as many messages as there are slots, and run them."""

    def __init__(self, controller: Any, board: SlotBoard, slots: int) -> None:
        self._controller, self._board = controller, board
        self.slots = slots

    def open_to(self, slots: int) -> None:
        """Have so many slots from now on; what runs in those that go is finished."""
        slots = max(1, min(slots, MOST_SLOTS))
        consumer, pool = self._controller.consumer, self._controller.pool
        if slots == self.slots or consumer is None or pool is None:
            return
        grown, self.slots = slots - self.slots, slots
        self._board.resize(slots)
        # Celery's pool of threads cannot grow by itself, and need not shrink: what counts is how
        # many messages are fetched and not yet acknowledged.
        pool.limit = slots
        pool.executor._max_workers = max(pool.executor._max_workers, slots)  # noqa: SLF001
        consumer.call_soon(consumer._update_prefetch_count, grown)  # noqa: SLF001
