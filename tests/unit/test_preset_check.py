"""Presets that came through the broker: a message is data, never a command."""

from typing import Any

import pytest
from camera_files import make_preset

from proxima.config.preset_book import PresetBook
from proxima.errors import FailureKind, JobFailed
from proxima.worker.preset_check import require_valid


@pytest.mark.parametrize("name", PresetBook().names())
def test_every_preset_of_proxima_passes(name: str) -> None:
    require_valid(PresetBook().get(name))


@pytest.mark.parametrize(
    "fields",
    [
        {"pixel_format": "yuv420p,movie=/etc/passwd[x]"},
        {"profile": "proxy -i /etc/passwd"},
        {"frame_rate": "25,movie=/etc/passwd"},
        {"frame_rate": "1/0"},
        {"video_codec": "h264", "quality": -1},
        {"video_codec": "h264", "container": "wav"},
        {"extra_args": ("-f",)},
        {"pixel_format": "x" * 1_000_000},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_no_config_may_say_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(JobFailed, match="preset test: ") as refused:
        require_valid(make_preset(**fields))
    assert refused.value.kind is FailureKind.MESSAGE_INVALID
    assert len(refused.value.message) <= 1000
