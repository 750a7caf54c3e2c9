"""Runs on the machines of a Dask cluster. Only this package imports Dask; `--cluster` and `worker` import it."""
