"""Reads Swift packages: as SwiftPM describes them, and their sources as the parser of the toolchain reads them."""
