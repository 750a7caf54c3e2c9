import RouterServiceImplementation
import RouterServiceInterface

extension Operation {
    /// A new router with a thousand services, the last of which is resolved.
    static let registrations = [
        Operation("register-1000-resolve-last-warm") {
            { repetitions in
                var elapsed = Duration.zero
                for _ in 0..<repetitions { elapsed += try timeOfThousandRegistrations() }
                return elapsed
            }
        }
    ]

    /// From before the router exists until the last service is resolved; releasing the router is not in it.
    private static func timeOfThousandRegistrations() throws -> Duration {
        let start = ContinuousClock.now
        let router = RouterService(modules: [ThousandServices()])
        let last = try router.resolve(ThousandServices.Last.self)
        let elapsed = ContinuousClock.now - start
        keep(last)
        return elapsed
    }
}
