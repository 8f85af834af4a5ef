"""The application: presses, screens, lobby, robots' turns, notices, settings and logs."""
