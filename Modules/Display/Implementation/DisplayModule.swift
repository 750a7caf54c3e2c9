import DisplayInterface
import Foundation
public import RouterServiceInterface
import RouterServiceProgram

/// Registers what the Display module provides: the terminal, which is also the presenter and the dialog.
///
/// The terminal is full-screen when both standard input and standard output are terminals (and `TERM` is not `dumb`),
/// and prints lines otherwise.
public struct DisplayModule: Module {
    public init() {}

    /// Registers the terminal under its own type, as the presenter and as the dialog.
    ///
    /// The terminal suits the standard input and output, which it has not touched yet. It takes a `Display.Status`, a
    /// `Display.Trace` and `Display.Shortcuts` where they are registered; line mode leaves out what is beside the screens, so
    /// that its output depends on the input and the screens alone.
    public func register(in registrar: Registrar) {
        registrar.register((any PresentingTerminal).self, lifetime: .singleton) {
            (
                status: (any Display.Status)?, trace: (any Display.Trace)?,
                shortcuts: (any Display.Shortcuts)?, router: (any Router)?
            ) -> any PresentingTerminal in
            let environment = ProcessInfo.processInfo.environment
            if isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0, environment["TERM"] != "dumb" {
                let device = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
                return FullScreenPresenter(
                    TerminalScreen(device, router: router), theme: Theme(environment: environment),
                    status: status, trace: trace, shortcuts: shortcuts)
            }
            let output = Display.Output(descriptor: STDOUT_FILENO)
            return LinePresenter(
                DescriptorLines(descriptor: STDIN_FILENO, output: output, router: router))
        }
        registrar.register((any Display.Terminal).self, lifetime: .singleton) {
            (terminal: any PresentingTerminal) in
            terminal
        }
        registrar.register((any Presenter).self, lifetime: .singleton) { (terminal: any PresentingTerminal) in
            terminal
        }
        registrar.register((any Display.Dialog).self, lifetime: .singleton) {
            (terminal: any Display.Terminal) in
            terminal
        }
    }
}

/// A terminal that is the presenter too.
@MainActor
protocol PresentingTerminal: Display.Terminal, Presenter {
    var stack: ScreenStack { get }
}

extension PresentingTerminal {
    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try stack.show(screen, as: presentation)
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        try stack.replace(screens)
    }

    func remove(_ presentations: [Presentation.ID]) { stack.remove(presentations) }
    func confirm(_ question: String) async -> Bool { await stack.ask(question) }
    func perform(_ action: @escaping Display.Action) { stack.request(action) }
}
