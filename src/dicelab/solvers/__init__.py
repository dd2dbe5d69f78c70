"""Methods: arrays in, arrays out; no game in sight."""
