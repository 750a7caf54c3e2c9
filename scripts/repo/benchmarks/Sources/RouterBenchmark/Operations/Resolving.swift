import RouterServiceImplementation
import RouterServiceInterface

extension Operation {
    /// Resolving services of each lifetime, alone and among many others.
    static let resolving =
        [
            Operation("resolve-singleton", resolving: (any Sessions).self),
            Operation("resolve-transient-two-dependencies", resolving: (any Checkout).self),
            Operation("resolve-transient-depth-5", resolving: (any Ordering).self),
            Operation("resolve-weak-held", resolving: (any Downloads).self),
        ]
        + [10, 10_000].flatMap { others in
            [
                Operation("resolve-singleton-among-\(others)", resolving: (any Sessions).self, among: others),
                Operation(
                    "resolve-transient-two-dependencies-among-\(others)", resolving: (any Checkout).self,
                    among: others),
                Operation(
                    "resolve-weak-held-among-\(others)", resolving: (any Downloads).self, among: others),
            ]
        }

    private init<Service>(_ name: String, resolving service: Service.Type, among others: Int = 0) {
        self.init(name) {
            let modules: [any Module] = [ShopServices(), ServiceChain(), OtherServices(count: others)]
            let router = RouterService(modules: modules)
            // Holding the first instance keeps a service alive that lives only while it is used.
            let held = try router.resolve(service)
            return { repetitions in
                defer { keep(held) }
                return try timed(repetitions) { keep(try router.resolve(service)) }
            }
        }
    }
}
