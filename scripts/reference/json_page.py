"""json-events.md: what `--json` writes; the objects are made by the code itself."""

import json
from collections.abc import Iterator
from typing import Any

from reference.json_sample import objects
from reference.markdown import code, table

TYPES = {
    "batch.queued": "The first line: the batch was sent, or is watched from now on.",
    "workers": "How many workers are alive has changed.",
    "broker": "The broker does not answer, or answers again (`trouble` is null).",
    "job.started": "A worker has begun the job.",
    "job.progress": "How far a running job has come; at most once a second for each.",
    "job.requeued": "A worker handed the job back; it waits again.",
    "job.finished": "The output is complete and verified.",
    "job.failed": "The job ended without an output.",
    "job.cancelled": "Somebody ended the job.",
    "batch.finished": "The last line: how everything ended.",
}

FIELDS = {
    "batch": "Id of the batch.",
    "code": "Of a warning: stable, so scripts may compare it.",
    "count": "Workers alive.",
    "counts": "Jobs by state, with those that were never sent.",
    "error": "Why it failed or was refused: `kind`, `message`, `hint`; null if it did not.",
    "eta_seconds": "Seconds to the end; null if unknown.",
    "exit_code": "What the command exits with.",
    "fps": "Frames a second; null if unknown.",
    "frame": "Frames written.",
    "hint": "What to do; may be empty.",
    "host": "Machine that sent the batch.",
    "job": "Id of the job; null for a source that was never sent.",
    "jobs": "Of `batch.queued`: how many were sent. Of `batch.finished`: each source.",
    "kind": "Of an error: one of the [kinds of failure](errors.md#kinds-of-failure).",
    "label": "What people call the batch.",
    "message": "What happened, for people.",
    "output": "Path of the output on this machine; null if none was planned.",
    "output_bytes": "Size of the output; null if there is none.",
    "percent": "From 0 to below 100; null if the length is unknown.",
    "position": "Seconds of output written.",
    "preset": "Name of the preset.",
    "priority": "0 runs first, 9 last.",
    "refused": "Sources that the plan refused.",
    "seconds": "Seconds that the worker spent on it; null if none had it.",
    "skipped": "Sources whose output was there already.",
    "slots": "Slots of the workers alive.",
    "source": "Path of the source on this machine.",
    "speed": "Times real time; null if unknown.",
    "ssim": "How like its source the output looks (`--verify full`): `average`, `worst`, "
    "`worst_frame`; null if its pictures were not compared.",
    "spent": "Seconds from when the batch was sent to its end; null if nothing was sent.",
    "stage": "`probing`, `encoding`, `suspended`, `verifying` or `publishing`.",
    "state": "One of the [job states](../job-states.md).",
    "time": "Seconds since 1970 (UTC).",
    "trouble": "What the broker said last; null if all is well.",
    "type": "What the line tells.",
    "user": "Who sent the batch.",
    "warnings": "What was dropped or changed on the way: `code`, `message` of each.",
    "worker": "`<uuid>@<host>`; null if none was concerned.",
}


def text() -> str:
    """The page."""
    samples = {sample["type"]: sample for sample in objects()}
    return f"""\
# JSON lines

`proxima queue --json` and `proxima watch --json` write one JSON object a line to standard
output. The last has the type `batch.finished`. Ignore types and fields that
you do not know: later versions add some.

## Types

{table(["type", "tells"], [[code(name), TYPES[name]] for name in samples])}
## Fields

{table(["field", "meaning"], [[code(name), FIELDS[name]] for name in told_fields()])}
## Examples
{"".join(_example(name, sample) for name, sample in samples.items())}"""


def told_fields() -> list[str]:
    """Every field that the code writes, in order."""
    return sorted(set(_names(objects())))


def _example(name: str, sample: dict[str, Any]) -> str:
    return f"\n### {name}\n\n```json\n{json.dumps(sample, indent=2)}\n```\n"


def _names(value: Any) -> Iterator[str]:
    """Every field, those of objects inside objects too; the counts are named by states."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        yield from value
        for name, item in value.items():
            yield from () if name == "counts" else _names(item)
