import RouterServiceInterface
import RouterServiceTesting
import Testing

@testable import RouterServiceImplementation

/// The registry after a replacement is the registry of a new router.
@MainActor
struct RegistryReplacementTests {
    private struct Ring: Event {}

    /// Modules that differ by their types.
    private struct First: Module {
        let registration: @MainActor (Registrar) -> Void
        func register(in registrar: Registrar) { registration(registrar) }
    }

    private struct Second: Module {
        let registration: @MainActor (Registrar) -> Void
        func register(in registrar: Registrar) { registration(registrar) }
    }

    /// The registrations of a module, at the lines of a version.
    private static func first(_ version: Int, lifetime: Lifetime = .singleton) -> Registrations {
        Registrar(
            First {
                $0.register((any Shop.Clock).self, lifetime: lifetime, line: version, by: Shop.FakeClock.init)
                $0.register((any Shop.Prices).self, line: version, by: Shop.FixedPrices.init)
                $0.override((any Shop.Prices).self, line: version + 1, by: Shop.FixedPrices.init)
                $0.contribute(Int.self, line: version) { version }
                $0.route(Shop.Help.self, .url("app://help"), line: version) { ProbeFeature<Shop.Help>() }
                $0.listen(to: Ring.self, line: version) { (_, _: any Shop.Prices) in }
            }
        ).registrations
    }

    private static func second(_ version: Int) -> Registrations {
        Registrar(
            Second {
                $0.override((any Shop.Clock).self, line: version, by: Shop.FakeClock.init)
                $0.contribute(Int.self, line: version) { version }
                $0.intercept(.all, line: version) { ProbeInterceptor { _ in .proceed } }
            }
        ).registrations
    }

    private func lines(_ registry: Registry) -> [String] {
        registry.services.map { "\($0.type) \($0.places) \($0.lifetime.map { "\($0)" } ?? "none")" }
            + registry.handlers.map { "\($0.name) \($0.source.place)" }
            + registry.modules.flatMap { $0.listeners.map(\.source.place) }
            + registry.modules.flatMap { $0.interceptors.map(\.source.place) }
    }

    @Test(arguments: [[0], [1], [0, 1]])
    func modulesOfTheSameShape_shareTheGraph(replaced: [Int]) {
        let present = Registry([Self.first(10), Self.second(20)])
        let new = [Self.first(110), Self.second(120)]
        let next = present.replacing(Dictionary(uniqueKeysWithValues: replaced.map { ($0, new[$0]) }))
        let expected = Registry(
            present.modules.indices.map { replaced.contains($0) ? new[$0] : present.modules[$0] })
        #expect(lines(next) == lines(expected))
        #expect(next.graph === present.graph)
        #expect(lines(present) == lines(Registry([Self.first(10), Self.second(20)])), "it has not changed")
    }

    @Test func moduleOfAnotherShape_hasAGraphOfItsOwn() {
        let present = Registry([Self.first(10), Self.second(20)])
        let next = present.replacing([0: Self.first(110, lifetime: .weak)])
        #expect(lines(next) == lines(Registry([Self.first(110, lifetime: .weak), Self.second(20)])))
        #expect(next.graph !== present.graph)
    }
}
