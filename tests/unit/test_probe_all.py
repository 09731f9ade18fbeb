"""Many files at once: here such that are refused before a demuxer sees them."""

import threading
from pathlib import Path

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.probe import probe_all


def test_every_file_has_its_answer(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.mov" for number in range(40)]
    answers = dict(probe_all(paths, threads=3))
    assert answers.keys() == set(paths)
    assert all(isinstance(answer, SourceUnreadable) for answer in answers.values())


def test_no_files_give_no_answers() -> None:
    assert list(probe_all([])) == []


def test_a_file_named_twice_is_answered_twice(tmp_path: Path) -> None:
    assert len(list(probe_all([tmp_path / "a.mov"] * 2))) == 2


def test_an_accident_with_one_file_is_its_own_answer(tmp_path: Path) -> None:
    class Odd(type(tmp_path)):  # type: ignore[misc]
        def stat(self, **_: object) -> None:
            raise ZeroDivisionError

    answers = [answer for _, answer in probe_all([Odd(tmp_path / "a.mov"), tmp_path / "b.mov"])]
    kinds = {answer.kind for answer in answers if isinstance(answer, SourceUnreadable)}
    assert kinds == {FailureKind.UNKNOWN, FailureKind.SOURCE_MISSING}


def test_closing_the_iterator_ends_the_threads(tmp_path: Path) -> None:
    """As Ctrl-C does: nobody may go on reading a card that is to be pulled out."""
    gate = threading.Event()
    seen = []

    class Slow(type(tmp_path)):  # type: ignore[misc]
        def stat(self, **_: object) -> None:
            seen.append(self)
            if len(seen) > 1:
                gate.wait()
            raise FileNotFoundError

    answers = probe_all([Slow(tmp_path / f"{number}.mov") for number in range(50)], threads=1)
    next(answers)
    (worker,) = [thread for thread in threading.enumerate() if thread.name == "probe"]
    answers.close()
    gate.set()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert len(seen) <= 2
