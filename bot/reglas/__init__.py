"""The rule book's topics: looking them up, judging melds that people type, exercises."""
