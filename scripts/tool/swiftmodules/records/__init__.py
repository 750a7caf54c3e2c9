"""Records: everything that an experiment found, as JSON from which its report is made.

`model` has what all records share: `Record` (the header), `TimedRecord` (what records with times add to it), and one
`Sample` for every timed build. `kinds` has the six kinds (`RunRecord`, `MatrixRecord`, `ScaleRecord`, `FloorRecord`,
`SimulateRecord`, `BenchRecord`) and their options, frozen dataclasses that a command line fills too. `files` reads
and writes them: `read_record`, `read_kind`, `write_record`, and `SampleLog`, the file `samples.jsonl` of an unfinished
run. `format` lists the fields for ResultsFormat.md.

An experiment makes its record without samples, begins a `SampleLog` with it, appends each sample as it is taken, and
ends with `SampleLog.finish(record, path)`; `SampleLog.resume` returns the record of an interrupted run.
"""
