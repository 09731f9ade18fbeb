"""The reporter never fails an encode, and never speaks after the end."""

import threading

from proxima.progress import Reading, Stage
from proxima.worker.report import Reporter


def reading(percent):
    return Reading(worker="a@x", slot=0, attempt=1, stage=Stage.ENCODING, percent=percent)


def test_only_the_newest_reading_of_a_job_is_written():
    written = []
    reporter = Reporter(lambda job_id, meta: written.append((job_id, meta["percent"])))
    reporter.put("j", reading(1.0))
    reporter.put("j", reading(2.0))
    reporter.write_all()
    reporter.write_all()
    assert written == [("j", 2.0)]


def test_a_broker_that_is_away_harms_nothing():
    def away(job_id, meta):
        raise ConnectionError

    reporter = Reporter(away)
    reporter.put("j", reading(1.0))
    reporter.write_all()


def test_nothing_is_written_of_a_forgotten_job():
    written = []
    reporter = Reporter(lambda job_id, meta: written.append(job_id))
    reporter.put("j", reading(1.0))
    reporter.forget("j")
    reporter.write_all()
    assert written == []


def test_forgetting_waits_for_a_write_under_way():
    """A late ENCODING would overwrite the final state."""
    writing, go_on, order = threading.Event(), threading.Event(), []

    def slow(job_id, meta):
        writing.set()
        go_on.wait()
        order.append("written")

    reporter = Reporter(slow)
    reporter.put("j", reading(1.0))
    writer = threading.Thread(target=reporter.write_all)
    writer.start()
    writing.wait()

    def forget():
        reporter.forget("j")
        order.append("forgotten")

    forgetter = threading.Thread(target=forget)
    forgetter.start()
    go_on.set()
    writer.join()
    forgetter.join()
    assert order == ["written", "forgotten"]
