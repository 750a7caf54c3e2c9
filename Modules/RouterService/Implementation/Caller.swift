import RouterServiceInterface

/// Whoever waits for a route's output.
@MainActor
struct Caller<Output> {
    let receive: @MainActor (Result<Output, any Error>) -> Void

    /// The same caller, for a route that took the place of the one it asked for.
    ///
    /// It receives an output of its own type; any other is none for it, and so a cancellation.
    func retyped<Other>(to type: Other.Type) -> Caller<Other> {
        if let same = self as? Caller<Other> { return same }
        return Caller<Other> { _ in receive(.failure(CancellationError())) }
    }

    /// The same caller, for a route whose output is converted.
    func converting<Other>(
        from type: Other.Type, by convert: @escaping @MainActor (Other) throws -> Output
    ) -> Caller<Other> {
        Caller<Other> { result in
            receive(Result { try convert(result.get()) })
        }
    }
}
