public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server on the loopback address that plays prepared bytes, one script for each connection.
///
/// The last script serves all further connections. `GET /configuration`, which the App sends at any time, has scripts of
/// its own, and counts as none of the others. Real servers cannot be made to fail on purpose: this one sends
/// half an answer, drips bytes, or sends nothing at all.
public struct ScriptedServer: Sendable {
    /// A step of the server after it received a whole request.
    public enum Step: Sendable {
        /// Sends bytes.
        case send(String)
        /// Waits.
        case pause(Duration)
        /// Sends one byte at a time until the client hangs up.
        case drip
        /// Sends nothing until the client hangs up.
        case hold
    }

    /// The port that it listens at.
    public let port: UInt16
    /// Its address.
    public let baseURL: URL
    /// The requests as they arrive, head and body as text.
    let arrivals: AsyncStream<String>

    /// Runs a server while `body` uses it.
    ///
    /// - Returns: All requests that it received, but for those of `GET /configuration`.
    /// - Throws: The error of `body`, or the one that keeps the server from listening.
    @discardableResult
    public static func run(
        _ scripts: [[Step]], configurations: [[Step]] = [.answer(404)],
        isolation: isolated (any Actor)? = #isolation,
        body: (ScriptedServer) async throws -> Void
    ) async throws -> [String] {
        let (arrivals, arrival) = AsyncStream.makeStream(of: String.self)
        let (recorded, record) = AsyncStream.makeStream(of: String.self)
        let listener = try Socket.listen()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        let (stopped, stop) = (ends[0], ends[1])
        guard let baseURL = URL(string: "http://127.0.0.1:\(listener.port)") else {
            throw URLError(.badURL)
        }
        Thread.detachNewThread {
            let (connections, fetches) = (Count(), Count())
            while listener.waitForInput(or: stopped) {
                guard let connection = listener.accept() else { continue }
                Thread.detachNewThread {
                    if let request = connection.readRequest(or: stopped) {
                        let isFetch = request.hasPrefix("GET /configuration ")
                        let scripts = isFetch ? configurations : scripts
                        let script = scripts[min((isFetch ? fetches : connections).next(), scripts.count - 1)]
                        if !isFetch {
                            record.yield(request)
                            arrival.yield(request)
                        }
                        for step in script where !connection.play(step, until: stopped) { break }
                    }
                    connection.close()
                }
            }
            listener.close()
        }
        defer { close(stop) }
        try await body(ScriptedServer(port: listener.port, baseURL: baseURL, arrivals: arrivals))
        record.finish()
        return await recorded.reduce(into: []) { $0.append($1) }
    }

    /// Waits until a request has arrived.
    public func nextArrival() async -> String? {
        await arrivals.first { _ in true }
    }

    /// A port of the loopback address at which nothing listens.
    ///
    /// - Throws: An error when no port is free.
    public static func closedPort() throws -> UInt16 {
        let socket = try Socket.listen()
        defer { socket.close() }
        return socket.port
    }
}

extension [ScriptedServer.Step] {
    /// A whole answer.
    public static func answer(_ status: Int, _ body: String = "{}", headers: String = "") -> Self {
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
        return [.send("\(head)\(headers)\r\n\(body)")]
    }
}

/// The number of connections so far.
private final class Count: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}

/// A file descriptor of a TCP socket.
private struct Socket: Sendable {
    let descriptor: Int32
    let port: UInt16

    static func listen() throws -> Socket {
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard bound, systemListen(descriptor) == 0 else { throw POSIXError(.EADDRINUSE) }
        return Socket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
    }

    func accept() -> Socket? {
        let connection = systemAccept(descriptor)
        return connection < 0 ? nil : Socket(descriptor: connection, port: port)
    }

    func close() {
        systemClose(descriptor)
    }

    /// Waits for input or a hang-up; false when the server is stopped, which it is at the end of each test.
    func waitForInput(or stopped: Int32) -> Bool {
        var descriptors = [descriptor, stopped].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&descriptors, 2, -1) > 0 && descriptors[1].revents == 0
    }

    /// The head of a request and as many bytes after it as the head announces.
    func readRequest(or stopped: Int32) -> String? {
        var text = ""
        while waitForInput(or: stopped) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let length = text.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
            if text[head.upperBound...].utf8.count >= length { return text }
        }
        return nil
    }

    /// Does one step; false when the client hung up or the server is stopped.
    func play(_ step: ScriptedServer.Step, until stopped: Int32) -> Bool {
        switch step {
        case .send(let text):
            return write(text)
        case .pause(let duration):
            let milliseconds = Int32(duration / .milliseconds(1))
            var descriptors = [pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)]
            return poll(&descriptors, 1, milliseconds) == 0
        case .drip:
            while play(.pause(.milliseconds(20)), until: stopped) {
                guard write("x") else { return false }
            }
            return false
        case .hold:
            _ = waitForInput(or: stopped)
            return false
        }
    }

    private func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

// Inside `Socket` its own methods would hide these.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 16) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemClose(_ descriptor: Int32) { close(descriptor) }
