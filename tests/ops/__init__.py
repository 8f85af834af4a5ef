"""Running the bot: health, figures, limits, drain, copies."""
