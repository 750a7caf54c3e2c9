public import Foundation

/// Everything that can go wrong with registrations, services, routes and screens.
///
/// Each case names the types involved and, where one thing needs another, the path that led there, outermost
/// first. The message says what happened and what to do.
public enum RouterError: Error {
    /// Nobody registered a service that something needs.
    case missingService(TypeName, path: [TypeName])
    /// Two registrations of one service.
    case duplicateService(TypeName, first: SourcePlace, second: SourcePlace)
    /// Services that need one another; the path begins and ends with the same one.
    case cycle(path: [TypeName])
    /// A `whileUsed` service whose factory made a value type, which nobody can hold.
    case valueTypeWhileUsed(TypeName, registered: SourcePlace)
    /// A service or feature whose initialiser threw.
    case creationFailed(TypeName, path: [TypeName], underlying: any Error)

    /// Nobody registered a feature for a route.
    case missingFeature(route: TypeName)
    /// Two features for one route.
    case duplicateFeature(route: TypeName, first: SourcePlace, second: SourcePlace)
    /// Two routes of one identifier.
    case duplicateIdentifier(String, first: TypeName, second: TypeName)
    /// A registered route whose identifier is empty or holds the vertical line that ends it in a link.
    case invalidIdentifier(String, route: TypeName)

    /// A presentation style that the presenter does not know.
    case unknownStyle(PresentationStyle, presenter: TypeName)
    /// A screen that the presenter cannot show.
    case unknownScreen(TypeName, presenter: TypeName)
    /// A second `finish` of one screen.
    case alreadyFinished(route: TypeName)
    /// A call on the context of a screen that was removed, or whose router was released.
    case screenIsGone(route: TypeName)
    /// An attempt to remove the first screen.
    case rootStays(route: TypeName)
    /// An opening before the first screen.
    case notStarted(route: TypeName)
    /// A second first screen.
    case alreadyStarted(route: TypeName)

    /// A URL that no declared pattern matches, and the pattern that it was probably meant for.
    case unknownURL(URL, nearest: URLPattern?)
    /// A route that none of its patterns can carry, or that has none.
    case noURL(route: TypeName, reason: String)
    /// A malformed URL pattern.
    case invalidPattern(URLPattern, reason: String, route: TypeName)
    /// A URL pattern that matches the same URLs as an earlier one.
    case duplicatePattern(URLPattern, first: TypeName, second: TypeName)
    /// An alias that is empty or holds the vertical line that ends an identifier in a link.
    case invalidAlias(String, route: TypeName)
    /// An alias that another route has as its identifier or alias.
    case duplicateAlias(String, first: TypeName, second: TypeName)
}

/// A type as a key and, when a message is printed, as text.
public struct TypeName: Hashable, Sendable, CustomStringConvertible {
    private let id: ObjectIdentifier
    private let type: any Any.Type

    /// Refers to a type.
    public init(_ type: any Any.Type) {
        self.type = type
        id = ObjectIdentifier(type)
    }

    /// Compares the types themselves, never their names.
    public static func == (left: TypeName, right: TypeName) -> Bool { left.id == right.id }

    /// Hashes the type's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The type's name without its module, for example `any Login.Sessions`.
    public var description: String {
        // `String(describing:)` would drop the namespaces too, so the module is cut from the full name, and what
        // Swift writes in place of the file for a private type.
        let name = String(reflecting: type)
            .replacing(/\(unknown context at [^)]*\)\./, with: "")
            .replacing(/(^|[<( ])[A-Za-z_][A-Za-z0-9_]*\./) { $0.1 }
        // `String(reflecting:)` writes `P` for `any P`, but the type of `(any P).self` as `P.Protocol`.
        return String(reflecting: Swift.type(of: type)).hasSuffix(".Protocol") ? "any \(name)" : name
    }
}

extension RouterError: LocalizedError, CustomStringConvertible {
    /// What happened, where, and what to do.
    public var errorDescription: String? { description }

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .missingService(let type, let path):
            "Nobody registered \(type), needed along \(text(path)). Register it in a module entry that the App lists."
        case .duplicateService(let type, let first, let second):
            "\(type) is registered twice, at \(first) and at \(second). Remove one of the two."
        case .cycle(let path):
            "Services need one another in a cycle: \(text(path)). Let one of them receive the other later."
        case .valueTypeWhileUsed(let type, let place):
            "\(type) is registered at \(place) to live while it is used, but its factory made a value type, which "
                + "nobody can hold. Make it a class, or register it with the lifetime 'app' or 'each'."
        case .creationFailed(let type, let path, let underlying):
            "\(type) could not be created along \(text(path)): \(underlying.localizedDescription)"
        case .missingFeature(let route):
            "No feature handles \(route). Register one with 'route(\(route).self, by:)' in a module entry that the "
                + "App lists."
        case .duplicateFeature(let route, let first, let second):
            "\(route) has two features, registered at \(first) and at \(second). Remove one of the two."
        case .duplicateIdentifier(let identifier, let first, let second):
            "\(first) and \(second) have the same identifier '\(identifier)'. Change one of the two."
        case .invalidIdentifier(let identifier, let route):
            "The identifier '\(identifier)' of \(route) cannot stand in a link. Use at least one character and no '|'."
        case .unknownStyle(let style, let presenter):
            "\(presenter) does not know the presentation style '\(style.name)'. Use one that it documents."
        case .unknownScreen(let screen, let presenter):
            "\(presenter) cannot show a \(screen). Let the feature build a kind of screen that it documents."
        case .alreadyFinished(let route):
            "The screen of \(route) finished before. Call 'finish' once."
        case .screenIsGone(let route):
            "The screen of \(route) is gone. Stop its work when the person leaves it."
        case .rootStays(let route):
            "\(route) is the first screen and stays. Dismiss only screens that were opened above it."
        case .notStarted(let route):
            "\(route) cannot be opened yet. Call 'start(with:)' before."
        case .alreadyStarted(let route):
            "\(route) cannot be the first screen, for there is one. Call 'start(with:)' once and 'open' later."
        case .unknownURL(let url, let nearest):
            "No route has a URL pattern that matches \(url.absoluteString.quoted). "
                + (nearest.map { "The nearest is '\($0)'." } ?? "Declare one beside the route's registration.")
        case .noURL(let route, let reason):
            "\(route) cannot be written as a URL. \(reason) Declare a pattern that names all its values."
        case .invalidPattern(let pattern, let reason, let route):
            "The URL pattern '\(pattern)' of \(route) matches nothing: \(reason). Write it like "
                + "'app://profile/:userID?tab&tag*'."
        case .duplicatePattern(let pattern, let first, let second):
            "The URL pattern '\(pattern)' of \(second) matches the same URLs as an earlier one of \(first). Change "
                + "or remove one of the two."
        case .invalidAlias(let alias, let route):
            "The alias '\(alias)' of \(route) cannot stand in a link. Use at least one character and no '|'."
        case .duplicateAlias(let alias, let first, let second):
            "The alias '\(alias)' of \(second) already stands for \(first). Remove it from one of the two."
        }
    }

    private func text(_ path: [TypeName]) -> String {
        path.map(\.description).joined(separator: " → ")
    }
}
