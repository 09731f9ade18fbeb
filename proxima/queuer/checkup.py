"""The checkup of `proxima doctor`: what this machine needs to queue and to work."""

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from proxima.broker.address import BrokerAddress
from proxima.broker.connection import check
from proxima.broker.embedded import EmbeddedServer
from proxima.broker.health import Finding, Verdict, findings
from proxima.config.schema import Config
from proxima.errors import BrokerError, ProximaError
from proxima.ffmpeg.binaries import find_ffmpeg, version
from proxima.ffmpeg.trial import try_preset
from proxima.preset import Preset
from proxima.queuer.folder_check import check_log_folder, check_roots

#: Presets tried at once.
_TRIALS = 2


def checkup(config: Config, presets: Sequence[Preset], log_folder: Path) -> Iterator[Finding]:
    """Look at everything, and yield each finding as it is made."""
    yield from check_broker(config.broker)
    yield from check_ffmpeg(config.worker.ffmpeg, presets)
    yield from check_roots(config)
    yield check_log_folder(log_folder)


def check_broker(url: str) -> Iterator[Finding]:
    """The farm's broker; without one, the server of the local farm."""
    try:
        if url:
            yield from findings(check(BrokerAddress.parse(url)))
        else:
            yield _local_farm()
    except BrokerError as error:
        text, remedy = _split(str(error))
        yield Finding(verdict=Verdict.FAULT, text=text, remedy=remedy)


def _local_farm() -> Finding:
    with tempfile.TemporaryDirectory(prefix="proxima-doctor-") as folder:
        server = EmbeddedServer.start(
            folder=Path(folder), password=secrets.token_urlsafe(), persist=False
        )
        try:
            health = check(server.address)
        finally:
            server.stop()
    return Finding(
        verdict=Verdict.OK,
        text="none is configured: this machine encodes for itself, "
        f"with its own {health.server} {health.version}",
    )


def check_ffmpeg(configured: str, presets: Sequence[Preset]) -> Iterator[Finding]:
    """The ffmpeg of this machine, and whether each preset works with it."""
    try:
        ffmpeg = find_ffmpeg(configured)
        text = f"version {version(ffmpeg)}, {ffmpeg}"
    except ProximaError as error:
        text, remedy = _split(str(error))
        yield Finding(subject="ffmpeg", verdict=Verdict.FAULT, text=text, remedy=remedy)
        return
    yield Finding(subject="ffmpeg", verdict=Verdict.OK, text=text)
    with ThreadPoolExecutor(_TRIALS) as pool:
        yield from pool.map(partial(_tried, ffmpeg), presets)


def _tried(ffmpeg: Path, preset: Preset) -> Finding:
    subject = f"preset {preset.name}"
    trouble = try_preset(ffmpeg, preset)
    if trouble is None:
        return Finding(subject=subject, verdict=Verdict.OK, text="encodes")
    return Finding(
        subject=subject,
        verdict=Verdict.FAULT,
        text=trouble,
        remedy="use another ffmpeg: [worker] ffmpeg in the config; empty takes Proxima's own",
    )


def _split(message: str) -> tuple[str, str]:
    """What is wrong, and what to do: our messages end with that, in brackets or after ";"."""
    text, mark, remedy = message.rpartition(" (")
    if mark and remedy.endswith(")"):
        return text, remedy.removesuffix(")")
    text, mark, remedy = message.rpartition("; ")
    return (text, remedy) if mark else (message, "")
