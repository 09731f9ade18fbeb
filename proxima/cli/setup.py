"""Setup: what every command composes from config and options, once."""

import os
import shlex
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from proxima.broker.address import BrokerAddress
from proxima.config.loaded import load
from proxima.config.preset_book import PresetBook
from proxima.errors import UsageError
from proxima.paths import PathMaps

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


class Setup:
    """Config and what follows from it."""

    def __init__(
        self, config_file: Path | None, options: Mapping[str, str | int | None] | None = None
    ) -> None:
        self.loaded = load(config_file=config_file, options=options or {}, environment=os.environ)
        self.config = self.loaded.config
        if self.config.broker:
            # Said at once, not only when there is something to send.
            BrokerAddress.parse(self.config.broker)

    @cached_property
    def presets(self) -> PresetBook:
        """Built-in presets and those of the config."""
        return PresetBook(self.config.presets)

    @cached_property
    def path_maps(self) -> PathMaps:
        """As this machine sees the storage."""
        return PathMaps.here(self.config.paths)

    def local_path(self, portable: str) -> str:
        """A portable path as this machine names it."""
        return str(self.path_maps.to_local(portable))

    def require_broker(self) -> str:
        """Address of the configured broker; UsageError if there is none."""
        if not self.config.broker:
            raise UsageError(
                "no broker is configured: pass --broker URL, set PROXIMA_BROKER, or write "
                'broker = "URL" into the config (to start one: proxima broker --lan)'
            )
        return self.config.broker

    def watch_line(self, batch_id: str) -> str:
        """The command that shows a batch of the farm again."""
        return f"proxima watch {batch_id}{self._typed_broker}"

    @property
    def work_line(self) -> str:
        """The command that starts a worker of the farm."""
        return f"proxima work{self._typed_broker}"

    @property
    def _typed_broker(self) -> str:
        # An address that was typed stands in this terminal already, password and all; one from
        # a file or a variable is found again without being shown.
        if self.loaded.origins["broker"] != "--broker":
            return ""
        return f" --broker {shlex.quote(self.config.broker)}"


class Farm:
    """A connected farm."""

    def __init__(self, url: str) -> None:
        from proxima.broker.celery_app import make_celery
        from proxima.broker.connection import require_fit

        self.address = BrokerAddress.parse(url)
        self.client: Redis = require_fit(self.address)
        self.celery: Celery = make_celery(self.address)
