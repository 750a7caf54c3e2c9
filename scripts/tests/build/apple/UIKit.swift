// What docs/adopting/UIKitPresenter.swift uses of UIKit, with the signatures of Apple's documentation (developer.apple.com, read
// in November 2026). Objective-C's optional requirements are requirements with a default here. Nothing of it does anything.
@_exported public import Foundation

@MainActor
open class UIViewController: NSObject {
    public let navigationItem = UINavigationItem()
    public var presentationController: UIPresentationController? { nil }
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor
open class UINavigationController: UIViewController {
    public weak var delegate: (any UINavigationControllerDelegate)?
    open var viewControllers: [UIViewController] = []
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {}
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
}

@MainActor
open class UIAction: NSObject {
    public init(title: String = "", handler: @escaping (UIAction) -> Void) {}
}

@MainActor
open class UIPresentationController: NSObject {
    public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    public let presentedViewController = UIViewController()
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}
