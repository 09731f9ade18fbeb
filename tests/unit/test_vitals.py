"""What a worker says of its machine, and what it tells of the time that jobs took."""

from pathlib import Path

import pytest

from proxima.broker import speeds
from proxima.broker.speeds import Kind
from proxima.errors import BrokerUnreachable
from proxima.job import Job, Load
from proxima.preset import Preset
from proxima.worker.speed_notes import SpeedNotes
from proxima.worker.vitals import Vitals

ROOT, OUT = Path("/media"), Path("/out")


def test_the_room_is_that_of_the_fullest_disk():
    vitals = Vitals([ROOT], {ROOT: (100, 60), OUT: (100, 0)}.__getitem__)
    assert vitals.free_bytes is None
    vitals.look()
    assert vitals.free_bytes == 60
    assert vitals.usage(OUT) == (100, 0)
    vitals.look()
    assert vitals.free_bytes == 0


def test_a_share_that_is_gone_counts_for_nothing():
    def usage(folder):
        if folder == ROOT:
            raise OSError
        return (100, 40)

    vitals = Vitals([ROOT], usage)
    vitals.look()
    assert vitals.free_bytes is None
    vitals.usage(OUT)
    vitals.look()
    assert vitals.free_bytes == 40


def test_only_the_folders_that_were_used_last_are_looked_at():
    seen = []

    def usage(folder):
        seen.append(folder)
        return (100, 40)

    vitals = Vitals([], usage)
    for number in range(10):
        vitals.usage(Path(f"/{number}"))
    seen.clear()
    vitals.look()
    assert seen == [Path(f"/{number}") for number in (6, 7, 8, 9)]


def test_a_note_is_kept_until_the_broker_takes_it(monkeypatch, make_job, address_of_nobody):
    told, away = [], [True]

    def measured(client, *note):
        if away:
            away.pop()
            raise BrokerUnreachable
        told.append(note)

    monkeypatch.setattr(speeds, "measured", measured)
    notes = SpeedNotes(None, address_of_nobody, lambda: "edit*2")
    job: Job = make_job(1, size=(1920, 1080), frames=250)
    notes.put(job, Preset(name="h264-proxy"), 5.0)
    notes.tell_all()
    assert told == []
    notes.tell_all()
    notes.tell_all()
    kind = Kind("edit*2", "h264-proxy", "1920x1080")
    assert told == [(kind, Load("1920x1080", 250), 5.0)]


@pytest.fixture
def address_of_nobody():
    from proxima.broker.address import BrokerAddress

    return BrokerAddress.parse("redis://127.0.0.1:1/0")
