import DisplayInterface
import RouterServiceInterface

/// Registers the screen from which a feature that runs alone is opened, and fakes of the feature's own services.
///
/// The feature handles its routes itself; only services that would reach for a server are overridden.
struct StageModule: Module {
    let name: String
    let ownFakes: any Module

    func register(in registrar: Registrar) {
        let title = "\(name) alone"
        registrar.register(StageModel.self, lifetime: .singleton) { StageModel(title: title, router: $0) }
        registrar.route(StageRoute.self, by: StageFeature.init)
        registrar.registrations.services += Registrar(ownFakes).registrations.services.map { $0.with(nil) }
        #if Live
            LiveModule().register(in: registrar)
            registrar.register((any Display.Status).self, lifetime: .singleton) { (status: LiveStatus) in
                status
            }
        #endif
    }
}

/// Leads to the screen below the feature.
struct StageRoute: Route {
    static let identifier = "run-feature.stage"
}

/// Builds the screen below the feature.
struct StageFeature: Feature {
    let model: StageModel

    func build(_ route: StageRoute, in context: any RouteContext<StageRoute>) -> any Screen {
        Display.ContentScreen { model.content }
    }
}
