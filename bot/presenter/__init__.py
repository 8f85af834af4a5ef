"""Every word that players read: screens, notices, refusals and text alternatives, from views alone."""
