"""What is kept of finished matches, and what follows from it: statistics, rankings, ratings, achievements."""
