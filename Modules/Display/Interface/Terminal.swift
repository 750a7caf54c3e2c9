public import RouterServiceInterface

extension Display {
    /// The presenter that shows screens in a terminal.
    @MainActor
    public protocol Terminal: Presenter, Dialog {
        /// Shows screens and takes what the user does, until the user quits or the input ends.
        ///
        /// - Parameter action: What the top screen does as soon as it has appeared, as if the user had chosen it:
        ///   opening what the program was started for, usually. The screen is busy until it ends, shows the error that it
        ///   throws, and cancels it when the screen is removed or the user quits.
        /// - Throws: An error of the terminal itself, which is restored in any case.
        func run(performing action: Action?) async throws
    }
}

extension Display.Terminal {
    /// Shows screens and takes what the user does, until the user quits or the input ends.
    ///
    /// - Throws: An error of the terminal itself, which is restored in any case.
    public func run() async throws {
        try await run(performing: nil)
    }
}

extension Display {
    /// What a feature says and asks beside its screens.
    ///
    /// A service, which the terminal answers: `@Dependency var dialog: any Display.Dialog`.
    @MainActor
    public protocol Dialog: AnyObject {
        /// Shows a few words for a moment, such as `Saved`, also when the screen that says them goes away.
        func notify(_ words: String)

        /// Asks the user a question, to be answered with yes or no, and waits.
        ///
        /// - Returns: Whether the answer was yes; false too when the calling task is cancelled or the terminal ends.
        func confirm(_ question: String) async -> Bool
    }
}

extension Display {
    /// What the terminal says of the whole program, above every screen.
    ///
    /// A required interface: Display says what it wants to know, and the App answers with an adapter over the modules
    /// that know it. Without one, the terminal says nothing.
    @MainActor
    public protocol Status: AnyObject {
        /// A few words, for example who is signed in; nil for nothing.
        ///
        /// Observable.
        var text: String? { get }
    }
}

extension Display {
    /// Control keys that the whole program handles, on every screen of a full-screen terminal.
    ///
    /// A required interface, as ``Status`` is. Without one, these keys do nothing.
    @MainActor
    public protocol Shortcuts: AnyObject {
        /// Handles Ctrl and a lowercase letter that neither edits text nor is the terminal's own.
        func press(control letter: Character)
    }
}

extension Display {
    /// What happens behind the screens, for the pane that the key `t` opens beside them.
    ///
    /// A required interface, as ``Status`` is: Display says what it wants to know, and the App answers with an adapter
    /// over the router. Without one, the key does nothing.
    @MainActor
    public protocol Trace: AnyObject {
        /// The navigation stack, the topmost last.
        ///
        /// Observable, as are the others.
        var stack: [String] { get }
        /// What the router decided and did, the last at the end.
        var events: [String] { get }
        /// The services that were created, in that order.
        var services: [String] { get }
    }
}
