"""Sound after real encodes; ids in docstrings are field cases."""

from pathlib import Path
from typing import Any

import clips
import pytest
from encodes import WAV, pitches, transcode

from proxima.media import SoundStream


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four mono tracks and a timecode, at 25 frames a second."""
    return clips.good_clip(tmp_path_factory.mktemp("plain"), "plain.mov", tracks=4)


@pytest.mark.parametrize("preset", [{}, {"container": "mxf"}, {"sound_codec": "aac"}])
def test_mono_tracks_stay_tracks_in_their_order(tmp_path: Path, preset: dict[str, Any]) -> None:
    """AU-01, AU-02."""
    source = clips.good_clip(tmp_path, "mono.mxf", tracks=8)
    output = transcode(source, **preset)
    assert pitches(output.path) == [[220 * n] for n in range(1, 9)]
    assert str(output.info.timecode) == "10:00:00:00"


def test_tracks_become_channels_of_a_wav_in_their_order(plain: Path) -> None:
    output = transcode(plain, **WAV)
    assert pitches(output.path) == [[220, 440, 660, 880]]
    assert output.info.sound[0].layout is None
    assert output.info.time_reference == 36000 * 48000


@pytest.mark.parametrize("container", ["mov", "mkv"])
def test_sound_alone_keeps_its_tracks(plain: Path, container: str) -> None:
    output = transcode(plain, keep="alone", **{**WAV, "container": container})
    assert pitches(output.path) == [[220], [440], [660], [880]]
    assert output.info.video == ()


def test_a_recorders_wav_keeps_its_time(tmp_path: Path) -> None:
    """TC-13."""
    assert transcode(clips.broadcast_wave(tmp_path), **WAV).info.time_reference == 172_800_000


def names(track: SoundStream) -> tuple[str | None, str | None, str | None]:
    return track.language, track.title, track.handler


@pytest.mark.parametrize("container", ["mov", "mkv"])
def test_languages_and_names_of_tracks_are_kept(tmp_path: Path, container: str) -> None:
    """AU-05."""
    source = clips.make_clip(
        tmp_path,
        "named.mov",
        *(*clips.picture(), *clips.tones(2), "-map", "1", "-map", "0", "-map", "2"),
        *(*clips.H264, "-c:a", "aac", "-metadata:s:a:0", "language=fra"),
        *("-metadata:s:a:0", "title=Lav", "-metadata:s:a:1", "handler_name=Boom"),
    )
    output = transcode(source, container=container)
    assert [names(t) for t in output.info.sound] == [("fra", "Lav", None), (None, None, "Boom")]


def many_channels(folder: Path, count: int) -> Path:
    """One track whose channels have no speakers."""
    tones = "|".join(f"sin({220 * (n + 1)}*2*PI*t)" for n in range(count))
    source = f"aevalsrc='{tones}':s=48000:d=1:c={count}c,aformat=channel_layouts={count}c"
    return clips.make_clip(
        folder,
        "many.mkv",
        *(*clips.picture(), "-f", "lavfi", "-i", source, *clips.all_inputs(2)),
        *(*clips.H264, "-c:a", "pcm_s24le"),
    )


@pytest.mark.parametrize(("count", "codec"), [(2, "aac"), (8, "aac"), (16, "pcm_s16le")])
def test_channels_without_speakers_stay_together(tmp_path: Path, count: int, codec: str) -> None:
    """AU-04."""
    source = many_channels(tmp_path, count)
    output = transcode(source)
    assert pitches(output.path) == [[220 * (n + 1) for n in range(count)]]
    assert output.info.sound[0].layout is None
    (track,) = transcode(source, keep="aac", sound_codec="aac").info.sound
    assert (track.codec, track.channels) == (codec, count)


def test_tracks_of_different_rates_stay_different(tmp_path: Path) -> None:
    """AU-10."""
    source = clips.make_clip(
        tmp_path,
        "rates.mov",
        *(*clips.picture(), *clips.tones(1, rate=44100), *clips.tones(1), *clips.all_inputs(3)),
        *(*clips.H264, "-c:a", "aac", "-ac:a:0", "2"),
    )
    found = [(t.sample_rate, t.channels) for t in transcode(source).info.sound]
    assert found == [(44100, 2), (48000, 1)]
    mxf = transcode(source, container="mxf").info.sound
    assert [t.sample_rate for t in mxf] == [48000, 48000]


def test_sound_without_a_decoder_does_not_end_the_job(tmp_path: Path) -> None:
    """AU-11."""
    assert len(transcode(clips.undecodable_sound(tmp_path)).info.sound) == 1
