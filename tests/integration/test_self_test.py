"""An encode on a disk that fills, and a worker that tests itself; with real files and ffmpeg."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import clips
import pytest

from proxima.broker.lease import Lease
from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.paths import PathMap, PathMaps
from proxima.preset import Preset
from proxima.worker import disk_space
from proxima.worker.access import Access
from proxima.worker.encoding import Encoder
from proxima.worker.scratch import Scratch
from proxima.worker.self_test import Ailment, SelfTest

PLENTY, NOTHING = (10**12, 10**11), (10**12, 0)
PRESET = Preset(name="prores-proxy", profile="proxy")


class Disk:
    """Room as a test says."""

    usage = PLENTY

    def __call__(self, folder):
        assert folder.exists()
        return self.usage


@pytest.fixture
def disk():
    return Disk()


@pytest.fixture
def media(tmp_path):
    folder = tmp_path / "media"
    folder.mkdir()
    return folder


@pytest.fixture
def encoder(tmp_path, media, disk):
    maps = PathMaps([PathMap(name="media", linux=str(media))], "linux", "here")
    return Encoder(
        ffmpeg=find_ffmpeg(),
        threads=1,
        nice=0,
        allowed_args=(),
        log_folder=tmp_path / "logs",
        access=Access(maps, [], "a@x"),
        usage=disk,
    )


@pytest.fixture
def job(make_job, media):
    clips.silent_clip(media, "C001.mov", seconds=5)
    return make_job(source="media:/C001.mov", output="media:/Proxy/C001.mov", seconds=5.0)


@pytest.fixture
def ailment(job):
    def ailment(kind):
        return Ailment(kind=kind, message="it failed", job=job, preset=PRESET)

    return ailment


@pytest.fixture
def step():
    return SimpleNamespace(
        worker="a@x",
        attempt=1,
        stall_seconds=60.0,
        frames=None,
        must_stop=lambda: False,
        tell=lambda *_: None,
        is_suspended=False,
        tell_rest=lambda: None,
    )


def scratch_of(media):
    lease = Lease(job_id="abcdefgh-00001", worker="a@x", attempt=1)
    return Scratch(media / "Proxy" / "C001.mov", lease)


def test_without_room_nothing_is_encoded(encoder, job, disk, media, step):
    disk.usage = NOTHING
    scratch = scratch_of(media)
    with pytest.raises(JobFailed, match="no room for the output") as failed:
        encoder.encode(job, PRESET, scratch, step)
    assert failed.value.kind is FailureKind.DISK_FULL
    assert not scratch.path.exists()


def test_a_disk_that_fills_ends_the_encode(encoder, job, disk, media, step, monkeypatch):
    monkeypatch.setattr(disk_space, "LOOK_SECONDS", 0.0)
    encoder = dataclasses.replace(encoder, ffmpeg=hanging_ffmpeg(media.parent))

    def fill():
        if scratch.path.exists():
            disk.usage = NOTHING
        return False

    step.must_stop = fill
    scratch = scratch_of(media)
    with pytest.raises(JobFailed, match="log:") as failed:
        encoder.encode(job, PRESET, scratch, step)
    assert failed.value.kind is FailureKind.DISK_FULL


def hanging_ffmpeg(folder: Path) -> Path:
    """Begins its output, and never ends."""
    program = folder / "ffmpeg.sh"
    program.write_text('#!/bin/sh\nfor last; do :; done\n: > "${last#file:}"\nsleep 600\n')
    program.chmod(0o755)
    return program


def test_an_ffmpeg_that_is_gone_is_told_as_such(encoder, job, media, step):
    encoder = dataclasses.replace(encoder, ffmpeg=media / "no-ffmpeg")
    with pytest.raises(JobFailed, match="no-ffmpeg cannot be run") as failed:
        encoder.encode(job, PRESET, scratch_of(media), step)
    assert failed.value.kind is FailureKind.FFMPEG_MISSING


def test_a_worker_that_can_do_the_job_is_well(encoder, ailment, media):
    test = SelfTest(encoder)
    for kind in (FailureKind.PERMISSION, FailureKind.DISK_FULL, FailureKind.ENCODER_MISSING):
        assert test(ailment(kind)) is None
    assert [path.name for path in media.iterdir()] == ["C001.mov"]


def test_a_full_disk_is_found(encoder, ailment, disk):
    disk.usage = NOTHING
    assert "no room in" in SelfTest(encoder)(ailment(FailureKind.DISK_FULL))


def test_a_storage_that_is_not_mounted_is_found_and_seen_again(encoder, ailment, media):
    trouble = ailment(FailureKind.MOUNT_MISSING)
    away = media.with_name("away")
    media.rename(away)
    assert "does not see media:/Proxy/C001.mov" in SelfTest(encoder)(trouble)
    away.rename(media)
    assert SelfTest(encoder)(trouble) is None


def test_a_folder_that_cannot_be_written_is_found(encoder, ailment, media):
    # A file where the folder should be: root may write into every folder.
    (media / "Proxy").touch()
    blocked = dataclasses.replace(encoder, log_folder=media / "Proxy")
    assert SelfTest(blocked)(ailment(FailureKind.PERMISSION))


def test_an_ffmpeg_that_cannot_encode_is_found(encoder, ailment, media):
    lame = dataclasses.replace(encoder, ffmpeg=media / "no-ffmpeg")
    assert "no-ffmpeg" in SelfTest(lame)(ailment(FailureKind.FFMPEG_MISSING))


def test_a_source_that_was_taken_away_is_not_the_workers_fault(encoder, ailment, media):
    trouble = ailment(FailureKind.PERMISSION)
    (media / "C001.mov").rename(media / "C002.mov")
    assert SelfTest(encoder)(trouble) is None
