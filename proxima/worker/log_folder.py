"""Where ffmpeg's logs are kept on a worker: one file an attempt."""

from pathlib import Path


def log_folder(configured: str) -> Path:
    """The configured folder, else the user's own log folder."""
    if configured:
        return Path(configured).expanduser()
    from platformdirs import user_log_path

    return user_log_path("proxima", appauthor=False) / "jobs"
