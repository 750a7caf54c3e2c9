import RouterServiceInterface

/// The registered services by type, and the scopes that have begun.
@MainActor
final class Services {
    let log: EventLog
    private(set) var all: [RegisteredService] = []
    private var byType: [ObjectIdentifier: RegisteredService] = [:]
    /// The sources of the services that have been needed; what is forgotten is made again.
    private var sources: [ObjectIdentifier: ServiceSource] = [:]
    private var entered: Set<Scope> = []

    init(log: EventLog) {
        self.log = log
        // Spares most of the growing on the way to a few hundred services, for a few kilobytes.
        byType.reserveCapacity(512)
    }

    /// Adds a service; of two for one type, the first stays.
    ///
    /// - Returns: The mistake when the type was registered before.
    func add<Value>(_ type: Value.Type, _ service: RegisteredService) -> RouterError? {
        guard let first = byType.updateValue(service, forKey: ObjectIdentifier(type)) else {
            all.append(service)
            return nil
        }
        byType[ObjectIdentifier(type)] = first
        let mistake = RouterError.duplicateService(
            service.registration.type, first: first.registration.place, second: service.registration.place)
        let type = service.registration.type
        first.replace(first.registration) { _ in FactorySource<Value>(type) { _, _ in throw mistake } }
        return mistake
    }

    /// Gives a service another factory and forgets the instance that lives.
    ///
    /// - Returns: The mistake when there is nothing to replace.
    func replace<Value>(
        _ type: Value.Type, _ registration: Registration,
        makeSource: @escaping RegisteredService.MakeSource
    ) -> RouterError? {
        guard let service = byType[ObjectIdentifier(type)] else {
            return .nothingToReplace(registration.type, at: registration.place)
        }
        service.replace(registration, makeSource: makeSource)
        sources[ObjectIdentifier(type)] = nil
        return nil
    }

    func isRegistered(_ type: TypeName) -> Bool {
        byType[type.id] != nil
    }

    func source(of type: TypeName) -> ServiceSource? {
        sources[type.id] ?? newSource(of: type)
    }

    func service(of type: TypeName) -> RegisteredService? {
        byType[type.id]
    }

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Errors gather their path on the way out, each level putting its own name in front.
    func resolve<Value>(_ type: Value.Type) throws -> Value {
        guard let source = sources[ObjectIdentifier(type)] ?? newSource(of: TypeName(type)) else {
            return try unregistered(type)
        }
        // The type is the key, so the source is of this type. A checked cast would make the runtime look the
        // generic class up each time, which costs more than all the rest.
        return try unsafeDowncast(source, to: TypedServiceSource<Value>.self).value(from: self)
    }

    /// Lets an instance serve from now on, unless its service was replaced or its scope left while it was made.
    func keep<Value>(_ instance: KeptSource<Value>, inPlaceOf source: TypedServiceSource<Value>) {
        if sources[source.type.id] === source { sources[source.type.id] = instance }
    }

    private func newSource(of type: TypeName) -> ServiceSource? {
        guard let source = byType[type.id]?.makeSource() else { return nil }
        sources[type.id] = source
        return source
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
        do {
            return try factory(repeat try need((each Need).self))
        } catch {
            throw failure(of: type, error)
        }
    }

    /// Resolves the needs of an asynchronous factory and awaits it.
    func create<Value: Sendable, each Need>(
        _ type: TypeName, awaiting factory: @MainActor (repeat each Need) async throws -> Value
    ) async throws -> Value {
        do {
            return try await factory(repeat try need((each Need).self))
        } catch {
            throw failure(of: type, error)
        }
    }

    /// Resolves what a type needs.
    func needs<each Need>(of type: TypeName, as need: repeat (each Need).Type) throws -> (repeat each Need) {
        do {
            return (repeat try self.need(each need))
        } catch {
            throw failure(of: type, error)
        }
    }

    /// Resolves a need, its errors marked as such: a factory may throw errors of the same type.
    private func need<Need>(_ type: Need.Type) throws -> Need {
        do {
            return try resolve(type)
        } catch {
            throw FailedNeed(error: error)
        }
    }

    private func failure(of type: TypeName, _ error: any Error) -> any Error {
        guard let need = error as? FailedNeed else {
            return RouterError.creationFailed(type, path: [type], underlying: error)
        }
        return (need.error as? RouterError)?.needed(by: type) ?? need.error
    }

    private struct FailedNeed: Error {
        let error: any Error
    }
}

extension Services {
    func enter(_ scope: Scope) throws {
        guard entered.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    func leave(_ scope: Scope) throws {
        guard entered.remove(scope) != nil else { throw RouterError.scopeNotEntered(scope) }
        for service in all where service.lifetime == .scope(scope) {
            sources[service.registration.type.id] = nil
        }
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
