"""Reports: what a user reads of a record. Each form is made from the record's analysis, and calculates nothing itself.

`markdown` fills the Markdown templates, `tables` has their tables, `charts` the contents of the charts on the HTML
`page` and in the SVG `plots`, and `csv_lines` the comma-separated values. `output` has what an experiment leaves in its
folder and what a terminal shows, comparisons too; `documents` the parts that documents show of records.
"""
