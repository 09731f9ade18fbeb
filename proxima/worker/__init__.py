"""The side that takes jobs and encodes them."""
