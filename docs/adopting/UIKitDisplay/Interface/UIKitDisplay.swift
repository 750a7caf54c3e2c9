public import RouterServiceInterface
public import UIKit

/// The router's screens as view controllers, and the window that shows them.
public enum UIKitDisplay {}

extension UIKitDisplay {
    /// A view controller as a screen of the router.
    public struct ControllerScreen: Screen {
        /// The view controller.
        public let controller: UIViewController

        public init(_ controller: UIViewController) { self.controller = controller }
    }

    /// The window, for the App.
    @MainActor
    public protocol Window: AnyObject {
        /// The root view controller, which shows the router's screens; nothing before the first one.
        var controller: UIViewController { get }
    }
}
