import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The sockets of a ``ScriptedServer``, with a thread for each connection.
final class ScriptedListener: Sendable {
    let port: UInt16
    private let isStopped = Atomic(false)
    private let connections = Mutex<Set<Int32>>([])

    /// Listens at a free port, and passes each connection to a function, which ends before the connection is closed.
    ///
    /// - Throws: `POSIXError` when the listener cannot listen.
    init(_ receive: @escaping @Sendable (ScriptedConnection) -> Void) throws {
        // Without this, writing to a connection whose other end is closed ends the program.
        signal(SIGPIPE, SIG_IGN)
        // SOCK_STREAM is of another type on each platform.
        let listener = try checked(socket(AF_INET, 1, 0))
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try checked(bind(listener, $0, size))
                try checked(getsockname(listener, $0, &size))
            }
        }
        try checked(listen(listener, 64))
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                // Closing a listener would not end 'accept' on Darwin.
                var input = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard poll(&input, 1, 20) > 0 else { continue }
                let descriptor = accept(listener, nil, nil)
                if descriptor >= 0 { start(ScriptedConnection(descriptor: descriptor), receive) }
            }
            close(listener)
        }
    }

    private func start(
        _ connection: ScriptedConnection, _ receive: @escaping @Sendable (ScriptedConnection) -> Void
    ) {
        connections.withLock { _ = $0.insert(connection.descriptor) }
        if isStopped.load(ordering: .relaxed) { connection.hangUp() }
        Thread.detachNewThread { [self] in
            receive(connection)
            connections.withLock {
                $0.remove(connection.descriptor)
                close(connection.descriptor)
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        connections.withLock { $0.forEach { ScriptedConnection(descriptor: $0).hangUp() } }
    }
}

/// A connection of a ``ScriptedServer`` with a client.
struct ScriptedConnection: Sendable {
    fileprivate let descriptor: Int32

    /// Waits for a whole request: a head, and the body that its `Content-Length` announces.
    ///
    /// - Returns: The request as text; nil when the client hung up before its end.
    func request() -> String? {
        var received = Data()
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
                if received.count >= end.upperBound + length {
                    return String(decoding: received, as: UTF8.self)
                }
            }
            guard let bytes = receive() else { return nil }
            received += bytes
        }
    }

    /// Waits for the next bytes; nil when the client hung up or the server was stopped.
    func receive() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    /// - Returns: False when the client hung up or the server was stopped.
    func send(_ text: String) -> Bool {
        var rest = Data(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends both directions, which wakes the thread that waits for the client.
    fileprivate func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// - Throws: `POSIXError` for -1.
@discardableResult
private func checked(_ result: Int32) throws -> Int32 {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}
