import DisplayInterface
import Foundation
public import RouterServiceInterface
import RouterServiceProgram

/// Registers the terminal, which is also the dialog, and the presenter of its screens.
///
/// The terminal is full-screen when standard input and standard output are terminals and `TERM` is not `dumb`; otherwise it
/// prints lines, which depend on the input and the screens alone.
public struct DisplayModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register(Display.Ending.self, lifetime: .singleton) { Display.Ending() }
        registrar.register(ScreenStack.self, lifetime: .singleton) { ScreenStack() }
        registrar.register((any Presenter).self, lifetime: .singleton) { (stack: ScreenStack) in stack }
        registrar.register((any Display.Terminal).self, lifetime: .singleton) {
            (
                stack: ScreenStack, status: (any Display.Status)?, trace: (any Display.Trace)?,
                shortcuts: (any Display.Shortcuts)?, ending: Display.Ending, router: (any Router)?
            ) -> any Display.Terminal in
            let environment = ProcessInfo.processInfo.environment
            if isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0, environment["TERM"] != "dumb" {
                let device = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
                return FullScreenPresenter(
                    TerminalScreen(device, ending: ending, router: router), stack: stack,
                    theme: Theme(environment: environment), status: status, trace: trace,
                    shortcuts: shortcuts)
            }
            let lines = DescriptorLines(
                descriptor: STDIN_FILENO, output: Display.Output(descriptor: STDOUT_FILENO))
            if let device = lines.device {
                TerminalSignals.watch(device, storing: ending, notifying: router)
            }
            return LinePresenter(lines, stack: stack)
        }
        registrar.register((any Display.Dialog).self, lifetime: .singleton) {
            (terminal: any Display.Terminal) in
            terminal
        }
    }
}
