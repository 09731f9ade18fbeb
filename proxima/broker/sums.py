"""Sums over the jobs of a batch, made on the server; those of a batch at rest are kept."""

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys
from proxima.job import JobState

if TYPE_CHECKING:
    from redis import Redis

#: The first letter of each state that a job on the farm can be in.
_STATES = {
    state.value[0]: state
    for state in (
        JobState.QUEUED,
        JobState.ENCODING,
        JobState.DONE,
        JobState.FAILED,
        JobState.CANCELLED,
    )
}


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """How the jobs of a batch stand."""

    #: Of each job the first letter of its state; ``-`` if the farm does not know it.
    letters: str = ""
    #: When the last of them ended, in seconds since the epoch; 0 if none has.
    ended: float = 0.0
    output_bytes: int = 0
    #: How many jobs ended on which host.
    hosts: dict[str, int] = {}
    #: How often jobs had been sent again by `proxima retry`.
    requeues: int = 0

    @property
    def counts(self) -> Counter[JobState]:
        """How many jobs are in which state."""
        letters = Counter(self.letters)
        return Counter({_STATES[one]: n for one, n in letters.items() if one in _STATES})

    @property
    def is_at_rest(self) -> bool:
        """Whether no job waits or runs."""
        return "q" not in self.letters and "e" not in self.letters

    def weight(self, weights: Sequence[float], *states: JobState) -> float:
        """The sum of *weights*, one for each job, over the jobs in one of *states*."""
        wanted = {state.value[0] for state in states}
        pairs = zip(self.letters, weights, strict=False)
        return sum(weight for letter, weight in pairs if letter in wanted)


def make(client: "Redis", batch_ids: Sequence[str]) -> list[Sums]:
    """The sums of batches, in one round trip; 10 000 jobs take the server some 30 ms."""
    script = client.register_script((files("proxima.broker") / "scripts" / "sums.lua").read_text())
    pipe = client.pipeline(transaction=False)
    for batch_id in batch_ids:
        script(keys=[keys.batch(batch_id), keys.job("")], client=pipe)
    return [_sums(answer) for answer in pipe.execute()]


def keep(client: "Redis", batch_id: str, sums: Sums) -> None:
    """Keep the sums of a batch at rest; they hold until `proxima retry` sends jobs again.

    Not of a batch with jobs of another: that one's may be sent again, too.
    """
    pipe = client.pipeline()
    pipe.hset(keys.batch(batch_id), "sums", msgspec.json.encode(sums))
    # A batch that has just been forgotten must not come back for ever.
    pipe.expire(keys.batch(batch_id), keys.KEEP_SECONDS, nx=True)
    pipe.execute()


def read_kept(text: bytes | None, requeues: bytes | None) -> Sums | None:
    """Sums that were kept, if they still hold; *requeues* is what the batch says now."""
    try:
        sums = msgspec.json.decode(text, type=Sums) if text else None
    except msgspec.MsgspecError:
        return None
    return sums if sums and sums.requeues == int(requeues or 0) else None


def _sums(answer: Any) -> Sums:
    letters, ended, output_bytes, hosts, requeues = answer
    return Sums(
        letters=letters.decode(),
        ended=int(ended) / 1000,
        output_bytes=int(output_bytes),
        hosts=msgspec.json.decode(hosts, type=dict[str, int]),
        requeues=int(requeues),
    )
