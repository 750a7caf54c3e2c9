/// Lets other tasks run; throws when the test has taken too long, so that a loop around it ends.
func yieldUnlessCancelled() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
