"""What only a decoded frame tells: fields and turns that the header hides, an early start."""

import struct
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, cast

from proxima.ffmpeg.probe_atoms import Matrix
from proxima.media import FieldOrder

if TYPE_CHECKING:
    from av.container.input import InputContainer
    from av.packet import Packet
    from av.sidedata.sidedata import SideDataContainer
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream as AvVideoStream

#: libavcodec's AVFieldOrder. The last two are how ffmpeg and QuickTime's ``fiel`` mark frames
#: of interleaved lines whose first line is early (9) or late (14).
_ORDERS = {
    1: FieldOrder.PROGRESSIVE,
    2: FieldOrder.TOP,
    3: FieldOrder.BOTTOM,
    4: FieldOrder.TOP,
    5: FieldOrder.BOTTOM,
}
#: Codecs whose frames say whether they are interlaced, each for itself.
_TOLD_BY_FRAMES = frozenset(
    {"dvvideo", "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "mjpeg"}
    | {"prores", "dnxhd", "cfhd", "vc1", "wmv3"}
)
#: Codecs that know no fields.
_PROGRESSIVE = frozenset({"av1", "vp8", "vp9", "vvc", "gif", "png", "qtrle", "hap", "theora"})
#: Containers whose streams may begin with frames of the group before: shown before the first
#: packet, whose time ffmpeg takes for the start.
_CUT_OUT = frozenset({"mpeg", "mpegts"})
#: Packets of all streams to read in search of a frame.
_MOST_PACKETS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFrame:
    """What the first frame says."""

    field_order: FieldOrder = FieldOrder.UNKNOWN
    #: None if the frame is not turned.
    matrix: Matrix | None = None
    #: Seconds; None if no frame could be decoded, or it has no time.
    time: Fraction | None = None


def header_order(number: int, codec: str) -> FieldOrder:
    """The field order by libavcodec's *number* from the header; UNKNOWN if it means nothing."""
    if codec == "dvvideo":
        # Files often call it progressive, or say nothing; the frames are right.
        return FieldOrder.UNKNOWN
    if codec in _PROGRESSIVE:
        return FieldOrder.PROGRESSIVE
    return _ORDERS.get(number, FieldOrder.UNKNOWN)


def must_ask_frames(header: FieldOrder, codec: str) -> bool:
    """Whether a frame knows better than the header: H.264's mixes up top and bottom."""
    return header is not FieldOrder.PROGRESSIVE and codec in _TOLD_BY_FRAMES


def may_start_early(container: str) -> bool:
    """Whether a frame may be shown before the time at which its stream is said to start."""
    return container in _CUT_OUT


def settled_order(header: FieldOrder, frame: FieldOrder) -> FieldOrder:
    """The order of the stream, by its header and its first frame."""
    if frame is FieldOrder.UNKNOWN:
        return header
    # A stream of fields may begin with a frame that was coded as a whole.
    is_mixed = frame is FieldOrder.PROGRESSIVE and header is not FieldOrder.UNKNOWN
    return header if is_mixed else frame


def first_frame(container: "InputContainer", stream: "AvVideoStream") -> FirstFrame:
    """Decode one frame and look at it."""
    # Threads of the decoder would hold back the first frame until each has one.
    stream.codec_context.thread_type = "NONE"
    stream.codec_context.thread_count = 1
    frame = _decode_one(container, stream)
    if frame is None:
        return FirstFrame()
    order = FieldOrder.PROGRESSIVE
    if frame.interlaced_frame:
        order = FieldOrder.TOP if _top_field_is_first(frame) else FieldOrder.BOTTOM
    time = None if frame.pts is None else frame.pts * Fraction(frame.time_base or 0)
    return FirstFrame(field_order=order, matrix=_display_matrix(frame), time=time)


def _decode_one(container: "InputContainer", stream: "AvVideoStream") -> "VideoFrame | None":
    from av.error import FFmpegError

    packets = islice(container.demux(), _MOST_PACKETS)
    try:
        return next((f for p in packets if p.stream is stream for f in _decoded(stream, p)), None)
    except FFmpegError:
        return None


def _decoded(stream: "AvVideoStream", packet: "Packet[Stream]") -> "list[VideoFrame]":
    from av.error import FFmpegError

    try:
        return stream.decode(packet)
    except FFmpegError:
        # A recording may begin in the middle of a group of pictures.
        return []


def _top_field_is_first(frame: "VideoFrame") -> bool:
    """PyAV hides this flag, but a filter lets through what is as we ask."""
    from av.error import FFmpegError
    from av.filter import Graph

    graph = Graph()
    source = graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=frame.time_base
    )
    choice = graph.add("select", "eq(interlace_type,TOPFIRST)")
    graph.link_nodes(source, choice, graph.add("buffersink")).configure()
    graph.vpush(frame)
    graph.vpush(None)
    try:
        graph.vpull()
    except (FFmpegError, EOFError):
        return False
    return True


def _display_matrix(frame: "VideoFrame") -> Matrix | None:
    # PyAV's types call it a dict of text.
    for item in cast("SideDataContainer", frame.side_data):
        if item.type.name == "DISPLAYMATRIX":
            a, b, _, c, d = struct.unpack_from("=5i", bytes(item))
            return (a, b, c, d)
    return None
