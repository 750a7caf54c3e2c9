import RouterServiceInterface

/// The registered services by type, and the scopes that have begun.
@MainActor
final class Services {
    let log: EventLog
    private(set) var all: [RegisteredService] = []
    private var byType: [ObjectIdentifier: RegisteredService] = [:]
    private var entered: Set<Scope> = []

    init(log: EventLog) {
        self.log = log
    }

    /// Adds a service; of two for one type, the first stays.
    ///
    /// - Returns: The mistake when the type was registered before.
    func add<Value>(_ type: Value.Type, _ service: RegisteredService) -> RouterError? {
        guard let first = byType[ObjectIdentifier(type)] else {
            byType[ObjectIdentifier(type)] = service
            all.append(service)
            return nil
        }
        let mistake = RouterError.duplicateService(
            service.registration.type, first: first.registration.place, second: service.registration.place)
        first.duplicate = mistake
        return mistake
    }

    /// Gives a service another factory and forgets the instance that lives.
    ///
    /// - Returns: The mistake when there is nothing to replace.
    func replace<Value>(
        _ type: Value.Type, _ registration: Registration, makeSource: @escaping @MainActor () -> ServiceSource
    ) -> RouterError? {
        guard let service = byType[ObjectIdentifier(type)] else {
            return .nothingToReplace(registration.type, at: registration.place)
        }
        service.replace(registration, makeSource: makeSource)
        return nil
    }

    func isRegistered(_ type: TypeName) -> Bool {
        byType[type.id] != nil
    }

    func service(of type: TypeName) -> RegisteredService? {
        byType[type.id]
    }

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Errors gather their path on the way out, each level putting its own name in front.
    func resolve<Value>(_ type: Value.Type) throws -> Value {
        guard let service = byType[ObjectIdentifier(type)] else { return try unregistered(type) }
        guard let source = service.source as? TypedServiceSource<Value> else {
            throw RouterError.missingService(TypeName(type), path: [TypeName(type)])
        }
        return try source.value(of: service, from: self)
    }

    private func unregistered<Value>(_ type: Value.Type) throws -> Value {
        guard let wrapper = type as? any WrappedNeed.Type,
            let value = try wrapper.resolved(from: self) as? Value
        else { throw RouterError.missingService(TypeName(type), path: [TypeName(type)]) }
        return value
    }

    /// Resolves the needs of a factory and calls it.
    func create<Value, each Need>(
        _ type: TypeName, by factory: @MainActor (repeat each Need) throws -> Value
    ) throws -> Value {
        let needs = try needs(of: type, as: repeat (each Need).self)
        do {
            return try factory(repeat each needs)
        } catch {
            throw RouterError.creationFailed(type, path: [type], underlying: error)
        }
    }

    /// Resolves the needs of an asynchronous factory and awaits it.
    func create<Value: Sendable, each Need>(
        _ type: TypeName, awaiting factory: @MainActor (repeat each Need) async throws -> Value
    ) async throws -> Value {
        let needs = try needs(of: type, as: repeat (each Need).self)
        do {
            return try await factory(repeat each needs)
        } catch {
            throw RouterError.creationFailed(type, path: [type], underlying: error)
        }
    }

    /// Resolves what a type needs.
    func needs<each Need>(of type: TypeName, as need: repeat (each Need).Type) throws -> (repeat each Need) {
        do {
            return (repeat try resolve(each need))
        } catch let error as RouterError {
            throw error.needed(by: type)
        }
    }
}

extension Services {
    func enter(_ scope: Scope) throws {
        guard entered.insert(scope).inserted else { throw RouterError.scopeIsEntered(scope) }
    }

    func leave(_ scope: Scope) throws {
        guard entered.remove(scope) != nil else { throw RouterError.scopeIsNotEntered(scope) }
        for service in all where service.lifetime == .scope(scope) { service.forget() }
    }

    func isEntered(_ scope: Scope) -> Bool {
        entered.contains(scope)
    }
}

extension RouterError {
    /// The same error, its path beginning with what needed it.
    func needed(by type: TypeName) -> RouterError {
        switch self {
        case .missingService(let missing, let path): .missingService(missing, path: [type] + path)
        case .cycle(let path): .cycle(path: [type] + path)
        case .notPrepared(let late, let path): .notPrepared(late, path: [type] + path)
        case .outsideScope(let scope, let path): .outsideScope(scope, path: [type] + path)
        case .creationFailed(let failed, let path, let underlying):
            .creationFailed(failed, path: [type] + path, underlying: underlying)
        default: self
        }
    }
}
