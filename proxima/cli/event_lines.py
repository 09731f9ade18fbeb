"""Events, groups and dead letters as plain lines."""

from collections.abc import Iterable, Iterator

from proxima.broker.event_dead import DeadLetter
from proxima.broker.event_group import GroupInfo
from proxima.cli.durations import moment
from proxima.event import Event
from proxima.printable import printable


def event_line(event: Event) -> str:
    """``5 Mar 14:21:07 job.failed k7m2p9qa-00003 /media/C001.mov: boom``."""
    counts = ((event.done, "done"), (event.failed, "failed"), (event.cancelled, "cancelled"))
    about = [
        event.job or event.batch or event.worker,
        event.label,
        event.source,
        f"on {event.worker}" if event.worker and event.job else "",
        *(f"{count} {word}" for count, word in counts if count),
    ]
    why = event.message or event.reason
    text = " ".join([moment(event.time), event.type, *filter(None, about)])
    return printable(f"{text}: {why}" if why else text)


def group_lines(groups: Iterable[GroupInfo]) -> Iterator[str]:
    """A line for each group, and one for each of its consumers."""
    for group in groups:
        behind = "?" if group.lag is None else group.lag
        lost = f", {group.lost} lost" if group.lost else ""
        yield printable(f"{group.name}: {behind} behind, {group.pending} pending{lost}")
        for name, pending, idle in group.consumers:
            yield printable(f"  {name}: {pending} pending, heard of {idle:.0f} s ago")


def letter_line(letter: DeadLetter) -> str:
    """Id, group, event and reason."""
    what = letter.event.type if letter.event else "an event that cannot be read"
    times = f"{letter.deliveries} times"
    return printable(
        f"{letter.id} {letter.group}: {what} {letter.event_id}, {times}: {letter.reason}"
    )
