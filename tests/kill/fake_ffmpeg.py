"""An ffmpeg that takes its time, and now and then does what no ffmpeg should."""

import itertools
from pathlib import Path

import imageio_ffmpeg

_SCRIPT = """#!/bin/sh
# As fast as the clip plays: slow without any work. An order in the folder is good for one encode.
order=
for file in "{folder}"/order-*; do
    if [ -e "$file" ] && mv "$file" "{folder}/taken-$$" 2>/dev/null; then
        order=${{file##*-}}
        break
    fi
done
case "$order" in
    hang) exec sleep 600 ;;
    crash) kill -SEGV $$ ;;
    empty) exit 0 ;;
    fail) echo "Conversion failed!" >&2; exit 1 ;;
    full) ulimit -f 16 ;;
    nonsense) printf 'frame=many\\nout_time_us=-9\\n\\377\\000=\\nspeed=x\\nprogress=perhaps\\n' ;;
esac
exec "{real}" -readrate {rate} "$@"
"""


class FakeFfmpeg:
    """A script that runs the real ffmpeg, unless an order says otherwise."""

    def __init__(self, folder: Path, rate: float = 1) -> None:
        folder.mkdir()
        self._folder = folder
        self._numbers = itertools.count(10_000)
        self.path = folder / "ffmpeg"
        real = imageio_ffmpeg.get_ffmpeg_exe()
        self.path.write_text(_SCRIPT.format(folder=folder, real=real, rate=rate))
        self.path.chmod(0o755)

    def order(self, what: str) -> None:
        """Let the next encode hang, crash, fail, be empty, full (of disk) or talk nonsense."""
        (self._folder / f"order-{next(self._numbers)}-{what}").touch()

    def pending(self) -> int:
        """Orders that nobody took yet."""
        return len(list(self._folder.glob("order-*")))
