"""Encoder: from a job's paths to a verified scratch."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypedDict

from proxima.composite import stamp
from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.binaries import find_tonemapper
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.damage import damage
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.estimate import estimated_bytes, is_exact
from proxima.ffmpeg.frame_rate import parse_rate
from proxima.ffmpeg.probe import probe
from proxima.ffmpeg.probe_sequence import SequenceRate
from proxima.ffmpeg.similarity import compare_command
from proxima.ffmpeg.stall import StallWatch
from proxima.ffmpeg.stream_plan import plan_streams
from proxima.ffmpeg.tonemap import Tonemapper
from proxima.job import Job, JobWarning, Ssim
from proxima.media import MediaInfo
from proxima.preset import Preset
from proxima.progress import Progress, Reading, Stage
from proxima.worker.access import Access, permitted
from proxima.worker.blackness import refuse_black
from proxima.worker.comparison import compare
from proxima.worker.disk_space import DiskSpace, Usage, usage_of
from proxima.worker.findings import findings
from proxima.worker.lease_keeper import HeldLease
from proxima.worker.log_folder import log_file
from proxima.worker.report import Reporter
from proxima.worker.scratch import Scratch
from proxima.worker.slot_board import Slot
from proxima.worker.verify import verify


class _Given(TypedDict):
    """What every command of ffmpeg for a job must know."""

    ffmpeg: Path
    source: Path
    media: MediaInfo
    preset: Preset
    threads: int
    tonemapper: Tonemapper


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """What is to be said of a verified scratch."""

    warnings: tuple[JobWarning, ...]
    ssim: Ssim | None


@dataclass(frozen=True, kw_only=True)
class Encoder:
    """Encodes for all slots of a worker."""

    ffmpeg: Path
    #: Of ffmpeg, in each slot.
    threads: int
    #: Lower priority for the operating system, 0 to 19.
    nice: int
    allowed_args: tuple[str, ...]
    log_folder: Path
    access: Access
    usage: Usage = usage_of

    def encode(self, job: Job, preset: Preset, scratch: Scratch, step: "Step") -> "Encoded":
        """Fill *scratch* and verify it; JobFailed, OSError or WorkStopped."""
        step.tell(Stage.PROBING)
        source = self.access.source(job.source)
        _refuse_overwriting(source, scratch.output, job)
        before = stamp(source)
        media = probe(source, SequenceRate(said=_rate(job)))
        companions = [self.access.source(file) for file in job.companions]
        media = media.with_sound([probe(file) for file in companions])
        streams = plan_streams(media, preset)
        given = self._given(source, media, preset)
        allowed = permitted(preset.extra_args, self.allowed_args, step.worker)
        argv = encode_command(
            scratch=scratch.path, companions=companions, extra_args=allowed, **given
        )
        scratch.prepare()
        space = DiskSpace(scratch.path.parent, self.usage)
        space.require(estimated_bytes(preset, media, streams), is_exact=is_exact(preset))
        log = self._log(job, step)
        try:
            self._run(argv, job, log, step, space)
            step.tell(Stage.VERIFYING)
            found = damage(log, media.codecs)
            output = verify(
                scratch.path,
                media=media,
                preset=preset,
                frames_encoded=step.frames,
                damage=found,
                allow_damaged=job.allow_damaged,
            )
            refuse_black(scratch.path, output, source=source, media=media)
            ssim = None
            if step.is_thorough and output.picture:
                argv = compare_command(output=scratch.path, made=output, **given)
                ssim = self._compare(argv, output.picture.frame_count, log, step)
            self._refuse_changes(job, before)
        except JobFailed as failure:
            raise _naming_log(failure, f"{log} on {step.worker}") from failure
        told = findings(
            output, media=media, preset=preset, frames_encoded=step.frames, damage=found
        )
        return Encoded(warnings=(*streams.warnings, *told), ssim=ssim)

    def _given(self, source: Path, media: MediaInfo, preset: Preset) -> "_Given":
        return {
            "ffmpeg": self.ffmpeg,
            "source": source,
            "media": media,
            "preset": preset,
            "threads": self.threads,
            "tonemapper": find_tonemapper(self.ffmpeg) if preset.tonemap != "no" else "zscale",
        }

    def _refuse_changes(self, job: Job, before: tuple[int, int]) -> None:
        """JobFailed if the source was written to meanwhile, or a path now leads elsewhere."""
        self.access.output(job.output)
        now = stamp(self.access.source(job.source))
        if now != before:
            raise JobFailed(
                FailureKind.SOURCE_GROWING,
                f"{job.source} was written to while it was encoded"
                f" (bytes before: {before[0]}, after: {now[0]})",
                "queue it again when nothing writes to it any more",
            )

    def _compare(self, argv: list[str], frames: int | None, log: Path, step: "Step") -> Ssim:
        return compare(
            argv,
            expected=frames or step.frames,
            log=log.with_suffix(".compare"),
            should_stop=step.must_stop,
            nice=self.nice,
            stall=StallWatch(step.stall_seconds),
        )

    def _run(self, argv: list[str], job: Job, log: Path, step: "Step", space: DiskSpace) -> None:
        def must_stop() -> bool:
            space.check()
            return step.must_stop()

        def is_suspended() -> bool:
            step.tell_rest()
            return step.is_suspended

        step.tell(Stage.ENCODING)
        try:
            for progress in encode(
                argv,
                duration=job.seconds,
                log=log,
                should_stop=must_stop,
                nice=self.nice,
                stall=StallWatch(step.stall_seconds),
                is_suspended=is_suspended,
            ):
                step.tell(Stage.ENCODING, progress)
        except OSError as error:
            if error.filename != argv[0]:
                raise
            raise JobFailed(
                FailureKind.FFMPEG_MISSING,
                f"{argv[0]} cannot be run: {error.strerror}",
                "correct [worker] ffmpeg there, or leave it empty",
            ) from error

    def _log(self, job: Job, step: "Step") -> Path:
        log = log_file(self.log_folder, job.id, step.attempt)
        log.parent.mkdir(parents=True, exist_ok=True)
        return log


class Step:
    """Where one job is just now: told to the farm and to the worker's screen."""

    def __init__(
        self,
        held: HeldLease,
        slot: Slot,
        reporter: Reporter,
        stopping: Callable[[], bool],
        stall_seconds: float = 120.0,
        *,
        is_thorough: bool = False,
    ) -> None:
        self._held, self._slot, self._reporter, self._stopping = held, slot, reporter, stopping
        self._last: Progress | None = None
        self._rests = False
        #: Whether it has stood still for a while: its time tells nothing of its speed.
        self.has_rested = False
        #: Without progress, after which the encode is ended.
        self.stall_seconds = stall_seconds
        #: Whether to compare every picture.
        self.is_thorough = is_thorough
        self.worker = held.lease.worker
        self.attempt = held.lease.attempt

    @property
    def frames(self) -> int | None:
        """Frames that ffmpeg says it wrote; None if it said nothing."""
        return self._last.frame if self._last else None

    @property
    def is_suspended(self) -> bool:
        """Whether the encode has to stand still."""
        return self._held.suspended

    def tell_rest(self) -> None:
        """Report that the encode stands still, or goes on."""
        if self._rests != self._held.suspended:
            self._rests = self._held.suspended
            self.has_rested = True
            self.tell(Stage.SUSPENDED if self._rests else Stage.ENCODING)

    def must_stop(self) -> bool:
        """Whether the job has to be dropped."""
        return self._stopping() or self._held.must_stop()

    def tell(self, stage: Stage, progress: Progress | None = None) -> None:
        """Report a stage, or a position in it."""
        last = self._last = progress or self._last
        if stage is Stage.ENCODING and self._rests:
            # What ffmpeg said before it was made to stand still.
            stage = Stage.SUSPENDED
        fraction = last.fraction if last else None
        reading = Reading(
            worker=self.worker,
            slot=self._slot.number,
            attempt=self.attempt,
            stage=stage,
            # Never 100 before it is done.
            percent=None if fraction is None else min(round(fraction * 100, 2), 99.9),
            position=last.position if last else 0.0,
            frame=last.frame if last else 0,
            fps=last.fps if last else None,
            speed=last.speed if last else None,
            eta_seconds=last.eta_seconds if last else None,
        )
        self._slot.show(reading)
        self._reporter.put(self._held.lease.job_id, reading)


def _naming_log(failure: JobFailed, log: str) -> JobFailed:
    hint = f"{failure.hint}; log: {log}" if failure.hint else f"log: {log}"
    return JobFailed(failure.kind, failure.message, hint)


def _rate(job: Job) -> Fraction | None:
    """Of an image sequence; JobFailed if it is none."""
    rate = parse_rate(job.rate) if job.rate else None
    if job.rate and not rate:
        raise JobFailed(FailureKind.MESSAGE_INVALID, f"{job.rate[:20]!r} is no frame rate")
    return rate


def _refuse_overwriting(source: Path, output: Path, job: Job) -> None:
    """JobFailed if *output* exists and may not be replaced, or is the source itself."""
    if not output.exists():
        return
    if source.exists() and source.samefile(output):
        raise JobFailed(
            FailureKind.PATH_REFUSED,
            f"{job.output} is the source itself under another name",
            "choose another --output",
        )
    if not job.replace:
        raise JobFailed(
            FailureKind.OUTPUT_EXISTS,
            f"{job.output} exists already",
            "queue it again with --if-exists replace or rename",
        )
