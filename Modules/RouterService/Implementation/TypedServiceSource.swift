import RouterServiceInterface

/// The source of a service whose type is known.
@MainActor
final class TypedServiceSource<Value>: ServiceSource {
    private let create: (@MainActor (Services) throws -> Value)?
    private let createLater: (@MainActor (Services) async throws -> Value)?
    private var kept: Value?
    private weak var held: AnyObject?
    private var isCreating = false

    init(create: @escaping @MainActor (Services) throws -> Value) {
        self.create = create
        createLater = nil
    }

    init(createLater: @escaping @MainActor (Services) async throws -> Value) {
        create = nil
        self.createLater = createLater
    }

    override var isReady: Bool { create != nil || kept != nil }

    /// The instance that serves, or a new one.
    func value(of service: RegisteredService, from services: Services) throws -> Value {
        if let kept {
            services.log.add(.resolved(service.registration.type))
            return kept
        }
        switch service.lifetime {
        case .whileUsed:
            if let held, let value = held as? Value {
                services.log.add(.resolved(service.registration.type))
                return value
            }
            let value = try newValue(of: service, from: services)
            held = try object(value, of: service)
            return value
        case .app:
            let value = try newValue(of: service, from: services)
            kept = value
            return value
        case .scope(let scope):
            guard services.isEntered(scope) else {
                throw RouterError.outsideScope(scope, path: [service.registration.type])
            }
            let value = try newValue(of: service, from: services)
            // The factory may have ended the scope.
            if services.isEntered(scope) { kept = value }
            return value
        case .each:
            return try newValue(of: service, from: services)
        }
    }

    override func prepare(_ service: RegisteredService, from services: Services) async throws {
        guard kept == nil, let createLater else { return }
        let start = services.log.start()
        let value = try await createLater(services)
        services.log.add(.created(service.registration.type, in: services.log.duration(since: start)))
        kept = value
    }

    override func forget() {
        kept = nil
    }

    private func newValue(of service: RegisteredService, from services: Services) throws -> Value {
        let type = service.registration.type
        if let duplicate = service.duplicate { throw duplicate }
        guard let create else { throw RouterError.notPrepared(type, path: [type]) }
        guard !isCreating else { throw RouterError.cycle(path: [type]) }
        isCreating = true
        defer { isCreating = false }
        let start = services.log.start()
        let value = try create(services)
        services.log.add(.created(type, in: services.log.duration(since: start)))
        return value
    }

    /// The instance as an object that can be held weakly.
    private func object(_ value: Value, of service: RegisteredService) throws -> AnyObject {
        guard Swift.type(of: value as Any) is AnyClass else {
            throw RouterError.valueTypeWhileUsed(
                service.registration.type, registered: service.registration.place)
        }
        return value as AnyObject
    }
}
