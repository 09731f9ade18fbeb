"""Files that probing refuses, each with its reason; the ids are the field cases."""

import socket
from collections.abc import Callable
from pathlib import Path

import clips
import pytest

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.probe import probe

_HLS = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{}\n#EXT-X-ENDLIST\n"
_SDP = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\n"
_MPD = '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static">'
#: Texts that make ffmpeg open something else, unless it is kept from it.
PLAYLISTS = {
    "hls web": _HLS.format("{url}"),
    "hls file": _HLS.format("{file}"),
    "ffconcat web": "ffconcat version 1.0\nfile {url}\n",
    "ffconcat file": "ffconcat version 1.0\nfile {file}\n",
    "concat": "file '{file}'\n",
    "sdp": _SDP + "m=video {port} RTP/AVP 33\n",
    "dash": _MPD + "<Period><BaseURL>{url}</BaseURL></Period></MPD>",
    "pls": "[playlist]\nFile1={url}\n",
}


def refused(path: Path) -> SourceUnreadable:
    with pytest.raises(SourceUnreadable) as caught:
        probe(path)
    return caught.value


@pytest.mark.parametrize(
    ("make", "kind", "what"),
    [
        pytest.param(clips.empty_file, "damaged", "file is empty", id="BR-01"),
        pytest.param(
            clips.without_moov, "damaged", "incomplete file (moov atom not found)", id="BR-02"
        ),
        pytest.param(clips.zeros, "damaged", "holds only zeros", id="BR-07"),
        pytest.param(
            clips.garbage_samples,
            "damaged",
            "no frame of its picture (h264) can be decoded",
            id="BR-11",
        ),
        pytest.param(
            clips.camera_raw, "unsupported", "camera RAW (R3D) is not supported", id="CA-07"
        ),
        pytest.param(
            clips.undecodable_picture,
            "unsupported",
            "there is no decoder for its picture (codec 'b3dx')",
            id="CA-08",
        ),
        pytest.param(
            clips.appledouble,
            "unsupported",
            "not a clip, only what macOS noted about A001C001.mov",
            id="CA-10",
        ),
        pytest.param(clips.still_picture, "unsupported", "a still picture, not a clip", id="IM-04"),
        pytest.param(clips.text_named_mov, "unsupported", "text, not a media file", id="text"),
    ],
)
def test_a_file_without_media_says_why(
    tmp_path: Path, make: Callable[[Path], Path], kind: str, what: str
) -> None:
    path = make(tmp_path)
    error = refused(path)
    assert error.kind is FailureKind(f"source_{kind}")
    assert error.message.startswith(f"{path}: {what}")


def test_a_movie_without_streams_is_unsuitable(tmp_path: Path) -> None:
    """BR-12."""
    whole = clips.good_clip(tmp_path, timecode="", tracks=0)
    nothing = ("-frames:v", "0", "-f", "mov")
    path = clips.make_clip(tmp_path, "nothing.mov", "-i", str(whole), *clips.H264, *nothing)
    error = refused(path)
    assert error.kind is FailureKind.SOURCE_UNSUITABLE
    assert error.message == f"{path}: holds neither moving pictures nor sound"


def test_a_movie_of_sound_that_nobody_decodes_is_unsupported(tmp_path: Path) -> None:
    path = clips.sound_only(tmp_path)
    clips.mp4_patch.set_fourcc(path, 0, "ac-4")
    error = refused(path)
    assert error.kind is FailureKind.SOURCE_UNSUPPORTED
    assert error.message == f"{path}: there is no decoder for its sound (ac-4)"


def test_an_encrypted_picture_is_unsupported(tmp_path: Path) -> None:
    key = ("-encryption_key", "00" * 16, "-encryption_kid", "11" * 16)
    scheme = ("-encryption_scheme", "cenc-aes-ctr", *key)
    path = clips.good_clip(tmp_path, "secret.mp4", timecode="", tracks=1, extra=scheme)
    error = refused(path)
    assert error.kind is FailureKind.SOURCE_UNSUPPORTED
    assert error.message == f"{path}: the picture is encrypted"


def test_random_bytes_are_not_taken_for_sound(tmp_path: Path) -> None:
    path = tmp_path / "noise.mov"
    path.write_bytes(clips.random.Random(1).randbytes(100_000))
    assert refused(path).kind is FailureKind.SOURCE_DAMAGED


@pytest.fixture
def web():
    """A port of this machine that hangs up on whoever comes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server


@pytest.mark.parametrize("text", PLAYLISTS.values(), ids=PLAYLISTS)
@pytest.mark.parametrize("name", ["list.mov", "list.m3u8", "list.ffconcat", "list.sdp", "list.mpd"])
def test_a_playlist_reads_and_fetches_nothing(
    tmp_path: Path, web: socket.socket, text: str, name: str
) -> None:
    good = clips.good_clip(tmp_path, "good.mov", tracks=0)
    port = web.getsockname()[1]
    words = text.format(url=f"http://127.0.0.1:{port}/x.ts", file=good, port=port)
    error = refused(clips.text_named_mov(tmp_path, name, words))
    assert error.kind is FailureKind.SOURCE_UNSUPPORTED
    with pytest.raises(BlockingIOError):
        web.accept()


def test_a_name_with_a_pattern_reads_no_other_file(tmp_path: Path) -> None:
    """IM-01: ffmpeg would read shot_000.jpg, shot_001.jpg, ..."""
    clips.still_picture(tmp_path, "shot_001.jpg")
    path = tmp_path / "shot_%03d.jpg"
    path.write_text("hello")
    assert refused(path).message == f"{path}: text, not a media file"
