"""Several real processes over one real database."""
