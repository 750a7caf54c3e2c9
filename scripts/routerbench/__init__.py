"""Times the operations of RouterService and compares them with their bars."""
