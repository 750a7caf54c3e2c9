import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server on the loopback address until the program ends, with a thread for each connection.
final class LoopbackServer: Sendable {
    /// The most connections at once; further clients wait.
    ///
    /// The libraries of the system end a program that has no free descriptor.
    static let maximumConnections = 64

    let port: UInt16
    /// Whether a client waits for one of the connections to end.
    let isCrowded = Atomic(false)
    private let listener: Int32

    /// Begins to listen at a port; 0 for a free port.
    ///
    /// - Throws: `POSIXError`.
    init(port: UInt16 = 0) throws {
        // Otherwise, writing to a connection that the client closed ends the program.
        signal(SIGPIPE, SIG_IGN)
        // SOCK_STREAM is of another type on each platform.
        listener = try checked(socket(AF_INET, 1, 0))
        do {
            self.port = try Self.listen(listener, at: port)
        } catch {
            close(listener)
            throw error
        }
    }

    /// Begins to listen, and returns the port.
    private static func listen(_ listener: Int32, at port: UInt16) throws -> UInt16 {
        // Connections that a former server closed keep its port for a minute.
        var (reuse, size) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try checked(bind(listener, $0, size))
                try checked(getsockname(listener, $0, &size))
            }
        }
        try checked(systemListen(listener))
        return UInt16(bigEndian: address.sin_port)
    }

    /// Passes each connection to a function, and closes the connection afterwards.
    func serve(_ receive: @escaping @Sendable (LoopbackConnection) -> Void) {
        Thread.detachNewThread { [self] in
            let free = DispatchSemaphore(value: Self.maximumConnections)
            while true {
                var client = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                poll(&client, 1, -1)
                if free.wait(timeout: .now()) == .timedOut {
                    isCrowded.store(true, ordering: .relaxed)
                    free.wait()
                    isCrowded.store(false, ordering: .relaxed)
                }
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    free.signal()
                    // Too many descriptors may be open at the moment.
                    usleep(10_000)
                    continue
                }
                Thread.detachNewThread { [self] in
                    receive(LoopbackConnection(descriptor: descriptor, server: self))
                    close(descriptor)
                    free.signal()
                }
            }
        }
    }
}

/// Returns the result of a system call, or throws `POSIXError` for -1.
@discardableResult
private func checked(_ result: Int32) throws -> Int32 {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
}

// The method of `LoopbackServer` hides the system's function.
private func systemListen(_ descriptor: Int32) -> Int32 { listen(descriptor, 64) }
