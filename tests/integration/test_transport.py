"""Messages that make no sense, on the real server with a real Celery consumer."""

import base64
import json

import pytest
import redis

from proxima.broker import dispatch, keys
from proxima.broker.transport import is_readable

GOOD = {
    "body": base64.b64encode(b"[]").decode(),
    "headers": {"task": "x", "id": "1"},
    "properties": {
        "body_encoding": "base64",
        "delivery_tag": "t",
        "delivery_info": {"exchange": "", "routing_key": "proxima"},
    },
}

GARBAGE = [
    b"not json",
    b"\xff\xfe\x00",
    b"",
    b"null",
    b"[1, 2]",
    b'{"body": "x"}',
    b'{"body": "x", "headers": {}, "properties": []}',
    json.dumps(GOOD | {"body": "***"}).encode(),
    json.dumps(GOOD | {"headers": None}).encode(),
    json.dumps(GOOD | {"properties": {"delivery_tag": 3}}).encode(),
    b"[" * 100_000,
]


def test_a_message_of_celery_is_readable():
    assert is_readable(json.dumps(GOOD).encode())


@pytest.mark.parametrize("item", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_not_readable(item):
    assert not is_readable(item)


def test_garbage_is_set_aside_and_the_next_message_comes_through(celery, client):
    for item in GARBAGE:
        client.lpush(keys.QUEUE, item)
    dispatch.send_job(celery, "abcdefgh-00001", 0)
    with celery.connection_for_read() as connection:
        queue = connection.SimpleQueue(celery.amqp.queues[keys.QUEUE])
        message = None
        while message is None:
            try:
                message = queue.get(timeout=2)
            except queue.Empty:
                continue
        assert message.headers["id"] == "abcdefgh-00001"
        message.ack()
        queue.close()
    assert int(client.get(keys.GARBAGE_COUNT)) == client.llen(keys.GARBAGE) == len(GARBAGE)


def test_a_lost_acknowledgement_does_not_keep_a_worker_from_asking_for_more(
    celery, client, monkeypatch
):
    def gone(tag):
        raise redis.ConnectionError

    dispatch.send_job(celery, "abcdefgh-00001", 5)
    with celery.connection_for_read() as connection:
        channel = connection.default_channel
        channel.basic_qos(0, 1, False)
        message = channel.basic_get(keys.QUEUE)
        assert not channel.qos.can_consume()
        monkeypatch.setattr(channel.qos, "_remove_from_indices", gone)
        with pytest.raises(redis.RedisError):
            message.ack()
        assert channel.qos.can_consume()
