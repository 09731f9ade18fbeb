"""Notices of events: the words of a farm are data for every system's own means."""

import base64
import re

import pytest

from proxima.errors import HandlingFailed
from proxima.event import Event
from proxima.hooks.desktop import Desktop, notice_text

HOSTILE = Event(
    version=1,
    id="1-0",
    type="batch.finished",
    time=1.0,
    label='<b>\'); calc; "$(reboot)"',
    done=9,
    failed=1,
)
TEXT = 'Batch <b>\'); calc; "$(reboot)" finished: 9 done, 1 failed'


@pytest.fixture
def shown():
    """Show an event on a platform; the argument list that it makes."""

    def show(platform):
        ran = []
        Desktop(platform, lambda argv, **_: (ran.append(argv), (0, "", ""))[1])(HOSTILE, 1)
        return ran[0]

    return show


def test_a_notice_says_what_happened_to_what():
    assert notice_text(HOSTILE) == TEXT


def test_on_linux_markup_is_made_harmless(shown):
    text = "Batch &lt;b&gt;&#x27;); calc; &quot;$(reboot)&quot; finished: 9 done, 1 failed"
    assert shown("linux") == ["notify-send", "--app-name=Proxima", "--", "Proxima", text]


def test_on_macos_the_words_are_arguments_of_the_script(shown):
    assert shown("darwin")[-2:] == ["Proxima", TEXT]
    assert all("calc" not in word for word in shown("darwin")[:-1])


def test_on_windows_the_words_are_no_part_of_the_language(shown):
    *start, script = shown("win32")
    assert start == ["powershell", "-NoProfile", "-Command"]
    words = re.findall(r"words '([A-Za-z0-9+/=]*)'", script)
    assert [base64.b64decode(word).decode() for word in words] == ["Proxima", TEXT]
    assert "calc" not in script


def test_a_system_that_cannot_show_it_says_why():
    with pytest.raises(HandlingFailed, match="no bus"):
        Desktop("linux", lambda _argv, **_: (1, "", "no bus\n"))(HOSTILE, 1)
