"""Read what a media file holds, in process, from its header; many files at once."""

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.media_formats import (
    CONCAT_WHITELIST,
    FORMAT_WHITELIST,
    LOOK_FAR,
    PROTOCOL_WHITELIST,
)
from proxima.ffmpeg.probe_atoms import read_movie
from proxima.ffmpeg.probe_file import file_head, file_size, why_unopened
from proxima.ffmpeg.probe_info import media_info, usable
from proxima.ffmpeg.probe_sequence import SequenceRate, probe_sequence
from proxima.ffmpeg.refusal import refusal, system_refusal
from proxima.image_sequence import ImageSequence
from proxima.media import MediaInfo
from proxima.spanned_take import FRESH, SpannedTake

if TYPE_CHECKING:
    from av.container.input import InputContainer

_RATE = SequenceRate()
Result = tuple[Path, MediaInfo | SourceUnreadable]


def probe(path: Path, rate: SequenceRate = _RATE) -> MediaInfo:
    """What a source holds; SourceUnreadable if it is nothing that can be decoded.

    *rate* is for image sequences alone.
    """
    if sequence := ImageSequence.of(path):
        return usable(path, probe_sequence(sequence, rate))
    take = SpannedTake.of(path)
    files = take.files if take else (path,)
    size = sum(map(file_size, files))
    head = file_head(files[0])
    try:
        with _opened(path, head, size) as container:
            info = media_info(container, path, head, size)
        if _is_vague(info):
            with _opened(path, head, size, LOOK_FAR) as container:
                far = media_info(container, path, head, size)
            info = replace(far, has_late_streams=True)
        is_rest = SpannedTake.is_part(files[0]) and (info.start or 0) > FRESH
        return usable(path, replace(info, is_rest_of_take=is_rest))
    except OSError as error:
        raise system_refusal(path, error) from error


def probe_all(
    paths: Sequence[Path], rate: SequenceRate = _RATE, threads: int = 8
) -> Iterator[Result]:
    """Probe many files at once; yields each as it is done. Closing the iterator stops the rest."""
    waiting: queue.SimpleQueue[Path] = queue.SimpleQueue()
    done: queue.SimpleQueue[Result] = queue.SimpleQueue()
    stop = threading.Event()
    for path in paths:
        waiting.put(path)

    def work() -> None:
        while not stop.is_set():
            try:
                path = waiting.get_nowait()
            except queue.Empty:
                return
            done.put((path, _outcome(path, rate)))

    for _ in range(min(threads, len(paths))):
        # Daemons, as a dead network share holds a thread for minutes: Ctrl-C must not wait.
        threading.Thread(target=work, name="probe", daemon=True).start()
    try:
        for _ in paths:
            yield _next(done)
    finally:
        stop.set()


def _next(done: "queue.SimpleQueue[Result]") -> Result:
    while True:
        try:
            # On Windows, Ctrl-C does not interrupt a wait without an end.
            return done.get(timeout=0.5)
        except queue.Empty:
            continue


def _outcome(path: Path, rate: SequenceRate) -> MediaInfo | SourceUnreadable:
    try:
        return probe(path, rate)
    except SourceUnreadable as error:
        return error
    except Exception as error:  # noqa: BLE001 - one odd file must not end the others
        return refusal(path, FailureKind.UNKNOWN, f"cannot be probed ({error!r})")


def _is_vague(info: MediaInfo) -> bool:
    """Whether a stream has not shown yet what it is."""
    return any(not track.channels for track in info.sound) or any(
        stream.decodable and not stream.pixel_format for stream in info.video
    )


def _opened(
    path: Path, head: bytes, size: int, how_far: Mapping[str, str] | None = None
) -> "InputContainer":
    import av

    take = SpannedTake.of(path)
    try:
        return av.open(
            # Absolute and with its protocol, or "a:b.mov" would name a protocol.
            take.address if take else f"file:{path.absolute()}",
            "r",
            metadata_errors="replace",
            container_options={
                "format_whitelist": FORMAT_WHITELIST,
                "protocol_whitelist": CONCAT_WHITELIST if take else PROTOCOL_WHITELIST,
                **(how_far or {}),
            },
        )
    except OSError:
        raise
    except av.FFmpegError as error:
        raise why_unopened(path, head, has_moov=read_movie(path, size).exists) from error
