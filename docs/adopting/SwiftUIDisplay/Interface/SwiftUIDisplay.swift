public import RouterServiceInterface
public import SwiftUI

/// The router's screens as views, and the window that shows them.
public enum SwiftUIDisplay {}

extension SwiftUIDisplay {
    /// A view as a screen of the router.
    public struct ViewScreen: Screen {
        /// The view.
        public let view: AnyView

        public init(_ view: some View) { self.view = AnyView(view) }
    }

    /// The window, for the App.
    @MainActor
    public protocol Window: AnyObject {
        /// The screens that the router shows; nothing before the first one.
        var content: AnyView { get }
    }
}
