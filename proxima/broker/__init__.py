"""Everything that knows Celery and Redis."""
