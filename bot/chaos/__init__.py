"""The bot killed again and again while people press: nothing acknowledged may be lost, nothing may be done twice."""
