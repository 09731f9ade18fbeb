"""The only reader of config files and PROXIMA_* variables."""
