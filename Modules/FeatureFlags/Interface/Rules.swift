public import Foundation
public import RouterServiceInterface

extension FeatureFlags {
    /// A route that stays reachable, such as the one for signing in: no rule is about it, or leads to it.
    ///
    /// A module contributes one for each such route:
    /// `registrar.contribute(FeatureFlags.ExemptRoute.self) { .init(Login.SignIn.self) }`.
    public struct ExemptRoute: Sendable {
        /// The type of the route.
        public let type: any Route.Type

        public init(_ type: any Route.Type) { self.type = type }
    }

    /// The error of a route that the server rejects, with its reason.
    public struct Rejection: LocalizedError {
        public let errorDescription: String?

        public init(_ reason: String) { errorDescription = reason }
    }

    /// The server decided what the program does not follow; announced once for each such decision.
    public struct Refused: Event {
        /// The reason, in words for the user.
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    /// The values may be out of date, so that they are fetched; broadcast by the App when it has started or continues.
    public struct Outdated: Event {
        public init() {}
    }
}
