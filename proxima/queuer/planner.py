"""How a plan is made: step by step, each step for every source that no earlier one settled."""

import os
from collections.abc import Callable
from pathlib import Path

from proxima.batch import Settled
from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.ffmpeg.estimate import estimated_bytes
from proxima.ffmpeg.refusal import refusal
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.job import JobState, JobWarning, Problem
from proxima.media import MediaInfo
from proxima.printable import printable
from proxima.queuer.clip_files import clips_in_files
from proxima.queuer.destination import destination
from proxima.queuer.discover import Discovery, absolute
from proxima.queuer.existing_output import differences, is_older, other_clip, shortcoming
from proxima.queuer.folder_walk import is_folder
from proxima.queuer.growth import GrowthWatch, stamp
from proxima.queuer.natural_order import natural_key
from proxima.queuer.output_clash import FreeNames, OutputClashes
from proxima.queuer.plan_inputs import PlanOptions, PlanTools
from proxima.queuer.planned_job import PlannedJob


class Planner:
    """One plan in the making; `plan.make_plan` calls the steps in their order."""

    def __init__(self, discovery: Discovery, options: PlanOptions, tools: PlanTools) -> None:
        self._discovery = discovery
        self._options = options
        # Jobs carry no "..": only here is it known where that leads.
        self._output = absolute(options.output, Path.cwd()) if options.output else None
        self._preset = options.preset
        self._tools = tools
        self._watch = GrowthWatch.begin(discovery.sources, tools.clock, tools.wait)
        self._outputs: dict[Path, Path] = {}
        #: What the probe said of sources, and of outputs that exist.
        self._probed: dict[Path, MediaInfo | SourceUnreadable] = {}
        self._media: dict[Path, MediaInfo] = {}
        self._streams: dict[Path, StreamPlan] = {}
        #: Why an output that exists is made again, by source.
        self._again: dict[Path, str] = {}
        #: The sound files of clips that have some.
        self._companions: dict[Path, tuple[Path, ...]] = {}
        self._refused: dict[Path, SourceUnreadable | JobFailed] = {}
        self._skipped: dict[Path, Settled] = {}
        self._writable: dict[Path, str | None] = {}

    def name_outputs(self) -> None:
        """Say where each output goes."""
        self._each(self._name_output)

    def probe(self) -> None:
        """Read the headers of the sources, and of outputs that exist if they may stand."""
        paths = self._left()
        if self._options.if_exists == "skip":
            paths += [output for source in paths if (output := self._outputs[source]).is_file()]
        paths = list(dict.fromkeys(paths))
        for done, (path, media) in enumerate(self._tools.probe_all(paths), start=1):
            self._probed[path] = media
            self._tools.on_progress(done, len(paths))

    def join_clips(self) -> None:
        """Give pictures the sound that lies in files of its own; those are no sources then."""
        left = {path: self._probed[path] for path in self._left()}
        for picture, sounds in clips_in_files(left):
            media = [found for found in map(left.get, sounds) if isinstance(found, MediaInfo)]
            whole = left[picture]
            if isinstance(whole, MediaInfo):
                self._probed[picture] = whole.with_sound(media)
                self._companions[picture] = sounds
            message = f"it is the sound of {printable(picture)}, and goes with it"
            for sound in sounds:
                self._skip(sound, None, (JobWarning(code="clip_joined", message=message),))

    def read_sources(self) -> None:
        """Refuse what cannot be read, or not with this preset."""
        self._each(self._read_source)

    def keep_outputs_apart(self) -> None:
        """See to it that no two sources have one output, and no output is a source."""
        outputs = {source: self._outputs[source] for source in self._left()}
        if self._options.if_exists == "rename":
            names = FreeNames()
            self._each(lambda s: self._outputs.update({s: names.take(outputs[s])}))
            return
        clashes = OutputClashes(self._all_sources(), outputs)
        self._each(clashes.require_none)

    def look_at_existing(self) -> None:
        """Skip, replace or refuse where the output exists."""
        self._each(self._look_at_existing)

    def require_writable_folders(self) -> None:
        """Refuse where the output's folder cannot be made or written."""
        self._each(self._require_writable_folder)

    def refuse_growing(self) -> None:
        """Refuse what is still being copied, whatever else was found in it so far."""
        for source, error in self._watch.growing():
            self._refused[source] = error
            self._skipped.pop(source, None)
            for picture, sounds in self._companions.items():
                if source in sounds:
                    self._refused[picture] = error

    def jobs(self) -> tuple[PlannedJob, ...]:
        """What is left to encode."""
        return tuple(map(self._job, self._left()))

    def settled(self) -> tuple[Settled, ...]:
        """What will not be sent, in natural order."""
        settled = [*self._discovery.refused, *self._discovery.repeated]
        settled += [self._settle(source, error) for source, error in self._refused.items()]
        settled += self._skipped.values()
        return tuple(sorted(settled, key=lambda entry: natural_key(Path(entry.source))))

    def _left(self) -> list[Path]:
        done = self._refused.keys() | self._skipped.keys()
        return [source for source in self._discovery.sources if source not in done]

    def _each(self, step: Callable[[Path], None]) -> None:
        """Take a step for every source that is left; what it raises settles that source."""
        for source in self._left():
            try:
                step(source)
            except (SourceUnreadable, JobFailed) as error:
                self._refused[source] = error

    def _name_output(self, source: Path) -> None:
        self._outputs[source] = destination(
            source,
            common_root=self._discovery.common_root,
            output=self._output,
            extension=self._preset.extension,
            layout=self._options.layout,
        )

    def _is_newer(self, output: Path, source: Path) -> bool:
        made, given = stamp(output), stamp(source)
        if made is None or given is None:
            return False
        return not is_older(made[1] / 1e9, given[1] / 1e9, self._tools.clock())

    def _read_source(self, source: Path) -> None:
        media = self._probed[source]
        if isinstance(media, SourceUnreadable):
            raise media
        if media.missing_bytes and not self._options.allow_damaged:
            what = f"incomplete file: its last {media.missing_bytes} bytes are missing"
            hint = "copy it again, or wait until it is copied; --allow-damaged makes what is there"
            raise refusal(source, FailureKind.SOURCE_DAMAGED, what, hint)
        self._media[source] = media
        try:
            self._streams[source] = plan_streams(media, self._preset)
        except JobFailed as error:
            # Who names a folder means what in it suits the preset: sound lies beside pictures.
            if error.kind is FailureKind.SOURCE_UNSUITABLE and source not in self._discovery.named:
                warning = JobWarning(code=error.kind.value, message=error.message)
                self._skip(source, None, (warning,))
                return
            what = f"{printable(source)}: {error.message}"
            raise JobFailed(error.kind, what, error.hint) from None

    def _all_sources(self) -> list[Path]:
        """Also the names that were refused: nothing that was named may be overwritten."""
        others = (*self._discovery.refused, *self._discovery.repeated)
        return [*self._discovery.sources, *(Path(other.source) for other in others)]

    def _look_at_existing(self, source: Path) -> None:
        output = self._outputs[source]
        if not os.path.lexists(output):
            return
        if is_folder(output):
            raise _exists(source, f"a folder has the name of its output {printable(output)}", "")
        if self._options.if_exists == "fail":
            hint = "--if-exists replace makes it again"
            raise _exists(source, f"its output {printable(output)} exists", hint)
        reason = self._why_again(source, output)
        if reason is None:
            self._skip(source, output, differences(self._probed[output], self._preset))
        else:
            self._again[source] = reason

    def _why_again(self, source: Path, output: Path) -> str | None:
        """Why an output that exists is made again; None if it may stand."""
        if self._options.if_exists == "replace":
            return "--if-exists replace"
        if not output.is_file():
            return "it is no file"
        found = self._probed.get(output)
        media = self._media[source]
        if isinstance(found, MediaInfo) and (why := other_clip(found, media, self._preset)):
            what = f"its output {printable(output)} exists, made of another clip: {why}"
            hint = "--if-exists rename keeps both, --if-exists replace only this one"
            raise _exists(source, what, hint)
        if found is None or not self._is_newer(output, source):
            return "it is older than its source"
        return shortcoming(found, media, self._streams[source], self._preset)

    def _require_writable_folder(self, source: Path) -> None:
        folder = self._outputs[source].parent
        if folder not in self._writable:
            self._writable[folder] = _why_not_writable(folder)
        if why := self._writable[folder]:
            raise JobFailed(
                FailureKind.PERMISSION,
                f"{printable(source)}: {why}",
                "ask for access, or choose another folder with --output",
            )

    def _job(self, source: Path) -> PlannedJob:
        media, streams = self._media[source], self._streams[source]
        return PlannedJob(
            source=source,
            output=self._outputs[source],
            media=media,
            warnings=streams.warnings,
            estimated_bytes=estimated_bytes(self._preset, media, streams),
            # Also where none is to be seen from here: the worker's storage may show one.
            replace=source in self._again or self._options.if_exists == "replace",
            allow_damaged=self._options.allow_damaged,
            companions=self._companions.get(source, ()),
            reason=self._again.get(source, ""),
        )

    def _settle(self, source: Path, error: SourceUnreadable | JobFailed) -> Settled:
        problem = Problem(kind=error.kind, message=error.message, hint=error.hint)
        output = self._outputs.get(source)
        return Settled(
            source=str(source),
            output=str(output) if output else None,
            state=JobState.REFUSED,
            problem=problem,
        )

    def _skip(self, source: Path, output: Path | None, said: tuple[JobWarning, ...]) -> None:
        self._skipped[source] = Settled(
            source=str(source),
            output=str(output) if output else None,
            state=JobState.SKIPPED,
            warnings=said,
        )


def _exists(source: Path, what: str, hint: str) -> JobFailed:
    return JobFailed(FailureKind.OUTPUT_EXISTS, f"{printable(source)}: {what}", hint)


def _why_not_writable(folder: Path) -> str | None:
    """Why no file can be made in a folder that may not exist yet; None if one can."""
    there = next(parent for parent in (folder, *folder.parents) if os.path.lexists(parent))
    if not is_folder(there):
        return f"{printable(there)} is no folder, so nothing can be written there"
    if not os.access(there, os.W_OK | os.X_OK):
        return f"no permission to write to {printable(there)}"
    return None
