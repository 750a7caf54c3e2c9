/// The samples that one process took of one operation.
struct Batches: Encodable {
    let operation: String
    /// The number of repetitions in each batch.
    let repetitions: Int
    /// A mean for each batch, in the order in which they ran.
    let nanosecondsPerOperation: [Double]

    /// Runs an operation until it is warm, finds out how many repetitions fill a batch, and times the batches.
    ///
    /// - Parameters:
    ///   - operation: The operation to time.
    ///   - count: The number of batches.
    ///   - length: About how long a batch is to take.
    /// - Throws: The error of the operation.
    @MainActor
    init(of operation: Operation, count: Int, length: Duration) async throws {
        let run = try await operation.prepare()
        var repetitions = 1
        var elapsed = try await run(repetitions)
        // Doubling warms up, too: together these runs take as long as the last of them, twice.
        while elapsed < length {
            repetitions *= 2
            elapsed = try await run(repetitions)
        }
        repetitions = max(1, Int(Double(repetitions) * (length / elapsed)))
        var means: [Double] = []
        for _ in 0..<count {
            means.append(try await run(repetitions) / .nanoseconds(1) / Double(repetitions))
        }
        self.operation = operation.name
        self.repetitions = repetitions
        nanosecondsPerOperation = means
    }
}
