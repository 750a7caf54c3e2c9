"""Reports: what a user reads of a record. Each form is made from the record's analysis, and calculates nothing itself.

`forms` writes any record in any form: Markdown, HTML, CSV, JSON and on a terminal, and shows comparisons. `markdown`
fills the Markdown templates, `tables` has their tables, `charts` and `page` the HTML page, `plots` the SVG plots of
`scale`, and `documents` the parts that documents show of records.
"""
