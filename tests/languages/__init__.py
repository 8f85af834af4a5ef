"""Every language: complete, within every limit, right about the rules, and found in its rule book."""
