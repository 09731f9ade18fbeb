"""A preset that came through the broker, held against the rules that a config's must keep."""

from proxima.config.preset_rules import preset_faults
from proxima.errors import FailureKind, JobFailed
from proxima.preset import Preset
from proxima.printable import printable

_LONGEST = 200


def require_valid(preset: Preset) -> None:
    """JobFailed with every field that does not go with the others.

    What passes holds only words that Proxima knows, but for its name, use and extra arguments.
    """
    faults = [f"{fault.field}: {fault.text}" for fault in preset_faults(preset)]
    if faults:
        what = f"preset {printable(preset.name)[:_LONGEST]}: {'; '.join(faults)}"
        raise JobFailed(
            FailureKind.MESSAGE_INVALID,
            what[: 5 * _LONGEST],
            "run the same version of Proxima on all machines",
        )
