"""KillFarm: a broker, a network, workers and batches, all of which a test may break."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import clips
import msgspec
from kill import process_table
from kill.fake_ffmpeg import FakeFfmpeg
from kill.rename_watch import RenameWatch
from kill.result_watch import ResultWatch
from kill.tcp_proxy import TcpProxy
from kill.victim import ENVIRONMENT, MARK, Victim

from proxima.batch import Batch
from proxima.broker import keys, wire
from proxima.broker.celery_app import make_celery
from proxima.broker.connection import connect
from proxima.broker.embedded import EmbeddedServer
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.steering import cancel_jobs
from proxima.config.schema import Config
from proxima.job import Job, JobState
from proxima.preset import Preset
from proxima.process import child
from proxima.queuer.submit import submit
from proxima.worker.settings import WorkerSettings, worker_name

LEASE_SECONDS = 3.0
CLIP_SECONDS = 2
STALL_SECONDS = 4
#: Seconds that anything may take on a busy machine.
PATIENCE = 90.0
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_PASSWORD = "test"


class KillFarm:
    """A farm with leases of 3 s. Workers speak to the broker through `network`."""

    def __init__(
        self, folder: Path, *, seed: int = 0, lease_seconds: float = LEASE_SECONDS
    ) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.lease_seconds = lease_seconds
        self.sources, self.outputs = folder / "sources", folder / "outputs"
        for place in (self.sources, self.outputs):
            place.mkdir(parents=True)
        self.clip = clips.good_clip(folder, "clip.mov", seconds=CLIP_SECONDS, tracks=1)
        self.ffmpeg = FakeFfmpeg(folder / "ffmpeg")
        self._broker_folder = folder / "broker"
        self._broker = self._start_broker(0)
        self.address = self._broker.address
        self.network = TcpProxy(self.address.port)
        self.client: Any = connect(self.address)
        self.celery = make_celery(self.address)
        # Else the first use of each would be asked for twice, and a trap would see it twice.
        for script in LeaseBook(self.client)._script.values():
            self.client.script_load(script.script)
        self.renames = RenameWatch(self.outputs)
        self.results = ResultWatch(self.address)
        self.workers: list[Victim] = []
        #: What was sent, and may be expected to end.
        self.batches: list[Batch] = []
        #: Jobs that a test has cancelled.
        self.cancelled: set[str] = set()

    # Workers

    def worker(self, *, direct: bool = False, **config: Any) -> Victim:
        """Start a worker with one slot; it is not ready yet. *direct* goes round the network."""
        rules = {"ffmpeg": str(self.ffmpeg.path), "log_folder": str(self.folder / "logs")}
        given = {"worker": rules, **config}
        settings = WorkerSettings(
            config=msgspec.convert(given, Config),
            broker=self.address.redis_url if direct else self._through_network,
            name=worker_name(),
            slots=1,
            lease_seconds=self.lease_seconds,
        )
        victim = Victim(settings, self.folder / f"worker{len(self.workers)}.log", str(self.folder))
        self.workers.append(victim)
        return victim

    def ready_worker(self, **config: Any) -> Victim:
        """Start a worker and wait until it asks for messages."""
        victim = self.worker(**config)
        self.until(lambda: self.listens(victim), "the worker is ready")
        return victim

    def listens(self, victim: Victim) -> bool:
        """Whether a worker is on the roster and its process is the one that said so."""
        text = self.client.hget(keys.WORKERS, victim.name)
        pids = [str(pid).encode() for pid in victim.pythons]
        return bool(text) and any(b'"pid":' + pid in text for pid in pids) and self._is_asking()

    def stray_processes(self) -> list[str]:
        """What runs of this farm beside workers, their supervisors and guards."""
        known = {pid for victim in self.workers if victim.alive for pid in victim.staff}
        strays = set(process_table.marked(MARK, str(self.folder))) - known
        return [f"{pid} {process_table.words(pid)}" for pid in strays]

    def owner(self, job_id: str) -> Victim:
        """The worker that has a job."""
        name = self.field(job_id, "owner")
        return next(victim for victim in self.workers if victim.name == name)

    # Batches

    def make_batch(self, count: int = 1, *, replacing: bool = False, retries: int = 2) -> Batch:
        """A batch of so many new sources; it is not sent."""
        batch_id = "".join(self.random.choice(_LETTERS) for _ in range(8))
        jobs = tuple(self._job(batch_id, number, replacing) for number in range(1, count + 1))
        return Batch(
            id=batch_id,
            label=batch_id,
            user="sam",
            host="edit1",
            created=time.time(),
            priority=5,
            preset=Preset(name="prores-proxy", profile="proxy"),
            jobs=jobs,
            retries=retries,
            stall_seconds=STALL_SECONDS,
        )

    def send(self, count: int = 1, **options: Any) -> Batch:
        """Send a batch of so many new sources."""
        batch = self.make_batch(count, **options)
        self.submit(batch)
        return batch

    def submit(self, batch: Batch) -> None:
        """Send *batch* and count on it."""
        self.expect(batch)
        submit(batch, self.client, self.celery)

    def sender(self, batch: Batch) -> child.Child:
        """Send *batch* from a process of its own, through the network."""
        sending = child.start(
            [sys.executable, "-m", "kill.sender", self._through_network],
            stdin=child.PIPE,
            environment=ENVIRONMENT,
        )
        assert sending.stdin
        sending.stdin.write(wire.encode(batch))
        sending.stdin.close()
        return sending

    def expect(self, batch: Batch) -> None:
        """Count on the end of all jobs of *batch*."""
        self.batches.append(batch)
        self.results.watch([job.id for job in batch.jobs])

    def cancel(self, batch: Batch) -> None:
        """Cancel what has not ended of *batch*."""
        self.cancelled.update(job.id for job in batch.jobs)
        cancel_jobs(batch.jobs, self.client, self.celery)

    def field(self, job_id: str, name: str) -> str:
        """One field of a job's record; empty if it is not set."""
        return (self.client.hget(keys.job(job_id), name) or b"").decode()

    def state(self, job_id: str) -> JobState:
        """How a job stands by its record."""
        return JobState(self.field(job_id, "state"))

    def messages(self) -> int:
        """How many messages wait."""
        return MessageQueue(self.celery, self.client).length()

    def waiting_messages(self) -> list[tuple[bytes, list[bytes]]]:
        """The lists of the queue, as they lie in the broker, and what is in them."""
        lists = self.client.scan_iter(f"{keys.QUEUE}*", _type="list")
        named = [(name, self.client.lrange(name, 0, -1)) for name in lists]
        return [(name, texts) for name, texts in named if texts and name != keys.GARBAGE.encode()]

    def kill_sender(self, sender: child.Child) -> None:
        """SIGKILL a queuer; what the network has of its words is lost."""
        sender.kill()
        self.network.cut()
        self.network.open()

    def script_hash(self, name: str) -> str:
        """By what a worker asks the broker for one of the scripts of a lease."""
        return str(LeaseBook(self.client)._script[name].sha)

    def until_encoding(self, job_id: str, attempt: int = 1) -> Victim:
        """Wait until ffmpeg writes a scratch of the job; the worker that has it."""
        pattern = f".{job_id}.*.part.mov"

        def encodes() -> bool:
            is_running = self.state(job_id) is JobState.ENCODING
            if not is_running or int(self.field(job_id, "attempt")) < attempt:
                return False
            return any(path.stat().st_size for path in self.outputs.glob(pattern))

        self.until(encodes, f"{job_id} is encoded")
        return self.owner(job_id)

    def until_state(self, job_id: str, *states: JobState) -> None:
        """Wait until the record of a job says one of *states*."""
        self.until(lambda: self.state(job_id) in states, f"{job_id} is {' or '.join(states)}")

    def until(self, condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> None:
        """Wait for *condition*; AssertionError with the workers' logs if it takes too long."""
        deadline = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain until {what}\n{self.story()}"
            time.sleep(0.02)

    def story(self) -> str:
        """The end of each worker's log."""
        return "\n".join(
            f"--- {victim.name}\n{victim.log.read_text(errors='replace')[-3000:]}"
            for victim in self.workers
        )

    # The broker

    def kill_broker(self) -> None:
        """SIGKILL; its files stay."""
        os.kill(self._broker.pid, signal.SIGKILL)
        self.until(lambda: not self._broker.alive, "the broker is gone")

    def restart_broker(self) -> None:
        """The same broker again, on the same port, with what it had on disk."""
        if not self._broker.alive:
            self._broker = self._start_broker(self.address.port)

    def heal(self, workers: int = 1) -> None:
        """End every fault; so many workers run after this."""
        self.restart_broker()
        self.network.open()
        for victim in self.workers:
            victim.thaw()
        while sum(victim.alive for victim in self.workers) < workers:
            self.worker()

    def outputs_were_removed(self, job: Job) -> None:
        """Of a folder made anew no renames are known: believe the record of *job*."""
        self.outputs.mkdir(exist_ok=True)
        self.renames.counts[Path(job.output).name] = int(self.state(job.id) is JobState.DONE)

    def close(self) -> None:
        """Leave nothing running."""
        for victim in self.workers:
            victim.end()
        self.results.close()
        self.network.close()
        self.renames.close()
        self._broker.stop()

    def _start_broker(self, port: int) -> EmbeddedServer:
        return EmbeddedServer.start(
            folder=self._broker_folder, password=_PASSWORD, port=port, persist=True
        )

    @property
    def _through_network(self) -> str:
        return replace(self.address, port=self.network.port).redis_url

    def _is_asking(self) -> bool:
        return any(one["cmd"] == "brpop" for one in self.client.client_list())

    def _job(self, batch_id: str, number: int, replacing: bool) -> Job:
        job_id = keys.job_id(batch_id, number)
        source = self.sources / f"{job_id}.mov"
        source.hardlink_to(self.clip)
        return Job(
            id=job_id,
            batch=batch_id,
            source=str(source),
            output=str(self.outputs / f"{job_id}.mov"),
            seconds=CLIP_SECONDS,
            frames=25 * CLIP_SECONDS,
            replace=replacing,
        )
