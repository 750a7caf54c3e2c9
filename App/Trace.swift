import RouterServiceImplementation

/// Prints what a router does, a line for each event.
@MainActor
enum Trace {
    /// Does something, and prints what the router does meanwhile; all of it before this returns or throws.
    static func of<Output: Sendable>(
        _ router: RouterService, print: @escaping @MainActor (String) -> Void,
        while work: @MainActor () async throws -> Output
    ) async throws -> Output {
        let events = router.events()
        let printing = Task {
            for await event in events { print(event.description) }
        }
        let result: Result<Output, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        // Ends the stream, which still hands out the events that it holds.
        printing.cancel()
        await printing.value
        return try result.get()
    }
}
