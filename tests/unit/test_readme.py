"""The README's two commands, and the pinned versions that they install."""

import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SET_UP = "python3 -m venv .venv && .venv/bin/pip install "


def two_commands() -> list[str]:
    """The code blocks of the section `Two commands`."""
    section = re.search(r"^## Two commands$(.*?)^## ", README, re.MULTILINE | re.DOTALL)
    assert section, "README.md has no section `## Two commands`"
    return re.findall(r"^```\w*\n(.*?)\n```$", section[1], re.MULTILINE | re.DOTALL)


def pins() -> dict[str, Requirement]:
    """What constraints.txt fixes, by name as PEP 503 spells it."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {normal(pin.name): pin for pin in wanted}


def normal(name: str) -> str:
    """A package's name as PEP 503 spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements() -> list[Requirement]:
    """What pyproject.toml asks for, to run and to be tested."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [Requirement(line) for line in lines]


def test_there_are_exactly_two_commands_of_one_line_each() -> None:
    assert [command.count("\n") for command in two_commands()] == [0, 0]


@pytest.mark.parametrize("number", [0, 1])
def test_a_command_sets_up_an_environment_of_its_own(number: int) -> None:
    """Some systems' pip refuses to install outside a virtual environment (PEP 668)."""
    assert two_commands()[number].startswith(SET_UP)


@pytest.mark.parametrize("number", [0, 1])
def test_a_command_installs_the_pinned_versions(number: int) -> None:
    words = shlex.split(two_commands()[number])
    assert words[words.index("--constraint") + 1] == "constraints.txt"


def test_the_first_command_transcodes_the_samples() -> None:
    assert two_commands()[0].endswith("&& .venv/bin/proxima queue samples")


def test_the_second_command_runs_all_tests() -> None:
    assert two_commands()[1].endswith("&& scripts/test")
    assert os.access(ROOT / "scripts" / "test", os.X_OK)


def test_ci_takes_its_commands_from_the_readme() -> None:
    """A second copy of them would drift."""
    assert "pip install" not in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("wanted", requirements(), ids=lambda wanted: wanted.name)
def test_each_dependency_is_pinned_to_a_version_that_fits(wanted: Requirement) -> None:
    specifier = str(pins()[normal(wanted.name)].specifier)
    assert specifier.startswith("==")
    assert wanted.specifier.contains(specifier.removeprefix("=="))


def test_every_pin_is_one_exact_version() -> None:
    for pin in pins().values():
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), pin
        assert pin.url is None
