import Foundation
import RouterServiceInterface
import StorageInterface
import StorageTesting
import Synchronization

@testable import HTTPClientEmbedded

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Versions that are 1, 2, 3, and so on.
func counting() -> @Sendable () -> String {
    let count = Mutex(0)
    return {
        count.withLock { count in
            count += 1
            return "\(count)"
        }
    }
}

/// The fate of a request between a client and the server.
enum Delivery: Sendable {
    case delivered
    /// Something between them responds with 503.
    case unavailable
    /// The connection is lost before the request is fulfilled.
    case requestLost
    /// The connection is lost after the request is fulfilled.
    case responseLost
    /// Nothing is sent until the client hangs up.
    case delayed
}

/// Serves an embedded backend in this process, over a network that loses what a test wants.
///
/// The fates of requests come again and again. Returns the requests that arrived, where one of them is lost or delayed.
@discardableResult
func serve(
    _ client: EmbeddedClient = EmbeddedClient(stores: FakeStores(), drawVersion: counting()),
    patience: Duration = .seconds(30),
    delivering deliveries: [Delivery] = [.delivered], isolation: isolated (any Actor)? = #isolation,
    body: (URL) async throws -> Void
) async throws -> [(request: String, delivery: Delivery)] {
    try await client.open()
    let (arrivals, arrival) = AsyncStream.makeStream(of: (request: String, delivery: Delivery).self)
    let (server, backend) = (try LoopbackServer(), EmbeddedServer(client: client, patience: patience))
    let count = Atomic(0)
    server.serve { connection in
        guard deliveries != [.delivered] else { return backend.serve(connection) }
        guard let request = try? connection.request() else { return }
        let delivery = deliveries[count.add(1, ordering: .relaxed).oldValue % deliveries.count]
        arrival.yield(("\(request.method) \(request.path) \(request.headers)", delivery))
        switch delivery {
        case .delivered: connection.send(backend.response(to: request))
        case .unavailable: connection.send(Data("HTTP/1.1 503 \r\nContent-Length: 0\r\n\r\n".utf8))
        case .requestLost: break
        case .responseLost: _ = backend.response(to: request)
        case .delayed: connection.drain(until: .now + .seconds(60))
        }
    }
    let url = URL(string: "http://127.0.0.1:\(server.port)")
    if let url { try await body(url) }
    arrival.finish()
    return await arrivals.reduce(into: []) { $0.append($1) }
}

/// A connection to a server, for bytes that no client sends.
struct RawConnection: Sendable {
    private let file: FileHandle

    /// Connects to the server at an address.
    init(_ url: URL) throws {
        let descriptor = socket(AF_INET, 1, 0)  // SOCK_STREAM
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(url.port ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Sends text, in pieces of so many bytes.
    func send(_ text: String, piece: Int = .max) throws {
        var rest = Data(text.utf8)
        while !rest.isEmpty {
            try file.write(contentsOf: rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
    }

    /// Reads what the server sends until it closes the connection, not on the threads that all tasks share.
    func response() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
    }

    func close() throws { try file.close() }
}

/// The processor time of this thread, which does not grow while other threads run.
func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
