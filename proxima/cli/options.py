"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

# The config reads the variables itself, as it says where each value came from: so no envvar= here.

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        show_default=False,
        help="Config file. Variable: PROXIMA_CONFIG.",
    ),
]

BrokerOption = Annotated[
    str | None,
    typer.Option(
        "--broker",
        metavar="URL",
        show_default=False,
        help="Address of the broker; empty for this machine alone. Variable: PROXIMA_BROKER.",
    ),
]

PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        show_default=False,
        help="Recipe of the outputs; see: proxima presets. Variable: PROXIMA_PRESET.",
    ),
]

OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FOLDER",
        show_default=False,
        help="Folder of the outputs; else a Proxy folder beside each source. "
        "Variable: PROXIMA_OUTPUT.",
    ),
]

LayoutOption = Annotated[
    str | None,
    typer.Option(
        "--layout",
        metavar="LAYOUT",
        show_default=False,
        help="How outputs are placed: resolve, premiere, mirror, fcp, flat or auto. "
        "Variable: PROXIMA_LAYOUT.",
    ),
]

SlotsOption = Annotated[
    int | None,
    typer.Option(
        "--slots",
        metavar="N",
        show_default=False,
        help="Encodes at once; 0 for a quarter of the cores. Variable: PROXIMA_SLOTS.",
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
