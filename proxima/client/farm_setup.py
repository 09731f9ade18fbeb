"""FarmSetup: a config and what follows from it; and Farm: a connection to one."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from proxima.broker.address import BrokerAddress
from proxima.config.loaded import load
from proxima.config.preset_book import PresetBook
from proxima.errors import ProximaError, UsageError
from proxima.paths import PathMaps

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


class FarmSetup:
    """Config and what follows from it."""

    def __init__(
        self, config_file: Path | None, options: Mapping[str, str | int | None] | None = None
    ) -> None:
        """*options* go before variables and the file: broker, preset, output, layout, slots."""
        self._file, self._options = config_file, dict(options or {})
        self.loaded = load(config_file=config_file, options=self._options, environment=os.environ)
        self.config = self.loaded.config
        if self.config.broker:
            # Said at once, not only when there is something to send.
            BrokerAddress.parse(self.config.broker)

    def having(self, **options: str | int | None) -> Self:
        """The same with other options; those that are None say nothing."""
        given = {key: value for key, value in options.items() if value is not None}
        return type(self)(self._file, {**self._options, **given}) if given else self

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

    def path_here(self, portable: str) -> str:
        """The same; as it is where it has no root on this machine."""
        try:
            return self.local_path(portable)
        except ProximaError:
            return portable

    def require_broker(self) -> str:
        """Address of the configured broker; UsageError if there is none."""
        if not self.config.broker:
            raise UsageError(
                "no broker is configured: pass --broker URL, set PROXIMA_BROKER, or write "
                'broker = "URL" into the config (to start one: proxima broker --lan)'
            )
        return self.config.broker


class Farm:
    """A connected farm."""

    def __init__(self, url: str) -> None:
        from proxima.broker.celery_app import make_celery
        from proxima.broker.connection import require_fit

        self.address = BrokerAddress.parse(url)
        self.client: Redis = require_fit(self.address)
        self.celery: Celery = make_celery(self.address)
