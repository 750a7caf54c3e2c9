import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A call from another program: a URL that the App is to open.
struct Call: Codable, Sendable {
    /// The most seconds until a call is sent, and until a call is accepted.
    static let maximumSeconds = 5
    /// The most bytes of a URL, each of which JSON may escape.
    static let maximumURL = FileHandle.maximumBytes / 2

    let url: URL
}

/// The response to a call.
struct CallResponse: Codable, Sendable {
    /// The exit status for the caller.
    var status: Int32 = 0
    /// The output of the destination as JSON; nil where it has none.
    var output: String?
    /// The reason for a status that is not 0, for the user.
    var message: String?
}

// Each end of a connection sends one line of JSON. Before its line, the App sends empty lines, which are white space in front
// of the JSON, to accept the call and to find out whether the caller has hung up.
extension FileHandle {
    /// The most bytes of a line.
    fileprivate static let maximumBytes = 64 << 10

    /// Sends a value, or the reason why the value cannot be sent, unless the other end is closed.
    func send(_ value: some Encodable) {
        guard let line = try? JSONEncoder().encode(value), line.count < Self.maximumBytes else {
            return send(CallResponse(status: 1, message: "The output is larger than 64 KiB."))
        }
        try? write(contentsOf: line + Data("\n".utf8))
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

    /// Waits for a value; nil where the other end closes the connection, or sends something else.
    func receive<Value: Decodable>() -> Value? {
        try? read(upToCount: Self.maximumBytes).map { try JSONDecoder().decode(Value.self, from: $0) }
    }

    func shutDown(_ direction: some BinaryInteger) {
        shutdown(fileDescriptor, Int32(direction))
    }
}
