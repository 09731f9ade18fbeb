"""Config: what can be set, its types, defaults and limits. Files and variables: see `loaded`."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from proxima.config.hook_rules import HookRules
from proxima.paths import PathMap

IfExists = Literal["skip", "replace", "rename", "fail"]
Layout = Literal["auto", "resolve", "premiere", "fcp", "mirror", "flat"]

_Extension = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_]+$", title="an extension without its dot")]
_Option = Annotated[str, Meta(pattern=r"^-[A-Za-z]\S*$", title='an ffmpeg option such as "-tune"')]
_Tag = Annotated[
    str, Meta(pattern=r"^[a-z0-9_-]{1,32}$", title="a tag of small letters, digits, - and _")
]
_Folder = Annotated[str, Meta(min_length=1)]

#: Camera-made proxies (LRV, LRF) are left out: they would collide with the proxies of their clips.
_EXTENSIONS = (
    *("mov", "mp4", "m4v", "mxf", "mts", "m2ts", "m2t", "ts", "avi", "mkv", "webm", "mpg", "mpeg"),
    *("m2v", "vob", "mod", "tod", "wmv", "asf", "flv", "f4v", "ogv", "3gp", "3g2", "dv", "gxf"),
    *("insv", "wav", "bwf", "rf64", "w64", "aif", "aiff", "caf", "flac", "mp3", "m4a"),
)


class SourceRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which files are sources."""

    extensions: Annotated[
        tuple[_Extension, ...],
        Meta(
            description="Files that are taken from folders, by extension, in any case. "
            "A file that is named itself is taken whatever its extension."
        ),
    ] = _EXTENSIONS

    rate: Annotated[
        str,
        Meta(
            pattern=r"^\d{1,3}(\.\d{1,3})?$|^\d{1,6}/\d{1,4}$",
            description="Frames per second of image sequences that do not say, such as 24, 23.976 "
            "or 24000/1001. `proxima queue --rate` comes before what they say.",
        ),
    ] = "24"

    @property
    def suffixes(self) -> frozenset[str]:
        """The extensions in lower case, with dots: ``.mov``."""
        return frozenset(f".{extension.lower()}" for extension in self.extensions)


class JobRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How jobs are made."""

    if_exists: Annotated[
        IfExists,
        Meta(
            description="What to do where the output exists: skip (if it is complete and newer "
            "than its source), replace, rename or fail."
        ),
    ] = "skip"
    priority: Annotated[
        int, Meta(ge=0, le=9, description="Which batches run first: 0 before all others, 9 last.")
    ] = 5
    retries: Annotated[
        int,
        Meta(
            ge=0,
            le=20,
            description="How often a job is tried again after a failure that may pass, such as a "
            "crash of ffmpeg; on another worker first.",
        ),
    ] = 2
    stall_seconds: Annotated[
        int,
        Meta(
            ge=1,
            description="Seconds without progress after which an encode counts as stalled: it is "
            "ended and tried again.",
        ),
    ] = 120
    verify: Annotated[
        Literal["quick", "full"],
        Meta(
            description="How outputs are verified: quick reads headers and counts frames, full "
            "also decodes all and compares every picture with its source."
        ),
    ] = "quick"


class WorkerRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a worker on this machine behaves."""

    tags: Annotated[
        tuple[_Tag, ...],
        Meta(
            description='What this machine can do that others cannot, such as "gpu": it takes '
            "the jobs of `proxima queue --on TAG`, besides those for any worker."
        ),
    ] = ()
    nice: Annotated[
        int,
        Meta(
            ge=0,
            le=19,
            description="How far encodes stand back for other programs: 0 not at all, 19 most.",
        ),
    ] = 10
    ffmpeg: Annotated[
        str, Meta(description="Path of another ffmpeg; empty = the one that came with Proxima.")
    ] = ""
    extra_args: Annotated[
        tuple[_Option, ...],
        Meta(
            description="The ffmpeg options that extra_args of presets may use on this worker "
            '(["-tune", "-preset"]); empty = none.'
        ),
    ] = ()
    roots: Annotated[
        tuple[_Folder, ...],
        Meta(
            description="Folders under which sources and outputs must lie, after links are "
            "resolved; empty = whatever the user may read and write."
        ),
    ] = ()
    max_consecutive_failures: Annotated[
        int,
        Meta(
            ge=1,
            description="After so many jobs in a row that failed for reasons of this worker (disk "
            "full, storage not mounted, no encoder) it takes no more until it is well again.",
        ),
    ] = 3
    log_folder: Annotated[
        str, Meta(description="Where the logs of encodes go; empty = the user's log folder.")
    ] = ""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    broker: Annotated[
        str,
        Meta(
            description="Address of the farm's broker, such as redis://:PASSWORD@HOST:6379/0; "
            "empty = encode on this machine alone."
        ),
    ] = ""
    preset: Annotated[
        str,
        Meta(min_length=1, description="The recipe of the outputs; `proxima presets` lists them."),
    ] = "prores-proxy"
    output: Annotated[
        str, Meta(description="Folder of the outputs; empty = a Proxy folder beside each source.")
    ] = ""
    layout: Annotated[
        Layout,
        Meta(
            description="How outputs are placed: resolve (in a Proxy folder beside the source), "
            "premiere (in a Proxies folder, with _Proxy behind each name), mirror or fcp (the "
            "sources' folders below output), flat (all in output itself), auto (resolve; mirror "
            "where output is set)."
        ),
    ] = "auto"
    slots: Annotated[
        int,
        Meta(
            ge=0,
            le=1024,
            description="Encodes that a worker on this machine runs at once; "
            "0 = a quarter of its cores, at least 1.",
        ),
    ] = 0
    sources: Annotated[SourceRules, Meta(description="Which files are sources.")] = SourceRules()
    jobs: Annotated[JobRules, Meta(description="How jobs are made.")] = JobRules()
    worker: Annotated[WorkerRules, Meta(description="How a worker on this machine behaves.")] = (
        WorkerRules()
    )
    paths: Annotated[
        tuple[PathMap, ...],
        Meta(
            description="Path maps: storage that has another root on each machine. Jobs then carry "
            "media:/A001/C001.mov, and each machine finds its own root. One entry a storage."
        ),
    ] = ()
    hooks: Annotated[
        tuple[HookRules, ...],
        Meta(
            description="What to do when something happens on the farm; `proxima hooks` does it. "
            "Each has one of command, webhook and desktop."
        ),
    ] = ()
    presets: Annotated[
        dict[str, dict[str, Any]],
        Meta(
            description="Presets of your own. Each may extend another, and then says only what "
            "differs; `proxima presets NAME` shows one in full."
        ),
    ] = {}

    def slots_on(self, cores: int) -> int:
        """Encodes at once on a machine with that many cores."""
        return self.slots or max(1, cores // 4)


#: The keys that a variable or an option may set too.
SETTABLE = ("broker", "preset", "output", "layout", "slots")


def variable(key: str) -> str:
    """The environment variable of a key: ``PROXIMA_BROKER``."""
    return f"PROXIMA_{key.upper()}"


def setting_keys() -> list[tuple[str, ...]]:
    """Every key that has a value, in order; ``paths``, ``hooks`` and ``presets`` are one each."""
    keys: list[tuple[str, ...]] = []
    for name in Config.__struct_fields__:
        default = getattr(Config(), name)
        inner = default.__struct_fields__ if isinstance(default, msgspec.Struct) else ()
        keys += [(name, key) for key in inner] or [(name,)]
    return keys
