from fractions import Fraction

from proxima.media import Colour, MediaInfo, SoundStream, VideoStream


def picture(**fields: object) -> VideoStream:
    return VideoStream(**{"index": 0, "codec": "h264", "width": 1920, "height": 1080} | fields)  # type: ignore[arg-type]


def sound(index: int, *, decodable: bool = True) -> SoundStream:
    return SoundStream(index=index, codec="aac", sample_rate=48000, channels=1, decodable=decodable)


def test_a_turned_picture_swaps_its_sides_and_the_shape_of_its_pixels() -> None:
    turned = picture(rotation=90, pixel_aspect=Fraction(4, 3))
    assert turned.display_size == (1080, 1920)
    assert turned.display_pixel_aspect == Fraction(3, 4)


def test_a_picture_upside_down_keeps_its_sides() -> None:
    assert picture(rotation=180).display_size == (1920, 1080)


def test_cover_art_and_undecodable_streams_are_not_the_picture() -> None:
    cover = picture(index=0, codec="mjpeg", is_attached_picture=True)
    unknown = picture(index=1, codec="b3dx", decodable=False)
    moving = picture(index=2)
    info = MediaInfo(container="mov", size_bytes=1, video=(cover, unknown, moving))
    assert info.picture is moving


def test_undecodable_sound_stays_listed() -> None:
    tracks = (sound(1), sound(2, decodable=False))
    info = MediaInfo(container="mov", size_bytes=1, sound=tracks)
    assert info.sound == tracks
    assert info.decodable_sound == tracks[:1]


def test_pq_and_hlg_are_hdr() -> None:
    assert Colour(transfer="smpte2084").is_hdr
    assert Colour(transfer="arib-std-b67").is_hdr
    assert not Colour(transfer="bt709").is_hdr
    assert not Colour().is_hdr


def test_of_several_pictures_one_of_which_frames_were_seen_is_taken():
    named = VideoStream(index=0, codec="wmv1", width=200, height=150)
    seen = VideoStream(index=1, codec="wmv1", width=200, height=150, frame_rate=Fraction(15))
    assert MediaInfo(container="asf", size_bytes=1, video=(named, seen)).picture is seen
    assert MediaInfo(container="asf", size_bytes=1, video=(named,)).picture is named
