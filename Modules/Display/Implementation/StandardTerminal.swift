import DisplayInterface
import Foundation

/// Chooses the terminal that suits the standard input and output.
@MainActor
enum StandardTerminal {
    static func make() throws -> any Display.Terminal {
        let isFullScreen =
            isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        if isFullScreen {
            let device = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
            return FullScreenTerminal(TerminalScreen(device))
        }
        let output = DescriptorOutput(descriptor: STDOUT_FILENO)
        return LineTerminal(input: DescriptorLines(descriptor: STDIN_FILENO), write: output.write)
    }
}
