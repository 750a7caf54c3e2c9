import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Lets other tasks run; throws when the test has taken too long, so that a loop around it ends.
func yieldUnlessCancelled() async throws {
    try Task.checkCancellation()
    await Task.yield()
}

/// The processor time of this thread, which does not grow while other threads run.
func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
