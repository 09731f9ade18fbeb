"""Setup: what every command composes from config and options, once."""

import shlex

from proxima.client.farm_setup import Farm, FarmSetup

__all__ = ["Farm", "Setup"]


class Setup(FarmSetup):
    """A farm's setup, with the commands that people type there."""

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
