"""Loads: what there is to encode in each job of a batch, small enough for 10 000 of them."""

from collections.abc import Sequence

import msgspec

from proxima.job import Job, Load


class Loads(msgspec.Struct, frozen=True, kw_only=True):
    """The loads of a batch, in the order of its jobs."""

    #: Every size once.
    sizes: tuple[str, ...] = ()
    #: Of each job: which size, the amount (0 = unknown), and seconds of media (0 = unknown).
    size_of: tuple[int, ...] = ()
    amounts: tuple[float, ...] = ()
    seconds: tuple[float, ...] = ()

    @classmethod
    def of(cls, jobs: Sequence[Job]) -> "Loads":
        """The loads of *jobs*."""
        loads = [job.load for job in jobs]
        sizes = sorted({load.size for load in loads})
        places = {size: place for place, size in enumerate(sizes)}
        return cls(
            sizes=tuple(sizes),
            size_of=tuple(places[load.size] for load in loads),
            amounts=tuple(load.amount or 0.0 for load in loads),
            seconds=tuple(round(job.seconds or 0.0, 3) for job in jobs),
        )

    def load(self, number: int) -> Load:
        """The load of job *number*, counted from 1; of one that is not there, an unknown one."""
        if not 0 < number <= len(self.amounts):
            return Load("", None)
        return Load(self.sizes[self.size_of[number - 1]], self.amounts[number - 1] or None)
