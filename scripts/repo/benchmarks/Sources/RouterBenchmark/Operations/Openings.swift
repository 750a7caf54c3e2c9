import RouterServiceImplementation
import RouterServiceInterface

extension Operation {
    /// Opening a screen and going back from it; the difference of the two is the cost of three dependencies.
    static let openings = [
        Operation("open-feature-three-dependencies", opening: Basket(customer: "ann")),
        Operation("open-feature-no-dependencies", opening: Imprint()),
    ]

    private init(_ name: String, opening route: some Route) {
        self.init(name) {
            let presenter = TopmostPresenter()
            let router = RouterService(modules: [ShopServices(), ShopFeatures(presenter: presenter)])
            try await router.start(with: Imprint())
            return { repetitions in
                let start = ContinuousClock.now
                for _ in 0..<repetitions {
                    try await router.open(route)
                    await presenter.goBack()
                }
                return ContinuousClock.now - start
            }
        }
    }
}
