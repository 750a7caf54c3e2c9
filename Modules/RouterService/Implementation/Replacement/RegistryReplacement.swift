import RouterServiceInterface

extension Registry {
    /// The registry after the replacement of modules, by their positions; where the graph stays the same, it is shared.
    func replacing(_ new: [Int: Registrations]) -> Registry {
        var modules = modules
        for (index, registrations) in new { modules[index] = registrations }
        let isSameGraph = new.allSatisfy { Self.shape(of: $1) == Self.shape(of: self.modules[$0]) }
        guard isSameGraph, mistakes.isEmpty, addresses.problems.isEmpty else { return Registry(modules) }
        var next = self
        next.modules = modules
        for (index, registrations) in new {
            next.take(registrations, from: self, inPlaceOf: self.modules[index].module)
        }
        return next
    }

    private mutating func take(_ new: Registrations, from present: Registry, inPlaceOf old: TypeKey) {
        /// The position of a service, unless another module overrides it.
        func ownPosition(of service: TypeKey) -> Int? {
            guard let index = position(of: service) else { return nil }
            return present.services[index].sources.contains { $0.module == old } ? index : nil
        }
        for contribution in new.contributions {
            guard let index = ownPosition(of: contribution.type) else { continue }
            let all = modules.flatMap { $0.contributions.filter { $0.type == contribution.type } }
            if let array = ServiceRegistration.array(of: all) { services[index] = array }
        }
        for service in new.services {
            guard let index = ownPosition(of: service.type) else { continue }
            services[index] = service.with(present.services[index].lifetime)
        }
        for route in new.routes {
            if let index = handlerPosition(of: route.type) { handlers[index] = route }
        }
    }

    /// The types, lifetimes, dependencies and names of the registrations, which a graph is made of.
    private static func shape(of module: Registrations) -> [[AnyHashable]] {
        let services = module.services + module.contributions
        var shape: [[AnyHashable]] = [
            [module.services.count, services.count, module.routes.count, module.interceptors.count]
        ]
        for service in services {
            shape.append([service.type, service.lifetime, service.isAsynchronous, service.dependencies])
        }
        for route in module.routes {
            let next = route.rerouted.map { TypeKey($0) }
            shape.append(
                [route.name, route.kind, next, route.urls, route.source.dependencies])
        }
        for interceptor in module.interceptors {
            shape.append([interceptor.phase, interceptor.source.dependencies])
        }
        for listener in module.listeners {
            shape.append([listener.source.type, listener.source.dependencies])
        }
        return shape
    }
}
