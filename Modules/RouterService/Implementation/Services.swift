import RouterServiceInterface

/// The registered services by type, and the instances that live.
@MainActor
final class Services {
    private(set) var all: [any AnyServiceHolder] = []
    private var holders: [ObjectIdentifier: any AnyServiceHolder] = [:]

    /// Adds a service.
    ///
    /// - Returns: The mistake when its type was registered before; the first registration stays.
    func add<Value>(_ holder: ServiceHolder<Value>) -> RouterError? {
        guard let first = holders[ObjectIdentifier(Value.self)] else {
            holders[ObjectIdentifier(Value.self)] = holder
            all.append(holder)
            return nil
        }
        let mistake = RouterError.duplicateService(
            holder.registration.type, first: first.registration.place, second: holder.registration.place)
        first.duplicate = mistake
        return mistake
    }

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Errors gather their path on the way out, each level putting its own name in front.
    func resolve<Value>(_ type: Value.Type) throws -> Value {
        guard let holder = holders[ObjectIdentifier(type)] as? ServiceHolder<Value> else {
            throw RouterError.missingService(TypeName(type), path: [TypeName(type)])
        }
        return try holder.value(from: self)
    }

    /// Resolves the needs of a factory and calls it.
    func create<Value, each Need>(
        _ type: TypeName, by factory: @MainActor (repeat each Need) throws -> Value
    ) throws -> Value {
        do {
            let needs = (repeat try resolve((each Need).self))
            do {
                return try factory(repeat each needs)
            } catch {
                throw RouterError.creationFailed(type, path: [], underlying: error)
            }
        } catch let error as RouterError {
            throw error.needed(by: type)
        }
    }
}

/// One registered service with the instance that lives, if one does.
@MainActor
final class ServiceHolder<Value>: AnyServiceHolder {
    let registration: Registration
    var duplicate: RouterError?
    private let lifetime: Lifetime
    private let create: @MainActor (Services) throws -> Value
    private var kept: Value?
    private weak var held: AnyObject?
    private var isCreating = false

    init<each Need>(
        _ registration: Registration, lifetime: Lifetime,
        create factory: @escaping @MainActor (repeat each Need) throws -> Value
    ) {
        self.registration = registration
        self.lifetime = lifetime
        create = { try $0.create(registration.type, by: factory) }
    }

    func value(from services: Services) throws -> Value {
        switch lifetime {
        case .app:
            if let kept { return kept }
            let value = try newValue(from: services)
            kept = value
            return value
        case .whileUsed:
            if let held, let value = held as? Value { return value }
            let value = try newValue(from: services)
            held = try object(value)
            return value
        case .each:
            return try newValue(from: services)
        }
    }

    private func newValue(from services: Services) throws -> Value {
        if let duplicate { throw duplicate }
        guard !isCreating else { throw RouterError.cycle(path: [registration.type]) }
        isCreating = true
        defer { isCreating = false }
        return try create(services)
    }

    /// The instance as an object that can be held weakly.
    private func object(_ value: Value) throws -> AnyObject {
        guard type(of: value as Any) is AnyClass else {
            throw RouterError.valueTypeWhileUsed(registration.type, registered: registration.place)
        }
        return value as AnyObject
    }
}

/// A service whose type does not matter.
@MainActor
protocol AnyServiceHolder: AnyObject {
    var registration: Registration { get }
    /// The mistake of a second registration, thrown when the service is needed.
    var duplicate: RouterError? { get set }
}

extension RouterError {
    /// The same error, its path beginning with what needed it.
    func needed(by type: TypeName) -> RouterError {
        switch self {
        case .missingService(let missing, let path): .missingService(missing, path: [type] + path)
        case .cycle(let path): .cycle(path: [type] + path)
        case .creationFailed(let failed, let path, let underlying):
            .creationFailed(failed, path: [type] + path, underlying: underlying)
        default: self
        }
    }
}
