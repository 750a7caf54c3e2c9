/// A screen that a presenter can show: a `Display.ContentScreen` here, a `UIViewController` elsewhere.
@MainActor
public protocol Screen {}

public struct PresentationStyle: Hashable, Codable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// Continues the flow: the screen comes after the present one.
    public static let push = PresentationStyle("push")
    /// Interrupts the flow: the screen covers the present one until it finishes or is left.
    public static let modal = PresentationStyle("modal")
    /// Starts over: the screen becomes the first one, and the router removes all others.
    public static let root = PresentationStyle("root")
    /// Embeds the screen in another screen (``RouteContext/embed(_:finish:)``); interceptors see the style, presenters do not.
    public static let embedded = PresentationStyle("embedded")
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
