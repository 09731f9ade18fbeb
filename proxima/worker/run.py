"""The worker process: compose it, hand over to Celery, leave in order."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import proxima
from proxima.broker import batches, keys, pauses
from proxima.broker.address import BrokerAddress
from proxima.broker.celery_app import make_celery
from proxima.broker.connection import require_fit
from proxima.broker.lease import LEASE_SECONDS, LeaseBook
from proxima.broker.reconcile import Sweeper
from proxima.broker.roster import Order, Orders, WorkerInfo
from proxima.broker.speeds import machine
from proxima.config.schema import Config
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.paths import PathMaps
from proxima.worker.access import Access
from proxima.worker.disk_space import Usage
from proxima.worker.encoding import Encoder
from proxima.worker.heartbeat import Heartbeat
from proxima.worker.intake import Bar, Intake
from proxima.worker.lease_keeper import LeaseKeeper
from proxima.worker.litter import LITTER_SECONDS, Litter
from proxima.worker.log_desk import LogDesk
from proxima.worker.log_folder import log_folder
from proxima.worker.patience import Patience, PatientLeases
from proxima.worker.peers import Peers
from proxima.worker.report import Reporter
from proxima.worker.retries import Retries
from proxima.worker.self_test import SelfTest
from proxima.worker.settings import WorkerSettings, cores
from proxima.worker.slot_board import SlotBoard, SlotLine, WorkerStanding
from proxima.worker.slot_gate import SlotGate
from proxima.worker.speed_notes import SpeedNotes
from proxima.worker.stop import StopOrder
from proxima.worker.tasks import register
from proxima.worker.transcode import Transcoder
from proxima.worker.vitals import Vitals
from proxima.worker.wellness import TEST_SECONDS, Wellness

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

log = logging.getLogger(__name__)

#: Seconds that Celery gets to leave once all slots are idle; its connection may be dead.
LEAVE_SECONDS = 5.0


class Worker:
    """One worker of the farm, with all its parts."""

    def __init__(self, settings: WorkerSettings, show: Callable[[WorkerStanding], None]) -> None:
        address = BrokerAddress.parse(settings.broker)
        client = require_fit(address)
        self._settings = settings
        self._celery = make_celery(address)
        self._order = StopOrder()
        leases = LeaseBook(client, settings.lease_seconds)
        self._keeper = LeaseKeeper(leases, address, suspended=lambda: pauses.suspended(client))
        self._orders: Order | None = None
        self._reporter = Reporter(self._update_state)
        #: By what is the matter.
        self._troubles: dict[str, str] = {}
        self._board = SlotBoard(_idle(settings, address), show)
        config = settings.config
        self._vitals = Vitals(_roots(config))
        self._speeds = SpeedNotes(
            client, address, lambda: machine(_host(settings), self._gate.slots)
        )
        encoder = _encoder(settings, self._vitals.usage)
        self._log_desk = LogDesk(client, address, encoder.log_folder, settings.name)
        self._wellness = self._make_wellness(encoder, leases)
        transcoder = self._make_transcoder(encoder, client, address)
        self._intake = Intake(self._order, self._consume)
        self._task = register(self._celery, transcoder, lambda: self._intake.is_closed)
        self._sweeper = Sweeper(self._celery, client, address, leases)
        pace = settings.lease_seconds / LEASE_SECONDS
        self._litter = Litter(client, address, encoder.access, LITTER_SECONDS * pace)
        self._heartbeat = Heartbeat(
            client, address, self._info, self._obey, partial(self._tell, "broker")
        )
        self._controller = _controller(self._celery, settings)
        self._gate = SlotGate(self._controller, self._board, settings.slots)

    def run(self) -> int:
        """Work until an order to stop; the exit code."""
        # Two signals, as two of the same kind may arrive as one.
        signal.signal(signal.SIGTERM, lambda *_: self._leave(self._order.drain()))
        signal.signal(signal.SIGINT, lambda *_: self._leave(self._order.stop_now()))
        parts = (
            *(self._keeper, self._reporter, self._heartbeat),
            *(self._board, self._sweeper, self._wellness, self._litter),
            *(self._vitals, self._speeds, self._log_desk),
        )
        threads = [threading.Thread(target=part.run, daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        self._controller.start()
        for part in parts:
            part.end()
        for thread in threads:
            thread.join(LEAVE_SECONDS)
        return int(self._controller.exitcode or 0)

    def _make_wellness(self, encoder: Encoder, leases: LeaseBook) -> Wellness:
        settings = self._settings
        return Wellness(
            limit=settings.config.worker.max_consecutive_failures,
            self_test=SelfTest(encoder),
            failed_elsewhere=lambda job_id: bool({*leases.failed_on(job_id)} - {settings.name}),
            changed=self._change_wellness,
            seconds=TEST_SECONDS * settings.lease_seconds / LEASE_SECONDS,
        )

    def _make_transcoder(
        self, encoder: Encoder, client: "Redis", address: BrokerAddress
    ) -> Transcoder:
        patience = Patience(address, self._order.now.is_set, leaving=self._order.draining.is_set)
        patient = PatientLeases(client, self._settings.lease_seconds, patience)
        name = self._settings.name
        return Transcoder(
            worker=name,
            leases=patient,
            retries=Retries(leases=patient, peers=Peers(client, address, name)),
            wellness=self._wellness,
            keeper=self._keeper,
            board=self._board,
            reporter=self._reporter,
            encoder=encoder,
            done=self._speeds.put,
            stopping=self._order.now.is_set,
            batch_of=lru_cache(maxsize=64)(
                lambda batch_id: patience(lambda: batches.header(client, batch_id))
            ),
        )

    def _leave(self, news: bool) -> None:
        if news:
            self._board.note(draining=True)
            threading.Thread(target=self._leave_when_idle, daemon=True).start()

    def _change_wellness(self, why: str) -> None:
        """Take no jobs while there is a *why*."""
        self._tell("health", f"takes no jobs until it is well: {why}" if why else "")
        self._intake.bar(Bar.UNWELL, up=bool(why))

    def _tell(self, what: str, trouble: str) -> None:
        """Show what troubles the worker; an empty *trouble* is over."""
        self._troubles[what] = trouble
        self._board.note(trouble="; ".join(filter(None, self._troubles.values())) or None)

    def _obey(self, orders: Orders) -> None:
        """Obey the farm: take nothing new, or take jobs again; let what runs stand still."""
        self._gate.open_to(orders.slots or self._settings.slots)
        order = self._orders = orders.order
        self._keeper.suspend_all = order is Order.SUSPEND
        if self._intake.bar(Bar.DRAINED, up=order is not None):
            self._board.note(draining=order is not None or self._order.draining.is_set())

    def _consume(self, wanted: bool) -> None:
        consumer = self._controller.consumer
        if consumer:
            turn = consumer.add_task_queue if wanted else consumer.cancel_task_queue
            for tag in ("", *self._settings.config.worker.tags):
                consumer.call_soon(turn, keys.queue(tag))

    def _leave_when_idle(self) -> None:
        from celery.worker import state

        self._intake.bar(Bar.LEAVING, up=True)
        self._board.wait_idle()
        state.should_stop = 0
        time.sleep(LEAVE_SECONDS)
        # Celery hangs in a dead connection; everything of ours has been handed back.
        os._exit(0)

    def _update_state(self, job_id: str, meta: dict[str, Any]) -> None:
        self._task.update_state(task_id=job_id, state=keys.ENCODING, meta=meta)

    def _info(self) -> WorkerInfo:
        name = self._settings.name
        return WorkerInfo(
            name=name,
            host=_host(self._settings),
            pid=os.getpid(),
            version=proxima.__version__,
            slots=self._gate.slots,
            jobs=self._keeper.job_ids,
            tags=self._settings.config.worker.tags,
            draining=self._intake.is_drained,
            paused=self._orders in {Order.PAUSE, Order.SUSPEND},
            unwell=self._wellness.unwell,
            load=self._vitals.load,
            cores=cores(),
            free_bytes=self._vitals.free_bytes,
        )


def _idle(settings: WorkerSettings, address: BrokerAddress) -> WorkerStanding:
    return WorkerStanding(
        name=settings.name,
        host=_host(settings),
        broker_shown=address.shown,
        slots=tuple(SlotLine(slot=number) for number in range(settings.slots)),
    )


def _host(settings: WorkerSettings) -> str:
    return settings.name.partition("@")[2]


def _roots(config: Config) -> Iterator[Path]:
    """Where its config says that outputs go."""
    maps = PathMaps.here(config.paths)
    yield from map(Path, config.worker.roots)
    yield from filter(None, (maps.root_of(f"{entry.name}:/") for entry in config.paths))


def _encoder(settings: WorkerSettings, usage: Usage) -> Encoder:
    config = settings.config
    return Encoder(
        ffmpeg=find_ffmpeg(config.worker.ffmpeg),
        threads=settings.threads,
        nice=config.worker.nice,
        allowed_args=tuple(config.worker.extra_args),
        log_folder=log_folder(config.worker.log_folder),
        access=Access(PathMaps.here(config.paths), config.worker.roots, settings.name),
        usage=usage,
    )


def _controller(celery: "Celery", settings: WorkerSettings) -> Any:
    from celery.app import trace

    # Makes the threads of the pool find this Celery and its task; else they look in a default one.
    trace.setup_worker_optimizations(celery, settings.name)
    return celery.WorkController(
        hostname=settings.name,
        queues=[keys.queue(tag) for tag in ("", *settings.config.worker.tags)],
        # Solo is deaf to remote control while it works; waiting for ffmpeg needs no processes.
        pool="threads",
        concurrency=settings.slots,
        loglevel="WARNING",
        # Workers need not know of each other; the roster says who is alive.
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
