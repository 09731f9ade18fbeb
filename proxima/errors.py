"""Every error that Proxima raises on purpose.

::

    ProximaError                 its text is fit for the user as it stands
    ├── UsageError               exit 2: what was asked for makes no sense
    │   ├── ConfigInvalid        a config file, variable or option has wrong values
    │   ├── UnknownPreset        no preset has this name
    │   ├── PlanRefused          sources or outputs that cannot be sent
    │   ├── UnknownBatch         no batch or job has this id
    │   ├── UnknownWorker        no live worker has this name
    │   └── UnknownGroup         no group of consumers has this name
    ├── BrokerError              exit 3: the broker cannot serve
    │   ├── BrokerAddressInvalid not an address of a Redis or Valkey
    │   ├── BrokerUnreachable    nobody answers there
    │   ├── BrokerPasswordWrong  it answers, but not to us
    │   ├── BrokerUnfit          too old, or may evict keys
    │   └── ServerMissing        no Valkey or Redis program to run here
    ├── EventInvalid             an event that this version cannot read
    ├── HandlingFailed           what was to be done about an event could not be done
    ├── LogMissing               no worker gives the log of a job
    ├── SourceUnreadable         a file that cannot be probed (has a kind)
    ├── JobFailed                a job that ended without its output (has a kind)
    ├── WorkStopped              the encode was told to stop; no failure
    └── Interrupted              exit 130: the user pressed Ctrl-C
"""

from enum import StrEnum
from typing import ClassVar


class FailureKind(StrEnum):
    """Why a file was refused or a job failed; stable, so scripts may compare."""

    #: The source is not there, or not where the path map points.
    SOURCE_MISSING = "source_missing"
    #: The source opens, but parts of it cannot be decoded.
    SOURCE_DAMAGED = "source_damaged"
    #: A format for which there is no decoder (camera RAW, encrypted, unknown codec).
    SOURCE_UNSUPPORTED = "source_unsupported"
    #: The source has no moving picture, or no sound, where the preset needs it.
    SOURCE_UNSUITABLE = "source_unsuitable"
    #: The source is still being copied or written.
    SOURCE_GROWING = "source_growing"
    #: The preset cannot make an output of this source (size, container).
    PRESET_UNSUITABLE = "preset_unsuitable"
    #: The path has no root on this machine, or lies outside the allowed roots.
    PATH_REFUSED = "path_refused"
    #: No permission to read the source or to write the output.
    PERMISSION = "permission"
    #: The file system of the output is full, or a quota was reached.
    DISK_FULL = "disk_full"
    #: A network share answered with a stale handle or an input/output error.
    MOUNT_STALE = "mount_stale"
    #: The storage of the source or output is not mounted on the worker.
    MOUNT_MISSING = "mount_missing"
    #: The worker's ffmpeg is gone or cannot be run.
    FFMPEG_MISSING = "ffmpeg_missing"
    #: This ffmpeg lacks the encoder or filter that the preset needs.
    ENCODER_MISSING = "encoder_missing"
    #: ffmpeg ended with an error.
    FFMPEG_FAILED = "ffmpeg_failed"
    #: ffmpeg was killed by a signal.
    FFMPEG_CRASHED = "ffmpeg_crashed"
    #: ffmpeg ran on without getting any further, and was ended.
    STALLED = "stalled"
    #: The output is not what was asked for; it was not published.
    OUTPUT_WRONG = "output_wrong"
    #: Nothing is wrong with it; it was not sent, as other sources of the batch were refused.
    PLAN_REFUSED = "plan_refused"
    #: The output exists and the job may not replace it.
    OUTPUT_EXISTS = "output_exists"
    #: Two sources would have this output, or it is a source itself.
    OUTPUT_CLASH = "output_clash"
    #: The job took its worker down again and again; it is not given to another.
    POISONOUS = "poisonous"
    #: The message is of another protocol version.
    PROTOCOL_MISMATCH = "protocol_mismatch"
    #: The message or record makes no sense.
    MESSAGE_INVALID = "message_invalid"
    #: Anything else; the log has the details.
    UNKNOWN = "unknown"


class ProximaError(Exception):
    """The base: its text says what happened, on which thing, and what to do."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        """The first argument is the message; the rest is for programs."""
        return str(self.args[0]) if self.args else (self.__doc__ or "")


class UsageError(ProximaError):
    """What was asked for makes no sense."""

    exit_code = 2


class ConfigInvalid(UsageError):
    """A config file, variable or option has wrong values."""


class UnknownPreset(UsageError):
    """No preset has this name."""


class PlanRefused(UsageError):
    """Some sources or outputs cannot be sent."""


class BrokerError(ProximaError):
    """The broker cannot serve."""

    exit_code = 3


class BrokerAddressInvalid(BrokerError):
    """Not an address of a Redis or Valkey."""


class BrokerUnreachable(BrokerError):
    """Nobody answers at the broker's address."""


class BrokerPasswordWrong(BrokerError):
    """The broker refuses the password."""


class BrokerUnfit(BrokerError):
    """The broker is too old, or may evict keys."""


class ServerMissing(BrokerError):
    """There is no Valkey or Redis program to run here."""


class UnknownBatch(UsageError):
    """No batch has this id."""


class UnknownWorker(UsageError):
    """No live worker has this name."""


class UnknownGroup(UsageError):
    """No group of consumers has this name."""


class EventInvalid(ProximaError):
    """An event that this version cannot read."""


class HandlingFailed(ProximaError):
    """What was to be done about an event could not be done."""


class LogMissing(ProximaError):
    """No live worker gives the log that was asked for."""


class _WithKind(ProximaError):
    """An error about one file, with its kind and what to do about it."""

    def __init__(self, kind: FailureKind | str, message: str, hint: str = "") -> None:
        # All arguments go to super(): Celery pickles or splits exceptions by their args.
        super().__init__(str(kind), message, hint)

    @property
    def kind(self) -> FailureKind:
        """Why, in one stable word."""
        return FailureKind(self.args[0])

    @property
    def message(self) -> str:
        """What happened, to which file."""
        return str(self.args[1])

    @property
    def hint(self) -> str:
        """What to do; may be empty."""
        return str(self.args[2])

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class SourceUnreadable(_WithKind):
    """A file that cannot be probed."""


class JobFailed(_WithKind):
    """A job that ended without its output."""


class WorkStopped(ProximaError):
    """The encode was told to stop: cancelled, or the worker goes down. No failure."""


class Interrupted(ProximaError):
    """The user pressed Ctrl-C."""

    exit_code = 130
