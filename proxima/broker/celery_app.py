"""Celery as Proxima uses it: each setting with its reason."""

from celery import Celery

from proxima.broker import keys
from proxima.broker.address import BrokerAddress

#: Seconds after which Kombu hands an unacknowledged message to another worker; longer than
#: any job, the same on all machines. Leases, not this, decide who works on a job.
VISIBILITY_SECONDS = 86_400

_TRANSPORT_OPTIONS = {
    "visibility_timeout": VISIBILITY_SECONDS,
    "priority_steps": list(range(10)),
    "queue_order_strategy": "priority",
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    # A connection that a router forgot is given up: without these, after 51 s, and never if the
    # worker waits for the answer to an acknowledgement. Longer than any BRPOP, which lasts 1 s.
    "health_check_interval": 5,
    "socket_timeout": 5,
}


def make_celery(address: BrokerAddress) -> Celery:
    """Celery on the farm of *address*. Nothing is connected yet."""
    app = Celery(
        "proxima",
        broker=address.kombu_url,
        backend=f"proxima.broker.polled_backend:PolledBackend+{address.kombu_url}",
        set_as_current=False,
    )
    app.conf.update(
        broker_transport="proxima.broker.transport:Transport",
        accept_content=["json"],
        result_accept_content=["json"],
        task_serializer="json",
        result_serializer="json",
        task_default_queue=keys.QUEUE,
        # Acknowledged after the work: a worker that dies has not swallowed its job.
        task_acks_late=True,
        # A job that takes its worker down must not go straight to the next one.
        task_reject_on_worker_lost=False,
        task_acks_on_failure_or_timeout=True,
        # No job waits on a busy worker while another is idle.
        worker_prefetch_multiplier=1,
        # True plus a broker restart loses the job.
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=True,
        result_expires=keys.KEEP_SECONDS,
        # None = for ever: a worker waits for its broker however long that takes.
        broker_connection_max_retries=None,
        broker_connection_retry_on_startup=True,
        broker_transport_options=_TRANSPORT_OPTIONS,
        result_backend_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            # A reading that cannot be stored now is stale in a moment: never wait for it.
            "retry_policy": {"max_retries": 1, "interval_start": 0.1},
        },
        redis_socket_connect_timeout=5,
        redis_socket_timeout=10,
        redis_socket_keepalive=True,
        redis_retry_on_timeout=False,
    )
    if address.is_tls:
        app.conf.update(
            broker_use_ssl=address.ssl_options, redis_backend_use_ssl=address.ssl_options
        )
    return app
