/// Builds the screen for one type of route; created each time the route is opened.
@MainActor
public protocol Feature<Destination> {
    associatedtype Destination: Route

    /// Builds the screen of a route, which navigates through the context; an error reaches the caller that opened the route.
    func build(_ route: Destination, in context: any RouteContext<Destination>) throws -> any Screen

    /// Whether the feature is available for a route; otherwise, the route's fallback is opened (``RouteOption/fallback(_:)``),
    /// or the caller receives ``RouterError/Rejection/disabled``.
    func isEnabled(for route: Destination) -> Bool
}

extension Feature {
    public func isEnabled(for route: Destination) -> Bool { true }
}

/// Fulfils one type of route without a screen, such as signing out; created each time the route is opened.
@MainActor
public protocol Action<Destination> {
    associatedtype Destination: Route

    func perform(_ route: Destination) async throws -> Destination.Output
}

/// A screen that a presenter can show: a `Display.ContentScreen` here, a `UIViewController` elsewhere.
@MainActor
public protocol Screen {}

public enum PresentationStyle: String, CaseIterable, Codable, Sendable {
    /// Continues the flow: the screen comes after the present one.
    case push
    /// Interrupts the flow: the screen covers the present one until it finishes or is left.
    case modal
    /// Starts over: the screen becomes the first one, and the router removes all others.
    case root
    /// Embeds the screen in another screen (``RouteContext/embed(_:)``); interceptors see the style, presenters do not.
    case embedded
}

/// A screen that another screen, its parent, shows as a part of its own content.
public struct EmbeddedScreen {
    public let screen: any Screen
    /// The identity of the screen, which exists until it finishes, its parent is removed, or nothing holds this value.
    public let presentation: Presentation

    public init(_ screen: any Screen, as presentation: Presentation) {
        self.screen = screen
        self.presentation = presentation
    }
}
