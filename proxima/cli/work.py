"""`proxima work`: take clips from the farm and encode them, until told to stop."""

import typer

from proxima.cli.options import BrokerOption, ConfigOption, SlotsOption


def work(
    slots: SlotsOption = None,
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Work for the farm until Ctrl-C.

    Ctrl-C once finishes what runs and takes nothing new; twice stops now, and the jobs go back
    to the queue.
    """
    from proxima.broker.address import BrokerAddress
    from proxima.broker.connection import require_fit
    from proxima.cli.notes import note
    from proxima.cli.setup import Setup
    from proxima.cli.workplace import Workplace
    from proxima.ffmpeg.binaries import find_ffmpeg
    from proxima.worker.settings import WorkerSettings, cores, worker_name

    setup = Setup(config, {"broker": broker, "slots": slots})
    url = setup.require_broker()
    # Here rather than in the worker process: the user sees one message, and nothing is restarted.
    require_fit(BrokerAddress.parse(url))
    find_ffmpeg(setup.config.worker.ffmpeg)
    settings = WorkerSettings(
        config=setup.config,
        broker=url,
        name=worker_name(),
        slots=setup.config.slots_on(cores()),
    )
    if not setup.config.worker.roots:
        note("no [worker] roots are set: jobs may read and write whatever this user may")
    raise typer.Exit(Workplace(settings).run())
