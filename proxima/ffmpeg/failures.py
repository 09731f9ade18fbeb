"""Failures: what ffmpeg's exit code and last words mean."""

import re
import signal
from collections.abc import Sequence
from typing import NamedTuple

from proxima.errors import FailureKind, JobFailed

#: SIGXFSZ, which Windows does not know.
_TOO_LARGE = getattr(signal, "SIGXFSZ", 25)
_MOST_LINES = 5
_LONGEST_LINE = 200
#: ``[mov @ 0x55d8] [error] text`` (x265 has its own way: ``x265 [error]: text``).
_LINE = re.compile(
    r"(?:x265 )?(?:\[[^\]]*\]\s*)*?\[(?P<level>panic|fatal|error|warning)\]:?\s*(?P<text>.*)"
)
_BAD = frozenset({"panic", "fatal", "error"})
#: What only says that something failed elsewhere.
_ECHOES = re.compile(
    r"Task finished with error code|Terminating thread with return code|Conversion failed|"
    r"Error sending frames to consumers|Last message repeated|Could not open encoder before EOF|"
    r"Nothing was written into output file|Error opening (?:input|output) files?\b|Exiting normally"
)


class _Sign(NamedTuple):
    """Words of ffmpeg's, and what they mean."""

    words: re.Pattern[str]
    kind: FailureKind
    #: What happened; the source's name comes before it.
    what: str
    hint: str


def _sign(words: str, kind: FailureKind, what: str, hint: str) -> _Sign:
    return _Sign(re.compile(words, re.IGNORECASE), kind, what, hint)


#: The first that matches counts: the system's troubles before what they do to the file.
_SIGNS = (
    _sign(
        r"No space left on device|Disk quota exceeded|File too large",
        FailureKind.DISK_FULL,
        "no space left for the output",
        "free space there, then queue it again",
    ),
    _sign(
        r"Stale (?:NFS )?file handle|Input/output error|Transport endpoint is not connected|"
        r"Host is down|Connection timed out",
        FailureKind.MOUNT_STALE,
        "the storage does not answer",
        "mount the share again on the worker, then queue it again",
    ),
    _sign(
        r"Error opening output.*No such file or directory",
        FailureKind.MOUNT_STALE,
        "the folder of the output is gone",
        "mount the share again on the worker, then queue it again",
    ),
    _sign(
        r"Permission denied|Read-only file system|Error opening.*Operation not permitted",
        FailureKind.PERMISSION,
        "no permission",
        "give the user of the worker access to source and output",
    ),
    _sign(
        r"No such file or directory",
        FailureKind.SOURCE_MISSING,
        "the source is not there",
        "look whether it was moved or its share unmounted",
    ),
    _sign(
        r"Unknown encoder|No such filter|Encoder not found|Unrecognized option|Option not found",
        FailureKind.ENCODER_MISSING,
        "this ffmpeg cannot do what the preset asks",
        "let [worker] ffmpeg name a full build, or leave it empty",
    ),
    _sign(
        r"moov atom not found|partial file|Invalid data found when processing input|"
        r"Cannot determine format of input stream|Error submitting packet to decoder|"
        r"Could not find codec parameters",
        FailureKind.SOURCE_DAMAGED,
        "the source cannot be decoded",
        "copy it from the card again",
    ),
)


def classify(code: int, log_tail: Sequence[str], source: str) -> JobFailed:
    """Why ffmpeg ended with *code* (negative: a signal), by the last lines of its log."""
    lines = [_shown(line) for line in log_tail]
    if code == -_TOO_LARGE:
        return JobFailed(
            FailureKind.DISK_FULL,
            f"{source}: the output grew past the size that files may have there",
            "raise the limit of the worker's user, or choose another file system",
        )
    if code < 0:
        return JobFailed(
            FailureKind.FFMPEG_CRASHED,
            f"{source}: ffmpeg was ended by {_signal_name(-code)}",
            "out of memory is the most frequent cause: give the worker fewer slots",
        )
    errors = _complaints(lines)
    for sign in _SIGNS:
        said = next((text for text in errors if sign.words.search(text)), None)
        if said:
            return JobFailed(sign.kind, f"{source}: {sign.what} ({said})", sign.hint)
    return JobFailed(
        FailureKind.FFMPEG_FAILED,
        f"{source}: ffmpeg ended with code {code}: {_last_words(lines)}",
        "look into its log",
    )


def last_words(log_tail: Sequence[str]) -> str:
    """What ffmpeg said last that explains anything: at most five lines, joined."""
    return _last_words([_shown(line) for line in log_tail])


def _last_words(lines: Sequence[str]) -> str:
    said = [(level, text) for level, text in map(_levelled, lines) if text]
    chosen = _complaints(lines) or [t for level, t in said if level] or [t for _, t in said]
    # The same complaint about many frames is one.
    return "; ".join(list(dict.fromkeys(chosen))[-_MOST_LINES:]) or "it said nothing"


def _complaints(lines: Sequence[str]) -> list[str]:
    """Errors, without those that only say that something failed elsewhere."""
    said = [text for level, text in map(_levelled, lines) if level in _BAD]
    return [text for text in said if not _ECHOES.search(text)]


def _levelled(line: str) -> tuple[str, str]:
    """Level and text; no level for what is only information."""
    match = _LINE.match(line)
    return (match["level"], match["text"]) if match else ("", line)


def _shown(line: str) -> str:
    """Fit for one line of a terminal."""
    text = "".join(c if c.isprintable() else " " for c in line).strip()
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
