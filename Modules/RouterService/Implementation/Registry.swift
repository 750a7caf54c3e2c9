import RouterServiceInterface

/// What the modules registered, and what is wrong with it.
@MainActor
final class Registry {
    let services: Services
    private(set) var handlers: [any AnyHandler] = []
    private(set) var interceptors: [RegisteredInterceptor] = []
    private(set) var listeners: [any AnyListener] = []
    private(set) var mistakes: [RouterError] = []
    private var handlersByRoute: [ObjectIdentifier: any AnyHandler] = [:]
    private var handlersByIdentifier: [String: any AnyHandler] = [:]
    private var registeringModule = TypeName(RouterService.self)

    init(log: EventLog) {
        services = Services(log: log)
    }

    /// Lets a module register what it provides.
    func add(_ module: any Module) {
        registeringModule = TypeName(type(of: module))
        module.register(in: self)
        registeringModule = TypeName(RouterService.self)
    }

    /// Every route that is handled, the handlers that win over others first.
    var catalog: RouteCatalog {
        let winners = handlers.filter(\.isOverriding) + handlers.filter { !$0.isOverriding }
        return RouteCatalog(
            winners.map { RouteCatalog.Entry($0.routeType, aliases: $0.aliases, urls: $0.urls) })
    }

    func handler<R: Route>(of route: R.Type) throws -> Handler<R> {
        guard let handler = handlersByRoute[ObjectIdentifier(route)] as? Handler<R> else {
            throw RouterError.missingHandler(route: TypeName(route))
        }
        if let second = handler.duplicate { throw second }
        return handler
    }

    func isHandled(_ route: any Route.Type) -> Bool {
        handlersByRoute[ObjectIdentifier(route)] != nil
    }
}

extension Registry: Registrar {
    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        let registration = registration(of: service, for: repeat (each Need).self, at: place)
        let registered = RegisteredService(registration, lifetime: lifetime) { service in
            FactorySource.make(for: service) { try $0.create($1, by: factory) }
        }
        note(services.add(service, registered))
    }

    func prepare<Service: Sendable, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) async throws -> Service
    ) {
        let registration = registration(of: service, for: repeat (each Need).self, at: place)
        let registered = RegisteredService(registration, lifetime: .singleton, isAwaited: true) { service in
            AwaitedSource(service.registration.type) { try await $0.create($1, awaiting: factory) }
        }
        note(services.add(service, registered))
    }

    func replace<Service, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        let registration = registration(of: service, for: repeat (each Need).self, at: place)
        note(
            services.replace(service, registration) { service in
                FactorySource.make(for: service) { try $0.create($1, by: factory) }
            })
    }

    func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        let registration = registration(of: Handling.self, for: repeat (each Need).self, at: place)
        let work = Handler<Handling.Destination>.Work.feature {
            try $0.create(registration.type, by: factory)
        }
        add(Handler(registration, options: options, work: work))
    }

    func action<Handling: Action, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        let registration = registration(of: Handling.self, for: repeat (each Need).self, at: place)
        let work = Handler<Handling.Destination>.Work.action { try $0.create(registration.type, by: factory) }
        add(Handler(registration, options: options, work: work))
    }

    func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, options: [RouteOption<Required>],
        at place: SourcePlace, route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output
    ) {
        let registration = registration(of: required, at: place)
        let adapter = TypedRouteAdapter(route: route, output: output)
        add(Handler(registration, options: options, work: .adapter(adapter)))
    }

    func intercept<Deciding: Interceptor, each Need>(
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Deciding
    ) {
        let registration = registration(of: Deciding.self, for: repeat (each Need).self, at: place)
        interceptors.append(
            RegisteredInterceptor(registration: registration) {
                try $0.create(registration.type, by: factory)
            })
    }

    func listen<E: Event, each Need>(
        to event: E.Type, at place: SourcePlace,
        by listener: @escaping @MainActor (E, repeat each Need) async throws -> Void
    ) {
        let registration = registration(of: event, for: repeat (each Need).self, at: place)
        listeners.append(
            Listener<E>(registration: registration) { event, services in
                let needs = try services.needs(of: registration.type, as: repeat (each Need).self)
                try await listener(event, repeat each needs)
            })
    }

    private func registration<T, each Need>(
        of type: T.Type, for need: repeat (each Need).Type, at place: SourcePlace
    ) -> Registration {
        Registration(of: TypeName(type), for: repeat each need, in: registeringModule, at: place)
    }

    private func note(_ mistake: RouterError?) {
        if let mistake { mistakes.append(mistake) }
    }
}

extension Registry {
    /// Adds a handler; of two for one route or identifier, the one that is said to win does, or else the first.
    private func add(_ handler: some AnyHandler) {
        let route = TypeName(handler.routeType)
        if let other = handlersByRoute[route.id] {
            guard handler.isOverriding != other.isOverriding else {
                let mistake = RouterError.duplicateHandler(
                    route: route, first: other.registration.place, second: handler.registration.place)
                other.duplicate = mistake
                mistakes.append(mistake)
                return
            }
            guard handler.isOverriding else { return }
            handlers.removeAll { $0 === other }
            settle { if case .duplicateHandler(route, _, _) = $0 { true } else { false } }
        }
        handlers.append(handler)
        handlersByRoute[route.id] = handler
        claimIdentifier(for: handler)
    }

    private func claimIdentifier(for handler: some AnyHandler) {
        let identifier = handler.routeType.identifier
        let route = TypeName(handler.routeType)
        if identifier.isEmpty || identifier.contains("|") {
            mistakes.append(.invalidIdentifier(identifier, route: route))
        }
        guard let other = handlersByIdentifier[identifier], other.routeType != handler.routeType else {
            handlersByIdentifier[identifier] = handler
            return
        }
        if handler.isOverriding == other.isOverriding {
            mistakes.append(
                .duplicateIdentifier(identifier, first: TypeName(other.routeType), second: route))
        } else if handler.isOverriding {
            handlersByIdentifier[identifier] = handler
            settle { if case .duplicateIdentifier(identifier, _, _) = $0 { true } else { false } }
        }
    }

    /// Forgets the conflict of others, because a handler wins over all of them.
    private func settle(_ isSettled: (RouterError) -> Bool) {
        mistakes.removeAll(where: isSettled)
    }
}
