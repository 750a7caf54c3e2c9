import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram

extension Operation {
    /// The router's work between finding a handler and showing the screen: it creates the feature, for which it
    /// resolves the dependencies, and lets the feature build its screen.
    static let building = [
        Operation("build-feature-three-dependencies") {
            let (presenter, keeper) = (TopmostPresenter(), ContextKeeper())
            let router = RouterService(modules: [ShopServices(), keeper, Screens(presenter: presenter)])
            try await router.start(with: Imprint())
            try await router.open(Basket(customer: "ann"))
            guard let context = keeper.context else { throw MissingContext() }
            return { repetitions in
                try timed(repetitions) {
                    // The same way as that of a feature: a factory whose parameters are resolved.
                    let feature = try router.resolve(BasketFeature.self)
                    keep(try feature.build(Basket(customer: "ann"), in: context))
                }
            }
        }
    ]
}

private struct Screens: Module {
    let presenter: TopmostPresenter

    func register(in registrar: Registrar) {
        registrar.register((any Presenter).self, lifetime: .singleton) { presenter }
        registrar.register(BasketFeature.self, lifetime: .transient, by: BasketFeature.init)
        registrar.route(Imprint.self, by: ImprintFeature.init)
    }
}

/// Handles the basket's route to get at a context.
@MainActor
private final class ContextKeeper: Module {
    var context: (any RouteContext<Basket>)?

    func register(in registrar: Registrar) {
        registrar.route(Basket.self) { KeepingFeature(keeper: self) }
    }
}

private struct KeepingFeature: Feature {
    let keeper: ContextKeeper

    func build(_ route: Basket, in context: any RouteContext<Basket>) -> any Screen {
        keeper.context = context
        return EmptyScreen()
    }
}

private struct MissingContext: Error {}
