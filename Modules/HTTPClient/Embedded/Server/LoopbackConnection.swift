import Foundation

/// A connection with a client, for one request; whatever it waits for, it waits for a limited time, and not after the server
/// was stopped.
struct LoopbackConnection: Sendable {
    /// The time in which a request arrives, an answer is read, and the client hangs up.
    static let patience = Duration.seconds(30)

    let descriptor: Int32
    let stopped: Int32

    /// Reads the request.
    ///
    /// - Parameter patience: How long the whole of it may take.
    /// - Returns: The request; nil where the client closed the connection or sent nothing, or the server was stopped.
    /// - Throws: ``RejectedRequest``.
    func request(patience: Duration = Self.patience) throws(RejectedRequest) -> ReceivedRequest? {
        let deadline = ContinuousClock.now + patience
        var (received, searched) = (Data(), 0)
        var end: Range<Int>?
        while end == nil {
            end = received.range(of: Data("\r\n\r\n".utf8), in: max(0, searched - 3)..<received.count)
            searched = received.count
            guard (end?.lowerBound ?? searched) <= ReceivedRequest.maximumHeadBytes else { throw .largeHead }
            if end == nil, try !receives(&received, until: deadline) { return nil }
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

    /// Sends bytes.
    ///
    /// - Returns: Whether all were taken in time.
    @discardableResult
    func send(_ bytes: Data, until deadline: ContinuousClock.Instant = .now + Self.patience) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard isReady(descriptor, for: POLLOUT, unless: stopped, until: deadline) == .ready else {
                return false
            }
            let count = rest.withUnsafeBytes {
                systemSend(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Waits a while.
    ///
    /// - Returns: False where the server was stopped meanwhile.
    func pause(_ duration: Duration) -> Bool {
        isReady(-1, for: POLLIN, unless: stopped, until: .now + duration) == .late
    }

    /// Drops what the client sends, until it closes the connection or the time is over; for ever without a deadline.
    func drain(until deadline: ContinuousClock.Instant? = nil) {
        var received = Data()
        while receive(&received, until: deadline) == .ready { received = Data() }
    }

    /// Closes the connection without losing the last answer, which happens where that comes before the rest of a request
    /// has arrived.
    func close() {
        shutdown(descriptor, Int32(SHUT_WR))
        drain(until: .now + Self.patience)
    }

    /// Adds the next bytes to those that were received.
    ///
    /// - Returns: False where the connection was closed, or nothing at all has come in time.
    private func receives(
        _ received: inout Data, until deadline: ContinuousClock.Instant
    ) throws(RejectedRequest) -> Bool {
        switch receive(&received, until: deadline) {
        case .ready: return true
        case .late where !received.isEmpty: throw .slow
        case .late, .ended: return false
        }
    }

    private func receive(_ received: inout Data, until deadline: ContinuousClock.Instant?) -> Readiness {
        let readiness = isReady(descriptor, for: POLLIN, unless: stopped, until: deadline)
        guard readiness == .ready else { return readiness }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        received += buffer[..<max(0, count)]
        return count > 0 ? .ready : .ended
    }
}

/// The outcome of waiting for a descriptor.
enum Readiness {
    case ready, late, ended
}

/// Waits until a descriptor can be used, unless there is input at another one; for ever without a deadline.
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

// Inside `LoopbackConnection` its own method would hide this.
private func systemSend(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int { send(descriptor, bytes, count, flags) }
