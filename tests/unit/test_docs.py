"""The documents say what the code does, and their links lead somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference import PAGES as REFERENCE
from reference import farm_page, json_page, text_of
from reference.json_sample import objects

from proxima.errors import ProximaError
from proxima.job import NEXT_STATES, JobState

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WORDS_NOT_OURS = {
    "clip list": "batch",
    "coordinator": "queuer",
    "temp file": "scratch",
    "temporary file": "scratch",
    "render node": "worker",
    "task queue": "queue",
}


def read(page: Path | str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def rows(text: str) -> Iterator[list[str]]:
    """The cells of each table row, without heads."""
    for line in re.findall(r"^\|(?! ---)(.*)\|$", text, re.MULTILINE):
        yield [cell.strip() for cell in line.split("|")]


def anchors(page: Path) -> set[str]:
    """What `#...` may name in a page, as GitHub makes it of the headings."""
    headings = re.findall(r"^#+ (.*)$", read(page), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


@pytest.mark.parametrize("name", REFERENCE)
def test_a_reference_page_is_what_the_code_gives(name: str) -> None:
    """If not: scripts/make_docs."""
    assert read(f"docs/reference/{name}") == text_of(name)


def test_every_type_and_field_of_the_json_lines_is_explained() -> None:
    assert {line["type"] for line in objects()} == set(json_page.TYPES)
    assert json_page.told_fields() == sorted(json_page.FIELDS)


def test_every_field_of_the_json_objects_is_explained() -> None:
    assert farm_page.told_fields() == sorted(farm_page.FIELDS)


def test_every_reference_page_is_made_from_the_code() -> None:
    found = {page.name for page in (ROOT / "docs" / "reference").iterdir()}
    assert found == set(REFERENCE)


def test_the_table_of_job_states_is_the_law_that_the_code_follows() -> None:
    table = {row[0]: row[2] for row in rows(read("docs/job-states.md")) if row[0] in set(JobState)}
    law = {state: ", ".join(sorted(after)) or "none" for state, after in NEXT_STATES.items()}
    assert table == law


def test_every_exit_code_is_told() -> None:
    def codes(error: type[ProximaError]) -> set[int]:
        return {error.exit_code}.union(*(codes(child) for child in error.__subclasses__()))

    told = {int(row[0]) for row in rows(read("docs/howto/scripting.md")) if row[0].isdecimal()}
    assert told == codes(ProximaError) | {0}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if link.startswith("https://"):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_one_thing_has_one_word(page: Path) -> None:
    """docs/glossary.md has the words."""
    assert [word for word in WORDS_NOT_OURS if word in read(page).lower()] == []


def test_the_glossary_is_in_alphabetical_order() -> None:
    words = [row[0] for row in rows(read("docs/glossary.md"))][1:]
    assert words == sorted(words)


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    linked = set(re.findall(r"\((\d{4}-[\w-]+\.md)\)", read(folder / "README.md")))
    assert linked == {page.name for page in folder.iterdir()} - {"README.md"}


def test_the_changelog_begins_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"
