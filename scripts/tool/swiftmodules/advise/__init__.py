"""Which target to split first: the declarations of a package, what an interface would hold, and what that saves."""
