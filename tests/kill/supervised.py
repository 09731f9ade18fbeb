"""What `proxima work` runs, with settings of a test: `python -m kill.supervised < settings`."""

import sys

import msgspec

from proxima.cli.workplace import Workplace
from proxima.worker.settings import WorkerSettings

if __name__ == "__main__":
    read = msgspec.json.decode(sys.stdin.buffer.read(), type=WorkerSettings)
    sys.exit(Workplace(read).run())
