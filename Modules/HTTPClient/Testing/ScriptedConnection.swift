import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection of a ``ScriptedServer`` with a client.
struct ScriptedConnection: Sendable {
    private let descriptor: Int32
    private let isStopped: @Sendable () -> Bool

    /// Listens at a free port until the server is stopped, and passes each connection to a function, on a thread of its own.
    ///
    /// - Returns: The port.
    /// - Throws: `POSIXError` when the server cannot listen.
    static func listen(
        until isStopped: @escaping @Sendable () -> Bool,
        _ receive: @escaping @Sendable (ScriptedConnection) -> Void
    ) throws -> UInt16 {
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
        try checked(systemListen(listener))
        Thread.detachNewThread {
            while waits(for: listener, until: isStopped) {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread {
                    receive(ScriptedConnection(descriptor: descriptor, isStopped: isStopped))
                    close(descriptor)
                }
            }
            close(listener)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for input in short turns; false when the server is stopped.
    private static func waits(for descriptor: Int32, until isStopped: () -> Bool) -> Bool {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isStopped() { if poll(&input, 1, 20) > 0 { return true } }
        return false
    }

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

    /// - Returns: False when the client hung up or the server was stopped.
    func play(_ step: ScriptedServer.Step) -> Bool {
        switch step {
        case .send(let text): return send(text)
        case .pause(let duration):
            Thread.sleep(forTimeInterval: duration / .seconds(1))
            return true
        case .drip:
            while !isStopped(), send("x") { Thread.sleep(forTimeInterval: 0.02) }
            return false
        case .hold:
            while receive() != nil {}
            return false
        }
    }

    /// Waits for the next bytes; nil when the client hung up or the server was stopped.
    private func receive() -> Data? {
        guard Self.waits(for: descriptor, until: isStopped) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    private func send(_ text: String) -> Bool {
        var rest = Data(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

// The method of `ScriptedConnection` hides the system's function.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 64) }

/// - Throws: `POSIXError` for -1.
@discardableResult
private func checked(_ result: Int32) throws -> Int32 {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}
