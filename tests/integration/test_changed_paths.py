"""Sources and folders that somebody changes while a worker has the job; with real ffmpeg."""

import socket
from types import SimpleNamespace

import clips
import pytest

from proxima.broker.lease import Lease
from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.paths import PathMaps
from proxima.preset import Preset
from proxima.progress import Stage
from proxima.worker.access import Access
from proxima.worker.encoding import Encoder
from proxima.worker.scratch import Scratch

PRESET = Preset(name="prores-proxy", profile="proxy")


@pytest.fixture
def media(tmp_path):
    """The only root of the worker."""
    folder = tmp_path / "media"
    folder.mkdir()
    clips.silent_clip(folder, "C001.mov", seconds=1)
    return folder


@pytest.fixture
def secret(tmp_path):
    """A folder outside the roots, with a clip."""
    folder = tmp_path / "secret"
    folder.mkdir()
    clips.silent_clip(folder, "C001.mov", seconds=1)
    return folder


@pytest.fixture
def encode(tmp_path, media, make_job):
    """Encodes media/C001.mov; *change* is called when the job reaches *stage*."""

    def encode(stage: Stage, change) -> JobFailed | SourceUnreadable:
        def tell(reached: Stage, *_: object) -> None:
            if reached is stage and not done:
                done.append(change())

        done: list[object] = []
        access = Access(PathMaps([], "linux", "here"), [str(media)], "a@x")
        encoder = Encoder(
            ffmpeg=find_ffmpeg(),
            threads=1,
            nice=0,
            allowed_args=(),
            log_folder=tmp_path / "logs",
            access=access,
        )
        job = make_job(source=str(media / "C001.mov"), output=str(media / "Proxy" / "C001.mov"))
        scratch = Scratch(access.output(job.output), Lease(job_id=job.id, worker="a@x", attempt=1))
        step = SimpleNamespace(
            worker="a@x",
            attempt=1,
            stall_seconds=60.0,
            frames=None,
            is_thorough=False,
            is_suspended=False,
            must_stop=lambda: False,
            tell=tell,
            tell_rest=lambda: None,
        )
        with pytest.raises((JobFailed, SourceUnreadable)) as failed:
            encoder.encode(job, PRESET, scratch, step)
        assert done
        return failed.value

    return encode


def test_a_source_that_is_written_to_meanwhile_is_refused(encode, media):
    """As a copy does that paused while it was planned."""
    source = media / "C001.mov"
    size = source.stat().st_size

    def grow():
        with source.open("ab") as file:
            file.write(bytes(8))

    failed = encode(Stage.VERIFYING, grow)
    assert failed.kind is FailureKind.SOURCE_GROWING
    assert f"(bytes before: {size}, after: {size + 8})" in failed.message


def test_a_source_that_becomes_a_link_out_of_the_roots_is_refused(encode, media, secret):
    source = media / "C001.mov"

    def swap():
        source.unlink()
        source.symlink_to(secret / "C001.mov")

    assert encode(Stage.ENCODING, swap).kind is FailureKind.PATH_REFUSED


def test_an_output_folder_that_becomes_a_link_out_of_the_roots_is_refused(encode, media, secret):
    def swap():
        (media / "Proxy").rename(media / "Proxy.old")
        (media / "Proxy").symlink_to(secret)
        # What ffmpeg wrote, so that verifying it finds something.
        for scratch in (media / "Proxy.old").iterdir():
            scratch.rename(secret / scratch.name)

    assert encode(Stage.VERIFYING, swap).kind is FailureKind.PATH_REFUSED
    assert (secret / "C001.mov").stat().st_size > 0


@pytest.mark.parametrize(
    ("stage", "why"),
    [(Stage.PROBING, "a list of files"), (Stage.ENCODING, "Format not on whitelist")],
)
def test_a_source_that_becomes_a_playlist_fetches_nothing(encode, media, secret, stage, why):
    with socket.create_server(("127.0.0.1", 0)) as web:
        web.settimeout(0)
        url = f"http://127.0.0.1:{web.getsockname()[1]}/x.ts"
        text = f"ffconcat version 1.0\nfile {secret / 'C001.mov'}\nfile {url}\n"
        failed = encode(stage, lambda: (media / "C001.mov").write_text(text))
        assert why in str(failed)
        with pytest.raises(BlockingIOError):
            web.accept()
