// What docs/adopting uses of UIKit, with the signatures of Apple's documentation (developer.apple.com, read in November 2026).
// Objective-C's optional requirements are requirements with a default here.
//
// It keeps what it is given, and does what UIKit does with it: a view controller has a window only while it is shown, sheets move
// one at a time, and a call that UIKit would ignore, with a message in its log, is counted.
@_exported public import Foundation

/// The transitions of sheets, and the calls that UIKit ignores.
@MainActor
public enum Transitions {
    /// Whether they take time, until ``finish()``.
    public static var takeTime = false
    /// The number of calls that were ignored.
    public static var ignoredCalls = 0
    private static var end: (() -> Void)?

    static var isRunning: Bool { end != nil }

    static func begin(_ transition: @escaping () -> Void) {
        end = transition
        if !takeTime { finish() }
    }

    /// Ends the one that runs.
    public static func finish() {
        let ended = end
        end = nil
        ended?()
    }
}

@MainActor
open class UIView: NSObject {
    public weak var window: UIWindow?
}

@MainActor
open class UIWindow: NSObject {
    public var rootViewController: UIViewController?

    public func makeKeyAndVisible() {
        rootViewController?.view.window = self
        rootViewController?.viewDidAppear(false)
    }
}

@MainActor
open class UIViewController: NSObject {
    public var title: String?
    public let navigationItem = UINavigationItem()
    public private(set) var viewIfLoaded: UIView?
    public private(set) var presentedViewController: UIViewController?
    public private(set) var isBeingDismissed = false
    public private(set) lazy var presentationController: UIPresentationController? =
        UIPresentationController(presentedViewController: self)

    public var view: UIView {
        if let viewIfLoaded { return viewIfLoaded }
        let view = UIView()
        viewIfLoaded = view
        viewDidLoad()
        return view
    }

    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}

    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard let window = viewIfLoaded?.window, presentedViewController == nil, !Transitions.isRunning else {
            Transitions.ignoredCalls += 1
            return
        }
        presentedViewController = viewControllerToPresent
        Transitions.begin {
            viewControllerToPresent.view.window = window
            viewControllerToPresent.viewDidAppear(flag)
            completion?()
        }
    }

    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController != nil, !Transitions.isRunning else {
            Transitions.ignoredCalls += 1
            return
        }
        presentedViewController?.isBeingDismissed = true
        Transitions.begin { [self] in
            presentedViewController?.isBeingDismissed = false
            var gone = presentedViewController
            presentedViewController = nil
            while let sheet = gone {
                sheet.view.window = nil
                gone = sheet.presentedViewController
                sheet.presentedViewController = nil
            }
            completion?()
        }
    }
}

@MainActor
open class UINavigationController: UIViewController {
    public weak var delegate: (any UINavigationControllerDelegate)?
    public private(set) var viewControllers: [UIViewController] = []

    public var topViewController: UIViewController? { viewControllers.last }

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        let former = self.viewControllers
        self.viewControllers = viewControllers
        if let top = viewControllers.last {
            _ = top.view
            delegate?.navigationController(self, didShow: top, animated: animated)
        }
        withExtendedLifetime(former) {}
    }

    /// What the edge gesture does.
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        let popped = viewControllers.last
        setViewControllers(viewControllers.dropLast(), animated: animated)
        return popped
    }

    /// What the back button does.
    public func tapBack() {
        guard let action = topViewController?.navigationItem.backAction else {
            _ = popViewController(animated: true)
            return
        }
        action.handler(action)
    }

    /// What swiping the sheet down does.
    public func swipeDown() {
        guard let presentation = presentationController, let delegate = presentation.delegate else { return }
        if !delegate.presentationControllerShouldDismiss(presentation) {
            delegate.presentationControllerDidAttemptToDismiss(presentation)
        }
    }
}

@MainActor
public protocol UINavigationControllerDelegate: NSObjectProtocol {
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController,
        animated: Bool)
}

@MainActor
open class UINavigationItem: NSObject {
    public var backAction: UIAction?
    public var rightBarButtonItem: UIBarButtonItem?
}

@MainActor
open class UIBarButtonItem: NSObject {
    public let primaryAction: UIAction?

    public init(primaryAction: UIAction?) { self.primaryAction = primaryAction }
}

@MainActor
open class UIAction: NSObject {
    public let title: String
    public let handler: (UIAction) -> Void

    public init(title: String = "", handler: @escaping (UIAction) -> Void) {
        (self.title, self.handler) = (title, handler)
    }
}

@MainActor
open class UIPresentationController: NSObject {
    public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    public unowned let presentedViewController: UIViewController

    init(presentedViewController: UIViewController) { self.presentedViewController = presentedViewController }
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}
