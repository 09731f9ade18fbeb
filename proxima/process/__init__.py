"""Child processes that never outlive their parent."""
