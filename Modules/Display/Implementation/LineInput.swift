import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a line terminal gets its lines from.
@MainActor
protocol LineInput: AnyObject {
    /// Whether the person who types does not see it, so that it must be printed.
    var needsEcho: Bool { get }

    /// The next line without its line end; nil at the end of the input.
    func nextLine(isSecure: Bool) async -> String?
}

/// The lines of an open file, pipe or terminal.
@MainActor
final class DescriptorLines: LineInput {
    let needsEcho: Bool
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "Display.lines")
    private var unread: ArraySlice<UInt8> = []

    /// What is longer is cut, so that no input can exhaust the memory.
    private static let longestLine = 65_536

    init(descriptor: Int32) {
        self.descriptor = descriptor
        needsEcho = isatty(descriptor) == 0
    }

    func nextLine(isSecure: Bool) async -> String? {
        guard isSecure, !needsEcho, let device = try? TerminalDevice(input: descriptor, output: descriptor)
        else {
            return await nextLine()
        }
        let signals = TerminalSignals(restoring: device.restoreSettings)
        device.hideInput()
        defer {
            device.restoreSettings()
            signals.cancel()
        }
        return await nextLine()
    }

    private func nextLine() async -> String? {
        var line: [UInt8] = []
        var hasLine = false
        while true {
            if unread.isEmpty { unread = await chunk()[...] }
            guard !unread.isEmpty else { break }
            hasLine = true
            let end = unread.firstIndex(of: UInt8(ascii: "\n"))
            line += unread[..<(end ?? unread.endIndex)].prefix(Self.longestLine - line.count)
            guard let end else {
                unread = []
                continue
            }
            unread = unread[(end + 1)...]
            break
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return hasLine ? String(decoding: line, as: UTF8.self) : nil
    }

    /// What can be read next, empty at the end; waits on a thread of its own, not on the main actor.
    private func chunk() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in continuation.resume(returning: readAvailable(from: descriptor)) }
        }
    }
}

/// Reads what is there, or waits until there is something.
///
/// - Returns: At most 4096 bytes; none at the end of the input and when it cannot be read.
func readAvailable(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count >= 0 { return Array(buffer.prefix(count)) }
        guard errno == EINTR || errno == EAGAIN else { return [] }
        // A descriptor shared with a program that made it non-blocking: wait for the next byte.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
    }
}
