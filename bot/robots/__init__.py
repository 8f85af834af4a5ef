"""Computer players: functions of what one seat sees."""
