"""A queuer that a test can kill: `python -m kill.sender ADDRESS < batch`."""

import sys

from proxima.batch import Batch
from proxima.broker import wire
from proxima.broker.address import BrokerAddress
from proxima.broker.celery_app import make_celery
from proxima.broker.connection import connect
from proxima.queuer.submit import submit

if __name__ == "__main__":
    address = BrokerAddress.parse(sys.argv[1])
    batch = wire.decode(sys.stdin.buffer.read(), Batch)
    submit(batch, connect(address), make_celery(address))
