"""The study of people at Pig: its form and its questions, asked of any set of forms."""
