"""Where ffmpeg's logs are kept on a worker: one file an attempt."""

from pathlib import Path


def log_folder(configured: str) -> Path:
    """The configured folder, else the user's own log folder."""
    if configured:
        return Path(configured).expanduser()
    from platformdirs import user_log_path

    return user_log_path("proxima", appauthor=False) / "jobs"


def log_file(folder: Path, job_id: str, attempt: int) -> Path:
    """The log of an attempt, below the log folder."""
    return folder / job_id.rpartition("-")[0] / f"{job_id}.{attempt}.log"
