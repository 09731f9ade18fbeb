"""Logs through the broker: what a worker gives, and what it refuses."""

import threading

import pytest

from proxima.broker import batches, keys, log_requests, wire
from proxima.broker.lease import LeaseBook
from proxima.broker.log_requests import LogAnswer, LogRequest
from proxima.worker.log_desk import LogDesk
from proxima.worker.log_folder import log_file

ONE = "abcdefgh-00001"
HERE, TOKEN = "3f2a@edit", "0" * 32


@pytest.fixture
def desk(client, address, tmp_path, make_batch):
    """A worker that has made the first attempt at job 1, and its log."""
    batches.save(client, make_batch(2))
    book = LeaseBook(client)
    book.release(book.claim(ONE, HERE).lease)
    book.claim(ONE, "9c1e@grade")
    file = log_file(tmp_path, ONE, 1)
    file.parent.mkdir()
    file.write_bytes(b"ffmpeg said\xff no\n")
    return LogDesk(client, address, tmp_path, HERE)


def answered(client, desk, **fields):
    """What a request is answered; None if it is not."""
    request = LogRequest(**{"job_id": ONE, "attempt": 1, "token": TOKEN, **fields})
    client.lpush(keys.LOGS_ASKED + HERE, wire.encode(request))
    desk.answer_all()
    text = client.rpop(keys.LOG_ANSWER + TOKEN)
    return wire.decode(text, LogAnswer) if text else None


def test_who_asks_gets_the_log_of_whichever_worker_has_it(client, desk):
    answering = threading.Timer(0.05, desk.answer_all)
    answering.start()
    found = log_requests.ask(client, [HERE], ONE, 1)
    answering.join()
    assert found == LogAnswer(text=b"ffmpeg said\xff no\n", size=16)


def test_a_worker_that_does_not_answer_is_not_waited_for_for_ever(client):
    assert log_requests.ask(client, [HERE, "b@y"], ONE, 1, seconds=0.05) is None
    assert client.ttl(keys.LOGS_ASKED + HERE) > 0


def test_the_first_that_has_it_counts(client, desk, address, tmp_path):
    other = LogDesk(client, address, tmp_path / "empty", "77aa@edit")
    answering = threading.Timer(0.05, lambda: (other.answer_all(), desk.answer_all()))
    answering.start()
    found = log_requests.ask(client, ["77aa@edit", HERE], ONE, 1)
    answering.join()
    assert found.size == 16


def test_of_a_long_log_the_end_is_given(client, desk, tmp_path, monkeypatch):
    monkeypatch.setattr("proxima.worker.log_desk.MOST_BYTES", 4)
    assert answered(client, desk) == LogAnswer(text=b" no\n", size=16)


def test_a_worker_started_anew_gives_the_logs_of_its_predecessor(client, desk, address, tmp_path):
    again = LogDesk(client, address, tmp_path, HERE.replace("3f2a", "aaaa"))
    client.lpush(
        keys.LOGS_ASKED + "aaaa@edit", wire.encode(LogRequest(job_id=ONE, attempt=1, token=TOKEN))
    )
    again.answer_all()
    assert wire.decode(client.rpop(keys.LOG_ANSWER + TOKEN), LogAnswer).size == 16


@pytest.mark.parametrize(
    "asked",
    [
        {"attempt": 2},  # another machine made it
        {"attempt": 3},  # nobody did
        {"attempt": 0},
        {"attempt": -1},
        {"job_id": "abcdefgh-00002"},
        {"job_id": "../../etc/passwd-00001"},
        {"job_id": "abcdefgh-00001/../x-00001"},
        {"job_id": ""},
    ],
)
def test_of_jobs_that_this_machine_did_not_run_nothing_is_given(client, desk, tmp_path, asked):
    (tmp_path / "abcdefgh" / "abcdefgh-00001.2.log").write_text("made elsewhere")
    assert answered(client, desk, **asked) == LogAnswer()


@pytest.mark.parametrize("token", ["", "x", "../" + "0" * 29, "0" * 31, "0" * 32 + "\n"])
def test_an_answer_goes_nowhere_but_where_answers_go(client, desk, token):
    assert answered(client, desk, token=token) is None
    assert [key for key in client.keys("*") if b"answer" in key] == []


def test_what_is_no_plain_file_is_not_given(client, desk, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    file = log_file(tmp_path, ONE, 1)
    file.unlink()
    file.symlink_to(secret)
    assert answered(client, desk) == LogAnswer()
    file.unlink()
    file.mkdir()
    assert answered(client, desk) == LogAnswer()


def test_a_linked_folder_is_not_followed(client, desk, tmp_path):
    folder = log_file(tmp_path, ONE, 1).parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert answered(client, desk) == LogAnswer()


def test_requests_that_make_no_sense_are_passed_over(client, desk):
    client.lpush(keys.LOGS_ASKED + HERE, b"garbage", b'{"protocol": 99, "body": {}}')
    assert answered(client, desk).size == 16
