"""Scratches of lost workers, on the real server."""

import msgspec
import pytest

from proxima.broker import batches, keys
from proxima.broker.lease import LeaseBook
from proxima.broker.reconcile import Sweeper
from proxima.job import JobOutcome, JobState
from proxima.paths import PathMaps
from proxima.worker.access import Access
from proxima.worker.litter import Litter

ONE = "abcdefgh-00001"


@pytest.fixture
def output(tmp_path):
    folder = tmp_path / "Proxy"
    folder.mkdir()
    return folder / "C001.mov"


@pytest.fixture
def book(client, make_batch, make_job, output):
    job = make_job(1, output=str(output))
    batches.save(client, msgspec.structs.replace(make_batch(1), jobs=(job,)))
    return LeaseBook(client)


@pytest.fixture
def litter(client, address):
    return Litter(client, address, Access(PathMaps((), "linux", "x"), (), "b@x"), 1)


def lose(book, client, celery, address):
    """The next attempt at the job, and the loss of its worker."""
    lease = book.claim(ONE, "a@x").lease
    client.zadd(keys.LEASED, {ONE: 1})
    Sweeper(celery, client, address, book).sweep()
    return lease


def scratch(output, attempt):
    path = output.with_name(f".{ONE}.{attempt}.part.mov")
    path.touch()
    return path


def test_a_scratch_whose_worker_was_lost_is_removed(book, client, celery, address, litter, output):
    lose(book, client, celery, address)
    left = scratch(output, 1)
    litter.remove_all()
    assert not left.exists()
    assert client.scard(keys.LITTER) == 0


def test_the_scratch_of_an_attempt_that_runs_is_left(book, client, celery, address, litter, output):
    lose(book, client, celery, address)
    book.claim(ONE, "b@y")
    left, running = scratch(output, 1), scratch(output, 2)
    litter.remove_all()
    assert (left.exists(), running.exists()) == (False, True)


def test_a_scratch_that_waits_for_its_name_is_left(book, client, celery, address, litter, output):
    lose(book, client, celery, address)
    lease = book.claim(ONE, "b@y").lease
    book.finish(lease, JobOutcome(state=JobState.DONE))
    waits = scratch(output, 2)
    litter.remove_all()
    assert waits.exists()


def test_a_job_that_was_cancelled_while_its_worker_was_lost_leaves_nothing(
    book, client, celery, address, litter, output
):
    book.claim(ONE, "a@x")
    book.cancel([ONE])
    client.zadd(keys.LEASED, {ONE: 1})
    Sweeper(celery, client, address, book).sweep()
    left = scratch(output, 1)
    litter.remove_all()
    assert not left.exists()


def test_what_is_not_seen_from_here_is_left_to_others(
    book, client, celery, address, litter, output
):
    lose(book, client, celery, address)
    output.parent.rmdir()
    litter.remove_all()
    assert client.scard(keys.LITTER) == 1
