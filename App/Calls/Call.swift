import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A call from another program: a URL that the App is to open.
struct Call: Codable, Sendable {
    /// The most seconds until a call is sent, and until it is accepted.
    static let maximumSeconds = 5
    /// The most bytes of a URL, each of which JSON may escape.
    static let maximumURL = FileHandle.maximumBytes / 2

    /// The URL.
    let url: URL
    /// Whether the caller waits for the output of the destination.
    let waits: Bool
}

/// The answer to a call.
struct CallAnswer: Codable, Sendable {
    /// The exit status of the program that sent the call.
    var status: Int32 = 0
    /// The output of the destination as JSON; nil where it has none, or nobody waits for it.
    var output: String?
    /// The reason for a status that is not 0, for the user.
    var message: String?
}

// The two ends of a connection: each sends one line of JSON, and nothing after it. Before its line, the App sends empty
// lines, which are white space in front of the JSON, to accept the call and to find out whether the caller is still there.
extension FileHandle {
    /// The most bytes of a line.
    fileprivate static let maximumBytes = 64 << 10

    /// Sends a value, or the reason why it cannot be sent; lost if the other end is closed.
    func send(_ value: some Encodable) {
        guard let line = try? JSONEncoder().encode(value), line.count < Self.maximumBytes else {
            return send(CallAnswer(status: 1, message: "The output is larger than 64 KiB."))
        }
        try? write(contentsOf: line + Data("\n".utf8))
        shutDown(SHUT_WR)
    }

    /// Sends an empty line.
    ///
    /// - Returns: False where the other end is closed.
    func sendEmptyLine() -> Bool { (try? write(contentsOf: Data("\n".utf8))) != nil }

    /// Waits until the other end has sent something, or closes the connection.
    ///
    /// - Returns: False where it does neither in time.
    func hasInput(before deadline: ContinuousClock.Instant) -> Bool {
        var request = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(max(0, (deadline - .now) / .milliseconds(1)))) > 0
    }

    /// Waits until the other end has sent a value; nil where it closes the connection, or sends something else.
    func receive<Value: Decodable>() -> Value? {
        try? read(upToCount: Self.maximumBytes).map { try JSONDecoder().decode(Value.self, from: $0) }
    }

    func shutDown(_ direction: some BinaryInteger) {
        shutdown(fileDescriptor, Int32(direction))
    }
}
