public import RouterServiceInterface

/// A problem of the graph of services and routes, which ``ProgramRouter/validate()`` finds.
public struct GraphProblem: Error {
    public enum Kind: Hashable, Sendable {
        /// A dependency that is not registered; the subjects are the dependency and the type that depends on it.
        case missingService
        /// Two registrations of one service, or two handlers of one route.
        case duplicate
        /// An override of a service that was not registered before.
        case nothingToOverride
        /// Services that depend on one another; the path begins and ends with the same service.
        case cycle
        /// A `weak` service whose factory makes a value type, which cannot be held.
        case weakValueType
        /// A service that lives longer than the scope of a service that it holds.
        case outlivesDependency(Lifetime, Scope)
        /// A warning: a service or an array that nothing depends on, which the App may resolve itself, or an interceptor
        /// without a registered route.
        case unused
        /// Two routes with one identifier.
        case duplicateIdentifier(String)
        /// An identifier that is empty or has a `|`, which ends identifiers in links.
        case invalidIdentifier(String)
        /// A fallback or an adapter that leads to a route without a handler, or back.
        case unreachableRoute
        /// A URL pattern that is malformed, or that matches the same URLs as an earlier pattern of the second subject; with the
        /// end of the message.
        case invalidPattern(String, String)
    }

    public let kind: Kind
    /// The service or route that has the problem, and the types that have a part in it.
    public let subjects: [TypeKey]
    public let places: [String]
    /// The types that lead to the problem, outermost first.
    public let path: [TypeKey]

    public init(
        _ kind: Kind, of subjects: [TypeKey], at places: [String] = [], along path: [TypeKey] = []
    ) {
        self.kind = kind
        self.subjects = subjects
        self.places = places
        self.path = path
    }

    public var isWarning: Bool { kind == .unused }
}

extension GraphProblem: CustomStringConvertible {
    public var description: String {
        let (subject, other) = (text(subjects, 0), text(subjects, 1))
        let (place, otherPlace) = (text(places, 0), text(places, 1))
        let allPlaces = places.joined(separator: " and at ")
        let path = path.map(\.description).joined(separator: " → ")
        return switch kind {
        case .missingService:
            (subjects.first.map { "\(RouterError.missingService($0, path: self.path))" }
                ?? "") + (place.isEmpty ? "" : " \(other) is registered at \(place).")
        case .duplicate:
            "\(subject) is registered twice, at \(place) and at \(otherPlace). Remove one of the two, or write "
                + "'override(\(subject).self, by:)' in the second, if it is a service."
        case .nothingToOverride:
            "\(subject) is overridden at \(place), but was not registered before. Register it, or list the module that "
                + "does so earlier."
        case .cycle:
            "\(RouterError.cycle(path: self.path)) \(subject) is registered at \(allPlaces)."
        case .weakValueType:
            "\(subject) is registered at \(place) with the lifetime 'weak', but its factory made a value type, which "
                + "cannot be held. Make it a class, or register it with the lifetime 'singleton' or 'transient'."
        case .outlivesDependency(let lifetime, let scope):
            "\(subject), registered at \(place) as '\(lifetime)', may outlive the scope '\(scope)' of what it holds along "
                + "\(path). Register it in the same scope, or let it take a 'Deferred'."
        case .unused:
            "\(subject), registered at \(allPlaces), is used by nothing that is registered. Remove it, or register what "
                + "uses it, unless the App resolves it directly."
        case .duplicateIdentifier(let name):
            "\(subject), registered at \(place), and \(other), at \(otherPlace), have the same identifier "
                + "'\(name)'. Change one of the two."
        case .invalidIdentifier(let name):
            "'\(name)' of \(subject), registered at \(place), cannot be used in a link. Use at least one character "
                + "and no '|'."
        case .unreachableRoute:
            "\(path), registered at \(place), leads nowhere. Let it end at a route that has a handler and does "
                + "not lead back."
        case .invalidPattern(let pattern, let problem):
            "The URL pattern '\(pattern)' of \(subject)\(place.isEmpty ? "" : ", registered at \(place),") \(problem)"
        }
    }

    private func text(_ values: [some CustomStringConvertible], _ index: Int) -> String {
        values.indices.contains(index) ? "\(values[index])" : ""
    }
}
