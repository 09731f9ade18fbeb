"""The record of a job, which whoever has the broker's password can write."""

from types import SimpleNamespace

import pytest

from proxima.broker import wire
from proxima.broker.lease import Claim, Lease
from proxima.errors import FailureKind, JobFailed
from proxima.job import JobState
from proxima.worker.transcode import Transcoder


def test_a_record_of_another_job_is_refused(make_job):
    claim = Claim(
        state=JobState.DONE,
        lease=Lease(job_id="abcdefgh-00001", worker="a@x", attempt=1),
        job=wire.encode(make_job(2)),
    )
    parts = dict.fromkeys(Transcoder.__dataclass_fields__) | {
        "worker": "a@x",
        "retries": SimpleNamespace(claim=lambda *_: claim),
    }
    with pytest.raises(JobFailed, match="job abcdefgh-00001 is of another") as failed:
        Transcoder(**parts).transcode("abcdefgh-00001", 1)
    assert failed.value.kind is FailureKind.MESSAGE_INVALID
