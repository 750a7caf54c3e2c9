public import RouterServiceInterface

extension Display {
    /// The terminal, which is also the presenter that shows screens.
    @MainActor
    public protocol Terminal: Dialog {
        /// Shows screens and handles the user's actions, until the user quits or the input ends.
        ///
        /// - Parameter action: The action of the top screen as soon as it has appeared, as if the user chose it:
        ///   usually, opening the requested screens. The screen is busy until it ends, shows the error that it
        ///   throws, and cancels it when the screen is removed or the user quits.
        /// - Throws: An error of the terminal itself, which is restored in any case.
        func run(performing action: Action?) async throws

        /// Performs what another program asks for, as an action of the top screen, as soon as none of its actions runs.
        ///
        /// It waits until the user has finished a text that is being typed: until the focus leaves the fields of the screen or,
        /// line by line, until the line is typed or all fields were asked for. It is dropped when the terminal ends before.
        func perform(_ action: @escaping Action)
    }
}

extension Display {
    /// The notices and questions of a feature, beside its screens.
    ///
    /// A service, which the terminal provides: `let dialog: any Display.Dialog`.
    @MainActor
    public protocol Dialog: AnyObject {
        /// Shows a short notice for a moment, such as `Saved`, also when the screen that sends it is removed.
        func notify(_ message: String)

        /// Asks the user a yes-or-no question, and waits for the answer.
        ///
        /// - Returns: Whether the answer was yes; false too when the calling task is cancelled or the terminal ends.
        func confirm(_ question: String) async -> Bool
    }
}

extension Display {
    /// The status of the whole program, which the terminal shows above every screen.
    ///
    /// A required interface: Display declares it, and the App provides an adapter over the modules that have the
    /// information. Without one, the terminal shows no status.
    @MainActor
    public protocol Status: AnyObject {
        /// A short text, for example the name of the signed-in user; nil for none.
        ///
        /// Observable.
        var text: String? { get }

        /// Sentences about the whole program for the help, below its keys.
        var about: [String] { get }
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

// The life of the program, which is broadcast; for the first and the last, all listeners together have 300 ms.
extension Display {
    /// A signal is about to stop or end the program; where the input is no terminal, it does so without notice.
    public struct Suspended: Event {
        public init() {}
    }

    /// The program continues after it was stopped; the screen is shown again already.
    public struct Resumed: Event {
        public init() {}
    }

    /// The program ends in the ordinary way; what is to be saved has a moment left.
    public struct Ending: Event {
        public init() {}
    }
}

extension Display {
    /// The router's activity behind the screens, for the pane that the key `t` opens beside them.
    ///
    /// A required interface, as ``Status`` is: Display declares it, and the App provides an adapter
    /// over the router. Without one, the key does nothing.
    @MainActor
    public protocol Trace: AnyObject {
        /// The navigation stack, the topmost last.
        ///
        /// Observable, as are the others.
        var stack: [String] { get }
        /// The decisions and actions of the router, the latest last.
        var events: [String] { get }
        /// The services that were created, in order of creation.
        var services: [String] { get }
    }
}
