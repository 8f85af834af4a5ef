"""The words and screens that players see."""
