import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection with a client, for one request.
///
/// Every wait for the client ends at a deadline, which is earlier while other clients wait for a connection.
struct LoopbackConnection: Sendable {
    /// The time in which a request has to arrive, its response to be read, and the client to hang up.
    static let patience = Duration.seconds(10)
    /// The age at which a connection ends while other clients wait, unless its response is being made.
    private static let crowdedPatience = Duration.seconds(1)

    private enum Reception {
        case bytes, late, ended
    }

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
    /// - Returns: The request; nil where the client hung up or sent nothing.
    /// - Throws: ``Refusal``.
    func request(patience: Duration = Self.patience) throws(Refusal) -> ReceivedRequest? {
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
        while received.count < count { if try !receives(&received, until: deadline) { return nil } }
        request.body = Data(received[end.upperBound..<count])
        return request
    }

    /// Sends bytes, and returns whether the client took all of them in time.
    @discardableResult
    func send(_ bytes: Data, until deadline: ContinuousClock.Instant = .now + Self.patience) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard isReady(for: POLLOUT, until: deadline) else { return false }
            let count = rest.withUnsafeBytes {
                systemSend(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Ends the response, and waits until the client hangs up or the time is over.
    ///
    /// Closing a connection while the rest of a rejected request arrives would take the response from the client.
    func finish(until deadline: ContinuousClock.Instant) {
        shutdown(descriptor, Int32(SHUT_WR))
        drain(until: deadline)
    }

    /// Drops received bytes until the client hangs up or the time is over.
    func drain(until deadline: ContinuousClock.Instant) {
        var received = Data()
        while receive(&received, until: deadline) == .bytes { received = Data() }
    }

    /// Adds the next bytes to the received bytes; false where the client hung up, or has sent nothing at all in time.
    private func receives(
        _ received: inout Data, until deadline: ContinuousClock.Instant
    ) throws(Refusal) -> Bool {
        switch receive(&received, until: deadline) {
        case .bytes: return true
        case .late where !received.isEmpty: throw .slow
        case .late, .ended: return false
        }
    }

    private func receive(_ received: inout Data, until deadline: ContinuousClock.Instant) -> Reception {
        guard isReady(for: POLLIN, until: deadline) else { return .late }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        received += buffer[..<max(0, count)]
        return count > 0 ? .bytes : .ended
    }

    /// Waits until the connection can be used, in short turns, because other clients may begin to wait for a connection; false
    /// after the deadline.
    private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let left = min(.milliseconds(100), max(.zero, deadline - .now)) / .milliseconds(1)
            let count = poll(&request, 1, Int32(left.rounded(.up)))
            if count > 0 || count < 0 && errno != EINTR { return count > 0 }
            let isInTheWay =
                server.isCrowded.load(ordering: .relaxed) && .now - start >= Self.crowdedPatience
            if isInTheWay || .now >= deadline { return false }
        }
    }
}

// The method of `LoopbackConnection` hides the system's function.
private func systemSend(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int { send(descriptor, bytes, count, flags) }
