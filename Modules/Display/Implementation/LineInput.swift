import DisplayInterface
import Foundation

/// What came of waiting for a line.
enum TypedLine: Equatable {
    case line(String)
    /// A line of so many bytes that no field takes it.
    case tooLong(Int)
    /// The input ended; at a terminal that is Ctrl-D, and more may follow.
    case end
}

/// Where a line presenter gets its lines from.
@MainActor
protocol LineInput: AnyObject {
    /// Whether a user types the lines, who sees what is typed and can go on after Ctrl-D.
    var isTerminal: Bool { get }

    /// Waits for the next line.
    ///
    /// - Parameters:
    ///   - isSecure: Whether it must not be seen while it is typed.
    ///   - prompt: What is printed again when the program was stopped meanwhile.
    ///   - ready: Called when what is typed from now on is seen or not seen as it should be, to print the prompt.
    /// - Returns: The line, without its line end.
    /// - Throws: What `ready` throws.
    func nextLine(
        isSecure: Bool, prompt: String, ready: @MainActor () throws -> Void
    ) async throws -> TypedLine
}

/// The lines of an open file, pipe or terminal.
@MainActor
final class DescriptorLines: LineInput {
    let isTerminal: Bool
    private let descriptor: Int32
    private let output: DescriptorOutput
    private let queue = DispatchQueue(label: "Display.lines")
    private var unread: ArraySlice<UInt8> = []

    /// What is longer is counted and not kept, so that no input can exhaust the memory.
    private static let longestLine = 4 * Display.Field.maximum

    init(descriptor: Int32, output: DescriptorOutput) {
        (self.descriptor, self.output) = (descriptor, output)
        isTerminal = isatty(descriptor) != 0
    }

    func nextLine(
        isSecure: Bool, prompt: String, ready: @MainActor () throws -> Void
    ) async throws -> TypedLine {
        guard isSecure, isTerminal,
            let device = try? TerminalDevice(input: descriptor, output: output.descriptor)
        else {
            try ready()
            return await nextLine()
        }
        let signals = TerminalSignals(
            restoring: device.restoreSettings,
            resuming: {
                // What had been typed is gone, and the shell may have set the terminal up for itself.
                device.hideInput()
                try? device.output.write(prompt)
            })
        device.hideInput()
        defer {
            device.restoreSettings()
            signals.cancel()
        }
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
            if count <= Self.longestLine { line += more }
            guard let end else {
                unread = []
                continue
            }
            unread = unread[(end + 1)...]
            break
        }
        if count > Self.longestLine { return .tooLong(count) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return hasLine ? .line(String(decoding: line, as: UTF8.self)) : .end
    }

    /// What can be read next, empty at the end; waits on a thread of its own, not on the main actor.
    private func chunk() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in continuation.resume(returning: readAvailable(from: descriptor)) }
        }
    }
}
