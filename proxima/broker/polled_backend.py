"""Celery's result backend for clients that poll: no subscription a task."""

from typing import Any

from celery.backends.redis import RedisBackend


class PolledBackend(RedisBackend):  # type: ignore[misc]
    """Results in Redis; Celery would subscribe to a channel for each of 10 000 jobs."""

    def on_task_call(self, producer: Any, task_id: str) -> None:
        """Nothing: `results` asks for all of a batch at once."""

    def on_result_fulfilled(self, result: Any) -> None:
        """Nothing to unsubscribe from."""
