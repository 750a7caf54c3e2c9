import RouterServiceInterface

// Five services of the lifetime `transient`, every one of which depends on the next.

protocol Ordering: AnyObject {}
final class LiveOrdering: Ordering {
    let paying: any Paying
    init(paying: any Paying) { self.paying = paying }
}

protocol Paying: AnyObject {}
final class LivePaying: Paying {
    let banking: any Banking
    init(banking: any Banking) { self.banking = banking }
}

protocol Banking: AnyObject {}
final class LiveBanking: Banking {
    let transport: any Transport
    init(transport: any Transport) { self.transport = transport }
}

protocol Transport: AnyObject {}
final class LiveTransport: Transport {
    let signing: any Signing
    init(signing: any Signing) { self.signing = signing }
}

protocol Signing: AnyObject {}
final class LiveSigning: Signing {}

/// Registers the chain.
struct ServiceChain: Module {
    func register(in registrar: Registrar) {
        registrar.register((any Ordering).self, lifetime: .transient, by: LiveOrdering.init)
        registrar.register((any Paying).self, lifetime: .transient, by: LivePaying.init)
        registrar.register((any Banking).self, lifetime: .transient, by: LiveBanking.init)
        registrar.register((any Transport).self, lifetime: .transient, by: LiveTransport.init)
        registrar.register((any Signing).self, lifetime: .transient, by: LiveSigning.init)
    }
}
