"""Small clips for tests, made with the ffmpeg that encodes; each call makes a new file.

Every builder takes the folder first and returns the path. Keep what is costly in a fixture.
"""

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import imageio_ffmpeg
import mp4_patch

H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-g", "12", "-pix_fmt", "yuv420p")
#: What fits into each container: picture codec, sound codec.
_CODECS = {
    ".mov": (*H264, "-c:a", "pcm_s24le"),
    ".mp4": (*H264, "-c:a", "aac"),
    ".mkv": (*H264, "-c:a", "pcm_s16le"),
    ".mxf": ("-c:v", "mpeg2video", "-q:v", "5", "-c:a", "pcm_s24le"),
    ".ts": (*H264, "-c:a", "mp2"),
}
_SUBTITLE = "1\n00:00:00,000 --> 00:00:00,800\nHello\n\n"


def run_ffmpeg(*args: str) -> None:
    """Run ffmpeg; what it says on failure is the message."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-nostdin", "-y", *args]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stderr.decode(errors='replace')}")


def make_clip(folder: Path, name: str, *args: str) -> Path:
    """A clip by ffmpeg's arguments (inputs and output options, not the output)."""
    path = folder.absolute() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    run_ffmpeg(*args, f"file:{path}")
    return path


def picture(
    seconds: float = 1, rate: str = "25", size: str = "320x180", then: str = ""
) -> tuple[str, ...]:
    """Arguments for a moving test picture; *then* are further filters."""
    graph = f"testsrc2=s={size}:r={rate}:d={seconds}"
    return ("-f", "lavfi", "-i", ",".join(filter(None, (graph, then))))


def tones(count: int, seconds: float = 1, rate: int = 48000) -> list[str]:
    """Arguments for mono sounds, each of another pitch."""
    sources = [f"sine=f={220 * (n + 1)}:r={rate}:d={seconds}" for n in range(count)]
    return [arg for source in sources for arg in ("-f", "lavfi", "-i", source)]


def all_inputs(count: int) -> list[str]:
    """Arguments that take every stream of *count* inputs, in their order."""
    return [arg for n in range(count) for arg in ("-map", str(n))]


def good_clip(
    folder: Path,
    name: str = "A001C001.mov",
    *,
    seconds: float = 1,
    rate: str = "25",
    timecode: str = "10:00:00:00",
    tracks: int = 2,
    extra: Sequence[str] = (),
) -> Path:
    """A clip with timecode and mono tracks; the name's suffix says which container."""
    return make_clip(
        folder,
        name,
        *picture(seconds, rate),
        *tones(tracks, seconds),
        *all_inputs(1 + tracks),
        *_CODECS[Path(name).suffix.lower()],
        *(("-timecode", timecode) if timecode else ()),
        *extra,
    )


def drop_frame_clip(folder: Path, name: str = "drop_frame.mov", seconds: float = 1) -> Path:
    """29.97 frames a second, starting at 01:00:00;02."""
    return good_clip(folder, name, seconds=seconds, rate="30000/1001", timecode="01:00:00;02")


def silent_clip(folder: Path, name: str = "silent.mov", seconds: float = 1) -> Path:
    """No sound track at all."""
    return good_clip(folder, name, seconds=seconds, tracks=0)


def sound_only(folder: Path, name: str = "sound.mov") -> Path:
    """A movie file without a picture."""
    return make_clip(folder, name, *tones(1), "-c:a", "pcm_s24le", "-ac", "2")


def broadcast_wave(folder: Path, name: str = "S1T1.wav", reference: int = 172_800_000) -> Path:
    """A field recorder's sound, whose start is a count of samples since midnight."""
    tags = (
        f"time_reference={reference}",
        "origination_date=2026-05-01",
        "origination_time=12:30:00",
    )
    bext = ("-write_bext", "1", *(arg for tag in tags for arg in ("-metadata", tag)))
    return make_clip(folder, name, *tones(1), "-c:a", "pcm_s24le", *bext)


def clip_with_cover_art(folder: Path, name: str = "cover.mp4") -> Path:
    """A clip (mp4 or mkv) with an attached picture."""
    cover = still_picture(folder, "cover_art.jpg")
    if name.endswith(".mkv"):
        attach = ("-attach", str(cover), "-metadata:s:t", "mimetype=image/jpeg")
        return make_clip(folder, name, *picture(), *H264, *attach)
    return make_clip(
        folder,
        name,
        *("-i", str(cover), *picture(), *tones(1)),
        *("-map", "1:v", "-map", "0:v", "-map", "2", *H264, "-c:a", "aac"),
        *("-c:v:1", "mjpeg", "-pix_fmt:v:1", "yuvj420p", "-disposition:v:1", "attached_pic"),
    )


def sound_with_cover_art(folder: Path, name: str = "song.m4a") -> Path:
    """Music with its cover: the only picture does not move."""
    cover = still_picture(folder, "cover_art.jpg")
    art = ("-c:v", "mjpeg", "-disposition:v", "attached_pic")
    return make_clip(folder, name, *tones(1), "-i", str(cover), *all_inputs(2), "-c:a", "aac", *art)


def still_picture(folder: Path, name: str = "still.jpg") -> Path:
    """One picture, no clip."""
    return make_clip(folder, name, *picture(size="160x90"), "-frames:v", "1", "-update", "1")


def rotated_clip(folder: Path, degrees: int, name: str = "phone.mov") -> Path:
    """A phone's clip that a player turns by *degrees* clockwise."""
    path = good_clip(folder, name, timecode="", tracks=1)
    mp4_patch.set_matrix(path, 0, mp4_patch.TURNED[degrees])
    return path


def mirrored_clip(folder: Path, name: str = "selfie.mov") -> Path:
    """A front camera's clip that a player mirrors."""
    path = good_clip(folder, name, timecode="", tracks=0)
    mp4_patch.set_matrix(path, 0, mp4_patch.MIRRORED)
    return path


def interlaced_clip(folder: Path, name: str = "interlaced.mov", *, top_first: bool = True) -> Path:
    """25 frames a second of two fields: H.264 in mov and ts, MPEG-2 in mxf, ProRes by name."""
    field = "top" if top_first else "bottom"
    codec = (*H264, "-g", "1") if not name.endswith(".mxf") else ("-c:v", "mpeg2video", "-q:v", "5")
    if "prores" in name:
        codec = ("-c:v", "prores_ks", "-profile:v", "0")
    return make_clip(
        folder,
        name,
        *picture(rate="50", then=f"tinterlace=interleave_{field}"),
        *codec,
        *("-flags", "+ildct+ilme"),
    )


def dv_clip(folder: Path, name: str = "dv.mov") -> Path:
    """DV PAL wide screen: bottom field first, which its header does not say."""
    shape = "tinterlace=interleave_bottom,setsar=64/45"
    return make_clip(
        folder,
        name,
        *picture(0.4, rate="50", size="720x576", then=shape),
        *("-c:v", "dvvideo", "-pix_fmt", "yuv420p", "-flags", "+ildct"),
    )


def variable_rate_clip(folder: Path, name: str = "variable.mp4") -> Path:
    """A phone that goes from 30 to 60 frames a second after a second: 90 frames in 2 s."""
    select = "select='if(lt(t,1),not(mod(n,2)),1)'"
    return make_clip(
        folder,
        name,
        *picture(2, rate="60", then=select),
        *(*H264, "-fps_mode", "vfr", "-video_track_timescale", "600"),
    )


def jittery_clip(folder: Path, name: str = "jitter.mp4") -> Path:
    """30 frames a second, each up to 4 ms early or late."""
    jitter = "settb=1/90000,setpts='N*3000+round(400*sin(N*1.7))'"
    return make_clip(
        folder,
        name,
        *picture(rate="30", then=jitter),
        *("-fps_mode", "passthrough", "-enc_time_base", "1/90000", *H264),
        *("-video_track_timescale", "90000"),
    )


def gappy_clip(folder: Path, name: str = "screen.mp4") -> Path:
    """A screen recording: 7 frames in 10 s."""
    select = "select='eq(n,0)+eq(n,5)+gte(n,295)'"
    return make_clip(folder, name, *picture(10, "30", then=select), "-fps_mode", "vfr", *H264)


def trimmed_clip(folder: Path, name: str = "trimmed.mov") -> Path:
    """A cut without encoding: 100 frames in the file, of which an edit list shows 67."""
    whole = make_clip(
        folder,
        f"whole_{Path(name).stem}.mp4",
        *(*picture(4), *tones(1, 4), "-c:v", "libx264", "-preset", "ultrafast"),
        *("-g", "100", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac"),
    )
    path = make_clip(folder, name, "-ss", "1.3", "-i", str(whole), "-c", "copy")
    whole.unlink()
    return path


def shortened_clip(folder: Path, name: str = "shortened.mp4") -> Path:
    """50 frames, but the header's durations say a quarter of it."""
    path = good_clip(folder, name, seconds=2, timecode="", tracks=1)
    mp4_patch.scale_durations(path, 0.25)
    return path


def fragmented_clip(folder: Path, name: str = "fragmented.mp4") -> Path:
    """No table of samples in the header."""
    fragments = ("-movflags", "frag_keyframe+empty_moov")
    return good_clip(folder, name, timecode="", tracks=0, extra=fragments)


def truncated_fast_start(folder: Path, name: str = "truncated.mp4", seconds: float = 4) -> Path:
    """The first half of a file whose header comes first: opens, but half its frames are gone."""
    path = good_clip(
        folder, name, seconds=seconds, timecode="", tracks=1, extra=("-movflags", "+faststart")
    )
    return _cut(path, 0.5)


def truncated_matroska(folder: Path, name: str = "truncated.mkv") -> Path:
    """The first part of a Matroska file."""
    return _cut(good_clip(folder, name), 0.8)


def without_moov(folder: Path, name: str = "no_moov.mp4") -> Path:
    """A recorder that lost power before it wrote the header."""
    return _cut(good_clip(folder, name), 0.7)


def garbage_samples(folder: Path, name: str = "garbage.mp4") -> Path:
    """A good header, and zeros for every sample."""
    path = good_clip(folder, name, timecode="", tracks=1, extra=("-movflags", "+faststart"))
    data = path.read_bytes()
    start = data.index(b"mdat") + 4
    path.write_bytes(data[:start] + bytes(len(data) - start))
    return path


def bit_rot(folder: Path, name: str = "bit_rot.mp4", seconds: float = 4) -> Path:
    """Wrong bytes in the middle third: all frames are there, some are damaged."""
    path = good_clip(
        folder, name, seconds=seconds, timecode="", tracks=1, extra=("-movflags", "+faststart")
    )
    data = bytearray(path.read_bytes())
    chance = random.Random(7)
    for place in range(len(data) // 3, len(data) * 2 // 3, 97):
        data[place] = chance.randrange(256)
    path.write_bytes(data)
    return path


def empty_file(folder: Path, name: str = "empty.mov") -> Path:
    """Zero bytes."""
    return _written(folder, name, b"")


def zeros(folder: Path, name: str = "zeros.mp4") -> Path:
    """Reserved, but never written."""
    return _written(folder, name, bytes(65536))


def text_named_mov(folder: Path, name: str = "text.mov", text: str = "hello\n") -> Path:
    """No media at all."""
    return _written(folder, name, text.encode())


def appledouble(folder: Path, name: str = "._A001C001.mov") -> Path:
    """What macOS leaves beside a clip on a foreign drive."""
    return _written(folder, name, bytes.fromhex("0005160700020000") + b"Mac OS X        ")


def camera_raw(folder: Path, name: str = "A001_C001.R3D") -> Path:
    """A file that ffmpeg cannot decode, by its name."""
    return _written(folder, name, b"\0\0\x10\0RED2" + bytes(4096))


def undecodable_sound(folder: Path, name: str = "apac.mov", fourcc: str = "apac") -> Path:
    """A phone's clip: AAC, and beside it four channels that no decoder takes."""
    quad = "sine=f=300:r=48000:d=1,pan=quad|FL=c0|FR=c0|BL=c0|BR=c0"
    path = make_clip(
        folder,
        name,
        *(*picture(), *tones(1), "-f", "lavfi", "-i", quad, *all_inputs(3)),
        *(*H264, "-c:a:0", "aac", "-c:a:1", "pcm_s16le"),
    )
    mp4_patch.set_fourcc(path, 2, fourcc)
    return path


def undecodable_picture(folder: Path, name: str = "b3dx.mov", fourcc: str = "b3dx") -> Path:
    """A movie whose picture no decoder takes."""
    path = good_clip(folder, name, timecode="", tracks=1)
    mp4_patch.set_fourcc(path, 0, fourcc)
    return path


def wrong_drop_flag(folder: Path, name: str = "24_drop.mov") -> Path:
    """24 frames a second that claim drop-frame, for which ffmpeg gives no timecode at all."""
    path = good_clip(folder, name, rate="24", timecode="19:36:10:05", tracks=1)
    mp4_patch.set_timecode_track(path, 2, drop_frame=True)
    return path


def camera_metadata(
    folder: Path, name: str = "action.mp4", *, fourcc: str = "gpmd", timecode: str = "09:23:02:23"
) -> Path:
    """A camera's clip with a data track between sound and timecode: gpmd, rtmd, djmd."""
    words = _written(folder, f"{Path(name).stem}.srt", _SUBTITLE.encode())
    path = make_clip(
        folder,
        name,
        *(*picture(rate="30000/1001"), *tones(1), "-i", str(words), *all_inputs(3)),
        *(*H264, "-c:a", "aac", "-c:s", "mov_text", "-timecode", timecode),
    )
    mp4_patch.set_fourcc(path, 2, fourcc)
    mp4_patch.set_handler(path, 2, "meta")
    return path


def tagged_clip(folder: Path, name: str, primaries: str, transfer: str, matrix: str) -> Path:
    """An H.264 clip with colour tags by ffmpeg's names; empty ones are left out."""
    tags = {"color_primaries": primaries, "color_trc": transfer, "colorspace": matrix}
    params = ":".join(f"{key}={value}" for key, value in tags.items() if value)
    return make_clip(folder, name, *picture(then=f"setparams={params}"), *H264)


def _cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def _written(folder: Path, name: str, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return path
