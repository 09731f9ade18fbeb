"""json-objects.md: what `--json` of status, batches and show writes, made by the code itself."""

import json
from collections.abc import Iterator
from typing import Any

from reference.farm_sample import objects
from reference.markdown import code, table

#: Objects whose names are values: states, priorities, hosts.
COUNTS = {"queued", "hosts"}

FIELDS = {
    "address": "Of the broker, without its password.",
    "attempts": "Every attempt at a job, the oldest first; of very many the last 20.",
    "batch": "Id of the batch.",
    "batches": "The newest first. Of `status`: 20, and all that have not ended.",
    "broker": "How the broker is.",
    "busy": "Slots that encode.",
    "clients": "Connections to the broker.",
    "clock_difference": "Seconds that the broker's clock is ahead of this machine's.",
    "code": "Of a warning: stable, so scripts may compare it.",
    "cores": "Cores that the worker may use.",
    "created": "When the batch was sent: seconds since 1970 (UTC), by the broker's clock.",
    "delayed": "Jobs that failed and are tried again later.",
    "draining": "Whether it takes nothing new.",
    "tags": "Its `[worker] tags`.",
    "paused": "Whether that is as it was paused.",
    "encoding": "The jobs that it encodes, each with its last reading.",
    "ended": "When it ended, by the broker's clock; null while it has not.",
    "error": "Why it failed; null if it did not.",
    "eta_seconds": "Seconds to the end; null if nobody can tell.",
    "eviction": "The broker's `maxmemory-policy`; null if it does not say.",
    "findings": "What is not well with the broker: `verdict`, `text`, `remedy`.",
    "fps": "Frames a second: of a job, of a worker, of all workers.",
    "frame": "Frames written.",
    "frames": "Frames of the source; null if unknown.",
    "free_bytes": "Bytes free where outputs go, on the fullest disk; null if unknown.",
    "has_aof": "Whether the broker writes all to disk.",
    "has_snapshots": "Whether it makes snapshots; null if it does not say.",
    "has_worker": "Whether a live worker may take its jobs.",
    "hint": "What to do; may be empty.",
    "host": "Machine of a worker; of a batch, that which sent it.",
    "hosts": "How many jobs of the batch ended on which host.",
    "how": "`done`, `failed`, `cancelled`, `retried` (it failed, and the job is tried again), "
    "`returned` (handed back) or `lost` (with its worker); null while it runs.",
    "id": "Id of the batch.",
    "is_finished": "Whether nothing more will happen.",
    "is_paused": "Whether the batch starts no jobs until somebody lets it.",
    "is_replica": "Whether the broker only follows another.",
    "job": "Id of the job; null for a source that was never sent.",
    "jobs": "Of a batch: how many are in which state. Of a worker: the ids of those it has.",
    "kind": "Of an error: one of the [kinds of failure](errors.md#kinds-of-failure).",
    "label": "What people call the batch.",
    "latency": "Seconds to the broker and back.",
    "load": "Processes that run or wait to, over the last minute; null if unknown.",
    "media_seconds": "Seconds of media of all its jobs, or of the job.",
    "media_seconds_done": "Seconds of media that are done.",
    "memory_bytes": "What the broker's data takes.",
    "memory_limit_bytes": "The most that it may take; 0 = no limit.",
    "message": "What happened, for people.",
    "mode": "`standalone`; the broker serves in no other.",
    "name": "`<uuid>@<host>`.",
    "number": "Of the attempt, from 1.",
    "output": "Path of the output on this machine.",
    "output_bytes": "Size of the output, or of all of the batch; null if there is none.",
    "ssim": "How like its source the output looks (`--verify full`); null if not measured.",
    "percent": "Share that is done; null if unknown.",
    "pid": "Process of the worker on its host.",
    "position": "Seconds of output written.",
    "preset": "Name of the preset.",
    "priority": "0 runs first, 9 last.",
    "queued": "Jobs that wait for a worker, by priority. In `jobs`: the number of those that wait.",
    "ready_at": "When the batch will be ready: seconds since 1970 (UTC); null if nobody can tell.",
    "records": "Every job of the batch.",
    "remedy": "What to do; may be empty.",
    "seconds": "Of a batch: from when it was sent to its end; null before. "
    "Of a settled source: null.",
    "seen": "When it was last heard of, by the broker's clock.",
    "server": "`Valkey` or `Redis`.",
    "set_aside": "Messages that made no sense.",
    "settled": "Sources that were not sent: skipped or refused.",
    "size": "Width and height of the source's picture; null if it has none.",
    "slots": "Encodes that it can run at once.",
    "source": "Path of the source on this machine.",
    "speed": "Times real time; null if unknown.",
    "stage": "`probing`, `encoding`, `suspended`, `verifying` or `publishing`.",
    "start_at": "When its jobs may start: seconds since 1970 (UTC); null if at once.",
    "started": "When the attempt began, by the broker's clock.",
    "state": "One of the [job states](../job-states.md).",
    "tag": "Only workers with this tag take its jobs; empty: any worker.",
    "text": "What was found.",
    "time": "Seconds since 1970 (UTC), on this machine.",
    "type": "`farm`, `batches`, `batch` or `job`.",
    "unwell": "Why it takes no jobs until it is well; empty while it is.",
    "user": "Who sent the batch.",
    "verdict": "`warning` or `fault`.",
    "version": "Of Proxima on the worker; of the broker's server.",
    "waiting": "Messages in the queue.",
    "warnings": "What was dropped or changed on the way: `code`, `message` of each.",
    "worker": "`<uuid>@<host>`.",
    "workers": "The workers alive.",
}


def text() -> str:
    """The page."""
    return f"""\
# JSON objects

`proxima status`, `proxima batches` and `proxima show` write one JSON object with `--json`;
`proxima status --watch --json` writes one a second, each on a line of its own. Ignore fields that
you do not know: later versions add some.

## Fields

{table(["field", "meaning"], [[code(name), FIELDS[name]] for name in told_fields()])}
## Examples
{"".join(_example(name, sample) for name, sample in objects().items())}"""


def told_fields() -> list[str]:
    """Every field that the code writes, in order."""
    return sorted(set(_names(list(objects().values()))))


def _example(name: str, sample: dict[str, Any]) -> str:
    return f"\n### {name}\n\n```json\n{json.dumps(sample, indent=2)}\n```\n"


def _names(value: Any) -> Iterator[str]:
    """Every field, those of objects inside objects too."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        yield from value
        for name, item in value.items():
            is_count = name in COUNTS or (name == "jobs" and isinstance(item, dict))
            yield from () if is_count else _names(item)
