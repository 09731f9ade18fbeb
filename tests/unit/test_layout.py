"""The shape of the code: sizes, names, and words that belong to one machine only."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "proxima").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

LONGEST_MODULE = 300
LONGEST_FUNCTION = 45
#: A thing without a name of its own has no home.
DRAWERS = {"utils", "util", "helpers", "common", "core", "manager", "base", "misc"}
#: Folders of the machine on which the project is written, and addresses of package registries.
PRIVATE = (f"{ROOT}", f"{Path.home()}/", "/root/", "pythonhosted.", "pypi.", "--index-url")
TEXT = {"", ".cfg", ".css", ".html", ".lua", ".md", ".py", ".svg", ".toml", ".txt", ".yml"}


def functions(module: Path) -> Iterator[tuple[str, int]]:
    """Name and length of each function: lines of its body, without docstring and comments."""
    source = module.read_text(encoding="utf-8")
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            inside = lines[body[0].lineno - 1 : node.end_lineno] if body else []
            yield node.name, sum(not re.match(r"\s*(#|$)", line) for line in inside)


def project_files() -> Iterator[Path]:
    """Every text file that belongs to the project, this one left out."""
    folders = ("proxima", "tests", "scripts", "docs", "benchmarks", "samples", ".ci")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*")]
    for file in [*ROOT.iterdir(), *files]:
        if file.is_file() and file.suffix in TEXT and file != Path(__file__):
            yield file


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(ROOT)))
def test_a_module_is_short_enough_to_read_at_one_sitting(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(ROOT)))
def test_functions_are_short(module: Path) -> None:
    assert [(name, n) for name, n in functions(module) if n > LONGEST_FUNCTION] == []


def test_no_two_modules_share_a_name() -> None:
    """So that a search for a file gives one answer."""
    stems = [module.stem for module in [*MODULES, *TESTS]]
    names = Counter(stem for stem in stems if not stem.startswith("__") and stem != "conftest")
    assert [name for name, times in names.items() if times > 1] == []


def test_no_module_is_a_drawer() -> None:
    names = {module.stem for module in MODULES} | {module.parent.name for module in MODULES}
    assert names & DRAWERS == set()


def test_nothing_names_one_persons_machine_or_a_registry() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in project_files()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if any(word in line for word in PRIVATE)
    ]
    assert found == []
