"""Reports: what a user reads of a record. Each form is made from the record's analysis, and calculates nothing itself.

`markdown` fills the Markdown templates, `tables` has their tables, `charts` and `page` the HTML page of one or several
records, `plots` the SVG plots of `scale`, and `lines` the comma-separated values. `forms` has what an experiment leaves
in its folder and what a terminal shows, comparisons too; `documents` the parts that documents show of records.
"""
