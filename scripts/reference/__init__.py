"""The pages of docs/reference, each made from the code that it describes."""

from collections.abc import Callable

from reference import (
    commands_page,
    config_page,
    errors_page,
    events_page,
    farm_page,
    json_page,
    presets_page,
)

MADE = "<!-- Made by scripts/make_docs: edit the code, not this page. -->\n"

PAGES: dict[str, Callable[[], str]] = {
    "cli.md": commands_page.text,
    "config.md": config_page.text,
    "errors.md": errors_page.text,
    "events.md": events_page.text,
    "json-events.md": json_page.text,
    "json-objects.md": farm_page.text,
    "presets.md": presets_page.text,
}


def text_of(name: str) -> str:
    """What the page *name* should hold."""
    return f"{MADE}\n{PAGES[name]()}"
