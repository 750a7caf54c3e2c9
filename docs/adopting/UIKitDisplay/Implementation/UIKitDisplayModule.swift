public import RouterServiceInterface
import RouterServiceProgram
import UIKitDisplayInterface

/// Registers the presenter, which also has the root view controller of the window.
public struct UIKitDisplayModule: Module {
    public init() {}

    /// Registers the presenter for the router, and the window for the App.
    public func register(in registrar: Registrar) {
        registrar.register(UIKitPresenter.self, lifetime: .singleton, by: UIKitPresenter.init)
        registrar.register((any Presenter).self, lifetime: .singleton) { (presenter: UIKitPresenter) in
            presenter
        }
        registrar.register((any UIKitDisplay.Window).self, lifetime: .singleton) {
            (presenter: UIKitPresenter) in
            presenter
        }
    }
}
