"""The side that turns files into jobs, and follows them."""
