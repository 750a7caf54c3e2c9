import Foundation
import HTTPClientInterface
import HTTPClientTesting
import Synchronization
import Testing

@testable import HTTPClientImplementation

/// The cancellation of the task that sent a request.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCancellationTests {
    private static let limits = TransferLimits(timeout: .seconds(120))

    @Test func cancellation_whileWaitingForTheResponse_endsAtOnceAndHangsUp() async throws {
        try await ScriptedServer.run([[.hold]]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            let task = Task { try await client.send(HTTP.Request(.get, ["x"])) }
            _ = await server.nextArrival()
            try await expectPromptCancellation(of: task)
        }
    }

    @Test func cancellation_whileTheBodyComes_endsAtOnce() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        try await ScriptedServer.run([[.send(head), .drip]]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            let task = Task { try await client.send(HTTP.Request(.get, ["x"])) }
            _ = await server.nextArrival()
            try await Task.sleep(for: .milliseconds(100))
            try await expectPromptCancellation(of: task)
        }
    }

    /// Foundation for Linux ends the program when a redirect of a cancelled task is decided.
    @Test func cancellation_whileARedirectArrives_endsAtOnce() async throws {
        try await ScriptedServer.run([.response(302, headers: "Location: /x\r\n")]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            for microseconds in stride(from: 0, to: 5_000, by: 25) {
                let task = Task { try await client.send(HTTP.Request(.get, ["x"])) }
                try await Task.sleep(for: .microseconds(microseconds))
                task.cancel()
                await #expect(throws: (any Error).self) { try await task.value }
            }
        }
    }

    @Test func cancellation_beforeTheRequest_sendsNothing() async throws {
        let requests = try await ScriptedServer.run([.response(200)]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.send(HTTP.Request(.get, ["x"]))
            }
            try await expectPromptCancellation(of: task)
        }
        #expect(requests.isEmpty)
    }

    @Test func otherRequests_goOnWhenOneIsCancelled() async throws {
        let scripts = [[ScriptedServer.Step.hold], [.pause(.milliseconds(300))] + .response(200)]
        try await ScriptedServer.run(scripts) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            let first = Task { try await client.send(HTTP.Request(.get, ["first"])) }
            _ = await server.nextArrival()
            async let second = client.send(HTTP.Request(.get, ["second"]))
            try await expectPromptCancellation(of: first)
            #expect(try await second.status == 200)
        }
    }

    /// The request that follows an arrival must not take the script of the request that arrived.
    @Test func script_isChosen_beforeTheRequestArrives() async throws {
        let isChosen = Atomic(false)
        try await ScriptedServer.run(
            playing: { _ in
                Thread.sleep(forTimeInterval: 0.1)
                isChosen.store(true, ordering: .relaxed)
                return .response(200)
            }
        ) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            async let response = client.send(HTTP.Request(.get, ["x"]))
            _ = await server.nextArrival()
            #expect(isChosen.load(ordering: .relaxed) == true)
            #expect(try await response.status == 200)
        }
    }

    @Test func client_isReleasedWithItsSession() async throws {
        weak var released: URLSessionClient?
        try await ScriptedServer.run([.response(200)]) { server in
            let client = try URLSessionClient.forTests(server.baseURL, limits: Self.limits)
            _ = try await client.send(HTTP.Request(.get, ["x"]))
            released = client
        }
        #expect(released == nil)
    }

    private func expectPromptCancellation(of task: Task<HTTP.Response, any Error>) async throws {
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Far from the time after which the attempt would end on its own, also on a busy machine.
        #expect(ContinuousClock.now - start < Self.limits.timeout / 2)
    }
}
