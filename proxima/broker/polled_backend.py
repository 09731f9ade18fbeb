"""Celery's result backend for clients that poll, and whose results agree with the record."""

import json
from functools import cached_property
from importlib.resources import files
from typing import Any

from celery import states
from celery.backends.redis import RedisBackend
from kombu.utils.encoding import bytes_to_str

from proxima.broker import keys
from proxima.job import JobState

#: What the record must say for a result to be stored.
_AGREES = {
    states.PENDING: JobState.QUEUED,
    keys.ENCODING: JobState.ENCODING,
    states.SUCCESS: JobState.DONE,
    states.FAILURE: JobState.FAILED,
    states.REVOKED: JobState.CANCELLED,
}


class PolledBackend(RedisBackend):  # type: ignore[misc]
    """Results in Redis; Celery would subscribe to a channel for each of 10 000 jobs."""

    def on_task_call(self, producer: Any, task_id: str) -> None:
        """Nothing: `results` asks for all of a batch at once."""

    def add_pending_result(self, result: Any, *_: Any, **__: Any) -> Any:
        """Nothing: sending a group would subscribe to each of its jobs."""
        return result

    def on_result_fulfilled(self, result: Any) -> None:
        """Nothing to unsubscribe from."""

    def _set_with_state(self, key: bytes, value: str, state: str) -> None:
        # A worker that was frozen, an answer that was lost, or an error in Celery's own code
        # must not tell of an end that is none, nor take one back.
        task_id = bytes_to_str(self._strip_prefix(key))  # type: ignore[no-untyped-call]
        attempt = json.loads(value)["result"].get("attempt", "") if state == keys.ENCODING else ""
        args = [value, int(self.expires), _AGREES.get(state, ""), attempt]
        self.ensure(self._store, ([key, keys.job(task_id)], args))

    def _store(self, names: list[Any], args: list[Any]) -> None:
        self._script(keys=names, args=args)

    @cached_property
    def _script(self) -> Any:
        text = (files("proxima.broker") / "scripts" / "result.lua").read_text()
        return self.client.register_script(text)
