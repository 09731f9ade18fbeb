"""Short names of files and workers."""

import pytest
from standings import make_job, make_standing, waiting

from proxima.cli.labels import FileNames, worker_label


def names(*sources: str) -> dict[str, str]:
    jobs = [waiting(make_job(n, name=f"/../../{s}")) for n, s in enumerate(sources)]
    batch = make_standing(*jobs).batch
    called = FileNames.of(batch)
    return {s: called(job) for s, job in zip(sources, batch.jobs, strict=True)}


def test_a_file_is_called_by_its_name() -> None:
    assert names("A001/C001.mov", "A001/C002.mov") == {
        "A001/C001.mov": "C001.mov",
        "A001/C002.mov": "C002.mov",
    }


def test_as_many_folders_as_tell_it_from_the_others_come_before_it() -> None:
    told = names("day1/A/C1.mov", "day2/A/C1.mov", "day1/B/C1.mov", "C2.mov")
    assert list(told.values()) == ["day1/A/C1.mov", "day2/A/C1.mov", "B/C1.mov", "C2.mov"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("media:/A001/C001.mov", "C001.mov"),
        ("M:\\A001\\C001.mov", "C001.mov"),
        ("\\\\server\\share\\C001.mov", "C001.mov"),
        ("/mnt/a\\b.mov", "a\\b.mov"),
        ("/", "/"),
        ("/mnt/a\nb.mov", "a\\nb.mov"),
    ],
)
def test_the_name_is_found_whatever_the_slashes(source: str, name: str) -> None:
    assert FileNames.of(make_standing().batch)(source) == name


def test_one_long_name_does_not_make_the_column_wide() -> None:
    jobs = [waiting(make_job(n)) for n in range(1, 40)] + [waiting(make_job(40, name="x" * 200))]
    assert FileNames.of(make_standing(*jobs).batch).cells == len("C001.mov")
    assert FileNames.of(make_standing(*jobs[-2:]).batch).cells == 200
    assert FileNames.of(make_standing().batch).cells == 0


@pytest.mark.parametrize(
    ("worker", "label"),
    [
        ("3f2a6c1e-8d0b@grade.studio.example", "grade 3f2a"),
        ("3f2a6c1e-8d0b@10.0.0.12", "10.0.0.12 3f2a"),
        ("3f2a6c1e-8d0b@fe80::1", "fe80::1 3f2a"),
        ("3f2a6c1e-8d0b@a\x1b[1m", r"a\x1b[1m 3f2a"),
        ("noname", "noname"),
        ("", "no worker"),
        (None, "no worker"),
    ],
)
def test_a_worker_is_its_host_and_the_start_of_its_uuid(worker: str | None, label: str) -> None:
    assert worker_label(worker) == label
