/// A screen that a presenter can show.
///
/// The router hands screens from features to the presenter and knows nothing else about user interfaces. Here a
/// screen is a `Display.ContentScreen`; elsewhere it may be a `UIViewController`.
@MainActor
public protocol Screen {}

/// The style in which a screen is shown.
public struct PresentationStyle: Hashable, Codable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// Continues the flow: the screen comes after the present one.
    public static let push = PresentationStyle("push")
    /// Interrupts the flow: the screen covers the present one until it finishes or is left.
    public static let modal = PresentationStyle("modal")
    /// Starts over: the screen becomes the first one, and the router removes all others.
    public static let root = PresentationStyle("root")
    /// Embeds the screen in another: the style of ``RouteContext/embed(_:finish:)``, for interceptors to see; no presenter
    /// receives it.
    public static let embedded = PresentationStyle("embedded")
}

/// A screen that is embedded in another, its parent, which shows it as a part of its own content.
public struct EmbeddedScreen {
    public let screen: any Screen
    /// The identity of the screen, which exists until it finishes, its parent is removed, or this is no longer held.
    public let presentation: Presentation

    public init(_ screen: any Screen, as presentation: Presentation) {
        (self.screen, self.presentation) = (screen, presentation)
    }
}
