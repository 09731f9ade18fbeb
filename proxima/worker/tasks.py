"""The one Celery task: decode, delegate, translate the end into Celery's states."""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from celery import states
from celery.exceptions import Ignore, Reject

from proxima.broker import keys
from proxima.errors import JobFailed
from proxima.job import JobState
from proxima.worker.transcode import Cancelled, HandedBack, NotOurs, Transcoder, TriedAgain

if TYPE_CHECKING:
    from celery import Celery, Task

#: Celery's ends in ours.
_ENDS = {states.SUCCESS: JobState.DONE, states.FAILURE: JobState.FAILED}


def register(celery: "Celery", transcoder: Transcoder, refusing: Callable[[], bool]) -> "Task":
    """Give *celery* the task; while *refusing* says so, messages go straight back."""

    class Settling(celery.Task):  # type: ignore[misc]
        def after_return(self, *ended: Any) -> None:
            """Celery has stored the result: the sweep need not."""
            status, _retval, job_id, *_ = ended
            if status in _ENDS:
                transcoder.leases.settle(job_id, _ENDS[status])

    @celery.task(  # type: ignore[untyped-decorator]
        name=keys.TASK, base=Settling, bind=True, throws=(JobFailed,), shared=False
    )
    def transcode(self: "Task", job_id: str, protocol: int | None = None) -> dict[str, Any]:
        if refusing():
            raise Reject("this worker takes no new jobs", requeue=True)
        try:
            ended: dict[str, Any] = msgspec.to_builtins(transcoder.transcode(job_id, protocol))
            return ended
        except HandedBack:
            # Only for views: the record says already that the job waits.
            with contextlib.suppress(Exception):
                self.update_state(state=states.PENDING)
            raise Reject("handed back", requeue=True) from None
        except TriedAgain as failure:
            with contextlib.suppress(Exception):
                self.update_state(state=states.PENDING)
            raise Ignore(str(failure)) from None
        except Cancelled:
            self.update_state(state=states.REVOKED)
            transcoder.leases.settle(job_id)
            raise Ignore("cancelled") from None
        except NotOurs:
            raise Ignore("another worker has it") from None

    return transcode
