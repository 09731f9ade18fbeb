"""The file formats that are opened at all: none of them makes ffmpeg open a second file."""

#: ffmpeg's demuxers, for ``format_whitelist``. No playlists (hls, dash, concat, sdp, imf), no
#: file name patterns (image2), no devices or graphs (lavfi): a text named ``.mov`` reads nothing.
FORMATS = (
    # Camera files and what editing programs write.
    *("mov", "mxf", "matroska", "avi", "mpegts", "mpeg", "dv", "gxf", "lxf", "cine", "mlv"),
    *("asf", "flv", "ogg", "rm", "nut", "wtv", "dhav", "ivf", "gif", "yuv4mpegpipe"),
    # Elementary streams.
    *("mpegvideo", "m4v", "h264", "hevc", "vvc", "av1", "obu", "vc1", "dirac", "dnxhd", "apv"),
    # Sound.
    *("wav", "w64", "aiff", "caf", "au", "mp3", "aac", "ac3", "eac3", "dts", "dtshd", "truehd"),
    *("flac", "wv", "tta", "ape", "amr"),
)
FORMAT_WHITELIST = ",".join(FORMATS)

#: The only way to bytes.
PROTOCOL_WHITELIST = "file"
#: For the files of one take, read one after the other; their names are not read from any file.
CONCAT_WHITELIST = "concat,file"

#: How far to look for what a stream is, where ffmpeg's 5 s and 5 MB do not tell: in bytes and
#: microseconds. A recording may have no sound for its first minute.
LOOK_FAR = {"probesize": "200000000", "analyzeduration": "120000000"}
