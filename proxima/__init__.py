"""Proxima turns the machines of a post house into one transcode farm."""

__version__ = "0.1.0"
