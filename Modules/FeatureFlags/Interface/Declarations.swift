public import Foundation
public import RouterServiceInterface

extension FeatureFlags {
    /// A flag of any type.
    public protocol AnyFlag: Sendable {
        /// The name, unique in a program.
        var name: Identifier { get }

        /// Whether a value is of the flag's type.
        func accepts(_ value: any Sendable) -> Bool
    }

    /// The flags of the program, and the routes about which the server decides nothing.
    ///
    /// A required value: the App registers it.
    public struct Declarations: Sendable {
        /// The flags that modules ask; a server's value for another one is ignored.
        public let flags: [any AnyFlag]
        /// The routes that stay reachable, such as the one for signing in: no rule is about them, or leads to them.
        public let exemptRoutes: [any Route.Type]

        public init(flags: [any AnyFlag], exemptRoutes: [any Route.Type]) {
            (self.flags, self.exemptRoutes) = (flags, exemptRoutes)
        }
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

    /// The values may be out of date, so that they are fetched; broadcast by the App when it has started.
    public struct Outdated: Event {
        public init() {}
    }
}
