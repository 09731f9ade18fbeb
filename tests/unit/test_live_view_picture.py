"""docs/live-view.svg is what the code draws today."""

import importlib.machinery
import importlib.util
import os
import re
import time
from html import unescape
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "draw_view"


@pytest.fixture
def draw_view() -> ModuleType:
    """The script, which has no extension."""
    loader = importlib.machinery.SourceFileLoader("draw_view", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("draw_view", loader))
    zone = os.environ.get("TZ")
    loader.exec_module(module)
    yield module
    if zone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = zone
    time.tzset()


def texts(svg: str) -> str:
    """All that is written in it; the letters, not where they are."""
    return re.sub(r"\s+", "", unescape("".join(ET.fromstring(svg).itertext())))


def test_the_picture_in_the_readme_is_up_to_date(draw_view: ModuleType) -> None:
    """If it is not: run scripts/draw_view and look at it."""
    committed = draw_view.PICTURE.read_text(encoding="utf-8")
    assert texts(committed) == texts(draw_view.svg_of(draw_view.drawn()))


def test_the_picture_fetches_nothing(draw_view: ModuleType) -> None:
    assert re.findall(r"url\((?!#)|href|@import", draw_view.PICTURE.read_text("utf-8")) == []
