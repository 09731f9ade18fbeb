"""Desktop: an event shown as a notification to whoever sits at this machine."""

import base64
import html
import sys
from collections.abc import Callable, Sequence

from proxima.errors import HandlingFailed
from proxima.event import Event
from proxima.process import child

_SECONDS = 10.0
#: The words are arguments of the script, which it does not read as AppleScript.
_APPLE = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)
#: PowerShell reads all that follows -Command as its language: the words come as Base64, in which
#: nothing can be said in it.
_WINDOWS = (
    "function words($text) {{"
    "[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($text))}};"
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing;"
    "$n = New-Object System.Windows.Forms.NotifyIcon;"
    "$n.Icon = [System.Drawing.SystemIcons]::Information; $n.Visible = $true;"
    "$n.ShowBalloonTip(5000, (words '{}'), (words '{}'), 'Info'); Start-Sleep 5; $n.Dispose()"
)

#: Runs a program to its end: exit code, standard output, standard error.
Run = Callable[..., tuple[int, str, str]]


class Desktop:
    """Shows events with the system's own means."""

    def __init__(self, platform: str = sys.platform, run: Run = child.run) -> None:
        self._platform, self._run = platform, run

    def __call__(self, event: Event, count: int) -> None:  # noqa: ARG002
        """Show the event; HandlingFailed if the system cannot."""
        argv = self._argv("Proxima", notice_text(event))
        try:
            code, _, said = self._run(argv, timeout=_SECONDS)
        except (OSError, TimeoutError) as error:
            raise HandlingFailed(f"no notification can be shown: {error}") from None
        if code:
            raise HandlingFailed(f"no notification can be shown: {said.strip() or argv[0]}")

    def _argv(self, title: str, text: str) -> Sequence[str]:
        if self._platform == "darwin":
            script = [word for line in _APPLE for word in ("-e", line)]
            return ["osascript", *script, title, text]
        if self._platform == "win32":
            block = _WINDOWS.format(_base64(title), _base64(text))
            return ["powershell", "-NoProfile", "-Command", block]
        # Notification servers read the text as markup.
        return ["notify-send", "--app-name=Proxima", "--", title, html.escape(text)]


def _base64(text: str) -> str:
    return base64.b64encode(text.encode(errors="replace")).decode()


def notice_text(event: Event) -> str:
    """``Batch Day 12 finished: 9 done, 1 failed``."""
    kind, _, what = event.type.partition(".")
    name = {"batch": event.label or event.batch, "job": event.job}.get(kind, event.host)
    counts = ((event.done, "done"), (event.failed, "failed"), (event.cancelled, "cancelled"))
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    more = told or event.message
    return f"{kind.capitalize()} {name} {what}" + (f": {more}" if more else "")
