"""The sample's API on this computer; see `scripts/backend --help`."""
