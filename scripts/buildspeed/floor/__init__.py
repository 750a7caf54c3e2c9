"""How close `swift build` comes to the work that cannot be avoided, with different settings."""
