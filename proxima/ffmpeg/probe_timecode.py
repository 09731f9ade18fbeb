"""The start timecode and reel of a file, from its tags and its timecode track."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from proxima.ffmpeg.probe_atoms import Movie, TimecodeTrack, Track
from proxima.timecode import Timecode

Tags = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a clip starts, on which reel."""

    timecode: Timecode | None = None
    #: Frames per second that the timecode track counts in.
    rate: Fraction | None = None
    is_unreadable: bool = False
    reel: str | None = None


def start_of(
    picture: tuple[int, Tags], data: Mapping[int, Tags], file: Tags, movie: Movie
) -> Start:
    """Look where a label may stand: with the picture, in a timecode track, in the file's tags.

    *picture* is the first one's track id and tags, *data* has the tags of data tracks by id.
    Data tracks that hold no timecode are not asked: ffmpeg takes samples of Sony's rtmd for labels.
    """
    picture_id, picture_tags = picture
    tracks = _timecode_tracks(movie, picture_id)
    tags = [picture_tags, *(data.get(track.id, {}) for track in tracks), file]
    labels = (Timecode.parse(t["timecode"]) for t in tags if "timecode" in t)
    label = next((label for label in labels if label), None)
    counts = tracks[0].timecode if tracks else None
    label = label or (_counted(counts) if counts else None)
    return Start(
        timecode=label,
        rate=counts.rate if counts else None,
        is_unreadable=label is None and counts is not None,
        # QuickTime keeps the reel with the timecode track, MXF with the picture.
        reel=next((t["reel_name"] for t in tags if t.get("reel_name")), None),
    )


def _timecode_tracks(movie: Movie, picture_id: int) -> list[Track]:
    """Those that the picture refers to come first."""
    wanted = movie.track(picture_id).timecode_ids
    tracks = [track for track in movie.tracks if track.timecode]
    return sorted(tracks, key=lambda track: track.id not in wanted)


def _counted(track: TimecodeTrack) -> Timecode | None:
    """The label by its frame number.

    ffmpeg gives none where drop-frame is claimed at a rate that knows no drop-frame, as phone
    apps do at 24; the count is right, the claim is not.
    """
    if track.start is None or not track.nominal:
        return None
    drop_frame = track.drop_frame and track.nominal % 30 == 0
    return Timecode.at_frame(track.start, Fraction(track.nominal), drop_frame=drop_frame)
