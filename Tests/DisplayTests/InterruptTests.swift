import DisplayInterface
import Foundation
import Testing

@testable import DisplayImplementation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ctrl-C in a program whose main actor is busy.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct InterruptTests {
    private final class Text: Display.Unstored {
        func storeNow() throws { try Display.Output(descriptor: STDOUT_FILENO).write("The text is stored.") }
    }

    /// The user of a terminal, who presses Ctrl-C as soon as a text is shown; a number of times, each with a text of its own.
    private static func pressControlC(after texts: [String], on userSide: Int32) {
        Thread.detachNewThread {
            var shown = ""
            for text in texts {
                while !shown.contains(text) {
                    shown += String(decoding: readAvailable(from: userSide), as: UTF8.self)
                }
                _ = write(userSide, "\u{3}", 1)
            }
            while !readAvailable(from: userSide).isEmpty {}
        }
    }

    /// The screen's first sequence, and what asks for patience.
    private static let (screen, patience) = ("[?1049h", "Storing… Press Ctrl-C again to quit at once.")

    /// The program would wait an hour for its main actor.
    @Test(arguments: [(presses: 2, limit: 3600), (presses: 1, limit: 1)])
    func program_endsAtTheSecondControlC_orAfterTheLimit(presses: Int, limit: Int) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [presses, limit] in
            // Ends a program that nothing else ends.
            alarm(120)
            var (user, program): (Int32, Int32) = (-1, -1)
            try #require(openpty(&user, &program, nil, nil, nil) == 0)
            Self.pressControlC(after: Array([Self.screen, Self.patience].prefix(presses)), on: user)
            let (ending, text) = (Display.Ending(), Text())
            ending.add(text)
            try await MainActor.run { [program] in
                let screen = TerminalScreen(
                    try TerminalDevice(input: program, output: program), ending: ending,
                    interruptLimit: .seconds(limit))
                try screen.open { _ in }
                DispatchSemaphore(value: 0).wait()
            }
        }
        let output = try #require(result).standardOutputContent
        #expect(String(decoding: output, as: UTF8.self) == "The text is stored.")
    }
}
