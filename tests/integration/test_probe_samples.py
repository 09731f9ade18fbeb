"""The clips in samples/: what the README's first command shows depends on them."""

from fractions import Fraction
from pathlib import Path

from proxima.ffmpeg.probe import probe
from proxima.media import FieldOrder

SAMPLES = Path(__file__).parents[2] / "samples"
CLIPS = {
    "A001/A001C001.mov": ("10:04:27:12", Fraction(24000, 1001), 96, (1920, 1080), [1, 1, 1, 1]),
    "A001/A001C002.mov": ("10:09:59;28", Fraction(30000, 1001), 90, (1920, 1080), [1, 1]),
    "B-roll/IMG_0042.mov": ("None", Fraction(30), 60, (2160, 3840), [2]),
    "B-roll/PXL_0043.mp4": ("None", Fraction(60), 120, (1280, 720), [1]),
    "B-roll/STUDIO07.mxf": ("20:15:00:00", Fraction(25), 50, (720, 576), [1, 1]),
}


def clips() -> list[Path]:
    """What stands in the repository; a run of the README leaves proxies beside it."""
    return sorted(file for file in SAMPLES.glob("*/*") if file.is_file())


def test_the_samples_are_small() -> None:
    assert sum(clip.stat().st_size for clip in clips()) < 1_800_000


def test_the_samples_have_what_proxies_must_keep() -> None:
    found = {}
    for clip in clips():
        info = probe(clip)
        assert info.picture
        found[clip.relative_to(SAMPLES).as_posix()] = (
            str(info.timecode),
            info.picture.frame_rate,
            info.picture.frame_count,
            info.picture.display_size,
            [track.channels for track in info.decodable_sound],
        )
    assert found == CLIPS


def test_one_sample_is_of_fields_and_one_names_its_reel() -> None:
    studio = probe(SAMPLES / "B-roll" / "STUDIO07.mxf").picture
    assert studio
    assert studio.field_order is FieldOrder.TOP
    assert probe(SAMPLES / "A001" / "A001C001.mov").reel_name == "A001"
