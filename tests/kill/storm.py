"""Every fault by its name, and the storm: faults in a sequence that a seed gives."""

import contextlib
import signal
import time
from collections import Counter
from collections.abc import Callable

from kill.farm import KillFarm
from kill.victim import Victim

from proxima.broker import keys

#: Jobs that wait or run at any time.
_IN_FLIGHT = 6
_GARBAGE = (b"not json", b"{}", b"\xff\x00", b"[1]", b'{"body": 1, "headers": {}}')


class Storm:
    """Sends jobs and breaks things until it is told to end."""

    def __init__(self, farm: KillFarm, *, workers: int = 2) -> None:
        self._farm, self._workers = farm, workers
        self._random = farm.random
        #: How often each fault was made.
        self.counts: Counter[str] = Counter()
        self._faults: list[Callable[[], None]] = [
            self.worker_killed,
            self.worker_tree_killed,
            self.worker_power_cut,
            self.worker_frozen_beyond_its_lease,
            self.worker_frozen_for_a_moment,
            self.ffmpeg_killed,
            self.guard_killed,
            self.worker_drained,
            self.idle_message_lost,
            self.broker_killed,
            self.broker_away,
            self.connections_cut,
            self.network_slow,
            self.network_silent,
            self.network_half_open,
            self.network_cut,
            self.messages_copied,
            self.messages_shuffled,
            self.garbage_sent,
            self.queuer_killed,
            self.batch_cancelled,
            self.source_removed,
            self.ffmpeg_crashes,
            self.ffmpeg_fails,
            self.ffmpeg_makes_nothing,
            self.ffmpeg_talks_nonsense,
            self.ffmpeg_hangs,
            self.disk_full,
        ]
        self._deck: list[Callable[[], None]] = []

    def run(self, seconds: float) -> None:
        """One fault after another for so long; the farm is left as they left it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def step(self) -> None:
        """Repair the farm so far that it can work, send, break one thing, wait a little."""
        self._farm.heal(self._workers)
        self._send()
        # A shuffled deck rather than dice: every fault has its turn.
        if not self._deck:
            self._deck = self._random.sample(self._faults, len(self._faults))
        fault = self._deck.pop()
        self._wait(0.5, 3)
        self.counts[fault.__name__] += 1
        fault()

    # Workers

    def worker_killed(self) -> None:
        """The process alone; its supervisor starts another."""
        self._victim().kill_python()

    def worker_tree_killed(self) -> None:
        """With its supervisor; the guards tidy up."""
        self._victim().kill_tree()

    def worker_power_cut(self) -> None:
        """Nobody tidies up."""
        self._victim().kill_everything()

    def worker_frozen_beyond_its_lease(self) -> None:
        """Another takes over meanwhile."""
        self._freeze(1.2, 2.5)

    def worker_frozen_for_a_moment(self) -> None:
        """Too short to be noticed."""
        self._freeze(0.1, 0.6)

    def ffmpeg_killed(self) -> None:
        """By somebody who needs memory."""
        self._victim().kill_others("-readrate")

    def guard_killed(self) -> None:
        """By somebody who does not know what it is for."""
        self._victim().kill_others("guard.py")

    def worker_drained(self) -> None:
        """Told to stop, and told again."""
        victim = self._victim()
        victim.signal(signal.SIGTERM)
        self._wait(0.1, 1)
        victim.signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            victim.wait(8)

    def idle_message_lost(self) -> None:
        """All workers freeze, a batch is sent, they lose power."""
        victims = [victim for victim in self._farm.workers if victim.alive]
        for victim in victims:
            victim.freeze()
        self._send(2)
        for victim in victims:
            victim.kill_everything()

    # The broker and the network

    def broker_killed(self) -> None:
        """And started again at once."""
        self._farm.kill_broker()
        self._farm.restart_broker()

    def broker_away(self) -> None:
        """For about the length of a lease."""
        self._farm.kill_broker()
        self._leases(0.3, 1.5)

    def connections_cut(self) -> None:
        """All, by the broker."""
        self._farm.client.client_kill_filter(_type="normal", skipme=True)

    def network_slow(self) -> None:
        """A fifth of a second for every piece."""
        self._farm.network.slow(0.2)
        self._leases(1, 2)

    def network_silent(self) -> None:
        """What was sent meanwhile arrives late."""
        way = self._random.choice([(True, True), (True, False), (False, True)])
        self._farm.network.silence(up=way[0], down=way[1])
        self._leases(0.3, 2)

    def network_half_open(self) -> None:
        """The workers do not see that their connections are gone."""
        self._farm.network.half_open()

    def network_cut(self) -> None:
        """And refused until it is back."""
        self._farm.network.cut()
        self._leases(0.1, 1.5)

    # Messages and queuers

    def messages_copied(self) -> None:
        """Every waiting message twice more, and one of a job that has ended."""
        for name, texts in self._farm.waiting_messages():
            self._farm.client.lpush(name, *texts, *texts)

    def messages_shuffled(self) -> None:
        """The waiting messages in another order."""
        for name, texts in self._farm.waiting_messages():
            # Copies rather than a swap: a worker may take one meanwhile.
            self._farm.client.rpush(name, *self._random.sample(texts, len(texts)))

    def garbage_sent(self) -> None:
        """What is no message at all."""
        self._farm.client.lpush(keys.QUEUE, self._random.choice(_GARBAGE))

    def queuer_killed(self) -> None:
        """After a part of its words has reached the broker."""
        batch = self._farm.make_batch(self._random.randint(1, 3))
        last = batch.jobs[-1].id
        # While its jobs are saved, when the batch is to be, or while the messages are sent.
        place = self._random.choice([keys.job(last), keys.batch(batch.id), f'"id": "{last}"'])
        caught = self._farm.network.trap(place.encode(), forward=False)
        sender = self._farm.sender(batch)
        self._farm.until(lambda: caught.is_set() or sender.poll() is not None, "half is sent")
        self._farm.kill_sender(sender)
        # Saved only in part it was never accepted, and nobody waits for it.
        if self._farm.client.exists(keys.batch(batch.id)):
            self._farm.expect(batch)

    def batch_cancelled(self) -> None:
        """The one that was sent last."""
        self._send(2)
        self._wait(0, 2)
        self._farm.cancel(self._farm.batches[-1])

    # Files and ffmpeg

    def source_removed(self) -> None:
        """Of a job that has not ended, if there is one."""
        open_jobs = self._open_jobs()
        if open_jobs:
            job = self._random.choice(open_jobs)
            (self._farm.sources / f"{job}.mov").unlink(missing_ok=True)

    def ffmpeg_crashes(self) -> None:
        """By a segmentation fault."""
        self._farm.ffmpeg.order("crash")

    def ffmpeg_fails(self) -> None:
        """With an error."""
        self._farm.ffmpeg.order("fail")

    def ffmpeg_makes_nothing(self) -> None:
        """Exit code 0 and no output."""
        self._farm.ffmpeg.order("empty")

    def ffmpeg_talks_nonsense(self) -> None:
        """Progress that is none; the output is good."""
        self._farm.ffmpeg.order("nonsense")

    def ffmpeg_hangs(self) -> None:
        """Until it is found to stand still."""
        self._farm.ffmpeg.order("hang")

    def disk_full(self) -> None:
        """As a limit of the file size."""
        self._farm.ffmpeg.order("full")

    # How

    def _victim(self) -> Victim:
        return self._random.choice([one for one in self._farm.workers if one.alive])

    def _freeze(self, shortest: float, longest: float) -> None:
        victim = self._victim()
        victim.freeze(whole=self._random.random() < 0.5)
        self._leases(shortest, longest)
        victim.thaw()

    def _leases(self, shortest: float, longest: float) -> None:
        self._wait(shortest * self._farm.lease_seconds, longest * self._farm.lease_seconds)

    def _wait(self, shortest: float, longest: float) -> None:
        time.sleep(self._random.uniform(shortest, longest))

    def _open_jobs(self) -> list[str]:
        jobs = [job.id for batch in self._farm.batches[-4:] for job in batch.jobs]
        return [job_id for job_id in jobs if not self._farm.state(job_id).is_final]

    def _send(self, count: int = 0) -> None:
        waiting = self._farm.client.zcard(keys.WAITING) + self._farm.client.zcard(keys.LEASED)
        count = count or max(0, _IN_FLIGHT - waiting)
        if not count:
            return
        self._farm.send(count, replacing=self._random.random() < 0.5)
