"""Where outputs go."""

from pathlib import Path

import pytest

from proxima.config.schema import Layout
from proxima.errors import FailureKind, JobFailed, UsageError
from proxima.queuer.destination import destination, free_name


def named(
    source: str,
    output: str | None = None,
    extension: str = ".mov",
    layout: Layout = "auto",
) -> str:
    """The output of a source below /job, which is the common root."""
    return str(
        destination(
            Path(source),
            common_root=Path("/job"),
            output=Path(output) if output else None,
            extension=extension,
            layout=layout,
        )
    )


def test_an_output_goes_into_a_folder_beside_its_source() -> None:
    assert named("/job/A001/C001.mxf") == "/job/A001/Proxy/C001.mov"


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("/job/A001/C001.mov", "/proxies/A001/C001.mov"),
        ("/job/B002/CLIP/C001.mov", "/proxies/B002/CLIP/C001.mov"),
        ("/job/C001.mov", "/proxies/C001.mov"),
    ],
)
def test_a_folder_for_outputs_keeps_the_structure_below_the_common_root(
    source: str, output: str
) -> None:
    assert named(source, "/proxies") == output


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("double.ext.mp4.mov", "double.ext.mp4.mov"),
        ("NOEXT", "NOEXT.mov"),
        (".hidden", ".hidden.mov"),
        ("dots...mov", "dots...mov"),
        ("UPPER.MXF", "UPPER.mov"),
        ("trailing .mov", "trailing .mov"),
        ("bad-\udce9.mp4", "bad-\udce9.mov"),
        ("cafe\u0301.mp4", "cafe\u0301.mov"),
    ],
)
def test_the_name_is_kept_byte_for_byte_but_for_its_extension(name: str, output: str) -> None:
    assert named(f"/job/{name}") == f"/job/Proxy/{output}"


def test_the_extension_is_that_of_the_preset() -> None:
    assert named("/job/C1.mov", extension=".wav") == "/job/Proxy/C1.wav"


def test_a_name_of_255_bytes_fits_and_one_more_does_not() -> None:
    assert named(f"/job/{'L' * 251}.mp4").endswith("L.mov")
    with pytest.raises(JobFailed, match=r"too long \(256 bytes, 255 can be\)") as caught:
        named(f"/job/{'ü' * 126}")
    assert caught.value.kind is FailureKind.PATH_REFUSED


def test_a_taken_name_gets_the_first_free_number() -> None:
    taken = {Path("/p/C1.x.mov"), Path("/p/C1.x_1.mov"), Path("/p/C1.x_3.mov")}
    assert free_name(Path("/p/C1.x.mov"), taken.__contains__) == Path("/p/C1.x_2.mov")
    assert free_name(Path("/p/C2.mov"), taken.__contains__) == Path("/p/C2.mov")


def test_a_number_may_make_a_name_too_long() -> None:
    name = Path("/p") / f"{'L' * 251}.mov"
    with pytest.raises(JobFailed, match="too long"):
        free_name(name, lambda path: path == name)


@pytest.mark.parametrize(
    ("layout", "output", "expected"),
    [
        ("resolve", None, "/job/A001/Proxy/C001.mov"),
        ("resolve", "/p", "/p/A001/Proxy/C001.mov"),
        ("premiere", None, "/job/A001/Proxies/C001_Proxy.mov"),
        ("premiere", "/p", "/p/A001/Proxies/C001_Proxy.mov"),
        ("mirror", "/p", "/p/A001/C001.mov"),
        ("fcp", "/p", "/p/A001/C001.mov"),
        ("flat", "/p", "/p/C001.mov"),
    ],
)
def test_a_layout_places_outputs_where_a_program_finds_them(
    layout: Layout, output: str | None, expected: str
) -> None:
    assert named("/job/A001/C001.mxf", output, layout=layout) == expected


@pytest.mark.parametrize("layout", ["mirror", "fcp", "flat"])
def test_a_layout_without_a_folder_beside_the_source_needs_one(layout: Layout) -> None:
    with pytest.raises(UsageError, match="--output"):
        named("/job/C001.mxf", layout=layout)
