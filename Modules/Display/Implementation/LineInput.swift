import DisplayInterface
import Foundation
import Synchronization

/// The result of waiting for a line.
enum TypedLine: Equatable {
    case line(String)
    /// A line that is too long for any field, with its size in bytes.
    case tooLong(Int)
    /// The input ended; at a terminal that is Ctrl-D, and more may follow.
    case end
}

/// The source of a line presenter's lines.
@MainActor
protocol LineInput: AnyObject {
    /// Whether a user types the lines, sees the typed text and can continue after Ctrl-D.
    var isTerminal: Bool { get }

    /// Waits for the next line.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the line must not be visible while it is typed.
    ///   - prompt: The text that is printed again if the program was stopped meanwhile.
    ///   - ready: Called when typed text is visible or hidden as it should be, to print the prompt.
    /// - Returns: The line, without its line end.
    /// - Throws: The error of `ready`.
    func nextLine(
        isSecure: Bool, prompt: String, ready: @MainActor () throws -> Void
    ) async throws -> TypedLine
}

/// The lines of an open file, pipe or terminal.
@MainActor
final class DescriptorLines: LineInput {
    let isTerminal: Bool
    private let descriptor: Int32
    private let output: Display.Output
    private let queue = DispatchQueue(label: "Display.lines")
    private var unread: ArraySlice<UInt8> = []
    private let prompt = CurrentPrompt()
    private var signals: TerminalSignals?

    /// The most bytes of a line that are kept; more are only counted, so that input cannot use up the memory.
    private static let maximumLine = 4 * Display.Field.maximum
    /// The bytes after which a line is none that anybody typed: the input of a device may have no end.
    private static let endlessLine = 16 << 20

    init(descriptor: Int32, output: Display.Output) {
        (self.descriptor, self.output) = (descriptor, output)
        isTerminal = isatty(descriptor) != 0
    }

    func nextLine(
        isSecure: Bool, prompt: String, ready: @MainActor () throws -> Void
    ) async throws -> TypedLine {
        guard isTerminal, let device = try? TerminalDevice(input: descriptor, output: output.descriptor)
        else {
            try ready()
            return await nextLine()
        }
        signals =
            signals
            ?? TerminalSignals(of: descriptor, restoring: self.prompt.pause, resuming: self.prompt.resume)
        self.prompt.begin(prompt, isSecure: isSecure, on: device)
        defer { self.prompt.end() }
        try ready()
        return await nextLine()
    }

    private func nextLine() async -> TypedLine {
        var line: [UInt8] = []
        var count = 0
        var hasLine = false
        while true {
            if unread.isEmpty { unread = await chunk()[...] }
            guard !unread.isEmpty else { break }
            hasLine = true
            let end = unread.firstIndex(of: UInt8(ascii: "\n"))
            let more = unread[..<(end ?? unread.endIndex)]
            count += more.count
            if count <= Self.maximumLine { line += more }
            if count > Self.endlessLine { return .end }
            guard let end else {
                unread = []
                continue
            }
            unread = unread[(end + 1)...]
            break
        }
        if count > Self.maximumLine { return .tooLong(count) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return hasLine ? .line(String(decoding: line, as: UTF8.self)) : .end
    }

    /// The next available bytes, empty at the end; waits on a thread of its own, not on the main actor.
    private func chunk() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in continuation.resume(returning: readAvailable(from: descriptor)) }
        }
    }
}

/// The prompt at which the user types, for the signals that stop and continue the program.
private final class CurrentPrompt: Sendable {
    private let current = Mutex<(text: String, isSecure: Bool, device: TerminalDevice)?>(nil)

    func begin(_ text: String, isSecure: Bool, on device: TerminalDevice) {
        current.withLock { $0 = (text, isSecure, device) }
        if isSecure { device.hideInput() }
    }

    func end() {
        pause()
        current.withLock { $0 = nil }
    }

    /// Shows what is typed.
    func pause() {
        if let prompt = current.withLock({ $0 }), prompt.isSecure { prompt.device.restoreSettings() }
    }

    /// Prints the prompt again: the typed text is lost, and the shell may have changed the terminal's settings.
    func resume() {
        guard let prompt = current.withLock({ $0 }) else { return }
        if prompt.isSecure { prompt.device.hideInput() }
        try? prompt.device.output.write(prompt.text)
    }
}
