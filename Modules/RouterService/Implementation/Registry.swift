import RouterServiceInterface

/// What the modules registered, and what is wrong with it.
@MainActor
final class Registry {
    let services = Services()
    private(set) var handlers: [any AnyHandler] = []
    private(set) var mistakes: [RouterError] = []
    private var handlersByRoute: [ObjectIdentifier: any AnyHandler] = [:]
    private var handlersByIdentifier: [String: any AnyHandler] = [:]
    private var registeringModule = TypeName(RouterService.self)

    init(modules: [any Module]) {
        for module in modules {
            registeringModule = TypeName(type(of: module))
            module.register(in: self)
        }
        registeringModule = TypeName(RouterService.self)
        let catalog = catalog
        register(RouteCatalog.self, lifetime: .app) { catalog }
    }

    var catalog: RouteCatalog { RouteCatalog(handlers.map(\.routeType)) }

    func handler<R: Route>(of route: R.Type) throws -> Handler<R> {
        guard let handler = handlersByRoute[ObjectIdentifier(route)] as? Handler<R> else {
            throw RouterError.missingFeature(route: TypeName(route))
        }
        if let second = handler.duplicate { throw second }
        return handler
    }
}

extension Registry: Registrar {
    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        let registration = Registration(
            of: TypeName(service), for: repeat (each Need).self, in: registeringModule, at: place)
        let holder = ServiceHolder(registration, lifetime: lifetime, create: factory)
        if let mistake = services.add(holder) { mistakes.append(mistake) }
    }

    func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        let registration = Registration(
            of: TypeName(Handling.self), for: repeat (each Need).self, in: registeringModule, at: place)
        add(Handler(registration, create: factory))
    }

    private func add(_ handler: some AnyHandler) {
        let identifier = handler.routeType.identifier
        let route = TypeName(handler.routeType)
        if let first = handlersByRoute[ObjectIdentifier(handler.routeType)] {
            let mistake = RouterError.duplicateFeature(
                route: route, first: first.registration.place, second: handler.registration.place)
            first.duplicate = mistake
            mistakes.append(mistake)
            return
        }
        if let first = handlersByIdentifier[identifier] {
            mistakes.append(
                .duplicateIdentifier(identifier, first: TypeName(first.routeType), second: route))
        }
        if identifier.isEmpty || identifier.contains("|") {
            mistakes.append(.invalidIdentifier(identifier, route: route))
        }
        handlers.append(handler)
        handlersByRoute[ObjectIdentifier(handler.routeType)] = handler
        handlersByIdentifier[identifier] = handlersByIdentifier[identifier] ?? handler
    }
}

/// What a registration says of itself before anything runs.
struct Registration {
    /// The service's type, or the feature's.
    let type: TypeName
    /// The types of the factory's parameters, in order.
    let needs: [TypeName]
    /// The module entry that registered it.
    let module: TypeName
    let place: SourcePlace

    init<each Need>(
        of type: TypeName, for need: repeat (each Need).Type, in module: TypeName, at place: SourcePlace
    ) {
        var needs: [TypeName] = []
        repeat needs.append(TypeName(each need))
        self.type = type
        self.needs = needs
        self.module = module
        self.place = place
    }
}
