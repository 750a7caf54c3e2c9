import DisplayInterface
public import RouterServiceInterface

/// Registers what the Display module provides: the terminal, which is also the presenter.
///
/// The terminal is full-screen when both standard input and standard output are terminals, and prints lines
/// otherwise.
public struct DisplayModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the terminal under its own type and as the presenter.
    ///
    /// The terminal takes a `Display.Status` when somebody registered one.
    public func register(in registrar: Registrar) {
        registrar.register((any Display.Terminal).self, lifetime: .singleton) {
            (status: (any Display.Status)?) in
            try StandardTerminal.make(status: status)
        }
        registrar.register((any Presenter).self, lifetime: .singleton) { (terminal: any Display.Terminal) in
            terminal
        }
    }
}
