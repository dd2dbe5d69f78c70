"""What can be asked about a game; a file for each question."""
