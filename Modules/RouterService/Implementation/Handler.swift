import Foundation
import RouterServiceInterface

/// What is registered for one type of route: the work that fulfils it, and what the module said beside it.
@MainActor
final class Handler<R: Route>: AnyHandler {
    /// How the route is fulfilled.
    enum Work {
        /// A feature builds a screen.
        case feature(@MainActor (Services) throws -> any Feature<R>)
        /// An action does it without a screen.
        case action(@MainActor (Services) throws -> any Action<R>)
        /// Another module's route does.
        case adapter(any RouteAdapter<R>)
    }

    let registration: Registration
    let work: Work
    var duplicate: RouterError?
    private(set) var urls: [URLPattern] = []
    private(set) var aliases: [String] = []
    private(set) var isOverriding = false
    private(set) var deprecation: String?
    private(set) var fallback: Fallback?
    /// Encodes the output as JSON, where the route may be performed by URL.
    private(set) var encode: (@Sendable (R.Output) throws -> Data)?

    /// What is opened where the route is not available.
    struct Fallback {
        let type: any Route.Type
        let route: @MainActor (R) throws -> any Route
    }

    init(_ registration: Registration, options: [RouteOption<R>], work: Work) {
        self.registration = registration
        self.work = work
        for option in options {
            switch option {
            case .url(let pattern): urls.append(pattern)
            case .alias(let identifier): aliases.append(identifier)
            case .fallback(let type, let route): fallback = Fallback(type: type, route: route)
            case .overriding: isOverriding = true
            case .deprecated(let advice): deprecation = advice
            case .encodedOutput(let encode): self.encode = encode
            }
        }
    }

    var routeType: any Route.Type { R.self }

    var kind: RegisteredRoute.Kind {
        switch work {
        case .feature: .screen
        case .action: .action
        case .adapter: .adapter
        }
    }

    var substitutes: [any Route.Type] {
        let adapted: [any Route.Type] =
            if case .adapter(let adapter) = work { [adapter.provided] } else { [] }
        return adapted + (fallback.map { [$0.type] } ?? [])
    }
}

/// A handler whose route's type does not matter.
@MainActor
protocol AnyHandler: AnyObject {
    var registration: Registration { get }
    var routeType: any Route.Type { get }
    var kind: RegisteredRoute.Kind { get }
    var urls: [URLPattern] { get }
    var aliases: [String] { get }
    var isOverriding: Bool { get }
    var deprecation: String? { get }
    /// The types of route that may take this one's place.
    var substitutes: [any Route.Type] { get }
    /// The mistake of a second registration, thrown when the route is opened.
    var duplicate: RouterError? { get set }
}

/// Fulfils a required route with a provided one.
@MainActor
protocol RouteAdapter<Required> {
    associatedtype Required: Route

    var provided: any Route.Type { get }

    /// Plans the provided route in place of the required one.
    func plan(
        _ route: Required, for caller: Caller<Required.Output>?, on journey: Journey
    ) async throws -> any Plan
}

/// An adapter between two types of route.
struct TypedRouteAdapter<Required: Route, Provided: Route>: RouteAdapter {
    let route: @MainActor (Required) throws -> Provided
    let output: @MainActor (Provided.Output) throws -> Required.Output

    var provided: any Route.Type { Provided.self }

    func plan(
        _ required: Required, for caller: Caller<Required.Output>?, on journey: Journey
    ) async throws -> any Plan {
        let provided = try route(required)
        return try await journey.leading(from: required, to: provided)
            .plan(provided, for: caller?.converting(from: Provided.Output.self, by: output))
    }
}
