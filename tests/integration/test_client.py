"""The door for Python programs, on the real server."""

import clips
import pytest

from proxima import client as door
from proxima.broker import batches
from proxima.broker.lease import LeaseBook
from proxima.broker.steering import cancel_jobs
from proxima.errors import BrokerUnreachable, ConfigInvalid, PlanRefused, UnknownBatch, UsageError
from proxima.job import JobOutcome, JobState


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    folder = tmp_path_factory.mktemp("door")
    return clips.silent_clip(folder, "C001.mov", seconds=1)


@pytest.fixture
def farm(address):
    return door.connect(broker=address.redis_url, preset="h264-proxy")


def test_a_batch_is_sent_with_the_wishes_of_the_caller(address, client, clip, tmp_path):
    batch = door.queue(
        [clip],
        preset="prores-lt",
        output=tmp_path,
        layout="flat",
        name="Day 3",
        priority=2,
        broker=address.redis_url,
    )
    assert batches.load(client, batch.id) == batch
    assert (batch.label, batch.priority, batch.preset.name) == ("Day 3", 2, "prores-lt")
    (job,) = batch.jobs
    assert (job.source, job.output) == (str(clip), str(tmp_path / "C001.mov"))
    assert (job.frames, job.size) == (25, (320, 180))


def test_config_and_variables_hold_as_for_the_command(address, clip, tmp_path, monkeypatch):
    config = tmp_path / "config.toml"
    config.write_text('preset = "prores-proxy"\n[jobs]\npriority = 7\n')
    monkeypatch.setenv("PROXIMA_BROKER", address.redis_url)
    batch = door.queue([str(clip)], config=config, output=tmp_path)
    assert (batch.label, batch.priority, batch.preset.name) == ("C001.mov", 7, "prores-proxy")


def test_a_source_that_cannot_be_sent_refuses_the_batch(farm, clip, tmp_path, client):
    missing = tmp_path / "missing.mov"
    with pytest.raises(PlanRefused, match=r"missing\.mov"):
        farm.queue([clip, missing])
    assert client.keys("proxima:batch:*") == []
    batch = farm.queue([clip, missing], keep_going=True)
    assert len(batch.jobs) == 1
    assert [settled.state for settled in batch.settled] == [JobState.REFUSED]


def end_all(farm, batch):
    book = LeaseBook(farm.farm.client)
    lease = book.claim(batch.jobs[0].id, "a@x").lease
    outcome = JobOutcome(state=JobState.DONE, worker="a@x", seconds=1.0, output_bytes=9)
    book.finish(lease, outcome)
    farm.farm.celery.backend.store_result(batch.jobs[0].id, {"state": "done"}, "SUCCESS")
    cancel_jobs(batch.jobs[1:], farm.farm.client, farm.farm.celery)


def test_a_batch_is_watched_to_its_end(farm, clip):
    batch = farm.queue([clip])
    standings = farm.watch(batch.id)
    assert not next(standings).is_finished
    end_all(farm, batch)
    *_, last = standings
    assert last.is_finished
    assert last.jobs[0].outcome.output_bytes == 9
    assert farm.wait().batch == batch


def test_batches_jobs_and_the_farm_can_be_asked_for(farm, clip):
    batch = farm.queue([clip])
    end_all(farm, batch)
    assert [line.batch.id for line in farm.history()] == [batch.id]
    (record,) = farm.record(f"{batch.id}-00001").jobs
    assert [attempt.worker for attempt in record.attempts] == ["a@x"]
    assert farm.status().batches[0].counts == {JobState.DONE: 1}
    with pytest.raises(UnknownBatch):
        farm.record("nothing1")
    with pytest.raises(UnknownBatch):
        farm.watch("nothing1")


def test_events_come_from_where_they_are_asked_for(farm, clip):
    first = farm.queue([clip], name="first")
    events = farm.events("15m", batch=first.id, types=["batch.*", "job.cancelled"])
    assert next(events).type == "batch.queued"
    later = farm.events()
    cancel_jobs(first.jobs, farm.farm.client, farm.farm.celery)
    cancelled = next(events)
    assert (cancelled.type, cancelled.source) == ("job.cancelled", str(clip))
    assert next(events).type == "batch.cancelled"
    assert next(later) == cancelled
    assert next(farm.events(cancelled.id)).type == "batch.cancelled"


def test_what_events_are_wanted_must_make_sense(farm):
    with pytest.raises(UsageError, match=r"job\.broken.*job\.failed"):
        farm.events(types=["job.broken"])
    with pytest.raises(UsageError, match="yesterday"):
        farm.events("yesterday")


def test_errors_say_what_to_do():
    with pytest.raises(UsageError, match="no broker is configured"):
        door.queue(["x.mov"])
    with pytest.raises(BrokerUnreachable):
        door.watch(broker="redis://127.0.0.1:1/0")
    with pytest.raises(ConfigInvalid):
        door.connect(layout="nonsense")


def test_no_terminal_library_is_needed():
    import subprocess
    import sys

    script = (
        "import sys; from proxima import client; client.connect();"
        "print(sorted({'rich', 'typer', 'celery', 'redis', 'av'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
