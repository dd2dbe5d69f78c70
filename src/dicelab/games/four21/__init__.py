"""421: figures of its rounds."""
