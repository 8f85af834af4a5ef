"""The table of faults, and those of its tests that belong nowhere else."""
