import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection with a client, for one request.
///
/// Every wait for the client ends at a deadline, and as soon as the server is stopped. The deadline is earlier while other
/// clients wait for a connection.
struct LoopbackConnection: Sendable {
    /// The time in which a request has to arrive, its response to be read, and the client to hang up.
    static let patience = Duration.seconds(10)
    /// The age at which a connection ends while other clients wait, unless its response is being made.
    private static let crowdedPatience = Duration.seconds(1)

    let descriptor: Int32
    let server: LoopbackServer
    private let start = ContinuousClock.now

    init(descriptor: Int32, server: LoopbackServer) {
        self.descriptor = descriptor
        self.server = server
    }

    /// Reads the request.
    ///
    /// - Parameter patience: The time in which the whole request has to arrive.
    /// - Returns: The request; nil where the client hung up or sent nothing, or the server was stopped.
    /// - Throws: ``RejectedRequest``.
    func request(patience: Duration = Self.patience) throws(RejectedRequest) -> ReceivedRequest? {
        let deadline = ContinuousClock.now + patience
        var (received, searched) = (Data(), 0)
        var end: Range<Int>?
        while end == nil {
            guard try receives(&received, until: deadline) else { return nil }
            // Empty lines may come before a request (RFC 9112, section 2.2).
            while received.starts(with: "\r\n".utf8) { received = Data(received.dropFirst(2)) }
            end = received.range(of: Data("\r\n\r\n".utf8), in: max(0, searched - 3)..<received.count)
            searched = received.count
            guard (end?.lowerBound ?? searched) <= ReceivedRequest.maximumHeadBytes else { throw .largeHead }
        }
        guard let end else { return nil }
        var request = try ReceivedRequest(head: received[..<end.lowerBound])
        let count = try end.upperBound + request.bodyLength
        if received.count < count, request.headers["expect"]?.lowercased() == "100-continue" {
            send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline)
        }
        while received.count < count { if try !receives(&received, until: deadline) { return nil } }
        request.body = Data(received[end.upperBound..<count])
        return request
    }

    /// Sends bytes, and returns whether the client took all of them in time.
    @discardableResult
    func send(_ bytes: Data, until deadline: ContinuousClock.Instant = .now + Self.patience) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waits(for: POLLOUT, until: deadline) == .ready else { return false }
            let count = rest.withUnsafeBytes {
                systemSend(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Ends the response, and waits until the client hangs up.
    ///
    /// Closing a connection while the rest of a rejected request arrives would take the response from the client.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        drain(until: .now + Self.patience)
    }

    /// Drops received bytes until the client hangs up or the time is over.
    func drain(until deadline: ContinuousClock.Instant) {
        var received = Data()
        while receive(&received, until: deadline) == .ready { received = Data() }
    }

    /// Adds the next bytes to the received bytes; false where the client hung up, or has sent nothing at all in time.
    private func receives(
        _ received: inout Data, until deadline: ContinuousClock.Instant
    ) throws(RejectedRequest) -> Bool {
        switch receive(&received, until: deadline) {
        case .ready: return true
        case .late where !received.isEmpty: throw .slow
        case .late, .ended: return false
        }
    }

    private func receive(_ received: inout Data, until deadline: ContinuousClock.Instant) -> Readiness {
        let readiness = waits(for: POLLIN, until: deadline)
        guard readiness == .ready else { return readiness }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        received += buffer[..<max(0, count)]
        return count > 0 ? .ready : .ended
    }

    /// Waits for the client in short turns, because other clients may begin to wait for a connection.
    private func waits(for events: Int32, until deadline: ContinuousClock.Instant) -> Readiness {
        while true {
            let turn = min(deadline, .now + .milliseconds(100))
            let readiness = isReady(descriptor, for: events, unless: server.stopped, until: turn)
            guard readiness == .late else { return readiness }
            let isInTheWay =
                server.isCrowded.load(ordering: .relaxed) && .now - start >= Self.crowdedPatience
            if isInTheWay || .now >= deadline { return .late }
        }
    }
}

enum Readiness {
    case ready, late, ended
}

/// Waits until a descriptor can be used or `stopped` has input; for ever without a deadline.
func isReady(
    _ descriptor: Int32, for events: Int32, unless stopped: Int32, until deadline: ContinuousClock.Instant?
) -> Readiness {
    while true {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        ]
        let left = deadline.map { max(.zero, $0 - .now) / .milliseconds(1) }
        let count = poll(&descriptors, 2, left.map { Int32($0.rounded(.up)) } ?? -1)
        if count < 0, errno == EINTR { continue }
        guard count >= 0, descriptors[1].revents == 0 else { return .ended }
        return count == 0 ? .late : .ready
    }
}

// The method of `LoopbackConnection` hides the system's function.
private func systemSend(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int { send(descriptor, bytes, count, flags) }
