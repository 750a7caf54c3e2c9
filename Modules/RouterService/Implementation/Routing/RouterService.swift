public import Foundation
public import RouterServiceInterface
public import RouterServiceProgram

/// Creates services, fulfils routes and keeps the navigation stack; nothing is shared between two routers.
///
/// ```swift
/// let router = RouterService(modules: [DisplayModule(), LoginModule(), ProfileModule()])
/// let problems = router.validate()
/// try await router.start(with: Profile.Overview())
/// ```
@MainActor
public final class RouterService: ProgramRouter {
    public var catalog: any RouteCatalog { addresses }

    let log = RouterEvents()
    let addresses: CurrentAddresses
    let reference = RouterReference()
    let stack: NavigationStack
    /// The container of the services; while screens are rebuilt for a replaced module, the prepared container.
    var container: Container
    var registry: Registry { container.registry }
    let changes = GenerationChanges()

    /// Lets each module register its services and routes, in order.
    ///
    /// `validate()` returns the mistakes in the registrations; a use of their services and routes throws.
    public init(modules: [any Module]) {
        let addresses = CurrentAddresses()
        let service = RouterProxy(reference, opener: .service(after: []))
        let own = Registrar(for: RouterService.self)
        own.register((any RouteCatalog).self, lifetime: .singleton) { addresses }
        own.register((any Router).self, lifetime: .singleton) { service }
        self.addresses = addresses
        stack = NavigationStack(events: log)
        container = Container(
            Registry((modules.map { Registrar($0) } + [own]).map(\.registrations)),
            sharing: Container.SharedState(log, reference))
        addresses.update(registry.addresses)
        reference.router = self
    }

    public func start(with route: some Route) async throws {
        try await start(with: [Opening(route, as: .root, by: .start)])
    }

    func start(with openings: [Opening]) async throws {
        guard let first = openings.first?.routeType else { throw RouterError.emptyStack }
        guard stack.isEmpty, stack.starting == nil else {
            throw RouterError.rejected(.alreadyStarted, route: first)
        }
        stack.begin(with: openings)
        var isShown = false
        defer { stack.endStart(isShown: isShown) }
        try await log.reportingFailure(of: first.description) {
            try await changes.perform {
                try await changes.prepare(container)
                stack.use(try resolve((any Presenter).self))
            }
        }
        try await Fulfilment(of: openings, in: self).perform()
        guard !stack.isEmpty else { throw RouterError.emptyStack }
        isShown = true
    }

    public func output(of link: AnyRoute) async throws -> Data { try await output(of: link.route) }

    private func output<R: Route>(of route: R) async throws -> Data {
        let caller = RouterProxy(reference, opener: opener, origin: .external)
        guard R.Output.self is any Encodable.Type,
            let output = try await caller.result(of: route, as: .modal) as? any Encodable
        else { throw RouterError.rejected(.outputNotEncodable, route: TypeKey(R.self)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Other programs read the output.
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(output)
    }

    public func resolve<Value>(_ type: Value.Type) throws -> Value {
        // Looked up here, because a call of the container would retain it.
        if let provider = container.providers[.init(type)] { return try provider.value(as: type) }
        return try container.firstValue(type)
    }
}

extension RouterService {
    public var routes: [RouteRegistration] { registry.handlers.sorted { $0.identifier < $1.identifier } }

    public var services: [ServiceRegistration] { registry.services }

    public func interceptors(of route: any Route.Type) -> [InterceptorRegistration] {
        container.interceptors.deciding(on: route)
    }

    public func events() -> AsyncStream<RouterEvent> { log.events() }
}
