/// One thing that the benchmark times, under a name that stays the same from version to version.
@MainActor
struct Operation {
    let name: String
    /// Sets up the requirements of the operation, untimed, and returns the function that runs it.
    let prepare: @MainActor () async throws -> Run

    /// Runs the operation a number of times and returns the time taken.
    typealias Run = @MainActor (_ repetitions: Int) async throws -> Duration

    /// An operation whose every repetition is alike and leaves nothing to clear away.
    init(_ name: String, prepare: @escaping @MainActor () async throws -> Run) {
        self.name = name
        self.prepare = prepare
    }
}

/// Times the repetitions of a body as a whole; inlined, so that the loop adds next to nothing.
@MainActor
@inline(__always)
func timed(_ repetitions: Int, _ body: @MainActor () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<repetitions { try body() }
    return ContinuousClock.now - start
}

/// Takes a result, so that the optimizer cannot leave out the work behind it.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}
