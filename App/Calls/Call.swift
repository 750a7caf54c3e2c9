import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A call: a URL that another program of the user has the App open.
///
/// The caller sends the URL and a line feed. The App sends an empty line when it accepts the call, another empty line when it
/// begins to open the URL, and a ``CallResponse`` as JSON.
enum Call {
    /// The most seconds until a call is sent, and until a call is accepted.
    static let maximumSeconds = 5
    /// The most bytes of a call.
    static let maximumBytes = 64 << 10
}

struct CallResponse: Codable, Sendable {
    /// The exit status for the caller.
    var status: Int32 = 0
    /// The output of the destination as JSON; nil where it has none.
    var output: String?
    /// The reason for a status that is not 0, for the user.
    var message: String?
}

extension FileHandle {
    /// Sends text as the last of this end, unless the other end is closed.
    func finish(with text: String) {
        try? write(contentsOf: Data("\(text)\n".utf8))
        shutDown(SHUT_WR)
    }

    /// - Returns: False where the other end is closed.
    func sendEmptyLine() -> Bool { (try? write(contentsOf: Data("\n".utf8))) != nil }

    /// Waits until the other end has sent something, or closes the connection.
    ///
    /// - Returns: False after the deadline.
    func hasInput(before deadline: ContinuousClock.Instant) -> Bool {
        var request = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(max(0, (deadline - .now) / .milliseconds(1)))) > 0
    }

    func shutDown(_ direction: some BinaryInteger) {
        shutdown(fileDescriptor, Int32(direction))
    }
}
