"""`report.html`: one file that shows a record, without anything from elsewhere."""
