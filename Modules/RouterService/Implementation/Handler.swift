import RouterServiceInterface

/// The registered feature of one type of route.
@MainActor
final class Handler<R: Route>: AnyHandler {
    let registration: Registration
    var duplicate: RouterError?
    private let create: @MainActor (Services) throws -> any Feature<R>

    init<F: Feature<R>, each Need>(
        _ registration: Registration, create factory: @escaping @MainActor (repeat each Need) throws -> F
    ) {
        self.registration = registration
        create = { try $0.create(registration.type, by: factory) }
    }

    var routeType: any Route.Type { R.self }

    /// Creates the feature and lets it build its screen.
    func build(_ route: R, in context: RouteContext<R>, with services: Services) throws -> any Screen {
        let feature: any Feature<R>
        do {
            feature = try create(services)
        } catch let error as RouterError {
            throw error.needed(by: TypeName(R.self))
        }
        return try feature.build(route, in: context)
    }
}

/// A handler whose route's type does not matter.
@MainActor
protocol AnyHandler: AnyObject {
    var registration: Registration { get }
    var routeType: any Route.Type { get }
    /// The mistake of a second registration, thrown when the route is opened.
    var duplicate: RouterError? { get set }
}
