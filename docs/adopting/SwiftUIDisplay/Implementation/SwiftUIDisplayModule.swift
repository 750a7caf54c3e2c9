public import RouterServiceInterface
import RouterServiceProgram
import SwiftUIDisplayInterface

/// Registers the presenter, which also has the content of the window.
public struct SwiftUIDisplayModule: Module {
    public init() {}

    /// Registers the presenter for the router, and the window for the App.
    public func register(in registrar: Registrar) {
        registrar.register(SwiftUIPresenter.self, lifetime: .singleton, by: SwiftUIPresenter.init)
        registrar.register((any Presenter).self, lifetime: .singleton) { (presenter: SwiftUIPresenter) in
            presenter
        }
        registrar.register((any SwiftUIDisplay.Window).self, lifetime: .singleton) {
            (presenter: SwiftUIPresenter) in
            presenter
        }
    }
}
