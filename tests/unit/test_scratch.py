"""Names and publishing of unfinished outputs."""

import os

import pytest

from proxima.broker.lease import Lease
from proxima.errors import JobFailed
from proxima.worker.scratch import Scratch


def lease(attempt=1):
    return Lease(job_id="abcdefgh-00001", worker="a@x", attempt=attempt)


def test_the_scratch_is_hidden_beside_its_output_and_named_by_the_attempt(tmp_path):
    scratch = Scratch(tmp_path / "C001.mov", lease(3))
    assert scratch.path == tmp_path / ".abcdefgh-00001.3.part.mov"


def test_the_longest_possible_name_has_a_scratch(tmp_path):
    """FN-13"""
    output = tmp_path / ("L" * 251 + ".mov")
    scratch = Scratch(output, lease())
    scratch.prepare()
    scratch.path.write_bytes(b"x")
    scratch.publish(replace=False)
    assert output.read_bytes() == b"x"


def test_preparing_removes_earlier_attempts_at_this_job_only(tmp_path):
    earlier = tmp_path / ".abcdefgh-00001.1.part.mov"
    later = tmp_path / ".abcdefgh-00001.3.part.mov"
    other = tmp_path / ".abcdefgh-00002.1.part.mov"
    for path in (earlier, later, other):
        path.touch()
    Scratch(tmp_path / "C001.mov", lease(2)).prepare()
    assert (earlier.exists(), later.exists(), other.exists()) == (False, True, True)


def test_preparing_makes_the_folder(tmp_path):
    """DI-05"""
    Scratch(tmp_path / "new" / "deep" / "C001.mov", lease()).prepare()
    assert (tmp_path / "new" / "deep").is_dir()


def test_publishing_does_not_replace_what_appeared_meanwhile(tmp_path):
    output = tmp_path / "C001.mov"
    scratch = Scratch(output, lease())
    scratch.path.write_bytes(b"new")
    output.write_bytes(b"old")
    with pytest.raises(JobFailed, match="appeared while it was being made"):
        scratch.publish(replace=False)
    assert output.read_bytes() == b"old"
    scratch.publish(replace=True)
    assert output.read_bytes() == b"new"


def test_settling_tells_the_size(tmp_path):
    scratch = Scratch(tmp_path / "C001.mov", lease())
    scratch.path.write_bytes(b"12345")
    assert scratch.settle() == 5


def test_a_link_of_the_outputs_name_is_replaced_and_never_followed(tmp_path):
    """OS-01: publishing through a link would destroy what it points to."""
    original = tmp_path / "original.mov"
    original.write_bytes(b"camera")
    output = tmp_path / "C001.mov"
    os.symlink(original, output)
    scratch = Scratch(output, lease())
    scratch.path.write_bytes(b"proxy")
    scratch.publish(replace=True)
    assert original.read_bytes() == b"camera"
    assert output.read_bytes() == b"proxy"


def test_an_output_named_by_whoever_recovered_it_is_no_strangers(tmp_path):
    scratch = Scratch(tmp_path / "C001.mov", lease())
    scratch.path.write_bytes(b"proxy")
    assert scratch.recover(5, replace=False)
    scratch.publish(replace=False)
    assert scratch.output.read_bytes() == b"proxy"


@pytest.mark.parametrize("replace", [True, False])
def test_an_older_output_is_not_taken_for_a_scratch_that_is_gone(tmp_path, replace):
    scratch = Scratch(tmp_path / "C001.mov", lease())
    scratch.output.write_bytes(b"old output")
    assert not scratch.recover(5, replace=replace)
    assert scratch.output.read_bytes() == b"old output"


def test_recovering_does_not_replace_what_appeared_meanwhile(tmp_path):
    scratch = Scratch(tmp_path / "C001.mov", lease())
    scratch.path.write_bytes(b"proxy")
    scratch.output.write_bytes(b"old output")
    assert not scratch.recover(5, replace=False)
    assert scratch.output.read_bytes() == b"old output"
