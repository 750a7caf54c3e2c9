import DisplayInterface
import Foundation

@MainActor
protocol LineDevice: AnyObject {
    /// Whether a user types the lines, and can continue after Ctrl-D.
    var isTerminal: Bool { get }

    func write(_ text: String) throws

    /// Prints a prompt, again if the program was stopped meanwhile, and waits for the next line.
    ///
    /// - Returns: The line without its line end, cut where it is longer than the text of any field may be; nil at the end of the
    ///   input, or after Ctrl-D at a terminal, where more may follow.
    func nextLine(_ prompt: String, isSecure: Bool) async throws -> String?
}

@MainActor
final class DescriptorLines: LineDevice {
    private let descriptor: Int32
    private let output: Display.Output
    /// Nil if the lines come from a file or a pipe.
    let device: TerminalDevice?
    private let queue = DispatchQueue(label: "Display.lines")
    private var unread: ArraySlice<UInt8> = []

    /// The most bytes of a line that are kept: one more than a field takes.
    private static let maximumLine = 4 * Display.Field.maximum + 1
    /// The most bytes of a line that are read: a device such as `/dev/zero` never ends one.
    private static let maximumRead = 16 << 20

    init(descriptor: Int32, output: Display.Output) {
        self.descriptor = descriptor
        self.output = output
        device = try? TerminalDevice(input: descriptor, output: output.descriptor)
    }

    var isTerminal: Bool { device != nil }

    func write(_ text: String) throws { try output.write(text) }

    func nextLine(_ prompt: String, isSecure: Bool) async throws -> String? {
        try device?.begin(.prompt(prompt, isSecure: isSecure))
        defer { device?.end() }
        try write(prompt)
        return await nextLine()
    }

    private func nextLine() async -> String? {
        var line: [UInt8] = []
        var count = 0
        var isEnd = false
        while !isEnd {
            if unread.isEmpty { unread = await chunk()[...] }
            if unread.isEmpty, count == 0 { return nil }
            let end = unread.firstIndex(of: UInt8(ascii: "\n"))
            let more = unread[..<(end ?? unread.endIndex)]
            count += more.count
            line += more.prefix(Self.maximumLine - line.count)
            if count > Self.maximumRead { return nil }
            isEnd = end != nil || unread.isEmpty
            unread = end.map { unread[($0 + 1)...] } ?? []
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    private func chunk() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in continuation.resume(returning: readAvailable(from: descriptor)) }
        }
    }
}
