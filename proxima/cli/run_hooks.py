"""`proxima hooks`: do what the config says when something happens on the farm."""

from proxima.cli.options import BrokerOption, ConfigOption


def hooks(broker: BrokerOption = None, config: ConfigOption = None) -> None:
    """Run the hooks of the config until Ctrl-C.

    Any number of machines may run them: each event is handled by one.
    """
    from proxima.cli.consuming import consume_all, consumer_name
    from proxima.cli.notes import note
    from proxima.cli.setup import Farm, Setup
    from proxima.errors import UsageError
    from proxima.hooks.hook_runner import consumer_of

    setup = Setup(config, {"broker": broker})
    if not setup.config.hooks:
        raise UsageError("the config has no [[hooks]] (see: proxima config init)")
    url = setup.require_broker()
    consumers = []
    for hook in setup.config.hooks:
        farm = Farm(url)
        consumers.append(
            consumer_of(
                hook,
                farm.client,
                farm.address,
                consumer=consumer_name(None),
                local=setup.local_path,
                tell=note,
            )
        )
        note(f"{hook.name} waits for {', '.join(hook.events)}")
    consume_all(consumers)
