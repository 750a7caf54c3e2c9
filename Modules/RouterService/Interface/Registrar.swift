/// Takes what modules provide.
///
/// Everything is registered with its initialiser, or a closure of the same shape; the parameters are the needs.
/// The parameter pack tells the router the type of every need without running anything, so that the whole graph
/// can be validated before the first service exists.
@MainActor
public protocol Registrar {
    /// Registers a service under a type, usually a protocol.
    ///
    /// - Parameters:
    ///   - service: The type under which others need it, for example `(any Login.Sessions).self`.
    ///   - lifetime: How long one instance serves.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The initialiser; its parameters are resolved when the service is first needed.
    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service)

    /// Registers the feature that builds the screen for a type of route.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The feature's initialiser; its parameters are resolved each time the route is opened.
    func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling)
}

extension Registrar {
    /// Registers a service under a type, usually a protocol, and remembers the line of the call.
    public func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime = .whileUsed, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        register(service, lifetime: lifetime, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Registers the feature that builds the screen for a type of route, and remembers the line of the call.
    public func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        self.route(route, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }
}

/// How long one instance of a service serves.
public enum Lifetime: Hashable, Sendable {
    /// One instance while anybody holds it, released after. The default; for classes and actors only.
    case whileUsed
    /// One instance, from its first use until the router is released.
    case app
    /// A new instance for each need.
    case each
}

/// A line of source, as `#fileID` and `#line` give it.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    /// The module and file, for example `LoginImplementation/LoginModule.swift`.
    public let fileID: String
    /// The line, from 1.
    public let line: Int

    /// Creates a place from `#fileID` and `#line`.
    public init(fileID: String, line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// The place as compilers write it, `file:line`.
    public var description: String { "\(fileID):\(line)" }
}
