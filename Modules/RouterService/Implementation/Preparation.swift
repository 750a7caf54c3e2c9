import RouterServiceInterface

extension Services {
    /// Creates the services whose factories are asynchronous, each after those that it needs.
    ///
    /// Deferred needs do not count: they are resolved later, if at all.
    func prepare() async throws {
        var visited: Set<TypeName> = []
        for service in all where service.isAwaited {
            try await prepare(service, along: [], visited: &visited)
        }
    }

    private func prepare(
        _ service: RegisteredService, along path: [TypeName], visited: inout Set<TypeName>
    ) async throws {
        let type = service.registration.type
        guard !path.contains(type) else { throw RouterError.cycle(path: path + [type]) }
        guard visited.insert(type).inserted else { return }
        for need in service.registration.needs where !need.isDeferred {
            if let needed = self.service(of: need.service) {
                try await prepare(needed, along: path + [type], visited: &visited)
            }
        }
        try await source(of: type)?.prepare(from: self)
    }
}
