"""What is done when something happens: consumers of events, and the hooks of the config."""
