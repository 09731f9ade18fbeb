"""The worker process that `proxima work` supervises: settings in, standings out."""

import logging
import sys

import msgspec


def main() -> int:
    """Read WorkerSettings from standard input, work, write a line of JSON for each standing."""
    from proxima.errors import ProximaError
    from proxima.worker.run import Worker
    from proxima.worker.settings import WorkerSettings
    from proxima.worker.slot_board import WorkerStanding

    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    # Celery tells of each task what the worker's own lines tell better.
    logging.getLogger("celery").setLevel(logging.WARNING)
    settings = msgspec.json.decode(sys.stdin.buffer.read(), type=WorkerSettings)

    def show(standing: WorkerStanding) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(standing) + b"\n")
        sys.stdout.buffer.flush()

    try:
        return Worker(settings, show).run()
    except ProximaError as error:
        logging.getLogger("proxima").error("%s", error)  # noqa: TRY400 - for users, no traceback
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
