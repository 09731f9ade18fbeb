"""Clips that tools of this kind were reported to fail on; each call makes a new file."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import clips
from clips import H264, all_inputs, good_clip, make_clip, picture, tones


def moved(folder: Path, name: str, seconds: float, **fields: float) -> Path:
    """A clip whose picture (``video=``) or sound (``audio=``) begins so many seconds late."""
    offsets = {kind: ("-itsoffset", str(late)) for kind, late in fields.items()}
    return make_clip(
        folder,
        name,
        *(*offsets.get("video", ()), *picture(seconds)),
        *(*offsets.get("audio", ()), *tones(1, seconds)),
        *(*all_inputs(2), *H264, "-c:a", "pcm_s16le", "-fps_mode", "passthrough"),
    )


def uneven_lengths(folder: Path, name: str, video: float, audio: float) -> Path:
    """Picture and sound of different lengths, in seconds."""
    return make_clip(
        folder, name, *picture(video), *tones(1, audio), *all_inputs(2), *H264, "-c:a", "pcm_s16le"
    )


def channels(folder: Path, name: str, counts: Sequence[int], rate: int = 48000) -> Path:
    """A sound track for each count, with so many channels of which no speaker is named."""
    sounds = []
    for number, count in enumerate(counts):
        waves = "|".join(f"sin({110 * (n + number + 1)}*2*PI*t)" for n in range(count))
        sounds += ["-f", "lavfi", "-i", f"aevalsrc={waves}:d=1:s={rate}"]
    inputs = all_inputs(1 + len(counts))
    return make_clip(folder, name, *picture(), *sounds, *inputs, *H264, "-c:a", "pcm_s16le")


def mixed_rates(folder: Path, name: str = "mixed.mov") -> Path:
    """44.1 kHz stereo, and 48 kHz mono."""
    return make_clip(
        folder,
        name,
        *(*picture(), *tones(1, rate=44100), *tones(1), *all_inputs(3), *H264),
        *("-c:a", "pcm_s16le", "-ac:a:0", "2"),
    )


def sound_first(folder: Path, name: str = "sound_first.mov") -> Path:
    """Two named tracks, the picture between them."""
    names = ("language=fra", "title=Lav"), ("language=eng", "handler_name=Boom")
    tags = [arg for n, pair in enumerate(names) for t in pair for arg in (f"-metadata:s:a:{n}", t)]
    maps = ("-map", "1", "-map", "0", "-map", "2")
    return make_clip(folder, name, *picture(), *tones(2), *maps, *H264, "-c:a", "aac", *tags)


def named(folder: Path, name: str, *args: str, seconds: float = 1, rate: str = "25") -> Path:
    """A silent clip with further output options."""
    return make_clip(folder, name, *picture(seconds, rate), *H264, *args)


def with_codec(folder: Path, name: str, *codec: str, size: str = "320x180", then: str = "") -> Path:
    """A silent clip of half a second by its codec."""
    return make_clip(folder, name, *picture(0.4, size=size, then=then), *codec)


def avi_without_index(folder: Path, name: str = "no_index.avi", share: float = 1) -> Path:
    """Ten frames, or a *share* of them, of an AVI that was not closed or is cut."""
    path = with_codec(folder, name, "-c:v", "mjpeg")
    data = path.read_bytes()
    path.write_bytes(data[: int(data.rindex(b"idx1") * share)])
    return path


def with_alpha(folder: Path, name: str, *codec: str, colour: str = "red@0.5") -> Path:
    """A colour that lets through what is below, by its codec."""
    graph = f"color={colour}:s=320x180:r=25:d=0.4,format=rgba"
    return make_clip(folder, name, "-f", "lavfi", "-i", graph, *codec)


def starts_in_mid_gop(folder: Path, name: str = "mid_gop.ts") -> Path:
    """Frames first that refer to a key frame before the file: 74 packets, 50 pictures."""
    path = named(folder, name, "-g", "50", "-bf", "0", seconds=4)
    data = path.read_bytes()
    path.write_bytes(data[len(data) // 4 // 188 * 188 :])
    return path


def joined(folder: Path, name: str, offset: float, *sizes: str) -> Path:
    """Transport streams of a second one after the other; the second claims to begin later."""
    parts = []
    for number, size in enumerate(sizes):
        late = ("-output_ts_offset", str(offset * number))
        parts.append(
            make_clip(
                folder,
                f"part{number}_{name}",
                *(*picture(size=size), *tones(1), *all_inputs(2), *H264, "-c:a", "mp2", *late),
            )
        )
    path = folder / name
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def noisy_stream(folder: Path, name: str = "noisy.ts") -> Path:
    """A transport stream with a wrong byte here and there."""
    path = good_clip(folder, name, seconds=2, timecode="", tracks=1)
    data, chance = bytearray(path.read_bytes()), random.Random(3)
    for packet in range(188 * 20, len(data) - 188, 188 * 3):
        for place in range(20, 180, 7):
            data[packet + place] = chance.randrange(256)
    path.write_bytes(data)
    return path


def one_bad_picture(folder: Path, name: str = "spot.mxf") -> Path:
    """Ten key frames of MPEG-2 with a few wrong bytes in one."""
    path = with_codec(folder, name, "-c:v", "mpeg2video", "-q:v", "5", "-g", "1")
    data = bytearray(path.read_bytes())
    chance = random.Random(1)
    for place in range(len(data) // 2, len(data) // 2 + 200):
        data[place] = chance.randrange(256)
    path.write_bytes(data)
    return path


def captioned(folder: Path, name: str) -> Path:
    """Subtitles; a font beside them where the container has a place."""
    words = folder / f"{Path(name).stem}.srt"
    words.write_text("1\n00:00:00,000 --> 00:00:00,800\nHello\n\n")
    font = folder / "font.ttf"
    font.write_bytes(bytes(2048))
    kind, attach = "mov_text", ()
    if name.endswith(".mkv"):
        mime = "mimetype=application/x-truetype-font"
        kind, attach = "ass", ("-attach", str(font), "-metadata:s:t", mime)
    inputs = (*picture(), *tones(1), "-i", str(words), *all_inputs(3))
    return make_clip(folder, name, *inputs, *H264, "-c:a", "aac", "-c:s", kind, *attach)


def preview_beside(folder: Path, name: str = "drone.mp4") -> Path:
    """A drone's clip: two data tracks and a small picture as a second video stream."""
    cover = clips.still_picture(folder, "preview.jpg")
    words = folder / "words.srt"
    words.write_text("1\n00:00:00,000 --> 00:00:00,800\nHello\n\n")
    path = make_clip(
        folder,
        name,
        *("-i", str(cover), *picture(rate="30000/1001"), "-i", str(words), "-i", str(words)),
        *("-map", "1:v", "-map", "0:v", "-map", "2", "-map", "3", *H264, "-c:s", "mov_text"),
        *("-c:v:1", "mjpeg", "-pix_fmt:v:1", "yuvj420p", "-disposition:v:1", "attached_pic"),
    )
    for track, fourcc in ((1, "djmd"), (2, "dbgi")):
        clips.mp4_patch.set_fourcc(path, track, fourcc)
        clips.mp4_patch.set_handler(path, track, "meta")
    return path


def op_atom(folder: Path, name: str = "V1.mxf") -> Path:
    """The picture of a clip whose sound is in a file of its own."""
    codec = ("-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p")
    return make_clip(folder, name, *picture(size="256x144"), *codec, "-f", "mxf_opatom")


def op_atom_sound(folder: Path, name: str = "A1.mxf") -> Path:
    """The sound of that clip."""
    rate = ("-mxf_audio_edit_rate", "25", "-f", "mxf_opatom")
    return make_clip(folder, name, *tones(1), "-c:a", "pcm_s16le", *rate)


def at(path: Path, name: str) -> Path:
    """The same file under another name in its folder."""
    other = Path(os.fsdecode(os.fsencode(path.parent / name)))
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_bytes(path.read_bytes())
    return other


def late_sound(folder: Path, name: str = "late_sound.ts") -> Path:
    """A recording whose sound begins further in than ffmpeg looks by itself: after 7 s."""
    sound = ("-itsoffset", "8", *tones(1, 1))
    given = (*picture(9, size="64x48", rate="10"), *sound, *all_inputs(2))
    return make_clip(folder, name, *given, "-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2")


def cut_before_open_gop(folder: Path, name: str = "open_gop.ts") -> Path:
    """Cut out of a recording: two frames are shown before the key frame that comes first.

    40 frames; the sound begins after the picture.
    """
    sound = ("-itsoffset", "0.8", *tones(1, 1))
    whole = make_clip(
        folder,
        f"whole_{name}",
        *(*picture(2), *sound, *all_inputs(2), "-c:v", "mpeg2video", "-bf", "2", "-g", "12"),
        *("-c:a", "mp2"),
    )
    path = make_clip(folder, name, "-ss", "0.5", "-i", f"file:{whole}", "-map", "0", "-c", "copy")
    data = bytearray(path.read_bytes())
    # "closed_gop" of the first group (ISO/IEC 13818-2, 6.2.2.6): they need nothing before it.
    data[data.index(b"\x00\x00\x01\xb8") + 7] |= 0x40
    path.write_bytes(data)
    return path
