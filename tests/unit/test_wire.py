"""What crosses the broker."""

import msgspec
import pytest

from proxima.broker import wire
from proxima.errors import FailureKind, JobFailed
from proxima.job import Job


def test_a_job_survives_the_wire(make_job):
    job = make_job(source="media:/A 001/Ünï.mov")
    assert wire.decode(wire.encode(job), Job) == job


def test_a_name_that_is_not_utf8_survives_the_wire(make_job):
    """FN-10"""
    job = make_job(source=b"/card/bad-\xe9\xff.mov".decode("utf-8", "surrogateescape"))
    text = wire.encode(job)
    text.decode("utf-8")
    assert wire.decode(text, Job) == job


def test_another_version_is_refused_by_name(make_job):
    raw = msgspec.json.decode(wire.encode(make_job())) | {"protocol": 99}
    with pytest.raises(JobFailed, match="protocol 99 was sent, this Proxima speaks 1") as caught:
        wire.decode(msgspec.json.encode(raw), Job)
    assert caught.value.kind is FailureKind.PROTOCOL_MISMATCH


@pytest.mark.parametrize(
    "text",
    [
        b"not json",
        b"[]",
        b'{"protocol": 1}',
        b'{"protocol": 1, "body": {"id": 3}}',
        b'{"protocol": 1, "body": {"id": "a", "batch": "b", "source": "s", "output": "o", "x": 1}}',
        b'{"protocol": 1, "body": "\xef\xb7\x90zz"}',
        b"\xff\xfe",
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(JobFailed) as caught:
        wire.decode(text, Job)
    assert caught.value.kind is FailureKind.MESSAGE_INVALID


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "../../../etc/cron.d/x-1"},
        {"id": "abcdefgh-00001\n"},
        {"id": "*-00001"},
        {"id": ""},
        {"source": "/card/C001\0.mov"},
        {"source": ""},
        {"source": "x" * 1_000_000},
        {"output": "/card/\0"},
        {"output": ["/card/C001.mov"]},
        {"companions": ("/card/\0",)},
        {"companions": ("/card/a.mxf",) * 65},
        {"replace": "yes"},
        {"size": (1, 2, 3)},
    ],
    ids=str,
)
def test_a_job_that_no_queuer_makes_is_refused(make_job, fields):
    with pytest.raises(JobFailed, match="not a Job of Proxima") as caught:
        wire.decode(wire.encode(make_job(**fields)), Job)
    assert caught.value.kind is FailureKind.MESSAGE_INVALID
    assert len(caught.value.message) < 200
