"""Real workers with an ffmpeg that fails: what becomes of their jobs, and of them."""

import shutil
import threading
import time

import clips
import msgspec
import pytest

from proxima.broker import batches, roster
from proxima.config.schema import Config, WorkerRules
from proxima.errors import FailureKind
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.job import JobState
from proxima.process import child
from proxima.queuer.submit import submit
from proxima.worker.launch import standings, start_worker
from proxima.worker.settings import WorkerSettings, worker_name

#: Sweeps, retries and self-tests are as much quicker than usual.
LEASE_SECONDS = 3.0
PATIENCE = 40.0

REAL = find_ffmpeg()
CRASHES = "kill -SEGV $$"
HANGS = "sleep 600"
SUCCEEDS_WITHOUT_OUTPUT = "exit 0"
TALKS_NONSENSE = (
    f'printf "frame=-7\\nout_time_us=N/A\\nspeed=\\377x\\nprogress=what\\n"; exec {REAL} "$@"'
)
LACKS_THE_ENCODER = "echo \"[error] Unknown encoder 'prores_aw'\" >&2; exit 1"


@pytest.fixture
def make_ffmpeg(tmp_path):
    """A program that stands for ffmpeg: does *what* while its flag is there, then works."""

    def make(what, *, once=False):
        program, flag = tmp_path / "ffmpeg.sh", tmp_path / "flag"
        flag.touch()
        remove = f"rm {flag}; " if once else ""
        program.write_text(
            f'#!/bin/sh\nif [ -e {flag} ]; then {remove}{what}; fi\nexec {REAL} "$@"\n'
        )
        program.chmod(0o755)
        return program, flag

    return make


class RunningWorker:
    """A worker process, and what it said last."""

    def __init__(self, settings, log):
        self.name, self.log = settings.name, log
        with log.open("wb") as sink:
            self.process = start_worker(settings, stdout=child.PIPE, stderr=sink)
        self.standing = None
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for standing in standings(self.process.stdout):
            self.standing = standing

    def end(self):
        self.process.kill()
        self._reader.join()
        self.process.stdout.close()


@pytest.fixture
def start(address, tmp_path):
    """Start workers."""
    workers = []

    def start(ffmpeg=REAL):
        number = len(workers)
        rules = WorkerRules(ffmpeg=str(ffmpeg), log_folder=str(tmp_path / f"logs{number}"))
        settings = WorkerSettings(
            config=Config(worker=rules),
            broker=address.redis_url,
            name=worker_name(),
            slots=1,
            lease_seconds=LEASE_SECONDS,
        )
        workers.append(RunningWorker(settings, tmp_path / f"worker{number}.log"))
        return workers[-1]

    yield start
    for worker in workers:
        worker.end()


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return clips.good_clip(tmp_path_factory.mktemp("clip"), seconds=1)


@pytest.fixture
def send(client, celery, make_batch, make_job, sources, clip):
    """Send so many jobs; give their ids."""

    def send(count=1, *, batch_id="abcdefgh", **fields):
        jobs = []
        for number in range(1, count + 1):
            source = sources / f"{batch_id}{number}.mov"
            shutil.copy(clip, source)
            jobs.append(
                make_job(
                    number,
                    id=f"{batch_id}-{number:05}",
                    batch=batch_id,
                    source=str(source),
                    output=str(sources / "Proxy" / source.name),
                    seconds=1.0,
                )
            )
        batch = make_batch(id=batch_id, created=time.time(), **fields)
        batch = msgspec.structs.replace(batch, jobs=tuple(jobs))
        submit(batch, client, celery)
        return [job.id for job in jobs]

    return send


def wait_for(what, worker):
    deadline = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < deadline, worker.log.read_text()
        time.sleep(0.05)
    return found


def ends(client, job_ids, worker):
    """How the jobs ended, once all have."""

    def all_ended():
        found = batches.outcomes(client, job_ids)
        return found if len(found) == len(job_ids) else None

    found = wait_for(all_ended, worker)
    return [found[job_id] for job_id in job_ids]


def history_of(client, job_id):
    found = client.hmget(f"proxima:job:{job_id}", "failures", "returned", "attempt")
    return [int(value or 0) for value in found]


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        (CRASHES, FailureKind.FFMPEG_CRASHED),
        (HANGS, FailureKind.STALLED),
        (SUCCEEDS_WITHOUT_OUTPUT, FailureKind.OUTPUT_WRONG),
    ],
)
def test_a_failure_that_passes_costs_an_attempt_and_no_job(
    client, make_ffmpeg, start, send, what, kind
):
    program, _ = make_ffmpeg(what, once=True)
    worker = start(program)
    job_ids = send(stall_seconds=2.0)
    (end,) = ends(client, job_ids, worker)
    assert end.state is JobState.DONE
    assert history_of(client, job_ids[0]) == [1, 0, 2]
    assert kind.value in client.hget(f"proxima:job:{job_ids[0]}", "problem").decode()


def test_a_failure_that_stays_ends_the_job_after_its_retries(
    client, celery, make_ffmpeg, start, send, sources
):
    program, _ = make_ffmpeg(SUCCEEDS_WITHOUT_OUTPUT)
    worker = start(program)
    job_ids = send(retries=1)
    (end,) = ends(client, job_ids, worker)
    host = worker.name.partition("@")[2]
    assert end.problem.kind is FailureKind.OUTPUT_WRONG
    assert f"(tried 2 times: 2 on {host})" in end.problem.message
    assert f"{job_ids[0]}.2.log on {worker.name}" in end.problem.hint
    wait_for(lambda: celery.AsyncResult(job_ids[0]).state == "FAILURE", worker)
    assert not list(sources.glob("Proxy/.*"))


def test_views_see_a_job_wait_that_is_to_be_tried_again(celery, make_ffmpeg, start, send):
    program, _ = make_ffmpeg(HANGS)
    worker = start(program)
    (job_id,) = send(stall_seconds=1.0, retries=5)
    for state in ("ENCODING", "PENDING"):
        wait_for(lambda state=state: celery.AsyncResult(job_id).state == state, worker)


def test_nonsense_in_place_of_progress_harms_nothing(client, make_ffmpeg, start, send):
    program, _ = make_ffmpeg(TALKS_NONSENSE)
    worker = start(program)
    job_ids = send()
    assert [end.state for end in ends(client, job_ids, worker)] == [JobState.DONE]
    assert history_of(client, job_ids[0]) == [0, 0, 1]


def test_jobs_that_crash_on_one_worker_are_done_by_the_other(client, make_ffmpeg, start, send):
    program, _ = make_ffmpeg(CRASHES)
    bad, good = start(program), start()
    wait_for(lambda: len(roster.alive(client)) == 2, bad)
    job_ids = send(3, retries=10)
    outcomes = ends(client, job_ids, good)
    assert {(end.state, end.worker) for end in outcomes} == {(JobState.DONE, good.name)}
    assert any(history_of(client, job_id)[0] for job_id in job_ids)


def test_a_busy_worker_keeps_no_job_from_an_idle_one(client, make_ffmpeg, start, send):
    """QU-05: nothing waits in the hands of a worker that encodes something long."""
    program, flag = make_ffmpeg(HANGS, once=True)
    busy = start(program)
    job_ids = send(3)
    wait_for(lambda: not flag.exists(), busy)
    idle = start()
    found = wait_for(lambda: len(f := batches.outcomes(client, job_ids)) == 2 and f, idle)
    assert {(end.state, end.worker) for end in found.values()} == {(JobState.DONE, idle.name)}


def test_a_worker_without_the_encoder_does_not_eat_the_queue(client, make_ffmpeg, start, send):
    """It takes itself out, the other does all jobs, and it comes back once it is well."""
    program, flag = make_ffmpeg(LACKS_THE_ENCODER)
    bad, good = start(program), start()
    wait_for(lambda: len(roster.alive(client)) == 2, bad)
    job_ids = send(12)
    outcomes = ends(client, job_ids, good)
    assert {(end.state, end.worker) for end in outcomes} == {(JobState.DONE, good.name)}
    assert sum(history_of(client, job_id)[1] for job_id in job_ids) == 3
    # It tells of it with its next heartbeat.
    wait_for(lambda: any(worker.unwell for worker in roster.alive(client)), bad)
    unwell = {worker.name: worker.unwell for worker in roster.alive(client)}
    assert "Unknown encoder 'prores_aw'" in unwell[bad.name]
    assert unwell[good.name] == ""
    assert "takes no jobs until it is well" in bad.standing.trouble
    assert "it takes no more until it is well again" in bad.log.read_text()

    flag.unlink()
    wait_for(lambda: not any(worker.unwell for worker in roster.alive(client)), bad)
    assert "well again" in bad.log.read_text()
    good.process.kill()
    later = send(1, batch_id="hgfedcba")
    assert ends(client, later, bad)[0].worker == bad.name


def test_an_unwell_worker_that_is_alone_keeps_its_jobs_waiting(
    client, celery, make_ffmpeg, start, send
):
    program, flag = make_ffmpeg(LACKS_THE_ENCODER)
    worker = start(program)
    job_ids = send(4)
    wait_for(lambda: any(one.unwell for one in roster.alive(client)), worker)
    assert batches.outcomes(client, job_ids) == {}
    wait_for(lambda: {celery.AsyncResult(j).state for j in job_ids} == {"PENDING"}, worker)
    flag.unlink()
    assert {end.state for end in ends(client, job_ids, worker)} == {JobState.DONE}


def test_an_unwell_worker_fetches_no_messages(client, make_ffmpeg, start, send):
    program, _ = make_ffmpeg(LACKS_THE_ENCODER)
    worker = start(program)
    send(4)
    asked = []
    for tests in (1, 2):
        wait_for(lambda n=tests: worker.log.read_text().count("still unwell") >= n, worker)
        asked.append(client.info("commandstats")["cmdstat_brpop"]["calls"])
    assert asked[0] == asked[1]
