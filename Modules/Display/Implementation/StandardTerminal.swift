import DisplayInterface
import Foundation

/// Chooses the terminal that suits the standard input and output.
@MainActor
enum StandardTerminal {
    static func make() throws -> any Display.Terminal {
        let output = DescriptorOutput(descriptor: STDOUT_FILENO)
        let input = DescriptorLines(descriptor: STDIN_FILENO)
        return LineTerminal(input: input, write: output.write)
    }
}
