import DisplayInterface
import Foundation

/// Chooses the terminal that suits the standard input and output.
@MainActor
enum StandardTerminal {
    /// The terminal of this program.
    ///
    /// - Parameter status: What a full-screen terminal says of the whole program. Lines leave it out, so that what
    ///   is printed follows from the input and the screens alone.
    /// - Returns: The terminal, which has not touched input or output yet.
    /// - Throws: ``TerminalFailure/settings(_:)``.
    static func make(status: (any Display.Status)?) throws -> any Display.Terminal {
        let isFullScreen =
            isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        if isFullScreen {
            let device = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
            return FullScreenTerminal(TerminalScreen(device), status: status)
        }
        let output = DescriptorOutput(descriptor: STDOUT_FILENO)
        return LineTerminal(input: DescriptorLines(descriptor: STDIN_FILENO), write: output.write)
    }
}
